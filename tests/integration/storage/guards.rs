//! A data directory that is incomplete or belongs to another program is rejected unchanged.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use planroom::{
    app::App,
    clock::Clock,
    db::{FILE_NAME, OpenError, ReadPool, backup},
};
use rusqlite::{Connection, params};
use serde_json::json;
use tokio::task::JoinHandle;

use super::{close, mode, open, put};
use crate::support::{
    PASSWORD, TestServer, config, planroom,
    waiting::{allow_time_to_fail, eventually},
};

fn refusal(data_dir: &Path) -> OpenError {
    App::open(&config(data_dir, |_| {}), "", Clock::default()).expect_err("this must not start")
}

/// All files in a directory with their contents.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, content)| (format!("{name}/{inner}"), content)));
        } else if name != "planroom.lock" {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Enables two-factor authentication of the user with the id 1.
fn enable_second_factor(server: &TestServer) {
    let secret = server.app.keys().seal("second-factor", b"a secret of 20 bytes").unwrap();
    let sql = "INSERT INTO user_second_factor (user_id, secret, confirmed_at) VALUES (1, ?, 1)";
    server.sql(|conn| conn.execute(sql, params![secret]).unwrap());
}

#[tokio::test]
async fn keys_without_their_database_are_not_a_new_instance() {
    let dir = TestServer::new().await.stop();
    let database = dir.path().join(FILE_NAME);
    let kept = fs::read(&database).unwrap();
    for empty in [false, true] {
        fs::remove_file(&database).unwrap();
        if empty {
            fs::write(&database, "").unwrap();
        }
        let before = files(dir.path());
        let refused = refusal(dir.path());
        assert!(matches!(refused, OpenError::MissingDatabase { .. }), "{refused}");
        let text = refused.to_string();
        assert!(text.contains("planroom restore FILE") && text.contains(database.to_str().unwrap()), "{text}");
        assert!(text.contains("the previous database is in the newest directory `replaced-TIME`"), "{text}");
        assert_eq!(files(dir.path()), before);
        fs::write(&database, &kept).unwrap();
    }
    // The same during a restore, between moving the old files aside and putting the new ones in place.
    let interrupted = tempfile::tempdir().unwrap();
    fs::create_dir(interrupted.path().join("restoring")).unwrap();
    fs::write(interrupted.path().join("restoring").join(FILE_NAME), &kept).unwrap();
    assert!(matches!(refusal(interrupted.path()), OpenError::MissingDatabase { .. }));
    TestServer::on(dir, |_| {}).sign_in("ada").await;
}

#[tokio::test]
async fn a_database_with_secrets_is_not_served_without_its_keys() {
    let server = TestServer::new().await;
    enable_second_factor(&server);
    let dir = server.stop();
    let (keys, elsewhere) = (dir.path().join("keys"), tempfile::tempdir().unwrap());
    fs::rename(&keys, elsewhere.path().join("keys")).unwrap();
    for _ in 0..2 {
        let refusal = refusal(dir.path());
        assert!(matches!(refusal, OpenError::MissingKeys { .. }), "{refusal}");
        let text = refusal.to_string();
        assert!(text.contains("1 two-factor secret") && text.contains("planroom keys reset"), "{text}");
        assert!(!keys.exists(), "no key takes the place of the missing one");
    }
    fs::create_dir(&keys).unwrap();
    fs::write(keys.join("sealing.key"), [7; 32]).unwrap();
    let wrong = refusal(dir.path());
    assert!(matches!(wrong, OpenError::WrongKeys { .. }), "{wrong}");
    fs::remove_dir_all(&keys).unwrap();
    fs::rename(elsewhere.path().join("keys"), &keys).unwrap();
    let server = TestServer::on(dir, |_| {});
    let login = json!({ "login": "ada", "password": PASSWORD });
    let asked = server.anonymous().post("/api/auth/login", login.clone()).await;
    assert_eq!(asked.ok()["token"], json!(null), "a code is asked for");

    // After the key loss is accepted, users sign in with their password only.
    let dir = server.stop();
    fs::remove_dir_all(&keys).unwrap();
    let text = planroom(&["keys", "reset", "--yes"], dir.path());
    assert!(text.starts_with("Discarded 1 two-factor secret. These users sign in with their password only"), "{text}");
    assert_eq!(planroom(&["keys", "reset"], dir.path()), "The keys match the database; nothing was changed\n");
    TestServer::on(dir, |_| {}).sign_in("ada").await;
}

#[tokio::test]
async fn a_database_without_secrets_is_served_with_new_keys() {
    let dir = TestServer::new().await.stop();
    fs::remove_dir_all(dir.path().join("keys")).unwrap();
    TestServer::on(dir, |_| {}).sign_in("ada").await;
}

#[tokio::test]
async fn world_readable_keys_are_made_private() {
    let dir = TestServer::new().await.stop();
    let keys = dir.path().join("keys");
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(&keys, 0o755);
    let paths: Vec<_> = fs::read_dir(&keys).unwrap().map(|key| key.unwrap().path()).collect();
    for path in &paths {
        open(path, 0o644);
    }
    let server = TestServer::on(dir, |_| {});
    assert_eq!(mode(&keys), 0o700);
    for path in &paths {
        assert_eq!(mode(path), 0o600, "{}", path.display());
    }
    drop(server);
}

#[tokio::test]
async fn a_database_of_another_program_is_rejected_unchanged() {
    for (version_table, journal) in [(false, "WAL"), (true, "DELETE")] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
        let other = Connection::open(&path).unwrap();
        other.pragma_update_and_check(None, "journal_mode", journal, |_| Ok(())).unwrap();
        other.execute_batch("CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup');").unwrap();
        if version_table {
            let sql = "CREATE TABLE refinery_schema_history (version int4 PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255),
                                                             checksum VARCHAR(255));
                       INSERT INTO refinery_schema_history VALUES (1, 'recipes', '2020-01-01T00:00:00Z', '1');";
            other.execute_batch(sql).unwrap();
        }
        other.close().unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let before = files(dir.path());
        let refusal = refusal(dir.path());
        assert!(matches!(refusal, OpenError::Foreign(_)), "{refusal}");
        assert!(refusal.to_string().contains("is not a Planroom database"), "{refusal}");
        assert_eq!(files(dir.path()), before);
        assert_eq!(mode(&path), 0o644);
    }
}

