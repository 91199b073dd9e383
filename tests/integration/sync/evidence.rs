//! Service graphs: evidence for the drift report, drawn on request.

use serde_json::{Value, json};

use super::{COMPOSE, read, request, shop, sync};
use crate::support::{TestClient, TestServer};

/// A request with the calls of a service graph.
async fn calls(client: &TestClient<'_>, calls: &[(String, String)]) -> Value {
    let rows: Vec<Value> =
        calls.iter().map(|(parent, child)| json!({ "parent": parent, "child": child, "callCount": 7 })).collect();
    let found = read(client, "dependencies.json", &json!({ "data": rows }).to_string()).await;
    assert_eq!((&found["format"], &found["isObserved"]), (&json!("servicegraph"), &json!(true)));
    json!({ "source": { "id": "traces", "kind": "servicegraph" }, "reading": found["reading"] })
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

/// The names of the differences of a kind.
async fn names(client: &TestClient<'_>, query: &str) -> Vec<String> {
    let drift = client.get(&format!("/api/workspaces/shop/drift?{query}")).await.ok();
    drift["findings"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_was_seen_is_compared_with_the_map_and_not_drawn() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let before = super::contents(&ada).await;
    let seen = calls(&ada, &pairs(&[("web", "checkout-service"), ("web", "fraud"), ("db", "web")])).await;
    let report = sync(&ada, &seen).await;
    assert_eq!((&report["isInStep"], &report["changeSetId"]), (&json!(true), &Value::Null), "{report}");
    assert_eq!(super::contents(&ada).await, before);
    assert_eq!(names(&ada, "finding=seenNotDrawn").await, ["fraud", "db → web"]);
    let drift = ada.get("/api/workspaces/shop/drift?finding=seenNotDrawn").await.ok();
    let ends = drift["findings"].as_array().unwrap().iter().map(|row| (&row["sourceId"], &row["targetId"]));
    // Of a call from or to a component that is not on the map, no line can be drawn.
    assert_eq!(ends.collect::<Vec<_>>(), [(&Value::Null, &Value::Null), (&json!("db"), &json!("web"))]);
    // The declared call from checkout to db was not seen, although traces know both.
    assert_eq!(names(&ada, "finding=drawnNotSeen").await, ["checkout → db"]);
    // It is missing for long only if it was seen before.
    sync(&ada, &calls(&ada, &pairs(&[("web", "checkout"), ("checkout", "db")])).await).await;
    sync(&ada, &calls(&ada, &pairs(&[("web", "checkout"), ("db", "checkout")])).await).await;
    assert_eq!(names(&ada, "finding=drawnNotSeen").await, [""; 0]);
}

#[tokio::test]
async fn numbers_of_calls_that_are_drawn_are_no_difference() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = calls(&ada, &pairs(&[("web", "cart")])).await;
    request["draw"] = json!(true);
    sync(&ada, &request).await;
    let row = &mut request["reading"]["relationships"][0]["properties"];
    assert_eq!(*row, json!({ "callCount": 7 }));
    *row = json!({ "callCount": 8, "errorRate": 0.5 });
    let report = sync(&ada, &request).await;
    assert_eq!((&report["isInStep"], &report["changed"]), (&json!(true), &json!([])), "{report}");
}

#[tokio::test]
async fn a_service_graph_of_1200_components_is_drawn_on_request() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let graph: Vec<_> = (1..1_200).map(|n| (format!("svc-{}", (n - 1) / 3), format!("svc-{n}"))).collect();
    let mut request = calls(&ada, &graph).await;
    request["draw"] = json!(true);
    let report = sync(&ada, &request).await;
    assert_eq!(report["counts"]["added"], 1_200 + 1_199, "{}", report["counts"]);
    assert_eq!(report["added"].as_array().unwrap().len(), 2_000, "lists are limited");
    let bundle = ada.bundle("shop").await;
    let rows = bundle["components"].as_array().unwrap();
    let places: std::collections::BTreeSet<String> =
        rows.iter().map(|row| format!("{} {}", row["x"], row["y"])).collect();
    assert_eq!((rows.len(), places.len()), (1_200, 1_200), "each component has a place of its own");
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}
