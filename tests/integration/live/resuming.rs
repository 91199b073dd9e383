//! Resuming a stream: nothing is missed without a reload.

use serde_json::json;

use crate::support::TestServer;

const A: &str = "/api/workspaces/w/components/a";

#[tokio::test]
async fn a_resumed_stream_sends_missed_events_and_continues() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.next_event().await;
    let last = follower.last;
    drop(follower);
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    ada.delete("/api/workspaces/w/components/b").await.ok();
    let mut follower = ada.resume("w", last).await;
    ada.patch(A, json!({ "name": "Three" })).await.ok();
    let mut heard = Vec::new();
    for _ in 0..4 {
        heard.push(follower.next_event().await.what());
    }
    let b = ["delete relationship r", "delete component b"];
    assert_eq!(heard, ["update component a", b[0], b[1], "update component a"]);
}

#[tokio::test]
async fn a_restart_causes_no_gap() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let credential = ada.credential().to_owned();
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.next_event().await;
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    let last = follower.last;
    drop(follower);
    drop(ada);
    let server = server.restart();
    let ada = server.with(&credential);
    assert_eq!(ada.resume("w", last).await.next_event().await.data["row"]["name"], "Two");
}

#[tokio::test]
async fn a_stream_continues_from_a_bundle() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let tag = ada.etag("w").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    let query = format!("?since={}", tag.trim_matches('"'));
    let mut follower = ada.follow("w", &query).await;
    assert_eq!(follower.next_event().await.data["row"]["name"], "One");
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    assert_eq!(follower.next_event().await.data["row"]["name"], "Two");
    ada.get("/api/workspaces/w/events?since=yesterday")
        .await
        .expect_error(400, "since: must be the entity tag of a bundle");
}

#[tokio::test]
async fn a_stream_interrupted_before_the_first_event_misses_nothing() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    assert!(follower.next().await.unwrap().id.is_some(), "a position comes first");
    let last = follower.last;
    drop(follower);
    ada.patch(A, json!({ "name": "One" })).await.ok();
    assert_eq!(ada.resume("w", last).await.next_event().await.data["row"]["name"], "One");
}

#[tokio::test]
async fn events_that_are_no_longer_available_require_a_reload() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let tag = ada.etag("w").await.trim_matches('"').to_owned();
    let last = {
        let mut follower = ada.follow("w", "").await;
        follower.next().await.unwrap();
        follower.last
    };
    // An ID that was never issued: of another instance, or from before a backup was restored.
    assert_eq!(ada.resume("w", Some(1_000_000)).await.next_event().await.what(), "reload");
    let component = |n: usize| json!({ "id": n.to_string(), "typeId": "service", "name": "N" });
    let components: Vec<_> = (0..1_200).map(component).collect();
    ada.put("/api/workspaces/w/bulk", json!({ "components": components, "relationships": [] })).await.ok();
    for mut follower in [ada.resume("w", last).await, ada.follow("w", &format!("?since={tag}")).await] {
        assert_eq!(follower.next_event().await.what(), "reload");
        ada.patch("/api/workspaces/w/components/7", json!({ "x": 1, "y": follower.last })).await.ok();
        assert_eq!(follower.next_event().await.what(), "update component 7");
    }
    // The tag of another workspace's bundle, and of a deleted workspace with the same ID.
    ada.delete("/api/workspaces/w").await.ok();
    ada.create_workspace("w").await;
    assert_eq!(ada.follow("w", &format!("?since={tag}")).await.next_event().await.what(), "reload");
    ada.header("last-event-id", "x")
        .get("/api/workspaces/w/events")
        .await
        .expect_error(400, "last-event-id: must be the id");
}
