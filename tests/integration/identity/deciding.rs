//! Linking an account that has a password: its owner decides what happens to earlier access.

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{Undecided, departs, renewed, returns, signs_in, stage, stage_with};
use crate::{
    sign_in::second_factor::{code, enable},
    support::{PASSWORD, Stage, oidc::OidcDouble},
};

/// Adds Bob, who has a password and the email address that the provider vouches for.
fn bob(stage: &Stage, double: &OidcDouble) -> i64 {
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    double.state().people.insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true }));
    bob
}

/// Bob comes back from the provider and has to decide.
async fn undecided(stage: &Stage, double: &OidcDouble) -> Undecided {
    let browser = departs(stage, "").await;
    let reply = returns(stage, &browser, &double.agrees("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/link-account");
    Undecided::of(&reply)
}

fn keep() -> Value {
    json!({ "access": "keep", "password": PASSWORD })
}

fn links(stage: &Stage) -> i64 {
    stage.count("SELECT count(*) FROM user_identity")
}

#[tokio::test]
async fn an_owner_who_gives_the_password_keeps_sessions_and_tokens() {
    let (stage, double) = stage().await;
    let bob = bob(&stage, &double);
    let (session, script) = (stage.sign_in("bob").await, stage.script_of("bob").await);
    let browser = undecided(&stage, &double).await;
    assert_eq!(links(&stage), 0, "nothing is linked before the decision");

    let pending = browser.reads(&stage).await.ok();
    assert_eq!((&pending["login"], &pending["email"]), (&json!("bob"), &json!("bob@example.org")));
    assert_eq!((&pending["needsCode"], &pending["ends"]), (&json!(false), &json!(["password", "sessions", "tokens"])));
    assert_eq!(pending["expiresAt"], stage.clock.now() + 10 * MINUTE);

    let reply = browser.decides(&stage, keep()).await;
    assert_eq!((&reply.ok()["ended"], &reply.ok()["user"]["id"]), (&json!([]), &json!(bob)));
    assert_eq!(renewed(&stage, &reply).await.get("/api/me").await.ok()["id"], bob);
    session.get("/api/me").await.ok();
    script.get("/api/me").await.ok();
    stage.sign_in("bob").await;
    let kept = "SELECT count(*) FROM audit WHERE kind = 'user.link' AND details ->> 'accessKept' = 1";
    assert_eq!(stage.count(kept), 1);
    // The identity is known now: the next sign-in has nothing to decide.
    assert_eq!(signs_in(&stage, &double, "user_bob").await.get("/api/me").await.ok()["id"], bob);
}

#[tokio::test]
async fn a_wrong_password_links_nothing_and_counts_like_a_sign_in() {
    let (stage, double) = stage().await;
    bob(&stage, &double);
    let session = stage.sign_in("bob").await;
    let browser = undecided(&stage, &double).await;
    let guess = json!({ "access": "keep", "password": "guess" });
    browser.decides(&stage, json!({ "access": "keep" })).await.refused(400, "password: is required");
    for _ in 0..5 {
        browser.decides(&stage, guess.clone()).await.refused(401, "the password is wrong; nothing was linked");
    }
    let refused = stage.count("SELECT count(*) FROM audit WHERE kind = 'session.refuse'");
    assert!(refused > 0, "refusals are in the audit log");
    // The same budget as password sign-in, for the right password too.
    browser.decides(&stage, keep()).await.refused(429, "too many");
    let login = json!({ "login": "bob", "password": PASSWORD });
    stage.anonymous().post("/api/auth/login", login).await.refused(429, "too many");
    assert_eq!(links(&stage), 0);
    session.get("/api/me").await.ok();
    stage.clock.advance(MINUTE);
    assert_eq!(browser.decides(&stage, keep()).await.ok()["ended"], json!([]));
}

#[tokio::test]
async fn keeping_access_needs_a_code_while_two_factor_authentication_is_on() {
    let (stage, double) = stage().await;
    bob(&stage, &double);
    let session = stage.sign_in("bob").await;
    let (secret, recovery) = enable(&stage, &session).await;
    let browser = undecided(&stage, &double).await;
    assert_eq!(browser.reads(&stage).await.ok()["needsCode"], true);
    browser.decides(&stage, keep()).await.refused(400, "code: is required");
    let with = |code: &str| json!({ "access": "keep", "password": PASSWORD, "code": code });
    browser.decides(&stage, with("000000")).await.refused(401, "the code is wrong");
    let wrong = json!({ "access": "keep", "password": "guess", "code": code(&stage, &secret, 0) });
    browser.decides(&stage, wrong).await.refused(401, "the password is wrong");
    assert_eq!(links(&stage), 0);
    let right = code(&stage, &secret, 0);
    assert_eq!(browser.decides(&stage, with(&right)).await.ok()["ended"], json!([]));
    assert_eq!(session.get("/api/me/second-factor").await.ok()["enabled"], true);
    assert_eq!(links(&stage), 1);
    assert_eq!(recovery.len(), 10);
}

#[tokio::test]
async fn a_recovery_code_keeps_access_and_codes_are_limited() {
    let (stage, double) = stage().await;
    bob(&stage, &double);
    let session = stage.sign_in("bob").await;
    let (_, recovery) = enable(&stage, &session).await;
    let browser = undecided(&stage, &double).await;
    let with = |code: &str| json!({ "access": "keep", "password": PASSWORD, "code": code });
    for _ in 0..5 {
        browser.decides(&stage, with("000000")).await.refused(401, "the code is wrong");
    }
    browser.decides(&stage, with(&recovery[0])).await.refused(429, "too many");
    stage.clock.advance(5 * MINUTE);
    browser.decides(&stage, with(&recovery[0])).await.ok();
    assert_eq!(links(&stage), 1);
}

#[tokio::test]
async fn a_decision_is_made_once_in_one_browser_and_within_ten_minutes() {
    let (stage, double) = stage().await;
    bob(&stage, &double);
    let browser = undecided(&stage, &double).await;
    let id = browser.reads(&stage).await.ok()["id"].clone();
    // Another browser, a page of another site, another tab's link, a forged cookie.
    let end = || json!({ "id": id, "access": "end" });
    stage.anonymous().get("/api/auth/oidc/link").await.refused(404, "pending account link not found");
    stage.anonymous().post("/api/auth/oidc/link", end()).await.refused(404, "pending account link not found");
    let elsewhere = stage.anonymous().header("cookie", &browser.cookie);
    let foreign = elsewhere.header("origin", "https://evil.example");
    for actor in [&elsewhere, &foreign] {
        actor.post("/api/auth/oidc/link", end()).await.refused(403, "Origin");
    }
    browser.sends(&stage, json!("other"), end()).await.refused(409, "another sign-in");
    let forged = Undecided { cookie: "planroom_link=AAAA".into() };
    forged.sends(&stage, id.clone(), end()).await.refused(404, "pending account link not found");
    assert_eq!(links(&stage), 0);

    let late = undecided(&stage, &double).await;
    browser.sends(&stage, id.clone(), end()).await.ok();
    browser.sends(&stage, id.clone(), end()).await.refused(409, "the account changed");
    browser.reads(&stage).await.refused(404, "pending account link not found");
    late.reads(&stage).await.refused(404, "pending account link not found");
    stage.clock.advance(10 * MINUTE);
    browser.sends(&stage, id.clone(), end()).await.refused(404, "pending account link not found");
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'user.link'"), 1);
}

#[tokio::test]
async fn an_account_that_has_changed_meanwhile_is_not_linked() {
    let (stage, double) = stage().await;
    let bob = bob(&stage, &double);
    let ada = stage.sign_in("ada").await;
    let decided = async |browser: &Undecided, id: &Value| browser.sends(&stage, id.clone(), keep()).await;
    let browser = undecided(&stage, &double).await;
    let id = browser.reads(&stage).await.ok()["id"].clone();

    let path = format!("/api/admin/users/{bob}");
    ada.patch(&path, json!({ "isSuspended": true })).await.ok();
    assert_eq!(decided(&browser, &id).await.refused(403, "suspended")["code"], "account_suspended");
    browser.reads(&stage).await.refused(404, "pending account link not found");
    ada.patch(&path, json!({ "isSuspended": false, "email": "robert@example.org" })).await.ok();
    decided(&browser, &id).await.refused(409, "the account changed");
    ada.patch(&path, json!({ "email": "bob@example.org" })).await.ok();
    browser.reads(&stage).await.ok();
    let session = stage.sign_in("bob").await;
    let change = json!({ "current": PASSWORD, "next": "another horse battery staple" });
    session.post("/api/me/password", change).await.ok();
    decided(&browser, &id).await.refused(409, "the account changed");
    assert_eq!(links(&stage), 0);
}

#[tokio::test]
async fn the_password_keeps_tokens_where_the_provider_is_the_only_way_in() {
    let (stage, double) = stage_with(|config| config.identity.oidc.sso_only = true).await;
    bob(&stage, &double);
    // A password that the operator has just set is accepted for an hour.
    stage.sql(|conn| conn.execute("UPDATE user SET password_open_until = 9e15 WHERE login = 'bob'", []).unwrap());
    let script = stage.script_of("bob").await;
    stage.sql(|conn| conn.execute("UPDATE user SET password_open_until = NULL WHERE login = 'bob'", []).unwrap());
    let browser = undecided(&stage, &double).await;
    let reply = browser.decides(&stage, keep()).await;
    assert_eq!(reply.ok()["ended"], json!([]));
    renewed(&stage, &reply).await.get("/api/me").await.ok();
    script.get("/api/me").await.ok();
}

#[tokio::test]
async fn groups_and_organizations_of_the_assertion_take_effect_with_the_decision() {
    let (stage, double) = stage_with(|config| {
        config.identity.oidc.groups_claims = vec!["groups".into()];
        config.identity.oidc.instance_admin_groups = vec!["operators".into()];
    })
    .await;
    bob(&stage, &double);
    // Far more than a cookie holds: groups that decide nothing are not stored.
    let mut groups: Vec<String> = (0..400).map(|n| format!("a-group-that-decides-nothing-{n}")).collect();
    groups.push("/operators".into());
    double.state().claims = json!({ "groups": groups, "org_id": "org_nine", "org_role": "admin", "org_slug": "nine" });
    let browser = undecided(&stage, &double).await;
    assert!(browser.cookie.len() < 4_000, "{}", browser.cookie.len());
    assert_eq!(stage.count("SELECT count(*) FROM organization WHERE id = 'org_nine'"), 0);
    let reply = browser.decides(&stage, keep()).await;
    assert_eq!((&reply.ok()["session"]["orgSlug"], &reply.ok()["user"]["isAdmin"]), (&json!("nine"), &json!(true)));
}

#[tokio::test]
async fn signing_out_at_the_provider_still_knows_whose_session_it_is() {
    let (stage, double) = stage_with(|config| config.identity.oidc.sign_out = true).await;
    bob(&stage, &double);
    let browser = departs(&stage, "").await;
    let reply = returns(&stage, &browser, &double.agrees("user_bob", &browser.location)).await;
    let cookies: Vec<&str> = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let hint = cookies.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    assert!(hint.contains("Max-Age=600"), "{hint}");
    let both = format!("{}; {}", Undecided::of(&reply).cookie, hint.split(';').next().unwrap());
    let reply = Undecided { cookie: both }.decides(&stage, keep()).await;
    reply.ok();
    let set = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let set: Vec<String> = set.collect();
    let is_kept =
        |cookie: &String| cookie.starts_with(hint.split(';').next().unwrap()) && !cookie.contains("Max-Age=600");
    assert!(set.iter().any(is_kept), "{set:?}");
    assert!(set.iter().any(|cookie| cookie.starts_with("planroom_link=;")), "{set:?}");
}
