//! Updating a workspace.

use planroom::clock::MINUTE;
use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn a_patch_updates_the_given_fields_and_replaces_properties_as_a_whole() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let new = json!({ "id": "w", "name": "W", "description": "D", "properties": { "a": 1, "b": { "c": 2 } } });
    let before = ada.post("/api/workspaces", new).await.created()["workspace"].clone();
    server.clock.advance(MINUTE);
    let patched = ada.patch("/api/workspaces/w", json!({ "properties": { "b": {} }, "name": null })).await.ok();
    let after = &patched["workspace"];
    assert_eq!(after["properties"], json!({ "b": {} }));
    assert_eq!((&after["name"], &after["description"]), (&json!("W"), &json!("D")));
    assert_eq!(after["revision"], 2);
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["updatedAt"].as_i64() >= before["updatedAt"].as_i64().map(|at| at + MINUTE));
    let emptied = ada.patch("/api/workspaces/w", json!({ "description": "" })).await.ok();
    assert_eq!(emptied["workspace"]["description"], "");
    assert_eq!(ada.bundle("w").await["workspace"], emptied["workspace"]);
}

#[tokio::test]
async fn a_workspace_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    let read = ada.bundle("w").await["workspace"].clone();
    let before = server.log_sizes();
    assert_eq!(ada.patch("/api/workspaces/w", read.clone()).await.ok()["workspace"], read);
    let listed = ada.get("/api/workspaces").await.ok()["workspaces"][0].clone();
    assert_eq!(ada.patch("/api/workspaces/w", listed).await.ok()["workspace"], read);
    assert_eq!(ada.patch("/api/workspaces/w", json!({})).await.ok()["workspace"], read);
    assert_eq!(server.log_sizes(), before, "and nothing was written down");
    ada.patch("/api/workspaces/w", json!({ "id": "v" })).await.expect_error(400, "id: cannot change; it is `w`");
}

#[tokio::test]
async fn read_only_fields_are_ignored() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let forged = json!({ "id": "w", "name": "W", "ownerUserId": 99, "revision": 99, "createdAt": 1, "createdBy": 99,
                         "updatedAt": 1, "updatedBy": 99, "myRole": "viewer", "pk": 99, "deletedAt": 1 });
    let workspace = ada.post("/api/workspaces", forged.clone()).await.created()["workspace"].clone();
    assert_eq!((&workspace["ownerUserId"], &workspace["revision"]), (&json!(1), &json!(1)));
    assert!(workspace["createdAt"].as_i64().unwrap() > 1);
    let patched = ada.patch("/api/workspaces/w", forged).await.ok();
    assert_eq!(patched["workspace"], workspace);
}

#[tokio::test]
async fn editors_change_everything_except_visibility_and_viewers_nothing() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_member("vic", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    server.grant("w", bob, "editor");
    let (editor, viewer) = (server.sign_in("bob").await, server.sign_in("vic").await);
    let change = json!({ "name": "N", "description": "D", "properties": { "p": 1 } });
    viewer.patch("/api/workspaces/w", change.clone()).await.expect_error(403, "editor");
    editor.patch("/api/workspaces/w", change).await.ok();
    editor.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.expect_error(403, "owner");
    editor.patch("/api/workspaces/w", json!({ "visibility": "org" })).await.ok(); // as it is
    let both = json!({ "name": "Both", "visibility": "members" });
    editor.patch("/api/workspaces/w", both.clone()).await.expect_error(403, "owner");
    assert_eq!(ada.bundle("w").await["workspace"]["name"], "N", "all or nothing");
    ada.patch("/api/workspaces/w", both).await.ok();
    viewer.get("/api/workspaces/w").await.expect_error(404, "workspace");
    editor.get("/api/workspaces/w").await.ok();
}
