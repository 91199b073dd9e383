//! Storage, audit log and limits of the authorization server.

use axum::http::Method;
use serde_json::{Value, json};

use super::{OAuthClient, REDIRECT, assert_oauth_error, post, token};
use crate::support::TestServer;

const DAY: i64 = 24 * 60 * 60_000;

#[tokio::test]
async fn credentials_are_stored_as_hashes_only() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let open = program.request_consent(&[]).await;
    let code = program.authorized_by(&ada, false).await;
    let tokens = program.exchange_code(&code, &[]).await.ok();
    let secrets = [open, code, token(&tokens, "access_token"), token(&tokens, "refresh_token")];
    for name in ["planroom.db", "planroom.db-wal"] {
        let file = std::fs::read(server.dir.path().join(name)).unwrap();
        for secret in &secrets {
            assert!(!file.windows(secret.len()).any(|part| part == secret.as_bytes()), "{name} holds {secret}");
        }
    }
}

#[tokio::test]
async fn every_step_is_in_the_audit_log() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    ada.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.ok();
    let tokens = program.tokens(&ada, false).await;
    let refresh = token(&tokens, "refresh_token");
    program.refresh(&refresh, &[]).await.ok();
    program.refresh(&refresh, &[]).await;
    let access = token(&program.tokens(&ada, false).await, "access_token");
    post(&server, "/oauth/revoke", &[("client_id", &program.client_id), ("token", &access)]).await;
    ada.delete(&format!("/api/me/connectors/{}", program.client_id)).await.ok();
    let events = ada.get("/api/admin/audit?limit=100").await.ok()["events"].clone();
    let kinds: Vec<&str> = events.as_array().unwrap().iter().rev().filter_map(|event| event["kind"].as_str()).collect();
    let connectors: Vec<&str> = kinds.iter().filter_map(|kind| kind.strip_prefix("connector.")).collect();
    let expected = ["register", "deny", "allow", "begin", "refresh", "end", "allow", "begin", "revoke", "disconnect"];
    assert_eq!(connectors, expected);
    let text = events.to_string();
    for secret in [refresh, access] {
        assert!(!text.contains(&secret) && !text.contains(&secret[8..]), "{text}");
    }
}

#[tokio::test]
async fn repeated_attempts_are_rate_limited() {
    let server = TestServer::new().await;
    let somebody = server.anonymous().from([192, 0, 2, 1]);
    let form = Some("application/x-www-form-urlencoded");
    let mut last = (None, None, None);
    for _ in 0..101 {
        let registers = somebody.post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await;
        let asks = somebody.get("/oauth/authorize?client_id=unknown").await;
        let exchanges = somebody.send_raw(Method::POST, "/oauth/token", form, "client_id=x&grant_type=none").await;
        last = (Some(registers), Some(asks), Some(exchanges));
    }
    let (registers, asks, exchanges) = (last.0.unwrap(), last.1.unwrap(), last.2.unwrap());
    assert_oauth_error(&registers, 429, "temporarily_unavailable");
    assert_oauth_error(&exchanges, 429, "temporarily_unavailable");
    assert_eq!((asks.status.as_u16(), asks.header("location")), (429, ""));
    for reply in [registers, asks, exchanges] {
        assert_eq!(reply.header("retry-after"), "1", "{reply}");
    }
    // Other addresses are not limited, and the limit expires.
    OAuthClient::new(&server).await;
    server.clock.advance(1_000);
    somebody.post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await.created();
}

#[tokio::test]
async fn unauthorized_clients_are_deleted_and_others_are_kept() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (unused, used) = (OAuthClient::new(&server).await, OAuthClient::new(&server).await);
    unused.request_consent(&[]).await;
    let mut refresh = token(&used.tokens(&ada, false).await, "refresh_token");
    let sweep = async || server.clean_up().await;
    for _ in 0..5 {
        server.clock.advance(59 * DAY);
        sweep().await;
        refresh = token(&used.refresh(&refresh, &[]).await.ok(), "refresh_token");
    }
    let reply = server.anonymous().get(&unused.authorization_url(&[])).await;
    assert_eq!(reply.status, 400, "{reply}");
    let kept = server.count("SELECT count(*) FROM oauth_token");
    assert!(kept <= 8, "{kept} tokens are kept");
    // After 60 days without use the grant expires, and cleanup removes it.
    server.clock.advance(60 * DAY);
    assert_oauth_error(&used.refresh(&refresh, &[]).await, 400, "invalid_grant");
    server.clock.advance(91 * DAY);
    sweep().await;
    for table in ["oauth_client", "oauth_grant", "oauth_code", "oauth_token", "oauth_request"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test]
async fn browser_apps_of_any_origin_can_use_oauth_but_not_the_api() {
    let server = TestServer::new().await;
    let page = server.anonymous().header("origin", "https://inspector.example");
    let preflight = page
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,mcp-protocol-version");
    for path in ["/oauth/register", "/oauth/token", "/oauth/revoke", "/.well-known/oauth-protected-resource/mcp"] {
        let reply = preflight.send(Method::OPTIONS, path, None).await;
        assert_eq!(reply.status, 204, "{reply}");
        assert_eq!(reply.header("access-control-allow-origin"), "https://inspector.example", "{path}");
        assert!(reply.header("access-control-allow-headers").contains("mcp-protocol-version"), "{path}");
        assert_eq!(reply.header("access-control-allow-credentials"), "", "{path}");
    }
    let found = page.get("/.well-known/oauth-authorization-server").await;
    assert_eq!(found.header("access-control-allow-origin"), "https://inspector.example");
    for path in ["/api/me", "/api/me/connectors", "/oauth/authorize", "/consent"] {
        let reply = preflight.send(Method::OPTIONS, path, None).await;
        assert_eq!(reply.header("access-control-allow-origin"), "", "{path}");
    }
}

#[tokio::test]
async fn client_metadata_is_displayed_escaped_and_truncated() {
    let server = TestServer::new().await;
    let new = json!({ "client_name": "  <b>Claude</b>\u{9}of   Acme ", "redirect_uris": [REDIRECT], "logo_uri": "x" });
    let client: Value = server.anonymous().post("/oauth/register", new).await.created();
    assert_eq!(client["client_name"], "<b>Claude</b> of Acme");
    assert_eq!(client["logo_uri"], Value::Null);
    assert_eq!(client["grant_types"], json!(["authorization_code", "refresh_token"]));
    let nameless = server.anonymous().post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await.created();
    assert_eq!(nameless["client_name"], "A program without a name");
}
