//! Consent is a word of the user's own: nobody else gives it, in no frame, twice, or too late.

use serde_json::{Value, json};

use super::{Program, VERIFIER, parameter};
use crate::support::{Actor, Stage};

async fn acme(user: &Actor<'_>) -> String {
    user.get("/api/orgs").await.ok()["organizations"][0]["id"].as_str().unwrap().to_owned()
}

async fn allow(user: &Actor<'_>, request: &str) -> Value {
    json!({ "request": request, "allow": true, "orgId": acme(user).await })
}

#[tokio::test]
async fn consent_is_forged_by_nobody_without_a_session() {
    let stage = Stage::new().await;
    let (ada, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    let decision = allow(&ada, &request).await;
    let cookie = stage.anonymous().header("cookie", "refresh=anything");
    for nobody in [stage.anonymous(), cookie, stage.with("svc_mcp_guessed")] {
        for path in ["/api/me/connectors", "/api/me/connectors/request"] {
            assert_eq!(nobody.post(path, decision.clone()).await.status, 401);
        }
    }
    script.post("/api/me/connectors", decision.clone()).await.refused(403, "session");
    script.post("/api/me/connectors/request", json!({ "request": request })).await.refused(403, "session");
    // A form of another page cannot carry the token, nor the type of the body.
    let form = format!("request={request}&allow=true");
    let forged = ada
        .send_raw(axum::http::Method::POST, "/api/me/connectors", Some("application/x-www-form-urlencoded"), form)
        .await;
    assert_eq!(forged.status, 415, "{forged}");
    ada.post("/api/me/connectors", decision).await.ok();
}

#[tokio::test]
async fn a_request_is_answered_by_the_user_who_looked_at_it_first() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    ada.post("/api/me/connectors/request", json!({ "request": request })).await.ok();
    bob.post("/api/me/connectors/request", json!({ "request": request })).await.refused(404, "request");
    let decision = allow(&bob, &request).await;
    bob.post("/api/me/connectors", decision.clone()).await.refused(404, "request");
    bob.post("/api/me/connectors", json!({ "request": request, "allow": false })).await.refused(404, "request");
    ada.post("/api/me/connectors", decision).await.ok();
    assert_eq!(bob.get("/api/me/connectors").await.ok()["connectors"], json!([]));
}

#[tokio::test]
async fn a_request_is_answered_once_and_within_a_quarter_of_an_hour() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    for word in [true, false] {
        let request = program.asks(&[]).await;
        let decision = allow(&ada, &request).await;
        ada.post("/api/me/connectors", json!({ "request": request, "allow": word, "orgId": decision["orgId"] }))
            .await
            .ok();
        ada.post("/api/me/connectors", decision).await.refused(404, "request");
    }
    let late = program.asks(&[]).await;
    stage.clock.advance(15 * 60_000);
    let ada = stage.sign_in("ada").await;
    let decision = allow(&ada, &late).await;
    ada.post("/api/me/connectors/request", json!({ "request": late })).await.refused(404, "request");
    ada.post("/api/me/connectors", decision.clone()).await.refused(404, "request");
    for forged in ["", "AAAA", &late[1..], VERIFIER] {
        let decision = json!({ "request": forged, "allow": true, "orgId": decision["orgId"] });
        ada.post("/api/me/connectors", decision).await.refused(404, "request");
    }
}

#[tokio::test]
async fn a_program_acts_where_its_user_is_and_nowhere_else() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    stage.seed_admin("eve", "rival").await;
    let rival = acme(&stage.sign_in("eve").await).await;
    let program = Program::new(&stage).await;
    let request = program.asks(&[]).await;
    for foreign in [rival.as_str(), "org_none"] {
        let decision = json!({ "request": request, "allow": true, "orgId": foreign });
        ada.post("/api/me/connectors", decision).await.refused(404, "organization");
    }
    let nowhere = json!({ "request": request, "allow": true });
    assert_eq!(ada.post("/api/me/connectors", nowhere).await.refused(400, "orgId")["field"], "orgId");
    // None of that used the request up.
    let decision = allow(&ada, &request).await;
    ada.post("/api/me/connectors", decision).await.ok();
}

#[tokio::test]
async fn reading_alone_is_the_users_choice_and_not_the_programs() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let program = Program::new(&stage).await;
    assert_eq!(program.tokens(&ada, true).await["scope"], "mcp:read");
    // One that asked to read gets no more, whatever the page sends.
    let request = program.asks(&[("scope", "mcp:read")]).await;
    let mut decision = allow(&ada, &request).await;
    decision["readOnly"] = json!(false);
    let to = ada.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
    let tokens = program.exchanges(&parameter(&to, "code").unwrap(), &[]).await.ok();
    assert_eq!(tokens["scope"], "mcp:read");
}

#[tokio::test]
async fn the_page_that_asks_is_shown_in_no_frame() {
    let stage = Stage::new().await;
    let program = Program::new(&stage).await;
    let browser = stage.anonymous().header("accept", "text/html");
    for path in ["/consent".to_owned(), program.address(&[]), program.address(&[("client_id", "unknown")])] {
        let reply = browser.get(&path).await;
        assert!(reply.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}: {reply}");
        assert_eq!(reply.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn what_names_a_request_is_sent_in_no_address() {
    let stage = Stage::new().await;
    let program = Program::new(&stage).await;
    let reply = stage.anonymous().get(&program.address(&[])).await;
    let to = url::Url::parse(reply.header("location")).unwrap();
    assert_eq!((to.path(), to.query()), ("/consent", None));
    assert_eq!(to.fragment().map(str::len), Some(43));
}
