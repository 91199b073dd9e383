//! Events about requests, for owners and for the user who made the request.

use serde_json::{Value, json};

use super::{MEMBERS, REQUESTS, W, map, requested};
use crate::support::{Follower, TestServer};

/// The data of the next event, which must be about requests.
async fn told(follower: &mut Follower) -> Value {
    let event = follower.next_event().await;
    assert_eq!((event.kind.as_str(), event.id), ("accessRequests", None), "{event:?}");
    event.data
}

#[tokio::test]
async fn only_owners_and_the_requester_receive_the_event() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    server.seed_member("vic", "acme", "org:member");
    let ed = server.seed_member("ed", "acme", "org:member");
    server.grant("w", ed, "editor");
    let (vic, ed) = (server.sign_in("vic").await, server.sign_in("ed").await);
    let (mut of_ada, mut of_bob) = (ada.follow("w", "").await, bob.follow("w", "").await);
    let (mut of_vic, mut of_ed) = (vic.follow("w", "").await, ed.follow("w", "").await);

    let made = bob.post(REQUESTS, json!({ "message": "Secret" })).await.created()["accessRequest"].clone();
    assert_eq!(told(&mut of_ada).await, json!({ "accessRequests": 1 }));
    assert_eq!(told(&mut of_bob).await, json!({ "accessRequestedAt": made["requestedAt"] }));
    bob.post(REQUESTS, json!({})).await.ok();
    ada.delete(&format!("{REQUESTS}/{user}")).await.ok();
    assert_eq!(told(&mut of_ada).await, json!({ "accessRequests": 0 }));
    assert_eq!(told(&mut of_bob).await, json!({ "accessRequestedAt": null }));

    bob.post(REQUESTS, json!({})).await.created();
    ada.post(MEMBERS, json!({ "userId": user, "role": "editor" })).await.ok();
    for count in [1, 0] {
        assert_eq!(told(&mut of_ada).await, json!({ "accessRequests": count }));
    }
    assert!(told(&mut of_bob).await["accessRequestedAt"].is_i64());
    assert_eq!(told(&mut of_bob).await, json!({ "accessRequestedAt": null }));
    for follower in [&mut of_ada, &mut of_bob, &mut of_vic, &mut of_ed] {
        assert_eq!(follower.next_event().await.what(), format!("create member {user}"), "and nothing before");
    }
}

#[tokio::test]
async fn many_requests_that_end_together_are_one_event_for_owners() {
    let server = TestServer::new().await;
    let (ada, bob, _) = requested(&server).await;
    server.seed_access_requests("w", 150);
    let (mut of_ada, mut of_bob) = (ada.follow("w", "").await, bob.follow("w", "").await);
    ada.patch(W, json!({ "organizationAccess": "edit" })).await.ok();
    assert_eq!(told(&mut of_ada).await, json!({ "accessRequests": 0 }));
    assert_eq!(of_ada.next_event().await.what(), "update workspace w");
    assert_eq!(told(&mut of_bob).await, json!({ "accessRequestedAt": null }));
    assert_eq!(of_bob.next_event().await.what(), "update workspace w");
}

#[tokio::test]
async fn a_stream_begins_with_the_requests_that_its_reader_does_not_know() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    let (of_ada, of_bob) = (ada.etag("w").await, bob.etag("w").await);
    let since = |tag: &str| format!("?since={}", crate::support::segment(tag));
    let made = bob.post(REQUESTS, json!({})).await.created()["accessRequest"]["requestedAt"].clone();
    let mut follower = ada.follow("w", &since(&of_ada)).await;
    assert_eq!(told(&mut follower).await, json!({ "accessRequests": 1 }));
    let mut follower = bob.follow("w", &since(&of_bob)).await;
    assert_eq!(told(&mut follower).await, json!({ "accessRequestedAt": made }));
    // With the current tag, and without any, nothing is news.
    let (of_ada, of_bob) = (ada.etag("w").await, bob.etag("w").await);
    let mut followers = Vec::new();
    for (client, tag) in [(&ada, &of_ada), (&bob, &of_bob)] {
        followers.push(client.follow("w", &since(tag)).await);
        followers.push(client.follow("w", "").await);
    }
    ada.create_components("w", &["c"]).await;
    for follower in &mut followers {
        assert_eq!(follower.next_event().await.what(), "create component c");
    }
    // After an interruption, a reader cannot know.
    let last = followers[0].last;
    assert_eq!(told(&mut ada.resume("w", last).await).await, json!({ "accessRequests": 1 }));
    ada.delete(&format!("{REQUESTS}/{user}")).await.ok();
    let mut follower = ada.follow("w", &since(&of_ada)).await;
    assert_eq!(follower.next_event().await.what(), "create component c");
    assert_eq!(told(&mut follower).await, json!({ "accessRequests": 0 }));
    let mut follower = bob.follow("w", &since(&of_bob)).await;
    assert_eq!(follower.next_event().await.what(), "create component c");
    assert_eq!(told(&mut follower).await, json!({ "accessRequestedAt": null }));
}
