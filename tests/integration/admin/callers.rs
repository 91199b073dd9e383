//! Who administers: an instance administrator, however they come, and nobody else.

use axum::http::Method;
use serde_json::{Value, json};

use super::{id_of, iris};
use crate::support::{Actor, Reply, Stage};

/// One request for each route under `/api/admin` that an administrator's token may send, about things of `of` alone.
fn requests(stage: &Stage, of: &str) -> Vec<(Method, String, Option<Value>)> {
    let email = format!("{of}@waits.org");
    stage.sql(|conn| {
        conn.execute("INSERT INTO waitlist (email, created_at) VALUES (?, 1)", [&email]).unwrap();
        conn.execute("INSERT INTO waitlist (email, created_at) VALUES ('also-' || ?, 1)", [&email]).unwrap();
    });
    let entry = stage.count("SELECT max(id) FROM waitlist");
    let user = stage.seed_user(&format!("subject-of-{of}"));
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

async fn all(actor: &Actor<'_>, requests: Vec<(Method, String, Option<Value>)>) -> Vec<Reply> {
    let mut replies = Vec::new();
    for (method, path, body) in requests {
        replies.push(actor.send(method, &path, body).await);
    }
    replies
}

#[tokio::test]
async fn an_administrator_comes_by_session_by_token_and_by_a_token_of_no_organization() {
    let stage = Stage::new().await;
    let iris = iris(&stage).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    let legacy = stage.with(minted["token"].as_str().unwrap());
    let (session, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    for (actor, of) in [(&session, "session"), (&script, "script"), (&iris, "iris"), (&legacy, "legacy")] {
        for reply in all(actor, requests(&stage, of)).await {
            assert!(reply.status.is_success(), "{of}: {reply}");
        }
        actor.delete("/api/admin/tokens/99").await.refused(404, "token");
    }
    // What takes an organization takes a credential with one.
    stage.anonymous().post("/api/waitlist", json!({ "email": "eve@example.org" })).await.created();
    let entry = stage.count("SELECT max(id) FROM waitlist");
    let path = format!("/api/admin/waitlist/{entry}/invite");
    for (actor, may) in [(&session, true), (&script, true), (&iris, false), (&legacy, false)] {
        let reply = actor.post(&path, json!({})).await;
        assert_eq!(reply.status.as_u16(), if may { 201 } else { 400 }, "{reply}");
    }
}

#[tokio::test]
async fn whoever_stops_administering_is_refused_with_every_credential_and_nothing_is_done() {
    let stage = Stage::new().await;
    let iris = iris(&stage).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    let legacy = stage.with(minted["token"].as_str().unwrap());
    let (ada, path) = (stage.sign_in("ada").await, format!("/api/admin/users/{}", id_of(&stage, "iris")));
    for (decision, status, code) in [
        (json!({ "isAdmin": false }), 403, Value::Null),
        (json!({ "isAdmin": true, "isSuspended": true }), 403, json!("account_suspended")),
    ] {
        ada.patch(&path, decision.clone()).await.ok();
        let (first, second) = (requests(&stage, &format!("i{code}")), requests(&stage, &format!("l{code}")));
        let before = stage.written();
        for reply in [all(&iris, first).await, all(&legacy, second).await].concat() {
            assert_eq!(reply.expect(status)["code"], code, "{decision}: {reply}");
        }
        iris.post("/api/admin/tokens", json!({ "name": "more" })).await.expect(status);
        assert_eq!(stage.written(), before);
    }
    ada.patch(&path, json!({ "isSuspended": false })).await.ok();
    iris.get("/api/admin/users").await.ok();
    legacy.get("/api/admin/users").await.ok();
}

#[tokio::test]
async fn a_creation_that_is_sent_again_is_done_once() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await.header("idempotency-key", "k1");
    let eve = json!({ "login": "eve", "displayName": "Eve", "password": "password of eve" });
    let first = ada.post("/api/admin/users", eve.clone()).await.created();
    let before = stage.written();
    assert_eq!(ada.post("/api/admin/users", eve).await.created(), first);
    assert_eq!(stage.written(), before);
    let ada = stage.sign_in("ada").await.header("idempotency-key", "k2");
    let minted = ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created();
    assert_eq!(ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created(), minted);
}
