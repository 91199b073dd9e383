//! Users change their own name, photo and email address.

use planroom::clock::SECOND;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestClient, TestServer};

const ME: &str = "/api/auth/me";

/// The numbers of audit events about profiles and email addresses.
fn audited(server: &TestServer) -> (i64, i64) {
    let count = |kind: &str| server.count(&format!("SELECT count(*) FROM audit WHERE kind = '{kind}'"));
    (count("user.profile"), count("user.address"))
}

/// The account as administrators see it.
async fn account(ada: &TestClient<'_>, login: &str) -> Value {
    let users = ada.get("/api/admin/users").await.ok()["users"].clone();
    users.as_array().unwrap().iter().find(|user| user["login"] == login).unwrap().clone()
}

#[tokio::test]
async fn a_user_changes_their_name_and_photo() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    ada.create_workspace("w").await;
    server.grant("w", bob_id, "editor");
    let photo = "https://example.org/bob.png";
    let answer = bob.patch(ME, json!({ "displayName": " Bob Stone ", "avatarUrl": photo })).await.ok();
    assert_eq!(answer, bob.get(ME).await.ok());
    let user = &answer["user"];
    assert_eq!((&user["displayName"], &user["avatarUrl"]), (&json!("Bob Stone"), &json!(photo)));
    assert_eq!((&user["login"], &user["email"], &user["emailConfirmed"]), (&json!("bob"), &Value::Null, &json!(false)));
    // Everybody gets the new name with the next read.
    let members = ada.get("/api/workspaces/w/members").await.ok()["members"].clone();
    let listed = members.as_array().unwrap().iter().find(|member| member["userId"] == bob_id).unwrap();
    assert_eq!(listed["user"]["displayName"], "Bob Stone");
    assert_eq!(bob.get("/api/me").await.ok()["displayName"], "Bob Stone");
    let again = server.anonymous().post("/api/auth/login", json!({ "login": "bob", "password": PASSWORD })).await.ok();
    assert_eq!(again["user"], *user);
    assert_eq!(audited(&server), (1, 0));
    // A user can send back what they read, and an empty text removes the photo.
    bob.patch(ME, user.clone()).await.ok();
    bob.patch(ME, json!({})).await.ok();
    assert_eq!(audited(&server), (1, 0), "nothing changed");
    assert_eq!(bob.patch(ME, json!({ "avatarUrl": "" })).await.ok()["user"]["avatarUrl"], Value::Null);
    assert_eq!(bob.get("/api/me").await.ok()["displayName"], "Bob Stone");
}

#[tokio::test]
async fn an_invalid_profile_is_rejected_by_field() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (body, field) in [
        (json!({ "displayName": " " }), "displayName"),
        (json!({ "displayName": "x".repeat(201) }), "displayName"),
        (json!({ "displayName": "a\nb" }), "displayName"),
        (json!({ "avatarUrl": "javascript:alert(1)" }), "avatarUrl"),
        (json!({ "avatarUrl": format!("https://x/{}", "a".repeat(2_040)) }), "avatarUrl"),
        (json!({ "email": "ada" }), "email"),
        (json!({ "email": "ada@example.org" }), "password"),
        (json!({ "isSuspended": true }), "isSuspended"),
    ] {
        assert_eq!(ada.patch(ME, body).await.expect_error(400, field)["field"], field);
    }
    // Read-only fields are ignored.
    ada.patch(ME, json!({ "login": "root", "isAdmin": false, "emailConfirmed": true })).await.ok();
    assert_eq!(ada.get(ME).await.ok()["user"]["login"], "ada");
    assert_eq!(ada.get(ME).await.ok()["user"]["isAdmin"], true);
    assert_eq!(audited(&server), (0, 0));
    server.script_client("ada").await.patch(ME, json!({ "displayName": "A" })).await.expect_error(403, "sign");
    server.anonymous().patch(ME, json!({ "displayName": "A" })).await.expect_error(401, "Authorization");
    // Also if no password is needed.
    let long = json!({ "displayName": "Ada", "password": "a".repeat(1_001) });
    assert_eq!(ada.patch(ME, long).await.expect_error(400, "1000 characters")["field"], "password");
}

