//! Account lookup: by issuer and subject, by verified email address, or a new account.

use axum::http::Method;
use planroom::mcp::oauth::admit;
use serde_json::{Value, json};

use super::{bearer, server, sign_in_as};
use crate::{
    notes::images::png,
    oauth::{OAuthClient, token},
    support::{PASSWORD, TestClient, TestServer, oidc::FakeIdp},
};

/// Signs in with these claims. Returns the account ID.
async fn sign_in_with_email(server: &TestServer, idp: &FakeIdp, subject: &str, said: Value) -> i64 {
    idp.state().people.insert(subject.into(), said);
    sign_in_as(server, idp, subject).await.get("/api/me").await.ok()["id"].as_i64().unwrap()
}

async fn account(server: &TestServer, login: &str, email: &str) -> i64 {
    let new = json!({ "login": login, "displayName": login, "email": email });
    let ada = server.sign_in("ada").await;
    ada.post("/api/admin/users", new).await.created()["user"]["id"].as_i64().unwrap()
}

#[tokio::test]
async fn an_account_is_linked_only_by_a_verified_email_address() {
    let (server, idp) = server().await;
    let bob = account(&server, "bob", "Bob@Example.org").await;
    for unverified in [json!({}), json!({ "email_verified": false }), json!({ "email_verified": "no" })] {
        let mut said = unverified.clone();
        said["email"] = json!("bob@example.org");
        let stranger = sign_in_with_email(&server, &idp, &format!("user_{unverified}"), said).await;
        assert_ne!(stranger, bob, "{unverified}");
    }
    let said = json!({ "email": "bob@example.org", "email_verified": true, "name": "Robert" });
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", said.clone()).await, bob);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'user.link'"), 1);
    // From now on only the subject counts, and another subject with this email address is another account.
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", json!({ "email": "new@example.org" })).await, bob);
    assert_ne!(sign_in_with_email(&server, &idp, "user_second", said).await, bob);
}

/// Otherwise, users could make others sign in to an account whose password they know.
#[tokio::test]
async fn an_email_address_that_its_user_entered_links_nothing_until_it_is_confirmed() {
    let (server, idp) = server().await;
    let squatter = server.seed_user("bob");
    let bob = server.sign_in("bob").await;
    let own = json!({ "email": "boss@example.org", "password": PASSWORD });
    bob.patch("/api/auth/me", own).await.ok();
    let said = json!({ "email": "boss@example.org", "email_verified": true });
    assert_ne!(sign_in_with_email(&server, &idp, "user_boss", said).await, squatter);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'user.link'"), 0);

    let max = json!({ "email": "max@example.org", "password": PASSWORD });
    bob.patch("/api/auth/me", max).await.ok();
    let ada = server.sign_in("ada").await;
    let path = format!("/api/admin/users/{squatter}");
    ada.patch(&path, json!({ "email": "max@example.org" })).await.ok();
    let said = json!({ "email": "max@example.org", "email_verified": true });
    assert_eq!(sign_in_with_email(&server, &idp, "user_max", said).await, squatter);
}

#[tokio::test]
async fn the_profile_of_a_user_of_the_provider_is_changed_at_the_provider() {
    let (server, idp) = server().await;
    let said = json!({ "email": "bob@example.org", "email_verified": true, "name": "Robert" });
    sign_in_with_email(&server, &idp, "user_bob", said).await;
    let bob = sign_in_as(&server, &idp, "user_bob").await;
    for change in [json!({ "displayName": "Bob" }), json!({ "email": "new@example.org" }), json!({})] {
        bob.patch("/api/auth/me", change).await.expect_error(409, "the identity provider manages");
    }
    let user = bob.get("/api/auth/me").await.ok()["user"].clone();
    assert_eq!((&user["displayName"], &user["email"]), (&json!("Robert"), &json!("bob@example.org")));
    assert_eq!(user["emailConfirmed"], true);
}

