//! Sign-in and its errors.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use crate::support::{PASSWORD, TestServer};

#[tokio::test]
async fn a_user_signs_in_and_reads_their_account() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ADA").await;
    let me = ada.get("/api/me").await.ok();
    assert_eq!(me["login"], "ada");
    assert_eq!(me["provider"], "local");
    assert_eq!(me["session"]["orgSlug"], "acme");
    assert_eq!(me["session"]["orgRole"], "org:admin");
    assert_eq!(me["session"]["isApiToken"], false);
    assert!(me["lastLoginAt"].is_i64());
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_login_get_the_same_response() {
    let server = TestServer::new().await;
    let wrong = server.anonymous().post("/api/auth/login", json!({ "login": "ada", "password": "guess" })).await;
    let unknown = server.anonymous().post("/api/auth/login", json!({ "login": "eve", "password": "guess" })).await;
    assert_eq!(wrong.expect_error(401, "login or password is wrong"), unknown.expect(401));
    assert_eq!(wrong.header("www-authenticate"), "Bearer");
}

#[tokio::test]
async fn a_session_token_expires() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.clock.advance(14 * MINUTE);
    ada.get("/api/me").await.ok();
    server.clock.advance(2 * MINUTE);
    ada.get("/api/me").await.expect_error(401, "expired");
}

#[tokio::test]
async fn an_ended_session_is_rejected_immediately() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.sql(|conn| conn.execute("UPDATE session SET ended_at = 1", []).unwrap());
    ada.get("/api/me").await.expect_error(401, "ended");
}

#[tokio::test]
async fn a_jwt_is_rejected_after_the_membership_ended() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let session = server.sign_in("bob").await;
    let script = server.script_client("bob").await;
    session.get("/api/workspaces").await.ok();
    script.get("/api/workspaces").await.ok();
    server.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob]).unwrap());
    session.get("/api/workspaces").await.expect_error(401, "no longer a member");
    script.get("/api/workspaces").await.expect_error(401, "no longer a member");
}

#[tokio::test]
async fn a_suspended_user_is_rejected_with_every_credential() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (session, script) = (server.sign_in("bob").await, server.script_client("bob").await);
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE login = 'bob'", []).unwrap());
    for bob in [session, script] {
        assert_eq!(bob.get("/api/me").await.expect_error(403, "suspended")["code"], "account_suspended");
    }
    let sign_in = json!({ "login": "bob", "password": PASSWORD });
    server.anonymous().post("/api/auth/login", sign_in).await.expect_error(403, "suspended");
}

#[tokio::test]
async fn the_role_in_a_token_is_not_trusted() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.sql(|conn| conn.execute("UPDATE organization_member SET role = 'org:member'", []).unwrap());
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgRole"], "org:member");
}

#[tokio::test]
async fn a_malformed_credential_is_rejected_by_name() {
    let server = TestServer::new().await;
    server.anonymous().get("/api/me").await.expect_error(401, "Authorization");
    server.anonymous().header("authorization", "Basic YTpi").get("/api/me").await.expect_error(401, "Bearer");
    server.with("nonsense").get("/api/me").await.expect_error(401, "not a token of this instance");
    server.with("svc_pat_nonsense").get("/api/me").await.expect_error(401, "unknown or revoked");
    server.with("svc_mcp_nonsense").get("/api/me").await.expect_error(401, "/mcp alone");
    let ada = server.sign_in("ada").await;
    let twice = ada.header("authorization", "Bearer x");
    twice.get("/api/me").await.expect_error(401, "one Authorization header");
}

#[tokio::test]
async fn a_user_selects_one_of_their_organizations_at_sign_in() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let ada = server.sign_in("ada").await.get("/api/me").await.ok()["id"].as_i64().unwrap();
    let choose = |org: &str| json!({ "login": "ada", "password": PASSWORD, "orgId": org });
    server.anonymous().post("/api/auth/login", choose("org_other")).await.expect_error(404, "organization");
    server.join(ada, "other", "org:member");
    let reply = server.anonymous().post("/api/auth/login", choose("org_other")).await.ok();
    assert_eq!(reply["session"]["orgSlug"], "other");
}

#[tokio::test]
async fn a_user_without_organization_gets_an_explanation() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    let nomad = server.sign_in("nomad").await;
    assert_eq!(nomad.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    nomad.get("/api/schema").await.ok();
    let reply = nomad.get("/api/workspaces").await.expect_error(400, "active organization");
    assert_eq!(reply["code"], "no_active_org");
}

#[tokio::test]
async fn the_setup_link_creates_the_first_account_once() {
    let server = TestServer::empty(|_| {});
    let token = server.app.offer_setup().await.unwrap().unwrap();
    let form = |token: &str| {
        json!({ "token": token, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                "organization": "Acme & Sons" })
    };
    let anyone = server.anonymous();
    anyone.post("/api/auth/setup", form("guess")).await.expect_error(403, "not valid");
    let short =
        json!({ "token": token, "login": "ada", "displayName": "Ada", "password": "short", "organization": "A" });
    anyone.post("/api/auth/setup", short).await.expect_error(400, "password: must have 8 to 128");
    let reply = anyone.post("/api/auth/setup", form(&token)).await.ok();
    assert_eq!(reply["session"]["orgSlug"], "acme-sons");
    assert_eq!(reply["user"]["isAdmin"], true);
    anyone.post("/api/auth/setup", form(&token)).await.expect_error(409, "set up already");
    assert!(server.app.offer_setup().await.unwrap().is_none());
    server.sign_in("ada").await.get("/api/workspaces").await.ok();
}

#[tokio::test]
async fn the_setup_link_is_invalid_after_the_operator_created_an_account() {
    let server = TestServer::empty(|_| {});
    let token = server.app.offer_setup().await.unwrap().unwrap();
    server.seed_admin("ada", "acme").await;
    let form =
        json!({ "token": token, "login": "eve", "displayName": "Eve", "password": PASSWORD, "organization": "E" });
    server.anonymous().post("/api/auth/setup", form).await.expect_error(409, "set up already");
}

#[tokio::test]
async fn the_public_key_verifies_the_session_token() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let jwks = server.anonymous().get("/.well-known/jwks.json").await.ok();
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
    assert!(claims["exp"].as_i64().unwrap() * 1_000 < server.clock.now() + DAY);
}
