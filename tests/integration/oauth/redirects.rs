//! Redirects: only to authorized clients and to registered or configured URIs.

use serde_json::json;

use super::{OAuthClient, assert_oauth_error, parameter};
use crate::support::TestServer;

const CURSOR: &str = "cursor://anysphere.cursor-mcp/oauth/callback";

#[tokio::test]
async fn a_browser_is_not_redirected_to_a_client_that_nobody_has_authorized() {
    let server = TestServer::new().await;
    let evil = "https://evil.example/cb?a=\"><script>";
    let program = OAuthClient::at(&server, &[evil]).await;
    for wrong in [("response_type", "nonsense"), ("scope", "admin"), ("code_challenge", "short")] {
        let reply = server.anonymous().get(&program.authorization_url(&[("redirect_uri", evil), wrong])).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{wrong:?}: {reply}");
        let page = String::from_utf8(reply.bytes.clone()).unwrap();
        assert!(page.contains("No user of this server has authorized this app"), "{page}");
        assert!(
            page.contains("href=\"https://evil.example/cb?a=") && page.contains("return to evil.example"),
            "{page}"
        );
        assert!(!page.contains("<script"), "{page}");
        assert!(reply.header("content-security-policy").contains("default-src 'none'"));
    }
}

#[tokio::test]
async fn an_authorized_client_receives_errors_by_redirect() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    program.tokens(&ada, false).await;
    let reply = server.anonymous().get(&program.authorization_url(&[("response_type", "nonsense")])).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("unsupported_response_type"));
}

#[tokio::test]
async fn a_native_app_needs_an_exact_redirect_uri_in_the_configuration() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    // Cursor's registration.
    let uris = [CURSOR, "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"];
    let new = json!({ "client_name": "Cursor", "redirect_uris": uris });
    assert_eq!(server.anonymous().post("/oauth/register", new).await.created()["redirect_uris"], json!(uris));
    let program = OAuthClient::at(&server, &[CURSOR]).await;
    let request = program.request_consent(&[("redirect_uri", CURSOR)]).await;
    let shown = ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    assert_eq!((&shown["nativeAddress"], &shown["isLocal"]), (&json!(CURSOR), &json!(false)));
    let orgs = ada.get("/api/orgs").await.ok();
    let yes = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"] });
    let to = ada.post("/api/me/connectors", yes).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    assert!(to.starts_with(&format!("{CURSOR}?code=")), "{to}");
    let code = parameter(&to, "code").unwrap();
    program.exchange_code(&code, &[("redirect_uri", CURSOR)]).await.ok();
    for other in
        [format!("{CURSOR}/"), format!("{CURSOR}?x=1"), CURSOR.replace("cursor:", "Cursor:"), "cursor://x/cb".into()]
    {
        let reply = server.anonymous().post("/oauth/register", json!({ "redirect_uris": [other] })).await;
        assert_oauth_error(&reply, 400, "invalid_redirect_uri");
        let reply = server.anonymous().get(&program.authorization_url(&[("redirect_uri", &other)])).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{other}");
    }
}

#[tokio::test]
async fn a_redirect_uri_removed_from_the_configuration_is_rejected() {
    let server = TestServer::new().await;
    let client_id = OAuthClient::at(&server, &[CURSOR]).await.client_id;
    let server = TestServer::on(server.stop(), |config| config.oauth.native_redirects.clear());
    let program = OAuthClient { server: &server, client_id };
    let reply = server.anonymous().get(&program.authorization_url(&[("redirect_uri", CURSOR)])).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{reply}");
    assert_oauth_error(
        &server.anonymous().post("/oauth/register", json!({ "redirect_uris": [CURSOR] })).await,
        400,
        "invalid_redirect_uri",
    );
}

#[tokio::test]
async fn an_editor_with_web_and_loopback_redirect_uris_needs_no_configuration() {
    let server = TestServer::empty(|config| config.oauth.native_redirects.clear());
    server.seed_admin("ada", "acme").await;
    // VS Code's registration.
    let uris = [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
    ];
    let program = OAuthClient::at(&server, &uris).await;
    for uri in [uris[1], "http://127.0.0.1:59656/"] {
        program.request_consent(&[("redirect_uri", uri)]).await;
    }
}
