//! Bringing a deleted workspace back.

use serde_json::json;

use crate::support::{Stage, ids};

#[tokio::test]
async fn an_owner_brings_a_deleted_workspace_back_with_all_that_was_in_it() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a", "b"]).await;
    ada.relate("w", "r", "a", "calls", "b").await;
    stage.hang_on("w", "a");
    let before = ada.bundle("w").await;
    ada.delete("/api/workspaces/w").await.ok();
    let listed = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"].clone();
    assert_eq!(ids(&listed), ["w"]);
    assert!(listed[0]["deletedAt"].as_i64().unwrap() <= stage.clock.now());
    let pk = listed[0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok()["workspace"].clone();
    assert_eq!((&restored["id"], &restored["myRole"]), (&json!("w"), &json!("owner")));
    let after = ada.bundle("w").await;
    for part in ["components", "relationships", "stakeholders", "processes"] {
        assert_eq!(after[part], before[part]);
    }
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    assert_eq!(ids(&ada.get("/api/workspaces?deleted=false").await.ok()["workspaces"]), ["w"]);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.refused(404, "workspace");
}

#[tokio::test]
async fn a_workspace_whose_id_was_taken_meanwhile_comes_back_under_another() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["old"]).await;
    ada.delete("/api/workspaces/w").await.ok();
    ada.found("w").await;
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w" })).await.refused(409, "another `id`");
    ada.post("/api/workspaces/restore", json!({ "pk": 1, "id": "w-old" })).await.ok();
    let old = ada.bundle("w-old").await;
    assert_eq!(ids(&old["components"]), ["old"]);
    assert_eq!(old["components"][0]["workspaceId"], "w-old");
    assert_eq!(ada.bundle("w").await["components"], json!([]));
}

#[tokio::test]
async fn only_those_who_owned_a_deleted_workspace_see_and_restore_it() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.seed_member("eve", "acme", "org:admin");
    stage.seed_org("other", "olga");
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.post("/api/workspaces", json!({ "id": "p", "name": "P", "visibility": "private" })).await.created();
    stage.grant("w", bob, "editor");
    ada.delete("/api/workspaces/w").await.ok();
    ada.delete("/api/workspaces/p").await.ok();
    let (bob, eve, olga) = (stage.sign_in("bob").await, stage.sign_in("eve").await, stage.sign_in("olga").await);
    let path = "/api/workspaces?deleted=true";
    assert_eq!(ids(&ada.get(path).await.ok()["workspaces"]), ["w", "p"]);
    assert_eq!(ids(&eve.get(path).await.ok()["workspaces"]), ["w"], "an admin owns what is not private");
    assert_eq!(bob.get(path).await.ok()["workspaces"], json!([]));
    assert_eq!(olga.get(path).await.ok()["workspaces"], json!([]));
    bob.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(403, "owner");
    eve.post("/api/workspaces/restore", json!({ "pk": 2 })).await.refused(404, "workspace");
    olga.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(404, "workspace");
    eve.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    for pk in [0, -1, 99, i64::MAX] {
        ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.refused(404, "workspace");
    }
}
