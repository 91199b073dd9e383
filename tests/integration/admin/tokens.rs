//! The administrator's own tokens.

use serde_json::{Value, json};

use super::{admin_without_organization, on_disk};
use crate::support::TestServer;

#[tokio::test]
async fn the_list_has_the_same_tokens_as_the_account_list() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/me/tokens", json!({ "name": "mine" })).await.created();
    let minted = ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created();
    let me = ada.get("/api/me").await.ok();
    assert_eq!(minted["orgId"], me["session"]["orgId"], "bound to the active organization");
    assert!(minted["hint"].as_str().unwrap().contains("acme"), "{minted}");
    let list = ada.get("/api/admin/tokens").await.ok();
    assert_eq!(list, ada.get("/api/me/tokens").await.ok());
    assert_eq!(list["tokens"][1]["name"], "ci");
    let token = minted["token"].as_str().unwrap();
    assert!(!list.to_string().contains(token) && !on_disk(&server, token));

    let script = server.with(token);
    script.get("/api/workspaces").await.ok();
    script.get("/api/admin/users").await.ok();
    script.delete(&format!("/api/admin/tokens/{}", minted["id"])).await.ok();
    script.get("/api/me").await.expect_error(401, "revoked");
}

#[tokio::test]
async fn without_an_active_organization_a_token_belongs_to_the_instance() {
    let server = TestServer::new().await;
    let iris = admin_without_organization(&server).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    assert_eq!(minted["orgId"], Value::Null);
    assert!(minted["hint"].as_str().unwrap().contains("no organization"), "{minted}");
    let script = server.with(minted["token"].as_str().unwrap());
    for path in ["/api/me", "/api/schema", "/api/admin/users", "/api/admin/tokens", "/api/admin/audit"] {
        script.get(path).await.ok();
    }
    // Unlike a session of its owner, it has no access to workspaces.
    assert_eq!(script.get("/api/workspaces").await.expect_error(400, "organization")["code"], "no_active_org");
    script.post("/api/admin/tokens", json!({ "name": "more" })).await.expect_error(403, "session");
    script.post("/api/me/tokens", json!({ "name": "more" })).await.expect_error(403, "session");
}

#[tokio::test]
async fn a_token_cannot_create_a_token() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    let before = server.log_sizes();
    script.post("/api/admin/tokens", json!({ "name": "more" })).await.expect_error(403, "session");
    assert_eq!(server.log_sizes(), before);
    assert_eq!(script.get("/api/admin/tokens").await.ok()["tokens"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_administrator_cannot_list_or_revoke_tokens_of_others() {
    let server = TestServer::new().await;
    let iris = admin_without_organization(&server).await;
    let script = server.script_client("ada").await;
    assert_eq!(iris.get("/api/admin/tokens").await.ok()["tokens"], json!([]));
    iris.delete("/api/admin/tokens/1").await.expect_error(404, "token");
    script.get("/api/me").await.ok();
    iris.delete("/api/admin/tokens/none").await.expect_error(400, "path");
}

#[tokio::test]
async fn a_token_needs_a_name() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (body, field) in [
        (json!({}), "name"),
        (json!({ "name": " " }), "name"),
        (json!({ "name": "x".repeat(201) }), "name"),
        (json!({ "name": "ci", "orgId": null }), "orgId"),
    ] {
        assert_eq!(ada.post("/api/admin/tokens", body).await.expect(400)["field"], field);
    }
}
