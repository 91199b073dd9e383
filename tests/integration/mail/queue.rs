//! The queue: invitations are sent, failures are retried, and everything has a limit.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

use super::{deliver, deliver_one};
use crate::support::{PASSWORD, TestServer, mail::MailHost};

async fn invite(server: &TestServer, email: &str) -> Value {
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "email": email })).await.created()
}

fn waiting(server: &TestServer) -> i64 {
    server.count("SELECT count(*) FROM mail_message WHERE letter IS NOT NULL")
}

#[tokio::test]
async fn an_invitation_with_an_address_is_sent_and_its_link_works() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let made = invite(&server, "dee@example.org").await;
    assert_eq!(made["mailed"], true);
    let mail = deliver_one(&server, &host).await;
    assert_eq!(mail.to, "dee@example.org");
    assert_eq!(made["token"], mail.secret("/join"));
    for text in [
        "From: Maps <maps@planroom.test>",
        "To: dee@example.org",
        "Subject: Invitation to acme on Planroom",
        "Auto-Submitted: auto-generated",
        "Content-Type: text/plain",
        "Content-Type: text/html",
        "@planroom.test>",
        "ada invites you to the organization acme on Planroom.",
    ] {
        assert!(mail.content.contains(text), "no `{text}` in {}", mail.content);
    }
    for remote in ["<img", "src=", "url("] {
        assert!(!mail.content.contains(remote), "{}", mail.content);
    }
    let path = format!("/api/auth/invitations/{}", mail.secret("/join"));
    let new = json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD });
    server.anonymous().post(&path, new).await.ok();
    let user = server.sign_in("dee").await.get("/api/me").await.ok();
    assert_eq!((&user["email"], &user["emailConfirmed"]), (&json!("dee@example.org"), &json!(true)));
    assert!(deliver(&server, &host).await.is_empty(), "it is sent once");
}

#[tokio::test]
async fn without_an_address_or_a_mail_server_nothing_is_sent() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let made = ada.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    assert_eq!(made["mailed"], false);
    let config = server.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["emails"], &config["passwordReset"]), (&json!(true), &json!(true)));
    assert!(deliver(&server, &host).await.is_empty());
    let silent = TestServer::new().await;
    assert_eq!(invite(&silent, "dee@example.org").await["mailed"], false);
    assert_eq!(waiting(&silent), 0);
    let config = silent.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["emails"], &config["passwordReset"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn secrets_are_encrypted_while_they_wait_and_erased_afterwards() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let made = invite(&server, "dee@example.org").await;
    let token = made["token"].as_str().unwrap();
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(server.dir.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the secret is in {file}");
    }
    assert_eq!(waiting(&server), 1);
    deliver_one(&server, &host).await;
    assert_eq!(waiting(&server), 0);
    assert_eq!(server.count("SELECT count(*) FROM mail_message"), 1, "it counts toward the limits");
    server.clock.advance(DAY);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM mail_message"), 0);
    // The mail server is removed from the configuration.
    invite(&server, "eve@example.org").await;
    server.clock.advance(2 * DAY);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM mail_message"), 0);
}

#[tokio::test]
async fn a_refusal_for_now_is_retried_with_growing_delays_for_a_day() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    host.refuse(Some("451 4.7.1 Greylisted"));
    invite(&server, "dee@example.org").await;
    let mut delays = Vec::new();
    while waiting(&server) > 0 {
        assert!(deliver(&server, &host).await.is_empty());
        let due = server.count("SELECT coalesce(max(due_at), 0) FROM mail_message WHERE letter IS NOT NULL");
        if due > 0 {
            delays.push((due - server.clock.now()) / MINUTE);
            server.clock.advance(due - server.clock.now());
        }
    }
    assert_eq!(delays[..8], [1, 2, 4, 8, 16, 32, 60, 60]);
    let total: i64 = delays.iter().sum();
    assert!((DAY - HOUR..DAY).contains(&(total * MINUTE)), "{total} minutes");
    host.refuse(None);
    assert!(deliver(&server, &host).await.is_empty(), "it was dropped");
    let metrics = server.app.metrics(None).text().unwrap();
    let failed = format!("planroom_mail_failed_total {}\n", delays.len() + 1);
    assert!(metrics.contains(&failed) && metrics.contains("planroom_mail_queued 0\n"), "{metrics}");
}

#[tokio::test]
async fn an_accepted_retry_is_the_same_message_and_a_final_refusal_is_not_retried() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    host.refuse(Some("450 4.2.1 Busy"));
    invite(&server, "dee@example.org").await;
    assert!(deliver(&server, &host).await.is_empty());
    host.refuse(None);
    assert!(deliver(&server, &host).await.is_empty(), "not before the delay");
    server.clock.advance(MINUTE);
    deliver_one(&server, &host).await;
    assert!(server.app.metrics(None).text().unwrap().contains("planroom_mail_sent_total 1\n"));
    host.refuse(Some("550 5.1.1 User unknown"));
    invite(&server, "eve@example.org").await;
    assert!(deliver(&server, &host).await.is_empty());
    assert_eq!(waiting(&server), 0);
}

