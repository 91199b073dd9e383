//! `restore`: a backup replaces the database, or nothing changes.

use std::{fs, os::unix::fs::PermissionsExt};

use rusqlite::Connection;
use serde_json::json;

use super::{WorkDir, server::Server};
use crate::{
    support::PASSWORD,
    upgrades::{data_dir_of, expected},
};

/// Serves, changes the setting `wiki.client_secret`, which is encrypted, and creates a workspace.
pub(super) fn populate(server: &Server) -> String {
    let (session, token) = server.credentials();
    let secret = json!({ "wiki.client_secret": "s3cret" });
    server.ask("PATCH", "/api/admin/settings", Some(&session), Some(secret)).json(200);
    create(server, &token, "before");
    token
}

pub(super) fn create(server: &Server, token: &str, id: &str) {
    server.ask("POST", "/api/workspaces", Some(token), Some(json!({ "id": id, "name": id }))).json(201);
}

pub(super) fn incarnation(server: &Server, token: &str) -> String {
    server.get("/api/workspaces/before", token).json(200)["incarnation"].as_str().unwrap().to_owned()
}

pub(super) fn mode(dir: &WorkDir, name: &str) -> u32 {
    fs::metadata(dir.path(name)).unwrap().permissions().mode() & 0o777
}

/// A working directory with a stopped instance, a backup `copy.db` of it, and a write after the backup.
pub(super) fn with_backup() -> (WorkDir, String, String) {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let token = populate(&server);
    dir.run(&["backup", "copy.db"]).ok();
    create(&server, &token, "after");
    let incarnation = incarnation(&server, &token);
    server.stop().ok();
    (dir, token, incarnation)
}

