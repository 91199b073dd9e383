//! Relationships of hidden parts, drawn on the components that contain them.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const BANK: &str = include_str!("../../imports/bank.dsl");

/// The workspace `bank`, imported from a Structurizr file in which the systems of the landscape have relationships only
/// through their parts.
async fn bank(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("bank").await;
    ada.post("/api/workspaces/bank/sync", request(&ada).await).await.ok();
    ada
}

async fn request(ada: &TestClient<'_>) -> Value {
    let files = json!({ "files": [{ "name": "bank.dsl", "content": BANK }] });
    let reading = ada.post("/api/readings", files).await.ok()["reading"].clone();
    json!({ "source": { "id": "bank.dsl", "kind": "structurizr-dsl" }, "reading": reading })
}

/// The ends of the lines of an image, and its text.
async fn drawn(client: &TestClient<'_>, path: &str) -> (Vec<String>, String) {
    let reply = client.get(&format!("/api/workspaces/bank/{path}?ids=true")).await;
    assert_eq!(reply.status, 200, "{reply}");
    let svg = String::from_utf8(reply.bytes.clone()).unwrap();
    let mut lines: Vec<String> = svg
        .split("data-from=\"")
        .skip(1)
        .map(|rest| {
            let (from, rest) = rest.split_once('"').unwrap();
            let to = rest.split_once("data-to=\"").unwrap().1.split_once('"').unwrap().0;
            format!("{from} {to}")
        })
        .collect();
    lines.sort();
    lines.dedup();
    (lines, svg)
}

/// The id of the view with this name.
async fn view_id(client: &TestClient<'_>, name: &str) -> String {
    let views = client.get("/api/workspaces/bank/views").await.ok();
    let found = views["views"].as_array().unwrap().iter().find(|view| view["name"] == name);
    found.unwrap_or_else(|| panic!("no view {name} in {views}"))["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn views_of_structurizr_show_what_systems_do_through_their_parts() {
    let server = TestServer::new().await;
    let ada = bank(&server).await;
    for name in ["Landscape", "Context"] {
        let id = view_id(&ada, name).await;
        let (lines, svg) = drawn(&ada, &format!("views/{id}/image.svg")).await;
        assert_eq!(
            lines,
            [
                "customer online-banking",
                "mail-system customer",
                "online-banking core-banking",
                "online-banking mail-system"
            ],
            "{name}"
        );
        // One relationship keeps its label, and two become one line.
        assert!(svg.contains("Sends emails") && svg.contains("2 uses"), "{name}");
        let resolved = ada.get(&format!("/api/workspaces/bank/views/{id}?resolved=true")).await.ok();
        let implied: Vec<String> = resolved["impliedRelationships"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{} {}", one["sourceId"].as_str().unwrap(), one["targetId"].as_str().unwrap()))
            .collect();
        assert_eq!(
            implied,
            [
                "customer online-banking",
                "customer online-banking",
                "online-banking core-banking",
                "online-banking mail-system"
            ],
            "{resolved}"
        );
        assert_eq!(resolved["relationshipIds"].as_array().unwrap().len(), 1);
    }
    // Parts have the relationships of their components, unless they have their own.
    let id = view_id(&ada, "Containers").await;
    let (lines, _) = drawn(&ada, &format!("views/{id}/image.svg")).await;
    let expected = [
        "api core-banking",
        "api database",
        "api mail-system",
        "customer mobile-app",
        "customer web-app",
        "mail-system customer",
        "mobile-app api",
        "web-app api",
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn the_setting_of_a_view_is_kept_by_syncs_and_can_be_turned_off() {
    let server = TestServer::new().await;
    let ada = bank(&server).await;
    let path = format!("/api/workspaces/bank/views/{}", view_id(&ada, "Landscape").await);
    let definition = ada.get(&path).await.ok()["view"]["definition"].clone();
    assert_eq!(definition["impliedRelationships"], true);
    // The file shows one system less.
    let mut less = request(&ada).await;
    let shown = less["reading"]["views"][0]["componentIds"].as_array_mut().unwrap();
    shown.retain(|id| id != "core-banking");
    let report = ada.post("/api/workspaces/bank/sync", less).await.ok();
    assert_eq!(report["counts"]["changed"], 1, "{report}");
    let mut changed = ada.get(&path).await.ok()["view"]["definition"].clone();
    assert_eq!(changed["impliedRelationships"], true);
    assert_eq!(changed["include"][0]["ids"].as_array().unwrap().len(), 3);
    changed["impliedRelationships"] = json!(false);
    ada.patch(&path, json!({ "definition": changed })).await.ok();
    let image = format!("views/{}/image.svg", view_id(&ada, "Landscape").await);
    assert_eq!(drawn(&ada, &image).await.0, ["mail-system customer"]);
    // A setting of the map is no conflict with the file.
    let again = ada.post("/api/workspaces/bank/sync/preview", request(&ada).await).await.ok();
    assert_eq!(again["conflicts"], json!([]));
    assert!(ada.get(&path).await.ok()["view"]["definition"]["impliedRelationships"].is_null());
}

#[tokio::test]
async fn a_part_whose_group_is_not_in_the_view_is_in_the_next_group_around_it() {
    let server = TestServer::new().await;
    let ada = bank(&server).await;
    let definition = json!({ "include": [{ "ids": ["online-banking", "alerts"] }] });
    ada.post("/api/workspaces/bank/views", json!({ "id": "few", "name": "Few", "definition": definition }))
        .await
        .created();
    let reply = ada.get("/api/workspaces/bank/export?format=drawio&view=few").await;
    let files = import::Files::of("file", reply.bytes).unwrap();
    let found = import::recognize(&files).unwrap();
    let reading = import::read(found, &files, &import::Options::default()).unwrap();
    let nested: Vec<_> =
        reading.relationships.iter().map(|one| (one.type_id, &*one.source_id, &*one.target_id)).collect();
    assert_eq!(nested, [("contains", "online-banking", "alerts")]);
}

#[tokio::test]
async fn files_for_other_tools_contain_the_lines_that_a_view_shows() {
    let server = TestServer::new().await;
    let ada = bank(&server).await;
    let id = view_id(&ada, "Landscape").await;
    for format in ["structurizr-dsl", "structurizr-json", "mermaid-c4", "plantuml-c4", "drawio"] {
        let reply = ada.get(&format!("/api/workspaces/bank/export?format={format}&view={id}")).await;
        assert_eq!(reply.status, 200, "{reply}");
        let files = import::Files::of("file", reply.bytes).unwrap();
        let found = import::recognize(&files).unwrap();
        let reading = import::read(found, &files, &import::Options::default()).unwrap();
        let name = |id: &str| reading.components.iter().find(|one| one.id == id).unwrap().name.clone();
        let mut lines: Vec<String> = reading
            .relationships
            .iter()
            .map(|one| format!("{} > {}", name(&one.source_id), name(&one.target_id)))
            .collect();
        lines.sort();
        let expected = [
            "Customer > Online Banking",
            "Mail System > Customer",
            "Online Banking > Core Banking",
            "Online Banking > Mail System",
        ];
        assert_eq!(lines, expected, "{format}");
    }
}
