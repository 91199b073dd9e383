//! The index after crashes, restores, upgrades and damage.

use std::fs;

use planroom::{
    db::{FILE_NAME, backup},
    jobs,
};
use serde_json::{Value, json};

use super::{found, random::expect_same_index_as_filled, search};
use crate::{
    storage::crashes::copy_crashed,
    support::{TestClient, TestServer},
};

async fn fill(ada: &TestClient<'_>) {
    let components: Vec<Value> = (0..300)
        .map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("Zeppelin {n}") }))
        .collect();
    ada.create_workspace("w").await;
    ada.put("/api/workspaces/w/bulk", json!({ "components": components, "relationships": [] })).await.ok();
    for n in 0..20 {
        ada.patch(&format!("/api/workspaces/w/components/c{n}"), json!({ "name": format!("Airship {n}") })).await.ok();
    }
    ada.delete("/api/workspaces/w/components/c299").await.ok();
}

async fn expect_complete(ada: &TestClient<'_>) {
    assert_eq!(search(ada, "zeppelin", "").await["total"], 279);
    assert_eq!(search(ada, "airship", "").await["total"], 20);
}

#[tokio::test]
async fn the_index_survives_a_crash() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    fill(&ada).await;
    let revived = TestServer::on(copy_crashed(server.dir.path()), |_| {});
    expect_complete(&revived.with(ada.credential())).await;
    expect_same_index_as_filled(revived);
}

#[tokio::test]
async fn a_backup_contains_the_index() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    fill(&ada).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("planroom.db");
    backup::of_data_dir(server.dir.path(), &target).unwrap();
    ada.delete("/api/workspaces/w").await.ok();
    let data = tempfile::tempdir().unwrap();
    fs::rename(&target, data.path().join(FILE_NAME)).unwrap();
    fs::rename(elsewhere.path().join("planroom.db.keys"), data.path().join("keys")).unwrap();
    let restored = TestServer::on(data, |_| {});
    expect_complete(&restored.with(ada.credential())).await;
    expect_same_index_as_filled(restored);
}

#[tokio::test]
async fn a_damaged_index_is_filled_again_at_the_next_start() {
    let server = TestServer::new().await;
    let credential = {
        let ada = server.script_client("ada").await;
        fill(&ada).await;
        ada.credential().to_owned()
    };
    let dir = server.stop();
    let damaged = TestServer::on(dir, |_| {});
    // The first segment loses its entries.
    damaged.sql(|conn| {
        conn.execute("UPDATE search_index_data SET block = zeroblob(length(block)) WHERE id > 10", []).unwrap()
    });
    // Such a file can be backed up, and restored.
    let elsewhere = tempfile::tempdir().unwrap();
    backup::of_data_dir(damaged.dir.path(), &elsewhere.path().join("planroom.db")).unwrap();
    let repaired = damaged.restart();
    expect_complete(&repaired.with(&credential)).await;
    expect_same_index_as_filled(repaired);
}

#[tokio::test]
async fn a_damaged_index_is_filled_again_while_the_server_runs() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    fill(&ada).await;
    let credential = ada.credential().to_owned();
    let dir = server.stop();
    // As when a disk fails: the file has the time at which it was closed, so the check at the start is postponed.
    let path = dir.path().join(FILE_NAME);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    #[expect(clippy::disallowed_methods, reason = "a test damages the file")]
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute("UPDATE search_index_data SET block = zeroblob(length(block)) WHERE id > 10", []).unwrap();
    conn.close().unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let repaired = TestServer::serving(dir);
    jobs::check_database(&repaired.app.gate).await;
    expect_complete(&repaired.with(&credential)).await;
    expect_same_index_as_filled(repaired);
}

#[tokio::test]
async fn an_index_of_an_earlier_version_is_filled_again() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    fill(&ada).await;
    let credential = ada.credential().to_owned();
    server.sql(|conn| {
        conn.execute_batch("DELETE FROM search_document; UPDATE search_state SET version = 0").unwrap();
    });
    let filled = server.restart();
    let ada = filled.with(&credential);
    expect_complete(&ada).await;
    assert_eq!(found(&search(&ada, "zeppelin 298", "").await), ["component w c298"]);
}
