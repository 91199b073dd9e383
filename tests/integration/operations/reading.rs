//! Validation of requests, and the location of errors.

use serde_json::{Value, json};

use super::{PATH, apply, component, relationship};
use crate::support::TestServer;

#[tokio::test]
async fn an_error_is_located_by_operation_and_field() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    let create = |kind: &str, row: Value| json!({ "op": "create", "kind": kind, "row": row });
    let update =
        |kind: &str, id: Value, fields: Value| json!({ "op": "update", "kind": kind, "id": id, "fields": fields });
    let cases = [
        (create("component", json!({ "typeId": "servce", "name": "N" })), "row.typeId", "unknown component type"),
        (create("component", json!({ "typeId": "service" })), "row.name", "is required"),
        (create("component", json!({ "typeId": "service", "name": "N", "x": 1 })), "row.y", "give both"),
        (create("component", json!({ "typeId": "service", "name": "N", "colour": 1 })), "row.colour", "no such field"),
        (create("relationship", json!({ "sourceId": "a", "targetId": "b", "typeId": "x" })), "row.typeId", "unknown"),
        (create("stakeholder", json!({ "personId": "p", "linkType": "owner" })), "row.componentId", "is required"),
        (create("stakeholder", json!({ "componentId": "a", "linkType": "owner" })), "row.personId", "is required"),
        (create("link", json!({ "componentId": "a", "url": "ftp://x" })), "row.url", ""),
        (create("process", json!({ "name": "P", "mermaid": "graph TD" })), "row.mermaid", "must start with"),
        (create("workspace", json!({ "name": "W" })), "op", "not possible"),
        (create("person", json!({ "name": "P" })), "kind", "must be one of"),
        (json!({ "op": "create", "row": {} }), "kind", "is required"),
        (json!({ "op": "create", "kind": "component" }), "row", "is required"),
        (
            json!({ "op": "create", "kind": "component", "id": "x", "row": component("x")["row"] }),
            "id",
            "no such field",
        ),
        (json!({ "op": "upsert", "kind": "component" }), "op", "must be one of"),
        (json!({ "op": "delete", "kind": "component" }), "id", "is required"),
        (json!({ "op": "delete", "kind": "component", "id": 7 }), "id", "must be a string"),
        (json!({ "op": "delete", "kind": "link", "id": "none" }), "id", "no earlier operation creates a link"),
        (json!({ "op": "delete", "kind": "link", "id": 1.5 }), "id", "invalid type"),
        (json!({ "op": "delete", "kind": "workspace", "id": "w" }), "op", "not possible"),
        (json!({ "op": "delete", "kind": "component", "id": "a", "fields": {} }), "fields", "no such field"),
        (update("link", json!(1), json!({ "url": "https://example.org" })), "op", "not possible"),
        (update("component", json!("a"), json!({ "id": "z" })), "fields.id", "cannot change"),
        (update("component", json!("a"), json!({ "name": "" })), "fields.name", "1 to 200"),
        (update("workspace", Value::Null, json!({ "visibility": "private" })), "fields.visibility", "no such field"),
        (json!({ "op": "move" }), "positions", "is required"),
        (json!({ "op": "move", "kind": "component", "positions": [] }), "kind", "must be left out"),
        (json!({ "op": "move", "positions": [{ "id": "a", "x": 1 }] }), "positions[0].y", "is required"),
        (
            json!({ "op": "move", "positions": [{ "id": "a", "x": 1, "y": 1 }, { "id": "a", "x": 2, "y": 2 }] }),
            "positions[1].id",
            "named twice",
        ),
        (json!({ "op": "move", "positions": [], "color": 1 }), "color", "no such field"),
    ];
    for (operation, field, text) in cases {
        let refusal = apply(&ada, json!([component("first"), operation])).await.expect_error(400, text);
        assert_eq!(refusal["field"], format!("operations[1].{field}"), "{refusal}");
    }
    ada.post(PATH, json!({ "operations": [] })).await.expect_error(400, "operations: must have 1 to 10000 items");
    ada.post(PATH, json!({})).await.expect_error(400, "operations: is required");
    let many: Vec<Value> = (0..10_001).map(|_| json!({ "op": "move", "positions": [] })).collect();
    ada.post(PATH, json!({ "operations": many })).await.expect_error(400, "at most 10000 items");
    let positions: Vec<Value> = (0..50_001).map(|n| json!({ "id": n.to_string(), "x": 0, "y": 0 })).collect();
    let moved = json!({ "op": "move", "positions": positions });
    apply(&ada, json!([moved, moved])).await.expect_error(400, "at most 100000 positions in all");
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn a_ref_identifies_one_row_of_its_kind() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let link = |name: &str| json!({ "op": "create", "kind": "link", "ref": name, "row": { "componentId": "a", "url": "https://example.org" } });
    let refused = apply(&ada, json!([link("x"), link("x")])).await.expect_error(400, "is used by an earlier operation");
    assert_eq!(refused["field"], "operations[1].ref");
    let other = json!({ "op": "delete", "kind": "stakeholder", "id": "x" });
    apply(&ada, json!([link("x"), other]))
        .await
        .expect_error(400, "operations[1].id: no earlier operation creates a stakeholder");
    apply(&ada, json!([link(&"x".repeat(129))]))
        .await
        .expect_error(400, "operations[0].ref: must have 1 to 128 characters");
    let gone = apply(&ada, json!([link("x"), { "op": "delete", "kind": "link", "id": "x" }])).await.ok();
    assert_eq!((&gone["links"], &gone["deleted"][0]["id"]), (&json!([]), &gone["refs"]["x"]));
}

#[tokio::test]
async fn rows_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bundle = ada.bundle("w").await;
    ada.create_workspace("v").await;
    let create = |kind: &str, row: &Value| json!({ "op": "create", "kind": kind, "row": row });
    let rows = [
        create("component", &bundle["components"][0]),
        create("component", &bundle["components"][1]),
        create("relationship", &bundle["relationships"][0]),
    ];
    let mut copied = ada.post("/api/workspaces/v/operations", json!({ "operations": rows })).await.ok();
    assert_eq!(copied["components"][1]["name"], "b");
    let a = copied["components"][0].take();
    let same = json!([{ "op": "update", "kind": "component", "id": "a", "fields": a, "revision": a["revision"] }]);
    ada.post("/api/workspaces/v/operations", json!({ "operations": same })).await.ok();
    let free = json!([{ "op": "create", "kind": "component", "row": { "typeId": "queue", "name": "Free" } }, relationship("x", "a", "calls", "free")]);
    let done = ada.post("/api/workspaces/v/operations", json!({ "operations": free })).await.ok();
    assert_eq!((&done["components"][0]["id"], &done["relationships"][0]["targetId"]), (&json!("free"), &json!("free")));
}
