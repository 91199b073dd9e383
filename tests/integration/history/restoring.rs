//! Restoring a past state that has no version.

use serde_json::{Value, json};

use super::{COMPONENTS, full, undo, without_metadata};
use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";
const RESTORE: &str = "/api/workspaces/w/history/restore";

async fn restore(client: &TestClient<'_>, revision: i64, batch: &str) -> Value {
    client.header("x-batch-id", batch).post(RESTORE, json!({ "revision": revision })).await.ok()
}

#[tokio::test]
async fn every_state_can_be_restored_with_dependent_rows_and_undone_as_a_whole() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let links = ada.get(&format!("{COMPONENTS}/b/links")).await.ok();
    let mut states = vec![ada.bundle("w").await];
    let mut remember = async || states.push(ada.bundle("w").await);
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    remember().await;
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    remember().await;
    ada.patch(W, json!({ "name": "Renamed", "description": "Text" })).await.ok();
    remember().await;
    ada.delete("/api/workspaces/w/processes/order").await.ok();
    let after = ada.bundle("w").await;
    for (turn, state) in states.iter().enumerate() {
        let revision = state["workspace"]["revision"].as_i64().unwrap();
        let back = format!("back-{turn}");
        let restored = restore(&ada, revision, &back).await;
        assert_eq!((&restored["batchId"], &restored["skipped"]), (&json!(back), &json!([])));
        assert_eq!(restored["revision"], json!(ada.revision("w").await));
        assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(state));
        if turn == 0 {
            assert_eq!(ada.get(&format!("{COMPONENTS}/b/links")).await.ok()["links"][0]["id"], links["links"][0]["id"]);
        }
        undo(&ada, &back, &format!("undone-{turn}")).await.ok();
        assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&after));
    }
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'history.restore'"), 4);
    // Rows that already match are not written.
    let changes = server.changes().len();
    assert_eq!(restore(&ada, ada.revision("w").await, "none").await["rows"], 0);
    assert_eq!(server.changes().len(), changes);
}

#[tokio::test]
async fn an_unknown_revision_is_rejected_and_nothing_is_written() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let written = server.log_sizes();
    for (body, status, text) in [
        (json!({}), 400, "revision: is required"),
        (json!({ "revision": null }), 400, "revision"),
        (json!({ "revision": "1" }), 400, "revision"),
        (json!({ "revision": 1.5 }), 400, "revision"),
        (json!({ "revision": 0 }), 400, "revision: must be a revision, 1 or more"),
        (json!({ "revision": -1 }), 400, "revision: must be a revision, 1 or more"),
        (json!({ "revision": 1, "to": 2 }), 400, "to: this resource has no such field"),
        (json!({ "revision": ada.revision("w").await + 1 }), 404, "revision"),
        (json!({ "revision": i64::MAX }), 404, "revision"),
        (json!([1]), 400, "expected an object"),
    ] {
        ada.post(RESTORE, body).await.expect_error(status, text);
    }
    assert_eq!(server.log_sizes(), written);
    server.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    ada.post(RESTORE, json!({ "revision": 1 })).await.expect_error(404, "revision");
}
