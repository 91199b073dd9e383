//! The second factor: set up, asked for, recovered, removed.

use planroom::{auth::second_factor, clock::MINUTE};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{Actor, PASSWORD, Reply, Stage};

const PATH: &str = "/api/me/second-factor";

/// What an authenticator app shows for a secret, so many steps of 30 s from now.
pub fn code(stage: &Stage, secret: &str, steps: i64) -> String {
    let secret = base32::decode(base32::Alphabet::Rfc4648 { padding: false }, secret).unwrap();
    let now = stage.clock.now() / 1_000 + 30 * steps;
    let right = |code: &String| second_factor::step(&secret, code, now).unwrap() == Some(now / 30);
    let totp = totp_rs::Builder::new().with_secret(secret.clone()).with_account_name("a").build().unwrap();
    let code = totp.generate(now.unsigned_abs()).to_string();
    assert!(right(&code));
    code
}

/// Sets up a second factor; answers with its secret and recovery codes.
pub async fn enable(stage: &Stage, actor: &Actor<'_>) -> (String, Vec<String>) {
    let begun = actor.post(PATH, json!({ "password": PASSWORD })).await.created();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    let confirmed = actor.post(&format!("{PATH}/confirm"), json!({ "code": code(stage, &secret, -1) })).await.ok();
    let codes = confirmed["recoveryCodes"].as_array().unwrap();
    (secret, codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect())
}

/// Gives the right password, and answers with the challenge.
async fn challenged(browser: &Browser<'_>) -> Value {
    let answer = browser.sign_in("ada", PASSWORD).await;
    assert!(super::browser::set_cookies(&answer).is_empty(), "no session yet");
    let answer = answer.ok();
    assert_eq!(answer["challenge"]["methods"], json!(["totp", "recovery-code"]));
    assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    answer["challenge"]["id"].clone()
}

async fn verify(browser: &Browser<'_>, challenge: &Value, method: &str, code: &str) -> Reply {
    let answer = json!({ "challengeId": challenge, "method": method, "code": code });
    browser.post("/api/auth/login/verify", answer).await
}

#[tokio::test]
async fn it_counts_for_nothing_before_it_is_confirmed() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let off = json!({ "enabled": false, "confirmedAt": null, "recoveryCodesLeft": 0 });
    assert_eq!(ada.get(PATH).await.ok(), off);
    ada.post(&format!("{PATH}/confirm"), json!({ "code": "000000" })).await.refused(409, "nothing to confirm");
    ada.post(PATH, json!({ "password": "guess" })).await.refused(403, "the password is wrong");
    let first = ada.post(PATH, json!({ "password": PASSWORD })).await.created();
    assert!(first["url"].as_str().unwrap().starts_with("otpauth://totp/Planroom:ada?secret="), "{first}");
    let second = ada.post(PATH, json!({ "password": PASSWORD })).await.created();
    assert_ne!(first["secret"], second["secret"]);
    let replaced = code(&stage, first["secret"].as_str().unwrap(), 0);
    ada.post(&format!("{PATH}/confirm"), json!({ "code": replaced })).await.refused(400, "code: is not what the app");
    assert_eq!(ada.get(PATH).await.ok(), off);
    assert!(stage.sign_in("ada").await.get("/api/me").await.ok()["id"].is_i64());
}

