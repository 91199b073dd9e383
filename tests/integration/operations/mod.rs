//! Several writes in one request: one change set, one revision, all or nothing.

mod conflicts;
mod reading;

use serde_json::{Value, json};

use crate::{
    history::without_metadata,
    support::{TestClient, TestResponse, TestServer},
};

const PATH: &str = "/api/workspaces/w/operations";
const UNDO: &str = "/api/workspaces/w/undo";

async fn apply(client: &TestClient<'_>, operations: Value) -> TestResponse {
    client.post(PATH, json!({ "operations": operations })).await
}

/// The creation of a component.
fn component(id: &str) -> Value {
    json!({ "op": "create", "kind": "component", "row": { "id": id, "typeId": "service", "name": id } })
}

/// The creation of a relationship.
fn relationship(id: &str, source: &str, type_id: &str, target: &str) -> Value {
    let row = json!({ "id": id, "sourceId": source, "targetId": target, "typeId": type_id });
    json!({ "op": "create", "kind": "relationship", "row": row })
}

/// One operation of every kind that creates or changes something; `a`, `b` and `r` exist, and the person `grace`.
fn one_of_each() -> Value {
    let process = json!({ "id": "order", "name": "Order", "mermaid": "sequenceDiagram\n  A->>C: order",
                          "participants": { "A": "a", "C": "c" } });
    json!([
        component("c"),
        relationship("cb", "c", "calls", "b"),
        { "op": "create", "kind": "stakeholder", "ref": "who",
          "row": { "componentId": "c", "personId": "grace", "linkType": "owner" } },
        { "op": "create", "kind": "link", "ref": "where", "row": { "componentId": "c", "url": "https://example.org/c" } },
        { "op": "create", "kind": "process", "row": process },
        { "op": "update", "kind": "component", "id": "a", "fields": { "name": "Anew" } },
        { "op": "update", "kind": "relationship", "id": "r", "fields": { "targetId": "c" } },
        { "op": "update", "kind": "stakeholder", "id": "who", "fields": { "linkType": "support" } },
        { "op": "update", "kind": "process", "id": "order", "fields": { "description": "How one orders" } },
        { "op": "update", "kind": "workspace", "fields": { "name": "Renamed", "properties": { "server": "draft" } } },
        { "op": "move", "positions": [{ "id": "a", "x": 5, "y": 6 }, { "id": "c", "x": 7, "y": 8 }] },
    ])
}

async fn with_grace(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada
}

#[tokio::test]
async fn operations_are_one_change_set_with_one_revision_and_one_undo() {
    let server = TestServer::new().await;
    let ada = with_grace(&server).await;
    let before = ada.bundle("w").await;
    let reply = apply(&ada, one_of_each()).await;
    let done = reply.ok();
    assert_eq!((&done["changeSetId"], &done["batchId"]), (&json!(reply.header("x-request-id")), &done["changeSetId"]));
    assert_eq!(done["revision"], before["workspace"]["revision"].as_i64().unwrap() + 1);
    let named = |rows: &Value| -> Vec<Value> { rows.as_array().unwrap().iter().map(|row| row["id"].clone()).collect() };
    assert_eq!(
        (named(&done["components"]), named(&done["relationships"])),
        (vec![json!("c"), json!("a")], vec![json!("cb"), json!("r")])
    );
    assert_eq!(done["components"][1]["name"], "Anew");
    assert_eq!((&done["components"][0]["x"], &done["components"][1]["y"]), (&json!(7.0), &json!(6.0)));
    assert_eq!(
        (&done["stakeholders"][0]["linkType"], &done["stakeholders"][0]["person"]["name"]),
        (&json!("support"), &json!("Grace"))
    );
    assert_eq!(
        (&done["stakeholders"][0]["id"], &done["links"][0]["id"]),
        (&done["refs"]["who"], &done["refs"]["where"])
    );
    assert_eq!(
        (&done["processes"][0]["description"], &done["workspace"]["name"]),
        (&json!("How one orders"), &json!("Renamed"))
    );
    assert_eq!(done["deleted"], json!([]));
    let after = ada.bundle("w").await;
    assert_eq!((&after["workspace"], &after["components"][2]), (&done["workspace"], &done["components"][0]));
    let log: Vec<_> = server.changes().into_iter().filter(|change| change.revision == done["revision"]).collect();
    assert!(log.iter().all(|change| change.batch == done["changeSetId"]), "one change set");
    assert_eq!(log.iter().filter(|change| change.what.ends_with(" workspace w")).count(), 1);

    let undone = ada.post(UNDO, json!({ "changeSetId": done["changeSetId"] })).await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&before));
    let redone = ada.post(UNDO, json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&after));
    ada.post(UNDO, json!({ "batchId": redone["batchId"] })).await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&before));
}

