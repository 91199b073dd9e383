//! A backup may have been in the hands of others: what is not of Planroom is refused, and what fails changes nothing.

use std::{fs, path::Path};

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::{WorkDir, restoring::with_backup};

#[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
fn change(path: &Path, sql: &str) {
    let database = Connection::open(path).unwrap();
    database.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON").unwrap();
    database.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// A copy of the backup `copy.db`, with its keys and a correct checksum, that SQL has changed.
fn changed(dir: &WorkDir, name: &str, sql: &str) {
    fs::copy(dir.path("copy.db"), dir.path(name)).unwrap();
    change(&dir.path(name), sql);
    let keys = dir.path(&format!("{name}.keys"));
    if !keys.exists() {
        fs::create_dir(&keys).unwrap();
        for key in fs::read_dir(dir.path("copy.db.keys")).unwrap().map(Result::unwrap) {
            fs::copy(key.path(), keys.join(key.file_name())).unwrap();
        }
    }
    let hash = Sha256::digest(fs::read(dir.path(name)).unwrap());
    let hex = hash.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    dir.write(&format!("{name}.sha256"), &format!("{hex}  {name}\n"));
}

/// Expects that the data directory has the database from before, in which a server finds the newest workspace.
fn expect_unchanged(dir: &WorkDir, token: &str) {
    let names = fs::read_dir(dir.path("data")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let strange: Vec<String> =
        names.filter(|name| name.starts_with("replaced-") || name == "restoring" || name == "backups").collect();
    assert_eq!(strange, Vec::<String>::new());
    let server = dir.serve();
    server.get("/api/workspaces/after", token).json(200);
    server.stop().ok();
}

#[test]
fn a_backup_with_a_foreign_schema_is_refused_and_doctor_names_it() {
    let (dir, token, _) = with_backup();
    let without_check = "PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (id = 1)', '') WHERE name = 'search_state'";
    for (sql, what) in [
        (
            "CREATE TRIGGER session AFTER INSERT ON session BEGIN UPDATE user SET is_admin = 1; END",
            "no trigger `session`",
        ),
        ("DROP TABLE session; CREATE VIEW session AS SELECT 1 AS id", "no view `session`"),
        (
            "DROP INDEX search_document_row; CREATE INDEX search_document_row ON search_document (row_id)",
            "the index `search_document_row` differs",
        ),
        ("DROP INDEX search_document_name", "the index `search_document_name` is missing"),
        (without_check, "the table `search_state` differs"),
        ("ALTER TABLE user ADD COLUMN backdoor TEXT", "the table `user` differs"),
        ("CREATE TABLE treasure (map TEXT)", "no table `treasure`"),
        ("CREATE VIRTUAL TABLE _litestream_seq USING fts5 (x)", "no table `_litestream_seq`"),
    ] {
        changed(&dir, "hostile.db", sql);
        let error = dir.run(&["restore", "hostile.db", "--replace"]).expect_error(what);
        assert!(error.contains("hostile.db has a schema that Planroom has not created"), "{error}");
    }
    expect_unchanged(&dir, &token);

    // In an archive, too.
    let trigger = "CREATE TRIGGER t AFTER INSERT ON session BEGIN UPDATE user SET is_admin = 1; END";
    change(&dir.path("data/planroom.db"), trigger);
    dir.run(&["backup", "--archive", "hostile.tar.zst"]).ok();
    dir.run(&["restore", "hostile.tar.zst", "--replace"]).expect_error("no trigger `t`");
    let found = dir.run(&["doctor"]);
    assert!(found.out.contains("has no trigger `t`; Planroom has not created this"), "{found:?}");
    change(&dir.path("data/planroom.db"), "DROP TRIGGER t");
    let found = dir.run(&["doctor"]);
    assert!(found.out.contains("integrity and references verified"), "{found:?}");
}

#[test]
fn tables_of_litestream_and_sqlite_are_no_obstacle() {
    let (dir, token, _) = with_backup();
    let litestream = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
                      CREATE TABLE _litestream_lock (id INTEGER); ANALYZE";
    changed(&dir, "litestream.db", litestream);
    let restored = dir.run(&["restore", "litestream.db", "--replace"]);
    assert_eq!((restored.err.as_str(), restored.status.success()), ("", true), "{restored:?}");
    let server = dir.serve();
    server.get("/api/workspaces/before", &token).json(200);
    server.get("/api/workspaces/after", &token).json(404);
    server.stop().ok();
}

#[test]
fn what_fails_after_the_backup_was_accepted_changes_nothing() {
    let (dir, token, _) = with_backup();
    for (sql, text) in [
        ("UPDATE refinery_schema_history SET checksum = '1' WHERE version = 5", "creating its tables failed"),
        ("DELETE FROM refinery_schema_history WHERE version = 5", "failed"),
        ("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'audit'", "full"),
    ] {
        changed(&dir, "hostile.db", sql);
        dir.run(&["restore", "hostile.db", "--replace"]).expect_error(text);
        dir.run(&["restore", "hostile.db", "--data-dir", "new"]).expect_error(text);
        assert!(!dir.path("new").exists(), "{sql}");
    }
    expect_unchanged(&dir, &token);
}

#[test]
fn a_database_file_is_compared_with_the_checksum_beside_it() {
    let (dir, token, _) = with_backup();
    let check =
        std::process::Command::new("sha256sum").args(["-c", "copy.db.sha256"]).current_dir(dir.path("")).output();
    assert!(check.unwrap().status.success(), "the format is that of sha256sum");
    let restore = ["restore", "copy.db", "--replace"];
    let sum = fs::read_to_string(dir.path("copy.db.sha256")).unwrap();
    let other = sum.replace(|c: char| c.is_ascii_hexdigit(), "0");
    for wrong in [other.as_str(), "", "no checksum"] {
        dir.write("copy.db.sha256", wrong);
        dir.run(&restore)
            .expect_error("copy.db was changed or damaged: it differs from its checksum in copy.db.sha256");
    }
    dir.write("copy.db.sha256", &sum);
    // SQLite would read a write-ahead log, too.
    dir.write("copy.db-wal", "");
    dir.run(&restore).expect_error("copy.db was changed or damaged");
    fs::remove_file(dir.path("copy.db-wal")).unwrap();
    change(&dir.path("copy.db"), "UPDATE user SET display_name = 'Mal'");
    dir.run(&restore).expect_error("copy.db was changed or damaged");
    expect_unchanged(&dir, &token);
    fs::remove_file(dir.path("copy.db.sha256")).unwrap();
    let restored = dir.run(&restore);
    assert!(restored.err.contains("warning: copy.db.sha256 not found"), "{restored:?}");
    restored.ok();
    dir.run(&["backup", "copy.db"]).expect_error("copy.db.keys already exists");
    dir.run(&["backup", "again.db"]).ok();
    let again = dir.run(&["restore", "again.db", "--replace"]);
    assert_eq!((again.err.as_str(), again.status.success()), ("", true), "{again:?}");
}