#[tokio::test]
async fn a_backup_is_never_written_through_a_symbolic_link() {
    let server = TestServer::new().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let path = |name: &str| elsewhere.path().join(name);
    fs::write(path("victim"), "mine").unwrap();
    for name in ["copy.db.unfinished", "copy.db.keys.unfinished"] {
        symlink(path("victim"), path(name)).unwrap();
    }
    backup::of_data_dir(server.dir.path(), &path("copy.db")).unwrap();
    assert!(fs::symlink_metadata(path("copy.db")).unwrap().is_file());
    assert_eq!(fs::read_to_string(path("victim")).unwrap(), "mine");
    // A symbolic link under the final name is neither followed nor replaced.
    symlink(path("nothing"), path("other.db")).unwrap();
    symlink(path("nothing"), path("third.db.keys")).unwrap();
    for (name, taken) in [("other.db", "other.db"), ("third.db", "third.db.keys")] {
        let refusal = backup::of_data_dir(server.dir.path(), &path(name)).unwrap_err().to_string();
        assert!(refusal.contains(&format!("{taken} already exists")), "{refusal}");
    }
    assert!(!path("nothing").exists() && !path("third.db").exists());
}

#[tokio::test]
async fn a_failed_backup_leaves_no_files() {
    let server = TestServer::new().await;
    fs::remove_dir_all(server.dir.path().join("keys")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let refusal = backup::of_data_dir(server.dir.path(), &elsewhere.path().join("copy.db")).unwrap_err().to_string();
    assert!(refusal.starts_with("cannot read ") && refusal.contains("/keys: No such file"), "{refusal}");
    assert!(files(elsewhere.path()).is_empty(), "{:?}", files(elsewhere.path()).keys());
}

#[tokio::test]
async fn a_server_whose_database_file_was_deleted_or_replaced_is_not_ready() {
    let server = TestServer::new().await;
    let (file, aside) = (server.dir.path().join("planroom.db"), server.dir.path().join("aside.db"));
    server.anonymous().get("/readyz").await.ok();
    fs::rename(&file, &aside).unwrap();
    server.anonymous().get("/readyz").await.expect_error(500, "find the cause in the server log");
    fs::copy(&aside, &file).unwrap();
    server.anonymous().get("/readyz").await.expect_error(500, "find the cause in the server log");
    fs::remove_file(&file).unwrap();
    fs::rename(&aside, &file).unwrap();
    server.anonymous().get("/readyz").await.ok();
}

/// Creates a copy of an open database without the rows that tests have written.
#[expect(clippy::disallowed_methods, reason = "stands for another program")]
fn copy_without_settings(file: &Path, copy: &Path) {
    // The write-ahead log, which belongs to any file with the name of the original, must not have the rows.
    let truncate = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    let original = Connection::open(file).unwrap();
    assert_eq!(original.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], truncate).unwrap(), 0);
    fs::copy(file, copy).unwrap();
    Connection::open(copy).unwrap().execute_batch("PRAGMA journal_mode = DELETE; DELETE FROM setting").unwrap();
}

#[tokio::test]
async fn connections_that_the_pool_opens_later_use_only_the_file_that_was_opened() {
    let dir = tempfile::tempdir().unwrap();
    let db = open(&dir);
    db.write(put("before")).await.unwrap();
    let [file, aside, copy] = [FILE_NAME, "aside.db", "copy.db"].map(|name| dir.path().join(name));
    copy_without_settings(&file, &copy);
    fs::rename(&file, &aside).unwrap();
    let release = Arc::new(AtomicBool::new(false));
    // As many reads at once as there are threads need more connections than are open.
    let reads = [ReadPool::Point, ReadPool::Heavy].repeat(4).into_iter().map(|pool| {
        let (db, release) = (Arc::clone(&db), Arc::clone(&release));
        tokio::spawn(async move {
            let read = db.read(pool, move |connection| {
                eventually(|| release.load(Ordering::SeqCst).then_some(()).ok_or("held"));
                Ok(connection.query_row("SELECT count(*) FROM setting WHERE key = 'before'", [], |row| row.get(0))?)
            });
            read.await.unwrap()
        })
    });
    let reads: Vec<JoinHandle<i64>> = reads.collect();
    // The pool tries again 400 ms after the first failure.
    allow_time_to_fail(Duration::from_millis(100)).await;
    assert!(!file.exists(), "a connection created an empty file");
    fs::rename(&copy, &file).unwrap();
    allow_time_to_fail(Duration::from_secs(1)).await;
    fs::remove_file(&file).unwrap();
    fs::rename(&aside, &file).unwrap();
    release.store(true, Ordering::SeqCst);
    for read in reads {
        assert_eq!(read.await.unwrap(), 1, "a connection opened the copy");
    }
    close(db);
}
