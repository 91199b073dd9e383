//! Deleting a workspace.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use crate::support::{TestServer, ids};

#[tokio::test]
async fn only_owners_delete_and_the_id_can_be_reused_immediately() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a"]).await;
    server.grant("w", bob, "editor");
    let editor = server.sign_in("bob").await;
    editor.delete("/api/workspaces/w").await.expect_error(403, "owner");
    assert_eq!(ada.delete("/api/workspaces/w").await.ok(), json!({ "ok": true }));
    for client in [&ada, &editor] {
        client.get("/api/workspaces/w").await.expect_error(404, "workspace");
        assert_eq!(client.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    }
    ada.delete("/api/workspaces/w").await.expect_error(404, "workspace");
    editor.create_workspace("w").await;
    let again = editor.bundle("w").await;
    assert_eq!(again["components"], json!([]), "another workspace, though of the same id");
    assert_eq!(again["workspace"]["revision"], 1);
}

#[tokio::test]
async fn a_deleted_workspace_can_be_restored_for_thirty_days() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    for id in ["soon", "late"] {
        ada.create_workspace(id).await;
        ada.create_components(id, &["a"]).await;
        server.attach_everything_to(id, "a");
        ada.delete(&format!("/api/workspaces/{id}")).await.ok();
    }
    server.clock.advance(30 * DAY - MINUTE);
    server.clean_up().await;
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    server.clock.advance(2 * MINUTE);
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 2 })).await.expect_error(404, "workspace");
    let changes = server.changes();
    assert_eq!(server.clean_up().await.workspaces, 1);
    assert_eq!(server.count("SELECT count(*) FROM workspace"), 1);
    assert_eq!(server.count("SELECT count(*) FROM component"), 1);
    assert_eq!(server.changes(), changes, "the log outlives what it tells of");
    assert_eq!(ids(&ada.bundle("soon").await["components"]), ["a"]);
}

#[tokio::test]
async fn creation_deletion_and_restoration_are_logged() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.header("x-batch-id", "found").create_workspace("w").await;
    ada.header("x-batch-id", "delete").delete("/api/workspaces/w").await.ok();
    ada.header("x-batch-id", "restore").post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(server.changes_of("found"), ["create workspace w", "create member 1"]);
    assert_eq!(server.changes_of("delete"), ["delete workspace w"]);
    assert_eq!(server.changes_of("restore"), ["create workspace w"]);
    let changes = server.changes();
    assert_eq!(changes.iter().map(|change| change.revision).collect::<Vec<_>>(), [1, 1, 2, 3]);
    assert_eq!((&changes[2].before["name"], &changes[2].after), (&json!("w"), &json!(null)));
    assert_eq!((&changes[3].before, &changes[3].after["name"]), (&json!(null), &json!("w")));
    let kinds: i64 = server.count("SELECT count(*) FROM audit WHERE kind IN ('workspace.create', 'workspace.delete')");
    assert_eq!(kinds, 3);
}
