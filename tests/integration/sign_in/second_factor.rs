//! Two-factor authentication: set up, sign in, recover, disable.

use planroom::{auth::second_factor, clock::MINUTE};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{PASSWORD, TestClient, TestResponse, TestServer};

const PATH: &str = "/api/me/second-factor";

/// The code that an authenticator app shows for a secret, this many steps of 30 s from now.
pub fn code(server: &TestServer, secret: &str, steps: i64) -> String {
    let secret = base32::decode(base32::Alphabet::Rfc4648 { padding: false }, secret).unwrap();
    let now = server.clock.now() / 1_000 + 30 * steps;
    let right = |code: &String| second_factor::step(&secret, code, now).unwrap() == Some(now / 30);
    let totp = totp_rs::Builder::new().with_secret(secret.clone()).with_account_name("a").build().unwrap();
    let code = totp.generate(now.unsigned_abs()).to_string();
    assert!(right(&code));
    code
}

/// Enables two-factor authentication. Returns its secret and recovery codes.
pub async fn enable(server: &TestServer, client: &TestClient<'_>) -> (String, Vec<String>) {
    let begun = client.post(PATH, json!({ "password": PASSWORD })).await.created();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    let confirmed = client.post(&format!("{PATH}/confirm"), json!({ "code": code(server, &secret, -1) })).await.ok();
    let codes = confirmed["recoveryCodes"].as_array().unwrap();
    (secret, codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

/// Sends the right password. Returns the challenge.
async fn challenged(browser: &Browser<'_>) -> Value {
    let answer = browser.sign_in("ada", PASSWORD).await;
    assert!(super::browser::set_cookies(&answer).is_empty(), "no session yet");
    let answer = answer.ok();
    assert_eq!(answer["challenge"]["methods"], json!(["totp", "recovery-code"]));
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    answer["challenge"]["id"].clone()
}

async fn verify(browser: &Browser<'_>, challenge: &Value, method: &str, code: &str) -> TestResponse {
    let answer = json!({ "challengeId": challenge, "method": method, "code": code });
    browser.post("/api/auth/login/verify", answer).await
}

#[tokio::test]
async fn two_factor_authentication_has_no_effect_before_confirmation() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let off = json!({ "enabled": false, "confirmedAt": null, "recoveryCodesLeft": 0 });
    assert_eq!(ada.get(PATH).await.ok(), off);
    ada.post(&format!("{PATH}/confirm"), json!({ "code": "000000" })).await.expect_error(409, "nothing to confirm");
    ada.post(PATH, json!({ "password": "guess" })).await.expect_error(403, "the password is wrong");
    let first = ada.post(PATH, json!({ "password": PASSWORD })).await.created();
    assert!(first["url"].as_str().unwrap().starts_with("otpauth://totp/Planroom:ada?secret="), "{first}");
    let second = ada.post(PATH, json!({ "password": PASSWORD })).await.created();
    assert_ne!(first["secret"], second["secret"]);
    let replaced = code(&server, first["secret"].as_str().unwrap(), 0);
    ada.post(&format!("{PATH}/confirm"), json!({ "code": replaced }))
        .await
        .expect_error(400, "code: is not what the app");
    assert_eq!(ada.get(PATH).await.ok(), off);
    assert!(server.sign_in("ada").await.get("/api/me").await.ok()["id"].is_i64());
}

#[tokio::test]
async fn sign_in_requires_a_code_and_each_code_works_once() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (secret, codes) = enable(&server, &ada).await;
    assert_eq!(codes.len(), 10);
    let now = ada.get(PATH).await.ok();
    assert_eq!((&now["enabled"], &now["recoveryCodesLeft"]), (&json!(true), &json!(10)));
    assert!(now["confirmedAt"].is_i64());
    ada.post(PATH, json!({ "password": PASSWORD })).await.expect_error(409, "set up already");

    let browser = Browser::new(&server);
    let challenge = challenged(&browser).await;
    let used = code(&server, &secret, -1);
    verify(&browser, &challenge, "totp", &used).await.expect_error(401, "used already");
    verify(&browser, &challenge, "totp", "000000").await.expect_error(401, "the code is wrong");
    let now = code(&server, &secret, 0);
    let answer = verify(&browser, &challenge, "totp", &now).await.ok();
    assert_eq!(answer["session"]["orgSlug"], "acme");
    server.with(answer["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
    verify(&browser, &challenge, "totp", &now).await.expect_error(401, "used already");
    let again = challenged(&browser).await;
    verify(&browser, &again, "totp", &now).await.expect_error(401, "used already");
}

#[tokio::test]
async fn codes_are_valid_one_time_step_before_and_after() {
    let server = TestServer::new().await;
    let (secret, _) = enable(&server, &server.sign_in("ada").await).await;
    server.clock.advance(5 * MINUTE);
    let browser = Browser::new(&server);
    let challenge = challenged(&browser).await;
    for far in [-2, 2] {
        verify(&browser, &challenge, "totp", &code(&server, &secret, far)).await.expect_error(401, "wrong");
    }
    verify(&browser, &challenge, "totp", &code(&server, &secret, -1)).await.ok();
    verify(&browser, &challenge, "totp", &code(&server, &secret, 1)).await.ok();
    verify(&browser, &challenge, "totp", &code(&server, &secret, 0)).await.expect_error(401, "used already");
}

#[tokio::test]
async fn a_challenge_is_valid_for_five_minutes_and_one_password() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (secret, _) = enable(&server, &ada).await;
    let browser = Browser::new(&server);
    let late = challenged(&browser).await;
    server.clock.advance(5 * MINUTE);
    verify(&browser, &late, "totp", &code(&server, &secret, 0)).await.expect_error(401, "took too long");
    let challenge = challenged(&browser).await;
    let change = json!({ "current": PASSWORD, "next": "wrong stapler donkey" });
    ada.post("/api/me/password", change).await.ok();
    verify(&browser, &challenge, "totp", &code(&server, &secret, 0)).await.expect_error(401, "start again");
    for made_up in [json!(""), json!("nonsense"), json!("A".repeat(200))] {
        verify(&browser, &made_up, "totp", &code(&server, &secret, 0)).await.expect_error(401, "start again");
    }
    verify(&browser, &challenge, "sms", "1").await.expect_error(400, "method");
}

#[tokio::test]
async fn a_recovery_code_works_once_in_any_format() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (_, codes) = enable(&server, &ada).await;
    let browser = Browser::new(&server);
    let challenge = challenged(&browser).await;
    let typed = codes[3].to_lowercase().replace('-', " ");
    verify(&browser, &challenge, "recovery-code", &typed).await.ok();
    verify(&browser, &challenge, "recovery-code", &codes[3]).await.expect_error(401, "used already");
    verify(&browser, &challenge, "totp", &codes[4]).await.expect_error(401, "wrong");
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 9);

    let path = format!("{PATH}/recovery-codes");
    ada.post(&path, json!({ "password": "guess" })).await.expect_error(403, "password");
    let renewed = ada.post(&path, json!({ "password": PASSWORD, "code": codes[5] })).await.ok();
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 10);
    verify(&browser, &challenge, "recovery-code", &codes[4]).await.expect_error(401, "wrong");
    verify(&browser, &challenge, "recovery-code", renewed["recoveryCodes"][0].as_str().unwrap()).await.ok();
}

