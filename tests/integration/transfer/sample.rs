//! The sample workspace.

use std::collections::{BTreeMap, BTreeSet};

use planroom::clock::DAY;
use serde_json::{Value, json};

use super::export;
use crate::support::TestServer;

#[tokio::test]
async fn a_workspace_can_be_created_from_the_sample_with_its_own_name() {
    let server = TestServer::new().await;
    server.seed_member("mia", "acme", "org:member");
    let mia = server.sign_in("mia").await;
    let new = json!({ "name": "My copy", "visibility": "private", "sample": true });
    let founded = mia.post("/api/workspaces", new.clone()).await.created()["workspace"].clone();
    assert_eq!(
        (&founded["id"], &founded["name"], &founded["visibility"]),
        (&json!("my-copy"), &json!("My copy"), &json!("private"))
    );
    assert_eq!(founded["myRole"], "owner");
    assert!(founded["description"].as_str().unwrap().contains("Wikipedia"));
    // A second workspace shares the people with the first.
    assert_eq!(mia.post("/api/workspaces", new).await.created()["workspace"]["id"], "my-copy-2");
    let taken = json!({ "id": "my-copy", "name": "Taken", "sample": true });
    mia.post("/api/workspaces", taken).await.expect_error(409, "exists already");
    let empty = mia.post("/api/workspaces", json!({ "name": "Empty", "sample": false })).await.created();
    assert_eq!(mia.bundle(empty["workspace"]["id"].as_str().unwrap()).await["components"], json!([]));
}

#[tokio::test]
async fn the_sample_is_exported_as_in_the_repository() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let file: Value = serde_json::from_str(planroom::domain::transfer::sample::FILE).unwrap();
    ada.post("/api/import", file.clone()).await.created();
    assert_eq!(export(&ada, "wikipedia").await, file.to_string());
}

#[tokio::test]
async fn the_sample_uses_every_feature() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W", "sample": true })).await.created();
    let bundle = ada.bundle("w").await;
    let components = bundle["components"].as_array().unwrap();
    let described = |component: &&Value| component["description"].as_str().is_some_and(|text| text.len() > 20);
    assert!((25..=40).contains(&components.len()) && components.iter().all(|component| described(&component)));
    let contains = |row: &&Value| row["typeId"] == "contains";
    assert!(bundle["relationships"].as_array().unwrap().iter().filter(contains).count() >= 20);
    // Components do not overlap.
    for (at, one) in components.iter().enumerate() {
        for other in &components[at + 1..] {
            let apart = |axis: &str| (one[axis].as_f64().unwrap() - other[axis].as_f64().unwrap()).abs();
            assert!(apart("x") >= 220.0 || apart("y") >= 140.0, "{} lies on {}", one["id"], other["id"]);
        }
    }
    assert_eq!(ada.get("/api/teams").await.ok()["teams"].as_array().unwrap().len(), 3);
    // In addition to ada.
    assert_eq!(ada.get("/api/people").await.ok()["people"].as_array().unwrap().len(), 5 + 1);
    let processes = ada.get("/api/workspaces/w/processes").await.ok()["processes"].as_array().unwrap().clone();
    assert_eq!(processes.len(), 4);
    for process in processes {
        let (steps, name) = (process["steps"].as_array().unwrap().len(), &process["name"]);
        assert!((6..=15).contains(&steps), "{name} has {steps} steps");
        assert_eq!((&process["unresolved"], &process["diagnostics"]), (&json!([]), &json!([])), "{name}");
    }
}

#[tokio::test]
async fn the_tour_of_the_sample_visits_its_views() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W", "sample": true })).await.created();
    let views = ada.get("/api/workspaces/w/views").await.ok()["views"].as_array().unwrap().clone();
    assert_eq!(views.len(), 4);
    let mut contents = BTreeMap::new();
    for view in &views {
        let id = view["id"].as_str().unwrap();
        let read = ada.get(&format!("/api/workspaces/w/views/{id}?resolved=true")).await.ok();
        assert!(read["componentIds"].as_array().unwrap().len() >= 4, "{id}");
        contents.insert(id.to_owned(), read["componentIds"].clone());
    }
    let tours = ada.get("/api/workspaces/w/tours").await.ok()["tours"].clone();
    let stops = tours[0]["stops"].as_array().unwrap();
    assert_eq!((tours.as_array().unwrap().len(), stops.len()), (1, 7));
    for stop in stops {
        let (text, target) = (stop["text"].as_str().unwrap(), &stop["target"]);
        assert!(text.ends_with('.') && text.split_inclusive(". ").count() <= 2, "{text}");
        let members = contents[target["viewId"].as_str().unwrap()].as_array().unwrap();
        assert!(target["componentId"].is_null() || members.contains(&target["componentId"]), "{target}");
        if let Some(process) = target["processId"].as_str() {
            let process = &ada.get(&format!("/api/workspaces/w/processes/{process}")).await.ok()["process"];
            assert!(target["step"].as_u64().unwrap() <= process["steps"].as_array().unwrap().len() as u64, "{target}");
        }
    }
}

