//! Going back to a moment that nobody named.

use serde_json::{Value, json};

use super::{COMPONENTS, full, said, undo};
use crate::support::{Actor, Stage};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";
const RESTORE: &str = "/api/workspaces/w/history/restore";

async fn restore(actor: &Actor<'_>, revision: i64, batch: &str) -> Value {
    actor.header("x-batch-id", batch).post(RESTORE, json!({ "revision": revision })).await.ok()
}

#[tokio::test]
async fn every_state_can_be_gone_back_to_with_all_that_hung_on_it_and_that_is_undone_as_one() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let links = ada.get(&format!("{COMPONENTS}/b/links")).await.ok();
    let mut states = vec![ada.bundle("w").await];
    let mut keep = async || states.push(ada.bundle("w").await);
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    keep().await;
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    keep().await;
    ada.patch(W, json!({ "name": "Renamed", "description": "Text" })).await.ok();
    keep().await;
    ada.delete("/api/workspaces/w/processes/order").await.ok();
    let after = ada.bundle("w").await;
    for (turn, state) in states.iter().enumerate() {
        let revision = state["workspace"]["revision"].as_i64().unwrap();
        let back = format!("back-{turn}");
        let restored = restore(&ada, revision, &back).await;
        assert_eq!((&restored["batchId"], &restored["skipped"]), (&json!(back), &json!([])));
        assert_eq!(restored["revision"], json!(ada.revision("w").await));
        assert_eq!(said(&ada.bundle("w").await), said(state));
        if turn == 0 {
            assert_eq!(ada.get(&format!("{COMPONENTS}/b/links")).await.ok()["links"][0]["id"], links["links"][0]["id"]);
        }
        undo(&ada, &back, &format!("undone-{turn}")).await.ok();
        assert_eq!(said(&ada.bundle("w").await), said(&after));
    }
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'history.restore'"), 4);
    // What is so already is not written.
    let changes = stage.changes().len();
    assert_eq!(restore(&ada, ada.revision("w").await, "none").await["rows"], 0);
    assert_eq!(stage.changes().len(), changes);
}

#[tokio::test]
async fn a_moment_that_is_not_known_is_refused_and_nothing_is_written() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let written = stage.written();
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
        ada.post(RESTORE, body).await.refused(status, text);
    }
    assert_eq!(stage.written(), written);
    stage.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    ada.post(RESTORE, json!({ "revision": 1 })).await.refused(404, "revision");
}
