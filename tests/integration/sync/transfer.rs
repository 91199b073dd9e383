//! Sources in workspace files.

use serde_json::{Value, json};

use super::{COMPOSE, request, shop, sync};
use crate::support::TestServer;

#[tokio::test]
async fn a_file_carries_sources_along() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = request(&ada, COMPOSE).await;
    sync(&ada, &request).await;
    let file = ada.get("/api/workspaces/shop/export").await.ok();
    assert_eq!(file["sources"][0]["id"], "acme/shop:compose.yaml");
    ada.post("/api/import?id=copy", file.clone()).await.created();
    let copy = ada.get("/api/workspaces/copy/export").await.ok();
    assert_eq!((&copy["sources"], &copy["components"]), (&file["sources"], &file["components"]));
    let report = ada.post("/api/workspaces/copy/sync", request.clone()).await.ok();
    assert_eq!((&report["isInStep"], &report["counts"]["added"]), (&json!(true), &json!(0)), "{report}");
    let mut nulls = file.clone();
    for field in ["inferred", "volatile", "isHome", "separate"] {
        nulls["sources"][0]["claims"][0][field] = Value::Null;
    }
    ada.post("/api/import?id=nulls", nulls).await.created();
    let mut wrong = file;
    wrong["sources"][0]["claims"][0]["kind"] = json!("link");
    ada.post("/api/import?id=third", wrong).await.expect_error(400, "sources[0].claims[0].kind: must be `component`");
}

#[tokio::test]
async fn the_file_of_a_map_without_sources_has_none() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    assert_eq!(ada.get("/api/workspaces/shop/export").await.ok()["sources"], Value::Null);
}

#[tokio::test]
async fn tags_of_images_that_earlier_versions_kept_on_the_map_are_no_conflict() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = request(&ada, COMPOSE).await;
    sync(&ada, &request).await;
    let mut file = ada.get("/api/workspaces/shop/export").await.ok();
    let is_db = |row: &&mut Value| row["key"] == "db" || row["name"] == "db";
    file["components"].as_array_mut().unwrap().iter_mut().find(is_db).unwrap()["properties"]["image"] =
        json!("postgres:16");
    let claims = file["sources"][0]["claims"].as_array_mut().unwrap();
    claims.iter_mut().find(is_db).unwrap()["base"]["properties.image"] = json!("postgres:17");
    ada.post("/api/import?id=copy", file).await.created();
    let report = ada.post("/api/workspaces/copy/sync", request).await.ok();
    assert_eq!((&report["conflicts"], &report["counts"]["changed"]), (&json!([]), &json!(1)), "{report}");
    let db = ada.get("/api/workspaces/copy/components/db").await.ok();
    assert_eq!(db["component"]["properties"]["image"], "postgres");
}
