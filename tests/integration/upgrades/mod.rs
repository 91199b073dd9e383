//! Databases of earlier versions work like new ones after the upgrade, without data loss. They are in
//! `tests/upgrades`, which describes how to create the next one.

mod older_rows;

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use planroom::{
    app::App,
    clock::Clock,
    db::{FILE_NAME, OpenError, inspect},
};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    sign_in::second_factor::code,
    support::{PASSWORD, TestServer, config},
};

/// The oldest schema version that is upgraded. Later ones are in the changelog.
const OLDEST: i32 = 32;

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrades")
}

/// The schema versions with a test database.
fn versions() -> Vec<i32> {
    let names = fs::read_dir(home()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut versions: Vec<i32> =
        names.filter_map(|name| name.strip_prefix('v')?.strip_suffix(".db.gz")?.parse().ok()).collect();
    versions.sort_unstable();
    versions
}

/// A data directory of this version.
pub fn data_dir_of(version: i32) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut packed = GzDecoder::new(File::open(home().join(format!("v{version}.db.gz"))).unwrap());
    std::io::copy(&mut packed, &mut File::create(dir.path().join(FILE_NAME)).unwrap()).unwrap();
    fs::create_dir(dir.path().join("keys")).unwrap();
    for key in fs::read_dir(home().join("keys")).unwrap() {
        let key = key.unwrap();
        fs::copy(key.path(), dir.path().join("keys").join(key.file_name())).unwrap();
    }
    dir
}

/// The API responses of this version.
pub fn expected(version: i32) -> Value {
    serde_json::from_slice(&fs::read(home().join(format!("v{version}.json"))).unwrap()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
fn connect(path: &Path) -> Connection {
    Connection::open(path).unwrap()
}

/// The change log without the rows before and after.
fn change_log(conn: &Connection) -> Vec<String> {
    let sql = "SELECT json_array(id, organization_id, workspace_pk, revision, batch, undo_of, actor, via, credential,
                                 entity, entity_id, op, ts, label) FROM change ORDER BY id";
    let mut rows = conn.prepare(sql).unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// The migrations that a database has recorded.
fn recorded(conn: &Connection) -> Vec<String> {
    let sql = "SELECT version || ' ' || name || ' ' || checksum FROM refinery_schema_history ORDER BY version";
    let mut rows = conn.prepare(sql).unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Expects everything in `before` to be in `after`, which may have more.
#[track_caller]
fn assert_within(before: &Value, after: &Value, at: &str) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, value) in before {
                assert_within(value, after.get(key).unwrap_or(&Value::Null), &format!("{at}.{key}"));
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            assert_eq!(before.len(), after.len(), "{at}");
            for (n, (before, after)) in before.iter().zip(after).enumerate() {
                assert_within(before, after, &format!("{at}[{n}]"));
            }
        }
        _ => assert_eq!(before, after, "{at}"),
    }
}

/// Removes the incarnation from bundles. A database that is used in another data directory starts a new one.
fn without_incarnation(known: &mut Value) {
    let remove = |bundle: &mut Value| bundle.as_object_mut().and_then(|bundle| bundle.shift_remove("incarnation"));
    remove(&mut known["bundle"]);
    known
        .get_mut("at")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
        .for_each(|(_, bundle)| drop(remove(bundle)));
}

#[test]
fn there_is_a_database_of_every_released_version() {
    let changes = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CHANGELOG.md")).unwrap();
    let released = changes.split_once("\n## [Unreleased]").unwrap().1.split_once("\n## ").map_or("", |(_, rest)| rest);
    let stated = released.lines().filter_map(|line| line.strip_prefix("Database schema: ")?.trim().parse().ok());
    let sections = format!("\n## {released}").matches("\n## [").count();
    let stated: Vec<i32> = stated.collect();
    assert_eq!(stated.len(), sections, "each release in CHANGELOG.md has a line `Database schema: N`");
    let versions = versions();
    for version in std::iter::once(OLDEST).chain(stated) {
        assert!(
            versions.contains(&version),
            "tests/upgrades has no database of version {version}: make it with tests/upgrades/make.py and the binary of \
             that release"
        );
    }
}