#[tokio::test]
async fn a_user_and_a_recipient_get_a_limited_number_of_emails_per_day() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let path = format!("/api/orgs/{org}/invitations");
    let mut mailed = Vec::new();
    for n in 0..12 {
        let to = if n % 2 == 0 { "dee@example.org" } else { "Dee@Example.org" };
        mailed.push(ada.post(&path, json!({ "email": to })).await.created()["mailed"] == true);
    }
    assert_eq!(mailed.iter().filter(|mailed| **mailed).count(), 3, "the case of the address does not matter");
    for n in 0..48 {
        let made = ada.post(&path, json!({ "email": format!("user{n}@example.org") })).await.created();
        assert_eq!(made["mailed"], n < 47, "{n}");
    }
    assert_eq!(deliver(&server, &host).await.len(), 50);
    server.clock.advance(DAY + 1);
    assert_eq!(invite(&server, "dee@example.org").await["mailed"], true);
}

#[tokio::test]
async fn strangers_who_invite_a_user_do_not_exhaust_the_email_limit_of_the_user() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{bob}"), json!({ "email": "bob@example.org" })).await.ok();
    // Four organizations invite bob.
    let mut mailed = Vec::new();
    for n in 0..4 {
        let login = format!("mal{n}");
        server.create_org(&format!("org{n}"), &login).await;
        let mal = server.sign_in(&login).await;
        let org = mal.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
        for _ in 0..4 {
            let path = format!("/api/orgs/{org}/invitations");
            let made = mal.post(&path, json!({ "email": "bob@example.org" })).await.created();
            mailed.push(made["mailed"] == true);
        }
    }
    let few = [[true, true, true, false]; 3].concat();
    assert_eq!(mailed, [few, vec![true, false, false, false]].concat(), "3 per organization, and 10 in total");
    assert_eq!(deliver(&server, &host).await.len(), 10);
    // Bob can still reset his password and confirm his address.
    server.anonymous().post("/api/auth/password-resets", json!({ "email": "bob@example.org" })).await.ok();
    assert_eq!(deliver_one(&server, &host).await.to, "bob@example.org");
    server.sql(|conn| conn.execute("UPDATE user SET is_email_confirmed = 0 WHERE id = ?", [bob]).unwrap());
    let confirm = "/api/me/email-confirmation";
    server.sign_in("bob").await.post(confirm, json!({})).await.ok();
    deliver_one(&server, &host).await;
    // A stranger who enters the address in a profile does not prevent this, either.
    let mal = server.sign_in("mal0").await;
    server.sql(|conn| {
        conn.execute("UPDATE user SET email = 'bob@example.org', is_email_confirmed = 0 WHERE login = 'mal0'", [])
            .unwrap()
    });
    for _ in 0..9 {
        mal.post(confirm, json!({})).await.ok();
    }
    assert_eq!(mal.post(confirm, json!({})).await.status, 429, "10 in total");
    server.sql(|conn| {
        conn.execute("DELETE FROM mail_message WHERE user_id = ? AND kind = 'confirmation'", [bob]).unwrap()
    });
    mal.post(confirm, json!({})).await.ok();
    server.sign_in("bob").await.post(confirm, json!({})).await.ok();
}

#[tokio::test]
async fn strangers_who_invite_a_recipient_leave_others_their_first_invitation() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    server.create_org("org0", "mal").await;
    let mal_id = server.count("SELECT id FROM user WHERE login = 'mal'");
    let invite_as_mal = async || {
        let mal = server.sign_in("mal").await;
        let org = mal.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
        let path = format!("/api/orgs/{org}/invitations");
        mal.post(&path, json!({ "email": "dee@example.org" })).await.created()["mailed"] == true
    };
    assert!(invite_as_mal().await);
    // The stranger sends more on behalf of other organizations. Each round doubles their number.
    server.sql(|conn| {
        let sql = "INSERT INTO mail_message (kind, recipient_hash, user_id, letter, incarnation, created_at, due_at, expires_at)
                   SELECT kind, recipient_hash, user_id, letter, incarnation, created_at, due_at, expires_at
                   FROM mail_message WHERE user_id = ?";
        for _ in 0..4 {
            conn.execute(sql, [mal_id]).unwrap();
        }
    });
    assert!(!invite_as_mal().await, "more than ten in total");
    assert_eq!(invite(&server, "Dee@example.org").await["mailed"], true, "the first of another organization");
    assert_eq!(invite(&server, "dee@example.org").await["mailed"], false);
    assert_eq!(invite(&server, "eve@example.org").await["mailed"], true);
    server.clock.advance(DAY + 1);
    assert!(invite_as_mal().await);
}

#[tokio::test]
async fn strangers_who_request_password_resets_leave_the_user_one_email_per_hour() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{bob}"), json!({ "email": "bob@example.org" })).await.ok();
    let request_reset = async || {
        let body = json!({ "email": "bob@example.org" });
        let answer = server.anonymous().post("/api/auth/password-resets", body).await;
        (answer.status.as_u16(), deliver(&server, &host).await.len())
    };
    for n in 0..10 {
        assert_eq!(request_reset().await, (200, 1), "{n}");
        server.clock.advance(HOUR);
    }
    assert_eq!(request_reset().await, (200, 1), "the eleventh email, after an hour without emails");
    server.clock.advance(MINUTE);
    assert_eq!(request_reset().await, (200, 0), "the response does not reveal that no email is sent");
    server.clock.advance(HOUR);
    assert_eq!(request_reset().await, (200, 1));
}

#[tokio::test]
async fn emails_of_a_restored_backup_are_not_sent() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    invite(&server, "dee@example.org").await;
    server.sql(|conn| conn.execute("UPDATE mail_message SET incarnation = 'another'", []).unwrap());
    assert!(deliver(&server, &host).await.is_empty());
    assert_eq!(waiting(&server), 0);
}
