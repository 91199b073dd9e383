//! A stream ends as soon as its reader loses the permission.

use std::time::Duration;

use serde_json::json;

use super::{colleague, id};
use crate::support::{TestClient, TestServer};

/// A server on which ada removes the permission of bob, a viewer of `w`, to follow it; `w` is visible to its members.
async fn ends_by(loss: impl AsyncFnOnce(&TestServer, &TestClient<'_>, &TestClient<'_>)) {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    let bob = colleague(&server, "bob", "viewer").await;
    let mut follower = bob.follow("w", "").await;
    let mut other = ada.follow("w", "").await;
    loss(&server, &ada, &bob).await;
    follower.expect_end().await;
    let again = bob.get("/api/workspaces/w/events").await;
    assert!(matches!(again.status.as_u16(), 401 | 403 | 404), "{again}");
    // Other streams continue.
    ada.create_components("w", &["after"]).await;
    while other.next_event().await.what() != "create component after" {}
}

#[tokio::test]
async fn a_suspension_ends_the_stream() {
    ends_by(async |_, ada, bob| {
        let path = format!("/api/admin/users/{}", id(bob).await);
        ada.patch(&path, json!({ "isSuspended": true })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn the_end_of_the_session_ends_the_stream() {
    ends_by(async |_, _, bob| {
        bob.post("/api/auth/logout", json!({})).await.ok();
    })
    .await;
}

#[tokio::test]
async fn removal_from_the_workspace_ends_the_stream() {
    ends_by(async |_, ada, bob| {
        ada.delete(&format!("/api/workspaces/w/members/{}", id(bob).await)).await.ok();
    })
    .await;
}

#[tokio::test]
async fn removal_from_the_organization_ends_the_stream() {
    ends_by(async |_, ada, bob| {
        let acme = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
        ada.delete(&format!("/api/orgs/{acme}/members/{}", id(bob).await)).await.ok();
    })
    .await;
}

#[tokio::test]
async fn expiry_of_the_credential_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    server.clock.advance(3_600_000);
    // Changes of permissions trigger a check; otherwise the next heartbeat does.
    let script = server.script_client("ada").await;
    let tokens = script.get("/api/me/tokens").await.ok()["tokens"].as_array().unwrap().clone();
    script.delete(&format!("/api/me/tokens/{}", tokens[0]["id"])).await.ok();
    follower.expect_end().await;
}

#[tokio::test]
async fn an_event_after_the_expiry_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let script = server.script_client("ada").await;
    let mut follower = ada.follow("w", "").await;
    server.clock.advance(3_600_000);
    script.patch("/api/workspaces/w/components/a", json!({ "name": "Anew" })).await.ok();
    follower.expect_end().await;
}

#[tokio::test]
async fn a_replay_of_missed_events_ends_with_the_permission() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "viewer").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    let last = {
        let mut follower = bob.follow("w", "").await;
        follower.next().await.unwrap();
        follower.last
    };
    ada.create_components("w", &["c", "d", "e"]).await;
    let mut follower = bob.resume("w", last).await;
    assert_eq!(follower.next_event().await.what(), "create component c");
    ada.delete(&format!("/api/workspaces/w/members/{}", id(&bob).await)).await.ok();
    follower.expect_end().await;
}

#[tokio::test]
async fn revocation_of_the_token_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let script = server.script_client("ada").await;
    let mut follower = script.follow("w", "").await;
    let tokens = ada.get("/api/me/tokens").await.ok()["tokens"].as_array().unwrap().clone();
    ada.delete(&format!("/api/me/tokens/{}", tokens[0]["id"])).await.ok();
    follower.expect_end().await;
}

#[tokio::test]
async fn a_more_restrictive_visibility_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = {
        server.seed_member("bob", "acme", "org:member");
        server.sign_in("bob").await
    };
    let mut follower = bob.follow("w", "").await;
    let mut owner = ada.follow("w", "").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    follower.expect_end().await;
    assert_eq!(owner.next_event().await.what(), "update workspace w");
}

#[tokio::test]
async fn deletion_of_the_workspace_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.create_workspace("w").await;
    follower.expect_end().await;
}

#[tokio::test]
async fn a_server_shutdown_ends_the_stream() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    server.app.live().close();
    follower.expect_end().await;
    ada.get("/api/workspaces/w/events").await.expect_error(503, "busy");
}

#[tokio::test]
async fn an_idle_stream_sends_heartbeats_and_ends_when_the_credential_expires() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
    server.clock.advance(3_600_000);
    quarter_minute().await;
    assert_eq!(follower.next().await, None);
}