#[tokio::test]
async fn an_upgraded_database_has_the_current_schema_and_the_same_log() {
    let expected = TestServer::new().await.sql(recorded);
    for version in versions() {
        let dir = data_dir_of(version);
        let before = change_log(&connect(&dir.path().join(FILE_NAME)));
        assert!(before.len() > 10, "version {version}");
        let server = TestServer::on(dir, |_| {});
        server.sql(|conn| {
            assert_eq!(recorded(conn), expected, "version {version}");
            assert_eq!(change_log(conn)[..before.len()], before, "version {version}");
            let intact: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
            assert_eq!(intact, "ok", "version {version}");
            let broken = conn.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap();
            assert!(!broken, "version {version}");
        });
        let copies = |dir: &Path| {
            let copies = fs::read_dir(dir.join("backups")).unwrap();
            let mut copies: Vec<_> = copies.map(|copy| copy.unwrap().path().extension().unwrap().to_owned()).collect();
            copies.sort();
            copies
        };
        assert_eq!(copies(server.dir.path()), ["db", "sha256"], "version {version} was copied before it was changed");
        // Nothing happens the second time.
        let again = TestServer::on(server.stop(), |_| {});
        assert_eq!(again.sql(recorded), expected, "version {version}");
        assert_eq!(copies(again.dir.path()), ["db", "sha256"], "version {version}");
    }
}

#[tokio::test]
async fn an_upgraded_database_returns_the_same_data_and_can_be_written() {
    for version in versions() {
        let mut known = expected(version);
        without_incarnation(&mut known);
        let server = TestServer::on(data_dir_of(version), |_| {});
        let script = server.with(known["token"].as_str().unwrap());
        assert_within(&known["bundle"], &script.bundle("w").await, &format!("version {version}"));
        let past = known["at"].as_object().cloned().unwrap_or_default();
        for (at, before) in past {
            let after = script.get(&format!("/api/workspaces/w?at={at}")).await.ok();
            assert_within(&before, &after, &format!("version {version} at {at}"));
        }
        if let Some(before) = known["history"]["changes"].as_array() {
            let after = script.get("/api/workspaces/w/history").await.ok();
            let ids = |changes: &[Value]| changes.iter().map(|change| change["id"].clone()).collect::<Vec<_>>();
            assert_eq!(ids(before), ids(after["changes"].as_array().unwrap()), "version {version}");
        }

        let basket = "/api/workspaces/w/components/basket";
        let described = script.get(basket).await.ok()["component"].clone();
        assert_eq!(described["description"], "What is to be paid.", "version {version}");
        script.post("/api/workspaces/w/undo", json!({ "batchId": "last" })).await.ok();
        assert_eq!(script.get(basket).await.ok()["component"]["description"], Value::Null, "version {version}");
        script.patch(basket, json!({ "name": "Cart" })).await.ok();
        script.create_components("w", &["new"]).await;
        script.create_relationship("w", "r9", "new", "calls", "basket").await;
        script.delete("/api/workspaces/w/components/mail").await.ok();
        let count = |bundle: &Value| bundle["components"].as_array().unwrap().len();
        assert_eq!(count(&script.bundle("w").await), count(&known["bundle"]), "version {version}");
    }
}

#[tokio::test]
async fn drafts_comments_decisions_and_webhooks_are_the_same_after_an_upgrade() {
    for version in versions() {
        let known = expected(version);
        let server = TestServer::on(data_dir_of(version), |_| {});
        let script = server.with(known["token"].as_str().unwrap());
        let paths = known["reads"].as_object().unwrap();
        assert!(paths.len() >= 8, "version {version}");
        for (path, before) in paths {
            assert_within(before, &script.get(path).await.ok(), &format!("version {version} {path}"));
        }
        // The draft is merged into its base.
        let draft = known["draft"].as_str().unwrap();
        script.post(&format!("/api/drafts/{draft}/merge"), json!({})).await.ok();
        let merged = script.get("/api/workspaces/w/components/cache").await.ok();
        assert_eq!(merged["component"]["name"], "Cache", "version {version}");
    }
}

