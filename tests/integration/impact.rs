//! Impact analysis and paths.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const IMPACT: &str = "/api/workspaces/w/impact";

/// Ada, and `web` calls `api` reads `db`; `job` writes `db`; `api` is related to `wiki`; `db` streams to `lake`, which is in
/// `data`.
async fn map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["web", "api", "db", "job", "wiki", "lake", "data"]).await;
    for (id, source, target, kind) in [
        ("web-api", "web", "api", "calls"),
        ("api-db", "api", "db", "reads"),
        ("job-db", "job", "db", "writes"),
        ("api-wiki", "api", "wiki", "related-to"),
        ("db-lake", "db", "lake", "streams-to"),
        ("data-lake", "data", "lake", "contains"),
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
    assert_eq!(summaries(&answer), ["api 1 api-db", "job 1 job-db", "lake 1 db-lake", "web 2 web-api"]);
    assert_eq!((&answer["direction"], &answer["componentId"]), (&json!("dependents"), &json!("db")));
    let web = answer["reached"].as_array().unwrap().iter().find(|one| one["componentId"] == "web").unwrap();
    assert_eq!((&web["from"], &web["name"], &web["typeId"]), (&json!("api"), &json!("web"), &json!("service")));
    assert_eq!((&web["relationTypeId"], &web["label"]), (&json!("calls"), &Value::Null));
    assert_eq!((&answer["groups"], &answer["notFollowed"]), (&json!(["data"]), &json!({ "related-to": 1 })));
    let related = ada.get(&format!("{IMPACT}?componentId=wiki&relationTypes=related-to")).await.ok();
    assert_eq!(summaries(&related), ["api 1 api-wiki"], "undirected relationships are followed both ways");
    assert_eq!(related["notFollowed"], json!({ "calls": 1 }), "and lead no further than asked");
}

#[tokio::test]
async fn a_stream_makes_its_target_depend_on_its_source() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let needed = ada.get(&format!("{IMPACT}?componentId=lake&direction=dependencies")).await.ok();
    assert_eq!(summaries(&needed), ["db 1 db-lake"]);
    let source = ada.get(&format!("{IMPACT}?componentId=db&direction=dependencies")).await.ok();
    assert_eq!(summaries(&source), [""; 0]);
    let path = ada.get(&format!("{IMPACT}/paths?from=lake&to=db")).await.ok();
    assert_eq!(path["paths"][0]["relationTypeIds"], json!(["streams-to"]));
    assert_eq!(ada.get(&format!("{IMPACT}/paths?from=db&to=lake")).await.ok()["paths"], json!([]));
    // A type without a dependency is followed from source to target, and only on request.
    assert_eq!(ada.get(&format!("{IMPACT}/paths?from=data&to=lake")).await.ok()["paths"], json!([]));
    let asked = ada.get(&format!("{IMPACT}/paths?from=data&to=lake&relationTypes=contains")).await.ok();
    assert_eq!(asked["paths"][0]["componentIds"], json!(["data", "lake"]));
}

#[tokio::test]
async fn an_impact_names_the_affected_processes_and_owners() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for id in ["grace", "henrik"] {
        ada.post("/api/people", json!({ "id": id, "name": id })).await.created();
    }
    ada.post("/api/teams", json!({ "id": "core", "name": "Core" })).await.created();
    for (component, who) in [
        ("api", json!({ "teamId": "core", "linkType": "owner" })),
        ("web", json!({ "teamId": "core", "linkType": "owner" })),
        ("job", json!({ "personId": "grace", "linkType": "owner" })),
        ("web", json!({ "personId": "henrik", "linkType": "support" })),
        ("db", json!({ "personId": "henrik", "linkType": "owner" })),
    ] {
        ada.post(&format!("/api/workspaces/w/components/{component}/stakeholders"), who).await.created();
    }
    for (id, participant) in [("show", "web"), ("index", "wiki")] {
        let process = json!({ "id": id, "name": id, "mermaid": "sequenceDiagram\n  A->>B: x", "participants": { "A": participant } });
        ada.post("/api/workspaces/w/processes", process).await.created();
    }
    let answer = ada.get(&format!("{IMPACT}?componentId=db")).await.ok();
    let owners = json!([
        { "personId": null, "teamId": "core", "name": "Core", "componentCount": 2 },
        { "personId": "grace", "teamId": null, "name": "grace", "componentCount": 1 },
    ]);
    assert_eq!(answer["owners"], owners, "owners of what depends on it, and no other roles");
    assert_eq!(answer["processes"], json!([{ "processId": "show", "name": "show" }]));
}

#[tokio::test]
async fn dependencies_of_a_component_are_found_along_the_arrows() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let answer = ada.get(&format!("{IMPACT}?componentId=web&direction=dependencies")).await.ok();
    assert_eq!(summaries(&answer), ["api 1 web-api", "db 2 api-db"]);
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
        { "componentIds": ["web", "db"], "relationshipIds": ["web-db"], "relationTypeIds": ["reads"] },
        { "componentIds": ["web", "api", "db"], "relationshipIds": ["web-api", "api-db"], "relationTypeIds": ["calls", "reads"] },
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
