//! Undo of a sync.

use serde_json::json;

use super::{
    COMPOSE, component, contents, keys, path, read, request,
    runs::{run, source},
    shop, sync,
};
use crate::support::TestServer;

#[tokio::test]
async fn undo_of_a_sync_restores_everything_and_the_next_sync_offers_it_again() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = request(&ada, COMPOSE).await;
    sync(&ada, &first).await;
    let before = contents(&ada).await;
    let changed = COMPOSE.replace("postgres:17", "redis").replace("    depends_on: [db]\n", "");
    let mut next = request(&ada, &format!("{changed}  cache:\n    image: redis\n")).await;
    next["prune"] = json!(true);
    let report = sync(&ada, &next).await;
    for list in ["added", "changed", "removed"] {
        assert!(report["counts"][list].as_i64().unwrap() > 0, "{list}: {report}");
    }
    let after = contents(&ada).await;
    let undo = json!({ "changeSetId": report["changeSetId"] });
    let undone = ada.post("/api/workspaces/shop/undo", undo).await.ok();
    assert_eq!(contents(&ada).await, before);
    let again = sync(&ada, &next).await;
    assert_eq!(keys(&again, "added", "component"), ["cache"], "{again}");
    assert_eq!(again["counts"]["removed"], report["counts"]["removed"], "{again}");
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": again["changeSetId"] })).await.ok();
    // Redo of the first undo: the rows are those of the source again.
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(contents(&ada).await, after);
    assert_eq!(sync(&ada, &next).await["isInStep"], true);
}

#[tokio::test]
async fn what_a_person_deletes_stays_deleted_until_they_ask_for_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = request(&ada, COMPOSE).await;
    sync(&ada, &request).await;
    ada.delete(&path(&component(&ada, "db").await)).await.ok();
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "deletedOnMap", "component"), ["db"], "{report}");
    assert_eq!(report["isInStep"], false, "nobody has accepted it: {report}");
    let drift = ada.get("/api/workspaces/shop/drift?finding=onlyInCode").await.ok();
    assert!(
        drift["findings"].as_array().unwrap().iter().any(|row| row["key"] == "db" && row["line"].is_i64()),
        "{drift}"
    );
    request["restore"] = json!(["db"]);
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "added", "component"), ["db"]);
    assert_eq!(keys(&report, "added", "relationship").len(), 1, "with its relationships: {report}");
    request["restore"] = json!([]);
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn what_a_person_deleted_stays_deleted_when_it_was_missing_for_a_while() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let more = request(&ada, &format!("{COMPOSE}  cache:\n    image: redis\n")).await;
    sync(&ada, &more).await;
    ada.delete(&path(&component(&ada, "cache").await)).await.ok();
    server.clock.advance(1_000);
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let report = sync(&ada, &more).await;
    assert_eq!(keys(&report, "deletedOnMap", "component"), ["cache"], "{report}");
}

#[tokio::test]
async fn a_deleted_component_stays_deleted_when_another_repository_draws_one_with_its_name() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", COMPOSE).await]);
    sync(&ada, &own).await;
    for id in ["web", "db"] {
        ada.delete(&format!("/api/workspaces/shop/components/{id}")).await.ok();
    }
    let other = COMPOSE.replace("acme/", "bank/");
    let other = run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &other).await]);
    sync(&ada, &other).await;
    let before = contents(&ada).await;
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "deletedOnMap", "component"), ["web", "db"], "{report}");
    assert_eq!(contents(&ada).await, before, "the rows of the other repository are not those that were deleted");
    assert_eq!(sync(&ada, &other).await["isInStep"], true);
}

#[tokio::test]
async fn deleting_a_source_keeps_its_rows() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = request(&ada, COMPOSE).await;
    sync(&ada, &request).await;
    let before = contents(&ada).await;
    let path = "/api/workspaces/shop/sources/acme%2Fshop%3Acompose.yaml";
    ada.delete(path).await.ok();
    ada.get(path).await.expect_error(404, "source not found");
    assert_eq!(contents(&ada).await, before);
    request["adopt"] = json!(true);
    let report = sync(&ada, &request).await;
    assert_eq!(
        (&report["counts"]["added"], report["adopted"].as_array().unwrap().len() > 3),
        (&json!(0), true),
        "{report}"
    );
}

#[tokio::test]
async fn a_sync_that_removes_the_group_of_components_that_stay_can_be_undone_and_redone() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let group = |name: &str| {
        format!("  group \"{name}\" {{\n    web = softwareSystem \"Web\"\n    db = softwareSystem \"DB\"\n  }}\n")
    };
    let none = "  web = softwareSystem \"Web\"\n  db = softwareSystem \"DB\"\n".to_owned();
    let mut next = json!({ "source": { "id": "model", "kind": "structurizr-dsl" }, "prune": true });
    let mut states = Vec::new();
    for groups in [group("Old"), group("New"), none, group("Newest")] {
        let model = format!("workspace {{\n model {{\n{groups} }}\n}}\n");
        next["reading"] = read(&ada, "workspace.dsl", &model).await["reading"].clone();
        next["allowMassRemoval"] = json!(true);
        let report = sync(&ada, &next).await;
        states.push((report["changeSetId"].clone(), contents(&ada).await));
    }
    component(&ada, "Newest").await;
    let mut undone = Vec::new();
    for n in (1..states.len()).rev() {
        let undo = json!({ "changeSetId": states[n].0 });
        undone.push(ada.post("/api/workspaces/shop/undo", undo).await.ok()["changeSetId"].clone());
        assert_eq!(contents(&ada).await, states[n - 1].1, "without sync {n}");
    }
    for (change_set, (_, expected)) in undone.iter().rev().zip(&states[1..]) {
        ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": change_set })).await.ok();
        assert_eq!(contents(&ada).await, *expected);
    }
}
