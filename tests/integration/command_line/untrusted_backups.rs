//! Backups that were modified or damaged: restore rejects an unknown schema, and a failed restore changes nothing.

use std::{fs, path::Path};

use rusqlite::Connection;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use sha2::{Digest, Sha256};

use super::{WorkDir, restoring::with_backup};

#[expect(clippy::disallowed_methods, reason = "the test modifies the file directly")]
fn execute_sql(path: &Path, sql: &str) {
    let database = Connection::open(path).unwrap();
    database.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON").unwrap();
    database.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Creates a copy of the backup `copy.db` with its keys, modifies the copy with SQL, and writes the matching checksum.
fn modified_copy(dir: &WorkDir, name: &str, sql: &str) {
    fs::copy(dir.path("copy.db"), dir.path(name)).unwrap();
    execute_sql(&dir.path(name), sql);
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

/// Expects that the data directory still has the database that was written after the backup, and no leftover files.
fn expect_unchanged(dir: &WorkDir, token: &str) {
    let names = fs::read_dir(dir.path("data")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let leftovers: Vec<String> =
        names.filter(|name| name.starts_with("replaced-") || name == "restoring" || name == "backups").collect();
    assert_eq!(leftovers, Vec::<String>::new());
    let server = dir.serve();
    server.get("/api/workspaces/after", token).json(200);
    server.stop().ok();
}

#[test]
fn restore_rejects_a_backup_with_an_unknown_schema_and_doctor_reports_it() {
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
        ("CREATE TABLE \"x\n\u{1b}[2Kplanroom: Restored\u{202e}\" (map TEXT)", "no table `x [2Kplanroom: Restored`"),
        ("CREATE VIRTUAL TABLE _litestream_seq USING fts5 (x)", "no table `_litestream_seq`"),
    ] {
        modified_copy(&dir, "hostile.db", sql);
        let error = dir.run(&["restore", "hostile.db", "--replace"]).expect_error(what);
        assert!(error.contains("hostile.db has a schema that Planroom has not created"), "{error}");
    }
    expect_unchanged(&dir, &token);

    // Archives are checked, too.
    let trigger = "CREATE TRIGGER t AFTER INSERT ON session BEGIN UPDATE user SET is_admin = 1; END";
    execute_sql(&dir.path("data/planroom.db"), trigger);
    dir.run(&["backup", "--archive", "hostile.tar.zst"]).ok();
    dir.run(&["restore", "hostile.tar.zst", "--replace"]).expect_error("no trigger `t`");
    let found = dir.run(&["doctor"]);
    assert!(found.out.contains("has no trigger `t`; Planroom has not created this"), "{found:?}");
    execute_sql(&dir.path("data/planroom.db"), "DROP TRIGGER t");
    let found = dir.run(&["doctor"]);
    assert!(found.out.contains("integrity and references verified"), "{found:?}");
}

#[test]
fn restore_reads_definitions_as_sqlite_does() {
    let (dir, token, _) = with_backup();
    let promotion = |name: &str| {
        format!("workspace_pk = {name}; UPDATE user SET is_admin = 1; DELETE FROM user WHERE id =\n new.workspace_pk")
    };
    for (kind, name, old, new) in [
        ("trigger", "placed_component_moved", "workspace_pk = new.workspace_pk", promotion("\"--\"").as_str()),
        ("trigger", "placed_component_moved", "workspace_pk = new.workspace_pk", &promotion("`--`")),
        ("trigger", "placed_component_moved", "workspace_pk = new.workspace_pk", &promotion("[--]")),
        ("trigger", "placed_component_moved", "FROM placed_component", "FROM placed_component\u{a0}"),
        ("table", "user", "DEFAULT 0 CHECK (is_admin IN (0, 1))", "DEFAULT \"0 CHECK (is_admin IN (0, 1))\""),
        ("index", "workspace_living", "deleted_at IS NULL", "\"deleted_at IS NULL\""),
    ] {
        let sql = format!(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'"
        );
        modified_copy(&dir, "hostile.db", &sql);
        dir.run(&["restore", "hostile.db", "--replace"]).expect_error(&format!("the {kind} `{name}` differs"));
    }
    expect_unchanged(&dir, &token);
}

#[test]
fn restore_compares_tables_that_no_migration_creates() {
    let (dir, token, _) = with_backup();
    let history = "ALTER TABLE refinery_schema_history RENAME TO history; ";
    let view = format!("{history} CREATE VIEW refinery_schema_history AS SELECT * FROM history");
    // Reading it would never end.
    let endless = format!(
        "{history} CREATE VIEW refinery_schema_history AS
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n)
         SELECT n AS version, 'plan_room' AS name, '' AS applied_on, '' AS checksum FROM n"
    );
    let generated = format!(
        "{history} CREATE TABLE refinery_schema_history (version int4 PRIMARY KEY, name VARCHAR(255),
             applied_on VARCHAR(255), checksum VARCHAR(255), more AS (hex(zeroblob(9))), CHECK (version < 90));
         INSERT INTO refinery_schema_history SELECT * FROM history"
    );
    let statistics = "ANALYZE; PRAGMA writable_schema = ON; UPDATE sqlite_schema
                      SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat CHECK (0))' WHERE name = 'sqlite_stat1'";
    let search = "DROP TABLE search_term; DROP TABLE search_index;
                  CREATE VIRTUAL TABLE search_index USING fts5 (password_hash, content = 'user', content_rowid = 'id')";
    for (sql, what) in [
        (view.as_str(), "hostile.db is not a Planroom database"),
        (&endless, "hostile.db is not a Planroom database"),
        (&generated, "hostile.db is not a Planroom database"),
        ("CREATE TABLE _litestream_lock (id INTEGER, CHECK (id <> 5))", "no table `_litestream_lock`"),
        (statistics, "no table `sqlite_stat1`"),
        (search, "no table `search_index`"),
    ] {
        modified_copy(&dir, "hostile.db", sql);
        dir.run(&["restore", "hostile.db", "--replace"]).expect_error(what);
    }
    expect_unchanged(&dir, &token);
}

