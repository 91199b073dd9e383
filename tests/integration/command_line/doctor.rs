//! `doctor` and `vacuum`: findings, exit status, repair.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use rusqlite::Connection;
use serde_json::Value;

use super::{Outcome, WorkDir, import, model, restoring::populate};
use crate::upgrades::data_dir_of;

fn finding<'r>(report: &'r Value, check: &str) -> Vec<&'r Value> {
    report["findings"].as_array().unwrap().iter().filter(|finding| finding["check"] == check).collect()
}

fn report(dir: &WorkDir) -> (Outcome, Value) {
    let outcome = dir.run(&["doctor", "--json"]);
    let report = serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{outcome:?}"));
    (outcome, report)
}

/// A stopped instance with a map and a secret.
fn instance() -> WorkDir {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    populate(&server);
    server.stop().ok();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).ok();
    dir
}

#[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
fn open(dir: &WorkDir) -> Connection {
    Connection::open(dir.path("data/planroom.db")).unwrap()
}

fn sql(dir: &WorkDir, text: &str) {
    open(dir).execute_batch(text).unwrap();
}

#[test]
fn an_instance_in_order_has_no_problems_with_or_without_a_server() {
    let dir = instance();
    dir.run(&["doctor", "--data-dir", "nowhere"]).expect_error("there is no database in nowhere");
    let check = |expected: &str| {
        let (outcome, report) = report(&dir);
        // There is no backup yet.
        assert_eq!(outcome.status.code(), Some(3), "{report:#}");
        assert_eq!(report["status"], "warning");
        assert_eq!(finding(&report, "server")[0]["message"], expected);
        for finding in report["findings"].as_array().unwrap() {
            let is_expected = ["backups", "file limit", "storage"].contains(&finding["check"].as_str().unwrap());
            assert!(is_expected || finding["status"] == "ok", "{finding}");
        }
        assert_eq!(finding(&report, "keys")[0]["message"], "complete; needed by 1 secret setting");
        assert_eq!(finding(&report, "change log")[0]["status"], "ok");
    };
    check("not running");
    let server = dir.serve();
    check("running, responds to commands");
    dir.run(&["doctor", "--repair"]).expect_error("another Planroom process is using data; stop it first");
    dir.run(&["vacuum"]).expect_error("another Planroom process is using data; stop it first");
    server.stop().ok();
    let text = dir.run(&["doctor"]);
    assert!(text.out.lines().all(|line| line.starts_with("OK  ") || line.starts_with("WARNING  ")), "{text:?}");
}

#[test]
fn problems_are_found_and_some_are_repaired() {
    let dir = instance();
    fs::set_permissions(dir.path("data/keys/sealing.key"), fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir(dir.path("data/restoring")).unwrap();
    fs::create_dir(dir.path("data/replaced-1")).unwrap();
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4));
    assert!(finding(&found, "permissions")[0]["message"].as_str().unwrap().contains("keys/sealing.key"), "{found:#}");
    assert_eq!(finding(&found, "files").len(), 2, "{found:#}");
    let repaired = dir.run(&["doctor", "--repair"]);
    assert!(repaired.out.contains("REPAIRED  made data/keys/sealing.key readable by its owner only"), "{repaired:?}");
    assert!(repaired.out.contains("REPAIRED  deleted data/restoring"), "{repaired:?}");
    let (_, found) = report(&dir);
    assert_eq!(finding(&found, "permissions")[0]["status"], "ok", "{found:#}");
    assert!(dir.path("data/replaced-1").exists(), "the operator decides about replaced databases");
}

#[test]
fn rows_that_differ_from_the_change_log_are_found() {
    let dir = instance();
    sql(&dir, "UPDATE component SET name = 'Changed by hand' WHERE id = 'заказ/сервис'");
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4), "{found:#}");
    let text = finding(&found, "change log")[0]["message"].as_str().unwrap().to_owned();
    assert!(text.contains("component заказ/сервис of workspace лавка differs from its last change"), "{text}");
    sql(&dir, "PRAGMA foreign_keys = OFF; DELETE FROM component WHERE id = 'заказ/сервис'");
    let (_, found) = report(&dir);
    assert!(finding(&found, "database")[0]["message"].as_str().unwrap().contains("refer to missing rows"), "{found:#}");
    let text = finding(&found, "change log")[0]["message"].as_str().unwrap().to_owned();
    assert!(text.contains("component заказ/сервис of workspace лавка is missing"), "{text}");
}

