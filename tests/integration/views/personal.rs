//! Views that only their user sees.

use serde_json::{Value, json};

use super::PATH;
use crate::support::{TestServer, ids};

const OWN: &str = "/api/workspaces/w/views/personal";

#[tokio::test]
async fn a_personal_view_is_seen_by_its_user_only() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    server.grant("w", bob, "viewer");
    let bob = server.sign_in("bob").await;
    let mut events = ada.follow("w", "").await;
    let revision = ada.revision("w").await;
    let places = json!([{ "componentId": "a", "x": 1.0, "y": 2.0 }, { "componentId": "gone", "x": 0.0, "y": 0.0 }]);
    let lines = json!([{ "relationshipId": "r", "line": { "via": [[1.0, 2.0]] } }]);
    let new = json!({ "name": "Mine", "layout": "own", "places": places, "lines": lines });
    let view = bob.post(OWN, new.clone()).await.created()["view"].clone();
    assert_eq!((&view["id"], &view["revision"], &view["position"]), (&json!("mine"), &json!(1), &json!(1_048_576)));
    assert_eq!((&view["places"], &view["lines"]), (&places, &lines));
    assert_eq!(bob.get(&format!("{OWN}/mine")).await.ok()["view"], view);
    let mut listed = view.clone();
    for part in ["places", "lines"] {
        listed.as_object_mut().unwrap().shift_remove(part);
    }
    assert_eq!(bob.get(OWN).await.ok()["views"], json!([listed]));

    // Nobody else sees it, not even the owner of the workspace, and nothing is logged.
    assert_eq!(ada.get(OWN).await.ok()["views"], json!([]));
    ada.get(&format!("{OWN}/mine")).await.expect_error(404, "view not found");
    ada.patch(&format!("{OWN}/mine"), json!({ "name": "T" })).await.expect_error(404, "view not found");
    ada.delete(&format!("{OWN}/mine")).await.expect_error(404, "view not found");
    assert_eq!(ada.revision("w").await, revision);
    assert_eq!(ada.bundle_with_views().await["views"], json!([]));
    assert!(!ada.get("/api/workspaces/w/export").await.json().to_string().contains("Mine"));
    ada.patch("/api/workspaces/w", json!({ "name": "Next" })).await.ok();
    assert_eq!(events.next_event().await.data["row"]["name"], "Next", "no event for the personal view");
    ada.post(OWN, new).await.created();
    assert_eq!(ada.create_view(json!({ "id": "mine", "name": "Shared" })).await["name"], "Shared");
    bob.post(PATH, json!({ "name": "V" })).await.expect_error(403, "access level editor");
}

#[tokio::test]
async fn a_personal_view_is_updated_and_deleted_by_its_revision() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = format!("{OWN}/mine");
    let places = json!([{ "componentId": "a", "x": 1.0, "y": 2.0 }]);
    let view = ada.post(OWN, json!({ "name": "Mine", "places": places })).await.created()["view"].clone();
    let patched = ada.header("if-match", "\"1\"").patch(&path, json!({ "name": "Ours" })).await.ok()["view"].clone();
    assert_eq!((&patched["revision"], &patched["places"]), (&json!(2), &places));
    let stale = ada.header("if-match", "\"1\"").patch(&path, json!({ "name": "No" })).await.expect(412);
    assert_eq!((&stale["code"], &stale["current"]["name"]), (&json!("stale"), &json!("Ours")));
    ada.header("if-match", "\"1\"").delete(&path).await.expect_error(412, "changed");
    // What was read can be sent back, and changes nothing.
    assert_eq!(ada.patch(&path, patched.clone()).await.ok()["view"], patched);
    let cleared = ada.patch(&path, json!({ "places": [], "position": -1 })).await.ok()["view"].clone();
    assert_eq!((&cleared["places"], &cleared["revision"], &view["lines"]), (&json!([]), &json!(3), &json!([])));
    ada.post(OWN, json!({ "name": "Second" })).await.created();
    assert_eq!(ids(&ada.get(OWN).await.ok()["views"]), ["mine", "second"]);
    ada.header("if-match", "\"3\"").delete(&path).await.ok();
    ada.get(&path).await.expect_error(404, "view not found");
}

#[tokio::test]
async fn personal_views_are_limited_in_number_and_size() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (body, field, text) in [
        (json!({ "id": "all", "name": "V" }), "id", "reserved"),
        (json!({ "name": "V", "definition": { "include": [{}] } }), "definition.include[0]", "at least one field"),
        (
            json!({ "name": "V", "places": [{ "componentId": "a", "x": 0, "y": 0 }, { "componentId": "a", "x": 1, "y": 0 }] }),
            "places[1].componentId",
            "another position of this component",
        ),
        (json!({ "name": "V", "places": [{ "componentId": "a", "x": 0 }] }), "places[0].y", "is required"),
        (json!({ "name": "V", "secret": 1 }), "secret", "no such field"),
    ] {
        assert_eq!(ada.post(OWN, body.clone()).await.expect_error(400, text)["field"], field, "{body}");
    }
    let via: Vec<Value> = (0..50).map(|at| json!([f64::from(at) + 0.123_456_789, 0.5])).collect();
    let line = |at: usize| json!({ "relationshipId": format!("r{at}"), "line": { "via": via } });
    let large = json!({ "name": "V", "lines": (0..700).map(line).collect::<Vec<_>>() });
    ada.post(OWN, large).await.expect_error(400, "must have at most 524288 bytes of JSON");
    for at in 0..50 {
        ada.post(OWN, json!({ "name": format!("View {at}") })).await.created();
    }
    let refused = ada.post(OWN, json!({ "name": "V" })).await.expect_error(409, "you have 50 personal views");
    assert_eq!(refused["code"], "limit_reached");
    ada.delete(&format!("{OWN}/view-7")).await.ok();
    ada.post(OWN, json!({ "name": "View 7" })).await.created();
}

#[tokio::test]
async fn personal_views_are_out_of_reach_without_access() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    server.grant("w", bob, "viewer");
    let client = server.sign_in("bob").await;
    client.post(OWN, json!({ "name": "Mine" })).await.created();
    ada.delete(&format!("/api/workspaces/w/members/{bob}")).await.ok();
    client.get(OWN).await.expect_error(404, "workspace not found");
    client.get(&format!("{OWN}/mine")).await.expect_error(404, "workspace not found");
    ada.post("/api/workspaces/w/members", json!({ "userId": bob, "role": "viewer" })).await.ok();
    assert_eq!(client.get(OWN).await.ok()["views"][0]["name"], "Mine", "access has returned");
}
