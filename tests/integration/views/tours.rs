//! Tours and their stops.

use serde_json::{Value, json};

use super::plain;
use crate::support::TestServer;

const TOURS: &str = "/api/workspaces/w/tours";

#[tokio::test]
async fn a_tour_has_stops_with_ids() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let stops = json!([
        { "text": "All of it", "target": { "viewId": "all" } },
        { "id": "s1", "target": { "componentId": "a", "viewId": "v1" } },
        { "target": { "processId": "gone", "step": 3 } },
    ]);
    let tour = ada.post(TOURS, json!({ "name": "First day", "stops": stops })).await.created()["tour"].clone();
    let expected = json!({
        "id": "first-day", "workspaceId": "w", "name": "First day", "position": 1_048_576,
        "stops": [
            { "id": "s2", "text": "All of it", "target": { "viewId": "all" } },
            { "id": "s1", "text": "", "target": { "viewId": "v1", "componentId": "a" } },
            { "id": "s3", "text": "", "target": { "processId": "gone", "step": 3 } },
        ],
    });
    assert_eq!(plain(&tour), expected);
    let path = format!("{TOURS}/first-day");
    assert_eq!(ada.get(&path).await.ok()["tour"], tour);
    assert_eq!(ada.get(TOURS).await.ok()["tours"], json!([tour]));
    // The stops that were read can be sent back in another order.
    let mut turned = tour["stops"].clone();
    turned.as_array_mut().unwrap().reverse();
    let patched = ada.patch(&path, json!({ "stops": turned, "description": "For newcomers" })).await.ok();
    assert_eq!((&patched["tour"]["stops"], &patched["tour"]["description"]), (&turned, &json!("For newcomers")));
    ada.delete(&path).await.ok();
    ada.get(&path).await.expect_error(404, "tour not found");
}

#[tokio::test]
async fn wrong_stops_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let stop = json!({ "target": { "viewId": "all" } });
    let target = |target: Value| json!([{ "target": target }]);
    for (stops, field, text) in [
        (json!([{ "text": "T" }]), "stops[0].target", "is required"),
        (target(json!({})), "stops[0].target", "must have `viewId`, `componentId` or `processId`"),
        (target(json!({ "step": 1 })), "stops[0].target", "must have `viewId`, `componentId` or `processId`"),
        (target(json!({ "viewId": "v1", "step": 1 })), "stops[0].target", "must have `processId` if it has `step`"),
        (target(json!({ "componentId": "a", "processId": "p" })), "stops[0].target", "must not have both"),
        (target(json!({ "processId": "p", "step": 0 })), "stops[0].target.step", "must be 1 to 10000"),
        (target(json!({ "url": "x" })), "stops[0].target", "must have"),
        (
            json!([{ "target": { "viewId": "all" }, "text": "x".repeat(1_001) }]),
            "stops[0].text",
            "at most 1000 characters",
        ),
        (
            json!([{ "id": "s", "target": { "viewId": "all" } }, { "id": "s", "target": { "viewId": "all" } }]),
            "stops[1].id",
            "another stop has the id `s`",
        ),
        (json!(vec![stop.clone(); 101]), "stops", "must have at most 100 items"),
    ] {
        let refused = ada.post(TOURS, json!({ "name": "T", "stops": stops })).await.expect_error(400, text);
        assert_eq!(refused["field"], field, "{stops}");
    }
    ada.post(TOURS, json!({ "name": "T", "stops": vec![stop; 100] })).await.created();
}

#[tokio::test]
async fn operations_write_tours_and_followers_receive_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut events = ada.follow("w", "").await;
    let result = ada
        .operate(json!([
            { "op": "create", "kind": "tour", "row": { "id": "t1", "name": "T" } },
            { "op": "update", "kind": "tour", "id": "t1", "fields": { "stops": [{ "target": { "viewId": "all" } }] } },
        ]))
        .await;
    assert_eq!(result["tours"][0]["stops"][0]["id"], "s1");
    assert_eq!(events.next_event().await.data["op"], "create");
    assert_eq!(events.next_event().await.data["row"], result["tours"][0]);
    let deleted = ada.operate(json!([{ "op": "delete", "kind": "tour", "id": "t1" }])).await;
    assert_eq!(deleted["deleted"], json!([{ "kind": "tour", "id": "t1" }]));
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": deleted["changeSetId"] })).await.ok();
    assert_eq!(ada.get(TOURS).await.ok()["tours"][0]["name"], "T");
}
