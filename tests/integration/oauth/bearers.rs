//! Access tokens: only for the MCP server, one user and one organization, while the grant is valid.

use planroom::{
    Error,
    domain::core::{Call, CallerKind, access::User},
    mcp::oauth::admit,
};
use serde_json::{Value, json};

use super::{OAuthClient, assert_oauth_error, post, token};
use crate::support::{TestClient, TestServer};

/// Authorizes a client as `user`. Returns the client and its tokens.
async fn connected<'s>(server: &'s TestServer, user: &TestClient<'_>, read_only: bool) -> (OAuthClient<'s>, Value) {
    let program = OAuthClient::new(server).await;
    let tokens = program.tokens(user, read_only).await;
    (program, tokens)
}

async fn expect_unauthorized(server: &TestServer, bearer: &str) -> Error {
    admit(&server.app.gate, bearer, "").await.expect_err("nobody should be let in")
}

async fn write(server: &TestServer, call: Call) -> planroom::error::Result<()> {
    server.app.gate.write(call.needing::<User>(), (), |_| Ok(())).await
}

#[tokio::test]
async fn a_token_acts_for_its_user_in_the_selected_organization() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (_, tokens) = connected(&server, &ada, false).await;
    let (call, caller) = admit(&server.app.gate, &token(&tokens, "access_token"), "gesture").await.unwrap();
    assert_eq!((caller.kind, caller.organization.unwrap().slug.as_str()), (CallerKind::Mcp, "acme"));
    assert!(caller.credential.starts_with("grant:"), "{}", caller.credential);
    write(&server, call).await.unwrap();
    server.flush_writes().await;
    let used = ada.get("/api/me/connectors").await.ok()["connectors"][0]["lastUsedAt"].clone();
    assert_eq!(used, server.clock.now());
}

#[tokio::test]
async fn a_personal_token_is_accepted_and_a_session_is_not() {
    let server = TestServer::new().await;
    let (ada, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    let (_, caller) = admit(&server.app.gate, script.credential(), "").await.unwrap();
    assert_eq!(caller.kind, CallerKind::Token);
    let (_, tokens) = connected(&server, &ada, false).await;
    let refresh = token(&tokens, "refresh_token");
    for wrong in [ada.credential(), &refresh, "svc_mcp_guessed", "svc_pat_guessed", "svc_mcp_", "Bearer", ""] {
        assert!(matches!(expect_unauthorized(&server, wrong).await, Error::Unauthenticated(_)), "{wrong}");
    }
}

#[tokio::test]
async fn a_read_only_token_cannot_write() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (program, tokens) = connected(&server, &ada, true).await;
    let (call, _) = admit(&server.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    let refusal = write(&server, call).await.unwrap_err();
    assert!(matches!(refusal, Error::Forbidden(text) if text.contains("read-only access")), "{refusal}");
    // A token with fewer scopes than its grant stays limited.
    let (_, tokens) = connected(&server, &ada, false).await;
    drop(program);
    let wide = token(&tokens, "refresh_token");
    let program = OAuthClient { server: &server, client_id: client_of(&ada, 1).await };
    let narrow = program.refresh(&wide, &[("scope", "mcp:read")]).await.ok();
    let (call, _) = admit(&server.app.gate, &token(&narrow, "access_token"), "").await.unwrap();
    assert!(matches!(write(&server, call).await, Err(Error::Forbidden(_))));
    let again = program.refresh(&token(&narrow, "refresh_token"), &[]).await.ok();
    assert_eq!(again["scope"], "mcp:read mcp:write");
}

async fn client_of(user: &TestClient<'_>, n: usize) -> String {
    user.get("/api/me/connectors").await.ok()["connectors"][n]["clientId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_access_token_expires_after_an_hour() {
    let server = TestServer::new().await;
    let (_, tokens) = connected(&server, &server.sign_in("ada").await, false).await;
    let access = token(&tokens, "access_token");
    server.clock.advance(60 * 60_000 - 1);
    admit(&server.app.gate, &access, "").await.unwrap();
    server.clock.advance(1);
    assert!(matches!(expect_unauthorized(&server, &access).await, Error::Unauthenticated(_)));
}

#[tokio::test]
async fn suspending_a_user_disconnects_their_apps_immediately() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let (program, tokens) = connected(&server, &server.sign_in("bob").await, false).await;
    let (access, refresh) = (token(&tokens, "access_token"), token(&tokens, "refresh_token"));
    let code = program.authorized_by(&server.sign_in("bob").await, false).await;
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{bob}"), json!({ "isSuspended": true })).await.ok();
    assert!(matches!(expect_unauthorized(&server, &access).await, Error::Suspended));
    assert_oauth_error(&program.refresh(&refresh, &[]).await, 400, "invalid_grant");
    assert_oauth_error(&program.exchange_code(&code, &[]).await, 400, "invalid_grant");
}

#[tokio::test]
async fn leaving_an_organization_disconnects_its_apps() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let (program, tokens) = connected(&server, &server.sign_in("bob").await, false).await;
    let (access, refresh) = (token(&tokens, "access_token"), token(&tokens, "refresh_token"));
    let ada = server.sign_in("ada").await;
    let acme = ada.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{acme}/members/{bob}")).await.ok();
    assert!(matches!(expect_unauthorized(&server, &access).await, Error::Unauthenticated(_)));
    assert_oauth_error(&program.refresh(&refresh, &[]).await, 400, "invalid_grant");
    // Rejoining does not restore the grant.
    server.join(bob, "acme", "org:member");
    assert!(matches!(expect_unauthorized(&server, &access).await, Error::Unauthenticated(_)));
}

