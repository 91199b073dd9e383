//! The sample workspace.

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
