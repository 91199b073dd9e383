//! Scheduled backups: made, kept or deleted by date, reported, and usable.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use planroom::{
    app::backups,
    clock::DAY,
    db::archive::{self, BackupKind},
    secret::Secret,
};
use serde_json::json;

use super::mode;
use crate::support::TestServer;

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_is_made_recorded_and_can_be_read() {
    let server = TestServer::new().await;
    assert_eq!(server.app.backups().status().last_success_at, None);
    let path = server.app.backups().back_up().await.unwrap();
    assert_eq!(mode(&path), 0o600);
    let manifest = archive::verify(&path, None).unwrap();
    assert!(!manifest.has_keys(), "only encrypted backups contain the keys");
    assert_eq!(manifest.created_at, server.clock.now());
    let status = server.app.backups().status();
    assert_eq!((status.last_success_at, status.last_failure_at), (Some(server.clock.now()), None));
    let ada = server.sign_in("ada").await;
    let events = ada.get("/api/admin/audit?kind=backup.create").await.ok();
    assert!(events.to_string().contains(path.file_name().unwrap().to_str().unwrap()), "{events}");
}

#[tokio::test]
async fn encrypted_backups_contain_the_keys() {
    let server = TestServer::empty(|config| config.backup.passphrase = Secret::new("correct horse"));
    let path = server.app.backups().back_up().await.unwrap();
    assert_eq!(BackupKind::of(&path).unwrap(), BackupKind::EncryptedArchive);
    assert!(archive::verify(&path, None).is_err());
    assert!(archive::verify(&path, Some(&Secret::new("correct horse"))).unwrap().has_keys());
}

#[tokio::test]
async fn old_backups_are_deleted_and_other_files_are_not() {
    let server = TestServer::empty(|config| {
        (config.backup.keep_daily, config.backup.keep_weekly, config.backup.keep_monthly) = (3, 0, 0);
    });
    let directory = server.dir.path().join("backups");
    fs::create_dir(&directory).unwrap();
    let others = ["before-v21-1795403700000.db", "notes.txt", "planroom-mine.tar.zst"];
    for name in others {
        fs::write(directory.join(name), "x").unwrap();
    }
    fs::write(directory.join("planroom-20261101T031500Z.tar.zst.x.unfinished"), "x").unwrap();
    for _ in 0..5 {
        server.app.backups().back_up().await.unwrap();
        server.clock.advance(DAY);
    }
    let left = names(&directory);
    assert_eq!(left.len(), others.len() + 3, "{left:?}");
    assert!(others.iter().all(|name| left.iter().any(|left| left == name)), "{left:?}");
    let newest = backups::newest(&directory, server.clock.now()).unwrap();
    assert!(newest.is_some_and(|newest| server.clock.now() - newest < DAY + 1_000));

    // The clock jumps ahead by ten years, and back.
    server.clock.step(3650 * DAY);
    server.app.backups().back_up().await.unwrap();
    assert_eq!(names(&directory).len(), others.len() + 3);
    server.clock.step(-3650 * DAY);
    server.app.backups().back_up().await.unwrap();
    assert_eq!(names(&directory).len(), others.len() + 4, "the backup from the future is not counted");
}

#[tokio::test]
async fn a_failed_backup_is_reported() {
    let elsewhere = tempfile::tempdir().unwrap();
    let blocked = elsewhere.path().join("file");
    fs::write(&blocked, "x").unwrap();
    let server = TestServer::empty(|config| config.backup.directory = blocked.join("backups"));
    server.seed_admin("ada", "acme").await;
    let failing = |value: u8| {
        let metrics = server.app.metrics(None).text().unwrap();
        assert!(metrics.contains(&format!("\nplanroom_backup_failing {value}\n")), "{metrics}");
    };
    failing(0);
    assert_eq!(server.app.backups().back_up().await, None);
    failing(1);
    assert_eq!(server.app.backups().status().last_failure_at, Some(server.clock.now()));
    let ada = server.sign_in("ada").await;
    let events = ada.get("/api/admin/audit?kind=backup.fail").await.ok();
    assert!(events.to_string().contains("the scheduled backup failed: "), "{events}");
    assert!(events.to_string().contains(blocked.to_str().unwrap()), "the path is named: {events}");
    fs::remove_file(&blocked).unwrap();
    assert!(server.app.backups().back_up().await.is_some());
    failing(0);
}

#[tokio::test]
async fn a_failed_program_is_started_again_for_the_newest_backup_also_after_a_restart() {
    const MINUTE_OF_DAY: u16 = 195;
    let elsewhere = tempfile::tempdir().unwrap();
    let (program, calls) = (elsewhere.path().join("upload"), elsewhere.path().join("calls"));
    let write_program = |status: u8| {
        fs::write(&program, format!("#!/bin/sh\necho \"$1\" >> {}\nexit {status}\n", calls.display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    };
    let called = || fs::read_to_string(&calls).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    write_program(1);
    let server = TestServer::empty(|config| config.backup.command = vec![program.display().to_string()]);
    assert!(!server.app.backups().attempt(MINUTE_OF_DAY).await);
    server.clock.advance(DAY);
    assert!(!server.app.backups().attempt(MINUTE_OF_DAY).await);
    assert_eq!(called().len(), 2, "once for each backup");

    write_program(0);
    let server = TestServer::on(server.stop(), |config| config.backup.command = vec![program.display().to_string()]);
    assert!(server.app.backups().attempt(MINUTE_OF_DAY).await);
    let calls_after_restart = called();
    assert_eq!(calls_after_restart.len(), 3, "not for the older one");
    assert_eq!(calls_after_restart[2], calls_after_restart[1], "again for the newest");
    assert!(server.app.backups().attempt(MINUTE_OF_DAY).await);
    assert_eq!(called().len(), 3, "not after it has succeeded");
    // What a server leaves that is killed just before its backup appears.
    let interrupted = server.dir.path().join("backups/planroom-20261123T031500Z.tar.zst.pending");
    fs::write(interrupted, "").unwrap();
    server.clock.advance(2 * DAY);
    assert!(server.app.backups().attempt(MINUTE_OF_DAY).await);
    assert_eq!(called().len(), 4, "not for a backup that does not exist");
    let left = names(&server.dir.path().join("backups"));
    assert!(left.len() == 3 && left.iter().all(|name| name.ends_with(".tar.zst")), "{left:?}");
}

#[tokio::test]
async fn new_databases_return_unused_pages() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let text = "x".repeat(4_000);
    let components: Vec<_> = (0..200)
        .map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": "C", "description": text }))
        .collect();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    ada.put("/api/workspaces/w/bulk", json!({ "components": components, "relationships": [] })).await.ok();
    server
        .sql(|conn| conn.execute_batch("CREATE TABLE junk AS SELECT zeroblob(1000000) AS x; DROP TABLE junk").unwrap());
    let unused =
        || server.sql(|conn| conn.pragma_query_value(None, "freelist_count", |row| row.get::<_, i64>(0)).unwrap());
    assert!(unused() > 100);
    server.clean_up().await;
    assert_eq!(unused(), 0);
}
