//! An invitation is only valid while its author is allowed to create it.

use axum::http::Method;
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{acme, org_path};
use crate::support::{PASSWORD, TestClient, TestServer};

/// A server with a second admin, mallory, and her ID.
async fn with_mallory() -> (TestServer, i64) {
    let (server, ..) = acme().await;
    let mallory = server.seed_member("mallory", "acme", "org:admin");
    (server, mallory)
}

/// Creates an invitation. Returns the path to accept it.
async fn invite(author: &TestClient<'_>) -> String {
    let invitations = format!("{}/invitations", org_path(author).await);
    let created = author.post(&invitations, json!({ "role": "org:admin" })).await.created();
    format!("/api/auth/invitations/{}", created["token"].as_str().unwrap())
}

fn dee() -> Value {
    json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD })
}

/// Expects that the invitation can neither be read nor accepted.
async fn assert_invalid(server: &TestServer, path: &str) {
    server.anonymous().get(path).await.expect_error(404, "invitation");
    server.anonymous().post(path, dee()).await.expect_error(404, "invitation");
    assert_eq!(server.count("SELECT count(*) FROM user WHERE login = 'dee'"), 0);
    server.clock.advance(MINUTE);
}

#[tokio::test]
async fn an_invitation_of_a_removed_admin_is_invalid_for_everyone() {
    let (server, mallory) = with_mallory().await;
    let path = invite(&server.sign_in("mallory").await).await;
    let ada = server.sign_in("ada").await;
    ada.delete(&format!("{}/members/{mallory}", org_path(&ada).await)).await.ok();
    assert_invalid(&server, &path).await;
    server.sign_in("mallory").await.post(&path, json!({})).await.expect_error(404, "invitation");
    assert_eq!(ada.get(&format!("{}/invitations", org_path(&ada).await)).await.ok()["invitations"], json!([]));
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'invitation.end'"), 1);
}

#[tokio::test]
async fn an_invitation_of_a_demoted_admin_stays_invalid_after_a_promotion() {
    let (server, mallory) = with_mallory().await;
    let path = invite(&server.sign_in("mallory").await).await;
    let ada = server.sign_in("ada").await;
    let member = format!("{}/members/{mallory}", org_path(&ada).await);
    ada.patch(&member, json!({ "role": "org:member" })).await.ok();
    assert_invalid(&server, &path).await;
    ada.patch(&member, json!({ "role": "org:admin" })).await.ok();
    assert_invalid(&server, &path).await;
}

#[tokio::test]
async fn an_invitation_of_a_suspended_account_is_invalid() {
    let (server, mallory) = with_mallory().await;
    let path = invite(&server.sign_in("mallory").await).await;
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{mallory}"), json!({ "isSuspended": true })).await.ok();
    assert_invalid(&server, &path).await;
}

#[tokio::test]
async fn an_invitation_created_with_a_token_ends_with_the_token() {
    let (server, _) = with_mallory().await;
    let script = server.script_client("mallory").await;
    let (by_token, mallory) = (invite(&script).await, server.sign_in("mallory").await);
    let by_session = invite(&mallory).await;
    let token = mallory.get("/api/me/tokens").await.ok()["tokens"][0]["id"].clone();
    mallory.delete(&format!("/api/me/tokens/{token}")).await.ok();
    assert_invalid(&server, &by_token).await;
    server.anonymous().get(&by_session).await.ok();
}

#[tokio::test]
async fn the_permission_of_the_author_is_checked_again_on_acceptance() {
    let (server, mallory) = with_mallory().await;
    let script = server.script_client("mallory").await;
    // Directly in the database, so that no invitation was deleted.
    for (loss, restored) in [
        ("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", true),
        ("UPDATE user SET is_suspended = 1 WHERE id = ?", true),
        ("UPDATE api_token SET revoked_at = 1 WHERE user_id = ?", false),
        ("DELETE FROM organization_member WHERE user_id = ?", false),
    ] {
        let author = if restored { script.clone() } else { server.script_client("mallory").await };
        let path = invite(&author).await;
        server.anonymous().get(&path).await.ok();
        server.sql(|conn| conn.execute(loss, [mallory]).unwrap());
        assert_invalid(&server, &path).await;
        if restored {
            server.sql(|conn| {
                conn.execute("UPDATE organization_member SET role = 'org:admin' WHERE user_id = ?", [mallory]).unwrap();
                conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [mallory]).unwrap();
            });
            server.anonymous().get(&path).await.ok();
        }
    }
}

#[tokio::test]
async fn signing_out_keeps_an_invitation_but_ending_sessions_or_a_reset_revokes_it() {
    let (server, _) = with_mallory().await;
    let invited = async || {
        let mallory = server.sign_in("mallory").await;
        let path = invite(&mallory).await;
        mallory.send(Method::POST, "/api/auth/logout", None).await.ok();
        path
    };
    let path = invited().await;
    server.anonymous().get(&path).await.ok();
    let mallory = server.sign_in("mallory").await;
    let own = invite(&mallory).await;
    mallory.delete("/api/me/sessions").await.ok();
    assert_invalid(&server, &path).await;
    server.anonymous().get(&own).await.ok();

    let path = invited().await;
    let change = json!({ "current": PASSWORD, "next": "wrong stapler donkey" });
    mallory.post("/api/me/password", change).await.ok();
    assert_invalid(&server, &path).await;
    server.anonymous().get(&own).await.ok();
    let reset =
        planroom::operator::AdminOperation::ResetPassword { login: "mallory".into(), password: PASSWORD.into() };
    reset.perform(&server.app).await.unwrap();
    assert_invalid(&server, &own).await;
}

#[tokio::test]
async fn a_removed_member_cannot_return_with_an_older_invitation_of_another_admin() {
    let (server, bob, _) = acme().await;
    let ada = server.sign_in("ada").await;
    let older = invite(&ada).await;
    ada.delete(&format!("{}/members/{bob}", org_path(&ada).await)).await.ok();
    let bob = server.sign_in("bob").await;
    bob.post(&older, json!({})).await.expect_error(403, "ask an admin for a new invitation");
    let newer = invite(&ada).await;
    bob.post(&newer, json!({})).await.ok();
    server.anonymous().post(&older, dee()).await.ok();
}

#[tokio::test]
async fn invitations_by_the_operator_and_of_older_releases_remain_valid() {
    let (server, mallory) = with_mallory().await;
    let path = invite(&server.sign_in("mallory").await).await;
    let old = "UPDATE invitation SET credential = NULL, authority = NULL";
    server.sql(|conn| conn.execute(old, []).unwrap());
    server.anonymous().get(&path).await.ok();
    server.sql(|conn| conn.execute("UPDATE invitation SET created_by = NULL", []).unwrap());
    let ada = server.sign_in("ada").await;
    ada.delete(&format!("{}/members/{mallory}", org_path(&ada).await)).await.ok();
    server.anonymous().post(&path, dee()).await.ok();
}
