//! Leaving an organization ends all access, and no workspace is left without an owner.

use serde_json::json;

use super::{acme, create_acme, org_path};

#[tokio::test]
async fn a_removed_member_loses_access_with_the_next_request() {
    let (server, bob, _) = acme().await;
    let (ada, bob_in, script) =
        (server.sign_in("ada").await, server.sign_in("bob").await, server.script_client("bob").await);
    create_acme(&ada, "shop", "private").await;
    ada.post("/api/workspaces/shop/members", json!({ "userId": bob, "role": "editor" })).await.ok();
    bob_in.get("/api/workspaces/shop").await.ok();
    script.get("/api/workspaces/shop").await.ok();
    let path = org_path(&ada).await;
    ada.delete(&format!("{path}/members/{bob}")).await.ok();
    bob_in.get("/api/workspaces/shop").await.expect_error(401, "no longer a member");
    script.get("/api/workspaces/shop").await.expect_error(401, "revoked");
    // Rejoining does not restore access.
    server.join(bob, "acme", "org:member");
    script.get("/api/me").await.expect_error(401, "revoked");
    bob_in.get("/api/workspaces/shop").await.expect_error(404, "workspace");
    let members = ada.get("/api/workspaces/shop/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_member_can_leave_but_not_remove_others() {
    let (server, bob, cy) = acme().await;
    let bob_in = server.sign_in("bob").await;
    let path = org_path(&bob_in).await;
    bob_in.delete(&format!("{path}/members/{cy}")).await.expect_error(403, "needs an admin");
    bob_in.delete(&format!("{path}/members/9999")).await.expect_error(403, "needs an admin");
    bob_in.delete(&format!("{path}/members/{bob}")).await.ok();
    bob_in.get("/api/me").await.expect_error(401, "no longer a member");
}

#[tokio::test]
async fn workspaces_with_a_single_owner_need_a_new_owner() {
    let (server, bob, cy) = acme().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    create_acme(&bob_in, "alone", "private").await;
    create_acme(&bob_in, "shared", "private").await;
    create_acme(&bob_in, "gone", "org").await;
    bob_in.post("/api/workspaces/shared/members", json!({ "userId": cy, "role": "owner" })).await.ok();
    bob_in.delete("/api/workspaces/gone").await.ok();
    let member = format!("{}/members/{bob}", org_path(&ada).await);

    let refused = ada.delete(&member).await.expect_error(409, "`alone` would be left without an owner");
    assert_eq!(refused["workspaces"], json!([{ "id": "alone", "name": "alone" }]));
    bob_in.get("/api/workspaces/alone").await.ok();
    for (heir, text) in
        [("9999", "transferTo: is not a member"), (&*bob.to_string(), "transferTo: must name another"), ("x", "query")]
    {
        ada.delete(&format!("{member}?transferTo={heir}")).await.expect_error(400, text);
    }
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [cy]).unwrap());
    ada.delete(&format!("{member}?transferTo={cy}")).await.expect_error(400, "transferTo: is suspended");
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [cy]).unwrap());

    ada.delete(&format!("{member}?transferTo={cy}")).await.ok();
    let cy_in = server.sign_in("cy").await;
    for id in ["alone", "shared"] {
        let workspace = cy_in.get(&format!("/api/workspaces/{id}")).await.ok()["workspace"].clone();
        assert_eq!((&workspace["myRole"], &workspace["ownerUserId"]), (&json!("owner"), &json!(cy)), "{id}");
    }
    // The deleted workspace was transferred too: its new owner can restore it.
    let deleted = cy_in.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0].clone();
    assert_eq!(deleted["ownerUserId"], cy);
    cy_in.post("/api/workspaces/restore", json!({ "pk": deleted["pk"] })).await.ok();
}

#[tokio::test]
async fn a_deleted_workspace_does_not_prevent_leaving_and_its_restorer_owns_it() {
    let (server, bob, _) = acme().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    create_acme(&bob_in, "gone", "org").await;
    bob_in.delete("/api/workspaces/gone").await.ok();
    ada.delete(&format!("{}/members/{bob}", org_path(&ada).await)).await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let restored = ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(restored["workspace"]["ownerUserId"], ada.get("/api/me").await.ok()["id"]);
    let members = ada.get("/api/workspaces/gone/members").await.ok();
    assert_eq!(members["members"][0]["user"]["login"], "ada");
    assert_eq!(members["members"][0]["role"], "owner");
}

#[tokio::test]
async fn a_recently_deleted_private_workspace_needs_a_new_owner_too() {
    let (server, bob, cy) = acme().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    create_acme(&bob_in, "gone", "private").await;
    bob_in.delete("/api/workspaces/gone").await.ok();
    let member = format!("{}/members/{bob}", org_path(&ada).await);
    ada.delete(&member).await.expect_error(409, "`gone` would be left without an owner");
    ada.delete(&format!("{member}?transferTo={cy}")).await.ok();
    let cy_in = server.sign_in("cy").await;
    assert_eq!(cy_in.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["id"], "gone");
}

#[tokio::test]
async fn leaving_one_organization_does_not_affect_another() {
    let (server, bob, _) = acme().await;
    server.seed_org("other", "otto");
    server.join(bob, "other", "org:member");
    let otto = server.sign_in("otto").await;
    create_acme(&otto, "theirs", "private").await;
    otto.post("/api/workspaces/theirs/members", json!({ "userId": bob, "role": "owner" })).await.ok();
    let ada = server.sign_in("ada").await;
    ada.delete(&format!("{}/members/{bob}", org_path(&ada).await)).await.ok();
    let members = otto.get("/api/workspaces/theirs/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn leaving_is_recorded() {
    let (server, bob, cy) = acme().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    server.script_client("bob").await;
    create_acme(&bob_in, "alone", "private").await;
    ada.delete(&format!("{}/members/{bob}?transferTo={cy}", org_path(&ada).await)).await.ok();
    let details: String = server.sql(|conn| {
        let sql = "SELECT details FROM audit WHERE kind = 'organization.leave'";
        conn.query_row(sql, [], |row| row.get(0)).unwrap()
    });
    let details: serde_json::Value = serde_json::from_str(&details).unwrap();
    assert_eq!(details, json!({ "userId": bob, "transferTo": cy, "tokens": 1, "grants": 0, "invitations": 0 }));
    // The change log of the workspace contains it too, for followers.
    assert!(server.count("SELECT count(*) FROM change WHERE entity = 'member' AND op = 'delete'") == 1);
}