#[tokio::test]
async fn an_email_address_of_two_accounts_links_neither() {
    let (server, idp) = server().await;
    let (bob, rob) = (account(&server, "bob", "b@example.org").await, account(&server, "rob", "B@example.org").await);
    let third =
        sign_in_with_email(&server, &idp, "user_bob", json!({ "email": "b@example.org", "email_verified": true }))
            .await;
    assert!(![bob, rob].contains(&third));
}

#[tokio::test]
async fn a_login_that_looks_like_an_email_address_links_nothing() {
    let (server, idp) = server().await;
    let squatter = server.seed_user("boss@example.org");
    let said = json!({ "email": "boss@example.org", "email_verified": true, "preferred_username": "boss@example.org" });
    let boss = sign_in_with_email(&server, &idp, "user_boss", said).await;
    assert_ne!(boss, squatter);
    assert_eq!(server.count("SELECT count(*) FROM user WHERE login = 'boss@example.org-2'"), 1);
}

#[tokio::test]
async fn a_linked_user_keeps_their_person() {
    let (server, idp) = server().await;
    let bob = account(&server, "bob", "bob@example.org").await;
    server.join(bob, "acme", "org:member");
    let ada = server.sign_in("ada").await;
    let count = server.count("SELECT count(*) FROM person");
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", said).await, bob);
    assert_eq!(server.count("SELECT count(*) FROM person"), count);
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
async fn a_suspended_account_is_linked_and_stays_suspended() {
    let (server, idp) = server().await;
    let bob = account(&server, "bob", "bob@example.org").await;
    server.sign_in("ada").await.patch(&format!("/api/admin/users/{bob}"), json!({ "isSuspended": true })).await.ok();
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    idp.state().people.insert("user_bob".into(), said.clone());
    let browser = super::start_sign_in(&server, "").await;
    let reply = super::follow_callback(&server, &browser, &idp.authorize("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?problem=suspended");
    let mut claims = said;
    claims["sub"] = json!("user_bob");
    bearer(&server, &idp, claims).get("/api/me").await.expect_error(403, "suspended");
    assert_eq!(server.count("SELECT count(*) FROM session WHERE user_id = 2"), 0);
}

#[tokio::test]
async fn linking_ends_all_earlier_access_and_records_it() {
    let (server, idp) = server().await;
    let bob = server.seed_member("bob", "acme", "org:admin");
    server.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    // Mallory opened the invitation that was meant for Bob.
    let mallory = server.sign_in("bob").await;
    let script = server.script_client("bob").await;
    let tokens = OAuthClient::new(&server).await.tokens(&mallory, false).await;
    let org = mallory.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invited = mallory.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    crate::sign_in::second_factor::enable(&server, &mallory).await;

    idp.state().people.insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true }));
    let browser = super::start_sign_in(&server, "?next=/account").await;
    let reply = super::follow_callback(&server, &browser, &idp.authorize("user_bob", &browser.location)).await;
    assert_eq!(reply.header("location"), "/link-account?next=%2Faccount");
    let reply = super::PendingLink::of(&reply).decides(&server, json!({ "access": "end" })).await;
    let ended = json!(["password", "second-factor", "sessions", "tokens", "connectors"]);
    assert_eq!(reply.ok()["ended"], ended);
    let me = super::renewed(&server, &reply).await;
    assert_eq!(me.get("/api/me").await.ok()["id"], bob);
    assert_eq!(me.get("/api/me/second-factor").await.ok()["enabled"], false);

    mallory.get("/api/me").await.expect_error(401, "ended");
    script.get("/api/me").await.expect_error(401, "revoked");
    assert!(admit(&server.app.gate, &token(&tokens, "access_token"), "").await.is_err());
    let sign_in = json!({ "login": "bob", "password": PASSWORD });
    server.anonymous().post("/api/auth/login", sign_in).await.expect_error(401, "wrong");
    let link = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    server.anonymous().get(&link).await.expect_error(404, "invitation");
    let details: String = server.sql(|conn| {
        conn.query_row("SELECT details FROM audit WHERE kind = 'user.link'", [], |row| row.get(0)).unwrap()
    });
    let details: Value = serde_json::from_str(&details).unwrap();
    assert_eq!((&details["passwordRemoved"], &details["tokensRevoked"]), (&json!(true), &json!(1)));
    // The next sign-in records nothing.
    assert_eq!(super::sign_in_as(&server, &idp, "user_bob").await.get("/api/me").await.ok()["id"], bob);
}

