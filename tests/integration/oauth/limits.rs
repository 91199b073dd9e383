//! What is kept, told and limited: hashes alone, every step in the audit log, no more than somebody needs.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Program, REDIRECT, post, refused, token};
use crate::support::Stage;

const DAY: i64 = 24 * 60 * 60_000;

#[tokio::test]
async fn nothing_that_opens_a_door_is_kept_as_it_is() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let open = program.asks(&[]).await;
    let code = program.let_in_by(&ada, false).await;
    let tokens = program.exchanges(&code, &[]).await.ok();
    let secrets = [open, code, token(&tokens, "access_token"), token(&tokens, "refresh_token")];
    for name in ["planroom.db", "planroom.db-wal"] {
        let file = std::fs::read(stage.dir.path().join(name)).unwrap();
        for secret in &secrets {
            assert!(!file.windows(secret.len()).any(|part| part == secret.as_bytes()), "{name} holds {secret}");
        }
    }
}

#[tokio::test]
async fn every_step_is_in_the_audit_log() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    ada.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.ok();
    let tokens = program.tokens(&ada, false).await;
    let refresh = token(&tokens, "refresh_token");
    program.refreshes(&refresh, &[]).await.ok();
    program.refreshes(&refresh, &[]).await;
    let access = token(&program.tokens(&ada, false).await, "access_token");
    post(&stage, "/oauth/revoke", &[("client_id", &program.client_id), ("token", &access)]).await;
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
async fn whoever_tries_too_often_waits() {
    let stage = Stage::new().await;
    let somebody = stage.anonymous().from([192, 0, 2, 1]);
    let form = Some("application/x-www-form-urlencoded");
    let mut last = (None, None, None);
    for _ in 0..101 {
        let registers = somebody.post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await;
        let asks = somebody.get("/oauth/authorize?client_id=unknown").await;
        let exchanges = somebody.send_raw(Method::POST, "/oauth/token", form, "client_id=x&grant_type=none").await;
        last = (Some(registers), Some(asks), Some(exchanges));
    }
    let (registers, asks, exchanges) = (last.0.unwrap(), last.1.unwrap(), last.2.unwrap());
    refused(&registers, 429, "temporarily_unavailable");
    refused(&exchanges, 429, "temporarily_unavailable");
    assert_eq!((asks.status.as_u16(), asks.header("location")), (429, ""));
    for reply in [registers, asks, exchanges] {
        assert_eq!(reply.header("retry-after"), "1", "{reply}");
    }
    // Others do not wait, and nor does who waited.
    Program::new(&stage).await;
    stage.clock.advance(1_000);
    somebody.post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await.created();
}

#[tokio::test]
async fn programs_that_nobody_let_in_are_forgotten_and_others_are_not() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (unused, used) = (Program::new(&stage).await, Program::new(&stage).await);
    unused.asks(&[]).await;
    let mut refresh = token(&used.tokens(&ada, false).await, "refresh_token");
    let sweep = async || stage.sweep().await;
    for _ in 0..5 {
        stage.clock.advance(59 * DAY);
        sweep().await;
        refresh = token(&used.refreshes(&refresh, &[]).await.ok(), "refresh_token");
    }
    let reply = stage.anonymous().get(&unused.address(&[])).await;
    assert_eq!(reply.status, 400, "{reply}");
    let kept = stage.count("SELECT count(*) FROM oauth_token");
    assert!(kept <= 8, "{kept} tokens are kept");
    // Unused for 60 days it is good for nothing, and in time it goes.
    stage.clock.advance(60 * DAY);
    refused(&used.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    stage.clock.advance(91 * DAY);
    sweep().await;
    for table in ["oauth_client", "oauth_grant", "oauth_code", "oauth_token", "oauth_request"] {
        assert_eq!(stage.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test]
async fn programs_in_pages_of_any_origin_may_ask_and_be_answered_but_not_by_the_api() {
    let stage = Stage::new().await;
    let page = stage.anonymous().header("origin", "https://inspector.example");
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
async fn what_a_program_says_of_itself_is_shown_as_it_is_and_no_more() {
    let stage = Stage::new().await;
    let new = json!({ "client_name": "  <b>Claude</b>\u{9}of   Acme ", "redirect_uris": [REDIRECT], "logo_uri": "x" });
    let client: Value = stage.anonymous().post("/oauth/register", new).await.created();
    assert_eq!(client["client_name"], "<b>Claude</b> of Acme");
    assert_eq!(client["logo_uri"], Value::Null);
    assert_eq!(client["grant_types"], json!(["authorization_code", "refresh_token"]));
    let nameless = stage.anonymous().post("/oauth/register", json!({ "redirect_uris": [REDIRECT] })).await.created();
    assert_eq!(nameless["client_name"], "A program without a name");
}