#[tokio::test]
async fn a_truncated_revoked_or_reused_token_is_rejected_immediately() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (program, tokens) = connected(&server, &ada, false).await;
    ada.delete(&format!("/api/me/connectors/{}", program.client_id)).await.ok();
    expect_unauthorized(&server, &token(&tokens, "access_token")).await;

    // Revoked by the client: an access token only, or everything with the refresh token.
    let (program, tokens) = connected(&server, &ada, false).await;
    let end = async |word: &str| {
        let fields = [("client_id", program.client_id.as_str()), ("token", word)];
        assert_eq!(post(&server, "/oauth/revoke", &fields).await.status, 200);
    };
    end(&token(&tokens, "access_token")).await;
    expect_unauthorized(&server, &token(&tokens, "access_token")).await;
    let tokens = program.refresh(&token(&tokens, "refresh_token"), &[]).await.ok();
    end(&token(&tokens, "refresh_token")).await;
    expect_unauthorized(&server, &token(&tokens, "access_token")).await;

    // Reuse of a refresh token, and reuse of a code.
    let (program, first) = connected(&server, &ada, false).await;
    let second = program.refresh(&token(&first, "refresh_token"), &[]).await.ok();
    assert_oauth_error(&program.refresh(&token(&first, "refresh_token"), &[]).await, 400, "invalid_grant");
    expect_unauthorized(&server, &token(&second, "access_token")).await;
    let code = program.authorized_by(&ada, false).await;
    let tokens = program.exchange_code(&code, &[]).await.ok();
    assert_oauth_error(&program.exchange_code(&code, &[]).await, 400, "invalid_grant");
    expect_unauthorized(&server, &token(&tokens, "access_token")).await;
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn an_app_cannot_revoke_tokens_of_another_app() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (program, tokens) = connected(&server, &ada, false).await;
    let other = OAuthClient::new(&server).await;
    for kind in ["access_token", "refresh_token"] {
        let fields = [("client_id", other.client_id.as_str()), ("token", &token(&tokens, kind))];
        assert_eq!(post(&server, "/oauth/revoke", &fields).await.status, 200);
    }
    admit(&server.app.gate, &token(&tokens, "access_token"), "").await.unwrap();
    program.refresh(&token(&tokens, "refresh_token"), &[]).await.ok();
    let nobody = [("client_id", "unknown"), ("token", "x")];
    assert_oauth_error(&post(&server, "/oauth/revoke", &nobody).await, 401, "invalid_client");
}

#[tokio::test]
async fn the_rest_api_rejects_app_tokens() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (program, tokens) = connected(&server, &ada, false).await;
    for kind in ["access_token", "refresh_token"] {
        let word = token(&tokens, kind);
        for path in ["/api/me", "/api/workspaces", "/api/schema", "/api/me/connectors"] {
            assert_eq!(server.with(&word).get(path).await.status, 401, "{path}");
            assert_eq!(server.anonymous().get(&format!("{path}?access_token={word}")).await.status, 401, "{path}");
        }
    }
    // URLs end up in logs, so the token endpoint ignores query parameters.
    let refresh = token(&tokens, "refresh_token");
    let query = format!("grant_type=refresh_token&client_id={}&refresh_token={refresh}", program.client_id);
    assert_oauth_error(&post(&server, &format!("/oauth/token?{query}"), &[]).await, 400, "invalid_request");
    let reply = server.anonymous().get(&format!("/oauth/token?{query}")).await;
    assert_eq!(reply.status, 405, "{reply}");
    program.refresh(&refresh, &[]).await.ok();
}
