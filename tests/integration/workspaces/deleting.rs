//! Deleting a workspace, and what is left of it.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use crate::support::{Stage, ids};

#[tokio::test]
async fn only_owners_delete_and_the_id_is_free_at_once() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a"]).await;
    stage.grant("w", bob, "editor");
    let editor = stage.sign_in("bob").await;
    editor.delete("/api/workspaces/w").await.refused(403, "owner");
    assert_eq!(ada.delete("/api/workspaces/w").await.ok(), json!({ "ok": true }));
    for actor in [&ada, &editor] {
        actor.get("/api/workspaces/w").await.refused(404, "workspace");
        assert_eq!(actor.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    }
    ada.delete("/api/workspaces/w").await.refused(404, "workspace");
    editor.found("w").await;
    let again = editor.bundle("w").await;
    assert_eq!(again["components"], json!([]), "another workspace, though of the same id");
    assert_eq!(again["workspace"]["revision"], 1);
}

#[tokio::test]
async fn a_deleted_workspace_is_restorable_for_thirty_days() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    for id in ["soon", "late"] {
        ada.found(id).await;
        ada.draw(id, &["a"]).await;
        stage.hang_on(id, "a");
        ada.delete(&format!("/api/workspaces/{id}")).await.ok();
    }
    stage.clock.advance(30 * DAY - MINUTE);
    stage.sweep().await;
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    stage.clock.advance(2 * MINUTE);
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 2 })).await.refused(404, "workspace");
    let changes = stage.changes();
    assert_eq!(stage.sweep().await.workspaces, 1);
    assert_eq!(stage.count("SELECT count(*) FROM workspace"), 1);
    assert_eq!(stage.count("SELECT count(*) FROM component"), 1);
    assert_eq!(stage.changes(), changes, "the log outlives what it tells of");
    assert_eq!(ids(&ada.bundle("soon").await["components"]), ["a"]);
}

#[tokio::test]
async fn founding_deleting_and_restoring_are_in_the_log() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.header("x-batch-id", "found").found("w").await;
    ada.header("x-batch-id", "delete").delete("/api/workspaces/w").await.ok();
    ada.header("x-batch-id", "restore").post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(stage.gesture("found"), ["create workspace w", "create member 1"]);
    assert_eq!(stage.gesture("delete"), ["delete workspace w"]);
    assert_eq!(stage.gesture("restore"), ["create workspace w"]);
    let changes = stage.changes();
    assert_eq!(changes.iter().map(|change| change.revision).collect::<Vec<_>>(), [1, 1, 2, 3]);
    assert_eq!((&changes[2].before["name"], &changes[2].after), (&json!("w"), &json!(null)));
    assert_eq!((&changes[3].before, &changes[3].after["name"]), (&json!(null), &json!("w")));
    let kinds: i64 = stage.count("SELECT count(*) FROM audit WHERE kind IN ('workspace.create', 'workspace.delete')");
    assert_eq!(kinds, 3);
}
