//! The integrity check of the database, which a server postpones at its start after an orderly shutdown.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
    time::Duration,
};

use planroom::{
    app::App,
    clock::Clock,
    db::{FILE_NAME, OpenError},
    jobs,
};
use tempfile::TempDir;

use crate::support::{TestServer, config};

const PAGE: usize = 4_096;

/// The number of the first page of a table that no start reads.
fn page(server: &TestServer) -> u64 {
    let page = server.count("SELECT rootpage FROM sqlite_master WHERE name = 'component'");
    u64::try_from(page).unwrap()
}

/// Overwrites a page. As when a disk fails, the time of the file stays the same.
fn damage(dir: &Path, page: u64) {
    let file = File::options().write(true).open(dir.join(FILE_NAME)).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    file.write_all_at(&[0xA5; PAGE], (page - 1) * PAGE as u64).unwrap();
    file.set_modified(modified).unwrap();
}

/// Opens the data as `planroom serve` does.
fn open(dir: &Path) -> Result<App, OpenError> {
    App::open_for_serving(&config(dir, |_| {}), "http://planroom.test", Clock::stopped())
}

/// A data directory that a server has closed after its check, and the page to damage.
async fn closed() -> (TempDir, u64) {
    let server = TestServer::new().await;
    server.seed_map().await;
    let page = page(&server);
    (server.stop(), page)
}

#[tokio::test]
async fn damage_is_reported_by_a_running_server_and_rejected_at_its_next_start() {
    let (dir, page) = closed().await;
    damage(dir.path(), page);
    let server = TestServer::serving(dir);
    let client = server.anonymous();
    client.get("/readyz").await.ok();
    jobs::check_database(&server.app.gate).await;
    client.get("/readyz").await.expect_error(500, "internal error");
    client.get("/healthz").await.ok();
    let dir = server.stop();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
}

#[tokio::test]
async fn a_file_that_was_written_in_between_is_checked_at_the_start() {
    let (dir, page) = closed().await;
    damage(dir.path(), page);
    let file = File::options().write(true).open(dir.path().join(FILE_NAME)).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    file.set_modified(modified + Duration::from_nanos(1)).unwrap();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
}

#[tokio::test]
async fn a_file_of_a_crashed_server_is_checked_at_the_start() {
    let (dir, page) = closed().await;
    damage(dir.path(), page);
    // A crashed server leaves its write-ahead log.
    fs::write(dir.path().join("planroom.db-wal"), "").unwrap();
    let refusal = open(dir.path()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
}

#[tokio::test]
async fn a_running_server_has_erased_the_recorded_state() {
    let (dir, _) = closed().await;
    let server = TestServer::serving(dir);
    let lock = fs::read_to_string(server.dir.path().join("planroom.lock")).unwrap();
    assert_eq!(lock, std::process::id().to_string());
}

#[tokio::test]
async fn a_check_is_postponed_only_after_a_complete_one() {
    let (dir, _) = closed().await;
    let app = open(dir.path()).unwrap();
    assert!(!app.gate.is_database_sound(), "postponed");
    app.close().unwrap();
    let app = open(dir.path()).unwrap();
    assert!(app.gate.is_database_sound(), "checked at the start, because the last server has not checked it");
    app.close().unwrap();
    let app = open(dir.path()).unwrap();
    jobs::check_database(&app.gate).await;
    assert!(app.gate.is_database_sound());
    app.close().unwrap();
    assert!(!open(dir.path()).unwrap().gate.is_database_sound(), "postponed again");
}

#[tokio::test]
async fn commands_check_the_file_before_they_use_it() {
    let (dir, page) = closed().await;
    damage(dir.path(), page);
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::stopped()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
}
