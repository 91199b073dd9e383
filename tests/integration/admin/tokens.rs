//! The administrator's own tokens.

use serde_json::{Value, json};

use super::{iris, on_disk};
use crate::support::Stage;

#[tokio::test]
async fn they_are_the_same_tokens_as_under_me() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.post("/api/me/tokens", json!({ "name": "mine" })).await.created();
    let minted = ada.post("/api/admin/tokens", json!({ "name": "ci" })).await.created();
    let me = ada.get("/api/me").await.ok();
    assert_eq!(minted["orgId"], me["session"]["orgId"], "bound to the active organization");
    assert!(minted["hint"].as_str().unwrap().contains("acme"), "{minted}");
    let list = ada.get("/api/admin/tokens").await.ok();
    assert_eq!(list, ada.get("/api/me/tokens").await.ok());
    assert_eq!(list["tokens"][1]["name"], "ci");
    let token = minted["token"].as_str().unwrap();
    assert!(!list.to_string().contains(token) && !on_disk(&stage, token));

    let script = stage.with(token);
    script.get("/api/workspaces").await.ok();
    script.get("/api/admin/users").await.ok();
    script.delete(&format!("/api/admin/tokens/{}", minted["id"])).await.ok();
    script.get("/api/me").await.refused(401, "revoked");
}

#[tokio::test]
async fn with_no_organization_active_a_token_belongs_to_the_instance() {
    let stage = Stage::new().await;
    let iris = iris(&stage).await;
    let minted = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created();
    assert_eq!(minted["orgId"], Value::Null);
    assert!(minted["hint"].as_str().unwrap().contains("no organization"), "{minted}");
    let script = stage.with(minted["token"].as_str().unwrap());
    for path in ["/api/me", "/api/schema", "/api/admin/users", "/api/admin/tokens", "/api/admin/audit"] {
        script.get(path).await.ok();
    }
    // Unlike its owner by session, it looks at no workspace.
    assert_eq!(script.get("/api/workspaces").await.refused(400, "organization")["code"], "no_active_org");
    script.post("/api/admin/tokens", json!({ "name": "more" })).await.refused(403, "session");
    script.post("/api/me/tokens", json!({ "name": "more" })).await.refused(403, "session");
}

#[tokio::test]
async fn a_token_mints_no_token() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    let before = stage.written();
    script.post("/api/admin/tokens", json!({ "name": "more" })).await.refused(403, "session");
    assert_eq!(stage.written(), before);
    assert_eq!(script.get("/api/admin/tokens").await.ok()["tokens"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_administrator_sees_and_revokes_nobody_elses() {
    let stage = Stage::new().await;
    let iris = iris(&stage).await;
    let script = stage.script_of("ada").await;
    assert_eq!(iris.get("/api/admin/tokens").await.ok()["tokens"], json!([]));
    iris.delete("/api/admin/tokens/1").await.refused(404, "token");
    script.get("/api/me").await.ok();
    iris.delete("/api/admin/tokens/none").await.refused(400, "path");
}

#[tokio::test]
async fn a_token_needs_a_name() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    for (body, field) in [
        (json!({}), "name"),
        (json!({ "name": " " }), "name"),
        (json!({ "name": "x".repeat(201) }), "name"),
        (json!({ "name": "ci", "orgId": null }), "orgId"),
    ] {
        assert_eq!(ada.post("/api/admin/tokens", body).await.expect(400)["field"], field);
    }
}
