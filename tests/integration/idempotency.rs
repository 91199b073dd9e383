//! Idempotency keys.

use planroom::clock::{DAY, HOUR};
use serde_json::json;

use crate::support::{PASSWORD, TestServer};

#[tokio::test]
async fn a_creation_sent_twice_is_applied_once_even_after_a_restart() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let credential = ada.credential().to_owned();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let keyed = ada.header("idempotency-key", "once");
    let new = json!({ "typeId": "service", "name": "Checkout" });
    let first = keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    let again = keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    assert_eq!(first, again);
    let server = server.restart();
    let ada = server.with(&credential);
    let keyed = ada.header("idempotency-key", "once");
    assert_eq!(keyed.post("/api/workspaces/w/components", new.clone()).await.created(), first);
    assert_eq!(ada.get("/api/workspaces/w").await.ok()["components"].as_array().unwrap().len(), 1);
    server.clock.advance(DAY + HOUR);
    let anew = keyed.post("/api/workspaces/w/components", new).await.created();
    assert_eq!(anew["component"]["id"], "checkout-2", "after a day the key means nothing");
}

#[tokio::test]
async fn a_move_that_expects_a_revision_overwrites_no_newer_position_after_a_day() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let read = async || ada.get("/api/workspaces/w/components/a").await.ok()["component"].clone();
    let seen = read().await["revision"].clone();
    let position = json!({ "id": "a", "x": 5, "y": 6, "revision": seen });
    let moved = json!({ "operations": [{ "op": "move", "positions": [position] }] });
    let keyed = ada.header("idempotency-key", "once");
    keyed.post("/api/workspaces/w/operations", moved.clone()).await.ok();
    ada.patch("/api/workspaces/w/components/a", json!({ "x": 70, "y": 80 })).await.ok();
    keyed.post("/api/workspaces/w/operations", moved.clone()).await.ok();
    server.clock.advance(DAY + HOUR);
    let ada = server.sign_in("ada").await;
    let late = ada.header("idempotency-key", "once").post("/api/workspaces/w/operations", moved).await.expect(412);
    let conflict = &late["conflicts"][0];
    assert_eq!(
        (&conflict["why"], &conflict["id"], &conflict["current"]["x"]),
        (&json!("stale"), &json!("a"), &json!(70.0))
    );
    let now = ada.get("/api/workspaces/w/components/a").await.ok()["component"].clone();
    assert_eq!((&now["x"], &now["y"]), (&json!(70.0), &json!(80.0)));
}

#[tokio::test]
async fn a_key_identifies_one_request_of_one_user() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.script_client("ada").await, server.script_client("bob").await);
    let (ada, bob) = (ada.header("idempotency-key", "k"), bob.header("idempotency-key", "k"));
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.post("/api/workspaces", json!({ "id": "v", "name": "W" })).await.expect_error(409, "Idempotency-Key");
    ada.post("/api/workspaces/w/components", json!({ "id": "w", "name": "W", "typeId": "api" }))
        .await
        .expect_error(409, "Idempotency-Key");
    bob.post("/api/workspaces", json!({ "id": "b", "name": "B" })).await.created();
}

#[tokio::test]
async fn an_error_is_not_stored() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await.header("idempotency-key", "k");
    let new = json!({ "id": "c", "typeId": "service", "name": "C" });
    ada.post("/api/workspaces/w/components", new.clone()).await.expect_error(404, "workspace");
    server.script_client("ada").await.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.post("/api/workspaces/w/components", new).await.created();
}

#[tokio::test]
async fn a_new_token_is_repeated_but_never_stored_in_plain_text() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await.header("idempotency-key", "k");
    let first = ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    assert_eq!(ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created(), first);
    let token = first["token"].as_str().unwrap().to_owned();
    let answer: Vec<u8> = server.sql(|c| c.query_row("SELECT answer FROM idempotency", [], |row| row.get(0)).unwrap());
    assert!(!answer.windows(token.len()).any(|w| w == token.as_bytes()));
}

#[tokio::test]
async fn a_replay_still_requires_the_permission() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    server.grant("w", bob, "editor");
    let keyed = server.script_client("bob").await.header("idempotency-key", "k");
    let new = json!({ "id": "c", "typeId": "service", "name": "C" });
    keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    server.grant("w", bob, "viewer");
    keyed.post("/api/workspaces/w/components", new).await.expect_error(403, "editor");
}

#[tokio::test]
async fn a_key_used_in_one_organization_reveals_nothing_in_another() {
    let server = TestServer::new().await;
    server.seed_org("other", "otto");
    let (ada, otto) = (server.script_client("ada").await, server.script_client("otto").await);
    // Ada works in both organizations.
    server.join(ada.get("/api/me").await.ok()["id"].as_i64().unwrap(), "other", "org:member");
    let login = json!({ "login": "ada", "password": PASSWORD, "orgId": "org_other" });
    let session = server.anonymous().post("/api/auth/login", login).await.ok();
    let there = server.with(session["token"].as_str().unwrap()).header("idempotency-key", "k");
    let here = ada.header("idempotency-key", "k");
    let first = here.post("/api/workspaces", json!({ "name": "Shop" })).await.created();
    let second = there.post("/api/workspaces", json!({ "name": "Shop" })).await.created();
    assert_eq!(second["workspace"]["orgId"], "org_other");
    assert_ne!(first["workspace"]["id"], second["workspace"]["id"]);
    otto.get(&format!("/api/workspaces/{}", second["workspace"]["id"].as_str().unwrap())).await.ok();
}

#[tokio::test]
async fn a_repeated_restore_returns_the_first_response() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.delete("/api/workspaces/w").await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let keyed = ada.header("idempotency-key", "k");
    let first = keyed.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(keyed.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok(), first);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.expect_error(404, "workspace");
}
