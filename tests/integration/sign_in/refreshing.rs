//! Renewing a session by its cookie: rotation, two tabs, theft, and the end of time.

use planroom::clock::{DAY, SECOND};
use serde_json::json;

use super::browser::{Browser, set_cookies};
use crate::support::{PASSWORD, Stage};

const OVER: &str = "no session to renew";

#[tokio::test]
async fn a_session_is_renewed_with_its_cookie_which_is_replaced() {
    let stage = Stage::new().await;
    let (browser, first) = Browser::of(&stage, "ada").await;
    let before = browser.token();
    stage.clock.advance(3_600 * SECOND);
    stage.with(first["token"].as_str().unwrap()).get("/api/me").await.refused(401, "expired");
    let renewed = browser.refresh().await.ok();
    assert_ne!(browser.token(), before);
    assert_eq!(renewed["user"], first["user"]);
    assert_eq!(renewed["session"], first["session"]);
    stage.with(renewed["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
}

#[tokio::test]
async fn two_tabs_that_renew_at_once_get_the_same_successor() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    let other = browser.clone();
    let (one, two) = tokio::join!(browser.refresh(), other.refresh());
    one.ok();
    two.ok();
    assert_eq!(browser.token(), other.token());
    stage.clock.advance(29 * SECOND);
    other.refresh().await.ok();
}

#[tokio::test]
async fn the_token_before_is_good_for_thirty_seconds_and_then_ends_the_session() {
    let stage = Stage::new().await;
    let (browser, answer) = Browser::of(&stage, "ada").await;
    let late = browser.clone();
    browser.refresh().await.ok();
    stage.clock.advance(30 * SECOND - 1_000);
    late.clone().refresh().await.ok();
    stage.clock.advance(2 * SECOND);
    late.refresh().await.refused(401, OVER);
    browser.refresh().await.refused(401, OVER);
    let ada = stage.with(answer["token"].as_str().unwrap());
    ada.get("/api/me").await.refused(401, "ended");
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'session.reuse'"), 1);
}

#[tokio::test]
async fn any_older_token_of_a_living_session_ends_it_at_once() {
    let stage = Stage::new().await;
    for age in [2, 3, 5] {
        let (browser, _) = Browser::of(&stage, "ada").await;
        let mut tokens = vec![browser.token()];
        for _ in 0..6 {
            browser.refresh().await.ok();
            tokens.push(browser.token());
        }
        let stolen = tokens[tokens.len() - 1 - age].clone();
        browser.with(&stolen).refresh().await.refused(401, OVER);
        browser.refresh().await.refused(401, OVER);
    }
}

#[tokio::test]
async fn what_is_no_token_of_a_session_ends_none() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    for made_up in ["", "nonsense", &"A".repeat(64)] {
        browser.with(made_up).refresh().await.refused(401, OVER);
    }
    assert_eq!(Browser::new(&stage).refresh().await.status, 204, "nobody has signed in there");
    browser.refresh().await.ok();
}

#[tokio::test]
async fn a_session_ends_after_fourteen_days_without_use() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    stage.clock.advance(14 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    stage.clock.advance(14 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    stage.clock.advance(14 * DAY + 60 * SECOND);
    browser.refresh().await.refused(401, OVER);
}

#[tokio::test]
async fn a_session_ends_after_ninety_days_however_often_it_is_used() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    for _ in 0..8 {
        stage.clock.advance(11 * DAY);
        browser.refresh().await.ok();
    }
    stage.clock.advance(2 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    stage.clock.advance(120 * SECOND);
    browser.refresh().await.refused(401, OVER);
}

#[tokio::test]
async fn only_a_page_of_this_server_renews_by_the_cookie() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    for foreign in ["https://evil.example", "null", "https://planroom.test", "http://planroom.test.evil.example", ""] {
        browser.on(foreign).refresh().await.refused(403, "Origin");
        browser.on(foreign).log_out(&stage.anonymous()).await.refused(403, "Origin");
    }
    let cookie = format!("planroom_refresh={}", browser.token());
    let without = stage.anonymous().header("cookie", &cookie);
    without.post("/api/auth/refresh", json!({})).await.refused(403, "Origin");
    let by_host = without.header("host", "127.0.0.1:8420").header("origin", "http://127.0.0.1:8420");
    by_host.post("/api/auth/refresh", json!({})).await.ok();
}

#[tokio::test]
async fn the_organization_is_chosen_at_each_renewal_and_belongs_to_the_jwt_alone() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let (browser, answer) = Browser::of(&stage, "ada").await;
    let choose = |org: serde_json::Value| browser.post("/api/auth/refresh", json!({ "orgId": org }));
    choose(json!("org_other")).await.refused(404, "organization");
    stage.join(answer["user"]["id"].as_i64().unwrap(), "other", "org:member");
    stage.sql(|conn| {
        let later = "UPDATE organization_member SET created_at = ? WHERE organization_id = 'org_other'";
        conn.execute(later, [stage.clock.now()]).unwrap();
    });
    assert_eq!(choose(json!("org_other")).await.ok()["session"]["orgSlug"], "other");
    assert_eq!(choose(json!(null)).await.ok()["session"]["orgId"], json!(null));
    assert_eq!(browser.refresh().await.ok()["session"]["orgSlug"], "acme", "left out: the one joined first");
    choose(json!(3)).await.refused(400, "orgId");
}

#[tokio::test]
async fn a_suspended_user_renews_nothing() {
    let stage = Stage::new().await;
    let (browser, _) = Browser::of(&stage, "ada").await;
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1", []).unwrap());
    assert_eq!(browser.refresh().await.refused(403, "suspended")["code"], "account_suspended");
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0", []).unwrap());
    browser.refresh().await.ok();
}

#[tokio::test]
async fn cookies_are_kept_from_scripts_and_other_sites_and_on_https_from_plain_http() {
    let stage = Stage::new().await;
    let reply = Browser::new(&stage).sign_in("ada", PASSWORD).await;
    let [refresh, device]: [String; 2] = set_cookies(&reply).try_into().unwrap();
    assert!(refresh.starts_with("planroom_refresh=") && device.starts_with("planroom_device="));
    for cookie in [&refresh, &device] {
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth"] {
            assert!(cookie.contains(part), "{part} in {cookie}");
        }
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
    }
    assert!(refresh.contains("; Max-Age=1209600") && device.contains("; Max-Age=31536000"));

    let https = Stage::at("https://plans.example.org", tempfile::tempdir().unwrap(), |_| {});
    https.seed_admin("ada", "acme").await;
    let browser = Browser::new(&https).on("https://plans.example.org");
    let cookies = set_cookies(&browser.sign_in("ada", PASSWORD).await);
    assert!(cookies[0].starts_with("__Secure-planroom_refresh="), "{cookies:?}");
    assert!(cookies.iter().all(|cookie| cookie.contains("; Secure")), "{cookies:?}");
    assert!(cookies[1].starts_with("__Secure-planroom_device="), "{cookies:?}");
    browser.refresh().await.ok();
    browser.on("http://plans.example.org").refresh().await.refused(403, "Origin");
}

#[tokio::test]
async fn a_session_outlives_a_restart() {
    let stage = Stage::new().await;
    let token = Browser::of(&stage, "ada").await.0.token();
    let stage = stage.restart();
    Browser::new(&stage).with(&token).refresh().await.ok();
}
