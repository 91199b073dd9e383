//! Passwords: rules, change and reset.

use planroom::{clock::SECOND, mcp::oauth::admit, operator::AdminOperation};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::{
    oauth::{OAuthClient, token},
    support::{PASSWORD, TestServer},
};

const NEXT: &str = "wrong stapler donkey";

fn change(current: &str, next: &str) -> Value {
    json!({ "current": current, "next": next })
}

#[tokio::test]
async fn a_password_change_ends_other_sessions_and_invalidates_the_old_password() {
    let server = TestServer::new().await;
    let (other, _) = Browser::of(&server, "ada").await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let script = server.script_client("ada").await;
    let ada = server.with(answer["token"].as_str().unwrap());
    ada.post("/api/me/password", change(PASSWORD, NEXT)).await.ok();
    ada.get("/api/me").await.ok();
    script.get("/api/me").await.ok();
    browser.refresh().await.ok();
    other.refresh().await.expect_error(401, "no session");
    let fresh = Browser::new(&server);
    fresh.sign_in("ada", PASSWORD).await.expect_error(401, "wrong");
    fresh.sign_in("ada", NEXT).await.ok();
}

#[tokio::test]
async fn the_current_password_is_required_and_attempts_are_rate_limited() {
    let server = TestServer::new().await;
    let (other, _) = Browser::of(&server, "ada").await;
    let ada = server.sign_in("ada").await;
    for _ in 0..9 {
        server.clock.advance(30 * SECOND);
        ada.post("/api/me/password", change("guess", NEXT)).await.expect_error(403, "the password is wrong");
    }
    let reply = ada.post("/api/me/password", change(PASSWORD, NEXT)).await;
    assert_eq!(reply.expect_error(429, "too many")["code"], "rate_limited");
    other.refresh().await.ok();
    server.clock.advance(reply.header("retry-after").parse::<i64>().unwrap() * SECOND);
    ada.post("/api/me/password", change(PASSWORD, NEXT)).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'password.refuse'"), 9);
}

#[tokio::test]
async fn a_repeated_password_change_returns_the_same_response() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await.header("idempotency-key", "once");
    for _ in 0..2 {
        ada.post("/api/me/password", change(PASSWORD, NEXT)).await.ok();
    }
    ada.post("/api/me/password", change(PASSWORD, "something else")).await.expect_error(409, "Idempotency-Key");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'password.change'"), 1);
}

#[tokio::test]
async fn a_password_has_8_to_128_characters_and_is_not_common() {
    let server = TestServer::new().await;
    server.sql(|conn| conn.execute("UPDATE user SET login = 'ada.lovelace', display_name = 'Augusta'", []).unwrap());
    let ada = server.sign_in("ada.lovelace").await;
    let refused = async |next: &str| ada.post("/api/me/password", change(PASSWORD, next)).await.expect(400);
    for (next, why) in [
        ("short", "8 to 128"),
        (&"x".repeat(129), "8 to 128"),
        ("password", "easy to guess"),
        ("12345678", "easy to guess"),
        ("ada.lovelace", "easy to guess"),
        ("planroom", "easy to guess"),
    ] {
        let refusal = refused(next).await;
        assert_eq!(refusal["field"], "next");
        assert!(refusal["error"].as_str().unwrap().contains(why), "{refusal}");
    }
    let told = refused("password").await["error"].to_string();
    assert!(told.contains("Choose several uncommon words"), "{told}");
    ada.post("/api/me/password", change(PASSWORD, "ünterwegs im zug")).await.ok();
    ada.post("/api/me/password", change("ünterwegs im zug", &"x7".repeat(64))).await.ok();
}

#[tokio::test]
async fn a_reset_ends_all_sessions_and_removes_the_second_factor_and_rate_limits() {
    let server = TestServer::new().await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let script = server.script_client("ada").await;
    let ada = server.with(answer["token"].as_str().unwrap());
    super::second_factor::enable(&server, &ada).await;
    let elsewhere = Browser::new(&server);
    elsewhere.guess("ada").await;
    elsewhere.sign_in("ada", PASSWORD).await.expect_error(429, "too many");
    let reset = |login: &str| AdminOperation::ResetPassword { login: login.into(), password: NEXT.into() };
    reset("ADA").perform(&server.app).await.unwrap();
    browser.refresh().await.expect_error(401, "no session");
    ada.get("/api/me").await.expect_error(401, "ended");
    script.get("/api/me").await.ok();
    assert!(elsewhere.sign_in("ada", NEXT).await.ok()["token"].is_string());
    let unknown = reset("eve").perform(&server.app).await.unwrap_err().to_string();
    assert!(unknown.contains("there is no user `eve`"), "{unknown}");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'password.reset'"), 1);
}

#[tokio::test]
async fn a_password_change_revokes_tokens_and_connected_apps_on_request() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    let ada = server.sign_in("ada").await;
    let tokens = OAuthClient::new(&server).await.tokens(&ada, false).await;
    let access = token(&tokens, "access_token");
    ada.post("/api/me/password", change(PASSWORD, NEXT)).await.ok();
    script.get("/api/me").await.ok();
    admit(&server.app.gate, &access, "").await.unwrap();
    let with = |current: &str, next: &str, what: &str| json!({ "current": current, "next": next, what: true });
    ada.post("/api/me/password", with(NEXT, PASSWORD, "revokeConnectors")).await.ok();
    script.get("/api/me").await.ok();
    assert!(admit(&server.app.gate, &access, "").await.is_err());
    ada.post("/api/me/password", with(PASSWORD, NEXT, "revokeTokens")).await.ok();
    script.get("/api/me").await.expect_error(401, "revoked");
    ada.get("/api/me").await.ok();
}

#[tokio::test]
async fn a_remembered_browser_is_forgotten_after_a_password_change() {
    let server = TestServer::new().await;
    let (known, answer) = Browser::of(&server, "ada").await;
    let ada = server.with(answer["token"].as_str().unwrap());
    let reply = ada.post("/api/me/password", change(PASSWORD, NEXT)).await;
    let cookies = super::browser::set_cookies(&reply);
    let fresh = cookies.iter().find_map(|cookie| cookie.split(';').next()?.strip_prefix("planroom_device="));
    let fresh = fresh.expect("the browser of the change is known again").to_owned();
    Browser::new(&server).from([192, 0, 2, 1]).guess("ada").await;
    let elsewhere = known.from([192, 0, 2, 1]);
    elsewhere.sign_in("ada", NEXT).await.expect_error(429, "too many");
    elsewhere.jar.borrow_mut().insert("planroom_device".into(), fresh);
    elsewhere.sign_in("ada", NEXT).await.ok();
}
