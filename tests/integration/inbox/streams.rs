//! The event stream of a user.

use planroom::clock::HOUR;
use serde_json::json;

use super::{ask, set_visibility};
use crate::support::TestServer;

#[tokio::test]
async fn a_stream_tells_the_number_of_unread_entries() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    ask(&ada, "@bob 1").await;
    let mut stream = bob.open_stream("/api/me/events").await;
    let first = stream.next_event().await;
    assert_eq!((first.kind.as_str(), first.data), ("inbox", json!({ "unread": 1 })));
    ask(&ada, "@bob 2").await;
    assert_eq!(stream.next_event().await.data, json!({ "unread": 2 }));
    // Another window of the same user.
    bob.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    assert_eq!(stream.next_event().await.data, json!({ "unread": 0 }));
    set_visibility(&ada, "private").await;
    ask(&ada, "@bob 3").await;
    assert_eq!(server.app.live().streams(), 1);
    drop(stream);
    assert_eq!(server.app.live().streams(), 0);
}

#[tokio::test]
async fn a_stream_ends_when_the_member_is_removed_or_the_token_expires() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let bob = server.sign_in("bob").await;
    let mut stream = bob.open_stream("/api/me/events").await;
    stream.next_event().await;
    ada.delete(&format!("/api/orgs/{org}/members/{bob_id}")).await.ok();
    stream.expect_end().await;
    let mut stream = ada.open_stream("/api/me/events").await;
    stream.next_event().await;
    server.clock.advance(2 * HOUR);
    let again = server.sign_in("ada").await;
    again.post("/api/me/inbox/read", json!({ "until": 1 })).await.ok();
    stream.expect_end().await;
}

#[tokio::test]
async fn a_stream_ends_when_the_server_stops_and_counts_toward_the_limit_of_streams() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut streams = Vec::new();
    for _ in 0..31 {
        streams.push(ada.open_stream("/api/me/events").await);
    }
    let workspace = ada.follow("w", "").await;
    assert_eq!(ada.get("/api/me/events").await.status, 429);
    drop(workspace);
    drop(streams.pop());
    assert_eq!(ada.get("/api/me/events").await.status, 200);
    server.app.live().close();
    for mut stream in streams {
        stream.next_event().await;
        stream.expect_end().await;
    }
    assert_eq!(ada.get("/api/me/events").await.status, 503);
}
