//! Attacks on the authorization server.

use serde_json::json;

use super::{OAuthClient, REDIRECT, assert_oauth_error, challenge, parameter, post, token};
use crate::support::TestServer;

/// Expects an error page instead of a redirect.
async fn assert_not_redirected(program: &OAuthClient<'_>, changes: &[(&str, &str)]) {
    let reply = program.server.anonymous().get(&program.authorization_url(changes)).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{changes:?}: {reply}");
    assert!(reply.header("content-type").starts_with("text/html"), "{reply}");
    assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{reply}");
}

#[tokio::test]
async fn redirects_go_to_registered_uris_only() {
    let server = TestServer::new().await;
    let program = OAuthClient::at(&server, &[REDIRECT, "https://good.example/cb"]).await;
    for address in [
        "https://evil.example/cb",
        "https://good.example.evil.example/cb",
        "https://good.example@evil.example/cb",
        "https://good.example/cb/../evil",
        "https://good.example/cb?next=evil",
        "http://good.example/cb",
        "http://127.0.0.1.evil.example:33418/callback",
        "http://localhost:33418/callback",
        "http://127.0.0.1:33418/other",
        "javascript:alert(1)",
        "",
    ] {
        assert_not_redirected(&program, &[("redirect_uri", address)]).await;
    }
    assert_not_redirected(&program, &[("client_id", "unknown")]).await;
    assert_not_redirected(&program, &[("client_id", "")]).await;
}

