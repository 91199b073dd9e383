//! Files of other tools: what their readers return is a file that can be imported.

use std::{
    fs,
    path::{Path, PathBuf},
};

use import::{Deployment, Files, Options, Reading};
use serde_json::{Value, json};

use super::export;
use crate::support::TestServer;

/// Reads all samples, with and without everything that is optional.
fn readings() -> Vec<(String, Reading)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/imports");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            all.extend(sets(&name, &entry.path()).iter().map(|(name, files)| (name.clone(), read(files))));
            continue;
        }
        if !name.starts_with("shop.") {
            continue;
        }
        let files = Files::of(&name, fs::read(entry.path()).unwrap()).unwrap();
        let format = import::recognize(&files).unwrap();
        for (deployment, motivation) in [(Deployment::None, false), (Deployment::All, true)] {
            let options = Options { deployment, motivation, ..Options::default() };
            all.push((name.clone(), import::read(format, &files, &options).unwrap()));
        }
    }
    all
}

/// The sets of files in a folder: all files together, and each file of the formats in which a file is a map of its own.
fn sets(name: &str, folder: &Path) -> Vec<(String, Files)> {
    let mut paths = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    let add = |files: &mut Files, path: &Path| {
        files.add(path.strip_prefix(folder).unwrap().to_str().unwrap(), fs::read(path).unwrap()).unwrap();
    };
    if matches!(name, "servicegraph" | "terraform") {
        let single = |path: &PathBuf| {
            let mut files = Files::new();
            add(&mut files, path);
            (path.display().to_string(), files)
        };
        return paths.iter().map(single).collect();
    }
    let mut files = Files::new();
    for path in &paths {
        add(&mut files, path);
    }
    vec![(name.to_owned(), files)]
}

fn read(files: &Files) -> Reading {
    import::read(import::recognize(files).unwrap(), files, &Options::default()).unwrap()
}

#[tokio::test]
async fn what_is_read_from_files_of_other_tools_can_be_imported() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let readings = readings();
    assert!(readings.len() >= 30, "{}", readings.len());
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
        for row in bundle["processes"].as_array().unwrap() {
            let path = format!("/api/workspaces/map-{number}/processes/{}", row["id"].as_str().unwrap());
            let process = ada.get(&path).await.ok()["process"].clone();
            assert_eq!(process["diagnostics"], json!([]), "{name}: {process}");
            assert_eq!(process["unresolved"], json!([]), "{name}: {process}");
        }
        let text = export(&ada, &format!("map-{number}")).await;
        for secret in ["hunter2", "secret", "abc123", "u:p@", "s3cret", "t0k3n"] {
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
