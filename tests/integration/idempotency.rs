//! Creations that are sent again.

use planroom::clock::{DAY, HOUR};
use serde_json::json;

use crate::support::{PASSWORD, Stage};

#[tokio::test]
async fn the_same_creation_sent_twice_is_done_once_also_after_a_restart() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    let credential = ada.credential().to_owned();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let keyed = ada.header("idempotency-key", "once");
    let new = json!({ "typeId": "service", "name": "Checkout" });
    let first = keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    let again = keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    assert_eq!(first, again);
    let stage = stage.restart();
    let ada = stage.with(&credential);
    let keyed = ada.header("idempotency-key", "once");
    assert_eq!(keyed.post("/api/workspaces/w/components", new.clone()).await.created(), first);
    assert_eq!(ada.get("/api/workspaces/w").await.ok()["components"].as_array().unwrap().len(), 1);
    stage.clock.advance(DAY + HOUR);
    let anew = keyed.post("/api/workspaces/w/components", new).await.created();
    assert_eq!(anew["component"]["id"], "checkout-2", "after a day the key means nothing");
}

#[tokio::test]
async fn a_key_is_for_one_request_of_one_user() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (stage.script_of("ada").await, stage.script_of("bob").await);
    let (ada, bob) = (ada.header("idempotency-key", "k"), bob.header("idempotency-key", "k"));
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.post("/api/workspaces", json!({ "id": "v", "name": "W" })).await.refused(409, "Idempotency-Key");
    ada.post("/api/workspaces/w/components", json!({ "id": "w", "name": "W", "typeId": "api" }))
        .await
        .refused(409, "Idempotency-Key");
    bob.post("/api/workspaces", json!({ "id": "b", "name": "B" })).await.created();
}

#[tokio::test]
async fn a_refusal_is_not_kept() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await.header("idempotency-key", "k");
    let new = json!({ "id": "c", "typeId": "service", "name": "C" });
    ada.post("/api/workspaces/w/components", new.clone()).await.refused(404, "workspace");
    stage.script_of("ada").await.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.post("/api/workspaces/w/components", new).await.created();
}

#[tokio::test]
async fn a_minted_token_is_repeated_but_never_stored_in_the_clear() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await.header("idempotency-key", "k");
    let first = ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    assert_eq!(ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created(), first);
    let token = first["token"].as_str().unwrap().to_owned();
    let answer: Vec<u8> = stage.sql(|c| c.query_row("SELECT answer FROM idempotency", [], |row| row.get(0)).unwrap());
    assert!(!answer.windows(token.len()).any(|w| w == token.as_bytes()));
}

#[tokio::test]
async fn a_replay_needs_the_permission_still() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    stage.grant("w", bob, "editor");
    let keyed = stage.script_of("bob").await.header("idempotency-key", "k");
    let new = json!({ "id": "c", "typeId": "service", "name": "C" });
    keyed.post("/api/workspaces/w/components", new.clone()).await.created();
    stage.grant("w", bob, "viewer");
    keyed.post("/api/workspaces/w/components", new).await.refused(403, "editor");
}

#[tokio::test]
async fn a_key_used_in_one_organization_says_nothing_in_another() {
    let stage = Stage::new().await;
    stage.seed_org("other", "otto");
    let (ada, otto) = (stage.script_of("ada").await, stage.script_of("otto").await);
    // Ada works for both.
    stage.join(ada.get("/api/me").await.ok()["id"].as_i64().unwrap(), "other", "org:member");
    let login = json!({ "login": "ada", "password": PASSWORD, "orgId": "org_other" });
    let session = stage.anonymous().post("/api/auth/login", login).await.ok();
    let there = stage.with(session["token"].as_str().unwrap()).header("idempotency-key", "k");
    let here = ada.header("idempotency-key", "k");
    let first = here.post("/api/workspaces", json!({ "name": "Shop" })).await.created();
    let second = there.post("/api/workspaces", json!({ "name": "Shop" })).await.created();
    assert_eq!(second["workspace"]["orgId"], "org_other");
    assert_ne!(first["workspace"]["id"], second["workspace"]["id"]);
    otto.get(&format!("/api/workspaces/{}", second["workspace"]["id"].as_str().unwrap())).await.ok();
}

#[tokio::test]
async fn a_restoration_sent_again_is_answered_again() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.delete("/api/workspaces/w").await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let keyed = ada.header("idempotency-key", "k");
    let first = keyed.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(keyed.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok(), first);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.refused(404, "workspace");
}
