//! An invitation is as good as the permission behind it: it ends when its author may no longer create it.

use axum::http::Method;
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{acme, org_path};
use crate::support::{Actor, PASSWORD, Stage};

/// A stage with a second admin, mallory, and her id.
async fn with_mallory() -> (Stage, i64) {
    let (stage, ..) = acme().await;
    let mallory = stage.seed_member("mallory", "acme", "org:admin");
    (stage, mallory)
}

/// Invites, and answers with the path that takes the invitation up.
async fn invites(author: &Actor<'_>) -> String {
    let invitations = format!("{}/invitations", org_path(author).await);
    let created = author.post(&invitations, json!({ "role": "org:admin" })).await.created();
    format!("/api/auth/invitations/{}", created["token"].as_str().unwrap())
}

fn dee() -> Value {
    json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD })
}

/// Nobody can look at the invitation, nor join by it.
async fn is_over(stage: &Stage, path: &str) {
    stage.anonymous().get(path).await.refused(404, "invitation");
    stage.anonymous().post(path, dee()).await.refused(404, "invitation");
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE login = 'dee'"), 0);
    stage.clock.advance(MINUTE);
}

#[tokio::test]
async fn the_invitation_of_a_removed_admin_is_over_for_others_and_for_themselves() {
    let (stage, mallory) = with_mallory().await;
    let path = invites(&stage.sign_in("mallory").await).await;
    let ada = stage.sign_in("ada").await;
    ada.delete(&format!("{}/members/{mallory}", org_path(&ada).await)).await.ok();
    is_over(&stage, &path).await;
    stage.sign_in("mallory").await.post(&path, json!({})).await.refused(404, "invitation");
    assert_eq!(ada.get(&format!("{}/invitations", org_path(&ada).await)).await.ok()["invitations"], json!([]));
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'invitation.end'"), 1);
}

#[tokio::test]
async fn the_invitation_of_an_admin_who_is_demoted_is_over_and_a_promotion_does_not_bring_it_back() {
    let (stage, mallory) = with_mallory().await;
    let path = invites(&stage.sign_in("mallory").await).await;
    let ada = stage.sign_in("ada").await;
    let member = format!("{}/members/{mallory}", org_path(&ada).await);
    ada.patch(&member, json!({ "role": "org:member" })).await.ok();
    is_over(&stage, &path).await;
    ada.patch(&member, json!({ "role": "org:admin" })).await.ok();
    is_over(&stage, &path).await;
}

#[tokio::test]
async fn the_invitation_of_a_suspended_account_is_over() {
    let (stage, mallory) = with_mallory().await;
    let path = invites(&stage.sign_in("mallory").await).await;
    let ada = stage.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{mallory}"), json!({ "isSuspended": true })).await.ok();
    is_over(&stage, &path).await;
}

#[tokio::test]
async fn the_invitation_that_a_token_created_is_over_when_the_token_is_revoked() {
    let (stage, _) = with_mallory().await;
    let script = stage.script_of("mallory").await;
    let (by_token, mallory) = (invites(&script).await, stage.sign_in("mallory").await);
    let by_session = invites(&mallory).await;
    let token = mallory.get("/api/me/tokens").await.ok()["tokens"][0]["id"].clone();
    mallory.delete(&format!("/api/me/tokens/{token}")).await.ok();
    is_over(&stage, &by_token).await;
    stage.anonymous().get(&by_session).await.ok();
}

#[tokio::test]
async fn it_is_checked_again_when_it_is_accepted() {
    let (stage, mallory) = with_mallory().await;
    let script = stage.script_of("mallory").await;
    // Each behind the server's back, so that nothing was deleted.
    for (loss, restored) in [
        ("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", true),
        ("UPDATE user SET is_suspended = 1 WHERE id = ?", true),
        ("UPDATE api_token SET revoked_at = 1 WHERE user_id = ?", false),
        ("DELETE FROM organization_member WHERE user_id = ?", false),
    ] {
        let author = if restored { script.clone() } else { stage.script_of("mallory").await };
        let path = invites(&author).await;
        stage.anonymous().get(&path).await.ok();
        stage.sql(|conn| conn.execute(loss, [mallory]).unwrap());
        is_over(&stage, &path).await;
        if restored {
            stage.sql(|conn| {
                conn.execute("UPDATE organization_member SET role = 'org:admin' WHERE user_id = ?", [mallory]).unwrap();
                conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [mallory]).unwrap();
            });
            stage.anonymous().get(&path).await.ok();
        }
    }
}

#[tokio::test]
async fn signing_out_leaves_an_invitation_and_ending_other_sessions_or_a_reset_ends_it() {
    let (stage, _) = with_mallory().await;
    let invited = async || {
        let mallory = stage.sign_in("mallory").await;
        let path = invites(&mallory).await;
        mallory.send(Method::POST, "/api/auth/logout", None).await.ok();
        path
    };
    let path = invited().await;
    stage.anonymous().get(&path).await.ok();
    let mallory = stage.sign_in("mallory").await;
    let own = invites(&mallory).await;
    mallory.delete("/api/me/sessions").await.ok();
    is_over(&stage, &path).await;
    stage.anonymous().get(&own).await.ok();

    let path = invited().await;
    let change = json!({ "current": PASSWORD, "next": "wrong stapler donkey" });
    mallory.post("/api/me/password", change).await.ok();
    is_over(&stage, &path).await;
    stage.anonymous().get(&own).await.ok();
    let reset = planroom::operator::Operation::ResetPassword { login: "mallory".into(), password: PASSWORD.into() };
    reset.perform(&stage.app).await.unwrap();
    is_over(&stage, &own).await;
}

#[tokio::test]
async fn whoever_was_removed_does_not_come_back_by_an_older_invitation_of_somebody_else() {
    let (stage, bob, _) = acme().await;
    let ada = stage.sign_in("ada").await;
    let older = invites(&ada).await;
    ada.delete(&format!("{}/members/{bob}", org_path(&ada).await)).await.ok();
    let bob = stage.sign_in("bob").await;
    bob.post(&older, json!({})).await.refused(403, "ask an admin for a new invitation");
    let newer = invites(&ada).await;
    bob.post(&newer, json!({})).await.ok();
    stage.anonymous().post(&older, dee()).await.ok();
}

#[tokio::test]
async fn the_operators_invitations_and_those_from_before_stay() {
    let (stage, mallory) = with_mallory().await;
    let path = invites(&stage.sign_in("mallory").await).await;
    let old = "UPDATE invitation SET credential = NULL, authority = NULL";
    stage.sql(|conn| conn.execute(old, []).unwrap());
    stage.anonymous().get(&path).await.ok();
    stage.sql(|conn| conn.execute("UPDATE invitation SET created_by = NULL", []).unwrap());
    let ada = stage.sign_in("ada").await;
    ada.delete(&format!("{}/members/{mallory}", org_path(&ada).await)).await.ok();
    stage.anonymous().post(&path, dee()).await.ok();
}