#[tokio::test]
async fn signing_in_asks_for_a_code_and_each_works_once() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (secret, codes) = enable(&stage, &ada).await;
    assert_eq!(codes.len(), 10);
    let now = ada.get(PATH).await.ok();
    assert_eq!((&now["enabled"], &now["recoveryCodesLeft"]), (&json!(true), &json!(10)));
    assert!(now["confirmedAt"].is_i64());
    ada.post(PATH, json!({ "password": PASSWORD })).await.refused(409, "set up already");

    let browser = Browser::new(&stage);
    let challenge = challenged(&browser).await;
    let used = code(&stage, &secret, -1);
    verify(&browser, &challenge, "totp", &used).await.refused(401, "used already");
    verify(&browser, &challenge, "totp", "000000").await.refused(401, "the code is wrong");
    let now = code(&stage, &secret, 0);
    let answer = verify(&browser, &challenge, "totp", &now).await.ok();
    assert_eq!(answer["session"]["orgSlug"], "acme");
    stage.with(answer["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
    verify(&browser, &challenge, "totp", &now).await.refused(401, "used already");
    let again = challenged(&browser).await;
    verify(&browser, &again, "totp", &now).await.refused(401, "used already");
}

#[tokio::test]
async fn a_clock_may_differ_by_one_step_and_no_more() {
    let stage = Stage::new().await;
    let (secret, _) = enable(&stage, &stage.sign_in("ada").await).await;
    stage.clock.advance(5 * MINUTE);
    let browser = Browser::new(&stage);
    let challenge = challenged(&browser).await;
    for far in [-2, 2] {
        verify(&browser, &challenge, "totp", &code(&stage, &secret, far)).await.refused(401, "wrong");
    }
    verify(&browser, &challenge, "totp", &code(&stage, &secret, -1)).await.ok();
    verify(&browser, &challenge, "totp", &code(&stage, &secret, 1)).await.ok();
    verify(&browser, &challenge, "totp", &code(&stage, &secret, 0)).await.refused(401, "used already");
}

#[tokio::test]
async fn a_challenge_is_good_for_five_minutes_and_one_password_and_cannot_be_made_up() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (secret, _) = enable(&stage, &ada).await;
    let browser = Browser::new(&stage);
    let late = challenged(&browser).await;
    stage.clock.advance(5 * MINUTE);
    verify(&browser, &late, "totp", &code(&stage, &secret, 0)).await.refused(401, "took too long");
    let challenge = challenged(&browser).await;
    let change = json!({ "current": PASSWORD, "next": "wrong stapler donkey" });
    ada.post("/api/me/password", change).await.ok();
    verify(&browser, &challenge, "totp", &code(&stage, &secret, 0)).await.refused(401, "start again");
    for made_up in [json!(""), json!("nonsense"), json!("A".repeat(200))] {
        verify(&browser, &made_up, "totp", &code(&stage, &secret, 0)).await.refused(401, "start again");
    }
    verify(&browser, &challenge, "sms", "1").await.refused(400, "method");
}

#[tokio::test]
async fn a_recovery_code_works_once_however_it_is_typed() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (_, codes) = enable(&stage, &ada).await;
    let browser = Browser::new(&stage);
    let challenge = challenged(&browser).await;
    let typed = codes[3].to_lowercase().replace('-', " ");
    verify(&browser, &challenge, "recovery-code", &typed).await.ok();
    verify(&browser, &challenge, "recovery-code", &codes[3]).await.refused(401, "used already");
    verify(&browser, &challenge, "totp", &codes[4]).await.refused(401, "wrong");
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 9);

    let path = format!("{PATH}/recovery-codes");
    ada.post(&path, json!({ "password": "guess" })).await.refused(403, "password");
    let renewed = ada.post(&path, json!({ "password": PASSWORD, "code": codes[5] })).await.ok();
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 10);
    verify(&browser, &challenge, "recovery-code", &codes[4]).await.refused(401, "wrong");
    verify(&browser, &challenge, "recovery-code", renewed["recoveryCodes"][0].as_str().unwrap()).await.ok();
}

