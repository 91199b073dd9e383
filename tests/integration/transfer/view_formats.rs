//! Exports of one view in the formats of other tools.

use import::{Files, Options, Reading};
use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

const FORMATS: [&str; 5] = ["structurizr-dsl", "structurizr-json", "mermaid-c4", "plantuml-c4", "drawio"];

fn ids(components: &[&str]) -> Value {
    json!({ "include": [{ "ids": components }] })
}

/// The workspace `w`: a group with `web` that calls `pay`, which calls `db`; and the view `front` of the group, `web` and
/// `pay`.
async fn map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.post("/api/workspaces/w/components", json!({ "id": "box", "typeId": "group", "name": "Box" })).await.created();
    ada.create_components("w", &["web", "pay", "db"]).await;
    for (id, source, kind, target) in
        [("in", "box", "contains", "web"), ("r1", "web", "calls", "pay"), ("r2", "pay", "calls", "db")]
    {
        ada.create_relationship("w", id, source, kind, target).await;
    }
    for (id, text, last) in [("buy", "A->>B: buy", "pay"), ("store", "A->>B: store", "db")] {
        let participants = json!({ "A": "web", "B": last });
        let process = json!({ "id": id, "name": id, "mermaid": format!("sequenceDiagram\n{text}\n"),
                              "participants": participants });
        ada.post("/api/workspaces/w/processes", process).await.created();
    }
    let view = json!({ "id": "front", "name": "Front view", "description": "What is in front", "layout": "own",
                       "definition": ids(&["box", "web", "pay"]) });
    ada.post("/api/workspaces/w/views", view).await.created();
    ada
}

fn read(reply: &TestResponse) -> Reading {
    assert_eq!(reply.status, 200, "{reply}");
    let files = Files::of("file", reply.bytes.clone()).unwrap();
    let found = import::recognize(&files).unwrap();
    import::read(found, &files, &Options::default()).unwrap()
}

fn names(reading: &Reading) -> Vec<&str> {
    let mut names: Vec<&str> = reading.components.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_file_contains_only_what_the_view_shows() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for format in FORMATS {
        let reply = ada.get(&format!("/api/workspaces/w/export?format={format}&view=front")).await;
        let reading = read(&reply);
        assert_eq!(names(&reading), ["Box", "pay", "web"], "{format}");
        let arrows = reading.relationships.iter().filter(|one| one.type_id != "contains").count();
        assert_eq!(arrows, 1, "{format}");
        assert!(reply.to_string().contains("Front view"), "{format}");
        assert!(!reply.to_string().contains("\"db\""), "{format}");
        if format.starts_with("structurizr") {
            let processes: Vec<&str> = reading.processes.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(processes, ["buy"], "{format}");
        }
        let all = read(&ada.get(&format!("/api/workspaces/w/export?format={format}")).await);
        assert_eq!(names(&all), ["Box", "db", "pay", "web"], "{format}");
    }
}

#[tokio::test]
async fn shapes_are_at_the_positions_of_the_view() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let places =
        json!([{ "componentId": "pay", "x": 4_000.0, "y": 3_000.0 }, { "componentId": "web", "x": 0.0, "y": 0.0 }]);
    let own =
        json!({ "id": "mine", "name": "Mine", "layout": "own", "places": places, "definition": ids(&["web", "pay"]) });
    ada.post("/api/workspaces/w/views/personal", own).await.created();
    let path = "/api/workspaces/w/views/personal/mine/export";
    let reading = read(&ada.get(&format!("{path}?format=drawio")).await);
    let pay = reading.components.iter().find(|one| one.id == "pay").unwrap();
    assert_eq!((pay.x, pay.y), (Some(4_000.0), Some(3_000.0)));
    assert_eq!(names(&reading), ["pay", "web"]);
    // On the map, it is elsewhere.
    let reading = read(&ada.get("/api/workspaces/w/export?format=drawio").await);
    let pay = reading.components.iter().find(|one| one.id == "pay").unwrap();
    assert_ne!((pay.x, pay.y), (Some(4_000.0), Some(3_000.0)));
}

#[tokio::test]
async fn a_personal_view_is_exported_by_its_user_only() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = map(&server).await;
    server.grant("w", bob, "viewer");
    let bob = server.sign_in("bob").await;
    let own = json!({ "id": "mine", "name": "Secret plan", "definition": ids(&["web"]) });
    bob.post("/api/workspaces/w/views/personal", own).await.created();
    let path = "/api/workspaces/w/views/personal/mine/export?format=mermaid-c4";
    assert_eq!(names(&read(&bob.get(path).await)), ["web"]);
    ada.get(path).await.expect_error(404, "view not found");
    // A personal view is no view of the workspace, also not for its user.
    for client in [&ada, &bob] {
        let reply = client.get("/api/workspaces/w/export?format=drawio&view=mine").await;
        reply.expect_error(404, "view `mine` not found in workspace `w`");
    }
}

#[tokio::test]
async fn unknown_views_and_unsuitable_formats_are_refused_with_what_to_do() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let unknown = ada.get("/api/workspaces/w/export?format=drawio&view=nothing").await;
    unknown.expect_error(404, "view `nothing` not found in workspace `w`; GET /api/workspaces/w/views lists its views");
    for path in [
        "/api/workspaces/w/export?view=front",
        "/api/workspaces/w/export?format=planroom&view=front",
        "/api/workspaces/w/views/personal/front/export?format=planroom",
    ] {
        ada.get(path).await.expect_error(400, "format: must be the format of another tool");
    }
}
