//! Credentials of instance administrators.

use axum::http::Method;
use serde_json::{Value, json};

use super::{admin_without_organization, id_of};
use crate::support::{TestClient, TestResponse, TestServer};

/// One request per route under `/api/admin` that a token may send, about resources of `of` only.
fn requests(server: &TestServer, of: &str) -> Vec<(Method, String, Option<Value>)> {
    let email = format!("{of}@waits.org");
    server.sql(|conn| {
        conn.execute("INSERT INTO waitlist (email, created_at) VALUES (?, 1)", [&email]).unwrap();
        conn.execute("INSERT INTO waitlist (email, created_at) VALUES ('also-' || ?, 1)", [&email]).unwrap();
    });
    let entry = server.count("SELECT max(id) FROM waitlist");
    let user = server.seed_user(&format!("subject-of-{of}"));
    vec![
        (Method::GET, "/api/admin/users".into(), None),
        (Method::POST, "/api/admin/users".into(), Some(json!({ "login": format!("new-{of}"), "displayName": "New" }))),
        (Method::PATCH, format!("/api/admin/users/{user}"), Some(json!({ "isSuspended": true }))),
        (Method::GET, "/api/admin/tokens".into(), None),
        (Method::GET, "/api/admin/audit".into(), None),
        (Method::GET, "/api/admin/settings".into(), None),
        (Method::PATCH, "/api/admin/settings".into(), Some(json!({ "instance.name": format!("Of {of}") }))),
        (Method::GET, "/api/admin/waitlist".into(), None),
        (Method::DELETE, format!("/api/admin/waitlist/{}", entry - 1), None),
        (Method::DELETE, format!("/api/admin/waitlist/{entry}"), None),
    ]
}

async fn all(client: &TestClient<'_>, requests: Vec<(Method, String, Option<Value>)>) -> Vec<TestResponse> {
    let mut replies = Vec::new();
    for (method, path, body) in requests {
        replies.push(client.send(method, &path, body).await);
    }
    replies
}

#[tokio::test]
async fn an_administrator_can_use_a_session_a_token_and_a_token_without_organization() {
    let server = TestServer::new().await;
    let iris = admin_without_organization(&server).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    let legacy = server.with(minted["token"].as_str().unwrap());
    let (session, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    for (client, of) in [(&session, "session"), (&script, "script"), (&iris, "iris"), (&legacy, "legacy")] {
        for reply in all(client, requests(&server, of)).await {
            assert!(reply.status.is_success(), "{of}: {reply}");
        }
        client.delete("/api/admin/tokens/99").await.expect_error(404, "token");
    }
    // A request that needs an organization needs a credential with one.
    server.anonymous().post("/api/waitlist", json!({ "email": "eve@example.org" })).await.created();
    let entry = server.count("SELECT max(id) FROM waitlist");
    let path = format!("/api/admin/waitlist/{entry}/invite");
    for (client, may) in [(&session, true), (&script, true), (&iris, false), (&legacy, false)] {
        let reply = client.post(&path, json!({})).await;
        assert_eq!(reply.status.as_u16(), if may { 201 } else { 400 }, "{reply}");
    }
}

#[tokio::test]
async fn a_former_administrator_is_rejected_with_every_credential_and_changes_nothing() {
    let server = TestServer::new().await;
    let iris = admin_without_organization(&server).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    let legacy = server.with(minted["token"].as_str().unwrap());
    let (ada, path) = (server.sign_in("ada").await, format!("/api/admin/users/{}", id_of(&server, "iris")));
    for (decision, status, code) in [
        (json!({ "isAdmin": false }), 403, Value::Null),
        (json!({ "isAdmin": true, "isSuspended": true }), 403, json!("account_suspended")),
    ] {
        ada.patch(&path, decision.clone()).await.ok();
        let (first, second) = (requests(&server, &format!("i{code}")), requests(&server, &format!("l{code}")));
        let before = server.log_sizes();
        for reply in [all(&iris, first).await, all(&legacy, second).await].concat() {
            assert_eq!(reply.expect(status)["code"], code, "{decision}: {reply}");
        }
        iris.post("/api/admin/tokens", json!({ "name": "more" })).await.expect(status);
        assert_eq!(server.log_sizes(), before);
    }
    ada.patch(&path, json!({ "isSuspended": false })).await.ok();
    iris.get("/api/admin/users").await.ok();
    legacy.get("/api/admin/users").await.ok();
}

#[tokio::test]
async fn a_repeated_creation_is_applied_once() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await.header("idempotency-key", "k1");
    let eve = json!({ "login": "eve", "displayName": "Eve", "password": "password of eve" });
    let first = ada.post("/api/admin/users", eve.clone()).await.created();
    let before = server.log_sizes();
    assert_eq!(ada.post("/api/admin/users", eve).await.created(), first);
    assert_eq!(server.log_sizes(), before);
    let ada = server.sign_in("ada").await.header("idempotency-key", "k2");
    let minted = ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created();
    assert_eq!(ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created(), minted);
}
