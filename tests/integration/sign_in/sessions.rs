//! One's own sessions: seen, ended, and taken to another organization.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::browser::Browser;
use crate::support::{Actor, Stage};

fn actor<'s>(stage: &'s Stage, answer: &Value) -> Actor<'s> {
    stage.with(answer["token"].as_str().unwrap())
}

#[tokio::test]
async fn signing_out_ends_the_session_and_its_tokens_at_once() {
    let stage = Stage::new().await;
    let (browser, answer) = Browser::of(&stage, "ada").await;
    let (before, ada) = (browser.token(), actor(&stage, &answer));
    assert_eq!(browser.log_out(&stage.anonymous()).await.ok(), json!({ "ok": true }));
    assert!(!browser.jar.borrow().contains_key("planroom_refresh"), "the cookie is taken away");
    assert!(browser.jar.borrow().contains_key("planroom_device"), "but the browser is known again");
    ada.get("/api/me").await.refused(401, "ended");
    browser.with(&before).refresh().await.refused(401, "no session");
    browser.log_out(&stage.anonymous()).await.ok();
}

#[tokio::test]
async fn signing_out_with_a_jwt_ends_its_session_too() {
    let stage = Stage::new().await;
    let (browser, answer) = Browser::of(&stage, "ada").await;
    let ada = actor(&stage, &answer);
    ada.send(axum::http::Method::POST, "/api/auth/logout", None).await.ok();
    browser.refresh().await.refused(401, "no session");
    ada.send(axum::http::Method::POST, "/api/auth/logout", None).await.refused(401, "ended");

    let ((one, _), (_, other)) = (Browser::of(&stage, "ada").await, Browser::of(&stage, "ada").await);
    let other = actor(&stage, &other);
    one.log_out(&other).await.ok();
    assert_eq!(one.refresh().await.status, 204, "its cookie is gone");
    other.get("/api/me").await.refused(401, "ended");

    let (browser, _) = Browser::of(&stage, "ada").await;
    browser.log_out(&stage.with("nonsense")).await.ok();
}

#[tokio::test]
async fn one_sees_and_ends_ones_own_sessions() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (first, old) = Browser::of(&stage, "ada").await;
    stage.clock.advance(MINUTE);
    let (_, now) = Browser::of(&stage, "ada").await;
    let (_, bobs) = Browser::of(&stage, "bob").await;
    let (ada, bob) = (actor(&stage, &now), actor(&stage, &bobs));
    let sessions = ada.get("/api/me/sessions").await.ok()["sessions"].clone();
    let sessions = sessions.as_array().unwrap();
    assert_eq!(sessions.len(), 2, "and none of bob's");
    assert_eq!([&sessions[0]["isCurrent"], &sessions[1]["isCurrent"]], [true, false], "the one used last first");
    for session in sessions {
        assert_eq!(session["userAgent"], "Testfox/1.0");
        let lifetime = session["expiresAt"].as_i64().unwrap() - session["lastUsedAt"].as_i64().unwrap();
        assert_eq!(lifetime, 14 * DAY);
    }
    let path = format!("/api/me/sessions/{}", sessions[1]["id"]);
    bob.delete(&path).await.refused(404, "session not found");
    ada.delete(&path).await.ok();
    ada.delete(&path).await.refused(404, "session not found");
    first.refresh().await.refused(401, "no session");
    actor(&stage, &old).get("/api/me").await.refused(401, "ended");
    assert_eq!(ada.get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn all_other_sessions_end_at_once_and_this_one_stays() {
    let stage = Stage::new().await;
    let (_, one) = Browser::of(&stage, "ada").await;
    let (_, two) = Browser::of(&stage, "ada").await;
    let (_, three) = Browser::of(&stage, "ada").await;
    actor(&stage, &two).delete("/api/me/sessions").await.ok();
    actor(&stage, &two).get("/api/me").await.ok();
    for gone in [one, three] {
        actor(&stage, &gone).get("/api/me").await.refused(401, "ended");
    }
}

#[tokio::test]
async fn a_session_that_was_not_used_for_long_is_not_listed() {
    let stage = Stage::new().await;
    Browser::of(&stage, "ada").await;
    stage.clock.advance(14 * DAY + MINUTE);
    let (_, now) = Browser::of(&stage, "ada").await;
    assert_eq!(actor(&stage, &now).get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_a_browser_says_of_itself_is_cut_short() {
    let stage = Stage::new().await;
    let login = json!({ "login": "ada", "password": crate::support::PASSWORD });
    let long = "x".repeat(5_000);
    let reply = stage.anonymous().header("user-agent", &long).post("/api/auth/login", login).await.ok();
    let sessions = actor(&stage, &reply).get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"][0]["userAgent"], "x".repeat(200));
}

#[tokio::test]
async fn scripts_have_no_say_in_sessions() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    script.get("/api/me/sessions").await.refused(403, "session");
    script.delete("/api/me/sessions").await.refused(403, "session");
    script.post("/api/auth/organization", json!({ "orgId": null })).await.refused(403, "session");
    script.send(axum::http::Method::POST, "/api/auth/logout", None).await.refused(403, "session");
}

#[tokio::test]
async fn one_goes_on_in_another_organization_or_in_none() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let (_, answer) = Browser::of(&stage, "ada").await;
    let ada = actor(&stage, &answer);
    let path = "/api/auth/organization";
    ada.post(path, json!({ "orgId": "org_other" })).await.refused(404, "organization not found");
    ada.post(path, json!({})).await.refused(400, "orgId: is required");
    stage.join(answer["user"]["id"].as_i64().unwrap(), "other", "org:member");
    let switched = ada.post(path, json!({ "orgId": "org_other" })).await.ok();
    assert_eq!(switched["session"]["orgRole"], "org:member");
    let there = actor(&stage, &switched);
    assert_eq!(there.get("/api/me").await.ok()["session"]["orgSlug"], "other");
    assert_eq!(ada.get("/api/me").await.ok()["session"]["orgSlug"], "acme", "another tab stays where it is");
    let none = there.post(path, json!({ "orgId": null })).await.ok();
    assert_eq!(none["session"], json!({ "orgId": null, "orgRole": null, "orgSlug": null, "isApiToken": false }));
    let nowhere = actor(&stage, &none);
    assert_eq!(nowhere.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    let sessions = nowhere.get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1, "all of it one session");
}

#[tokio::test]
async fn what_is_told_before_and_after_signing_in() {
    let stage = Stage::empty(|_| {});
    let anyone = stage.anonymous();
    let config = |name: &str, has_users: bool| json!({ "methods": ["password"], "providerName": null, "instanceName": name, "hasUsers": has_users, "waitlistOpen": true });
    assert_eq!(anyone.get("/api/auth/config").await.ok(), config("Planroom", false));
    stage.seed_admin("ada", "acme").await;
    stage.sql(|conn| {
        let sql = r#"INSERT INTO setting (key, value, updated_at) VALUES ('instance.name', '"Plans"', 1)"#;
        conn.execute(sql, []).unwrap();
    });
    assert_eq!(anyone.get("/api/auth/config").await.ok(), config("Plans", true));

    assert_eq!(anyone.get("/api/auth/me").await.ok(), json!({ "authenticated": false, "user": null }));
    let (ada, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    let user = json!({ "id": 1, "displayName": "ada", "isAdmin": true, "login": "ada", "avatarUrl": null });
    for actor in [ada, script] {
        assert_eq!(actor.get("/api/auth/me").await.ok(), json!({ "authenticated": true, "user": user }));
    }
    stage.with("nonsense").get("/api/auth/me").await.refused(401, "not a token");
}