#[tokio::test]
async fn users_sign_in_to_an_upgraded_database_with_password_and_code() {
    for version in versions() {
        let known = expected(version);
        let server = TestServer::on(data_dir_of(version), |_| {});
        let visitor = server.anonymous();
        let password = json!({ "login": "ada", "password": PASSWORD });
        let challenge = visitor.post("/api/auth/login", password).await.ok()["challenge"]["id"].clone();
        let code = code(&server, known["secondFactor"].as_str().unwrap(), 0);
        let answer = json!({ "challengeId": challenge, "method": "totp", "code": code });
        let token = visitor.post("/api/auth/login/verify", answer).await.ok()["token"].clone();
        let ada = server.with(token.as_str().unwrap());
        assert_eq!(ada.get("/api/me").await.ok()["login"], "ada", "version {version}");
        let settings = ada.get("/api/admin/settings").await.ok()["settings"].clone();
        let secret = settings.as_array().unwrap().iter().find(|one| one["key"] == "wiki.client_secret").unwrap();
        assert_eq!(secret["isSet"], true, "version {version}: its key still opens it");
    }
}

#[tokio::test]
async fn a_failed_upgrade_leaves_the_database_and_a_copy_unchanged() {
    let dir = data_dir_of(OLDEST);
    let path = dir.path().join(FILE_NAME);
    let before = recorded(&connect(&path));
    let rows = |conn: &Connection| -> i64 {
        let sql = "SELECT sum(ifnull(octet_length(before), 0) + ifnull(octet_length(after), 0)) FROM change";
        conn.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let logged = rows(&connect(&path));
    // Completed rows are counted, which fails here after they are written.
    connect(&path).execute_batch("UPDATE stored_bytes SET bytes = 9223372036854775807").unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Other { .. }), "{refusal}");
    assert!(refusal.to_string().contains("the upgrade from schema 32 failed: "), "{refusal}");
    let copies = fs::read_dir(dir.path().join("backups")).unwrap().map(|copy| copy.unwrap().path());
    let copies: Vec<_> = copies.filter(|path| path.extension().unwrap() == "db").collect();
    assert_eq!(copies.len(), 1);
    assert!(copies[0].to_string_lossy().contains("before-v"), "{copies:?}");
    for path in [&copies[0], &path] {
        assert_eq!(recorded(&connect(path)), before);
        assert_eq!(rows(&connect(path)), logged);
    }
    connect(&path).execute_batch("UPDATE stored_bytes SET bytes = 1000000").unwrap();
    let server = TestServer::on(dir, |_| {});
    let (added, counted) = server.sql(|conn| {
        let counted: i64 = conn.query_row("SELECT sum(bytes) FROM stored_bytes", [], |row| row.get(0)).unwrap();
        (rows(conn) - logged, counted - 1_000_000)
    });
    assert!(added > 0 && counted >= added, "{added} {counted}");
}

#[test]
fn an_altered_database_is_not_upgraded() {
    for (sql, text) in [
        ("CREATE TRIGGER t AFTER INSERT ON session BEGIN UPDATE user SET is_admin = 1; END", "has no trigger `t`"),
        ("DROP INDEX search_document_row", "the index `search_document_row` is missing"),
        ("ALTER TABLE user ADD COLUMN backdoor TEXT", "the table `user` differs"),
        ("DELETE FROM refinery_schema_history WHERE version = 5", "migrations are missing in its record"),
    ] {
        let dir = data_dir_of(OLDEST);
        let path = dir.path().join(FILE_NAME);
        connect(&path).execute_batch(sql).unwrap();
        let before = recorded(&connect(&path));
        let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap().to_string();
        assert!(refusal.contains(text) && refusal.contains("Planroom has not created this"), "{refusal}");
        assert_eq!(recorded(&connect(&path)), before, "{sql}");
        assert!(!dir.path().join("backups").exists(), "{sql}");
    }
}