/// Deletes workspaces and runs the cleanup when they can no longer be restored. Returns the ids of the people and teams
/// that are left.
async fn left_after(server: &TestServer, workspaces: &[&str]) -> BTreeSet<String> {
    let ada = server.sign_in("ada").await;
    for workspace in workspaces {
        ada.delete(&format!("/api/workspaces/{workspace}")).await.ok();
    }
    server.clock.advance(31 * DAY);
    assert_eq!(server.clean_up().await.workspaces, workspaces.len());
    directory(server).await
}

/// Ids of the people and teams in the directory.
async fn directory(server: &TestServer) -> BTreeSet<String> {
    let ada = server.sign_in("ada").await;
    let mut ids = BTreeSet::new();
    for list in ["people", "teams"] {
        let rows = ada.get(&format!("/api/{list}")).await.ok()[list].clone();
        ids.extend(rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
    }
    ids
}

async fn create_sample(server: &TestServer, id: &str) {
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": id, "name": id, "sample": true })).await.created();
}

fn set(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

#[tokio::test]
async fn people_and_teams_of_the_sample_are_deleted_with_its_last_workspace() {
    let server = TestServer::new().await;
    let before = directory(&server).await;
    create_sample(&server, "one").await;
    create_sample(&server, "two").await;
    let with_sample = directory(&server).await;
    assert_eq!(with_sample.len(), before.len() + 5 + 3);
    assert_eq!(left_after(&server, &["one"]).await, with_sample);
    assert_eq!(left_after(&server, &["two"]).await, before);
    let ada = server.sign_in("ada").await;
    ada.get("/api/people/amara-okafor").await.expect_error(404, "person");
    create_sample(&server, "three").await;
    assert_eq!(directory(&server).await, with_sample);
}

#[tokio::test]
async fn people_and_teams_of_the_sample_are_kept_while_they_are_in_use() {
    let server = TestServer::new().await;
    let before = directory(&server).await;
    create_sample(&server, "s").await;
    let ada = server.sign_in("ada").await;
    // Changed by a user. The team stays too, and with it its other member.
    ada.patch("/api/people/amara-okafor", json!({ "title": "Director" })).await.ok();
    // A stakeholder in another workspace.
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let component = json!({ "id": "a", "typeId": "service", "name": "A", "x": 0, "y": 0 });
    ada.post("/api/workspaces/w/components", component).await.created();
    let link = json!({ "teamId": "search-and-knowledge", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", link).await.created();
    let kept = set(&["amara-okafor", "henrik-solberg", "traffic", "search-and-knowledge", "mei-tanaka"]);
    assert_eq!(left_after(&server, &["s"]).await, before.union(&kept).cloned().collect());
    // The other workspace used only this team, which nothing uses after its deletion.
    let kept = set(&["amara-okafor", "henrik-solberg", "traffic"]);
    assert_eq!(left_after(&server, &["w"]).await, before.union(&kept).cloned().collect());
}

#[tokio::test]
async fn people_in_teams_with_others_are_kept() {
    let server = TestServer::new().await;
    let before = directory(&server).await;
    create_sample(&server, "s").await;
    let ada = server.sign_in("ada").await;
    let own = before.iter().next().unwrap();
    ada.post("/api/teams/mediawiki-platform/members", json!({ "personId": own })).await.created();
    let kept = set(&["mediawiki-platform", "lucia-ferrari", "tomas-novak"]);
    assert_eq!(left_after(&server, &["s"]).await, before.union(&kept).cloned().collect());
}

#[tokio::test]
async fn people_like_those_of_the_sample_are_kept_when_other_workspaces_are_deleted() {
    let server = TestServer::new().await;
    let file: Value = serde_json::from_str(planroom::domain::transfer::sample::FILE).unwrap();
    let ada = server.sign_in("ada").await;
    ada.post("/api/people", file["people"][0].clone()).await.created();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let before = directory(&server).await;
    assert_eq!(left_after(&server, &["w"]).await, before);
}