#[test]
fn lost_keys_and_overdue_backups_are_found() {
    let dir = instance();
    fs::remove_file(dir.path("data/keys/sealing.key")).unwrap();
    fs::create_dir(dir.path("data/backups")).unwrap();
    dir.write("data/backups/planroom-20200101T031500Z.tar.zst", "x");
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4));
    assert!(finding(&found, "keys")[0]["message"].as_str().unwrap().starts_with("sealing.key not found"));
    let backups = finding(&found, "backups");
    assert!(backups[0]["message"].as_str().unwrap().contains("of 2020-01-01 03:15:00Z"), "{found:#}");
    assert_eq!(backups[0]["status"], "problem");
    let off = dir.run_with(&["doctor"], &[("PLANROOM_BACKUP_DAILY", "")], "");
    assert!(off.out.contains("scheduled backups are off (backup.daily)"), "{off:?}");
}

#[test]
fn a_damaged_database_is_a_finding_of_one_line_and_the_other_checks_go_on() {
    let dir = instance();
    let (pages, size) = {
        let database = open(&dir);
        let sql =
            "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('component', 'change', 'note')";
        let mut rows = database.prepare(sql).unwrap();
        let number = |row: &rusqlite::Row<'_>| Ok(usize::try_from(row.get::<_, u32>(0)?).unwrap());
        let pages: Vec<usize> = rows.query_map([], number).unwrap().map(Result::unwrap).collect();
        (pages, database.pragma_query_value(None, "page_size", number).unwrap())
    };
    assert!(pages.len() > 5, "{pages:?}");
    let mut bytes = fs::read(dir.path("data/planroom.db")).unwrap();
    for page in &pages {
        bytes[(page - 1) * size..page * size].fill(0);
    }
    fs::write(dir.path("data/planroom.db"), bytes).unwrap();
    let refused = dir.run(&["serve", "--listen", "127.0.0.1:0"]).expect_error("data/planroom.db is damaged (");
    let (first, others) = refused.split_once(", and ").unwrap();
    assert!(first.contains("Tree ") && !first.contains("***"), "{refused}");
    let count: usize = others.split(' ').next().unwrap().parse().unwrap();
    assert!(count >= 3, "{refused}");
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4), "{found:#}");
    let text = finding(&found, "database")[0]["message"].as_str().unwrap().to_owned();
    assert!(text.starts_with("damaged (Tree ") && text.contains(" more); restore a backup"), "{text}");
    for check in ["change log", "keys", "clock"] {
        assert!(finding(&found, check)[0]["message"].as_str().unwrap().starts_with("not checked: "), "{found:#}");
    }
    assert_eq!(finding(&found, "permissions")[0]["status"], "ok", "{found:#}");
    assert_eq!(dir.run(&["doctor", "--repair"]).status.code(), Some(4));

    fs::write(dir.path("data/planroom.db"), "no database, but a letter").unwrap();
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4), "{found:#}");
    fs::write(dir.path("data/planroom.db"), "").unwrap();
    let (outcome, found) = report(&dir);
    assert_eq!(outcome.status.code(), Some(4), "{found:#}");
    let text = "empty, but there are keys of a database; restore a backup with `planroom restore FILE`";
    assert_eq!(finding(&found, "database")[0]["message"], text);
}

