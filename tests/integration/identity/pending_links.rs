//! Linking an account that has a password: its owner decides what happens to earlier access.

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{PendingLink, follow_callback, renewed, server, server_with, sign_in_as, start_sign_in};
use crate::{
    sign_in::second_factor::{code, enable},
    support::{PASSWORD, TestServer, oidc::FakeIdp},
};

/// Adds Bob, who has a password and the email address that the provider verifies.
fn bob(server: &TestServer, idp: &FakeIdp) -> i64 {
    let bob = server.seed_member("bob", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    idp.state().people.insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true }));
    bob
}

/// Bob returns from the provider and has to decide.
async fn undecided(server: &TestServer, idp: &FakeIdp) -> PendingLink {
    let browser = start_sign_in(server, "").await;
    let reply = follow_callback(server, &browser, &idp.authorize("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/link-account");
    PendingLink::of(&reply)
}

fn keep() -> Value {
    json!({ "access": "keep", "password": PASSWORD })
}

fn links(server: &TestServer) -> i64 {
    server.count("SELECT count(*) FROM user_identity")
}

#[tokio::test]
async fn an_owner_who_enters_the_password_keeps_sessions_and_tokens() {
    let (server, idp) = server().await;
    let bob = bob(&server, &idp);
    let (session, script) = (server.sign_in("bob").await, server.script_client("bob").await);
    let browser = undecided(&server, &idp).await;
    assert_eq!(links(&server), 0, "nothing is linked before the decision");

    let pending = browser.reads(&server).await.ok();
    assert_eq!((&pending["login"], &pending["email"]), (&json!("bob"), &json!("bob@example.org")));
    assert_eq!((&pending["needsCode"], &pending["ends"]), (&json!(false), &json!(["password", "sessions", "tokens"])));
    assert_eq!(pending["expiresAt"], server.clock.now() + 10 * MINUTE);

    let reply = browser.decides(&server, keep()).await;
    assert_eq!((&reply.ok()["ended"], &reply.ok()["user"]["id"]), (&json!([]), &json!(bob)));
    assert_eq!(renewed(&server, &reply).await.get("/api/me").await.ok()["id"], bob);
    session.get("/api/me").await.ok();
    script.get("/api/me").await.ok();
    server.sign_in("bob").await;
    let kept = "SELECT count(*) FROM audit WHERE kind = 'user.link' AND details ->> 'accessKept' = 1";
    assert_eq!(server.count(kept), 1);
    // The identity is linked: the next sign-in requires no decision.
    assert_eq!(sign_in_as(&server, &idp, "user_bob").await.get("/api/me").await.ok()["id"], bob);
}

#[tokio::test]
async fn a_wrong_password_links_nothing_and_counts_as_a_failed_sign_in() {
    let (server, idp) = server().await;
    bob(&server, &idp);
    let session = server.sign_in("bob").await;
    let browser = undecided(&server, &idp).await;
    let guess = json!({ "access": "keep", "password": "guess" });
    browser.decides(&server, json!({ "access": "keep" })).await.expect_error(400, "password: is required");
    for _ in 0..5 {
        browser.decides(&server, guess.clone()).await.expect_error(401, "the password is wrong; nothing was linked");
    }
    let refused = server.count("SELECT count(*) FROM audit WHERE kind = 'session.refuse'");
    assert!(refused > 0, "refusals are in the audit log");
    // The same rate limit as for sign-in applies, even for the right password.
    browser.decides(&server, keep()).await.expect_error(429, "too many");
    let login = json!({ "login": "bob", "password": PASSWORD });
    server.anonymous().post("/api/auth/login", login).await.expect_error(429, "too many");
    assert_eq!(links(&server), 0);
    session.get("/api/me").await.ok();
    server.clock.advance(MINUTE);
    assert_eq!(browser.decides(&server, keep()).await.ok()["ended"], json!([]));
}

#[tokio::test]
async fn keeping_access_requires_a_code_if_two_factor_authentication_is_on() {
    let (server, idp) = server().await;
    bob(&server, &idp);
    let session = server.sign_in("bob").await;
    let (secret, recovery) = enable(&server, &session).await;
    let browser = undecided(&server, &idp).await;
    assert_eq!(browser.reads(&server).await.ok()["needsCode"], true);
    browser.decides(&server, keep()).await.expect_error(400, "code: is required");
    let with = |code: &str| json!({ "access": "keep", "password": PASSWORD, "code": code });
    browser.decides(&server, with("000000")).await.expect_error(401, "the code is wrong");
    let wrong = json!({ "access": "keep", "password": "guess", "code": code(&server, &secret, 0) });
    browser.decides(&server, wrong).await.expect_error(401, "the password is wrong");
    assert_eq!(links(&server), 0);
    let right = code(&server, &secret, 0);
    assert_eq!(browser.decides(&server, with(&right)).await.ok()["ended"], json!([]));
    assert_eq!(session.get("/api/me/second-factor").await.ok()["enabled"], true);
    assert_eq!(links(&server), 1);
    assert_eq!(recovery.len(), 10);
}

#[tokio::test]
async fn a_recovery_code_keeps_access_and_attempts_are_limited() {
    let (server, idp) = server().await;
    bob(&server, &idp);
    let session = server.sign_in("bob").await;
    let (_, recovery) = enable(&server, &session).await;
    let browser = undecided(&server, &idp).await;
    let with = |code: &str| json!({ "access": "keep", "password": PASSWORD, "code": code });
    for _ in 0..5 {
        browser.decides(&server, with("000000")).await.expect_error(401, "the code is wrong");
    }
    browser.decides(&server, with(&recovery[0])).await.expect_error(429, "too many");
    server.clock.advance(5 * MINUTE);
    browser.decides(&server, with(&recovery[0])).await.ok();
    assert_eq!(links(&server), 1);
}

#[tokio::test]
async fn a_decision_is_made_once_in_one_browser_within_ten_minutes() {
    let (server, idp) = server().await;
    bob(&server, &idp);
    let browser = undecided(&server, &idp).await;
    let id = browser.reads(&server).await.ok()["id"].clone();
    // Another browser, a page of another site, another tab's link, a forged cookie.
    let end = || json!({ "id": id, "access": "end" });
    server.anonymous().get("/api/auth/oidc/link").await.expect_error(404, "pending account link not found");
    server.anonymous().post("/api/auth/oidc/link", end()).await.expect_error(404, "pending account link not found");
    let elsewhere = server.anonymous().header("cookie", &browser.cookie);
    let foreign = elsewhere.header("origin", "https://evil.example");
    for client in [&elsewhere, &foreign] {
        client.post("/api/auth/oidc/link", end()).await.expect_error(403, "Origin");
    }
    browser.sends(&server, json!("other"), end()).await.expect_error(409, "another sign-in");
    let forged = PendingLink { cookie: "planroom_link=AAAA".into() };
    forged.sends(&server, id.clone(), end()).await.expect_error(404, "pending account link not found");
    assert_eq!(links(&server), 0);

    let late = undecided(&server, &idp).await;
    browser.sends(&server, id.clone(), end()).await.ok();
    browser.sends(&server, id.clone(), end()).await.expect_error(409, "the account changed");
    browser.reads(&server).await.expect_error(404, "pending account link not found");
    late.reads(&server).await.expect_error(404, "pending account link not found");
    server.clock.advance(10 * MINUTE);
    browser.sends(&server, id.clone(), end()).await.expect_error(404, "pending account link not found");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'user.link'"), 1);
}

#[tokio::test]
async fn an_account_changed_in_the_meantime_is_not_linked() {
    let (server, idp) = server().await;
    let bob = bob(&server, &idp);
    let ada = server.sign_in("ada").await;
    let decided = async |browser: &PendingLink, id: &Value| browser.sends(&server, id.clone(), keep()).await;
    let browser = undecided(&server, &idp).await;
    let id = browser.reads(&server).await.ok()["id"].clone();

    let path = format!("/api/admin/users/{bob}");
    ada.patch(&path, json!({ "isSuspended": true })).await.ok();
    assert_eq!(decided(&browser, &id).await.expect_error(403, "suspended")["code"], "account_suspended");
    browser.reads(&server).await.expect_error(404, "pending account link not found");
    ada.patch(&path, json!({ "isSuspended": false, "email": "robert@example.org" })).await.ok();
    decided(&browser, &id).await.expect_error(409, "the account changed");
    ada.patch(&path, json!({ "email": "bob@example.org" })).await.ok();
    browser.reads(&server).await.ok();
    let session = server.sign_in("bob").await;
    let change = json!({ "current": PASSWORD, "next": "another horse battery staple" });
    session.post("/api/me/password", change).await.ok();
    decided(&browser, &id).await.expect_error(409, "the account changed");
    assert_eq!(links(&server), 0);
}

#[tokio::test]
async fn the_password_keeps_tokens_even_with_sso_required() {
    let (server, idp) = server_with(|config| config.identity.oidc.sso_only = true).await;
    bob(&server, &idp);
    // A password that the operator has just set is accepted for an hour.
    server.sql(|conn| conn.execute("UPDATE user SET password_open_until = 9e15 WHERE login = 'bob'", []).unwrap());
    let script = server.script_client("bob").await;
    server.sql(|conn| conn.execute("UPDATE user SET password_open_until = NULL WHERE login = 'bob'", []).unwrap());
    let browser = undecided(&server, &idp).await;
    let reply = browser.decides(&server, keep()).await;
    assert_eq!(reply.ok()["ended"], json!([]));
    renewed(&server, &reply).await.get("/api/me").await.ok();
    script.get("/api/me").await.ok();
}

#[tokio::test]
async fn groups_and_organizations_of_the_assertion_apply_with_the_decision() {
    let (server, idp) = server_with(|config| {
        config.identity.oidc.groups_claims = vec!["groups".into()];
        config.identity.oidc.instance_admin_groups = vec!["operators".into()];
    })
    .await;
    bob(&server, &idp);
    // Groups with no effect are not stored, because the claims would exceed the size of a cookie.
    let mut groups: Vec<String> = (0..400).map(|n| format!("a-group-that-decides-nothing-{n}")).collect();
    groups.push("/operators".into());
    idp.state().claims = json!({ "groups": groups, "org_id": "org_nine", "org_role": "admin", "org_slug": "nine" });
    let browser = undecided(&server, &idp).await;
    assert!(browser.cookie.len() < 4_000, "{}", browser.cookie.len());
    assert_eq!(server.count("SELECT count(*) FROM organization WHERE id = 'org_nine'"), 0);
    let reply = browser.decides(&server, keep()).await;
    assert_eq!((&reply.ok()["session"]["orgSlug"], &reply.ok()["user"]["isAdmin"]), (&json!("nine"), &json!(true)));
}

#[tokio::test]
async fn sign_out_at_the_provider_still_has_an_id_token_hint() {
    let (server, idp) = server_with(|config| config.identity.oidc.sign_out = true).await;
    bob(&server, &idp);
    let browser = start_sign_in(&server, "").await;
    let reply = follow_callback(&server, &browser, &idp.authorize("user_bob", &browser.location)).await;
    let cookies: Vec<&str> = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let hint = cookies.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    assert!(hint.contains("Max-Age=600"), "{hint}");
    let both = format!("{}; {}", PendingLink::of(&reply).cookie, hint.split(';').next().unwrap());
    let reply = PendingLink { cookie: both }.decides(&server, keep()).await;
    reply.ok();
    let set = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let set: Vec<String> = set.collect();
    let is_kept =
        |cookie: &String| cookie.starts_with(hint.split(';').next().unwrap()) && !cookie.contains("Max-Age=600");
    assert!(set.iter().any(is_kept), "{set:?}");
    assert!(set.iter().any(|cookie| cookie.starts_with("planroom_link=;")), "{set:?}");
}
