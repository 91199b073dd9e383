//! A backup is a consistent copy of the database with its keys and can replace it.

use std::{
    fs::{self, File},
    path::Path,
};

use planroom::{
    db::{
        FILE_NAME,
        archive::{self, ArchiveOptions, Stage},
        backup,
    },
    secret::Secret,
};
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
    assert_eq!(names.len(), 3, "nothing unfinished is left: {names:?}");

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

/// Counts the SQLite databases in a directory and its subdirectories.
fn count_databases(directory: &Path) -> usize {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_database = |path: &Path| fs::read(path).unwrap().starts_with(b"SQLite format 3");
    paths.map(|path| if path.is_dir() { count_databases(&path) } else { usize::from(is_database(&path)) }).sum()
}

#[tokio::test]
async fn an_encrypted_archive_leaves_no_plain_text_next_to_its_target() {
    let server = TestServer::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let encrypted = ArchiveOptions { passphrase: Some(Secret::new("correct horse")), ..ArchiveOptions::default() };
    for (name, options, copies) in [("a.enc", encrypted, [0, 2]), ("a.zst", ArchiveOptions::default(), [1, 1])] {
        let mut seen = Vec::new();
        let target = elsewhere.path().join(name);
        let mut on_progress = |stage: Stage| {
            if let Stage::Compressing(done, total) = stage
                && done == total
            {
                seen.push([count_databases(elsewhere.path()), count_databases(server.dir.path())]);
            }
        };
        archive::create(server.dir.path(), &target, &options, &mut on_progress).unwrap();
        assert!(!seen.is_empty() && seen.iter().all(|found| *found == copies), "{name}: {seen:?}");
        assert_eq!(
            [count_databases(elsewhere.path()), count_databases(server.dir.path())],
            [0, 1],
            "{name}: the copy is removed"
        );
    }
}

#[tokio::test]
async fn a_backup_removes_the_files_of_killed_backups_but_not_of_running_backups() {
    let server = TestServer::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let data = server.dir.path();
    let [stale_copy, running_copy] = ["1", "2"].map(|id| data.join(format!("backup-copy.{id}.unfinished")));
    for directory in [&stale_copy, &running_copy] {
        fs::create_dir(directory).unwrap();
        fs::write(directory.join(FILE_NAME), "SQLite format 3").unwrap();
    }
    let lock = File::open(&running_copy).unwrap();
    lock.lock().unwrap();
    let target = elsewhere.path().join("a.enc");
    let files = ["a.enc.1.unfinished", "a.enc.2.unfinished", "b.enc.1.unfinished", "a.encrypted"];
    let [stale_archive, locked_archive, other_archive, unrelated] = files.map(|name| elsewhere.path().join(name));
    for file in [&stale_archive, &locked_archive, &other_archive, &unrelated] {
        fs::write(file, "x").unwrap();
    }
    let archive_lock = File::open(&locked_archive).unwrap();
    archive_lock.lock().unwrap();
    let options = ArchiveOptions { passphrase: Some(Secret::new("correct horse")), ..ArchiveOptions::default() };
    archive::create(data, &target, &options, &mut |_| {}).unwrap();
    assert_eq!(
        [&stale_copy, &running_copy, &stale_archive, &locked_archive, &other_archive, &unrelated]
            .map(|path| path.exists()),
        [false, true, false, true, true, true]
    );
    archive::verify(&target, options.passphrase.as_ref()).unwrap();
}