#[test]
fn restore_rejects_special_files_and_files_that_are_no_keys() {
    let (dir, token, _) = with_backup();
    let pipe = |name: &str| mknodat(CWD, dir.path(name), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    pipe("pipe.db");
    dir.run(&["restore", "pipe.db", "--replace"]).expect_error("pipe.db is not a regular file");
    fs::rename(dir.path("copy.db.sha256"), dir.path("sum")).unwrap();
    pipe("copy.db.sha256");
    dir.run(&["restore", "copy.db", "--replace"]).expect_error("cannot read copy.db.sha256: it is not a regular file");
    fs::rename(dir.path("sum"), dir.path("copy.db.sha256")).unwrap();
    for (name, bytes) in [("large.key", (64 << 10) + 1), (".profile", 1), (&"k".repeat(96), 1)] {
        let key = dir.path("copy.db.keys").join(name);
        fs::write(&key, vec![0; bytes]).unwrap();
        dir.run(&["restore", "copy.db", "--replace"])
            .expect_error(&format!("cannot read copy.db.keys/{name}: not a key of Planroom"));
        fs::remove_file(key).unwrap();
    }
    expect_unchanged(&dir, &token);
}

#[test]
fn restore_moves_the_journal_of_the_previous_database_aside_with_it() {
    let (dir, token, _) = with_backup();
    dir.write("data/planroom.db-journal", "what an interrupted write left");
    dir.run(&["restore", "copy.db", "--replace"]).ok();
    assert!(!dir.path("data/planroom.db-journal").exists());
    let names = fs::read_dir(dir.path("data")).unwrap().map(|entry| entry.unwrap().path());
    let aside = names.into_iter().find(|path| path.to_string_lossy().contains("replaced-")).unwrap();
    assert!(aside.join("planroom.db-journal").exists());
    // That database is incomplete without its journal.
    let previous = aside.join("planroom.db");
    dir.run(&["restore", previous.to_str().unwrap(), "--replace"]).expect_error("was copied during a write");
    let server = dir.serve();
    server.get("/api/workspaces/before", &token).json(200);
    server.stop().ok();
}

#[test]
fn a_complete_restore_succeeds_even_if_its_report_cannot_be_printed() {
    let (dir, token, _) = with_backup();
    fs::remove_file(dir.path("copy.db.sha256")).unwrap();
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let restore = || dir.command(&["restore", "copy.db", "--replace"]);
    let done = restore().stdout(full()).output().unwrap();
    let errors = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success() && errors.contains("restored copy.db, but cannot print the report"), "{errors}");
    assert!(restore().stderr(full()).output().unwrap().status.success());
    let server = dir.serve();
    server.get("/api/workspaces/after", &token).json(404);
    server.stop().ok();
}

#[test]
fn restore_accepts_a_backup_with_tables_of_litestream_and_sqlite() {
    let (dir, token, _) = with_backup();
    let litestream = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
                      CREATE TABLE _litestream_lock (id INTEGER); ANALYZE";
    modified_copy(&dir, "litestream.db", litestream);
    let restored = dir.run(&["restore", "litestream.db", "--replace"]);
    assert_eq!((restored.err.as_str(), restored.status.success()), ("", true), "{restored:?}");
    let server = dir.serve();
    server.get("/api/workspaces/before", &token).json(200);
    server.get("/api/workspaces/after", &token).json(404);
    server.stop().ok();
}

#[test]
fn a_restore_that_fails_after_the_checks_changes_nothing() {
    let (dir, token, _) = with_backup();
    for (sql, text) in [
        ("UPDATE refinery_schema_history SET checksum = '1' WHERE version = 40", "creating its tables failed"),
        ("DELETE FROM refinery_schema_history WHERE version = 40", "failed"),
        ("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'audit'", "full"),
    ] {
        modified_copy(&dir, "hostile.db", sql);
        dir.run(&["restore", "hostile.db", "--replace"]).expect_error(text);
        dir.run(&["restore", "hostile.db", "--data-dir", "new"]).expect_error(text);
        assert!(!dir.path("new").exists(), "{sql}");
    }
    expect_unchanged(&dir, &token);
}

#[test]
fn restore_compares_a_database_file_with_its_checksum_file() {
    let (dir, token, _) = with_backup();
    let check =
        std::process::Command::new("sha256sum").args(["-c", "copy.db.sha256"]).current_dir(dir.path("")).output();
    assert!(check.unwrap().status.success(), "sha256sum can read the file");
    let restore = ["restore", "copy.db", "--replace"];
    let sum = fs::read_to_string(dir.path("copy.db.sha256")).unwrap();
    let other = sum.replace(|c: char| c.is_ascii_hexdigit(), "0");
    for wrong in [other.as_str(), "", "no checksum"] {
        dir.write("copy.db.sha256", wrong);
        dir.run(&restore)
            .expect_error("copy.db was changed or damaged: it differs from its checksum in copy.db.sha256");
    }
    dir.write("copy.db.sha256", &sum);
    // The checksum does not cover a write-ahead log, which SQLite would read.
    dir.write("copy.db-wal", "");
    dir.run(&restore).expect_error("copy.db was changed or damaged");
    fs::remove_file(dir.path("copy.db-wal")).unwrap();
    execute_sql(&dir.path("copy.db"), "UPDATE user SET display_name = 'Mal'");
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
