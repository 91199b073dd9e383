//! Creating a workspace, and valid IDs.

use planroom::clock::MINUTE;
use serde_json::json;

use crate::support::{TestServer, segment};

#[tokio::test]
async fn the_creator_of_a_workspace_owns_it() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let client = server.sign_in("bob").await;
    let new = json!({ "id": "shop", "name": " Web shop ", "description": "", "properties": { "tags": ["b", "a"] },
                      "visibility": "members" });
    let workspace = client.post("/api/workspaces", new).await.created()["workspace"].clone();
    assert_eq!(workspace["id"], "shop");
    assert_eq!(workspace["name"], "Web shop", "names are trimmed");
    assert_eq!(workspace["description"], "", "an empty text is a value");
    assert_eq!(workspace["properties"], json!({ "tags": ["b", "a"] }));
    assert_eq!(workspace["visibility"], "members");
    assert_eq!((&workspace["ownerUserId"], &workspace["createdBy"]), (&json!(bob), &json!(bob)));
    assert_eq!(workspace["myRole"], "owner");
    assert_eq!(workspace["revision"], 1);
    assert_eq!(workspace["createdAt"], workspace["updatedAt"]);
    assert!(server.clock.now() - workspace["createdAt"].as_i64().unwrap() < MINUTE, "times are Unix milliseconds");
    assert_eq!(client.bundle("shop").await["workspace"], workspace);
}

#[tokio::test]
async fn a_workspace_requires_only_a_name() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let name = json!({ "name": "Web shop", "id": null, "description": null, "visibility": null, "properties": null });
    let first = ada.post("/api/workspaces", name.clone()).await.created()["workspace"].clone();
    assert_eq!((&first["id"], &first["visibility"]), (&json!("web-shop"), &json!("org")));
    assert_eq!(first["properties"], json!({}));
    assert!(first.get("description").is_none(), "what was never set is left out");
    let second = ada.post("/api/workspaces", name).await.created()["workspace"].clone();
    assert_eq!(second["id"], "web-shop-2");
    let named = ada.post("/api/workspaces", json!({ "name": "???" })).await.created()["workspace"].clone();
    assert!(!named["id"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn a_workspace_belongs_to_the_organization_of_its_creator() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let ada = server.sign_in("ada").await;
    let org = ada.create_workspace("w").await["orgId"].as_str().unwrap().to_owned();
    assert_eq!(org, ada.get("/api/me").await.ok()["session"]["orgId"]);
    let own = json!({ "id": "v", "name": "V", "orgId": org });
    ada.post("/api/workspaces", own).await.created();
    let theirs = json!({ "id": "u", "name": "U", "orgId": "org_other" });
    assert_eq!(ada.post("/api/workspaces", theirs).await.expect_error(400, "orgId")["field"], "orgId");
    ada.patch("/api/workspaces/w", json!({ "orgId": "org_other" })).await.expect_error(400, "cannot change");
    ada.patch("/api/workspaces/w", json!({ "orgId": org })).await.ok();
}

#[tokio::test]
async fn an_id_is_unique_in_the_whole_instance() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let (ada, olga) = (server.sign_in("ada").await, server.sign_in("olga").await);
    ada.create_workspace("w").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.expect_error(409, "`w` exists already");
    olga.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.expect_error(409, "`w` exists already");
    olga.create_workspace("W").await; // ids are compared as they are written
}

#[tokio::test]
async fn an_id_can_be_any_line_and_is_percent_encoded_in_a_path() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for id in ["team/api", "libstdc++6", "100%", "a b", "заказ", "...", "?x=1", "#", "a%2Fb", &"x".repeat(128)] {
        ada.create_workspace(id).await;
        let path = format!("/api/workspaces/{}", segment(id));
        assert_eq!(ada.get(&path).await.ok()["workspace"]["id"], id);
        ada.patch(&path, json!({ "name": "Renamed" })).await.ok();
        ada.delete(&path).await.ok();
    }
}

/// The restore endpoint must not hide a workspace.
#[tokio::test]
async fn an_id_that_cannot_be_used_in_a_path_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "restore", "name": "R" })).await.expect_error(400, "id: ");
    let bulk = json!({ "workspace": { "name": "R" }, "components": [], "relationships": [] });
    ada.put("/api/workspaces/restore/bulk", bulk).await.expect_error(400, "id: ");
    let named = ada.post("/api/workspaces", json!({ "name": "Restore" })).await.created()["workspace"].clone();
    ada.bundle(named["id"].as_str().unwrap()).await;
    ada.create_workspace("w").await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.post("/api/workspaces/restore", json!({ "pk": 2, "id": "restore" })).await.expect_error(400, "id: ");
}