#[tokio::test]
async fn unsafe_redirect_uris_cannot_be_registered() {
    let server = TestServer::new().await;
    for address in ["http://app.example/cb", "http://localhost@evil.example/", "javascript:alert(1)", "com.app:/cb"] {
        let new = json!({ "client_name": "Evil", "redirect_uris": [address] });
        assert_oauth_error(&server.anonymous().post("/oauth/register", new).await, 400, "invalid_redirect_uri");
    }
    for new in [
        json!({ "redirect_uris": [REDIRECT], "client_name": "x".repeat(201) }),
        json!({ "redirect_uris": [REDIRECT], "client_name": "Clau\u{202e}ed" }),
        json!({ "redirect_uris": [REDIRECT], "client_name": "Claude\u{0}" }),
        json!({ "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "client_secret_basic" }),
        json!({ "redirect_uris": "https://good.example" }),
        json!({}),
        json!([]),
    ] {
        assert_oauth_error(&server.anonymous().post("/oauth/register", new).await, 400, "invalid_client_metadata");
    }
    let many: Vec<String> = (0..11).map(|n| format!("https://good.example/{n}")).collect();
    let reply = server.anonymous().post("/oauth/register", json!({ "redirect_uris": many })).await;
    assert_oauth_error(&reply, 400, "invalid_redirect_uri");
}

#[tokio::test]
async fn a_custom_scheme_is_ignored_if_there_is_another_redirect_uri() {
    let server = TestServer::new().await;
    // A URI that is not in the configuration.
    let own = "cursor://anysphere.cursor-mcp/oauth/callback2";
    let good = ["https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"];
    let program = OAuthClient::at(&server, &[own, good[0], good[1]]).await;
    let new = json!({ "redirect_uris": [own, good[0], good[1]] });
    let client = server.anonymous().post("/oauth/register", new).await.created();
    assert_eq!(client["redirect_uris"], json!(good), "the answer says what is registered");
    program.request_consent(&[("redirect_uri", good[1])]).await;
    assert_not_redirected(&program, &[("redirect_uri", own)]).await;
    for rest in ["http://app.example/cb", "http://localhost@evil.example/"] {
        let new = json!({ "redirect_uris": [own, good[0], rest] });
        assert_oauth_error(&server.anonymous().post("/oauth/register", new).await, 400, "invalid_redirect_uri");
    }
}

#[tokio::test]
async fn a_request_without_a_pkce_challenge_is_redirected_with_an_error() {
    let server = TestServer::new().await;
    let program = OAuthClient::new(&server).await;
    program.tokens(&server.sign_in("ada").await, false).await;
    for (changes, code) in [
        (vec![("code_challenge", "")], "invalid_request"),
        (vec![("code_challenge", "short")], "invalid_request"),
        (vec![("code_challenge_method", "")], "invalid_request"),
        (vec![("code_challenge_method", "plain")], "invalid_request"),
        (vec![("response_type", "token")], "unsupported_response_type"),
        (vec![("resource", "https://elsewhere.example/mcp")], "invalid_target"),
        (vec![("scope", "admin")], "invalid_scope"),
    ] {
        let reply = server.anonymous().get(&program.authorization_url(&changes)).await;
        let to = reply.header("location").to_owned();
        assert!(to.starts_with(REDIRECT), "{changes:?}: {reply}");
        assert_eq!(parameter(&to, "error").as_deref(), Some(code), "{to}");
        assert_eq!((parameter(&to, "code"), parameter(&to, "state").as_deref()), (None, Some("xyz & more")), "{to}");
    }
}

#[tokio::test]
async fn a_code_without_its_verifier_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let code = program.authorized_by(&ada, false).await;
    let plain = challenge();
    for changes in [
        [("code_verifier", "")],
        [("code_verifier", "another-verifier-of-forty-three-characters-1234")],
        [("code_verifier", plain.as_str())],
        [("redirect_uri", "http://127.0.0.1:1/callback")],
        [("redirect_uri", "")],
        [("code", "guessed")],
    ] {
        assert_oauth_error(&program.exchange_code(&code, &changes).await, 400, "invalid_grant");
    }
    assert_oauth_error(
        &program.exchange_code(&code, &[("resource", "https://elsewhere.example/mcp")]).await,
        400,
        "invalid_target",
    );
    assert_oauth_error(&program.exchange_code(&code, &[("client_id", "unknown")]).await, 401, "invalid_client");
    assert_oauth_error(
        &program.exchange_code(&code, &[("grant_type", "password")]).await,
        400,
        "unsupported_grant_type",
    );
    assert_oauth_error(&program.exchange_code(&code, &[("client_id", "")]).await, 400, "invalid_request");
    let other = OAuthClient::new(&server).await;
    assert_oauth_error(&other.exchange_code(&code, &[]).await, 400, "invalid_grant");
    program.exchange_code(&code, &[]).await.ok();
}

#[tokio::test]
async fn a_code_expires_after_a_minute() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let code = program.authorized_by(&ada, false).await;
    server.clock.advance(60_000);
    assert_oauth_error(&program.exchange_code(&code, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_reused_code_revokes_all_its_tokens() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let code = program.authorized_by(&ada, false).await;
    let tokens = program.exchange_code(&code, &[]).await.ok();
    assert_oauth_error(&program.exchange_code(&code, &[]).await, 400, "invalid_grant");
    assert_oauth_error(&program.refresh(&token(&tokens, "refresh_token"), &[]).await, 400, "invalid_grant");
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_reused_refresh_token_revokes_its_family() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let first = token(&program.tokens(&ada, false).await, "refresh_token");
    let second = token(&program.refresh(&first, &[]).await.ok(), "refresh_token");
    assert_oauth_error(&program.refresh(&first, &[]).await, 400, "invalid_grant");
    assert_oauth_error(&program.refresh(&second, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_refresh_cannot_widen_the_scope_or_change_the_client() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (program, other) = (OAuthClient::new(&server).await, OAuthClient::new(&server).await);
    let read = program.tokens(&ada, true).await;
    assert_eq!(read["scope"], "mcp:read");
    let refresh = token(&read, "refresh_token");
    assert_oauth_error(&program.refresh(&refresh, &[("scope", "mcp:write")]).await, 400, "invalid_scope");
    assert_oauth_error(&other.refresh(&refresh, &[]).await, 400, "invalid_grant");
    assert_oauth_error(
        &program.refresh(&refresh, &[("resource", "https://elsewhere.example")]).await,
        400,
        "invalid_target",
    );
    assert_oauth_error(&program.refresh(&token(&read, "access_token"), &[]).await, 400, "invalid_grant");
    assert_eq!(program.refresh(&refresh, &[("scope", "mcp:read")]).await.ok()["scope"], "mcp:read");
    // The same limit applies to the exchange of a code.
    let code = program.authorized_by(&ada, true).await;
    assert_eq!(program.exchange_code(&code, &[("scope", "mcp:read mcp:write")]).await.ok()["scope"], "mcp:read");
}

#[tokio::test]
async fn request_sizes_are_limited() {
    let server = TestServer::new().await;
    let long = "x".repeat(70_000);
    assert_oauth_error(
        &server.anonymous().post("/oauth/register", json!({ "client_name": long })).await,
        400,
        "invalid_client_metadata",
    );
    let reply = post(&server, "/oauth/token", &[("grant_type", &"x".repeat(3_000_000))]).await;
    assert_oauth_error(&reply, 400, "invalid_request");
    let program = OAuthClient::new(&server).await;
    program.tokens(&server.sign_in("ada").await, false).await;
    let reply = server.anonymous().get(&program.authorization_url(&[("state", &"s".repeat(2_049))])).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("invalid_request"));
}
