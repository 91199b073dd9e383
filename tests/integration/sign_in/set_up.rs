//! The first account by its setup link.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{PASSWORD, TestServer};

fn form(token: &str, login: &str) -> Value {
    json!({ "token": token, "login": login, "displayName": login, "password": PASSWORD, "organization": "Acme" })
}

#[tokio::test]
async fn setting_up_the_first_account_starts_a_session() {
    let server = TestServer::empty(|_| {});
    let token = server.app.offer_setup().await.unwrap().unwrap();
    let browser = Browser::new(&server);
    let weak = json!({ "token": token, "login": "ada", "displayName": "Ada", "password": "password",
                       "organization": "Acme" });
    browser.post("/api/auth/setup", weak).await.expect_error(400, "password: this password is easy to guess");
    let answer = browser.post("/api/auth/setup", form(&token, "ada")).await.ok();
    server.with(answer["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
}

#[tokio::test]
async fn of_two_concurrent_setups_one_succeeds() {
    let server = TestServer::empty(|_| {});
    let token = server.app.offer_setup().await.unwrap().unwrap();
    let anyone = server.anonymous();
    let set_up = |login: &str| anyone.post("/api/auth/setup", form(&token, login));
    let (one, two) = tokio::join!(set_up("ada"), set_up("eve"));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one} {two}");
    assert_eq!(server.count("SELECT count(*) FROM user"), 1);
    assert_eq!(server.count("SELECT count(*) FROM organization"), 1);
}

#[tokio::test]
async fn a_setup_link_is_invalid_after_a_newer_one() {
    let server = TestServer::empty(|_| {});
    let old = server.app.offer_setup().await.unwrap().unwrap();
    let new = server.app.offer_setup().await.unwrap().unwrap();
    server.anonymous().post("/api/auth/setup", form(&old, "ada")).await.expect_error(403, "not valid");
    server.anonymous().post("/api/auth/setup", form(&new, "ada")).await.ok();
}
