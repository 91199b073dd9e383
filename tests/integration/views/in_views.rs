//! Positions and lines in views, which operations write.

use serde_json::{Value, json};

use super::{PATH, drawn, moved, plain, positions};
use crate::support::TestServer;

#[tokio::test]
async fn operations_set_positions_and_lines_in_a_view() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V", "layout": "own" })).await;
    let mut events = ada.follow("w", "").await;
    let result = ada.operate(json!([moved("a", 5), drawn(7), moved("b", 1), moved("a", 6)])).await;
    assert_eq!(positions(&result["viewPlaces"]), ["v1/a 6.0", "v1/b 1.0"]);
    let expected = json!({ "viewId": "v1", "componentId": "a", "workspaceId": "w", "x": 6.0, "y": 0.0 });
    assert_eq!(plain(&result["viewPlaces"][0]), expected);
    let expected =
        json!({ "viewId": "v1", "relationshipId": "r", "workspaceId": "w", "line": { "via": [[7.0, 0.0]] } });
    assert_eq!(plain(&result["viewLines"][0]), expected);
    assert_eq!(result["components"], json!([]), "the map is unchanged");
    let bundle = ada.bundle_with_views().await;
    assert_eq!((&bundle["viewPlaces"], &bundle["viewLines"]), (&result["viewPlaces"], &result["viewLines"]));
    for (entity, id, op) in [
        ("view-place", "v1/a", "create"),
        ("view-line", "v1/r", "create"),
        ("view-place", "v1/b", "create"),
        ("view-place", "v1/a", "update"),
    ] {
        let event = events.next_event().await.data;
        assert_eq!((&event["entity"], &event["entityId"], &event["op"]), (&json!(entity), &json!(id), &json!(op)));
        assert!(event.get("seq").is_none() && event["row"]["viewId"] == "v1");
    }
    let deleted = ada.operate(json!([
        { "op": "delete", "kind": "view-place", "id": "v1/a" }, { "op": "delete", "kind": "view-line", "id": "v1/r" },
    ]));
    let expected = json!([{ "kind": "view-place", "id": "v1/a" }, { "kind": "view-line", "id": "v1/r" }]);
    assert_eq!(deleted.await["deleted"], expected);
    assert_eq!(positions(&ada.bundle_with_views().await["viewPlaces"]), ["v1/b 1.0"]);
    let history = ada.get("/api/workspaces/w/history?entity=view-place&entityId=v1%2Fa").await.ok();
    assert_eq!(history["changes"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn conflicts_are_reported_per_row() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    let result = ada.operate(json!([moved("a", 5), moved("b", 5), drawn(7)])).await;
    let revision = result["viewPlaces"][0]["revision"].clone();
    ada.operate(json!([moved("a", 6), drawn(8)])).await;
    let with = |mut operation: Value, revision: &Value| {
        match operation["op"].as_str() {
            Some("move") => operation["positions"][0]["revision"] = revision.clone(),
            _ => operation["revision"] = revision.clone(),
        }
        operation
    };
    // The row of another component has not changed.
    ada.operate(json!([with(moved("b", 6), &revision)])).await;
    let mut elsewhere = moved("a", 1);
    elsewhere["viewId"] = json!("none");
    let mut unknown = drawn(1);
    unknown["row"]["relationshipId"] = json!("none");
    let conflicts = ada.conflicts(json!([
        with(moved("a", 7), &revision), with(drawn(9), &revision), moved("none", 1), elsewhere, unknown,
        { "op": "delete", "kind": "view-place", "id": "v1/none" }, { "op": "delete", "kind": "view-line", "id": "v1" },
        { "op": "delete", "kind": "view-place", "id": "v1/a", "revision": revision },
        { "op": "create", "kind": "view", "row": { "id": "v1", "name": "V" } },
        { "op": "update", "kind": "view", "id": "none", "fields": {} },
        { "op": "delete", "kind": "tour", "id": "none" },
    ]));
    let expected = [
        "view-place v1/a stale",
        "view-line v1/r stale",
        "view-place v1/none missing",
        "view none missing",
        "view-line v1/none missing",
        "view-place v1/none deleted",
        "view-line v1 deleted",
        "view-place v1/a stale",
        "view v1 taken",
        "view none deleted",
        "tour none deleted",
    ];
    assert_eq!(conflicts.await, expected);
    // A revision requires that the row exists.
    ada.operate(json!([{ "op": "delete", "kind": "view-place", "id": "v1/a" }])).await;
    assert_eq!(ada.conflicts(json!([with(moved("a", 7), &revision)])).await, ["view-place v1/a deleted"]);
    ada.operate(json!([moved("a", 7)])).await;
    assert_eq!(positions(&ada.bundle_with_views().await["viewPlaces"]), ["v1/a 7.0", "v1/b 6.0"]);
}

#[tokio::test]
async fn other_forms_of_these_operations_are_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    let mut twice = moved("a", 1);
    twice["positions"].as_array_mut().unwrap().push(json!({ "id": "a", "x": 2, "y": 2 }));
    let mut put_view = drawn(1);
    put_view["kind"] = json!("view");
    let mut without_line = drawn(1);
    without_line["row"]["line"] = json!(null);
    for (operation, field, text) in [
        (twice, "operations[0].positions[1].id", "is named twice"),
        (put_view, "operations[0].op", "`put` is not possible for the kind `view`"),
        (json!({ "op": "create", "kind": "view-place", "row": {} }), "operations[0].op", "not possible"),
        (
            json!({ "op": "update", "kind": "view-line", "id": "v1/r", "fields": {} }),
            "operations[0].op",
            "not possible",
        ),
        (
            json!({ "op": "delete", "kind": "view", "id": "v1", "viewId": "v1" }),
            "operations[0].viewId",
            "no such field",
        ),
        (without_line, "operations[0].row.line", "expected an object"),
        (json!({ "op": "put", "kind": "view-line" }), "operations[0].row", "is required"),
    ] {
        let reply = ada.post("/api/workspaces/w/operations", json!({ "operations": [operation] })).await;
        assert_eq!(reply.expect_error(400, text)["field"], field, "{operation}");
    }
}

