//! Refreshing a session by its cookie: rotation, concurrent tabs, theft, expiry.

use planroom::clock::{DAY, SECOND};
use serde_json::json;

use super::browser::{Browser, set_cookies};
use crate::support::{PASSWORD, TestServer};

const OVER: &str = "no session to renew";

#[tokio::test]
async fn a_session_is_refreshed_by_its_cookie_which_is_rotated() {
    let server = TestServer::new().await;
    let (browser, first) = Browser::of(&server, "ada").await;
    let before = browser.token();
    server.clock.advance(3_600 * SECOND);
    server.with(first["token"].as_str().unwrap()).get("/api/me").await.expect_error(401, "expired");
    let renewed = browser.refresh().await.ok();
    assert_ne!(browser.token(), before);
    assert_eq!(renewed["user"], first["user"]);
    assert_eq!(renewed["session"], first["session"]);
    server.with(renewed["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
}

#[tokio::test]
async fn two_tabs_that_refresh_concurrently_get_the_same_successor() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    let other = browser.clone();
    let (one, two) = tokio::join!(browser.refresh(), other.refresh());
    one.ok();
    two.ok();
    assert_eq!(browser.token(), other.token());
    server.clock.advance(29 * SECOND);
    other.refresh().await.ok();
}

#[tokio::test]
async fn the_previous_token_is_accepted_for_thirty_seconds_and_then_ends_the_session() {
    let server = TestServer::new().await;
    let (browser, answer) = Browser::of(&server, "ada").await;
    let late = browser.clone();
    browser.refresh().await.ok();
    server.clock.advance(30 * SECOND - 1_000);
    late.clone().refresh().await.ok();
    server.clock.advance(2 * SECOND);
    late.refresh().await.expect_error(401, OVER);
    browser.refresh().await.expect_error(401, OVER);
    let ada = server.with(answer["token"].as_str().unwrap());
    ada.get("/api/me").await.expect_error(401, "ended");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'session.reuse'"), 1);
}

#[tokio::test]
async fn any_older_token_of_an_active_session_ends_it() {
    let server = TestServer::new().await;
    for age in [2, 3, 5] {
        let (browser, _) = Browser::of(&server, "ada").await;
        let mut tokens = vec![browser.token()];
        for _ in 0..6 {
            browser.refresh().await.ok();
            tokens.push(browser.token());
        }
        let stolen = tokens[tokens.len() - 1 - age].clone();
        browser.with(&stolen).refresh().await.expect_error(401, OVER);
        browser.refresh().await.expect_error(401, OVER);
    }
}

#[tokio::test]
async fn an_invalid_token_ends_no_session() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    for made_up in ["", "nonsense", &"A".repeat(64)] {
        browser.with(made_up).refresh().await.expect_error(401, OVER);
    }
    assert_eq!(Browser::new(&server).refresh().await.status, 204, "nobody has signed in there");
    browser.refresh().await.ok();
}

#[tokio::test]
async fn a_session_ends_after_fourteen_days_without_use() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    server.clock.advance(14 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    server.clock.advance(14 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    server.clock.advance(14 * DAY + 60 * SECOND);
    browser.refresh().await.expect_error(401, OVER);
}

#[tokio::test]
async fn a_session_ends_after_ninety_days_of_use() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    for _ in 0..8 {
        server.clock.advance(11 * DAY);
        browser.refresh().await.ok();
    }
    server.clock.advance(2 * DAY - 60 * SECOND);
    browser.refresh().await.ok();
    server.clock.advance(120 * SECOND);
    browser.refresh().await.expect_error(401, OVER);
}

#[tokio::test]
async fn only_a_page_of_this_server_can_refresh_by_cookie() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    for foreign in ["https://evil.example", "null", "https://planroom.test", "http://planroom.test.evil.example", ""] {
        browser.on(foreign).refresh().await.expect_error(403, "Origin");
        browser.on(foreign).log_out(&server.anonymous()).await.expect_error(403, "Origin");
    }
    let cookie = format!("planroom_refresh={}", browser.token());
    let without = server.anonymous().header("cookie", &cookie);
    without.post("/api/auth/refresh", json!({})).await.expect_error(403, "Origin");
    let by_host = without.header("host", "127.0.0.1:8420").header("origin", "http://127.0.0.1:8420");
    by_host.post("/api/auth/refresh", json!({})).await.ok();
}

#[tokio::test]
async fn the_organization_is_selected_at_each_refresh_and_stored_only_in_the_jwt() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let (browser, answer) = Browser::of(&server, "ada").await;
    let choose = |org: serde_json::Value| browser.post("/api/auth/refresh", json!({ "orgId": org }));
    choose(json!("org_other")).await.expect_error(404, "organization");
    server.join(answer["user"]["id"].as_i64().unwrap(), "other", "org:member");
    server.sql(|conn| {
        let later = "UPDATE organization_member SET created_at = ? WHERE organization_id = 'org_other'";
        conn.execute(later, [server.clock.now()]).unwrap();
    });
    assert_eq!(choose(json!("org_other")).await.ok()["session"]["orgSlug"], "other");
    assert_eq!(choose(json!(null)).await.ok()["session"]["orgId"], json!(null));
    assert_eq!(browser.refresh().await.ok()["session"]["orgSlug"], "acme", "left out: the one joined first");
    choose(json!(3)).await.expect_error(400, "orgId");
}

#[tokio::test]
async fn a_suspended_user_cannot_refresh() {
    let server = TestServer::new().await;
    let (browser, _) = Browser::of(&server, "ada").await;
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1", []).unwrap());
    assert_eq!(browser.refresh().await.expect_error(403, "suspended")["code"], "account_suspended");
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0", []).unwrap());
    browser.refresh().await.ok();
}

#[tokio::test]
async fn cookies_are_http_only_same_site_and_secure_on_https() {
    let server = TestServer::new().await;
    let reply = Browser::new(&server).sign_in("ada", PASSWORD).await;
    let [refresh, device]: [String; 2] = set_cookies(&reply).try_into().unwrap();
    assert!(refresh.starts_with("planroom_refresh=") && device.starts_with("planroom_device="));
    for cookie in [&refresh, &device] {
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth"] {
            assert!(cookie.contains(part), "{part} in {cookie}");
        }
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
    }
    assert!(refresh.contains("; Max-Age=1209600") && device.contains("; Max-Age=31536000"));

    let https = TestServer::at("https://plans.example.org", tempfile::tempdir().unwrap(), |_| {});
    https.seed_admin("ada", "acme").await;
    let browser = Browser::new(&https).on("https://plans.example.org");
    let cookies = set_cookies(&browser.sign_in("ada", PASSWORD).await);
    assert!(cookies[0].starts_with("__Secure-planroom_refresh="), "{cookies:?}");
    assert!(cookies.iter().all(|cookie| cookie.contains("; Secure")), "{cookies:?}");
    assert!(cookies[1].starts_with("__Secure-planroom_device="), "{cookies:?}");
    browser.refresh().await.ok();
    browser.on("http://plans.example.org").refresh().await.expect_error(403, "Origin");
}

#[tokio::test]
async fn a_session_survives_a_restart() {
    let server = TestServer::new().await;
    let token = Browser::of(&server, "ada").await.0.token();
    let server = server.restart();
    Browser::new(&server).with(&token).refresh().await.ok();
}
