//! The first account by its link.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{PASSWORD, Stage};

fn form(token: &str, login: &str) -> Value {
    json!({ "token": token, "login": login, "displayName": login, "password": PASSWORD, "organization": "Acme" })
}

#[tokio::test]
async fn whoever_sets_up_is_signed_in_cookie_and_all() {
    let stage = Stage::empty(|_| {});
    let token = stage.app.offer_setup().await.unwrap().unwrap();
    let browser = Browser::new(&stage);
    let weak = json!({ "token": token, "login": "ada", "displayName": "Ada", "password": "password",
                       "organization": "Acme" });
    browser.post("/api/auth/setup", weak).await.refused(400, "password: this password would be guessed at once");
    let answer = browser.post("/api/auth/setup", form(&token, "ada")).await.ok();
    stage.with(answer["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    browser.refresh().await.ok();
}

#[tokio::test]
async fn of_two_who_set_up_at_once_one_does() {
    let stage = Stage::empty(|_| {});
    let token = stage.app.offer_setup().await.unwrap().unwrap();
    let anyone = stage.anonymous();
    let set_up = |login: &str| anyone.post("/api/auth/setup", form(&token, login));
    let (one, two) = tokio::join!(set_up("ada"), set_up("eve"));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one} {two}");
    assert_eq!(stage.count("SELECT count(*) FROM user"), 1);
    assert_eq!(stage.count("SELECT count(*) FROM organization"), 1);
}

#[tokio::test]
async fn a_link_is_void_when_a_newer_one_was_made() {
    let stage = Stage::empty(|_| {});
    let old = stage.app.offer_setup().await.unwrap().unwrap();
    let new = stage.app.offer_setup().await.unwrap().unwrap();
    stage.anonymous().post("/api/auth/setup", form(&old, "ada")).await.refused(403, "not valid");
    stage.anonymous().post("/api/auth/setup", form(&new, "ada")).await.ok();
}