#[tokio::test]
async fn rows_in_a_view_are_deleted_with_what_they_are_about_and_restored_by_undo() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    ada.operate(json!([moved("a", 5), moved("b", 6), drawn(7)])).await;
    let rows = async || {
        let bundle = ada.bundle_with_views().await;
        (positions(&bundle["viewPlaces"]).len(), bundle["viewLines"].as_array().unwrap().len())
    };
    for (path, left) in [
        ("/api/workspaces/w/relationships/r", (2, 0)),
        ("/api/workspaces/w/components/a", (1, 0)),
        ("/api/workspaces/w/views/v1", (0, 0)),
    ] {
        assert_eq!(rows().await, (2, 1));
        let deletion = ada.delete(path).await;
        assert_eq!(rows().await, left, "{path}");
        let undo = json!({ "changeSetId": deletion.header("x-request-id") });
        let undone = ada.post("/api/workspaces/w/undo", undo).await.ok();
        assert_eq!(rows().await, (2, 1), "{path}");
        let redone = ada.post("/api/workspaces/w/undo", json!({ "changeSetId": undone["changeSetId"] })).await.ok();
        assert_eq!(rows().await, left, "{path}");
        ada.post("/api/workspaces/w/undo", json!({ "changeSetId": redone["changeSetId"] })).await.ok();
    }
    // The same with a bulk replacement, which deletes everything.
    let bulk = ada.put("/api/workspaces/w/bulk", json!({ "components": [], "relationships": [] })).await;
    assert_eq!(rows().await, (0, 0));
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": bulk.ok()["changeSetId"] })).await.ok();
    assert_eq!(rows().await, (2, 1));
    // And when the workspace is purged.
    ada.delete("/api/workspaces/w").await.ok();
    server.clock.advance(planroom::clock::DAY * 31);
    server.clean_up().await;
    for table in ["view", "view_place", "view_line", "tour", "personal_view", "component"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test]
async fn undo_does_not_delete_what_others_added_since() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    server.grant("w", bob, "editor");
    let bob = server.sign_in("bob").await;
    let made = ada.post(PATH, json!({ "id": "v1", "name": "V" })).await;
    bob.operate(json!([moved("a", 5)])).await;
    let undo = json!({ "changeSetId": made.header("x-request-id") });
    let refused = ada.post("/api/workspaces/w/undo", undo.clone()).await.expect(409);
    assert!(refused["error"].as_str().unwrap().contains("a in v1"), "{refused}");
    bob.operate(json!([{ "op": "delete", "kind": "view-place", "id": "v1/a" }])).await;
    ada.post("/api/workspaces/w/undo", undo).await.ok();
    ada.get(&format!("{PATH}/v1")).await.expect_error(404, "view not found");
}

#[tokio::test]
async fn a_thousand_positions_are_one_change_set() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let names: Vec<String> = (0..1_000).map(|at| format!("c{at}")).collect();
    let new = |id: &String| json!({ "id": id, "typeId": "service", "name": id, "x": 0, "y": 0 });
    let components: Vec<Value> = names.iter().map(new).collect();
    ada.put("/api/workspaces/w/bulk", json!({ "components": components, "relationships": [] })).await.ok();
    ada.create_view(json!({ "id": "v1", "name": "V", "layout": "own" })).await;
    let place = |(at, id): (usize, &String)| json!({ "id": id, "x": at, "y": 0 });
    let all: Vec<Value> = names.iter().enumerate().map(place).collect();
    let result = ada.operate(json!([{ "op": "move", "viewId": "v1", "positions": all }])).await;
    assert_eq!(result["viewPlaces"].as_array().unwrap().len(), 1_000);
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": result["changeSetId"] })).await.ok();
    assert_eq!(ada.bundle_with_views().await["viewPlaces"], json!([]));
}
