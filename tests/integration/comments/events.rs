//! Followers of a workspace learn of comments.

use axum::http::Method;
use serde_json::json;

use super::{ask, path};
use crate::support::TestServer;

#[tokio::test]
async fn followers_are_told_which_thread_was_written() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let thread = ask(&ada, "Why?").await;
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "Because." })).await.created();
    ada.send(Method::POST, &format!("{}/resolve", path(&thread)), None).await.ok();
    ada.patch("/api/workspaces/w/comments", json!({ "commenters": "editors" })).await.ok();
    ada.delete(&path(&thread)).await.ok();
    for (op, id) in [
        ("create", thread["id"].clone()),
        ("update", thread["id"].clone()),
        ("update", thread["id"].clone()),
        ("settings", json!(null)),
        ("delete", thread["id"].clone()),
    ] {
        let event = follower.next_event().await;
        assert_eq!((event.kind.as_str(), event.data), ("comments", json!({ "op": op, "threadId": id })));
    }
}
