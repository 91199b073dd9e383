//! Users: list, create, suspend, make administrator.

use serde_json::{Value, json};

use super::{admin_without_organization, id_of, kinds, on_disk};
use crate::support::{PASSWORD, TestServer};

#[tokio::test]
async fn users_are_listed_in_order_of_creation() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let iris = admin_without_organization(&server).await;
    let users = iris.get("/api/admin/users").await.ok()["users"].clone();
    let logins: Vec<&str> = users.as_array().unwrap().iter().map(|user| user["login"].as_str().unwrap()).collect();
    assert_eq!(logins, ["ada", "bob", "iris"]);
    let expected = json!({
        "id": id_of(&server, "bob"), "login": "bob", "displayName": "bob", "email": null,
        "emailConfirmed": false, "avatarUrl": null,
        "provider": "local", "isAdmin": false, "isSuspended": false, "createdAt": 1, "lastLoginAt": null,
    });
    assert_eq!(users[1], expected, "no hash, and nothing else");
    assert!(users[2]["lastLoginAt"].is_i64());
}

#[tokio::test]
async fn an_account_is_created_with_or_without_a_password() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let new = json!({ "login": "eve", "displayName": " Eve ", "email": "eve@example.org", "password": PASSWORD });
    let user = ada.post("/api/admin/users", new).await.created()["user"].clone();
    assert_eq!((&user["displayName"], &user["email"]), (&json!("Eve"), &json!("eve@example.org")));
    assert_eq!((&user["isAdmin"], &user["isSuspended"]), (&json!(false), &json!(false)));
    let eve = server.sign_in("eve").await;
    assert_eq!(eve.get("/api/me").await.ok()["session"]["orgId"], Value::Null);
    eve.get("/api/workspaces").await.expect_error(400, "active organization");

    ada.post("/api/admin/users", json!({ "login": "max", "displayName": "Max" })).await.created();
    let sign_in = json!({ "login": "max", "password": PASSWORD });
    server.anonymous().post("/api/auth/login", sign_in).await.expect_error(401, "login or password is wrong");
    assert!(!on_disk(&server, PASSWORD));
}

#[tokio::test]
async fn logins_are_case_insensitive() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let before = server.log_sizes();
    let taken = json!({ "login": "ADA", "displayName": "Another" });
    let refusal = ada.post("/api/admin/users", taken).await.expect_error(409, "`ADA` exists already");
    assert_eq!(refusal["code"], Value::Null);
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn an_invalid_account_is_rejected_by_field() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let before = server.log_sizes();
    let with = |field: &str, value: Value| {
        let mut body = json!({ "login": "eve", "displayName": "Eve" });
        body[field] = value;
        body
    };
    let cases = [
        (with("login", json!("e ve")), "login"),
        (with("login", json!("")), "login"),
        (with("login", json!("x".repeat(201))), "login"),
        (with("displayName", json!(" ")), "displayName"),
        (with("displayName", json!("x".repeat(201))), "displayName"),
        (with("displayName", json!(7)), "displayName"),
        (with("email", json!("eve")), "email"),
        (with("email", json!("eve@")), "email"),
        (with("email", json!("@example.org")), "email"),
        (with("email", json!("eve@a@b")), "email"),
        (with("email", json!("e ve@example.org")), "email"),
        (with("email", json!(format!("eve@{}", "x".repeat(251)))), "email"),
        (with("password", json!("short")), "password"),
        (with("password", json!("x".repeat(129))), "password"),
        (with("isAdmin", json!(true)), "isAdmin"),
        (with("isSuspended", json!(true)), "isSuspended"),
        (json!({ "login": "eve" }), "displayName"),
        (json!({ "displayName": "Eve" }), "login"),
    ];
    for (body, field) in cases {
        let reply = ada.post("/api/admin/users", body).await;
        assert_eq!(reply.expect(400)["field"], field, "{reply}");
    }
    for body in [json!([]), json!(["eve", "Eve", null, null]), json!("eve"), json!(null)] {
        ada.post("/api/admin/users", body).await.expect_error(400, "");
    }
    let bob = format!("/api/admin/users/{}", server.seed_user("bob"));
    let cases = [
        (json!({ "isAdmin": "yes" }), "isAdmin"),
        (json!({ "isAdmin": 1 }), "isAdmin"),
        (json!({ "isSuspended": {} }), "isSuspended"),
        (json!({ "suspended": true }), "suspended"),
        (json!({ "isSuspended": true, "password": PASSWORD }), "password"),
        (json!({ "id": 1 }), "id"),
    ];
    for (body, field) in cases {
        let reply = ada.patch(&bob, body).await;
        assert_eq!(reply.expect(400)["field"], field, "{reply}");
    }
    ada.patch("/api/admin/users/bob", json!({ "isAdmin": true })).await.expect_error(400, "path");
    ada.patch("/api/admin/users/99", json!({ "isAdmin": true })).await.expect_error(404, "user not found");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn a_suspension_applies_to_the_next_request_with_any_credential_and_can_be_lifted() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let (session, script, legacy) =
        (server.sign_in("bob").await, server.script_client("bob").await, server.script_client("bob").await);
    server.sql(|conn| conn.execute("UPDATE api_token SET organization_id = NULL WHERE id = 2", []).unwrap());
    let (ada, path) = (server.sign_in("ada").await, format!("/api/admin/users/{bob}"));
    for _ in 0..2 {
        for credential in [&session, &script, &legacy] {
            credential.get("/api/me").await.ok();
        }
        assert_eq!(ada.patch(&path, json!({ "isSuspended": true })).await.ok()["user"]["isSuspended"], true);
        for credential in [&session, &script, &legacy] {
            for route in ["/api/me", "/api/workspaces", "/api/schema", "/api/admin/users"] {
                assert_eq!(credential.get(route).await.expect_error(403, "suspended")["code"], "account_suspended");
            }
        }
        let sign_in = json!({ "login": "bob", "password": PASSWORD });
        let refusal = server.anonymous().post("/api/auth/login", sign_in).await.expect_error(403, "suspended");
        assert_eq!(refusal["code"], "account_suspended");
        assert_eq!(ada.patch(&path, json!({ "isSuspended": false })).await.ok()["user"]["isSuspended"], false);
    }
    server.sign_in("bob").await;
}