#[tokio::test]
async fn two_factor_authentication_is_disabled_with_password_and_code() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (secret, codes) = enable(&server, &ada).await;
    let used = code(&server, &secret, -1);
    for path in [format!("{PATH}/disable"), format!("{PATH}/recovery-codes")] {
        ada.post(&path, json!({ "password": "guess", "code": codes[0] }))
            .await
            .expect_error(403, "the password is wrong");
        ada.post(&path, json!({ "password": PASSWORD })).await.expect_error(400, "code: is required");
        ada.post(&path, json!({ "password": PASSWORD, "code": "000000" })).await.expect_error(403, "the code is wrong");
    }
    let path = format!("{PATH}/disable");
    ada.post(&path, json!({ "password": PASSWORD, "code": used })).await.expect_error(403, "used already");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'second-factor.refuse'"), 3);
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 10, "none is spent by a request that is refused");
    challenged(&Browser::new(&server)).await;
    ada.post(&path, json!({ "password": PASSWORD, "code": code(&server, &secret, 0) })).await.ok();
    assert_eq!(ada.get(PATH).await.ok()["enabled"], false);
    let codes = ada.post(&format!("{PATH}/recovery-codes"), json!({ "password": PASSWORD })).await;
    codes.expect_error(409, "no second factor");
    server.sign_in("ada").await.get("/api/me").await.ok();
}

