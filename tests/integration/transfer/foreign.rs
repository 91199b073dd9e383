//! Files of other tools: what their readers return is a file that can be imported.

use std::fs;

use planroom::import::{self, Deployment, Files, Options, Reading};
use serde_json::{Value, json};

use super::export;
use crate::support::TestServer;

/// Reads all samples, with and without everything that is optional.
fn readings() -> Vec<(String, Reading)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/imports");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
        if !name.starts_with("shop.") {
            continue;
        }
        let files = Files::of(&name, fs::read(entry.unwrap().path()).unwrap()).unwrap();
        let format = import::recognize(&files).unwrap();
        for (deployment, motivation) in [(Deployment::None, false), (Deployment::All, true)] {
            let options = Options { deployment, motivation, ..Options::default() };
            all.push((name.clone(), import::read(format, &files, &options).unwrap()));
        }
    }
    all
}

#[tokio::test]
async fn what_is_read_from_files_of_other_tools_can_be_imported() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let readings = readings();
    assert!(readings.len() >= 18, "{}", readings.len());
    for (number, (name, reading)) in readings.into_iter().enumerate() {
        let document = serde_json::to_value(&reading).unwrap();
        let imported = ada.post(&format!("/api/import?id=map-{number}"), document.clone()).await.created();
        let created = &imported["created"];
        let counts = |part: &str| (created[part].as_array().unwrap().len(), document[part].as_array().unwrap().len());
        for part in ["components", "relationships", "stakeholders", "links", "processes", "views", "viewPlaces"] {
            let (found, expected) = counts(part);
            assert_eq!(found, expected, "{part} of {name}");
        }
        assert_eq!(imported.get("ignored"), None, "{name}");
        // Each process is a diagram whose participants are all on the map.
        let bundle = ada.bundle(&format!("map-{number}")).await;
        for process in bundle["processes"].as_array().unwrap() {
            assert_eq!(process["diagnostics"], json!([]), "{name}: {process}");
            assert_eq!(process["unresolved"], json!([]), "{name}: {process}");
        }
        let text = export(&ada, &format!("map-{number}")).await;
        for secret in ["hunter2", "secret", "abc123", "u:p@"] {
            assert!(!text.contains(secret), "{name} contains {secret}");
        }
    }
}

#[tokio::test]
async fn reading_a_file_again_changes_nothing() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let first: Value = serde_json::to_value(&readings()[0].1).unwrap();
    ada.post("/api/import?id=again", first).await.created();
    let again: Value = serde_json::to_value(&readings()[0].1).unwrap();
    let imported = ada.post("/api/import?id=again&replace=true", again).await.ok();
    for change in ["created", "updated", "deleted"] {
        for part in ["components", "relationships", "processes", "views"] {
            assert_eq!(imported[change][part], json!([]), "{change} {part}");
        }
    }
}
