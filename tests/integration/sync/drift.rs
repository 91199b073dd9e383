//! The drift report.

use serde_json::{Value, json};

use super::{COMPOSE, component, path, request, shop, stating_all, sync};
use crate::support::{TestClient, TestServer};

/// Kind and name of the differences.
async fn findings(client: &TestClient<'_>, query: &str) -> Vec<String> {
    let drift = client.get(&format!("/api/workspaces/shop/drift{query}")).await.ok();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let rows = drift["findings"].as_array().unwrap().iter();
    rows.map(|row| format!("{} {} {}", text(row, "finding"), text(row, "name"), text(row, "field")).trim().to_owned())
        .collect()
}

#[tokio::test]
async fn the_report_names_each_difference_with_its_place_and_who_made_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &stating_all(request(&ada, COMPOSE).await)).await;
    assert_eq!(findings(&ada, "?finding=differs").await, [""; 0]);
    ada.patch(&path(&component(&ada, "db").await), json!({ "typeId": "cache" })).await.ok();
    let new = json!({ "name": "Fraud check", "typeId": "service" });
    ada.post("/api/workspaces/shop/components", new).await.created();
    assert_eq!(findings(&ada, "?finding=differs").await, ["differs db type"]);
    assert_eq!(findings(&ada, "?finding=onlyOnMap").await, ["onlyOnMap Fraud check"]);
    let unowned = findings(&ada, "?finding=unowned").await;
    assert!(unowned.contains(&"unowned web".to_owned()) && !unowned.contains(&"unowned checkout".to_owned()));
    let drift = ada.get("/api/workspaces/shop/drift?finding=differs").await.ok();
    let row = &drift["findings"][0];
    assert_eq!((&row["sourceValue"], &row["mapValue"]), (&json!("database"), &json!("cache")));
    assert_eq!(
        (&row["file"], &row["line"], &row["lastChangedBy"]),
        (&json!("compose.yaml"), &json!(11), &json!("ada"))
    );
    assert_eq!(
        (&drift["counts"]["differs"], &drift["counts"]["onlyOnMap"], &drift["sources"]),
        (&json!(1), &json!(1), &json!(1))
    );
    ada.get("/api/workspaces/shop/drift?days=0").await.expect_error(400, "days: must be 1 to 3650");
}

#[tokio::test]
async fn a_relationship_that_is_only_in_code_is_a_difference_while_its_components_are_on_the_map() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let map = ada.get("/api/workspaces/shop").await.ok();
    let lines = map["relationships"].as_array().unwrap();
    let line = lines.iter().find(|row| row["sourceId"] == "checkout" && row["targetId"] == "db").unwrap();
    ada.delete(&format!("/api/workspaces/shop/relationships/{}", line["id"].as_str().unwrap())).await.ok();
    let only_in_code = async || {
        let drift = ada.get("/api/workspaces/shop/drift?finding=onlyInCode").await.ok();
        let rows = drift["findings"].as_array().unwrap().iter();
        rows.map(|row| json!([row["name"], row["sourceId"], row["targetId"]])).collect::<Vec<_>>()
    };
    assert_eq!(only_in_code().await, [json!(["checkout → db", "checkout", "db"])]);
    ada.delete(&path(&component(&ada, "db").await)).await.ok();
    assert_eq!(only_in_code().await, [json!(["db", null, null])]);
    let accepted = json!({ "kind": "component", "key": "db", "accepted": true });
    ada.patch("/api/workspaces/shop/sources/acme%2Fshop%3Acompose.yaml", accepted).await.ok();
    assert_eq!(only_in_code().await, [json!(null); 0]);
}

#[tokio::test]
async fn sources_are_compared_with_each_other() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = stating_all(request(&ada, COMPOSE).await);
    sync(&ada, &request).await;
    request["source"] = json!({ "id": "zz", "kind": "kubernetes" });
    request["adopt"] = json!(true);
    for row in request["reading"]["components"].as_array_mut().unwrap() {
        if row["name"] == "web" {
            row["typeId"] = json!("web-app");
        }
    }
    sync(&ada, &request).await;
    let drift = ada.get("/api/workspaces/shop/drift?finding=sourcesDiffer").await.ok();
    let row = &drift["findings"][0];
    assert_eq!((&row["name"], &row["field"]), (&json!("web"), &json!("type")), "{drift}");
    assert_eq!((&row["sourceValue"], &row["otherValue"]), (&json!("service"), &json!("web-app")));
    assert_eq!((&row["source"], &row["otherSource"]), (&json!("acme/shop:compose.yaml"), &json!("zz")));
}

