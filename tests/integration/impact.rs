//! Impact analysis and paths.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const IMPACT: &str = "/api/workspaces/w/impact";

/// Ada, and `web` calls `api` reads `db`; `job` writes `db`; `api` is related to `wiki`.
async fn map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["web", "api", "db", "job", "wiki"]).await;
    for (id, source, target, kind) in [
        ("web-api", "web", "api", "calls"),
        ("api-db", "api", "db", "reads"),
        ("job-db", "job", "db", "writes"),
        ("api-wiki", "api", "wiki", "related-to"),
    ] {
        let new = json!({ "id": id, "sourceId": source, "targetId": target, "typeId": kind });
        ada.post("/api/workspaces/w/relationships", new).await.created();
    }
    ada
}

/// For example `api 1 web-api`.
fn summaries(answer: &Value) -> Vec<String> {
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let all = answer["reached"].as_array().unwrap().iter();
    all.map(|one| format!("{} {} {}", text(one, "componentId"), one["distance"], text(one, "relationshipId"))).collect()
}

#[tokio::test]
async fn dependents_of_a_component_are_found_nearest_first() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let answer = ada.get(&format!("{IMPACT}?componentId=db")).await.ok();
    assert_eq!(summaries(&answer), ["api 1 api-db", "job 1 job-db", "web 2 web-api", "wiki 2 api-wiki"]);
    assert_eq!((&answer["direction"], &answer["componentId"]), (&json!("dependents"), &json!("db")));
    let web = answer["reached"].as_array().unwrap().iter().find(|one| one["componentId"] == "web").unwrap();
    assert_eq!((&web["from"], &web["name"], &web["typeId"]), (&json!("api"), &json!("web"), &json!("service")));
}

#[tokio::test]
async fn dependencies_of_a_component_are_found_along_the_arrows() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let answer = ada.get(&format!("{IMPACT}?componentId=web&direction=dependencies")).await.ok();
    assert_eq!(summaries(&answer), ["api 1 web-api", "db 2 api-db", "wiki 2 api-wiki"]);
    let near = ada.get(&format!("{IMPACT}?componentId=web&direction=dependencies&depth=1")).await.ok();
    assert_eq!(summaries(&near), ["api 1 web-api"]);
    let some =
        ada.get(&format!("{IMPACT}?componentId=web&direction=dependencies&relationTypes=calls,reads")).await.ok();
    assert_eq!(summaries(&some), ["api 1 web-api", "db 2 api-db"]);
}

#[tokio::test]
async fn paths_between_two_components_are_listed_shortest_first() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let direct = json!({ "id": "web-db", "sourceId": "web", "targetId": "db", "typeId": "reads" });
    ada.post("/api/workspaces/w/relationships", direct).await.created();
    let answer = ada.get(&format!("{IMPACT}/paths?from=web&to=db")).await.ok();
    let expected = json!({ "complete": true, "paths": [
        { "componentIds": ["web", "db"], "relationshipIds": ["web-db"] },
        { "componentIds": ["web", "api", "db"], "relationshipIds": ["web-api", "api-db"] },
    ] });
    assert_eq!(answer, expected);
    let one = ada.get(&format!("{IMPACT}/paths?from=web&to=db&count=1")).await.ok();
    assert_eq!((one["paths"].as_array().unwrap().len(), &one["complete"]), (1, &json!(false)));
    assert_eq!(ada.get(&format!("{IMPACT}/paths?from=db&to=web")).await.ok(), json!({ "paths": [], "complete": true }));
}

#[tokio::test]
async fn an_invalid_query_is_rejected_by_parameter() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for (query, field) in [
        ("?componentId=web&depth=0", "depth"),
        ("?componentId=web&depth=101", "depth"),
        ("?componentId=web&relationTypes=calls,nonsense", "relationTypes"),
        ("/paths?from=web&to=db&count=51", "count"),
        ("/paths?from=web&to=db&longest=0", "longest"),
    ] {
        assert_eq!(ada.get(&format!("{IMPACT}{query}")).await.expect_error(400, field)["field"], field, "{query}");
    }
    for query in ["?componentId=none", "/paths?from=none&to=db", "/paths?from=web&to=none"] {
        ada.get(&format!("{IMPACT}{query}")).await.expect_error(404, "component");
    }
    for (query, named) in [
        ("", "componentId"),
        ("?componentId=web&direction=up", "dependents"),
        ("?componentId=web&depth=many", "depth"),
        ("/paths?from=web", "to"),
    ] {
        ada.get(&format!("{IMPACT}{query}")).await.expect_error(400, named);
    }
}
