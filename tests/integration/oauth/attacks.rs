//! Ways in which somebody may try to get by.

use serde_json::json;

use super::{Program, REDIRECT, challenge, parameter, post, refused, token};
use crate::support::Stage;

/// The browser stays, and shows what is wrong; nobody is sent anywhere.
async fn goes_nowhere(program: &Program<'_>, changes: &[(&str, &str)]) {
    let reply = program.stage.anonymous().get(&program.address(changes)).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{changes:?}: {reply}");
    assert!(reply.header("content-type").starts_with("text/html"), "{reply}");
    assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{reply}");
}

#[tokio::test]
async fn answers_go_to_no_address_that_was_not_registered() {
    let stage = Stage::new().await;
    let program = Program::at(&stage, &[REDIRECT, "https://good.example/cb"]).await;
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
        goes_nowhere(&program, &[("redirect_uri", address)]).await;
    }
    goes_nowhere(&program, &[("client_id", "unknown")]).await;
    goes_nowhere(&program, &[("client_id", "")]).await;
}

#[tokio::test]
async fn nobody_registers_an_address_that_is_not_safe() {
    let stage = Stage::new().await;
    for address in ["http://app.example/cb", "http://localhost@evil.example/", "javascript:alert(1)", "com.app:/cb"] {
        let new = json!({ "client_name": "Evil", "redirect_uris": [address] });
        refused(&stage.anonymous().post("/oauth/register", new).await, 400, "invalid_redirect_uri");
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
        refused(&stage.anonymous().post("/oauth/register", new).await, 400, "invalid_client_metadata");
    }
    let many: Vec<String> = (0..11).map(|n| format!("https://good.example/{n}")).collect();
    let reply = stage.anonymous().post("/oauth/register", json!({ "redirect_uris": many })).await;
    refused(&reply, 400, "invalid_redirect_uri");
}

#[tokio::test]
async fn an_address_that_any_program_may_claim_is_left_out_where_there_is_another() {
    let stage = Stage::new().await;
    // One that the configuration does not list.
    let own = "cursor://anysphere.cursor-mcp/oauth/callback2";
    let good = ["https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"];
    let program = Program::at(&stage, &[own, good[0], good[1]]).await;
    let new = json!({ "redirect_uris": [own, good[0], good[1]] });
    let client = stage.anonymous().post("/oauth/register", new).await.created();
    assert_eq!(client["redirect_uris"], json!(good), "the answer says what is registered");
    program.asks(&[("redirect_uri", good[1])]).await;
    goes_nowhere(&program, &[("redirect_uri", own)]).await;
    for rest in ["http://app.example/cb", "http://localhost@evil.example/"] {
        let new = json!({ "redirect_uris": [own, good[0], rest] });
        refused(&stage.anonymous().post("/oauth/register", new).await, 400, "invalid_redirect_uri");
    }
}

#[tokio::test]
async fn a_request_without_a_proof_to_come_is_sent_back() {
    let stage = Stage::new().await;
    let program = Program::new(&stage).await;
    program.tokens(&stage.sign_in("ada").await, false).await;
    for (changes, code) in [
        (vec![("code_challenge", "")], "invalid_request"),
        (vec![("code_challenge", "short")], "invalid_request"),
        (vec![("code_challenge_method", "")], "invalid_request"),
        (vec![("code_challenge_method", "plain")], "invalid_request"),
        (vec![("response_type", "token")], "unsupported_response_type"),
        (vec![("resource", "https://elsewhere.example/mcp")], "invalid_target"),
        (vec![("scope", "admin")], "invalid_scope"),
    ] {
        let reply = stage.anonymous().get(&program.address(&changes)).await;
        let to = reply.header("location").to_owned();
        assert!(to.starts_with(REDIRECT), "{changes:?}: {reply}");
        assert_eq!(parameter(&to, "error").as_deref(), Some(code), "{to}");
        assert_eq!((parameter(&to, "code"), parameter(&to, "state").as_deref()), (None, Some("xyz & more")), "{to}");
    }
}

