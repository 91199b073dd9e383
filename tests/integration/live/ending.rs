//! A stream ends at once when its reader may no longer read.

use std::time::Duration;

use serde_json::json;

use super::{colleague, id};
use crate::support::{Actor, Stage};

/// A stage on which bob, a viewer of `w`, loses the right to follow it by what ada does; `w` is seen by its members only.
async fn ends_by(loss: impl AsyncFnOnce(&Stage, &Actor<'_>, &Actor<'_>)) {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    let bob = colleague(&stage, "bob", "viewer").await;
    let mut follower = bob.follow("w", "").await;
    let mut other = ada.follow("w", "").await;
    loss(&stage, &ada, &bob).await;
    follower.ended().await;
    let again = bob.get("/api/workspaces/w/events").await;
    assert!(matches!(again.status.as_u16(), 401 | 403 | 404), "{again}");
    // Others go on.
    ada.draw("w", &["after"]).await;
    while other.hear().await.what() != "create component after" {}
}

#[tokio::test]
async fn by_suspension() {
    ends_by(async |_, ada, bob| {
        let path = format!("/api/admin/users/{}", id(bob).await);
        ada.patch(&path, json!({ "isSuspended": true })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn by_the_end_of_the_session() {
    ends_by(async |_, _, bob| {
        bob.post("/api/auth/logout", json!({})).await.ok();
    })
    .await;
}

#[tokio::test]
async fn by_removal_from_the_workspace() {
    ends_by(async |_, ada, bob| {
        ada.delete(&format!("/api/workspaces/w/members/{}", id(bob).await)).await.ok();
    })
    .await;
}

#[tokio::test]
async fn by_removal_from_the_organization() {
    ends_by(async |_, ada, bob| {
        let acme = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
        ada.delete(&format!("/api/orgs/{acme}/members/{}", id(bob).await)).await.ok();
    })
    .await;
}

#[tokio::test]
async fn by_the_expiry_of_the_credential() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    stage.clock.advance(3_600_000);
    // Whatever moves permissions makes everybody look; without it, the next heartbeat does.
    let script = stage.script_of("ada").await;
    let tokens = script.get("/api/me/tokens").await.ok()["tokens"].as_array().unwrap().clone();
    script.delete(&format!("/api/me/tokens/{}", tokens[0]["id"])).await.ok();
    follower.ended().await;
}

#[tokio::test]
async fn by_the_expiry_of_the_credential_when_something_happens() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let script = stage.script_of("ada").await;
    let mut follower = ada.follow("w", "").await;
    stage.clock.advance(3_600_000);
    script.patch("/api/workspaces/w/components/a", json!({ "name": "Anew" })).await.ok();
    follower.ended().await;
}

#[tokio::test]
async fn also_in_the_middle_of_what_was_missed() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = colleague(&stage, "bob", "viewer").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    let last = {
        let mut follower = bob.follow("w", "").await;
        follower.next().await.unwrap();
        follower.last
    };
    ada.draw("w", &["c", "d", "e"]).await;
    let mut follower = bob.resume("w", last).await;
    assert_eq!(follower.hear().await.what(), "create component c");
    ada.delete(&format!("/api/workspaces/w/members/{}", id(&bob).await)).await.ok();
    follower.ended().await;
}

#[tokio::test]
async fn by_revocation_of_the_token() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let script = stage.script_of("ada").await;
    let mut follower = script.follow("w", "").await;
    let tokens = ada.get("/api/me/tokens").await.ok()["tokens"].as_array().unwrap().clone();
    ada.delete(&format!("/api/me/tokens/{}", tokens[0]["id"])).await.ok();
    follower.ended().await;
}

#[tokio::test]
async fn by_a_visibility_that_leaves_the_reader_out() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = {
        stage.seed_member("bob", "acme", "org:member");
        stage.sign_in("bob").await
    };
    let mut follower = bob.follow("w", "").await;
    let mut owner = ada.follow("w", "").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    follower.ended().await;
    assert_eq!(owner.hear().await.what(), "update workspace w");
}

#[tokio::test]
async fn by_deletion_of_the_workspace() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.found("w").await;
    follower.ended().await;
}

#[tokio::test]
async fn by_the_stop_of_the_server() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    stage.app.live().close();
    follower.ended().await;
    ada.get("/api/workspaces/w/events").await.refused(503, "busy");
}

#[tokio::test]
async fn a_quiet_stream_says_that_it_lives_and_ends_when_the_credential_has_run_out() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    assert!(follower.next().await.unwrap().id.is_some(), "its position");
    let quarter_minute = async || {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(15)).await;
        tokio::time::resume();
    };
    for _ in 0..2 {
        quarter_minute().await;
        let comment = follower.next().await.unwrap();
        assert_eq!((comment.kind.as_str(), comment.id), ("", None));
    }
    stage.clock.advance(3_600_000);
    quarter_minute().await;
    assert_eq!(follower.next().await, None);
}
