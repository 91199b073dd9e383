//! Who is here.

use serde_json::{Value, json};

use super::{colleague, id};
use crate::support::Stage;

const PRESENCE: &str = "/api/workspaces/w/presence";

fn names(reply: &Value) -> Vec<&str> {
    reply["present"].as_array().unwrap().iter().map(|one| one["client"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn others_see_where_one_is_and_nothing_of_it_is_kept() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = colleague(&stage, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    let (tag, changes) = (ada.tag("w").await, stage.changes());
    let here = json!({ "client": "tab-1", "view": "map", "pointer": { "x": 1.5, "y": -2.0 },
                       "selected": [{ "kind": "component", "id": "a" }] });
    let present = bob.post(PRESENCE, here).await.ok();
    assert_eq!(names(&present), ["tab-1"]);
    let event = follower.hear().await;
    assert_eq!((event.kind.as_str(), event.id, &event.data), ("presence", None, &present["present"][0]));
    assert_eq!(event.data["user"], json!({ "id": id(&bob).await, "displayName": "bob" }));
    assert_eq!(event.data["selected"], json!([{ "kind": "component", "id": "a" }]));
    assert_eq!((ada.tag("w").await, stage.changes()), (tag, changes));
    let nothing = json!({ "client": "tab-1", "view": null, "pointer": null, "selected": null });
    let present = bob.post(PRESENCE, nothing).await.ok();
    assert_eq!(present["present"][0]["selected"], json!([]), "null is as if it were not there");
    // Who comes later sees who is here.
    assert_eq!(bob.follow("w", "").await.hear().await.data["client"], "tab-1");
}

#[tokio::test]
async fn who_is_silent_for_half_a_minute_is_gone() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let live = stage.app.live();
    let mut follower = ada.follow("w", "").await;
    ada.post(PRESENCE, json!({ "client": "one" })).await.ok();
    stage.clock.advance(29_000);
    live.miss_the_silent(stage.clock.now());
    ada.post(PRESENCE, json!({ "client": "two" })).await.ok();
    stage.clock.advance(1_000);
    live.miss_the_silent(stage.clock.now());
    let [one, two, gone] = [follower.hear().await, follower.hear().await, follower.hear().await];
    assert_eq!([one.kind, two.kind, gone.kind], ["presence", "presence", "gone"]);
    assert_eq!(gone.data, json!({ "userId": id(&ada).await, "client": "one" }));
    assert_eq!(names(&ada.post(PRESENCE, json!({ "client": "two" })).await.ok()), ["two"]);
}

#[tokio::test]
async fn who_closes_their_stream_is_gone() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = colleague(&stage, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    let stream = bob.follow("w", "?client=tab-1").await;
    bob.post(PRESENCE, json!({ "client": "tab-1" })).await.ok();
    assert_eq!(follower.hear().await.kind, "presence");
    drop(stream);
    assert_eq!(follower.hear().await.data, json!({ "userId": id(&bob).await, "client": "tab-1" }));
}

#[tokio::test]
async fn what_is_said_is_checked() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let many: Vec<_> = (0..101).map(|n| json!({ "kind": "component", "id": n.to_string() })).collect();
    for (body, text) in [
        (json!({}), "client: is required"),
        (json!({ "client": "" }), "client: "),
        (json!({ "client": "a", "pointer": { "x": 1 } }), "pointer.y: is required"),
        (json!({ "client": "a", "pointer": { "x": 1e300, "y": 0 } }), "pointer.x: must be within"),
        (json!({ "client": "a", "selected": many }), "selected: must have at most 100 items"),
        (json!({ "client": "a", "mood": "good" }), "mood: this resource has no such field"),
    ] {
        ada.post(PRESENCE, body).await.refused(400, text);
    }
    ada.get(&format!("/api/workspaces/w/events?client={}", "x".repeat(200))).await.refused(400, "client: ");
}

#[tokio::test]
async fn an_answer_has_the_callers_own_entry_alone() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = colleague(&stage, "bob", "viewer").await;
    ada.post(PRESENCE, json!({ "client": "of-ada" })).await.ok();
    assert_eq!(names(&bob.post(PRESENCE, json!({ "client": "of-bob" })).await.ok()), ["of-bob"]);
    let mut follower = ada.follow("w", "").await;
    let here = [follower.hear().await, follower.hear().await].map(|event| event.data["client"].clone());
    assert_eq!(here, [json!("of-ada"), json!("of-bob")], "the event stream begins with everybody");
}

#[tokio::test]
async fn a_user_has_at_most_ten_clients_in_a_workspace() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bob = colleague(&stage, "bob", "viewer").await;
    let mut follower = ada.follow("w", "").await;
    ada.post(PRESENCE, json!({ "client": "of-ada" })).await.ok();
    for n in 0..11 {
        bob.post(PRESENCE, json!({ "client": format!("tab-{n}") })).await.ok();
        stage.clock.advance(1);
    }
    let mut heard = Vec::new();
    while heard.len() < 13 {
        heard.push(follower.hear().await);
    }
    let gone: Vec<_> =
        heard.iter().filter(|event| event.kind == "gone").map(|event| event.data["client"].clone()).collect();
    assert_eq!(gone, [json!("tab-0")], "the one that was silent longest, of the same user");
}

#[tokio::test]
async fn others_are_told_as_much_of_a_selection_as_fits_into_four_kibibytes() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let mut follower = ada.follow("w", "").await;
    let selected: Vec<_> =
        (0..100).map(|n| json!({ "kind": "component", "id": format!("{n:03}-{}", "x".repeat(100)) })).collect();
    let reply = ada.post(PRESENCE, json!({ "client": "one", "selected": selected.clone() })).await.ok();
    let told = follower.hear().await.data;
    assert_eq!(told, reply["present"][0]);
    let kept = told["selected"].as_array().unwrap();
    assert!(kept.len() > 10 && kept[..] == selected[..kept.len()], "{}", kept.len());
    assert!(told.to_string().len() <= 4 << 10, "{}", told.to_string().len());
    let few = &selected[..5];
    let reply = ada.post(PRESENCE, json!({ "client": "one", "selected": few })).await.ok();
    assert_eq!(reply["present"][0]["selected"], json!(few));
}
