//! Required SSO, and command-line recovery.

use planroom::{
    clock::{HOUR, MINUTE},
    config::Config,
    domain::{accounts::passwords, core::Via},
    mcp::oauth::admit,
};
use serde_json::json;

use super::{server_with, sign_in_as};
use crate::{
    oauth::{OAuthClient, token},
    sign_in::browser::Browser,
    support::{PASSWORD, TestServer},
};

#[tokio::test]
async fn passwords_are_rejected_and_the_operator_can_allow_one_account_for_an_hour() {
    let (server, idp) = server_with(|config| config.identity.oidc.sso_only = true).await;
    let config = server.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["methods"], &config["providerName"]), (&json!(["oidc"]), &json!("127.0.0.1")));
    // The operator has just created this account.
    server.sign_in("ada").await.get("/api/me").await.ok();
    server.clock.advance(HOUR);
    idp.state().now = server.clock.now() / 1_000;
    let anonymous = server.anonymous();
    for (login, password) in [("ada", PASSWORD), ("ada", "wrong"), ("nobody", PASSWORD)] {
        let reply = anonymous.post("/api/auth/login", json!({ "login": login, "password": password })).await;
        reply.expect_error(403, "sign in with the identity provider");
    }
    sign_in_as(&server, &idp, "user_grace").await.get("/api/me").await.ok();
    let hash: String =
        server.sql(|conn| conn.query_row("SELECT password_hash FROM user", [], |row| row.get(0)).unwrap());
    let reset = move |tx: &mut planroom::domain::core::SystemTx<'_>| passwords::reset(tx, "ada", &hash);
    server.app.gate.system(Via::Cli, reset).await.unwrap();
    server.sign_in("ada").await.get("/api/admin/users").await.ok();
    let wrong = json!({ "login": "ada", "password": "wrong" });
    anonymous.post("/api/auth/login", wrong.clone()).await.expect_error(401, "wrong");
    server.clock.advance(HOUR);
    anonymous.post("/api/auth/login", wrong).await.expect_error(403, "sign in with the identity provider");
}

#[tokio::test]
async fn an_invitation_creates_no_password_account_but_accepts_sso_users() {
    let (server, idp) = server_with(|config| config.identity.oidc.sso_only = true).await;
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned();
    let invited = ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:member" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "bob", "displayName": "Bob", "password": "correct horse battery staple" });
    server.anonymous().post(&path, new).await.expect_error(403, "open the invitation again");
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.post(&path, json!({})).await.ok()["session"]["orgSlug"], "acme");
}

#[tokio::test]
async fn sso_users_can_authorize_apps_and_create_tokens() {
    let (server, idp) = server_with(|config| {
        (config.identity.oidc.sso_only, config.identity.oidc.default_org) = (true, "acme".into());
    })
    .await;
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    let tokens = OAuthClient::new(&server).await.tokens(&grace, false).await;
    let (_, caller) = admit(&server.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    assert_eq!(caller.organization.unwrap().slug.as_str(), "acme");
    let minted = grace.post("/api/me/tokens", json!({ "name": "scripts" })).await.created();
    server.with(minted["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn the_first_account_is_set_up_with_a_password_that_works_for_an_hour() {
    let server = TestServer::empty(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id, oidc.sso_only) = ("https://id.example.org".into(), "planroom".into(), true);
    });
    let link = server.app.offer_setup().await.unwrap().unwrap();
    let form = json!({ "token": link, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                       "organization": "Acme" });
    server.anonymous().post("/api/auth/setup", form).await.ok();
    server.sign_in("ada").await.get("/api/admin/users").await.ok();
    server.clock.advance(HOUR);
    let again = json!({ "login": "ada", "password": PASSWORD });
    server.anonymous().post("/api/auth/login", again).await.expect_error(403, "sign in with the identity provider");
}

#[tokio::test]
async fn password_sessions_end_when_sso_becomes_required() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let (browser, answer) = Browser::of(&server, "bob").await;
    let refresh = browser.token();
    let token = answer["token"].as_str().unwrap().to_owned();
    let script = server.script_client("bob").await.credential().to_owned();
    server.sql(|conn| conn.execute("UPDATE user SET password_open_until = NULL WHERE id = ?", [bob]).unwrap());
    let server = TestServer::on(server.stop(), sso_only);
    server.with(&token).get("/api/me").await.expect_error(401, "ended");
    Browser::new(&server).with(&refresh).refresh().await.expect_error(401, "no session");
    server.with(&script).get("/api/me").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'session.end-by-password'"), 1);
}

#[tokio::test]
async fn a_session_of_an_account_allowed_by_the_operator_ends_with_the_permission() {
    let server = TestServer::empty(sso_only);
    server.seed_admin("ada", "acme").await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    server.clock.advance(HOUR - MINUTE);
    let renewed = browser.refresh().await.ok();
    server.clock.advance(MINUTE);
    for token in [&answer["token"], &renewed["token"]] {
        server.with(token.as_str().unwrap()).get("/api/me").await.expect_error(401, "");
    }
    browser.refresh().await.expect_error(401, "no session");
    assert_eq!(
        server.count("SELECT count(*) FROM session WHERE ended_at IS NULL AND expires_at > created_at + 3600000"),
        0
    );
}

#[tokio::test]
async fn a_remaining_password_session_is_not_renewed() {
    let server = TestServer::empty(sso_only);
    server.seed_admin("ada", "acme").await;
    let (browser, _) = Browser::of(&server, "ada").await;
    // A password session from before the change.
    server.sql(|conn| {
        conn.execute("UPDATE session SET expires_at = expires_at + 86400000", []).unwrap();
        conn.execute("UPDATE user SET password_open_until = NULL", []).unwrap();
    });
    browser.refresh().await.expect_error(401, "no session");
    assert_eq!(server.count("SELECT count(*) FROM session WHERE ended_at IS NULL"), 0);
}

/// A configuration that requires SSO.
fn sso_only(config: &mut Config) {
    let oidc = &mut config.identity.oidc;
    (oidc.issuer, oidc.client_id, oidc.sso_only) = ("https://id.example.org".into(), "planroom".into(), true);
}
