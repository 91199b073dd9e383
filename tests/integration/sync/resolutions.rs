//! Decisions about single conflicts of a sync.

use axum::http::Method;
use serde_json::{Value, json};

use super::{COMPOSE, component, contents, fields, path, preview, request, shop, stating_all, sync};
use crate::support::{TestClient, TestServer};

const SYNC: &str = "/api/workspaces/shop/sync";

/// A synced map on which `web` and `checkout` were changed, and a request that changes the same fields.
async fn conflicting(ada: &TestClient<'_>) -> Value {
    let mut first = stating_all(request(ada, COMPOSE).await);
    first["reading"]["components"][0]["description"] = json!("Before");
    sync(ada, &first).await;
    let (web, checkout) = (component(ada, "web").await, component(ada, "checkout").await);
    ada.patch(&path(&web), json!({ "name": "Front", "description": "Of the map" })).await.ok();
    ada.patch(&path(&checkout), json!({ "name": "Basket" })).await.ok();
    first["reading"]["components"][0]["name"] = json!("Storefront");
    first["reading"]["components"][0]["description"] = json!("Of the files");
    first["reading"]["components"][1]["name"] = json!("Checkout 2");
    first
}

/// A decision about a component.
fn decision(key: &str, field: &str, take: &str) -> Value {
    json!({ "kind": "component", "key": key, "field": field, "take": take })
}

/// The side that is taken for a field of a conflicting row.
fn taken(report: &Value, key: &str, field: &str) -> Value {
    let row = report["conflicts"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap();
    row["fields"].as_array().unwrap().iter().find(|one| one["field"] == field).unwrap()["taken"].clone()
}

#[tokio::test]
async fn each_field_is_decided_for_the_files_or_for_the_map_and_undo_takes_the_decisions_back() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = conflicting(&ada).await;
    let before = contents(&ada).await;
    request["resolutions"] = json!([
        decision("web", "name", "map"),
        decision("web", "description", "source"),
        decision("checkout", "name", "source")
    ]);
    let previewed = preview(&ada, &request).await;
    assert_eq!(contents(&ada).await, before, "a preview writes nothing");
    assert_eq!(taken(&previewed, "web", "name"), "map");
    let report = sync(&ada, &request).await;
    assert_eq!(report["conflicts"], previewed["conflicts"]);
    let web = component(&ada, "Front").await;
    assert_eq!(web["description"], "Of the files");
    component(&ada, "Checkout 2").await;
    // What was decided is no conflict anymore, also without the decisions.
    request["resolutions"] = json!([]);
    let again = preview(&ada, &request).await;
    assert_eq!((&again["conflicts"], &again["isInStep"]), (&json!([]), &json!(true)), "{again}");
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": report["changeSetId"] })).await.ok();
    assert_eq!(contents(&ada).await, before);
}

#[tokio::test]
async fn a_decision_about_a_field_precedes_that_of_its_row_the_policy_and_the_rest() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = conflicting(&ada).await;
    request["policy"] = json!({ "description": "ask" });
    request["otherwise"] = json!("map");
    let report = preview(&ada, &request).await;
    assert_eq!(taken(&report, "web", "name"), "map", "the rest");
    assert_eq!(taken(&report, "web", "description"), "none", "the policy");
    request["resolutions"] =
        json!([{ "kind": "component", "key": "web", "take": "source" }, decision("web", "name", "ask")]);
    let report = preview(&ada, &request).await;
    assert_eq!(taken(&report, "web", "description"), "source", "the row");
    assert_eq!(taken(&report, "web", "name"), "none", "the field");
    assert_eq!(taken(&report, "checkout", "name"), "map", "the rest");
    // What is left open is a conflict again the next time.
    sync(&ada, &request).await;
    request["resolutions"] = json!([]);
    assert_eq!(fields(&preview(&ada, &request).await, "conflicts", "web"), ["name"]);
}

#[tokio::test]
async fn decisions_about_what_is_no_conflict_anymore_are_ignored() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = conflicting(&ada).await;
    request["resolutions"] = json!([
        decision("web", "name", "source"),
        decision("web", "type", "source"),
        decision("checkout", "name", "source")
    ]);
    // Between the preview and the sync, one name becomes that of the files, and a component is deleted.
    ada.patch(&path(&component(&ada, "Front").await), json!({ "name": "Storefront" })).await.ok();
    ada.delete(&path(&component(&ada, "Basket").await)).await.ok();
    let report = sync(&ada, &request).await;
    assert_eq!(fields(&report, "conflicts", "web"), ["description"]);
    assert_eq!(report["deletedOnMap"][0]["key"], "checkout");
}

#[tokio::test]
async fn a_decision_applies_to_a_component_that_is_found_on_the_map() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let new = json!({ "typeId": "service", "name": "Checkout", "description": "By hand" });
    ada.post("/api/workspaces/shop/components", new).await.created();
    let mut request = request(&ada, COMPOSE).await;
    request["adopt"] = json!(true);
    request["reading"]["components"][1]["description"] = json!("Of the files");
    request["resolutions"] = json!([decision("checkout", "description", "source")]);
    sync(&ada, &request).await;
    assert_eq!(component(&ada, "Checkout").await["description"], "Of the files");
}

#[tokio::test]
async fn decisions_about_unknown_rows_and_fields_are_refused_and_named() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = conflicting(&ada).await;
    let before = contents(&ada).await;
    let cases = [
        (
            decision("nothing", "name", "map"),
            json!(["resolutions", 1, "key"]),
            "there is no component with the key `nothing`",
        ),
        (decision("web", "nme", "map"), json!(["resolutions", 1, "field"]), "a component has no field `nme`"),
        (decision("web", "properties.", "map"), json!(["resolutions", 1, "field"]), "a component has no field"),
        (decision("web", "mermaid", "map"), json!(["resolutions", 1, "field"]), "a component has no field `mermaid`"),
        (
            json!({ "kind": "link", "key": "web", "take": "map" }),
            json!(["resolutions", 1, "kind"]),
            "component, relationship",
        ),
        (decision("web", "name", "source"), json!(["resolutions", 1]), ""),
        (decision("web", "type", "mine"), json!(["resolutions", 1, "take"]), ""),
    ];
    for (wrong, at, text) in cases {
        let mut request = request.clone();
        request["resolutions"] = json!([decision("web", "name", "map"), wrong]);
        let reply = ada.send(Method::POST, SYNC, Some(request)).await;
        let error = reply.expect_error(400, text);
        assert_eq!(error["path"], at, "{error}");
    }
    let many: Vec<Value> = (0..10_001).map(|at| decision("web", &format!("properties.p{at}"), "map")).collect();
    let mut large = request.clone();
    large["resolutions"] = json!(many);
    ada.send(Method::POST, SYNC, Some(large)).await.expect_error(400, "10000");
    assert_eq!(contents(&ada).await, before);
}
