//! Where a browser is sent: to no page that nobody has authorized, and to no app that nobody has listed.

use serde_json::json;

use super::{Program, parameter, refused};
use crate::support::Stage;

const CURSOR: &str = "cursor://anysphere.cursor-mcp/oauth/callback";

#[tokio::test]
async fn a_browser_is_not_sent_to_a_client_that_nobody_has_authorized() {
    let stage = Stage::new().await;
    let evil = "https://evil.example/cb?a=\"><script>";
    let program = Program::at(&stage, &[evil]).await;
    for wrong in [("response_type", "nonsense"), ("scope", "admin"), ("code_challenge", "short")] {
        let reply = stage.anonymous().get(&program.address(&[("redirect_uri", evil), wrong])).await;
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
async fn a_client_that_somebody_has_authorized_is_told_at_once() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    program.tokens(&ada, false).await;
    let reply = stage.anonymous().get(&program.address(&[("response_type", "nonsense")])).await;
    assert_eq!(parameter(reply.header("location"), "error").as_deref(), Some("unsupported_response_type"));
}

#[tokio::test]
async fn a_native_app_is_accepted_by_the_exact_address_that_the_configuration_lists() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    // As Cursor registers.
    let uris = [CURSOR, "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"];
    let new = json!({ "client_name": "Cursor", "redirect_uris": uris });
    assert_eq!(stage.anonymous().post("/oauth/register", new).await.created()["redirect_uris"], json!(uris));
    let program = Program::at(&stage, &[CURSOR]).await;
    let request = program.asks(&[("redirect_uri", CURSOR)]).await;
    let shown = ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    assert_eq!((&shown["nativeAddress"], &shown["isLocal"]), (&json!(CURSOR), &json!(false)));
    let orgs = ada.get("/api/orgs").await.ok();
    let yes = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"] });
    let to = ada.post("/api/me/connectors", yes).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    assert!(to.starts_with(&format!("{CURSOR}?code=")), "{to}");
    let code = parameter(&to, "code").unwrap();
    program.exchanges(&code, &[("redirect_uri", CURSOR)]).await.ok();
    for other in
        [format!("{CURSOR}/"), format!("{CURSOR}?x=1"), CURSOR.replace("cursor:", "Cursor:"), "cursor://x/cb".into()]
    {
        let reply = stage.anonymous().post("/oauth/register", json!({ "redirect_uris": [other] })).await;
        refused(&reply, 400, "invalid_redirect_uri");
        let reply = stage.anonymous().get(&program.address(&[("redirect_uri", &other)])).await;
        assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{other}");
    }
}

#[tokio::test]
async fn an_address_that_is_no_longer_listed_is_no_longer_accepted() {
    let stage = Stage::new().await;
    let client_id = Program::at(&stage, &[CURSOR]).await.client_id;
    let stage = Stage::on(stage.stop(), |config| config.oauth.native_redirects.clear());
    let program = Program { stage: &stage, client_id };
    let reply = stage.anonymous().get(&program.address(&[("redirect_uri", CURSOR)])).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (400, ""), "{reply}");
    refused(
        &stage.anonymous().post("/oauth/register", json!({ "redirect_uris": [CURSOR] })).await,
        400,
        "invalid_redirect_uri",
    );
}

#[tokio::test]
async fn an_editor_that_registers_web_and_loopback_addresses_needs_no_list() {
    let stage = Stage::empty(|config| config.oauth.native_redirects.clear());
    stage.seed_admin("ada", "acme").await;
    // As VS Code registers.
    let uris = [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
    ];
    let program = Program::at(&stage, &uris).await;
    for uri in [uris[1], "http://127.0.0.1:59656/"] {
        program.asks(&[("redirect_uri", uri)]).await;
    }
}
