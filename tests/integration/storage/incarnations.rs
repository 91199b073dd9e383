//! After an older database is put in place, client state from before is invalid.

use std::{fs, path::Path};

use planroom::db::{FILE_NAME, backup};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{TestClient, TestServer};

/// Replaces the database file by hand and keeps the rest of the data directory.
fn replace_database(copy: &Path, data_dir: &TempDir) {
    fs::copy(copy, data_dir.path().join(FILE_NAME)).unwrap();
}

fn incarnation(server: &TestServer) -> String {
    server.app.gate.incarnation().as_str().to_owned()
}

async fn component(client: &TestClient<'_>, id: &str) -> Value {
    let new = json!({ "id": id, "typeId": "service", "name": id });
    client.post("/api/workspaces/w/components", new).await.created()
}

/// A server with a workspace `w`.
async fn instance() -> (TestServer, String) {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let credential = ada.credential().to_owned();
    drop(ada);
    (server, credential)
}

#[tokio::test]
async fn after_a_restore_earlier_clients_reload_everything() {
    let (server, credential) = instance().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("planroom.db");
    backup::of_data_dir(server.dir.path(), &copy).unwrap();
    let ada = server.with(&credential);
    let mut follower = ada.follow("w", "").await;
    for id in ["a", "b", "c"] {
        component(&ada, id).await;
        follower.next_event().await;
    }
    let tag = ada.etag("w").await;
    let since = format!("?since={}", tag.trim_matches('"'));
    let event = ada.event_id(follower.last.unwrap());
    let before = incarnation(&server);
    let row = format!("\"{}-2\"", &before[..8]);
    drop((follower, ada));

    let dir = server.stop();
    replace_database(&copy, &dir);
    let server = TestServer::on(dir, |_| {});
    let ada = server.with(&credential);
    for id in ["x", "y", "z"] {
        component(&ada, id).await;
    }
    // The counters have the same values again: by the numbers alone nothing has changed.
    let numbers = |tag: &str| tag.split_once('-').unwrap().1.to_owned();
    assert_eq!(numbers(&ada.etag("w").await), numbers(&tag));
    assert_ne!(incarnation(&server), before);
    let bundle = ada.header("if-none-match", &tag).get("/api/workspaces/w").await.ok();
    assert_eq!(bundle["components"][0]["id"], "x");
    assert_eq!(bundle["incarnation"], incarnation(&server));
    for (header, query) in [(event.as_str(), ""), (event.split_once('-').unwrap().1, ""), ("", since.as_str())] {
        let client = if header.is_empty() { ada.clone() } else { ada.header("last-event-id", header) };
        assert_eq!(client.follow("w", query).await.next_event().await.what(), "reload", "{header}{query}");
    }
    let rename = || json!({ "name": "Other" });
    ada.header("if-match", &tag).patch("/api/workspaces/w", rename()).await.expect_error(412, "changed since");
    ada.header("if-match", &row)
        .patch("/api/workspaces/w/components/x", rename())
        .await
        .expect_error(412, "changed since");
    let row = format!("\"{}-2\"", &incarnation(&server)[..8]);
    ada.header("if-match", &row).patch("/api/workspaces/w/components/x", rename()).await.ok();
    let tag = ada.etag("w").await;
    ada.header("if-match", &tag).patch("/api/workspaces/w", rename()).await.ok();
}

#[tokio::test]
async fn idempotent_responses_are_only_replayed_in_their_incarnation() {
    let (server, credential) = instance().await;
    let new = json!({ "id": "a", "typeId": "service", "name": "A" });
    let create = async |server: &TestServer| {
        let ada = server.with(&credential).header("idempotency-key", "k");
        ada.post("/api/workspaces/w/components", new.clone()).await
    };
    create(&server).await.created();
    create(&server).await.created();
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("planroom.db");
    backup::of_data_dir(server.dir.path(), &copy).unwrap();
    let dir = server.stop();
    replace_database(&copy, &dir);
    let server = TestServer::on(dir, |_| {});
    create(&server).await.expect_error(409, "exists");
}

#[tokio::test]
async fn an_older_database_file_is_detected_by_the_last_change_next_to_the_keys() {
    let (server, credential) = instance().await;
    let before = incarnation(&server);
    let dir = server.stop();
    let yesterday = dir.path().join("yesterday");
    fs::copy(dir.path().join(FILE_NAME), &yesterday).unwrap();

    // Nothing was written since: the state is the same.
    let server = TestServer::on(dir, |_| {});
    assert_eq!(incarnation(&server), before);
    let dir = server.stop();
    replace_database(&yesterday, &dir);
    let server = TestServer::on(dir, |_| {});
    assert_eq!(incarnation(&server), before);

    component(&server.with(&credential), "a").await;
    let dir = server.stop();
    replace_database(&yesterday, &dir);
    let server = TestServer::on(dir, |_| {});
    let after = incarnation(&server);
    assert_ne!(after, before);
    assert_eq!(incarnation(&server.restart()), after);
}

#[tokio::test]
async fn a_database_without_the_position_file_starts_a_new_incarnation() {
    let (server, _) = instance().await;
    let before = incarnation(&server);
    let dir = server.stop();
    fs::remove_file(dir.path().join("keys/last-change")).unwrap();
    let server = TestServer::on(dir, |_| {});
    assert_ne!(incarnation(&server), before);
}

#[tokio::test]
async fn a_crash_keeps_the_incarnation() {
    let (server, credential) = instance().await;
    let before = incarnation(&server);
    server.app.gate.note_position().await.unwrap();
    component(&server.with(&credential), "a").await;
    for noted in [false, true] {
        if noted {
            server.app.gate.note_position().await.unwrap();
        }
        let crashed = super::crashes::copy_crashed(server.dir.path());
        assert_eq!(incarnation(&TestServer::on(crashed, |_| {})), before);
    }
}
