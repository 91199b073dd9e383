//! `doctor` and `vacuum`: findings, exit status, repair.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use rusqlite::Connection;
use serde_json::Value;

use super::{Outcome, WorkDir, import, model, restoring::populate};

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
fn sql(dir: &WorkDir, text: &str) {
    Connection::open(dir.path("data/planroom.db")).unwrap().execute_batch(text).unwrap();
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
        assert_eq!(finding(&report, "keys")[0]["message"], "decrypt 1 secret setting");
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
    assert!(finding(&found, "keys")[0]["message"].as_str().unwrap().starts_with("keys/sealing.key is missing"));
    let backups = finding(&found, "backups");
    assert!(backups[0]["message"].as_str().unwrap().contains("of 2020-01-01 03:15:00Z"), "{found:#}");
    assert_eq!(backups[0]["status"], "problem");
    let off = dir.run_with(&["doctor"], &[("PLANROOM_BACKUP_DAILY", "")], "");
    assert!(off.out.contains("scheduled backups are off (backup.daily)"), "{off:?}");
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
