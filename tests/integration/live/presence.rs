//! Presence.

use serde_json::{Value, json};

use super::{colleague, id};
use crate::support::TestServer;

const PRESENCE: &str = "/api/workspaces/w/presence";

fn names(reply: &Value) -> Vec<&str> {
    reply["present"].as_array().unwrap().iter().map(|one| one["client"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn presence_is_visible_to_others_and_never_stored() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    let (tag, changes) = (ada.etag("w").await, server.changes());
    let here = json!({ "client": "tab-1", "view": "map", "pointer": { "x": 1.5, "y": -2.0 },
                       "selected": [{ "kind": "component", "id": "a" }] });
    let present = bob.post(PRESENCE, here).await.ok();
    assert_eq!(names(&present), ["tab-1"]);
    let event = follower.next_event().await;
    assert_eq!((event.kind.as_str(), event.id, &event.data), ("presence", None, &present["present"][0]));
    assert_eq!(event.data["user"], json!({ "id": id(&bob).await, "displayName": "bob" }));
    assert_eq!(event.data["selected"], json!([{ "kind": "component", "id": "a" }]));
    assert_eq!((ada.etag("w").await, server.changes()), (tag, changes));
    let nothing = json!({ "client": "tab-1", "view": null, "pointer": null, "selected": null });
    let present = bob.post(PRESENCE, nothing).await.ok();
    assert_eq!(present["present"][0]["selected"], json!([]), "null is as if it were not there");
    // Later readers see everyone who is present.
    assert_eq!(bob.follow("w", "").await.next_event().await.data["client"], "tab-1");
}

#[tokio::test]
async fn presence_expires_after_half_a_minute() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let live = server.app.live();
    let mut follower = ada.follow("w", "").await;
    ada.post(PRESENCE, json!({ "client": "one" })).await.ok();
    server.clock.advance(29_000);
    live.remove_inactive_clients(server.clock.now());
    ada.post(PRESENCE, json!({ "client": "two" })).await.ok();
    server.clock.advance(1_000);
    live.remove_inactive_clients(server.clock.now());
    let [one, two, gone] = [follower.next_event().await, follower.next_event().await, follower.next_event().await];
    assert_eq!([one.kind, two.kind, gone.kind], ["presence", "presence", "gone"]);
    assert_eq!(gone.data, json!({ "userId": id(&ada).await, "client": "one" }));
    assert_eq!(names(&ada.post(PRESENCE, json!({ "client": "two" })).await.ok()), ["two"]);
}

#[tokio::test]
async fn closing_the_stream_ends_presence() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    let stream = bob.follow("w", "?client=tab-1").await;
    bob.post(PRESENCE, json!({ "client": "tab-1" })).await.ok();
    assert_eq!(follower.next_event().await.kind, "presence");
    drop(stream);
    assert_eq!(follower.next_event().await.data, json!({ "userId": id(&bob).await, "client": "tab-1" }));
}

#[tokio::test]
async fn invalid_presence_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let many: Vec<_> = (0..101).map(|n| json!({ "kind": "component", "id": n.to_string() })).collect();
    for (body, text) in [
        (json!({}), "client: is required"),
        (json!({ "client": "" }), "client: "),
        (json!({ "client": "a", "pointer": { "x": 1 } }), "pointer.y: is required"),
        (json!({ "client": "a", "pointer": { "x": 1e300, "y": 0 } }), "pointer.x: must be within"),
        (json!({ "client": "a", "selected": many }), "selected: must have at most 100 items"),
        (json!({ "client": "a", "mood": "good" }), "mood: this resource has no such field"),
    ] {
        ada.post(PRESENCE, body).await.expect_error(400, text);
    }
    ada.get(&format!("/api/workspaces/w/events?client={}", "x".repeat(200))).await.expect_error(400, "client: ");
}

#[tokio::test]
async fn the_response_contains_only_the_callers_entry() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "viewer").await;
    ada.post(PRESENCE, json!({ "client": "of-ada" })).await.ok();
    assert_eq!(names(&bob.post(PRESENCE, json!({ "client": "of-bob" })).await.ok()), ["of-bob"]);
    let mut follower = ada.follow("w", "").await;
    let here = [follower.next_event().await, follower.next_event().await].map(|event| event.data["client"].clone());
    assert_eq!(here, [json!("of-ada"), json!("of-bob")], "the event stream begins with everybody");
}

#[tokio::test]
async fn a_user_has_at_most_ten_clients_in_a_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    ada.post(PRESENCE, json!({ "client": "of-ada" })).await.ok();
    for n in 0..11 {
        bob.post(PRESENCE, json!({ "client": format!("tab-{n}") })).await.ok();
        server.clock.advance(1);
    }
    let mut heard = Vec::new();
    while heard.len() < 13 {
        heard.push(follower.next_event().await);
    }
    let gone: Vec<_> =
        heard.iter().filter(|event| event.kind == "gone").map(|event| event.data["client"].clone()).collect();
    assert_eq!(gone, [json!("tab-0")], "the one that was silent longest, of the same user");
}

#[tokio::test]
async fn a_selection_is_truncated_to_four_kibibytes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let selected: Vec<_> =
        (0..100).map(|n| json!({ "kind": "component", "id": format!("{n:03}-{}", "x".repeat(100)) })).collect();
    let reply = ada.post(PRESENCE, json!({ "client": "one", "selected": selected.clone() })).await.ok();
    let told = follower.next_event().await.data;
    assert_eq!(told, reply["present"][0]);
    let kept = told["selected"].as_array().unwrap();
    assert!(kept.len() > 10 && kept[..] == selected[..kept.len()], "{}", kept.len());
    assert!(told.to_string().len() <= 4 << 10, "{}", told.to_string().len());
    let few = &selected[..5];
    let reply = ada.post(PRESENCE, json!({ "client": "one", "selected": few })).await.ok();
    assert_eq!(reply["present"][0]["selected"], json!(few));
}
