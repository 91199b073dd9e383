//! A backup is a consistent copy of the database with its keys and can replace it.

use std::fs;

use planroom::db::{FILE_NAME, backup};
use serde_json::json;

use super::mode;
use crate::support::TestServer;

#[tokio::test]
async fn a_backup_of_a_running_server_is_consistent() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let before = ada.get("/api/workspaces/w").await.ok();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("nightly/planroom.db");
    backup::of_data_dir(server.dir.path(), &target).unwrap();
    ada.patch("/api/workspaces/w", json!({ "name": "Later" })).await.ok();
    let keys = elsewhere.path().join("nightly/planroom.db.keys");
    assert_eq!((mode(&target), mode(&keys)), (0o600, 0o700));
    for key in fs::read_dir(&keys).unwrap() {
        assert_eq!(mode(&key.unwrap().path()), 0o600);
    }
    let names: Vec<_> =
        fs::read_dir(elsewhere.path().join("nightly")).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing unfinished is left: {names:?}");

    let again = backup::of_data_dir(server.dir.path(), &target).unwrap_err().to_string();
    assert!(again.contains("already exists"), "{again}");
    let nothing = backup::of_data_dir(&elsewhere.path().join("nowhere"), &target).unwrap_err().to_string();
    assert!(nothing.contains("there is no database in"), "{nothing}");

    let data = tempfile::tempdir().unwrap();
    fs::rename(&target, data.path().join(FILE_NAME)).unwrap();
    fs::rename(&keys, data.path().join("keys")).unwrap();
    let restored = TestServer::on(data, |_| {});
    let mut after = restored.with(ada.credential()).get("/api/workspaces/w").await.ok();
    assert_ne!(after["incarnation"], before["incarnation"]);
    after["incarnation"] = before["incarnation"].clone();
    assert_eq!(after, before);
}
