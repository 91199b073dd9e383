//! A crash loses no acknowledged write and leaves no partial one.

use std::{fs, path::Path};

use planroom::db::FILE_NAME;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::TestServer;

/// Copies the files that a crash would leave: database, write-ahead log and keys, while the server runs.
pub fn copy_crashed(from: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in [FILE_NAME, "planroom.db-wal"] {
        fs::copy(from.join(file), copy.path().join(file)).unwrap();
    }
    fs::create_dir(copy.path().join("keys")).unwrap();
    for key in fs::read_dir(from.join("keys")).unwrap() {
        let key = key.unwrap();
        fs::copy(key.path(), copy.path().join("keys").join(key.file_name())).unwrap();
    }
    copy
}

#[tokio::test]
async fn every_acknowledged_write_survives_a_crash() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    for i in 0..30 {
        let new = json!({ "id": format!("c{i}"), "typeId": "service", "name": "C" });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    let before = ada.get("/api/workspaces/w").await.ok();
    let copy = copy_crashed(server.dir.path());
    assert!(fs::metadata(copy.path().join("planroom.db-wal")).unwrap().len() > 0, "the log is part of what is saved");
    let revived = TestServer::on(copy, |_| {});
    assert_eq!(revived.with(ada.credential()).get("/api/workspaces/w").await.ok(), before);
}

#[tokio::test]
async fn a_write_interrupted_by_a_crash_leaves_nothing() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let before = ada.get("/api/workspaces/w").await.ok();
    let components: Vec<_> =
        (0..200).map(|i| json!({ "id": format!("c{i}"), "typeId": "service", "name": "C" })).collect();
    let bulk: Value = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    let copy = copy_crashed(server.dir.path());
    let log = fs::OpenOptions::new().write(true).open(copy.path().join("planroom.db-wal")).unwrap();
    log.set_len(log.metadata().unwrap().len() - 2_000).unwrap();
    let revived = TestServer::on(copy, |_| {});
    assert_eq!(revived.with(ada.credential()).get("/api/workspaces/w").await.ok(), before);
}