#[tokio::test]
async fn a_code_without_its_proof_is_worth_nothing() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let code = program.let_in_by(&ada, false).await;
    let plain = challenge();
    for changes in [
        [("code_verifier", "")],
        [("code_verifier", "another-verifier-of-forty-three-characters-1234")],
        [("code_verifier", plain.as_str())],
        [("redirect_uri", "http://127.0.0.1:1/callback")],
        [("redirect_uri", "")],
        [("code", "guessed")],
    ] {
        refused(&program.exchanges(&code, &changes).await, 400, "invalid_grant");
    }
    refused(&program.exchanges(&code, &[("resource", "https://elsewhere.example/mcp")]).await, 400, "invalid_target");
    refused(&program.exchanges(&code, &[("client_id", "unknown")]).await, 401, "invalid_client");
    refused(&program.exchanges(&code, &[("grant_type", "password")]).await, 400, "unsupported_grant_type");
    refused(&program.exchanges(&code, &[("client_id", "")]).await, 400, "invalid_request");
    let other = Program::new(&stage).await;
    refused(&other.exchanges(&code, &[]).await, 400, "invalid_grant");
    program.exchanges(&code, &[]).await.ok();
}

#[tokio::test]
async fn a_code_is_good_for_a_minute() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let code = program.let_in_by(&ada, false).await;
    stage.clock.advance(60_000);
    refused(&program.exchanges(&code, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_code_that_comes_twice_ends_all_that_came_of_it() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let code = program.let_in_by(&ada, false).await;
    let tokens = program.exchanges(&code, &[]).await.ok();
    refused(&program.exchanges(&code, &[]).await, 400, "invalid_grant");
    refused(&program.refreshes(&token(&tokens, "refresh_token"), &[]).await, 400, "invalid_grant");
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_refresh_token_that_comes_twice_ends_the_family() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let first = token(&program.tokens(&ada, false).await, "refresh_token");
    let second = token(&program.refreshes(&first, &[]).await.ok(), "refresh_token");
    refused(&program.refreshes(&first, &[]).await, 400, "invalid_grant");
    refused(&program.refreshes(&second, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_refresh_cannot_widen_nor_change_hands() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (program, other) = (Program::new(&stage).await, Program::new(&stage).await);
    let read = program.tokens(&ada, true).await;
    assert_eq!(read["scope"], "mcp:read");
    let refresh = token(&read, "refresh_token");
    refused(&program.refreshes(&refresh, &[("scope", "mcp:write")]).await, 400, "invalid_scope");
    refused(&other.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    refused(&program.refreshes(&refresh, &[("resource", "https://elsewhere.example")]).await, 400, "invalid_target");
    refused(&program.refreshes(&token(&read, "access_token"), &[]).await, 400, "invalid_grant");
    assert_eq!(program.refreshes(&refresh, &[("scope", "mcp:read")]).await.ok()["scope"], "mcp:read");
    // Nor does the exchange of a code.
    let code = program.let_in_by(&ada, true).await;
    assert_eq!(program.exchanges(&code, &[("scope", "mcp:read mcp:write")]).await.ok()["scope"], "mcp:read");
}

#[tokio::test]
async fn what_is_sent_is_limited() {
    let stage = Stage::new().await;
    let long = "x".repeat(70_000);
    refused(
        &stage.anonymous().post("/oauth/register", json!({ "client_name": long })).await,
        400,
        "invalid_client_metadata",
    );
    let reply = post(&stage, "/oauth/token", &[("grant_type", &"x".repeat(3_000_000))]).await;
    refused(&reply, 400, "invalid_request");
    let program = Program::new(&stage).await;
    program.tokens(&stage.sign_in("ada").await, false).await;
    let reply = stage.anonymous().get(&program.address(&[("state", &"s".repeat(2_049))])).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("invalid_request"));
}
