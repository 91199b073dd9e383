//! The way in, as it should be.

use serde_json::json;

use super::{ISSUER, Program, REDIRECT, parameter, post, refused, token};
use crate::support::Stage;

#[tokio::test]
async fn a_program_finds_everything_from_the_address_alone() {
    let stage = Stage::new().await;
    let anyone = stage.anonymous();
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        // Where it is, the configuration says, whatever a request claims.
        let resource = anyone.header("host", "evil.example").get(path).await.ok();
        assert_eq!(resource["resource"], format!("{ISSUER}/mcp"));
        assert_eq!(resource["authorization_servers"], json!([ISSUER]));
        assert_eq!(resource["bearer_methods_supported"], json!(["header"]));
    }
    let server = anyone.header("host", "evil.example").get("/.well-known/oauth-authorization-server").await.ok();
    assert_eq!(server["issuer"], ISSUER);
    for endpoint in ["authorization", "token", "registration", "revocation"] {
        let address = server[format!("{endpoint}_endpoint")].as_str().unwrap();
        assert!(address.starts_with(&format!("{ISSUER}/oauth/")), "{address}");
    }
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(server["authorization_response_iss_parameter_supported"], true);
    for unknown in ["openid-configuration", "oauth-authorization-server/mcp", "oauth-protected-resource/other"] {
        let page = anyone.header("accept", "text/html").get(&format!("/.well-known/{unknown}")).await;
        page.refused(404, unknown);
    }
}

#[tokio::test]
async fn a_program_is_let_in_by_its_user_for_one_organization() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    let shown = ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    let expected = json!({ "clientName": "Assistant", "redirectHost": "127.0.0.1", "isLocal": true, "nativeAddress": null, "canWrite": true,
                           "expiresAt": stage.clock.now() + 15 * 60_000 });
    assert_eq!(shown, expected);
    let orgs = ada.get("/api/orgs").await.ok();
    let decision = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"] });
    let to = ada.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    assert!(to.starts_with(&format!("{REDIRECT}?")), "{to}");
    assert_eq!(parameter(&to, "state").as_deref(), Some("xyz & more"));
    assert_eq!(parameter(&to, "iss").as_deref(), Some(ISSUER));
    let tokens = program.exchanges(&parameter(&to, "code").unwrap(), &[]).await;
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
async fn the_user_can_say_no() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    let answer = ada.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.ok();
    let to = answer["redirectTo"].as_str().unwrap();
    assert_eq!(parameter(to, "error").as_deref(), Some("access_denied"));
    assert_eq!(parameter(to, "code"), None);
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn every_step_lives_through_a_restart() {
    let stage = Stage::new().await;
    let (client_id, first) = {
        let ada = stage.sign_in("ada").await;
        let program = Program::new(&stage).await;
        let tokens = program.tokens(&ada, false).await;
        (program.client_id.clone(), token(&tokens, "refresh_token"))
    };
    // Between any two steps the server may be started anew.
    let (code, stage) = {
        let program = Program { stage: &stage, client_id: client_id.clone() };
        let request = program.asks(&[]).await;
        let stage = stage.restart();
        let program = Program { stage: &stage, client_id: client_id.clone() };
        let code = program.answered_by(&stage.sign_in("ada").await, &request, false).await;
        (code, stage.restart())
    };
    let program = Program { stage: &stage, client_id };
    program.exchanges(&code, &[]).await.ok();
    let second = program.refreshes(&first, &[]).await.ok();
    assert_ne!(token(&second, "refresh_token"), first);
    program.refreshes(&token(&second, "refresh_token"), &[]).await.ok();
}

#[tokio::test]
async fn a_program_can_end_what_it_has() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let refresh = token(&program.tokens(&ada, false).await, "refresh_token");
    for known in [refresh.as_str(), "unknown"] {
        let fields = [("client_id", program.client_id.as_str()), ("token", known)];
        assert_eq!(post(&stage, "/oauth/revoke", &fields).await.status, 200);
    }
    refused(&program.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    assert_eq!(ada.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_user_can_cut_a_program_off() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    let refresh = token(&program.tokens(&ada, false).await, "refresh_token");
    let path = format!("/api/me/connectors/{}", program.client_id);
    ada.delete(&path).await.ok();
    refused(&program.refreshes(&refresh, &[]).await, 400, "invalid_grant");
    ada.delete(&path).await.refused(404, "connector");
}

#[tokio::test]
async fn another_port_on_the_users_machine_will_do() {
    let stage = Stage::new().await;
    let program = Program::new(&stage).await;
    program.asks(&[("redirect_uri", "http://127.0.0.1:50999/callback")]).await;
}
