//! What an access token is good for: the MCP server alone, for one user in one organization, while all of that stands.

use planroom::{
    Error,
    domain::access::{Call, CallerKind},
    mcp::oauth::admit,
};
use serde_json::{Value, json};

use super::{Program, post, refused, token};
use crate::support::{Actor, Stage};

/// Lets a program in by `user`, and answers with its access token and the program.
async fn connected<'s>(stage: &'s Stage, user: &Actor<'_>, read_only: bool) -> (Program<'s>, Value) {
    let program = Program::new(stage).await;
    let tokens = program.tokens(user, read_only).await;
    (program, tokens)
}

async fn is_out(stage: &Stage, bearer: &str) -> Error {
    admit(&stage.app.gate, bearer, "").await.expect_err("nobody should be let in")
}

async fn writes(stage: &Stage, call: Call) -> planroom::error::Result<()> {
    stage.app.gate.me_write(call, |_| Ok(())).await
}

#[tokio::test]
async fn it_stands_for_its_user_in_the_organization_that_they_picked() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (_, tokens) = connected(&stage, &ada, false).await;
    let (call, caller) = admit(&stage.app.gate, &token(&tokens, "access_token"), "gesture").await.unwrap();
    assert_eq!((caller.kind, caller.organization.unwrap().slug.as_str()), (CallerKind::Mcp, "acme"));
    assert!(caller.credential.starts_with("grant:"), "{}", caller.credential);
    writes(&stage, call).await.unwrap();
    stage.settle().await;
    let used = ada.get("/api/me/connectors").await.ok()["connectors"][0]["lastUsedAt"].clone();
    assert_eq!(used, stage.clock.now());
}

