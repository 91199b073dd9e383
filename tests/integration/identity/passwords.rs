//! Where the provider is the only way in, and the command line the way back.

use planroom::{
    clock::HOUR,
    domain::{access::Via, passwords},
};
use serde_json::json;

use super::{signs_in, stage_with};
use crate::support::PASSWORD;

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
