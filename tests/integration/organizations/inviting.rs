//! Invitations: created by admins, valid once and for a week.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{acme, org_path};
use crate::support::{PASSWORD, TestServer};

#[tokio::test]
async fn the_link_is_shown_once_and_stored_as_a_hash() {
    let (server, ..) = acme().await;
    let ada = server.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({ "email": "dee@example.org", "role": "org:admin" })).await.created();
    let token = made["token"].as_str().unwrap();
    assert_eq!(made["url"], format!("http://planroom.test/join#{token}"));
    let list = ada.get(&invitations).await;
    assert_eq!(list.ok()["invitations"], json!([made["invitation"]]));
    assert!(!String::from_utf8_lossy(&list.bytes).contains(token));
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(server.dir.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the secret is in {file}");
    }
}

#[tokio::test]
async fn the_link_shows_its_organization_until_revoked_or_expired() {
    let (server, ..) = acme().await;
    let ada = server.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", made["token"].as_str().unwrap());
    let seen = server.anonymous().get(&path).await.ok();
    assert_eq!((&seen["organization"], &seen["role"]), (&json!("acme"), &json!("org:member")));
    server.anonymous().get("/api/auth/invitations/made-up").await.expect_error(404, "invitation");
    let id = &made["invitation"]["id"];
    ada.delete(&format!("{invitations}/{id}")).await.ok();
    server.anonymous().get(&path).await.expect_error(404, "invitation");
    ada.delete(&format!("{invitations}/{id}")).await.expect_error(404, "invitation");

    let old = ada.post(&invitations, json!({})).await.created();
    server.clock.advance(7 * DAY);
    let ada = server.sign_in("ada").await;
    let path = format!("/api/auth/invitations/{}", old["token"].as_str().unwrap());
    server.anonymous().get(&path).await.expect_error(404, "invitation");
    assert_eq!(ada.get(&invitations).await.ok()["invitations"], json!([]));
}

#[tokio::test]
async fn an_invalid_invitation_is_rejected() {
    let (server, ..) = acme().await;
    let ada = server.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    for (body, text) in [
        (json!({ "email": "dee" }), "email: must be an email address"),
        (json!({ "email": "dee@a@b" }), "email: must be an email address"),
        (json!({ "email": format!("{}@b", "x".repeat(254)) }), "email: must have 3 to 254"),
        (json!({ "role": "owner" }), "role: "),
        (json!({ "name": "Dee" }), "name: this resource has no such field"),
    ] {
        ada.post(&invitations, body).await.expect_error(400, text);
    }
    assert_eq!(server.count("SELECT count(*) FROM invitation"), 0);
}

/// A new invitation of ada's: its secret, and the path to accept it.
async fn invited(server: &TestServer, role: &str) -> String {
    let ada = server.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({ "role": role, "email": "dee@example.org" })).await.created();
    format!("/api/auth/invitations/{}", made["token"].as_str().unwrap())
}

fn dee() -> Value {
    json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD })
}

#[tokio::test]
async fn a_new_user_joins_with_a_password_and_is_signed_in() {
    let (server, ..) = acme().await;
    let path = invited(&server, "org:admin").await;
    let reply = server.anonymous().post(&path, dee()).await;
    let joined = reply.ok();
    assert!(reply.header("set-cookie").contains("planroom_refresh="));
    assert_eq!((&joined["session"]["orgSlug"], &joined["session"]["orgRole"]), (&json!("acme"), &json!("org:admin")));
    server.with(joined["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    server.sign_in("dee").await.get("/api/me").await.ok();
    // A second time has no effect.
    let again = json!({ "login": "eve", "displayName": "Eve", "password": PASSWORD });
    server.anonymous().post(&path, again).await.expect_error(404, "invitation");
    server.anonymous().get(&path).await.expect_error(404, "invitation");
    let ada = server.sign_in("ada").await;
    let list = ada.get(&format!("{}/invitations", org_path(&ada).await)).await.ok();
    assert_eq!(list["invitations"][0]["acceptedBy"], joined["user"]["id"]);
}

#[tokio::test]
async fn a_signed_in_user_joins_and_continues_in_the_organization() {
    let (server, bob, _) = acme().await;
    server.seed_org("other", "otto");
    let path = invited(&server, "org:member").await;
    let otto = server.sign_in("otto").await;
    otto.post(&path, dee()).await.expect_error(400, "you are signed in");
    let joined = otto.post(&path, json!({})).await.ok();
    assert_eq!(joined["session"]["orgSlug"], "acme");
    server.with(joined["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    assert_eq!(otto.get("/api/orgs").await.ok()["organizations"].as_array().unwrap().len(), 2);
    // A member of acme does not consume an invitation.
    let path = invited(&server, "org:admin").await;
    server
        .sign_in("bob")
        .await
        .post(&path, json!({}))
        .await
        .expect_error(409, "you are already a member of this organization");
    server.anonymous().get(&path).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE role = 'org:admin'"), 1, "{bob}");
    // Scripts cannot join.
    server.script_client("otto").await.post(&path, json!({})).await.expect_error(403, "needs a session");
}

#[tokio::test]
async fn the_account_of_a_new_user_is_validated_before_anything_is_written() {
    let (server, ..) = acme().await;
    let path = invited(&server, "org:member").await;
    let users = server.count("SELECT count(*) FROM user");
    let but = |field: &str, value: Value| {
        let mut body = dee();
        body[field] = value;
        body
    };
    for (body, status, text) in [
        (json!({}), 400, "login: is required, unless you are signed in already"),
        (but("login", json!("d e e")), 400, "login: must not contain white space"),
        (but("login", json!("ADA")), 409, "a user with the login `ADA` exists already"),
        (but("displayName", Value::Null), 400, "displayName: is required"),
        (but("password", json!("short")), 400, "password: must have 8 to 128 characters"),
        (but("password", json!("password1")), 400, "password: "),
        (but("role", json!("org:admin")), 400, "role: this resource has no such field"),
    ] {
        server.anonymous().post(&path, body).await.expect_error(status, text);
        server.clock.advance(MINUTE);
    }
    assert_eq!(server.count("SELECT count(*) FROM user"), users);
    server.anonymous().post("/api/auth/invitations/made-up", dee()).await.expect_error(404, "invitation");
    server.anonymous().post(&path, dee()).await.ok();
}

#[tokio::test]
async fn of_two_users_who_accept_one_invitation_one_joins() {
    let (server, ..) = acme().await;
    for round in 0..5 {
        let path = invited(&server, "org:member").await;
        let named =
            |name: &str| json!({ "login": format!("{name}-{round}"), "displayName": name, "password": PASSWORD });
        let anyone = server.anonymous();
        let (one, two) = tokio::join!(anyone.post(&path, named("dee")), anyone.post(&path, named("eve")));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404], "{one} {two}");
    }
}

#[tokio::test]
async fn guessing_links_is_rate_limited() {
    let (server, ..) = acme().await;
    let guess = || async { server.anonymous().get("/api/auth/invitations/guess").await.status.as_u16() };
    let mut answers = Vec::new();
    for _ in 0..100 {
        answers.push(guess().await);
    }
    assert_eq!(answers.last(), Some(&429));
    server.clock.advance(MINUTE);
    assert_eq!(guess().await, 404);
}
