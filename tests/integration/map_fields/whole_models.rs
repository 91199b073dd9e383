//! Bulk, import and operations keep the fields that they do not contain; exports contain all.

use serde_json::{Value, json};

use super::{
    W, assert_fields, component_fields, filled, no_component_fields, no_relationship_fields, relationship_fields,
};
use crate::support::TestServer;

/// A model of the map without the fields.
fn model() -> Value {
    json!({
        "components": [
            { "id": "a", "typeId": "service", "name": "Anew" },
            { "id": "b", "typeId": "service", "name": "b" },
        ],
        "relationships": [{ "id": "r", "sourceId": "a", "targetId": "b", "typeId": "reads" }],
    })
}

/// The model with fields that remove the stored ones.
fn cleared() -> Value {
    let mut model = model();
    for (list, fields) in [("components", no_component_fields()), ("relationships", no_relationship_fields())] {
        model[list][0].as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    }
    model
}

#[tokio::test]
async fn bulk_and_import_keep_the_fields_that_they_do_not_contain() {
    for path in [format!("{W}/bulk"), "/api/import?id=w&replace=true".into()] {
        let server = TestServer::new().await;
        let ada = filled(&server).await;
        let send = async |body: Value| match path.as_str() {
            "/api/import?id=w&replace=true" => ada.post(&path, body).await.ok(),
            _ => ada.put(&path, body).await.ok(),
        };
        send(model()).await;
        let bundle = ada.bundle("w").await;
        assert_eq!(bundle["components"][0]["name"], "Anew");
        assert_fields(&bundle, &component_fields(), &relationship_fields());
        send(model()).await;
        assert_eq!(ada.bundle("w").await, bundle, "the second time, nothing differs");

        let mut with_null = model();
        (with_null["components"][0]["tags"], with_null["components"][0]["technology"]) = (json!(null), json!(null));
        with_null["relationships"][0]["technology"] = json!(null);
        send(with_null).await;
        assert_eq!(ada.bundle("w").await, bundle, "null keeps a list");

        send(cleared()).await;
        assert_fields(&ada.bundle("w").await, &no_component_fields(), &no_relationship_fields());
    }
}

#[tokio::test]
async fn a_dry_run_counts_kept_fields_as_unchanged() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    let mut same = model();
    (same["components"][0]["name"], same["relationships"][0]["typeId"]) = (json!("a"), json!("calls"));
    let would = ada.put(&format!("{W}/bulk?dryRun=true"), same.clone()).await.ok();
    assert_eq!((&would["updated"]["components"], &would["updated"]["relationships"]), (&json!([]), &json!([])));
    same["components"][0]["tags"] = json!([]);
    same["relationships"][0]["line"] = json!(null);
    let would = ada.put(&format!("{W}/bulk?dryRun=true"), same).await.ok();
    assert_eq!((&would["updated"]["components"], &would["updated"]["relationships"]), (&json!(["a"]), &json!(["r"])));
}

#[tokio::test]
async fn operations_keep_the_fields_that_they_do_not_contain() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    let update =
        |kind: &str, id: &str, fields: Value| json!({ "op": "update", "kind": kind, "id": id, "fields": fields });
    let path = format!("{W}/operations");
    let operations = json!([
        update("component", "a", json!({ "name": "Anew" })),
        update("relationship", "r", json!({ "label": "asks" })),
        { "op": "move", "positions": [{ "id": "a", "x": 7, "y": 8 }] },
    ]);
    let done = ada.post(&path, json!({ "operations": operations })).await.ok();
    assert_fields(&done, &component_fields(), &relationship_fields());
    assert_fields(&ada.bundle("w").await, &component_fields(), &relationship_fields());
    let operations =
        json!(
            [update("component", "a", no_component_fields()), update("relationship", "r", no_relationship_fields()),]
        );
    let done = ada.post(&path, json!({ "operations": operations })).await.ok();
    assert_fields(&done, &no_component_fields(), &no_relationship_fields());
}

#[tokio::test]
async fn an_export_restores_the_fields_and_their_absence() {
    let (here, there) = (TestServer::new().await, TestServer::new().await);
    let ada = filled(&here).await;
    let full = ada.get(&format!("{W}/export")).await.ok();
    assert_fields(&full, &component_fields(), &relationship_fields());
    let eve = there.sign_in("ada").await;
    eve.post("/api/import", full.clone()).await.created();
    assert_eq!(eve.get(&format!("{W}/export")).await.ok(), full);

    ada.put(&format!("{W}/bulk"), cleared()).await.ok();
    let empty = ada.get(&format!("{W}/export")).await.ok();
    for (file, of_component, of_relationship) in
        [(&empty, no_component_fields(), no_relationship_fields()), (&full, component_fields(), relationship_fields())]
    {
        eve.post("/api/import?replace=true", file.clone()).await.ok();
        assert_fields(&eve.bundle("w").await, &of_component, &of_relationship);
    }
}