#[tokio::test]
async fn a_bearer_token_that_links_an_account_ends_earlier_access_too() {
    let (server, idp) = server().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET email = 'bob@example.org' WHERE id = ?", [bob]).unwrap());
    let mallory = server.sign_in("bob").await;
    let said = json!({ "sub": "user_bob", "email": "bob@example.org", "email_verified": true });
    assert_eq!(bearer(&server, &idp, said).get("/api/me").await.ok()["id"], bob);
    mallory.get("/api/me").await.expect_error(401, "ended");
}

#[tokio::test]
async fn a_photo_that_a_user_uploaded_ends_with_the_management_of_their_profile() {
    let (server, idp) = server().await;
    let bob_id = server.seed_user("bob");
    let bob = server.sign_in("bob").await;
    let upload = async |client: &TestClient<'_>| {
        client.send_raw(Method::PUT, "/api/me/photo", Some("image/png"), png(20, 20)).await
    };
    upload(&bob).await.ok();
    let ada = server.sign_in("ada").await;
    let confirmed = json!({ "email": "bob@example.org" });
    ada.patch(&format!("/api/admin/users/{bob_id}"), confirmed).await.ok();
    // Without a picture at the provider, the photo stays.
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", said.clone()).await, bob_id);
    assert_eq!(server.count("SELECT count(*) FROM user_photo"), 1);
    let mut with_picture = said;
    with_picture["picture"] = json!("https://id.example.org/bob.png");
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", with_picture).await, bob_id);
    assert_eq!(server.count("SELECT count(*) FROM user_photo"), 0);
    let bob = sign_in_as(&server, &idp, "user_bob").await;
    assert_eq!(bob.get("/api/me").await.ok()["avatarUrl"], "https://id.example.org/bob.png");
    // From now on, the photo is changed at the provider.
    upload(&bob).await.expect_error(409, "the identity provider manages");
    bob.delete("/api/me/photo").await.expect_error(409, "the identity provider manages");
}

#[tokio::test]
async fn a_photo_that_a_user_uploaded_can_be_removed_even_if_the_provider_manages_their_profile() {
    let (server, idp) = server().await;
    let bob_id = account(&server, "bob", "bob@example.org").await;
    server.sql(|conn| {
        let sql = "UPDATE user SET password_hash = (SELECT password_hash FROM user WHERE login = 'ada') WHERE id = ?";
        conn.execute(sql, [bob_id]).unwrap();
    });
    let before = server.sign_in("bob").await;
    before.send_raw(Method::PUT, "/api/me/photo", Some("image/png"), png(20, 20)).await.ok();
    let said = json!({ "email": "bob@example.org", "email_verified": true });
    assert_eq!(sign_in_with_email(&server, &idp, "user_bob", said).await, bob_id);
    let bob = sign_in_as(&server, &idp, "user_bob").await;
    let upload = bob.send_raw(Method::PUT, "/api/me/photo", Some("image/png"), png(30, 30)).await;
    upload.expect_error(409, "the identity provider manages");
    assert_eq!(server.count("SELECT count(*) FROM user_photo"), 1);
    let removed = bob.delete("/api/me/photo").await.ok()["user"].clone();
    assert_eq!((&removed["id"], &removed["avatarUrl"]), (&json!(bob_id), &Value::Null));
    assert_eq!(server.count("SELECT count(*) FROM user_photo"), 0);
    // The address remains confirmed, so that the account stays linked to it.
    assert_eq!(removed["emailConfirmed"], true);
    bob.delete("/api/me/photo").await.expect_error(409, "the identity provider manages");
}
