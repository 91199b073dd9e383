//! Consent requires the user's own session and cannot be forged, framed, repeated or given late.

use serde_json::{Value, json};

use super::{OAuthClient, VERIFIER, parameter};
use crate::support::{TestClient, TestServer};

async fn acme(user: &TestClient<'_>) -> String {
    user.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned()
}

async fn allow(user: &TestClient<'_>, request: &str) -> Value {
    json!({ "request": request, "allow": true, "orgId": acme(user).await })
}

#[tokio::test]
async fn consent_requires_a_session() {
    let server = TestServer::new().await;
    let (ada, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    let decision = allow(&ada, &request).await;
    let cookie = server.anonymous().header("cookie", "refresh=anything");
    for nobody in [server.anonymous(), cookie, server.with("svc_mcp_guessed")] {
        for path in ["/api/me/connectors", "/api/me/connectors/request"] {
            assert_eq!(nobody.post(path, decision.clone()).await.status, 401);
        }
    }
    script.post("/api/me/connectors", decision.clone()).await.expect_error(403, "session");
    script.post("/api/me/connectors/request", json!({ "request": request })).await.expect_error(403, "session");
    // A form of another page cannot send the token or the content type.
    let form = format!("request={request}&allow=true");
    let forged = ada
        .send_raw(axum::http::Method::POST, "/api/me/connectors", Some("application/x-www-form-urlencoded"), form)
        .await;
    assert_eq!(forged.status, 415, "{forged}");
    ada.post("/api/me/connectors", decision).await.ok();
}

#[tokio::test]
async fn a_request_is_answered_by_the_user_who_opened_it_first() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    bob.post("/api/me/connectors/request", json!({ "request": request })).await.expect_error(404, "request");
    let decision = allow(&bob, &request).await;
    bob.post("/api/me/connectors", decision.clone()).await.expect_error(404, "request");
    bob.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.expect_error(404, "request");
    ada.post("/api/me/connectors", decision).await.ok();
    assert_eq!(bob.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_request_is_answered_once_within_fifteen_minutes() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    for word in [true, false] {
        let request = program.request_consent(&[]).await;
        let decision = allow(&ada, &request).await;
        ada.post("/api/me/connectors", json!({ "request": request, "allow": word, "orgId": decision["orgId"] }))
            .await
            .ok();
        ada.post("/api/me/connectors", decision).await.expect_error(404, "request");
    }
    let late = program.request_consent(&[]).await;
    server.clock.advance(15 * 60_000);
    let ada = server.sign_in("ada").await;
    let decision = allow(&ada, &late).await;
    ada.post("/api/me/connectors/request", json!({ "request": late })).await.expect_error(404, "request");
    ada.post("/api/me/connectors", decision.clone()).await.expect_error(404, "request");
    for forged in ["", "AAAA", &late[1..], VERIFIER] {
        let decision = json!({ "request": forged, "allow": true, "orgId": decision["orgId"] });
        ada.post("/api/me/connectors", decision).await.expect_error(404, "request");
    }
}

#[tokio::test]
async fn an_app_acts_only_in_organizations_of_its_user() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.seed_admin("eve", "rival").await;
    let rival = acme(&server.sign_in("eve").await).await;
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    for foreign in [rival.as_str(), "org_none"] {
        let decision = json!({ "request": request, "allow": true, "orgId": foreign });
        ada.post("/api/me/connectors", decision).await.expect_error(404, "organization");
    }
    let nowhere = json!({ "request": request, "allow": true });
    assert_eq!(ada.post("/api/me/connectors", nowhere).await.expect_error(400, "orgId")["field"], "orgId");
    // The failed attempts did not consume the request.
    let decision = allow(&ada, &request).await;
    ada.post("/api/me/connectors", decision).await.ok();
}

#[tokio::test]
async fn the_user_decides_about_read_only_access() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    assert_eq!(program.tokens(&ada, true).await["scope"], "mcp:read");
    // A request with the read scope never gets more, whatever the page sends.
    let request = program.request_consent(&[("scope", "mcp:read")]).await;
    let mut decision = allow(&ada, &request).await;
    decision["readOnly"] = json!(false);
    let to = ada.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    let tokens = program.exchange_code(&parameter(&to, "code").unwrap(), &[]).await.ok();
    assert_eq!(tokens["scope"], "mcp:read");
}

#[tokio::test]
async fn the_consent_page_cannot_be_framed() {
    let server = TestServer::new().await;
    let program = OAuthClient::new(&server).await;
    let browser = server.anonymous().header("accept", "text/html");
    for path in
        ["/consent".to_owned(), program.authorization_url(&[]), program.authorization_url(&[("client_id", "unknown")])]
    {
        let reply = browser.get(&path).await;
        assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}: {reply}");
        assert_eq!(reply.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn the_request_id_is_never_in_a_url() {
    let server = TestServer::new().await;
    let program = OAuthClient::new(&server).await;
    let reply = server.anonymous().get(&program.authorization_url(&[])).await;
    let to = url::Url::parse(reply.header("location")).unwrap();
    assert_eq!((to.path(), to.query()), ("/consent", None));
    assert_eq!(to.fragment().map(str::len), Some(43));
}
