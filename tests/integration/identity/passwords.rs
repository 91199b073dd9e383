//! Where the provider is the only way in, and the command line the way back.

use planroom::{
    clock::{HOUR, MINUTE},
    config::Config,
    domain::{access::Via, passwords},
    mcp::oauth::admit,
};
use serde_json::json;

use super::{signs_in, stage_with};
use crate::{
    oauth::{Program, token},
    sign_in::browser::Browser,
    support::{PASSWORD, Stage},
};

#[tokio::test]
async fn passwords_are_refused_and_the_operator_opens_one_account_for_an_hour() {
    let (stage, double) = stage_with(|config| config.identity.oidc.sso_only = true).await;
    let config = stage.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["methods"], &config["providerName"]), (&json!(["oidc"]), &json!("127.0.0.1")));
    // The operator has made this account a moment ago.
    stage.sign_in("ada").await.get("/api/me").await.ok();
    stage.clock.advance(HOUR);
    double.state().now = stage.clock.now() / 1_000;
    let anonymous = stage.anonymous();
    for (login, password) in [("ada", PASSWORD), ("ada", "wrong"), ("nobody", PASSWORD)] {
        let reply = anonymous.post("/api/auth/login", json!({ "login": login, "password": password })).await;
        reply.refused(403, "sign in with the identity provider");
    }
    signs_in(&stage, &double, "user_grace").await.get("/api/me").await.ok();
    let hash: String =
        stage.sql(|conn| conn.query_row("SELECT password_hash FROM user", [], |row| row.get(0)).unwrap());
    let reset = move |tx: &mut planroom::domain::access::SystemTx<'_>| passwords::reset(tx, "ada", &hash);
    stage.app.gate.system(Via::Cli, reset).await.unwrap();
    stage.sign_in("ada").await.get("/api/admin/users").await.ok();
    let wrong = json!({ "login": "ada", "password": "wrong" });
    anonymous.post("/api/auth/login", wrong.clone()).await.refused(401, "wrong");
    stage.clock.advance(HOUR);
    anonymous.post("/api/auth/login", wrong).await.refused(403, "sign in with the identity provider");
}

#[tokio::test]
async fn an_invitation_makes_no_account_with_a_password_but_lets_in_who_signed_in_elsewhere() {
    let (stage, double) = stage_with(|config| config.identity.oidc.sso_only = true).await;
    let ada = stage.sign_in("ada").await;
    let org = ada.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned();
    let invited = ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:member" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "bob", "displayName": "Bob", "password": "correct horse battery staple" });
    stage.anonymous().post(&path, new).await.refused(403, "open the invitation again");
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.post(&path, json!({})).await.ok()["session"]["orgSlug"], "acme");
}

#[tokio::test]
async fn programs_and_tokens_are_let_in_by_whoever_came_from_the_provider() {
    let (stage, double) = stage_with(|config| {
        (config.identity.oidc.sso_only, config.identity.oidc.default_org) = (true, "acme".into());
    })
    .await;
    let grace = signs_in(&stage, &double, "user_grace").await;
    let tokens = Program::new(&stage).await.tokens(&grace, false).await;
    let (_, caller) = admit(&stage.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    assert_eq!(caller.organization.unwrap().slug.as_str(), "acme");
    let minted = grace.post("/api/me/tokens", json!({ "name": "scripts" })).await.created();
    stage.with(minted["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn the_first_account_is_set_up_with_a_password_that_opens_it_for_an_hour() {
    let stage = Stage::empty(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id, oidc.sso_only) = ("https://id.example.org".into(), "planroom".into(), true);
    });
    let link = stage.app.offer_setup().await.unwrap().unwrap();
    let form = json!({ "token": link, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                       "organization": "Acme" });
    stage.anonymous().post("/api/auth/setup", form).await.ok();
    stage.sign_in("ada").await.get("/api/admin/users").await.ok();
    stage.clock.advance(HOUR);
    let again = json!({ "login": "ada", "password": PASSWORD });
    stage.anonymous().post("/api/auth/login", again).await.refused(403, "sign in with the identity provider");
}

#[tokio::test]
async fn sessions_that_began_with_a_password_end_where_passwords_are_refused() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let (browser, answer) = Browser::of(&stage, "bob").await;
    let refresh = browser.token();
    let token = answer["token"].as_str().unwrap().to_owned();
    let script = stage.script_of("bob").await.credential().to_owned();
    stage.sql(|conn| conn.execute("UPDATE user SET password_open_until = NULL WHERE id = ?", [bob]).unwrap());
    let stage = Stage::on(stage.stop(), sso_only);
    stage.with(&token).get("/api/me").await.refused(401, "ended");
    Browser::new(&stage).with(&refresh).refresh().await.refused(401, "no session");
    stage.with(&script).get("/api/me").await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'session.end-by-password'"), 1);
}

#[tokio::test]
async fn a_session_of_an_account_that_the_operator_opened_lasts_as_long_as_that() {
    let stage = Stage::empty(sso_only);
    stage.seed_admin("ada", "acme").await;
    let (browser, answer) = Browser::of(&stage, "ada").await;
    stage.clock.advance(HOUR - MINUTE);
    let renewed = browser.refresh().await.ok();
    stage.clock.advance(MINUTE);
    for token in [&answer["token"], &renewed["token"]] {
        stage.with(token.as_str().unwrap()).get("/api/me").await.refused(401, "");
    }
    browser.refresh().await.refused(401, "no session");
    assert_eq!(
        stage.count("SELECT count(*) FROM session WHERE ended_at IS NULL AND expires_at > created_at + 3600000"),
        0
    );
}

#[tokio::test]
async fn a_session_that_was_left_alive_is_not_renewed() {
    let stage = Stage::empty(sso_only);
    stage.seed_admin("ada", "acme").await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    // As one from before, that nothing has ended.
    stage.sql(|conn| {
        conn.execute("UPDATE session SET expires_at = expires_at + 86400000", []).unwrap();
        conn.execute("UPDATE user SET password_open_until = NULL", []).unwrap();
    });
    browser.refresh().await.refused(401, "no session");
    assert_eq!(stage.count("SELECT count(*) FROM session WHERE ended_at IS NULL"), 0);
}

/// Where passwords are refused.
fn sso_only(config: &mut Config) {
    let oidc = &mut config.identity.oidc;
    (oidc.issuer, oidc.client_id, oidc.sso_only) = ("https://id.example.org".into(), "planroom".into(), true);
}
