//! The authorization flow.

use serde_json::json;

use super::{ISSUER, OAuthClient, REDIRECT, assert_oauth_error, parameter, post, token};
use crate::support::TestServer;

#[tokio::test]
async fn a_client_discovers_all_endpoints_from_the_server_url() {
    let server = TestServer::new().await;
    let anyone = server.anonymous();
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        // The URL comes from the configuration, not from request headers.
        let resource = anyone.header("host", "evil.example").get(path).await.ok();
        assert_eq!(resource["resource"], format!("{ISSUER}/mcp"));
        assert_eq!(resource["authorization_servers"], json!([ISSUER]));
        assert_eq!(resource["bearer_methods_supported"], json!(["header"]));
    }
    let metadata = anyone.header("host", "evil.example").get("/.well-known/oauth-authorization-server").await.ok();
    assert_eq!(metadata["issuer"], ISSUER);
    for endpoint in ["authorization", "token", "registration", "revocation"] {
        let address = metadata[format!("{endpoint}_endpoint")].as_str().unwrap();
        assert!(address.starts_with(&format!("{ISSUER}/oauth/")), "{address}");
    }
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(metadata["authorization_response_iss_parameter_supported"], true);
    for unknown in ["openid-configuration", "oauth-authorization-server/mcp", "oauth-protected-resource/other"] {
        let page = anyone.header("accept", "text/html").get(&format!("/.well-known/{unknown}")).await;
        page.expect_error(404, unknown);
    }
}

#[tokio::test]
async fn a_user_authorizes_an_app_for_one_organization() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    let shown = ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    let expected = json!({ "clientName": "Assistant", "redirectHost": "127.0.0.1", "isLocal": true, "nativeAddress": null, "canWrite": true,
                           "expiresAt": server.clock.now() + 15 * 60_000 });
    assert_eq!(shown, expected);
    let orgs = ada.get("/api/orgs").await.ok();
    let decision = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"] });
    let to = ada.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    assert!(to.starts_with(&format!("{REDIRECT}?")), "{to}");
    assert_eq!(parameter(&to, "state").as_deref(), Some("xyz & more"));
    assert_eq!(parameter(&to, "iss").as_deref(), Some(ISSUER));
    let tokens = program.exchange_code(&parameter(&to, "code").unwrap(), &[]).await;
    assert_eq!((tokens.header("cache-control"), tokens.header("pragma")), ("no-store", "no-cache"));
    let tokens = tokens.ok();
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert_eq!(tokens["scope"], "mcp:read mcp:write");
    assert!(token(&tokens, "access_token").starts_with("svc_mcp_"));
    let listed = ada.get("/api/me/connectors").await.ok()["connectors"].clone();
    assert_eq!(listed[0]["name"], "Assistant");
    assert_eq!((&listed[0]["canWrite"], &listed[0]["clientId"]), (&json!(true), &json!(program.client_id)));
}

#[tokio::test]
async fn the_user_can_deny_the_request() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let request = program.request_consent(&[]).await;
    let answer = ada.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.ok();
    let to = answer["redirectTo"].as_str().unwrap();
    assert_eq!(parameter(to, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(to, "code"), None);
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn every_step_survives_a_restart() {
    let server = TestServer::new().await;
    let (client_id, first) = {
        let ada = server.sign_in("ada").await;
        let program = OAuthClient::new(&server).await;
        let tokens = program.tokens(&ada, false).await;
        (program.client_id.clone(), token(&tokens, "refresh_token"))
    };
    // The server can restart between any two steps.
    let (code, server) = {
        let program = OAuthClient { server: &server, client_id: client_id.clone() };
        let request = program.request_consent(&[]).await;
        let server = server.restart();
        let program = OAuthClient { server: &server, client_id: client_id.clone() };
        let code = program.approved_by(&server.sign_in("ada").await, &request, false).await;
        (code, server.restart())
    };
    let program = OAuthClient { server: &server, client_id };
    program.exchange_code(&code, &[]).await.ok();
    let second = program.refresh(&first, &[]).await.ok();
    assert_ne!(token(&second, "refresh_token"), first);
    program.refresh(&token(&second, "refresh_token"), &[]).await.ok();
}

#[tokio::test]
async fn an_app_can_revoke_its_own_access() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let refresh = token(&program.tokens(&ada, false).await, "refresh_token");
    for known in [refresh.as_str(), "unknown"] {
        let fields = [("client_id", program.client_id.as_str()), ("token", known)];
        assert_eq!(post(&server, "/oauth/revoke", &fields).await.status, 200);
    }
    assert_oauth_error(&program.refresh(&refresh, &[]).await, 400, "invalid_grant");
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_user_can_disconnect_an_app() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let program = OAuthClient::new(&server).await;
    let refresh = token(&program.tokens(&ada, false).await, "refresh_token");
    let path = format!("/api/me/connectors/{}", program.client_id);
    ada.delete(&path).await.ok();
    assert_oauth_error(&program.refresh(&refresh, &[]).await, 400, "invalid_grant");
    ada.delete(&path).await.expect_error(404, "connector");
}

#[tokio::test]
async fn any_loopback_port_is_accepted() {
    let server = TestServer::new().await;
    let program = OAuthClient::new(&server).await;
    program.request_consent(&[("redirect_uri", "http://127.0.0.1:50999/callback")]).await;
}
