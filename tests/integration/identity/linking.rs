//! Whose account it is: by issuer and subject, by a verified address, or a new one.

use planroom::mcp::oauth::admit;
use serde_json::{Value, json};

use super::{bearer, signs_in, stage};
use crate::{
    oauth::{Program, token},
    support::{PASSWORD, Stage, oidc::OidcDouble},
};

/// The id of the account that somebody with this address comes to.
async fn comes_to(stage: &Stage, double: &OidcDouble, subject: &str, said: Value) -> i64 {
    double.state().people.insert(subject.into(), said);
    signs_in(stage, double, subject).await.get("/api/me").await.ok()["id"].as_i64().unwrap()
}

async fn account(stage: &Stage, login: &str, email: &str) -> i64 {
    let new = json!({ "login": login, "displayName": login, "email": email });
    let ada = stage.sign_in("ada").await;
    ada.post("/api/admin/users", new).await.created()["user"]["id"].as_i64().unwrap()
}

#[tokio::test]
async fn an_account_is_linked_by_an_address_that_is_verified_and_only_by_one() {
    let (stage, double) = stage().await;
    let bob = account(&stage, "bob", "Bob@Example.org").await;
    for unverified in [json!({}), json!({ "email_verified": false }), json!({ "email_verified": "no" })] {
        let mut said = unverified.clone();
        said["email"] = json!("bob@example.org");
        let stranger = comes_to(&stage, &double, &format!("user_{unverified}"), said).await;
        assert_ne!(stranger, bob, "{unverified}");
    }
    let said = json!({ "email": "bob@example.org", "email_verified": true, "name": "Robert" });
    assert_eq!(comes_to(&stage, &double, "user_bob", said.clone()).await, bob);
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'user.link'"), 1);
    // From now on the subject counts, whatever the address; and another subject with it is somebody else.
    assert_eq!(comes_to(&stage, &double, "user_bob", json!({ "email": "new@example.org" })).await, bob);
    assert_ne!(comes_to(&stage, &double, "user_second", said).await, bob);
}

#[tokio::test]
async fn an_address_that_two_accounts_have_is_neithers() {
    let (stage, double) = stage().await;
    let (bob, rob) = (account(&stage, "bob", "b@example.org").await, account(&stage, "rob", "B@example.org").await);
    let third =
        comes_to(&stage, &double, "user_bob", json!({ "email": "b@example.org", "email_verified": true })).await;
    assert!(![bob, rob].contains(&third));
}

#[tokio::test]
async fn a_login_that_looks_like_an_address_links_nothing() {
    let (stage, double) = stage().await;
    let squatter = stage.seed_user("boss@example.org");
    let said = json!({ "email": "boss@example.org", "email_verified": true, "preferred_username": "boss@example.org" });
    let boss = comes_to(&stage, &double, "user_boss", said).await;
    assert_ne!(boss, squatter);
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE login = 'boss@example.org-2'"), 1);
}

#[tokio::test]
async fn whoever_is_linked_is_the_same_person_on_the_maps() {
    let (stage, double) = stage().await;
    let bob = account(&stage, "bob", "bob@example.org").await;
    stage.join(bob, "acme", "org:member");
    let ada = stage.sign_in("ada").await;
    let count = stage.count("SELECT count(*) FROM person");
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    assert_eq!(comes_to(&stage, &double, "user_bob", said).await, bob);
    assert_eq!(stage.count("SELECT count(*) FROM person"), count);
    let people = ada.get("/api/people").await.ok();
    let person = people["people"].as_array().unwrap().iter().find(|person| person["userId"] == bob);
    if let Some(person) = person {
        assert_eq!(person["clerkUserId"], "user_bob");
    }
    let users = ada.get("/api/admin/users").await.ok();
    let providers: Vec<&Value> = users["users"].as_array().unwrap().iter().map(|user| &user["provider"]).collect();
    assert_eq!(providers, ["local", "oidc"]);
}

#[tokio::test]
async fn a_suspended_account_is_found_and_stays_closed() {
    let (stage, double) = stage().await;
    let bob = account(&stage, "bob", "bob@example.org").await;
    stage.sign_in("ada").await.patch(&format!("/api/admin/users/{bob}"), json!({ "isSuspended": true })).await.ok();
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    double.state().people.insert("user_bob".into(), said.clone());
    let browser = super::departs(&stage, "").await;
    let reply = super::returns(&stage, &browser, &double.agrees("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?problem=suspended");
    let mut claims = said;
    claims["sub"] = json!("user_bob");
    bearer(&stage, &double, claims).get("/api/me").await.refused(403, "suspended");
    assert_eq!(stage.count("SELECT count(*) FROM session WHERE user_id = 2"), 0);
}

#[tokio::test]
async fn linking_ends_every_earlier_way_into_the_account_and_says_so() {
    let (stage, double) = stage().await;
    let bob = stage.seed_member("bob", "acme", "org:admin");
    stage.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    // Mallory opened the invitation that was meant for Bob.
    let mallory = stage.sign_in("bob").await;
    let script = stage.script_of("bob").await;
    let tokens = Program::new(&stage).await.tokens(&mallory, false).await;
    let org = mallory.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invited = mallory.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    crate::sign_in::second_factor::enable(&stage, &mallory).await;

    double.state().people.insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true }));
    let browser = super::departs(&stage, "?next=/account").await;
    let reply = super::returns(&stage, &browser, &double.agrees("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/link-account?next=%2Faccount");
    let reply = super::Undecided::of(&reply).decides(&stage, json!({ "access": "end" })).await;
    let ended = json!(["password", "second-factor", "sessions", "tokens", "connectors"]);
    assert_eq!(reply.ok()["ended"], ended);
    let me = super::renewed(&stage, &reply).await;
    assert_eq!(me.get("/api/me").await.ok()["id"], bob);
    assert_eq!(me.get("/api/me/second-factor").await.ok()["enabled"], false);

    mallory.get("/api/me").await.refused(401, "ended");
    script.get("/api/me").await.refused(401, "revoked");
    assert!(admit(&stage.app.gate, &token(&tokens, "access_token"), "").await.is_err());
    let sign_in = json!({ "login": "bob", "password": PASSWORD });
    stage.anonymous().post("/api/auth/login", sign_in).await.refused(401, "wrong");
    let link = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    stage.anonymous().get(&link).await.refused(404, "invitation");
    let details: String = stage.sql(|conn| {
        conn.query_row("SELECT details FROM audit WHERE kind = 'user.link'", [], |row| row.get(0)).unwrap()
    });
    let details: Value = serde_json::from_str(&details).unwrap();
    assert_eq!((&details["passwordRemoved"], &details["tokensRevoked"]), (&json!(true), &json!(1)));
    // The next time there is nothing to say.
    assert_eq!(super::signs_in(&stage, &double, "user_bob").await.get("/api/me").await.ok()["id"], bob);
}

#[tokio::test]
async fn a_token_of_the_provider_that_links_an_account_ends_as_much() {
    let (stage, double) = stage().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    stage.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    let mallory = stage.sign_in("bob").await;
    let said = json!({ "sub": "user_bob", "email": "bob@example.org", "email_verified": true });
    assert_eq!(bearer(&stage, &double, said).get("/api/me").await.ok()["id"], bob);
    mallory.get("/api/me").await.refused(401, "ended");
}
