//! Unusable data directories are rejected unchanged, and files are private.

use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use planroom::{
    app::App,
    clock::Clock,
    db::{FILE_NAME, OpenError},
    operator::socket,
};

use super::mode;
use crate::support::{TestServer, config};

#[tokio::test]
async fn a_second_server_on_the_same_data_is_rejected() {
    let server = TestServer::new().await;
    let again = App::open(&config(server.dir.path(), |_| {}), "", Clock::default());
    let refusal = again.err().unwrap().to_string();
    assert!(refusal.contains("another Planroom process is using"), "{refusal}");
    assert!(refusal.contains(server.dir.path().to_str().unwrap()) && refusal.contains("stop it first"), "{refusal}");
    let dir = server.stop();
    TestServer::on(dir, |_| {}).sign_in("ada").await;
}

#[tokio::test]
async fn the_files_are_private_even_in_a_shared_directory() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(dir.path().join(FILE_NAME), "").unwrap();
    fs::set_permissions(dir.path().join(FILE_NAME), fs::Permissions::from_mode(0o644)).unwrap();
    let server = TestServer::on(dir, |_| {});
    server.seed_admin("ada", "acme").await;
    for file in [FILE_NAME, "planroom.db-wal", "planroom.db-shm"] {
        assert_eq!(mode(&server.dir.path().join(file)), 0o600, "{file}");
    }
}

#[tokio::test]
async fn a_newer_database_is_rejected_with_both_versions() {
    let server = TestServer::new().await;
    server.sql(|conn| {
        let known: i64 =
            conn.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap();
        assert!(known < 99);
        let sql = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
                   SELECT 99, 'future', applied_on, '1' FROM refinery_schema_history LIMIT 1";
        conn.execute(sql, []).unwrap();
    });
    let known = server.count("SELECT max(version) FROM refinery_schema_history WHERE version < 99");
    let dir = server.stop();
    let before = fs::read(dir.path().join(FILE_NAME)).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Newer { found: 99, .. }), "{refusal}");
    let text = refusal.to_string();
    assert!(text.contains("version 99") && text.contains(&format!("up to {known}")), "{text}");
    assert!(text.contains("newer release") && text.contains(FILE_NAME), "{text}");
    assert_eq!(fs::read(dir.path().join(FILE_NAME)).unwrap(), before, "the file was not touched");
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_rejected_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE_NAME);
    let garbage = b"This is a letter to my aunt. ".repeat(1_000);
    fs::write(&file, &garbage).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
    let text = refusal.to_string();
    assert!(text.contains("is damaged") && text.contains("restore a backup"), "{text}");
    assert_eq!(fs::read(&file).unwrap(), garbage);
}

#[tokio::test]
async fn a_damaged_database_is_rejected_and_kept() {
    let server = TestServer::new().await;
    let dir = server.stop();
    let file = dir.path().join(FILE_NAME);
    let mut bytes = fs::read(&file).unwrap();
    let (from, to) = (10 * 4_096, 20 * 4_096);
    assert!(bytes.len() > to);
    bytes[from..to].fill(0xA5);
    fs::write(&file, &bytes).unwrap();
    let refusal = App::open(&config(dir.path(), |_| {}), "", Clock::default()).err().unwrap();
    assert!(matches!(refusal, OpenError::Corrupt { .. }), "{refusal}");
    assert!(refusal.to_string().contains("`planroom restore FILE --replace` keeps the damaged file"), "{refusal}");
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn data_keys_and_socket_are_private_to_their_owner() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("deep/data");
    let app = Arc::new(App::open(&config(&data, |_| {}), "", Clock::default()).unwrap());
    let listener = socket::bind(&data).unwrap();
    let served = Arc::clone(&app);
    let serving = tokio::spawn(socket::serve(move || Arc::clone(&served), listener));
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("keys")), 0o700);
    let keys: Vec<_> = fs::read_dir(data.join("keys")).unwrap().map(|key| key.unwrap().path()).collect();
    assert_eq!(keys.len(), 4, "three keys, and the last change");
    for private in keys.iter().chain([&data.join("planroom.sock"), &data.join("planroom.lock")]) {
        assert_eq!(mode(private), 0o600, "{}", private.display());
    }
    serving.abort();
    drop(serving.await);
    Arc::into_inner(app).unwrap().close().unwrap();
}
