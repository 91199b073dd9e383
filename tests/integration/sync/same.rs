//! `same`: components that the configuration names as ones that are on the map, also after they were drawn apart.

use serde_json::{Value, json};

use super::{
    keys, preview,
    runs::{compose, names, notes, run, source},
    shop, sync,
};
use crate::support::{TestClient, TestServer};

/// The run of a repository that starts `payments` of the bank beside its own service, with what `same` names.
pub async fn booking(ada: &TestClient<'_>, same: Value) -> Value {
    let file = "services:\n  booking:\n    image: acme/booking\n    depends_on: [pay]\n  pay:\n    image: acme/pay:9\n    \
                labels: { planroom.owner: desk }\n";
    let mut request = run("booking", &[source(ada, "booking:compose.yaml", "compose.yaml", file).await]);
    request["same"] = same;
    request
}

/// A map on which the service `pay` of the bank is drawn a second time for booking.
pub async fn twins(server: &TestServer) -> TestClient<'_> {
    let ada = shop(server).await;
    let bank = run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await]);
    sync(&ada, &bank).await;
    server.clock.advance(1_000);
    sync(&ada, &booking(&ada, json!({})).await).await;
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay", "pay"]);
    server.clock.advance(1_000);
    ada
}

/// The relationships and the owners of the map.
async fn attached(ada: &TestClient<'_>) -> Value {
    let bundle = ada.bundle("shop").await;
    let lines = bundle["relationships"].as_array().unwrap().iter();
    let lines: Vec<_> = lines.map(|row| json!([row["sourceId"], row["targetId"]])).collect();
    let owners = bundle["stakeholders"].as_array().unwrap().iter();
    let owners: Vec<_> = owners.map(|row| json!([row["componentId"], row["teamId"]])).collect();
    json!({ "lines": lines, "owners": owners })
}

#[tokio::test]
async fn a_component_that_was_drawn_apart_is_merged_into_the_one_that_same_names() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "removed", "component"), ["pay-2"], "{report}");
    assert_eq!(report["removed"][0]["mergedInto"], "pay", "{report}");
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay"]);
    let one = json!({ "lines": [["booking", "pay"]], "owners": [["pay", "desk"]] });
    assert_eq!(attached(&ada).await, one);
    let pay = ada.get("/api/workspaces/shop/components/pay").await.ok();
    assert_eq!(pay["component"]["properties"]["image"], "acme/pay");
    let again = sync(&ada, &request).await;
    assert_eq!((&again["isInStep"], &again["changeSetId"]), (&json!(true), &Value::Null), "{again}");
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": report["changeSetId"] })).await.ok();
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay", "pay"]);
}

#[tokio::test]
async fn a_component_that_someone_edited_becomes_the_one_that_same_names_when_it_is_deleted() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    ada.patch("/api/workspaces/shop/components/pay-2", json!({ "description": "For the desk" })).await.ok();
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    let report = preview(&ada, &request).await;
    assert!(notes(&report).contains("which is the component pay-2; someone has drawn or edited it"), "{report}");
    assert_eq!(report["counts"]["removed"], 0, "{report}");
    ada.delete("/api/workspaces/shop/components/pay-2").await.ok();
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "deletedOnMap", "component"), [""; 0], "{report}");
    let one = json!({ "lines": [["booking", "pay"]], "owners": [["pay", "desk"]] });
    assert_eq!((names(&ada).await.len(), attached(&ada).await), (4, one));
    assert_eq!(preview(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn a_component_that_was_split_off_stays_apart_although_same_names_the_other_one() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    sync(&ada, &request).await;
    let split = json!({ "kind": "component", "key": "pay", "split": true });
    ada.patch("/api/workspaces/shop/sources/booking%3Acompose.yaml", split).await.ok();
    for _ in 0..2 {
        sync(&ada, &request).await;
        assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay", "pay"]);
    }
}

#[tokio::test]
async fn a_component_that_was_split_off_stays_apart_although_its_file_names_the_other_one() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    ada.post("/api/workspaces/shop/components", json!({ "id": "till", "name": "Till", "typeId": "service" })).await;
    let file = "services:\n  pay:\n    image: acme/pay\n    labels: { planroom.id: till }\n";
    let request = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", file).await]);
    assert_eq!(keys(&sync(&ada, &request).await, "adopted", "component"), ["pay"]);
    let split = json!({ "kind": "component", "key": "pay", "split": true });
    ada.patch("/api/workspaces/shop/sources/shop%3Acompose.yaml", split).await.ok();
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "added", "component"), ["pay"], "{report}");
    let told = "`planroom.id` names `till` for `pay`, but it was split off from that, and stays apart";
    assert!(notes(&report).contains(told), "{report}");
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
    assert_eq!(names(&ada).await, ["Till", "pay"]);
}

#[tokio::test]
async fn a_name_that_is_no_longer_on_the_map_is_told_although_the_component_is_matched() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    sync(&ada, &booking(&ada, json!({ "pay": "bank/pay" })).await).await;
    let report = sync(&ada, &booking(&ada, json!({ "pay": "bank/payments" })).await).await;
    assert!(notes(&report).contains("`same` names `bank/payments` for `pay`, which is not on the map"), "{report}");
}

#[tokio::test]
async fn a_name_that_several_components_have_is_matched_by_an_id() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let gateway = |namespace: &str| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{ name: gateway, namespace: {namespace} }}\nspec: {{ \
             template: {{ spec: {{ containers: [] }} }} }}\n"
        )
    };
    let files = format!("{}{}", gateway("red"), gateway("blue"));
    sync(&ada, &run("bank", &[source(&ada, "bank:k8s.yaml", "k8s.yaml", &files).await])).await;
    let mut request = run(
        "shop",
        &[source(&ada, "shop:compose.yaml", "compose.yaml", "services:\n  gateway:\n    image: a/g\n").await],
    );
    let told = notes(&preview(&ada, &request).await);
    assert!(told.contains("to match it with one of them, add `same: { gateway: ID }`"), "{told}");
    request["same"] = json!({ "gateway": "bank/gateway" });
    let told = notes(&preview(&ada, &request).await);
    assert!(
        told.contains("`same` names `bank/gateway` for `gateway`, which several components have; name one by"),
        "{told}"
    );
    let id = ada.bundle("shop").await["components"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|row| (row["typeId"] == "service").then(|| row["id"].clone()));
    request["same"] = json!({ "gateway": id });
    assert_eq!(keys(&sync(&ada, &request).await, "adopted", "component"), ["gateway"]);
}

#[tokio::test]
async fn a_component_that_is_a_stop_of_a_tour_is_not_merged() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let stops = json!([{ "text": "Here we pay", "target": { "componentId": "pay-2" } }]);
    ada.post("/api/workspaces/shop/tours", json!({ "name": "First day", "stops": stops })).await.created();
    let report = sync(&ada, &booking(&ada, json!({ "pay": "bank/pay" })).await).await;
    let told = "someone has drawn or edited it, or refers to it, so it was not merged.";
    assert!(notes(&report).contains(told), "{report}");
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay", "pay"]);
}