#[tokio::test]
async fn a_script_comes_in_with_its_own_token_and_a_session_does_not() {
    let stage = Stage::new().await;
    let (ada, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    let (_, caller) = admit(&stage.app.gate, script.credential(), "").await.unwrap();
    assert_eq!(caller.kind, CallerKind::Token);
    let (_, tokens) = connected(&stage, &ada, false).await;
    let refresh = token(&tokens, "refresh_token");
    for wrong in [ada.credential(), &refresh, "svc_mcp_guessed", "svc_pat_guessed", "svc_mcp_", "Bearer", ""] {
        assert!(matches!(is_out(&stage, wrong).await, Error::Unauthenticated(_)), "{wrong}");
    }
}

#[tokio::test]
async fn who_may_read_alone_writes_nothing() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (program, tokens) = connected(&stage, &ada, true).await;
    let (call, _) = admit(&stage.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    let refusal = writes(&stage, call).await.unwrap_err();
    assert!(matches!(refusal, Error::Forbidden(text) if text.contains("read-only access")), "{refusal}");
    // A narrower token of a wider grant is no wider than it says.
    let (_, tokens) = connected(&stage, &ada, false).await;
    drop(program);
    let wide = token(&tokens, "refresh_token");
    let program = Program { stage: &stage, client_id: client_of(&ada, 1).await };
    let narrow = program.refreshes(&wide, &[("scope", "mcp:read")]).await.ok();
    let (call, _) = admit(&stage.app.gate, &token(&narrow, "access_token"), "").await.unwrap();
    assert!(matches!(writes(&stage, call).await, Err(Error::Forbidden(_))));
    let again = program.refreshes(&token(&narrow, "refresh_token"), &[]).await.ok();
    assert_eq!(again["scope"], "mcp:read mcp:write");
}

async fn client_of(user: &Actor<'_>, n: usize) -> String {
    user.get("/api/me/connectors").await.ok()["connectors"][n]["clientId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn it_is_good_for_an_hour() {
    let stage = Stage::new().await;
    let (_, tokens) = connected(&stage, &stage.sign_in("ada").await, false).await;
    let access = token(&tokens, "access_token");
    stage.clock.advance(60 * 60_000 - 1);
    admit(&stage.app.gate, &access, "").await.unwrap();
    stage.clock.advance(1);
    assert!(matches!(is_out(&stage, &access).await, Error::Unauthenticated(_)));
}

#[tokio::test]
async fn a_suspended_user_is_out_at_once_with_all_their_programs() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let (program, tokens) = connected(&stage, &stage.sign_in("bob").await, false).await;
    let (access, refresh) = (token(&tokens, "access_token"), token(&tokens, "refresh_token"));
    let code = program.let_in_by(&stage.sign_in("bob").await, false).await;
    let ada = stage.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{bob}"), json!({ "isSuspended": true })).await.ok();
    assert!(matches!(is_out(&stage, &access).await, Error::Suspended));
    refused(&program.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    refused(&program.exchanges(&code, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn who_leaves_an_organization_takes_no_program_along() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let (program, tokens) = connected(&stage, &stage.sign_in("bob").await, false).await;
    let (access, refresh) = (token(&tokens, "access_token"), token(&tokens, "refresh_token"));
    let ada = stage.sign_in("ada").await;
    let acme = ada.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{acme}/members/{bob}")).await.ok();
    assert!(matches!(is_out(&stage, &access).await, Error::Unauthenticated(_)));
    refused(&program.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    // Nor does it come back with them.
    stage.join(bob, "acme", "org:member");
    assert!(matches!(is_out(&stage, &access).await, Error::Unauthenticated(_)));
}

#[tokio::test]
async fn what_is_cut_ended_or_used_twice_is_out_at_once() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (program, tokens) = connected(&stage, &ada, false).await;
    ada.delete(&format!("/api/me/connectors/{}", program.client_id)).await.ok();
    is_out(&stage, &token(&tokens, "access_token")).await;

    // By the program: an access token alone, or everything with the refresh token.
    let (program, tokens) = connected(&stage, &ada, false).await;
    let end = async |word: &str| {
        let fields = [("client_id", program.client_id.as_str()), ("token", word)];
        assert_eq!(post(&stage, "/oauth/revoke", &fields).await.status, 200);
    };
    end(&token(&tokens, "access_token")).await;
    is_out(&stage, &token(&tokens, "access_token")).await;
    let tokens = program.refreshes(&token(&tokens, "refresh_token"), &[]).await.ok();
    end(&token(&tokens, "refresh_token")).await;
    is_out(&stage, &token(&tokens, "access_token")).await;

    // By a copy of the refresh token, and by a copy of the code.
    let (program, first) = connected(&stage, &ada, false).await;
    let second = program.refreshes(&token(&first, "refresh_token"), &[]).await.ok();
    refused(&program.refreshes(&token(&first, "refresh_token"), &[]).await, 400, "invalid_grant");
    is_out(&stage, &token(&second, "access_token")).await;
    let code = program.let_in_by(&ada, false).await;
    let tokens = program.exchanges(&code, &[]).await.ok();
    refused(&program.exchanges(&code, &[]).await, 400, "invalid_grant");
    is_out(&stage, &token(&tokens, "access_token")).await;
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn nobody_ends_a_token_of_another_program() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (program, tokens) = connected(&stage, &ada, false).await;
    let other = Program::new(&stage).await;
    for kind in ["access_token", "refresh_token"] {
        let fields = [("client_id", other.client_id.as_str()), ("token", &token(&tokens, kind))];
        assert_eq!(post(&stage, "/oauth/revoke", &fields).await.status, 200);
    }
    admit(&stage.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    program.refreshes(&token(&tokens, "refresh_token"), &[]).await.ok();
    let nobody = [("client_id", "unknown"), ("token", "x")];
    refused(&post(&stage, "/oauth/revoke", &nobody).await, 401, "invalid_client");
}

#[tokio::test]
async fn on_the_api_it_is_refused_wherever_it_stands() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (program, tokens) = connected(&stage, &ada, false).await;
    for kind in ["access_token", "refresh_token"] {
        let word = token(&tokens, kind);
        for path in ["/api/me", "/api/workspaces", "/api/schema", "/api/me/connectors"] {
            assert_eq!(stage.with(&word).get(path).await.status, 401, "{path}");
            assert_eq!(stage.anonymous().get(&format!("{path}?access_token={word}")).await.status, 401, "{path}");
        }
    }
    // What stands in an address is in logs all over the world: the token endpoint reads none of it.
    let refresh = token(&tokens, "refresh_token");
    let query = format!("grant_type=refresh_token&client_id={}&refresh_token={refresh}", program.client_id);
    refused(&post(&stage, &format!("/oauth/token?{query}"), &[]).await, 400, "invalid_request");
    let reply = stage.anonymous().get(&format!("/oauth/token?{query}")).await;
    assert_eq!(reply.status, 405, "{reply}");
    program.refreshes(&refresh, &[]).await.ok();
}
