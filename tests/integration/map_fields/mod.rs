//! Tags, technologies and sizes of components; technologies and lines of relationships.

mod changes;
mod limits;
mod whole_models;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";
const R: &str = "/api/workspaces/w/relationships/r";

/// All fields of a component, with values.
pub fn component_fields() -> Value {
    json!({ "width": 400.0, "height": 300.5, "tags": ["core", "web"], "technology": ["Rust", "SQLite"] })
}

/// All fields of a relationship, with values.
pub fn relationship_fields() -> Value {
    json!({ "technology": ["gRPC"], "line": { "shape": "straight", "via": [[1.5, -20.0], [30.0, 4.0]], "labelPosition": 0.25 } })
}

/// The map, with values in all fields of `a` and `r`.
async fn filled(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    ada.patch(A, component_fields()).await.ok();
    ada.patch(R, relationship_fields()).await.ok();
    ada
}

/// The fields of `row` that `fields` has.
pub fn part(row: &Value, fields: &Value) -> Value {
    fields.as_object().unwrap().keys().map(|key| (key.clone(), row[key].clone())).collect()
}

/// Expects `a` and `r` of a bundle to have these fields.
#[track_caller]
fn assert_fields(bundle: &Value, of_component: &Value, of_relationship: &Value) {
    assert_eq!(part(&bundle["components"][0], of_component), *of_component);
    assert_eq!(part(&bundle["relationships"][0], of_relationship), *of_relationship);
}

fn no_component_fields() -> Value {
    json!({ "width": null, "height": null, "tags": [], "technology": [] })
}

fn no_relationship_fields() -> Value {
    json!({ "technology": [], "line": null })
}

#[tokio::test]
async fn new_rows_have_the_fields_of_the_request_and_are_empty_without_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    assert_fields(&ada.bundle("w").await, &no_component_fields(), &no_relationship_fields());
    let mut new = component_fields();
    (new["typeId"], new["name"], new["id"]) = (json!("group"), json!("Backend"), json!("backend"));
    let created = ada.post(&format!("{W}/components"), new).await.created();
    assert_eq!(part(&created["component"], &component_fields()), component_fields());
    let read = ada.get(&format!("{W}/components/backend")).await.ok();
    assert_eq!(read["component"], created["component"]);
    let mut new = relationship_fields();
    (new["sourceId"], new["targetId"], new["typeId"]) = (json!("a"), json!("b"), json!("uses"));
    let created = ada.post(&format!("{W}/relationships"), new).await.created();
    assert_eq!(part(&created["relationship"], &relationship_fields()), relationship_fields());
    assert_eq!(ada.bundle("w").await["relationships"][1], created["relationship"]);
}

#[tokio::test]
async fn a_patch_changes_the_fields_that_it_contains() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    ada.patch(A, json!({ "name": "Anew", "properties": { "tags": ["other"] } })).await.ok();
    ada.patch(R, json!({ "label": "asks", "technology": null })).await.ok();
    assert_fields(&ada.bundle("w").await, &component_fields(), &relationship_fields());

    let row = ada.patch(A, json!({ "width": null, "tags": null, "technology": [] })).await.ok()["component"].clone();
    assert_eq!((&row["width"], &row["height"]), (&Value::Null, &json!(300.5)), "null removes a size");
    assert_eq!((&row["tags"], &row["technology"]), (&json!(["core", "web"]), &json!([])), "null keeps a list");
    let row = ada.patch(R, json!({ "line": {} })).await.ok()["relationship"].clone();
    assert_eq!(row["line"], json!({ "via": [] }), "a line is replaced as a whole");
    let row = ada.patch(R, json!({ "line": null })).await.ok()["relationship"].clone();
    assert_eq!((&row["line"], &row["technology"]), (&Value::Null, &json!(["gRPC"])));
}

#[tokio::test]
async fn a_row_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = filled(&server).await;
    let bundle = ada.bundle("w").await;
    for (path, row) in [(A, &bundle["components"][0]), (R, &bundle["relationships"][0])] {
        ada.patch(path, row.clone()).await.ok();
    }
    ada.put(&format!("{W}/bulk"), bundle.clone()).await.ok();
    assert_eq!(ada.bundle("w").await, bundle);
}

#[tokio::test]
async fn keywords_are_trimmed_and_repeated_ones_are_removed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let row =
        ada.patch(A, json!({ "tags": [" b ", "a", "b", "B", "a\n"], "technology": ["C#", "C++", "C#"] })).await.ok();
    assert_eq!(row["component"]["tags"], json!(["b", "a", "B"]));
    assert_eq!(row["component"]["technology"], json!(["C#", "C++"]));
}
