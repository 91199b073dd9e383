//! Signing in, and being refused.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use crate::support::{PASSWORD, Stage};

#[tokio::test]
async fn ada_signs_in_and_is_told_who_she_is() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ADA").await;
    let me = ada.get("/api/me").await.ok();
    assert_eq!(me["login"], "ada");
    assert_eq!(me["provider"], "local");
    assert_eq!(me["session"]["orgSlug"], "acme");
    assert_eq!(me["session"]["orgRole"], "org:admin");
    assert_eq!(me["session"]["isApiToken"], false);
    assert!(me["lastLoginAt"].is_i64());
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_login_are_told_the_same() {
    let stage = Stage::new().await;
    let wrong = stage.anonymous().post("/api/auth/login", json!({ "login": "ada", "password": "guess" })).await;
    let unknown = stage.anonymous().post("/api/auth/login", json!({ "login": "eve", "password": "guess" })).await;
    assert_eq!(wrong.refused(401, "login or password is wrong"), unknown.expect(401));
    assert_eq!(wrong.header("www-authenticate"), "Bearer");
}

#[tokio::test]
async fn a_session_token_runs_out() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    stage.clock.advance(14 * MINUTE);
    ada.get("/api/me").await.ok();
    stage.clock.advance(2 * MINUTE);
    ada.get("/api/me").await.refused(401, "expired");
}

#[tokio::test]
async fn an_ended_session_is_over_at_once() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    stage.sql(|conn| conn.execute("UPDATE session SET ended_at = 1", []).unwrap());
    ada.get("/api/me").await.refused(401, "ended");
}

#[tokio::test]
async fn a_jwt_is_not_enough_once_membership_is_gone() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let session = stage.sign_in("bob").await;
    let script = stage.script_of("bob").await;
    session.get("/api/workspaces").await.ok();
    script.get("/api/workspaces").await.ok();
    stage.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob]).unwrap());
    session.get("/api/workspaces").await.refused(401, "no longer a member");
    script.get("/api/workspaces").await.refused(401, "no longer a member");
}

#[tokio::test]
async fn a_suspended_user_is_refused_with_every_credential() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (session, script) = (stage.sign_in("bob").await, stage.script_of("bob").await);
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE login = 'bob'", []).unwrap());
    for bob in [session, script] {
        assert_eq!(bob.get("/api/me").await.refused(403, "suspended")["code"], "account_suspended");
    }
    let sign_in = json!({ "login": "bob", "password": PASSWORD });
    stage.anonymous().post("/api/auth/login", sign_in).await.refused(403, "suspended");
}

#[tokio::test]
async fn the_role_in_a_token_is_not_believed() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    stage.sql(|conn| conn.execute("UPDATE organization_member SET role = 'org:member'", []).unwrap());
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgRole"], "org:member");
}

#[tokio::test]
async fn a_malformed_credential_is_refused_and_named() {
    let stage = Stage::new().await;
    stage.anonymous().get("/api/me").await.refused(401, "Authorization");
    stage.anonymous().header("authorization", "Basic YTpi").get("/api/me").await.refused(401, "Bearer");
    stage.with("nonsense").get("/api/me").await.refused(401, "not a token of this instance");
    stage.with("svc_pat_nonsense").get("/api/me").await.refused(401, "unknown or revoked");
    stage.with("svc_mcp_nonsense").get("/api/me").await.refused(401, "/mcp alone");
    let ada = stage.sign_in("ada").await;
    let twice = ada.header("authorization", "Bearer x");
    twice.get("/api/me").await.refused(401, "one Authorization header");
}

#[tokio::test]
async fn one_chooses_the_organization_at_sign_in_among_ones_own() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let ada = stage.sign_in("ada").await.get("/api/me").await.ok()["id"].as_i64().unwrap();
    let choose = |org: &str| json!({ "login": "ada", "password": PASSWORD, "orgId": org });
    stage.anonymous().post("/api/auth/login", choose("org_other")).await.refused(404, "organization");
    stage.join(ada, "other", "org:member");
    let reply = stage.anonymous().post("/api/auth/login", choose("org_other")).await.ok();
    assert_eq!(reply["session"]["orgSlug"], "other");
}

#[tokio::test]
async fn a_user_of_no_organization_is_told_so() {
    let stage = Stage::new().await;
    stage.seed_user("nomad");
    let nomad = stage.sign_in("nomad").await;
    assert_eq!(nomad.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    nomad.get("/api/schema").await.ok();
    let reply = nomad.get("/api/workspaces").await.refused(400, "active organization");
    assert_eq!(reply["code"], "no_active_org");
}

#[tokio::test]
async fn the_first_account_is_made_with_the_link_and_only_once() {
    let stage = Stage::empty(|_| {});
    let token = stage.app.offer_setup().await.unwrap().unwrap();
    let form = |token: &str| {
        json!({ "token": token, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                "organization": "Acme & Sons" })
    };
    let anyone = stage.anonymous();
    anyone.post("/api/auth/setup", form("guess")).await.refused(403, "not valid");
    let short =
        json!({ "token": token, "login": "ada", "displayName": "Ada", "password": "short", "organization": "A" });
    anyone.post("/api/auth/setup", short).await.refused(400, "password: a password has 8 to 128");
    let reply = anyone.post("/api/auth/setup", form(&token)).await.ok();
    assert_eq!(reply["session"]["orgSlug"], "acme-sons");
    assert_eq!(reply["user"]["isAdmin"], true);
    anyone.post("/api/auth/setup", form(&token)).await.refused(409, "set up already");
    assert!(stage.app.offer_setup().await.unwrap().is_none());
    stage.sign_in("ada").await.get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn the_link_is_void_once_the_operator_has_made_an_account() {
    let stage = Stage::empty(|_| {});
    let token = stage.app.offer_setup().await.unwrap().unwrap();
    stage.seed_admin("ada", "acme").await;
    let form =
        json!({ "token": token, "login": "eve", "displayName": "Eve", "password": PASSWORD, "organization": "E" });
    stage.anonymous().post("/api/auth/setup", form).await.refused(409, "set up already");
}

#[tokio::test]
async fn the_public_key_verifies_the_session_token() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let jwks = stage.anonymous().get("/.well-known/jwks.json").await.ok();
    let key = &jwks["keys"][0];
    let header = jsonwebtoken::decode_header(ada.credential()).unwrap();
    assert_eq!(header.kid.as_deref(), key["kid"].as_str());
    assert_eq!(URL_SAFE_NO_PAD.decode(key["x"].as_str().unwrap()).unwrap().len(), 32);
    let public = jsonwebtoken::DecodingKey::from_ed_components(key["x"].as_str().unwrap()).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::EdDSA);
    validation.set_issuer(&["http://planroom.test"]);
    let claims = jsonwebtoken::decode::<serde_json::Value>(ada.credential(), &public, &validation).unwrap().claims;
    assert_eq!(claims["org_role"], "org:admin");
    assert_eq!(claims["org_slug"], "acme");
    assert!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap() <= 3_600);
    assert!(claims["exp"].as_i64().unwrap() * 1_000 < stage.clock.now() + DAY);
}
