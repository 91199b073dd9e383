//! Row order: a bulk writes only rows that are new or moved.

use serde_json::{Value, json};

use super::PATH;
use crate::support::{TestServer, ids};

#[tokio::test]
async fn adding_or_moving_a_row_leaves_the_other_rows_unchanged() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    let row = |id: &str| json!({ "id": id, "typeId": "service", "name": id });
    let mut rows: Vec<Value> = (0..60).map(|n| row(&format!("n{n}"))).collect();
    // Consecutive numbers, as an older version assigned them.
    ada.put(PATH, json!({ "components": rows, "relationships": [] })).await.ok();
    server.sql(|conn| conn.execute("UPDATE component SET seq = seq / 1048576", []).unwrap());
    let updated = async |rows: &[Value]| {
        let model = json!({ "components": rows, "relationships": [] });
        let tried = ada.put(&format!("{PATH}?dryRun=true"), model.clone()).await.ok();
        let done = ada.put(PATH, model).await.ok();
        let wanted: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!((ids(&done["components"]), ids(&ada.bundle("w").await["components"])), (wanted.clone(), wanted));
        tried["updated"]["components"].clone()
    };
    rows.insert(0, row("first"));
    assert_eq!(updated(&rows).await, json!([]), "at the front");
    rows.push(row("last"));
    assert_eq!(updated(&rows).await, json!([]), "at the end");
    rows.insert(3, row("amid"));
    assert_eq!(updated(&rows).await, json!(["n0", "n1"]), "without a gap, the shortest way to the end moves");
    rows.insert(3, row("again"));
    assert_eq!(updated(&rows).await, json!([]), "now there is one");
    let moved = rows.remove(50);
    rows.insert(1, moved.clone());
    assert_eq!(updated(&rows).await, json!([moved["id"]]), "one that moves");
}
