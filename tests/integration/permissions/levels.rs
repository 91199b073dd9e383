//! Viewers, editors and owners of a workspace, and who is one without having been made it.

use serde_json::json;

use crate::support::Stage;

#[tokio::test]
async fn only_an_owner_changes_who_sees_a_workspace() {
    let stage = Stage::new().await;
    let (ed, ona) = (stage.seed_member("ed", "acme", "org:member"), stage.seed_member("ona", "acme", "org:member"));
    let ada = stage.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    stage.grant("w", ed, "editor");
    stage.grant("w", ona, "owner");
    let (ed, ona) = (stage.sign_in("ed").await, stage.sign_in("ona").await);
    let both = json!({ "name": "Renamed", "visibility": "private" });
    ed.patch("/api/workspaces/w", both.clone()).await.refused(403, "owner");
    let workspace = &ada.get("/api/workspaces/w").await.ok()["workspace"];
    assert_eq!((&workspace["name"], &workspace["visibility"]), (&json!("W"), &json!("org")), "all or nothing");
    // What was read may be sent back: the visibility that it has is no change.
    ed.patch("/api/workspaces/w", json!({ "name": "Renamed", "visibility": "org" })).await.ok();
    assert_eq!(ona.patch("/api/workspaces/w", both).await.ok()["workspace"]["visibility"], "private");
    ed.get("/api/workspaces/w").await.ok();
}

#[tokio::test]
async fn an_organizations_administrator_does_not_see_a_private_workspace() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    let new = json!({ "id": "diary", "name": "Diary", "visibility": "private" });
    bob.post("/api/workspaces", new.clone()).await.created();
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    ada.get("/api/workspaces/diary").await.refused(404, "workspace");
    ada.patch("/api/workspaces/diary", json!({ "visibility": "org" })).await.refused(404, "workspace");
    ada.delete("/api/workspaces/diary").await.refused(404, "workspace");
    bob.delete("/api/workspaces/diary").await.ok();
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(404, "workspace");
}

#[tokio::test]
async fn ones_role_is_the_strongest_of_membership_visibility_and_administration() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada =
        stage.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = 'ada'", [], |row| row.get(0)).unwrap());
    stage.seed_member("fay", "acme", "org:member");
    let (fay, member, admin) = (stage.sign_in("fay").await, stage.sign_in("bob").await, stage.sign_in("ada").await);
    fay.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    // visibility, explicit level, what a member is, what an administrator of the organization is
    let roles = [
        ("org", None, Some("viewer"), Some("owner")),
        ("org", Some("viewer"), Some("viewer"), Some("owner")),
        ("org", Some("editor"), Some("editor"), Some("owner")),
        ("org", Some("owner"), Some("owner"), Some("owner")),
        ("members", None, None, Some("owner")),
        ("members", Some("viewer"), Some("viewer"), Some("owner")),
        ("members", Some("editor"), Some("editor"), Some("owner")),
        ("members", Some("owner"), Some("owner"), Some("owner")),
        ("private", None, None, None),
        ("private", Some("viewer"), Some("viewer"), Some("viewer")),
        ("private", Some("editor"), Some("editor"), Some("editor")),
        ("private", Some("owner"), Some("owner"), Some("owner")),
    ];
    for (visibility, level, of_member, of_admin) in roles {
        fay.patch("/api/workspaces/w", json!({ "visibility": visibility })).await.ok();
        let forget = "DELETE FROM workspace_member WHERE user_id IN (?, ?)";
        stage.sql(|conn| conn.execute(forget, [bob, ada]).unwrap());
        for user in [bob, ada] {
            if let Some(level) = level {
                stage.grant("w", user, level);
            }
        }
        for (actor, role) in [(&member, of_member), (&admin, of_admin)] {
            let reply = actor.get("/api/workspaces/w").await;
            match role {
                Some(role) => assert_eq!(reply.ok()["workspace"]["myRole"], role, "{visibility} {level:?}"),
                None => drop(reply.refused(404, "workspace")),
            }
        }
    }
}
