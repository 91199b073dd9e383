//! Invitations: made by admins, given by hand, good once and for a week.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{acme, org_path};
use crate::support::{PASSWORD, Stage};

#[tokio::test]
async fn the_link_is_shown_once_and_kept_as_a_hash() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({ "email": "dee@example.org", "role": "org:admin" })).await.created();
    let token = made["token"].as_str().unwrap();
    assert_eq!(made["url"], format!("http://planroom.test/join#{token}"));
    let list = ada.get(&invitations).await;
    assert_eq!(list.ok()["invitations"], json!([made["invitation"]]));
    assert!(!String::from_utf8_lossy(&list.bytes).contains(token));
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(stage.dir.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the secret is in {file}");
    }
}

#[tokio::test]
async fn who_holds_the_link_is_told_what_it_opens_until_it_is_withdrawn_or_old() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", made["token"].as_str().unwrap());
    let seen = stage.anonymous().get(&path).await.ok();
    assert_eq!((&seen["organization"], &seen["role"]), (&json!("acme"), &json!("org:member")));
    stage.anonymous().get("/api/auth/invitations/made-up").await.refused(404, "invitation");
    let id = &made["invitation"]["id"];
    ada.delete(&format!("{invitations}/{id}")).await.ok();
    stage.anonymous().get(&path).await.refused(404, "invitation");
    ada.delete(&format!("{invitations}/{id}")).await.refused(404, "invitation");

    let old = ada.post(&invitations, json!({})).await.created();
    stage.clock.advance(7 * DAY);
    let ada = stage.sign_in("ada").await;
    let path = format!("/api/auth/invitations/{}", old["token"].as_str().unwrap());
    stage.anonymous().get(&path).await.refused(404, "invitation");
    assert_eq!(ada.get(&invitations).await.ok()["invitations"], json!([]));
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    let (stage, ..) = acme().await;
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    for (body, text) in [
        (json!({ "email": "dee" }), "email: must be an email address"),
        (json!({ "email": "dee@a@b" }), "email: must be an email address"),
        (json!({ "email": format!("{}@b", "x".repeat(254)) }), "email: must have 3 to 254"),
        (json!({ "role": "owner" }), "role: "),
        (json!({ "name": "Dee" }), "name: this resource has no such field"),
    ] {
        ada.post(&invitations, body).await.refused(400, text);
    }
    assert_eq!(stage.count("SELECT count(*) FROM invitation"), 0);
}

/// A fresh invitation of ada's: its secret, and the path that takes it up.
async fn invited(stage: &Stage, role: &str) -> String {
    let ada = stage.sign_in("ada").await;
    let invitations = format!("{}/invitations", org_path(&ada).await);
    let made = ada.post(&invitations, json!({ "role": role, "email": "dee@example.org" })).await.created();
    format!("/api/auth/invitations/{}", made["token"].as_str().unwrap())
}

fn dee() -> Value {
    json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD })
}

#[tokio::test]
async fn somebody_new_joins_with_a_password_of_their_own_and_is_signed_in() {
    let (stage, ..) = acme().await;
    let path = invited(&stage, "org:admin").await;
    let reply = stage.anonymous().post(&path, dee()).await;
    let joined = reply.ok();
    assert!(reply.header("set-cookie").contains("planroom_refresh="));
    assert_eq!((&joined["session"]["orgSlug"], &joined["session"]["orgRole"]), (&json!("acme"), &json!("org:admin")));
    stage.with(joined["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    stage.sign_in("dee").await.get("/api/me").await.ok();
    // Once is enough.
    let again = json!({ "login": "eve", "displayName": "Eve", "password": PASSWORD });
    stage.anonymous().post(&path, again).await.refused(404, "invitation");
    stage.anonymous().get(&path).await.refused(404, "invitation");
    let ada = stage.sign_in("ada").await;
    let list = ada.get(&format!("{}/invitations", org_path(&ada).await)).await.ok();
    assert_eq!(list["invitations"][0]["acceptedBy"], joined["user"]["id"]);
}

#[tokio::test]
async fn who_is_signed_in_joins_as_themselves_and_goes_on_there() {
    let (stage, bob, _) = acme().await;
    stage.seed_org("other", "otto");
    let path = invited(&stage, "org:member").await;
    let otto = stage.sign_in("otto").await;
    otto.post(&path, dee()).await.refused(400, "you are signed in");
    let joined = otto.post(&path, json!({})).await.ok();
    assert_eq!(joined["session"]["orgSlug"], "acme");
    stage.with(joined["token"].as_str().unwrap()).get("/api/workspaces").await.ok();
    assert_eq!(otto.get("/api/orgs").await.ok()["organizations"].as_array().unwrap().len(), 2);
    // A member of acme has no use for one, and leaves it to somebody who has.
    let path = invited(&stage, "org:admin").await;
    stage
        .sign_in("bob")
        .await
        .post(&path, json!({}))
        .await
        .refused(409, "you are already a member of this organization");
    stage.anonymous().get(&path).await.ok();
    assert_eq!(stage.count("SELECT count(*) FROM organization_member WHERE role = 'org:admin'"), 1, "{bob}");
    // Scripts join nothing.
    stage.script_of("otto").await.post(&path, json!({})).await.refused(403, "needs a session");
}

#[tokio::test]
async fn what_somebody_new_sends_is_checked_before_anything_is_written() {
    let (stage, ..) = acme().await;
    let path = invited(&stage, "org:member").await;
    let users = stage.count("SELECT count(*) FROM user");
    let but = |field: &str, value: Value| {
        let mut body = dee();
        body[field] = value;
        body
    };
    for (body, status, text) in [
        (json!({}), 400, "login: is required, unless you are signed in already"),
        (but("login", json!("d e e")), 400, "login: must not contain white space"),
        (but("login", json!("ADA")), 409, "a user with the login `ADA` exists already"),
        (but("displayName", Value::Null), 400, "displayName: is required"),
        (but("password", json!("short")), 400, "password: a password has 8 to 128 characters"),
        (but("password", json!("password1")), 400, "password: "),
        (but("role", json!("org:admin")), 400, "role: this resource has no such field"),
    ] {
        stage.anonymous().post(&path, body).await.refused(status, text);
        stage.clock.advance(MINUTE);
    }
    assert_eq!(stage.count("SELECT count(*) FROM user"), users);
    stage.anonymous().post("/api/auth/invitations/made-up", dee()).await.refused(404, "invitation");
    stage.anonymous().post(&path, dee()).await.ok();
}

#[tokio::test]
async fn of_two_who_take_up_one_invitation_at_once_one_joins() {
    let (stage, ..) = acme().await;
    for round in 0..5 {
        let path = invited(&stage, "org:member").await;
        let named =
            |name: &str| json!({ "login": format!("{name}-{round}"), "displayName": name, "password": PASSWORD });
        let anyone = stage.anonymous();
        let (one, two) = tokio::join!(anyone.post(&path, named("dee")), anyone.post(&path, named("eve")));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 404], "{one} {two}");
    }
}

#[tokio::test]
async fn guessing_links_is_slowed_down() {
    let (stage, ..) = acme().await;
    let guess = || async { stage.anonymous().get("/api/auth/invitations/guess").await.status.as_u16() };
    let mut answers = Vec::new();
    for _ in 0..100 {
        answers.push(guess().await);
    }
    assert_eq!(answers.last(), Some(&429));
    stage.clock.advance(MINUTE);
    assert_eq!(guess().await, 404);
}