#[tokio::test]
async fn the_administrator_role_is_added_and_removed_with_immediate_effect() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let (ada, session, script) =
        (server.sign_in("ada").await, server.sign_in("bob").await, server.script_client("bob").await);
    let path = format!("/api/admin/users/{bob}");
    session.get("/api/admin/users").await.expect_error(403, "administrators of the instance");
    ada.patch(&path, json!({ "isAdmin": true })).await.ok();
    session.get("/api/admin/users").await.ok();
    script.get("/api/admin/users").await.ok();
    ada.patch(&path, json!({ "isAdmin": false })).await.ok();
    session.get("/api/admin/users").await.expect_error(403, "administrators of the instance");
    script.get("/api/admin/users").await.expect_error(403, "administrators of the instance");
    let decided: Vec<_> = kinds(&server).into_iter().filter(|kind| kind.ends_with("mote")).collect();
    assert_eq!(decided, ["user.promote", "user.demote"]);
}

#[tokio::test]
async fn an_account_has_a_unique_email_address_that_can_be_removed() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let eve = server.seed_member("eve", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    let (bob, eve) = (format!("/api/admin/users/{bob}"), format!("/api/admin/users/{eve}"));
    let address = |email: &str| json!({ "email": email });
    assert_eq!(ada.patch(&bob, address("bob@example.org")).await.ok()["user"]["email"], "bob@example.org");
    ada.patch(&eve, address("BOB@example.org")).await.expect_error(409, "`bob` has this email address");
    ada.patch(&eve, address("nowhere")).await.expect_error(400, "email");
    // Other updates keep the address.
    assert_eq!(ada.patch(&bob, json!({ "isAdmin": true })).await.ok()["user"]["email"], "bob@example.org");
    assert_eq!(ada.patch(&bob, address("")).await.ok()["user"]["email"], Value::Null);
    ada.patch(&eve, address("BOB@example.org")).await.ok();
    let given = kinds(&server).into_iter().filter(|kind| kind == "user.address").count();
    assert_eq!(given, 3);
    // Two accounts that have the same address from elsewhere can still be updated.
    server.sql(|conn| {
        conn.execute("UPDATE user SET email = 'eve@example.org' WHERE login IN ('bob', 'eve')", []).unwrap()
    });
    ada.patch(&eve, json!({ "isSuspended": true })).await.ok();
}

#[tokio::test]
async fn a_user_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let user = ada.get("/api/admin/users").await.ok()["users"][0].clone();
    let before = server.log_sizes();
    let path = format!("/api/admin/users/{}", user["id"]);
    assert_eq!(ada.patch(&path, user.clone()).await.ok()["user"], user);
    assert_eq!(ada.patch(&path, json!({})).await.ok()["user"], user);
    assert_eq!(server.log_sizes(), before);
}
