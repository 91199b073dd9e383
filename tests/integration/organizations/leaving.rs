//! Leaving an organization: what one had there ends, and no workspace is left without an owner.

use serde_json::json;

use super::{acme, found, org_path};

#[tokio::test]
async fn who_is_removed_loses_session_tokens_and_memberships_at_the_very_next_request() {
    let (stage, bob, _) = acme().await;
    let (ada, bob_in, script) = (stage.sign_in("ada").await, stage.sign_in("bob").await, stage.script_of("bob").await);
    found(&ada, "shop", "private").await;
    ada.post("/api/workspaces/shop/members", json!({ "userId": bob, "role": "editor" })).await.ok();
    bob_in.get("/api/workspaces/shop").await.ok();
    script.get("/api/workspaces/shop").await.ok();
    let path = org_path(&ada).await;
    ada.delete(&format!("{path}/members/{bob}")).await.ok();
    bob_in.get("/api/workspaces/shop").await.refused(401, "no longer a member");
    script.get("/api/workspaces/shop").await.refused(401, "revoked");
    // Coming back gives back nothing.
    stage.join(bob, "acme", "org:member");
    script.get("/api/me").await.refused(401, "revoked");
    bob_in.get("/api/workspaces/shop").await.refused(404, "workspace");
    let members = ada.get("/api/workspaces/shop/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_member_leaves_of_their_own_will_and_cannot_send_others() {
    let (stage, bob, cy) = acme().await;
    let bob_in = stage.sign_in("bob").await;
    let path = org_path(&bob_in).await;
    bob_in.delete(&format!("{path}/members/{cy}")).await.refused(403, "needs an admin");
    bob_in.delete(&format!("{path}/members/9999")).await.refused(403, "needs an admin");
    bob_in.delete(&format!("{path}/members/{bob}")).await.ok();
    bob_in.get("/api/me").await.refused(401, "no longer a member");
}

#[tokio::test]
async fn workspaces_that_one_alone_owns_need_an_heir() {
    let (stage, bob, cy) = acme().await;
    let (ada, bob_in) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    found(&bob_in, "alone", "private").await;
    found(&bob_in, "shared", "private").await;
    found(&bob_in, "gone", "org").await;
    bob_in.post("/api/workspaces/shared/members", json!({ "userId": cy, "role": "owner" })).await.ok();
    bob_in.delete("/api/workspaces/gone").await.ok();
    let member = format!("{}/members/{bob}", org_path(&ada).await);

    let refused = ada.delete(&member).await.refused(409, "`alone` would be left without an owner");
    assert_eq!(refused["workspaces"], json!([{ "id": "alone", "name": "alone" }]));
    bob_in.get("/api/workspaces/alone").await.ok();
    for (heir, text) in
        [("9999", "transferTo: is not a member"), (&*bob.to_string(), "transferTo: must name another"), ("x", "query")]
    {
        ada.delete(&format!("{member}?transferTo={heir}")).await.refused(400, text);
    }
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [cy]).unwrap());
    ada.delete(&format!("{member}?transferTo={cy}")).await.refused(400, "transferTo: is suspended");
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [cy]).unwrap());

    ada.delete(&format!("{member}?transferTo={cy}")).await.ok();
    let cy_in = stage.sign_in("cy").await;
    for id in ["alone", "shared"] {
        let workspace = cy_in.get(&format!("/api/workspaces/{id}")).await.ok()["workspace"].clone();
        assert_eq!((&workspace["myRole"], &workspace["ownerUserId"]), (&json!("owner"), &json!(cy)), "{id}");
    }
    // The deleted one went along: its new owner may bring it back.
    let deleted = cy_in.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0].clone();
    assert_eq!(deleted["ownerUserId"], cy);
    cy_in.post("/api/workspaces/restore", json!({ "pk": deleted["pk"] })).await.ok();
}

#[tokio::test]
async fn a_deleted_workspace_holds_nobody_back_and_who_restores_it_owns_it() {
    let (stage, bob, _) = acme().await;
    let (ada, bob_in) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    found(&bob_in, "gone", "org").await;
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
async fn a_private_workspace_deleted_lately_needs_an_heir_too_for_nobody_else_could_restore_it() {
    let (stage, bob, cy) = acme().await;
    let (ada, bob_in) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    found(&bob_in, "gone", "private").await;
    bob_in.delete("/api/workspaces/gone").await.ok();
    let member = format!("{}/members/{bob}", org_path(&ada).await);
    ada.delete(&member).await.refused(409, "`gone` would be left without an owner");
    ada.delete(&format!("{member}?transferTo={cy}")).await.ok();
    let cy_in = stage.sign_in("cy").await;
    assert_eq!(cy_in.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["id"], "gone");
}

#[tokio::test]
async fn leaving_one_organization_touches_nothing_in_another() {
    let (stage, bob, _) = acme().await;
    stage.seed_org("other", "otto");
    stage.join(bob, "other", "org:member");
    let otto = stage.sign_in("otto").await;
    found(&otto, "theirs", "private").await;
    otto.post("/api/workspaces/theirs/members", json!({ "userId": bob, "role": "owner" })).await.ok();
    let ada = stage.sign_in("ada").await;
    ada.delete(&format!("{}/members/{bob}", org_path(&ada).await)).await.ok();
    let members = otto.get("/api/workspaces/theirs/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_way_out_is_written_down() {
    let (stage, bob, cy) = acme().await;
    let (ada, bob_in) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    stage.script_of("bob").await;
    found(&bob_in, "alone", "private").await;
    ada.delete(&format!("{}/members/{bob}?transferTo={cy}", org_path(&ada).await)).await.ok();
    let details: String = stage.sql(|conn| {
        let sql = "SELECT details FROM audit WHERE kind = 'organization.leave'";
        conn.query_row(sql, [], |row| row.get(0)).unwrap()
    });
    let details: serde_json::Value = serde_json::from_str(&details).unwrap();
    assert_eq!(details, json!({ "userId": bob, "transferTo": cy, "tokens": 1, "grants": 0, "invitations": 0 }));
    // The change log of the workspace tells it too, for those who follow it.
    assert!(stage.count("SELECT count(*) FROM change WHERE entity = 'member' AND op = 'delete'") == 1);
}