#[tokio::test]
async fn it_is_removed_with_the_password_and_a_code_and_then_a_password_is_enough() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (secret, codes) = enable(&stage, &ada).await;
    let used = code(&stage, &secret, -1);
    for path in [format!("{PATH}/disable"), format!("{PATH}/recovery-codes")] {
        ada.post(&path, json!({ "password": "guess", "code": codes[0] })).await.refused(403, "the password is wrong");
        ada.post(&path, json!({ "password": PASSWORD })).await.refused(400, "code: is required");
        ada.post(&path, json!({ "password": PASSWORD, "code": "000000" })).await.refused(403, "the code is wrong");
    }
    let path = format!("{PATH}/disable");
    ada.post(&path, json!({ "password": PASSWORD, "code": used })).await.refused(403, "used already");
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'second-factor.refuse'"), 3);
    assert_eq!(ada.get(PATH).await.ok()["recoveryCodesLeft"], 10, "none is spent by a request that is refused");
    challenged(&Browser::new(&stage)).await;
    ada.post(&path, json!({ "password": PASSWORD, "code": code(&stage, &secret, 0) })).await.ok();
    assert_eq!(ada.get(PATH).await.ok()["enabled"], false);
    let codes = ada.post(&format!("{PATH}/recovery-codes"), json!({ "password": PASSWORD })).await;
    codes.refused(409, "no second factor");
    stage.sign_in("ada").await.get("/api/me").await.ok();
}

#[tokio::test]
async fn codes_cannot_be_tried_at_will() {
    let stage = Stage::new().await;
    let (secret, _) = enable(&stage, &stage.sign_in("ada").await).await;
    let mut challenge = challenged(&Browser::new(&stage)).await;
    let mut refused = 0;
    for n in 0..100_u32 {
        let browser = Browser::new(&stage).from(std::net::Ipv4Addr::from(0x0a00_0000 + n));
        let reply = verify(&browser, &challenge, "totp", &format!("{n:06}")).await;
        refused += u32::from(reply.status == 429);
    }
    assert!((85..=95).contains(&refused), "{refused} of a hundred at once");
    let browser = Browser::new(&stage);
    for _ in 0..4 {
        stage.clock.advance(6 * MINUTE);
        challenge = challenged(&browser).await;
        verify(&browser, &challenge, "totp", "000000").await.refused(401, "wrong");
    }
    verify(&browser, &challenge, "totp", &code(&stage, &secret, 0)).await.refused(429, "try again in");
}

#[tokio::test]
async fn a_suspended_user_is_told_so_and_not_asked_for_a_code() {
    let stage = Stage::new().await;
    let (secret, _) = enable(&stage, &stage.sign_in("ada").await).await;
    let browser = Browser::new(&stage);
    let challenge = challenged(&browser).await;
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1", []).unwrap());
    browser.sign_in("ada", PASSWORD).await.refused(403, "suspended");
    browser.sign_in("ada", "guess").await.refused(401, "wrong");
    verify(&browser, &challenge, "totp", &code(&stage, &secret, 0)).await.refused(403, "suspended");
}

#[tokio::test]
async fn enabling_it_ends_the_sessions_that_began_without_it() {
    let stage = Stage::new().await;
    let (thief, answer) = Browser::of(&stage, "ada").await;
    let stolen = stage.with(answer["token"].as_str().unwrap());
    let ada = stage.sign_in("ada").await;
    enable(&stage, &ada).await;
    ada.get("/api/me").await.ok();
    stolen.get("/api/me").await.refused(401, "ended");
    thief.refresh().await.refused(401, "no session");
}

#[tokio::test]
async fn codes_for_the_password_again_cannot_be_tried_at_will() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let (secret, _) = enable(&stage, &ada).await;
    let path = format!("{PATH}/disable");
    for n in 0..5 {
        let guess = json!({ "password": PASSWORD, "code": format!("{n:06}") });
        ada.post(&path, guess).await.refused(403, "the code is wrong");
    }
    let right = json!({ "password": PASSWORD, "code": code(&stage, &secret, 0) });
    ada.post(&path, right).await.refused(429, "too many");
    // A request without a code is no way to be forgiven.
    ada.post(&path, json!({ "password": PASSWORD })).await.refused(400, "code");
    ada.post(&path, json!({ "password": PASSWORD, "code": "000000" })).await.refused(429, "too many");
}
