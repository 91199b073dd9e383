//! Exports in the formats of other tools.

use import::{Files, Options, Reading};
use serde_json::json;

use super::full;
use crate::support::{TestClient, TestServer};

const FORMATS: [(&str, &str, &str); 5] = [
    ("structurizr-dsl", "text/plain; charset=utf-8", "workspace.dsl"),
    ("structurizr-json", "application/vnd.structurizr+json", "workspace.structurizr.json"),
    ("mermaid-c4", "text/plain; charset=utf-8", "workspace.mmd"),
    ("plantuml-c4", "text/plain; charset=utf-8", "workspace.puml"),
    ("drawio", "application/xml", "workspace.drawio"),
];

/// Exports the workspace `full` and reads the file with the reader of its format.
async fn read_back(client: &TestClient<'_>, format: &str) -> Reading {
    let reply = client.get(&format!("/api/workspaces/full/export?format={format}")).await;
    assert_eq!(reply.status, 200, "{reply}");
    let files = Files::of("file", reply.bytes).unwrap();
    let found = import::recognize(&files).unwrap();
    assert_eq!(found.id(), format);
    import::read(found, &files, &Options::default()).unwrap()
}

#[tokio::test]
async fn a_map_is_exported_in_the_formats_of_other_tools() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    for (format, media_type, name) in FORMATS {
        let reply = ada.get(&format!("/api/workspaces/full/export?format={format}")).await;
        assert_eq!(reply.status, 200, "{reply}");
        assert_eq!(reply.header("content-type"), media_type);
        assert_eq!(reply.header("content-disposition"), format!("attachment; filename=\"{name}\""));
        let reading = read_back(&ada, format).await;
        let names: Vec<&str> = reading.components.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Web", "DB"], "{format}");
        let types: Vec<&str> = reading.components.iter().map(|one| one.type_id).collect();
        assert_eq!(types, ["web-app", "database"], "{format}");
        let arrow = &reading.relationships[0];
        assert_eq!((arrow.type_id, &arrow.technology[..]), ("reads", &["SQL".to_owned()][..]), "{format}");
    }
}

#[tokio::test]
async fn a_drawing_keeps_ids_and_positions() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.post("/api/workspaces/full/components", json!({ "id": "box", "typeId": "group", "name": "Box" }))
        .await
        .created();
    let contains = json!({ "sourceId": "box", "targetId": "db", "typeId": "contains" });
    ada.post("/api/workspaces/full/relationships", contains).await.created();
    let reading = read_back(&ada, "drawio").await;
    let db = reading.components.iter().find(|one| one.id == "db").unwrap();
    assert_eq!((db.x, db.y), (Some(12.0), Some(0.3)));
    assert!(reading.relationships.iter().any(|one| (&*one.source_id, &*one.target_id) == ("box", "db")));
    assert!(reading.relationships.iter().any(|one| one.id == "r/1"));
}

#[tokio::test]
async fn owners_stay_people_and_teams() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.post("/api/people", json!({ "id": "countess", "name": "Ada, Countess of Lovelace" })).await.created();
    ada.post("/api/teams", json!({ "id": "emea", "name": "Payments, EMEA" })).await.created();
    let service = json!({ "id": "box", "typeId": "service", "name": "Box" });
    ada.post("/api/workspaces/full/components", service).await.created();
    for holder in [json!({ "personId": "countess" }), json!({ "teamId": "emea" })] {
        let mut owner = holder;
        owner["linkType"] = json!("owner");
        ada.post("/api/workspaces/full/components/box/stakeholders", owner).await.created();
    }
    for format in ["structurizr-dsl", "structurizr-json", "drawio"] {
        let reading = read_back(&ada, format).await;
        let of_box = reading.stakeholders.iter().filter(|one| one.component_id == "box");
        let mut owners: Vec<&str> = of_box
            .map(|one| match (&one.person_id, &one.team_id) {
                (Some(id), _) => &*reading.people.iter().find(|person| person.id == *id).unwrap().name,
                (_, id) => &*reading.teams.iter().find(|team| Some(&team.id) == id.as_ref()).unwrap().name,
            })
            .collect();
        owners.sort_unstable();
        assert_eq!(owners, ["Ada, Countess of Lovelace", "Payments, EMEA"], "{format}");
    }
}

#[tokio::test]
async fn a_process_is_a_dynamic_view_of_structurizr() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let process =
        json!({ "mermaid": "sequenceDiagram\nA->>B: find orders\n", "participants": { "A": "web/ü", "B": "db" } });
    ada.patch("/api/workspaces/full/processes/check-out", process).await.ok();
    for format in ["structurizr-dsl", "structurizr-json"] {
        let reading = read_back(&ada, format).await;
        assert_eq!((&*reading.processes[0].name, reading.processes[0].steps), ("Check out", 1), "{format}");
        assert!(reading.processes[0].mermaid.contains("find orders"), "{format}");
    }
}

#[tokio::test]
async fn an_unknown_format_is_an_error_that_lists_all() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let reply = ada.get("/api/workspaces/full/export?format=visio").await;
    reply.expect_error(400, "structurizr-dsl");
    let own = ada.get("/api/workspaces/full/export?format=planroom").await;
    assert_eq!(own.bytes, ada.get("/api/workspaces/full/export").await.bytes);
}
