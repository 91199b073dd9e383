//! After an older state of the database was put in place, nothing that a client kept from before counts any more.

use std::{fs, path::Path};

use planroom::db::{FILE_NAME, backup};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Actor, Stage};

/// Puts a copy of the database in place by hand, and leaves the rest of the data directory as it is.
fn put_back(copy: &Path, data_dir: &TempDir) {
    fs::copy(copy, data_dir.path().join(FILE_NAME)).unwrap();
}

fn incarnation(stage: &Stage) -> String {
    stage.app.gate.incarnation().as_str().to_owned()
}

async fn component(actor: &Actor<'_>, id: &str) -> Value {
    let new = json!({ "id": id, "typeId": "service", "name": id });
    actor.post("/api/workspaces/w/components", new).await.created()
}

/// An instance with a workspace `w`.
async fn instance() -> (Stage, String) {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let credential = ada.credential().to_owned();
    drop(ada);
    (stage, credential)
}

#[tokio::test]
async fn after_a_restore_clients_from_before_load_everything_again() {
    let (stage, credential) = instance().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("planroom.db");
    backup::of_data_dir(stage.dir.path(), &copy).unwrap();
    let ada = stage.with(&credential);
    let mut follower = ada.follow("w", "").await;
    for id in ["a", "b", "c"] {
        component(&ada, id).await;
        follower.hear().await;
    }
    let tag = ada.tag("w").await;
    let since = format!("?since={}", tag.trim_matches('"'));
    let event = ada.event_id(follower.last.unwrap());
    let before = incarnation(&stage);
    let row = format!("\"{}-2\"", &before[..8]);
    drop((follower, ada));

    let dir = stage.stop();
    put_back(&copy, &dir);
    let stage = Stage::on(dir, |_| {});
    let ada = stage.with(&credential);
    for id in ["x", "y", "z"] {
        component(&ada, id).await;
    }
    // The counters have caught up: by the numbers alone nothing has happened.
    let numbers = |tag: &str| tag.split_once('-').unwrap().1.to_owned();
    assert_eq!(numbers(&ada.tag("w").await), numbers(&tag));
    assert_ne!(incarnation(&stage), before);
    let bundle = ada.header("if-none-match", &tag).get("/api/workspaces/w").await.ok();
    assert_eq!(bundle["components"][0]["id"], "x");
    assert_eq!(bundle["incarnation"], incarnation(&stage));
    for (header, query) in [(event.as_str(), ""), (event.split_once('-').unwrap().1, ""), ("", since.as_str())] {
        let actor = if header.is_empty() { ada.clone() } else { ada.header("last-event-id", header) };
        assert_eq!(actor.follow("w", query).await.hear().await.what(), "reload", "{header}{query}");
    }
    let rename = || json!({ "name": "Other" });
    ada.header("if-match", &tag).patch("/api/workspaces/w", rename()).await.refused(412, "changed since");
    ada.header("if-match", &row).patch("/api/workspaces/w/components/x", rename()).await.refused(412, "changed since");
    let row = format!("\"{}-2\"", &incarnation(&stage)[..8]);
    ada.header("if-match", &row).patch("/api/workspaces/w/components/x", rename()).await.ok();
    let tag = ada.tag("w").await;
    ada.header("if-match", &tag).patch("/api/workspaces/w", rename()).await.ok();
}

#[tokio::test]
async fn answers_kept_for_repeated_requests_end_with_their_incarnation() {
    let (stage, credential) = instance().await;
    let new = json!({ "id": "a", "typeId": "service", "name": "A" });
    let create = async |stage: &Stage| {
        let ada = stage.with(&credential).header("idempotency-key", "k");
        ada.post("/api/workspaces/w/components", new.clone()).await
    };
    create(&stage).await.created();
    create(&stage).await.created();
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("planroom.db");
    backup::of_data_dir(stage.dir.path(), &copy).unwrap();
    let dir = stage.stop();
    put_back(&copy, &dir);
    let stage = Stage::on(dir, |_| {});
    create(&stage).await.refused(409, "exists");
}

#[tokio::test]
async fn a_file_from_yesterday_is_recognized_by_the_last_change_beside_the_keys() {
    let (stage, credential) = instance().await;
    let before = incarnation(&stage);
    let dir = stage.stop();
    let yesterday = dir.path().join("yesterday");
    fs::copy(dir.path().join(FILE_NAME), &yesterday).unwrap();

    // Nothing was written since: it is the same state.
    let stage = Stage::on(dir, |_| {});
    assert_eq!(incarnation(&stage), before);
    let dir = stage.stop();
    put_back(&yesterday, &dir);
    let stage = Stage::on(dir, |_| {});
    assert_eq!(incarnation(&stage), before);

    component(&stage.with(&credential), "a").await;
    let dir = stage.stop();
    put_back(&yesterday, &dir);
    let stage = Stage::on(dir, |_| {});
    let after = incarnation(&stage);
    assert_ne!(after, before);
    assert_eq!(incarnation(&stage.restart()), after);
}

#[tokio::test]
async fn a_database_without_the_file_beside_its_keys_starts_a_new_incarnation() {
    let (stage, _) = instance().await;
    let before = incarnation(&stage);
    let dir = stage.stop();
    fs::remove_file(dir.path().join("keys/last-change")).unwrap();
    let stage = Stage::on(dir, |_| {});
    assert_ne!(incarnation(&stage), before);
}

#[tokio::test]
async fn a_crash_keeps_the_incarnation() {
    let (stage, credential) = instance().await;
    let before = incarnation(&stage);
    stage.app.gate.note_position().await.unwrap();
    component(&stage.with(&credential), "a").await;
    for noted in [false, true] {
        if noted {
            stage.app.gate.note_position().await.unwrap();
        }
        let crashed = super::crashes::snatch(stage.dir.path());
        assert_eq!(incarnation(&Stage::on(crashed, |_| {})), before);
    }
}