#[test]
fn keys_that_are_not_keys_are_problems_and_a_missing_signing_key_is_a_warning() {
    let dir = instance();
    let key = fs::read(dir.path("data/keys/sealing.key")).unwrap();
    fs::write(dir.path("data/keys/sealing.key"), &key[..10]).unwrap();
    let (_, found) = report(&dir);
    let keys = finding(&found, "keys");
    assert_eq!(keys[0]["status"], "problem", "{found:#}");
    assert!(
        keys[0]["message"].as_str().unwrap().starts_with("data/keys: sealing.key is not a key; copy it"),
        "{found:#}"
    );
    fs::write(dir.path("data/keys/sealing.key"), key).unwrap();
    fs::remove_file(dir.path("data/keys/session-signing.pk8")).unwrap();
    let (_, found) = report(&dir);
    let keys = finding(&found, "keys");
    assert_eq!(keys[0]["status"], "warning", "{found:#}");
    assert!(keys[0]["message"].as_str().unwrap().starts_with("session-signing.pk8 not found"), "{found:#}");
    assert_eq!(keys[1]["message"], "complete; needed by 1 secret setting");
    dir.serve().stop().ok();
}

#[test]
fn forgotten_proxies_are_found_while_the_server_runs() {
    let dir = instance();
    let server = dir.serve();
    let proxies = |dir: &WorkDir| finding(&report(dir).1, "proxies")[0].clone();
    assert_eq!(proxies(&dir)["message"], "none");
    server.ask_with("GET", "/healthz", "X-Forwarded-For: 192.0.2.7\r\n", None);
    let found = proxies(&dir);
    assert_eq!(found["status"], "warning");
    assert!(found["message"].as_str().unwrap().starts_with("X-Forwarded-For from 127.0.0.1 is ignored"), "{found}");
    server.stop().ok();
    // An https URL without a proxy is right if the server itself uses TLS.
    let url = ("PLANROOM_PUBLIC_URL", "https://plans.example.org");
    let tls = [url, ("PLANROOM_TLS_CERTIFICATE", "cert.pem"), ("PLANROOM_TLS_KEY", "key.pem")];
    let plain = dir.run_with(&["doctor"], &tls[..1], "").out;
    assert!(plain.contains("WARNING   proxies        public_url is https, so a proxy"), "{plain}");
    let own = dir.run_with(&["doctor"], &tls, "").out;
    assert!(own.contains("OK        proxies        none"), "{own}");
}

#[test]
fn an_older_schema_is_checked_as_far_as_possible() {
    let dir = WorkDir::new();
    fs::rename(data_dir_of(32).keep(), dir.path("data")).unwrap();
    fs::create_dir(dir.path("data/backups")).unwrap();
    dir.write("data/backups/before-v44-1.db", "x");
    let (_, found) = report(&dir);
    assert!(finding(&found, "database")[0]["message"].as_str().unwrap().contains("the next start upgrades it"));
    assert!(finding(&found, "keys")[0]["message"].as_str().unwrap().starts_with("complete; needed by 1 two-factor"));
    for check in ["change log", "clock"] {
        let text = "not checked: the database has to be upgraded first";
        assert_eq!(finding(&found, check)[0]["message"], text, "{found:#}");
    }
    let files = finding(&found, "files").iter().map(|finding| finding["message"].to_string()).collect::<String>();
    assert!(files.contains("copies of the database from before upgrades: 1 (1 KiB) in data/backups"), "{files}");
}

#[test]
fn links_in_the_data_directory_are_not_followed_by_repairs() {
    let dir = instance();
    dir.write("outside", "x");
    fs::set_permissions(dir.path("outside"), fs::Permissions::from_mode(0o644)).unwrap();
    symlink(dir.path("outside"), dir.path("data/keys/link")).unwrap();
    dir.run(&["doctor", "--repair"]);
    assert_eq!(fs::metadata(dir.path("outside")).unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn a_vacuum_shrinks_the_file() {
    let dir = instance();
    let size = || fs::metadata(dir.path("data/planroom.db")).unwrap().len();
    sql(&dir, "CREATE TABLE junk AS SELECT zeroblob(3000000) AS x; DROP TABLE junk");
    let before = size();
    let told = dir.run(&["vacuum"]).ok();
    assert!(told.starts_with("Vacuumed the database: ") && told.contains(" before, "), "{told}");
    assert!(size() + 2_900_000 < before, "{} of {before}", size());
    let server = dir.serve();
    server.stop().ok();
}
