//! An instance without disk space rejects writes and continues to read.

use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn a_full_instance_rejects_writes_and_serves_reads() {
    let server = TestServer::empty(|config| config.database.max_size_mib = 2);
    server.seed_admin("ada", "acme").await;
    let ada = server.script_client("ada").await;
    let credential = ada.credential().to_owned();
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    let component = |id: String| json!({ "id": id, "typeId": "service", "name": "C", "properties": { "text": "x".repeat(20_000) } });
    let mut accepted = 0;
    let refusal = loop {
        let reply = ada.post("/api/workspaces/w/components", component(format!("c{accepted}"))).await;
        if reply.status != 201 {
            break reply;
        }
        accepted += 1;
        assert!(accepted < 100, "there is no end of space");
    };
    refusal.expect_error(507, "the storage is full and nothing was written");
    let first = ada.get("/api/workspaces/w").await.ok();
    assert_eq!(first["components"].as_array().unwrap().len(), accepted);
    // A large write fails in the middle and leaves nothing.
    let components: Vec<_> = (0..200).map(|i| component(format!("bulk{i}"))).collect();
    let bulk = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk.clone()).await.expect_error(507, "full");
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    let rows = |entity: &str| server.count(&format!("SELECT count(*) FROM change WHERE entity = '{entity}'"));
    assert_eq!(rows("component"), i64::try_from(accepted).unwrap());
    assert_eq!(server.count("SELECT max(revision) FROM change"), server.count("SELECT revision FROM workspace"));

    let server = TestServer::on(server.stop(), |config| config.database.max_size_mib = 0);
    let ada = server.with(&credential);
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM component"), 200);
    let verdict: String = server.sql(|conn| conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap());
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn a_size_limit_below_the_current_size_rejects_writes_but_not_the_start() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let credential = ada.credential().to_owned();
    let text = "x".repeat(50_000);
    let components: Vec<_> = (0..40)
        .map(|i| json!({ "id": i.to_string(), "typeId": "service", "name": "C", "properties": { "text": text } }))
        .collect();
    let bulk = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    let server = TestServer::on(server.stop(), |config| config.database.max_size_mib = 2);
    let ada = server.with(&credential);
    ada.get("/api/workspaces/w").await.ok();
    let new = json!({ "typeId": "service", "name": "C", "properties": { "text": text } });
    ada.post("/api/workspaces/w/components", new).await.expect_error(507, "full");
}