#[test]
fn an_older_database_is_rejected_with_the_version_to_pass_through() {
    let dir = data_dir_of(OLDEST);
    let path = dir.path().join(FILE_NAME);
    connect(&path).execute_batch("DELETE FROM refinery_schema_history WHERE version = 32").unwrap();
    let before = fs::read(&path).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::TooOld { found: 31, oldest: 32, .. }), "{refusal}");
    let text = "has version 31, but this release upgrades versions from 32 on. Open the database once with the last \
                revision with schema 32 (6525b765)";
    assert!(refusal.to_string().contains(text), "{refusal}");
    assert!(fs::read(&path).unwrap() == before, "the file was not touched");
    let found = inspect::examine(dir.path()).unwrap();
    assert!(found.unsupported.unwrap().contains(text));
}

#[test]
fn the_schema_of_each_version_is_recognized_before_and_after_the_upgrade() {
    for version in versions() {
        let dir = data_dir_of(version);
        let foreign = || inspect::examine(dir.path()).unwrap().foreign_schema;
        assert_eq!(foreign(), None, "version {version}");
        let app = App::open(&config(dir.path(), |_| {}), "", Clock::default()).unwrap();
        app.close().unwrap();
        assert_eq!(foreign(), None, "version {version}, upgraded");
        connect(&dir.path().join(FILE_NAME)).execute_batch("DROP INDEX search_document_row").unwrap();
        assert_eq!(foreign().as_deref(), Some("the index `search_document_row` is missing"), "version {version}");
    }
}

#[test]
fn no_upgrade_begins_without_the_keys_of_the_database() {
    for version in versions() {
        let dir = data_dir_of(version);
        let database = dir.path().join(FILE_NAME);
        let before = fs::read(&database).unwrap();
        fs::remove_file(dir.path().join("keys/sealing.key")).unwrap();
        let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
        assert!(matches!(refusal, OpenError::MissingKeys { .. }), "version {version}: {refusal}");
        assert!(fs::read(&database).unwrap() == before, "version {version}");
        assert!(!dir.path().join("backups").exists() && !dir.path().join("keys/last-change").exists());
    }
}

#[tokio::test]
async fn an_upgrade_without_disk_space_for_a_copy_is_rejected_first() {
    let dir = data_dir_of(OLDEST);
    let path = dir.path().join(FILE_NAME);
    // A sparse file: it has this size but uses no disk space.
    let size = 8 << 40;
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(size).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::NoSpace { .. }), "{refusal}");
    assert!(!dir.path().join("backups").exists());
    let version = |conn: &Connection| -> i32 {
        conn.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(version(&connect(&path)), OLDEST);
}

#[test]
fn an_upgrade_is_logged() {
    let dir = data_dir_of(OLDEST);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_planroom"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(dir.path());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = [0; 12];
    child.stdout.take().unwrap().read_exact(&mut line).unwrap();
    child.kill().unwrap();
    let log = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    std::io::stderr().write_all(log.as_bytes()).unwrap();
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let versions = names.map(|name| name[1..].split_once("__").unwrap().0.parse::<u32>().unwrap());
    // The first migrations create the schema that the database has.
    let migrations =
        versions.filter(|version| *version > 44).map(|version| format!("applying migration version={version} "));
    let around = [
        "upgrading the database after a backup from=32",
        "replacing the record of the migrations",
        "upgraded the database",
    ];
    for text in migrations.chain(around.map(str::to_owned)) {
        assert!(log.contains(&text), "expected `{text}` in {log}");
    }
}
