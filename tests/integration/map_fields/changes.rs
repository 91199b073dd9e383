//! Changes of the fields in events, history, past states, versions, undo and redo.

use serde_json::{Value, json};

use super::{
    A, R, W, assert_fields, component_fields, filled, no_component_fields, no_relationship_fields, relationship_fields,
};
use crate::support::TestServer;

#[tokio::test]
async fn a_change_of_a_line_is_undone_and_redone() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    let before = ada.bundle("w").await["relationships"][0].clone();
    let line = json!({ "via": [[5.0, 6.0]] });
    let operation = json!({ "op": "update", "kind": "relationship", "id": "r", "fields": { "line": line } });
    let done = ada.post(&format!("{W}/operations"), json!({ "operations": [operation] })).await.ok();
    assert_eq!(done["relationships"][0]["line"], line);
    let undone = ada.post(&format!("{W}/undo"), json!({ "changeSetId": done["changeSetId"] })).await.ok();
    assert_eq!(ada.bundle("w").await["relationships"][0]["line"], before["line"]);
    ada.post(&format!("{W}/undo"), json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(ada.bundle("w").await["relationships"][0]["line"], line);
}

#[tokio::test]
async fn a_later_change_of_a_field_blocks_undo() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.header("x-batch-id", "name").patch(A, json!({ "name": "Anew" })).await.ok();
    ada.patch(A, json!({ "tags": ["later"] })).await.ok();
    let refused = ada.post(&format!("{W}/undo"), json!({ "batchId": "name" })).await.expect(409);
    assert_eq!((&refused["code"], &refused["changed"][0]["id"]), (&json!("changed_since"), &json!("a")));
}

#[tokio::test]
async fn undoing_a_deletion_restores_the_fields() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    ada.header("x-batch-id", "gone").delete(A).await.ok();
    ada.post(&format!("{W}/undo"), json!({ "batchId": "gone" })).await.ok();
    assert_fields(&ada.bundle("w").await, &component_fields(), &relationship_fields());
}

#[tokio::test]
async fn history_difference_and_past_states_contain_the_fields() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let empty = ada.bundle("w").await;
    ada.patch(A, component_fields()).await.ok();
    ada.patch(R, relationship_fields()).await.ok();
    let changes = ada.get(&format!("{W}/history?limit=2")).await.ok()["changes"].clone();
    assert_eq!(changes[0]["fields"], json!(["technology", "line"]));
    assert_eq!(changes[1]["fields"], json!(["width", "height", "tags", "technology"]));
    assert_eq!(
        (&changes[0]["before"]["line"], &changes[0]["row"]["line"]["shape"]),
        (&Value::Null, &json!("straight"))
    );

    let from = &empty["workspace"]["revision"];
    let difference = ada.get(&format!("{W}/history/difference?from={from}")).await.ok();
    let fields = &difference["components"]["changed"][0]["fields"];
    assert_eq!(fields["tags"], json!({ "from": [], "to": ["core", "web"] }));
    assert_eq!(fields["width"], json!({ "from": null, "to": 400.0 }));
    assert_eq!(fields.as_object().unwrap().len(), 4);
    let fields = &difference["relationships"]["changed"][0]["fields"];
    assert_eq!(fields["line"], json!({ "from": null, "to": relationship_fields()["line"] }));

    let past = ada.get(&format!("{W}?at={from}")).await.ok();
    assert_fields(&past, &no_component_fields(), &no_relationship_fields());
    ada.post(&format!("{W}/history/restore"), json!({ "revision": from })).await.ok();
    assert_fields(&ada.bundle("w").await, &no_component_fields(), &no_relationship_fields());
}

#[tokio::test]
async fn a_version_contains_the_fields_and_restores_them() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    let version = ada.post(&format!("{W}/versions"), json!({ "name": "Full" })).await.created();
    let path = format!("{W}/versions/{}", version["version"]["id"]);
    ada.patch(A, no_component_fields()).await.ok();
    ada.patch(R, no_relationship_fields()).await.ok();
    assert_fields(&ada.get(&path).await.ok(), &component_fields(), &relationship_fields());
    ada.post(&format!("{path}/restore"), json!({})).await.ok();
    assert_fields(&ada.bundle("w").await, &component_fields(), &relationship_fields());
}

#[tokio::test]
async fn followers_receive_the_fields() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let component = ada.patch(A, component_fields()).await.ok()["component"].clone();
    let relationship = ada.patch(R, relationship_fields()).await.ok()["relationship"].clone();
    assert_eq!(follower.next_event().await.data["row"], component);
    assert_eq!(follower.next_event().await.data["row"], relationship);
}

#[tokio::test]
async fn a_repeated_request_returns_the_fields_of_the_first() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await.header("idempotency-key", "k");
    let mut new = component_fields();
    (new["typeId"], new["name"]) = (json!("group"), json!("G"));
    let path = format!("{W}/components");
    let first = ada.post(&path, new.clone()).await.created();
    assert_eq!(ada.post(&path, new.clone()).await.created(), first);
    new["tags"] = json!([]);
    ada.post(&path, new).await.expect_error(409, "");
}
