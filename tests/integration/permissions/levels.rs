//! Access levels of a workspace, explicit and implied.

use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn only_an_owner_changes_the_visibility_of_a_workspace() {
    let server = TestServer::new().await;
    let (ed, ona) = (server.seed_member("ed", "acme", "org:member"), server.seed_member("ona", "acme", "org:member"));
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    server.grant("w", ed, "editor");
    server.grant("w", ona, "owner");
    let (ed, ona) = (server.sign_in("ed").await, server.sign_in("ona").await);
    let both = json!({ "name": "Renamed", "visibility": "private" });
    ed.patch("/api/workspaces/w", both.clone()).await.expect_error(403, "owner");
    let workspace = &ada.get("/api/workspaces/w").await.ok()["workspace"];
    assert_eq!((&workspace["name"], &workspace["visibility"]), (&json!("W"), &json!("org")), "all or nothing");
    // Sending back the current visibility is not a change.
    ed.patch("/api/workspaces/w", json!({ "name": "Renamed", "visibility": "org" })).await.ok();
    assert_eq!(ona.patch("/api/workspaces/w", both).await.ok()["workspace"]["visibility"], "private");
    ed.get("/api/workspaces/w").await.ok();
}

#[tokio::test]
async fn an_organization_admin_cannot_see_a_private_workspace() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let new = json!({ "id": "diary", "name": "Diary", "visibility": "private" });
    bob.post("/api/workspaces", new.clone()).await.created();
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    ada.get("/api/workspaces/diary").await.expect_error(404, "workspace");
    ada.patch("/api/workspaces/diary", json!({ "visibility": "org" })).await.expect_error(404, "workspace");
    ada.delete("/api/workspaces/diary").await.expect_error(404, "workspace");
    bob.delete("/api/workspaces/diary").await.ok();
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn the_access_level_is_the_highest_of_membership_visibility_and_administration() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada =
        server.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = 'ada'", [], |row| row.get(0)).unwrap());
    server.seed_member("fay", "acme", "org:member");
    let (fay, member, admin) = (server.sign_in("fay").await, server.sign_in("bob").await, server.sign_in("ada").await);
    fay.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    // visibility, explicit level, level of an organization member, level of an organization admin
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
        server.sql(|conn| conn.execute(forget, [bob, ada]).unwrap());
        for user in [bob, ada] {
            if let Some(level) = level {
                server.grant("w", user, level);
            }
        }
        for (client, role) in [(&member, of_member), (&admin, of_admin)] {
            let reply = client.get("/api/workspaces/w").await;
            match role {
                Some(role) => assert_eq!(reply.ok()["workspace"]["myRole"], role, "{visibility} {level:?}"),
                None => drop(reply.expect_error(404, "workspace")),
            }
        }
    }
}
