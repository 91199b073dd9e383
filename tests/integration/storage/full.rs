//! An instance without space refuses writes, and goes on reading.

use serde_json::json;

use crate::support::Stage;

#[tokio::test]
async fn an_instance_that_is_full_refuses_writes_whole_and_goes_on_reading() {
    let stage = Stage::empty(|config| config.database.max_size_mib = 1);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.script_of("ada").await;
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
    refusal.refused(507, "the storage is full and nothing was written");
    let first = ada.get("/api/workspaces/w").await.ok();
    assert_eq!(first["components"].as_array().unwrap().len(), accepted);
    // A large write fails somewhere in its middle; nothing of it stays.
    let components: Vec<_> = (0..200).map(|i| component(format!("bulk{i}"))).collect();
    let bulk = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk.clone()).await.refused(507, "full");
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    let rows = |entity: &str| stage.count(&format!("SELECT count(*) FROM change WHERE entity = '{entity}'"));
    assert_eq!(rows("component"), i64::try_from(accepted).unwrap());
    assert_eq!(stage.count("SELECT max(revision) FROM change"), stage.count("SELECT revision FROM workspace"));

    let stage = Stage::on(stage.stop(), |config| config.database.max_size_mib = 0);
    let ada = stage.with(&credential);
    assert_eq!(ada.get("/api/workspaces/w").await.ok(), first);
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM component"), 200);
    let verdict: String = stage.sql(|conn| conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap());
    assert_eq!(verdict, "ok");
}

#[tokio::test]
async fn a_limit_below_what_is_there_refuses_writes_and_not_the_start() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    let credential = ada.credential().to_owned();
    let text = "x".repeat(50_000);
    let components: Vec<_> = (0..40)
        .map(|i| json!({ "id": i.to_string(), "typeId": "service", "name": "C", "properties": { "text": text } }))
        .collect();
    let bulk = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", bulk).await.ok();
    let stage = Stage::on(stage.stop(), |config| config.database.max_size_mib = 1);
    let ada = stage.with(&credential);
    ada.get("/api/workspaces/w").await.ok();
    let new = json!({ "typeId": "service", "name": "C", "properties": { "text": text } });
    ada.post("/api/workspaces/w/components", new).await.refused(507, "full");
}
