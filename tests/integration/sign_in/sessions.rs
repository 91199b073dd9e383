//! The user's own sessions: list, end, switch organization.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{TestClient, TestServer};

fn client<'s>(server: &'s TestServer, answer: &Value) -> TestClient<'s> {
    server.with(answer["token"].as_str().unwrap())
}

#[tokio::test]
async fn signing_out_ends_the_session_and_its_tokens_immediately() {
    let server = TestServer::new().await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let (before, ada) = (browser.token(), client(&server, &answer));
    assert_eq!(browser.log_out(&server.anonymous()).await.ok(), json!({ "ok": true }));
    assert!(!browser.jar.borrow().contains_key("planroom_refresh"), "the cookie is taken away");
    assert!(browser.jar.borrow().contains_key("planroom_device"), "but the browser is known again");
    ada.get("/api/me").await.expect_error(401, "ended");
    browser.with(&before).refresh().await.expect_error(401, "no session");
    browser.log_out(&server.anonymous()).await.ok();
}

#[tokio::test]
async fn signing_out_with_a_jwt_ends_its_session() {
    let server = TestServer::new().await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let ada = client(&server, &answer);
    ada.send(axum::http::Method::POST, "/api/auth/logout", None).await.ok();
    browser.refresh().await.expect_error(401, "no session");
    ada.send(axum::http::Method::POST, "/api/auth/logout", None).await.expect_error(401, "ended");

    let ((one, _), (_, other)) = (Browser::of(&server, "ada").await, Browser::of(&server, "ada").await);
    let other = client(&server, &other);
    one.log_out(&other).await.ok();
    assert_eq!(one.refresh().await.status, 204, "its cookie is gone");
    other.get("/api/me").await.expect_error(401, "ended");

    let (browser, _) = Browser::of(&server, "ada").await;
    browser.log_out(&server.with("nonsense")).await.ok();
}

#[tokio::test]
async fn a_user_lists_and_ends_their_sessions() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (first, old) = Browser::of(&server, "ada").await;
    server.clock.advance(MINUTE);
    let (_, now) = Browser::of(&server, "ada").await;
    let (_, bobs) = Browser::of(&server, "bob").await;
    let (ada, bob) = (client(&server, &now), client(&server, &bobs));
    let sessions = ada.get("/api/me/sessions").await.ok()["sessions"].clone();
    let sessions = sessions.as_array().unwrap();
    assert_eq!(sessions.len(), 2, "and none of bob's");
    assert_eq!([&sessions[0]["isCurrent"], &sessions[1]["isCurrent"]], [true, false], "the one used last first");
    for session in sessions {
        assert_eq!(session["userAgent"], "Testfox/1.0");
        let lifetime = session["expiresAt"].as_i64().unwrap() - session["lastUsedAt"].as_i64().unwrap();
        assert_eq!(lifetime, 14 * DAY);
    }
    let path = format!("/api/me/sessions/{}", sessions[1]["id"]);
    bob.delete(&path).await.expect_error(404, "session not found");
    ada.delete(&path).await.ok();
    ada.delete(&path).await.expect_error(404, "session not found");
    first.refresh().await.expect_error(401, "no session");
    client(&server, &old).get("/api/me").await.expect_error(401, "ended");
    assert_eq!(ada.get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn all_other_sessions_are_ended_at_once() {
    let server = TestServer::new().await;
    let (_, one) = Browser::of(&server, "ada").await;
    let (_, two) = Browser::of(&server, "ada").await;
    let (_, three) = Browser::of(&server, "ada").await;
    client(&server, &two).delete("/api/me/sessions").await.ok();
    client(&server, &two).get("/api/me").await.ok();
    for gone in [one, three] {
        client(&server, &gone).get("/api/me").await.expect_error(401, "ended");
    }
}

#[tokio::test]
async fn an_expired_session_is_not_listed() {
    let server = TestServer::new().await;
    Browser::of(&server, "ada").await;
    server.clock.advance(14 * DAY + MINUTE);
    let (_, now) = Browser::of(&server, "ada").await;
    assert_eq!(client(&server, &now).get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_long_user_agent_is_truncated() {
    let server = TestServer::new().await;
    let login = json!({ "login": "ada", "password": crate::support::PASSWORD });
    let long = "x".repeat(5_000);
    let reply = server.anonymous().header("user-agent", &long).post("/api/auth/login", login).await.ok();
    let sessions = client(&server, &reply).get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"][0]["userAgent"], "x".repeat(200));
}

#[tokio::test]
async fn tokens_cannot_manage_sessions() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    script.get("/api/me/sessions").await.expect_error(403, "session");
    script.delete("/api/me/sessions").await.expect_error(403, "session");
    script.post("/api/auth/organization", json!({ "orgId": null })).await.expect_error(403, "session");
    script.send(axum::http::Method::POST, "/api/auth/logout", None).await.expect_error(403, "session");
}

#[tokio::test]
async fn a_user_switches_to_another_organization_or_none() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let (_, answer) = Browser::of(&server, "ada").await;
    let ada = client(&server, &answer);
    let path = "/api/auth/organization";
    ada.post(path, json!({ "orgId": "org_other" })).await.expect_error(404, "organization not found");
    ada.post(path, json!({})).await.expect_error(400, "orgId: is required");
    server.join(answer["user"]["id"].as_i64().unwrap(), "other", "org:member");
    let switched = ada.post(path, json!({ "orgId": "org_other" })).await.ok();
    assert_eq!(switched["session"]["orgRole"], "org:member");
    let there = client(&server, &switched);
    assert_eq!(there.get("/api/me").await.ok()["session"]["orgSlug"], "other");
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgSlug"], "acme", "another tab stays where it is");
    let none = there.post(path, json!({ "orgId": null })).await.ok();
    assert_eq!(none["session"], json!({ "orgId": null, "orgRole": null, "orgSlug": null, "isApiToken": false }));
    let nowhere = client(&server, &none);
    assert_eq!(nowhere.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    let sessions = nowhere.get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "all of it one session");
}

#[tokio::test]
async fn the_sign_in_configuration_is_readable_before_and_after_sign_in() {
    let server = TestServer::empty(|_| {});
    let anyone = server.anonymous();
    let config = |name: &str, has_users: bool| json!({ "methods": ["password"], "providerName": null, "instanceName": name, "hasUsers": has_users, "waitlistOpen": true, "emails": false, "passwordReset": false });
    assert_eq!(anyone.get("/api/auth/config").await.ok(), config("Planroom", false));
    server.seed_admin("ada", "acme").await;
    server.sql(|conn| {
        let sql = r#"INSERT INTO setting (key, value, updated_at) VALUES ('instance.name', '"Plans"', 1)"#;
        conn.execute(sql, []).unwrap();
    });
    assert_eq!(anyone.get("/api/auth/config").await.ok(), config("Plans", true));

    assert_eq!(anyone.get("/api/auth/me").await.ok(), json!({ "authenticated": false, "user": null }));
    let (ada, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    let user = json!({ "id": 1, "displayName": "ada", "isAdmin": true, "login": "ada", "avatarUrl": null,
                       "email": null, "emailConfirmed": false });
    for client in [ada, script] {
        assert_eq!(client.get("/api/auth/me").await.ok(), json!({ "authenticated": true, "user": user }));
    }
    server.with("nonsense").get("/api/auth/me").await.expect_error(401, "not a token");
}