#[tokio::test]
async fn attempts_to_guess_a_code_are_rate_limited() {
    let server = TestServer::new().await;
    let (secret, _) = enable(&server, &server.sign_in("ada").await).await;
    let mut challenge = challenged(&Browser::new(&server)).await;
    let mut refused = 0;
    for n in 0..100_u32 {
        let browser = Browser::new(&server).from(std::net::Ipv4Addr::from(0x0a00_0000 + n));
        let reply = verify(&browser, &challenge, "totp", &format!("{n:06}")).await;
        refused += u32::from(reply.status == 429);
    }
    assert!((85..=95).contains(&refused), "{refused} of a hundred at once");
    let browser = Browser::new(&server);
    for _ in 0..4 {
        server.clock.advance(6 * MINUTE);
        challenge = challenged(&browser).await;
        verify(&browser, &challenge, "totp", "000000").await.expect_error(401, "wrong");
    }
    verify(&browser, &challenge, "totp", &code(&server, &secret, 0)).await.expect_error(429, "try again in");
}

#[tokio::test]
async fn a_suspended_user_is_rejected_before_the_code() {
    let server = TestServer::new().await;
    let (secret, _) = enable(&server, &server.sign_in("ada").await).await;
    let browser = Browser::new(&server);
    let challenge = challenged(&browser).await;
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1", []).unwrap());
    browser.sign_in("ada", PASSWORD).await.expect_error(403, "suspended");
    browser.sign_in("ada", "guess").await.expect_error(401, "wrong");
    verify(&browser, &challenge, "totp", &code(&server, &secret, 0)).await.expect_error(403, "suspended");
}

#[tokio::test]
async fn enabling_two_factor_authentication_ends_sessions_without_it() {
    let server = TestServer::new().await;
    let (thief, answer) = Browser::of(&server, "ada").await;
    let stolen = server.with(answer["token"].as_str().unwrap());
    let ada = server.sign_in("ada").await;
    enable(&server, &ada).await;
    ada.get("/api/me").await.ok();
    stolen.get("/api/me").await.expect_error(401, "ended");
    thief.refresh().await.expect_error(401, "no session");
}

#[tokio::test]
async fn attempts_to_guess_a_code_for_confirmation_are_rate_limited() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let (secret, _) = enable(&server, &ada).await;
    let path = format!("{PATH}/disable");
    for n in 0..5 {
        let guess = json!({ "password": PASSWORD, "code": format!("{n:06}") });
        ada.post(&path, guess).await.expect_error(403, "the code is wrong");
    }
    let right = json!({ "password": PASSWORD, "code": code(&server, &secret, 0) });
    ada.post(&path, right).await.expect_error(429, "too many");
    // A request without a code does not reset the limit.
    ada.post(&path, json!({ "password": PASSWORD })).await.expect_error(400, "code");
    ada.post(&path, json!({ "password": PASSWORD, "code": "000000" })).await.expect_error(429, "too many");
}