#[tokio::test]
async fn without_sources_only_missing_owners_are_reported() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let new = json!({ "name": "Web", "typeId": "service" });
    ada.post("/api/workspaces/shop/components", new).await.created();
    assert_eq!(findings(&ada, "").await, ["unowned Web"]);
}

/// The owner of the component `checkout` on the map, as its stakeholder.
async fn owner(client: &TestClient<'_>) -> i64 {
    let id = component(client, "checkout").await["id"].clone();
    let bundle = client.bundle("shop").await;
    let rows = bundle["stakeholders"].as_array().unwrap();
    rows.iter().find(|row| row["componentId"] == id).unwrap()["id"].as_i64().unwrap()
}

#[tokio::test]
async fn an_owner_that_is_another_one_in_code_than_on_the_map_is_a_difference() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = request(&ada, COMPOSE).await;
    sync(&ada, &request).await;
    ada.post("/api/teams", json!({ "id": "core", "name": "Core" })).await.created();
    let checkout = component(&ada, "checkout").await;
    let add = json!({ "teamId": "core", "linkType": "owner" });
    ada.post(&format!("{}/stakeholders", path(&checkout)), add).await.created();
    assert_eq!(findings(&ada, "?finding=differs").await, [""; 0], "more owners are the map's own");

    let row = owner(&ada).await;
    ada.delete(&format!("{}/stakeholders/{row}", path(&checkout))).await.ok();
    let differs = async || ada.get("/api/workspaces/shop/drift?finding=differs").await.ok()["findings"].clone();
    let found = differs().await;
    assert_eq!(
        (found.as_array().unwrap().len(), &found[0]["field"], &found[0]["name"]),
        (1, &json!("owner"), &json!("checkout"))
    );
    assert_eq!((&found[0]["sourceValue"], &found[0]["mapValue"]), (&json!(["team:team-pay"]), &json!(["team:core"])));
    assert_eq!((&found[0]["file"], &found[0]["line"]), (&json!("compose.yaml"), &json!(6)));
    let again = sync(&ada, &request).await;
    assert_eq!((&again["counts"]["changed"], &again["counts"]["conflicts"]), (&json!(0), &json!(0)), "{again}");
    assert_eq!(differs().await.as_array().unwrap().len(), 1, "the next sync keeps what the user decided");
}

#[tokio::test]
async fn owners_and_relationships_of_two_sources_are_compared() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = request(&ada, COMPOSE).await;
    sync(&ada, &first).await;
    let mut second = request(&ada, &COMPOSE.replace("team-pay", "team-web")).await;
    second["source"] = json!({ "id": "zz", "kind": "kubernetes" });
    second["adopt"] = json!(true);
    for row in second["reading"]["relationships"].as_array_mut().unwrap() {
        row["technology"] = json!(["gRPC"]);
    }
    sync(&ada, &second).await;
    let mut changed = first.clone();
    for row in changed["reading"]["relationships"].as_array_mut().unwrap() {
        row["technology"] = json!(["HTTP"]);
    }
    sync(&ada, &changed).await;
    let drift = ada.get("/api/workspaces/shop/drift?finding=sourcesDiffer").await.ok();
    let of = |field: &str| {
        let rows = drift["findings"].as_array().unwrap().iter().filter(|row| row["field"] == field);
        rows.map(|row| (row["name"].as_str().unwrap(), row["sourceValue"].clone(), row["otherValue"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of("owner"), [("checkout", json!(["team:team-pay"]), json!(["team:team-web"]))], "{drift}");
    let lines = of("technology");
    assert!(lines.contains(&("checkout → db", json!(["HTTP"]), json!(["gRPC"]))), "{drift}");
}
