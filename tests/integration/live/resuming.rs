//! Coming back: nothing is missed, or it is said that something was.

use serde_json::json;

use crate::support::Stage;

const A: &str = "/api/workspaces/w/components/a";

#[tokio::test]
async fn who_comes_back_is_told_what_they_missed_and_then_what_happens() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.hear().await;
    let last = follower.last;
    drop(follower);
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    ada.delete("/api/workspaces/w/components/b").await.ok();
    let mut follower = ada.resume("w", last).await;
    ada.patch(A, json!({ "name": "Three" })).await.ok();
    let mut heard = Vec::new();
    for _ in 0..4 {
        heard.push(follower.hear().await.what());
    }
    let b = ["delete relationship r", "delete component b"];
    assert_eq!(heard, ["update component a", b[0], b[1], "update component a"]);
}

#[tokio::test]
async fn a_restart_is_no_gap() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let credential = ada.credential().to_owned();
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.hear().await;
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    let last = follower.last;
    drop(follower);
    drop(ada);
    let stage = stage.restart();
    let ada = stage.with(&credential);
    assert_eq!(ada.resume("w", last).await.hear().await.data["row"]["name"], "Two");
}

#[tokio::test]
async fn a_stream_takes_over_where_a_bundle_was_read() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let tag = ada.tag("w").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    let query = format!("?since={}", tag.trim_matches('"'));
    let mut follower = ada.follow("w", &query).await;
    assert_eq!(follower.hear().await.data["row"]["name"], "One");
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    assert_eq!(follower.hear().await.data["row"]["name"], "Two");
    ada.get("/api/workspaces/w/events?since=yesterday").await.refused(400, "since: must be the entity tag of a bundle");
}

#[tokio::test]
async fn who_was_cut_off_before_anything_happened_misses_nothing() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    assert!(follower.next().await.unwrap().id.is_some(), "a position comes first");
    let last = follower.last;
    drop(follower);
    ada.patch(A, json!({ "name": "One" })).await.ok();
    assert_eq!(ada.resume("w", last).await.hear().await.data["row"]["name"], "One");
}

#[tokio::test]
async fn what_cannot_be_told_is_said_to_be_missing() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let tag = ada.tag("w").await.trim_matches('"').to_owned();
    let last = {
        let mut follower = ada.follow("w", "").await;
        follower.next().await.unwrap();
        follower.last
    };
    // An id that was never given out: another instance's, or one from before a backup was restored.
    assert_eq!(ada.resume("w", Some(1_000_000)).await.hear().await.what(), "reload");
    let component = |n: usize| json!({ "id": n.to_string(), "typeId": "service", "name": "N" });
    let components: Vec<_> = (0..1_200).map(component).collect();
    ada.put("/api/workspaces/w/bulk", json!({ "components": components, "relationships": [] })).await.ok();
    for mut follower in [ada.resume("w", last).await, ada.follow("w", &format!("?since={tag}")).await] {
        assert_eq!(follower.hear().await.what(), "reload");
        ada.patch("/api/workspaces/w/components/7", json!({ "x": 1, "y": follower.last })).await.ok();
        assert_eq!(follower.hear().await.what(), "update component 7");
    }
    // The tag of another workspace's bundle, and of one that had the same id.
    ada.delete("/api/workspaces/w").await.ok();
    ada.found("w").await;
    assert_eq!(ada.follow("w", &format!("?since={tag}")).await.hear().await.what(), "reload");
    ada.header("last-event-id", "x")
        .get("/api/workspaces/w/events")
        .await
        .refused(400, "last-event-id: must be the id");
}