#[tokio::test]
async fn an_email_address_changes_with_the_password_and_is_not_confirmed() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let with = |email: &str, password: &str| json!({ "email": email, "password": password });
    let taken = json!({ "login": "eve", "displayName": "Eve", "email": "eve@example.org" });
    ada.post("/api/admin/users", taken).await.created();
    let wrong = bob.patch(ME, with("bob@example.org", "guess")).await.expect_error(403, "the password is wrong");
    assert_eq!(wrong["code"], Value::Null);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'password.refuse'"), 1);
    let refused = bob.patch(ME, with("EVE@example.org", PASSWORD)).await.expect_error(409, "another account");
    assert!(!refused["error"].as_str().unwrap().contains("eve"), "{refused}");
    assert_eq!(audited(&server), (0, 0));
    let user = bob.patch(ME, with(" bob@example.org ", PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&user["email"], &user["emailConfirmed"]), (&json!("bob@example.org"), &json!(false)));
    assert_eq!(audited(&server), (0, 1));
    // The same address needs no password.
    bob.patch(ME, json!({ "email": "bob@example.org", "displayName": "Bob" })).await.ok();
    assert_eq!(audited(&server), (1, 1));

    let listed = account(&ada, "bob").await;
    assert_eq!((&listed["email"], &listed["emailConfirmed"]), (&json!("bob@example.org"), &json!(false)));
    // Other changes by an administrator do not confirm it. Setting it does.
    let path = format!("/api/admin/users/{}", listed["id"]);
    assert_eq!(ada.patch(&path, json!({ "isAdmin": true })).await.ok()["user"]["emailConfirmed"], false);
    let confirmed = ada.patch(&path, json!({ "email": "bob@example.org" })).await.ok()["user"].clone();
    assert_eq!(confirmed["emailConfirmed"], true);
    assert_eq!(audited(&server), (1, 2));
    bob.patch(ME, json!({ "displayName": "Bob Stone" })).await.ok();
    assert_eq!(account(&ada, "bob").await["emailConfirmed"], true, "the address is the same");
    let removed = bob.patch(ME, with("", PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&removed["email"], &removed["emailConfirmed"]), (&Value::Null, &json!(false)));
    assert_eq!(account(&ada, "eve").await["emailConfirmed"], true);
}

#[tokio::test]
async fn password_attempts_for_an_email_address_are_rate_limited() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for _ in 0..9 {
        server.clock.advance(30 * SECOND);
        ada.patch(ME, json!({ "email": "a@example.org", "password": "guess" })).await.expect_error(403, "wrong");
    }
    let right = json!({ "email": "a@example.org", "password": PASSWORD });
    assert_eq!(ada.patch(ME, right).await.expect_error(429, "too many")["code"], "rate_limited");
    assert_eq!(ada.get(ME).await.ok()["user"]["email"], Value::Null);
}

#[tokio::test]
async fn people_follow_the_photo_of_their_user_unless_they_have_their_own() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    ada.post("/api/people", json!({ "id": "bob", "name": "Bob" })).await.created();
    server.sql(|conn| conn.execute("UPDATE person SET user_id = ? WHERE id = 'bob'", [bob_id]).unwrap());
    let person = async || {
        let people = ada.get("/api/people").await.ok()["people"].clone();
        people.as_array().unwrap().iter().find(|person| person["userId"] == bob_id).unwrap().clone()
    };
    let id = person().await["id"].as_str().unwrap().to_owned();
    assert_eq!(person().await["photoUrl"], Value::Null);
    for photo in ["https://example.org/1.png", "https://example.org/2.png", ""] {
        bob.patch(ME, json!({ "avatarUrl": photo })).await.ok();
        assert_eq!(person().await["photoUrl"], photo);
    }
    let revision = person().await["revision"].clone();
    bob.patch(ME, json!({ "displayName": "Bob Stone" })).await.ok();
    assert_eq!(person().await["revision"], revision, "only a new photo changes the person");
    let own = "https://example.org/chosen.png";
    ada.patch(&format!("/api/people/{id}"), json!({ "photoUrl": own })).await.ok();
    bob.patch(ME, json!({ "avatarUrl": "https://example.org/3.png" })).await.ok();
    bob.patch(ME, json!({ "avatarUrl": "" })).await.ok();
    assert_eq!(person().await["photoUrl"], own);
}