#[tokio::test]
async fn dependent_rows_of_a_deleted_component_are_deleted_and_listed() {
    let server = TestServer::new().await;
    let ada = with_grace(&server).await;
    let created = apply(&ada, one_of_each()).await.ok();
    let before = without_metadata(&ada.bundle("w").await);
    let deleted = apply(&ada, json!([{ "op": "delete", "kind": "component", "id": "c" }])).await.ok();
    let expected = json!([
        { "kind": "relationship", "id": "r" }, { "kind": "relationship", "id": "cb" },
        { "kind": "stakeholder", "id": created["refs"]["who"] }, { "kind": "link", "id": created["refs"]["where"] },
        { "kind": "component", "id": "c" },
    ]);
    assert_eq!((&deleted["deleted"], &deleted["components"]), (&expected, &json!([])));
    ada.post(UNDO, json!({ "changeSetId": deleted["changeSetId"] })).await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), before);
    let each = json!([
        { "op": "delete", "kind": "link", "id": created["refs"]["where"] },
        { "op": "delete", "kind": "stakeholder", "id": created["refs"]["who"] },
        { "op": "delete", "kind": "process", "id": "order" },
        { "op": "delete", "kind": "relationship", "id": "cb" },
    ]);
    assert_eq!(apply(&ada, each).await.ok()["deleted"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn a_paste_of_five_hundred_components_and_a_thousand_relationships_is_one_change_set() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = ada.bundle("w").await;
    let components = (0..500).map(|n| component(&format!("n{n}")));
    let relationships = (0..1_000).map(|n| {
        let type_id = if n < 499 { "contains" } else { "calls" };
        relationship(&format!("e{n}"), &format!("n{}", n % 499), type_id, &format!("n{}", n % 499 + 1))
    });
    let pasted = apply(&ada, components.chain(relationships).collect()).await.ok();
    let after = ada.bundle("w").await;
    assert_eq!(after["workspace"]["revision"], before["workspace"]["revision"].as_i64().unwrap() + 1);
    assert_eq!(after["components"].as_array().unwrap().len(), 502);
    let undone = ada.post(UNDO, json!({ "changeSetId": pasted["changeSetId"] })).await.ok();
    assert_eq!((&undone["rows"], without_metadata(&ada.bundle("w").await)), (&json!(1_500), without_metadata(&before)));
    ada.post(UNDO, json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&after));
}

#[tokio::test]
async fn followers_receive_each_row_with_its_change_set() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let operations = json!({ "operations": [component("c"), relationship("ac", "a", "calls", "c")] });
    let done = ada.header("x-batch-id", "paste").post(PATH, operations).await.ok();
    assert_eq!(done["batchId"], "paste");
    for what in ["create component c", "create relationship ac"] {
        let event = follower.next_event().await;
        assert_eq!((event.what(), &event.data["changeSetId"]), (what.to_owned(), &done["changeSetId"]));
        assert_eq!(event.data["batch"], "paste");
    }
    let id = done["changeSetId"].as_str().unwrap();
    for query in [format!("changeSetId={id}"), format!("batch={id}"), "batch=paste".to_owned()] {
        let history = ada.get(&format!("/api/workspaces/w/history?{query}")).await.ok();
        assert_eq!(history["changes"].as_array().unwrap().len(), 2, "{query}");
        assert_eq!(history["changes"][0]["changeSetId"], done["changeSetId"]);
    }
}

#[tokio::test]
async fn a_repeated_request_returns_its_change_set_and_the_current_rows() {
    let server = TestServer::new().await;
    let ada = with_grace(&server).await;
    let keyed = ada.header("idempotency-key", "one");
    let body = json!({ "operations": one_of_each() });
    let first = keyed.post(PATH, body.clone()).await.ok();
    let kept = server.count("SELECT length(answer) FROM idempotency");
    assert!(kept < 400, "rows are not kept: {kept} bytes");
    assert_eq!(keyed.post(PATH, body.clone()).await.ok(), first);
    ada.patch("/api/workspaces/w/components/c", json!({ "name": "Later" })).await.ok();
    let again = keyed.post(PATH, body).await.ok();
    for part in ["changeSetId", "revision", "refs", "stakeholders"] {
        assert_eq!(again[part], first[part], "{part}");
    }
    assert_eq!(again["components"][0]["name"], "Later");
    keyed.post(PATH, json!({ "operations": [component("d")] })).await.expect_error(409, "another request");
}

#[tokio::test]
async fn operations_without_effect_write_nothing() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let (before, written) = (ada.bundle("w").await, server.log_sizes());
    let same = &before["components"][0];
    let done = apply(
        &ada,
        json!([
            { "op": "update", "kind": "component", "id": "a", "fields": { "name": "a" } },
            { "op": "move", "positions": [{ "id": "a", "x": same["x"], "y": same["y"] }] },
            { "op": "update", "kind": "workspace", "fields": {} },
        ]),
    )
    .await
    .ok();
    assert_eq!((&done["revision"], &done["components"]), (&before["workspace"]["revision"], &json!([])));
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (before, written));
}