#[test]
fn a_backup_replaces_the_database_which_is_moved_aside() {
    let (dir, token, before) = with_backup();
    dir.run(&["restore", "copy.db"]).expect_error("data/planroom.db already exists; use --replace to move it aside");
    let told = dir.run(&["restore", "copy.db", "--replace"]).ok();
    assert!(told.starts_with("Restored copy.db to data/planroom.db; its last change was at 2"), "{told}");
    assert!(told.contains("Valid again") && told.contains("since the backup: 1 token."), "{told}");
    assert!(told.contains("The previous database was moved to data/replaced-"), "{told}");
    for (name, expected) in [("data/planroom.db", 0o600), ("data/keys", 0o700), ("data/keys/sealing.key", 0o600)] {
        assert_eq!(mode(&dir, name), expected, "{name}");
    }
    assert!(!dir.path("data/restoring").exists());
    let server = dir.serve();
    assert_ne!(incarnation(&server, &token), before);
    server.get("/api/workspaces/after", &token).json(404);
    let settings = server.get("/api/admin/settings", &token).json(200).to_string();
    assert!(settings.contains(r#""isSet":true"#), "the keys were restored: {settings}");
    server.stop().ok();

    // Restoring the previous database.
    let aside = fs::read_dir(dir.path("data")).unwrap().map(|entry| entry.unwrap().path());
    let aside = aside.into_iter().find(|path| path.to_string_lossy().contains("replaced-")).unwrap();
    let (file, keys) = (aside.join("planroom.db"), aside.join("keys"));
    let arguments = ["restore", file.to_str().unwrap(), "--keys", keys.to_str().unwrap(), "--replace"];
    dir.run(&arguments).ok();
    let server = dir.serve();
    server.get("/api/workspaces/after", &token).json(200);
    server.stop().ok();
}

#[test]
fn a_backup_is_restored_into_a_new_directory_with_its_keys() {
    let (dir, token, before) = with_backup();
    let told = dir.run(&["restore", "copy.db", "--data-dir", "new/data"]).ok();
    assert!(!told.contains("previous database"), "{told}");
    assert_eq!(mode(&dir, "new/data"), 0o700);
    let server = dir.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", "new/data"], &[]);
    assert_ne!(incarnation(&server, &token), before);
    server.stop().ok();
}

#[test]
fn nothing_is_restored_while_a_server_runs() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let token = populate(&server);
    dir.run(&["backup", "copy.db"]).ok();
    dir.run(&["restore", "copy.db", "--replace"]).expect_error("another Planroom process is using data; stop it first");
    assert_eq!(server.get("/api/workspaces/before", &token).status, 200);
    server.stop().ok();
}

#[test]
fn a_backup_of_the_oldest_schema_is_restored_and_upgraded() {
    let dir = WorkDir::new();
    fs::rename(data_dir_of(32).keep(), dir.path("data")).unwrap();
    let token = expected(32)["token"].as_str().unwrap().to_owned();
    dir.run(&["backup", "old.db"]).ok();
    dir.run(&["backup", "--archive", "old.tar.zst", "--with-keys"]).ok();
    for backup in ["old.db", "old.tar.zst"] {
        dir.run(&["restore", backup, "--replace"]).ok();
        let server = dir.serve();
        let bundle = server.get("/api/workspaces/w", &token).json(200);
        assert_eq!(bundle["workspace"]["name"], "Web shop", "{backup}");
        server.stop().ok();
    }
    dir.run(&["backup", "new.db"]).ok();
    dir.run(&["restore", "new.db", "--replace"]).ok();

    // It is compared with its schema, too.
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    let old = Connection::open(dir.path("old.db")).unwrap();
    old.execute_batch("CREATE TRIGGER t AFTER INSERT ON session BEGIN UPDATE user SET is_admin = 1; END").unwrap();
    drop(old);
    fs::remove_file(dir.path("old.db.sha256")).unwrap();
    dir.run(&["restore", "old.db", "--replace"]).expect_error("schema version 32 has no trigger `t`");
}

#[test]
fn invalid_backups_are_rejected_before_anything_changes() {
    let (dir, token, _) = with_backup();
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    let open = |name: &str| Connection::open(dir.path(name)).unwrap();
    fs::write(dir.path("letter.db"), "To whom it may concern. ".repeat(100)).unwrap();
    fs::write(dir.path("empty.db"), "").unwrap();
    open("recipes.db").execute_batch("CREATE TABLE recipe (name TEXT)").unwrap();
    fs::copy(dir.path("copy.db"), dir.path("newer.db")).unwrap();
    let newer = "INSERT INTO refinery_schema_history SELECT 999, 'future', applied_on, '1'
                 FROM refinery_schema_history WHERE version = 33";
    open("newer.db").execute_batch(newer).unwrap();
    fs::copy(dir.path("copy.db"), dir.path("older.db")).unwrap();
    let older = "DELETE FROM refinery_schema_history WHERE version > 33;
                 UPDATE refinery_schema_history SET version = 1, name = 'plan_room'";
    open("older.db").execute_batch(older).unwrap();
    fs::copy(dir.path("copy.db"), dir.path("broken.db")).unwrap();
    open("broken.db").execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM organization").unwrap();
    for (file, text) in [
        ("nowhere.db", "there is no file nowhere.db"),
        ("copy.db.keys", "copy.db.keys is not a regular file; specify the file of a backup"),
        ("letter.db", "planroom: letter.db is damaged: file is not a database; choose another backup\n"),
        ("empty.db", "empty.db is empty"),
        ("recipes.db", "recipes.db is not a Planroom database"),
        ("newer.db", "newer.db has version 999"),
        ("older.db", "older.db has version 1, but this release upgrades versions from 32 on"),
        ("broken.db", "broken.db is damaged: rows of"),
    ] {
        dir.run(&["restore", file, "--replace"]).expect_error(text);
        dir.run(&["restore", file, "--data-dir", "a/new/directory"]).expect_error(text);
    }
    assert!(!dir.path("a").exists(), "a failed restore leaves nothing");
    assert!(!dir.path("data/restoring").exists());
    let server = dir.serve();
    server.get("/api/workspaces/after", &token).json(200);
    server.stop().ok();
}

#[test]
fn restoring_without_keys_reports_the_lost_data() {
    let (dir, token, _) = with_backup();
    fs::remove_dir_all(dir.path("copy.db.keys")).unwrap();
    let restore = ["restore", "copy.db", "--data-dir", "new"];
    dir.run(&restore).expect_error("sealing.key not found; 1 secret setting in the backup cannot be used");
    fs::create_dir(dir.path("wrong")).unwrap();
    fs::write(dir.path("wrong/sealing.key"), [7; 32]).unwrap();
    dir.run(&[&restore[..], &["--keys", "wrong"]].concat()).expect_error("the keys do not belong to the backup");
    assert!(!dir.path("new/planroom.db").exists());
    let told = dir.run(&[&restore[..], &["--without-keys"]].concat()).ok();
    assert!(told.contains("Discarded 1 secret setting. Administrators must enter secret settings again."), "{told}");
    let server = dir.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", "new"], &[]);
    server.sign_in("ada", PASSWORD).json(200);
    server.get("/api/workspaces/before", &token).json(200);
    server.stop().ok();
}
