//! Restoring a deleted workspace.

use serde_json::json;

use crate::support::{TestServer, ids};

#[tokio::test]
async fn an_owner_restores_a_deleted_workspace_completely() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a", "b"]).await;
    ada.create_relationship("w", "r", "a", "calls", "b").await;
    server.attach_everything_to("w", "a");
    let before = ada.bundle("w").await;
    ada.delete("/api/workspaces/w").await.ok();
    let listed = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"].clone();
    assert_eq!(ids(&listed), ["w"]);
    assert!(listed[0]["deletedAt"].as_i64().unwrap() <= server.clock.now());
    let pk = listed[0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok()["workspace"].clone();
    assert_eq!((&restored["id"], &restored["myRole"]), (&json!("w"), &json!("owner")));
    let after = ada.bundle("w").await;
    for part in ["components", "relationships", "stakeholders", "processes"] {
        assert_eq!(after[part], before[part]);
    }
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    assert_eq!(ids(&ada.get("/api/workspaces?deleted=false").await.ok()["workspaces"]), ["w"]);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn a_workspace_whose_id_was_reused_is_restored_under_another_id() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["old"]).await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.create_workspace("w").await;
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.expect_error(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w" })).await.expect_error(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w-old" })).await.ok();
    let old = ada.bundle("w-old").await;
    assert_eq!(ids(&old["components"]), ["old"]);
    assert_eq!(old["components"][0]["workspaceId"], "w-old");
    assert_eq!(ada.bundle("w").await["components"], json!([]));
}

#[tokio::test]
async fn only_owners_see_and_restore_a_deleted_workspace() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_member("eve", "acme", "org:admin");
    server.seed_org("other", "olga");
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.post("/api/workspaces", json!({ "id": "p", "name": "P", "visibility": "private" })).await.created();
    server.grant("w", bob, "editor");
    ada.delete("/api/workspaces/w").await.ok();
    ada.delete("/api/workspaces/p").await.ok();
    let (bob, eve, olga) = (server.sign_in("bob").await, server.sign_in("eve").await, server.sign_in("olga").await);
    let path = "/api/workspaces?deleted=true";
    assert_eq!(ids(&ada.get(path).await.ok()["workspaces"]), ["w", "p"]);
    assert_eq!(ids(&eve.get(path).await.ok()["workspaces"]), ["w"], "an admin owns what is not private");
    assert_eq!(bob.get(path).await.ok()["workspaces"], json!([]));
    assert_eq!(olga.get(path).await.ok()["workspaces"], json!([]));
    bob.post("/api/workspaces/restore", json!({ "pk": 1 })).await.expect_error(403, "owner");
    eve.post("/api/workspaces/restore", json!({ "pk": 2 })).await.expect_error(404, "workspace");
    olga.post("/api/workspaces/restore", json!({ "pk": 1 })).await.expect_error(404, "workspace");
    eve.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    for pk in [0, -1, 99, i64::MAX] {
        ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.expect_error(404, "workspace");
    }
}
