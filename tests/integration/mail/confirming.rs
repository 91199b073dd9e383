//! Users confirm their email address.

use planroom::clock::DAY;
use serde_json::{Value, json};

use super::{deliver, deliver_one};
use crate::support::{PASSWORD, TestClient, TestServer, mail::MailHost};

const SEND: &str = "/api/me/email-confirmation";

/// A server with the member `bob`, whose address is not confirmed.
async fn with_bob(host: &MailHost) -> TestServer {
    let server = host.planroom().await;
    server.seed_member("bob", "acme", "org:member");
    set_address(&server.sign_in("bob").await, "bob@example.org").await;
    server
}

async fn set_address(user: &TestClient<'_>, email: &str) {
    user.patch("/api/auth/me", json!({ "email": email, "password": PASSWORD })).await.ok();
}

async fn is_confirmed(user: &TestClient<'_>) -> Value {
    user.get("/api/me").await.ok()["emailConfirmed"].clone()
}

#[tokio::test]
async fn a_user_confirms_their_address_with_the_link_once() {
    let host = MailHost::start().await;
    let server = with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    assert_eq!(is_confirmed(&bob).await, false);
    bob.post(SEND, json!({})).await.ok();
    let mail = deliver_one(&server, &host).await;
    assert_eq!(mail.to, "bob@example.org");
    let path = format!("/api/auth/email-confirmations/{}", mail.secret("/confirm-email"));
    let shown = server.anonymous().get(&path).await.ok();
    assert_eq!((&shown["email"], &shown["login"]), (&json!("bob@example.org"), &json!("bob")));
    assert_eq!(is_confirmed(&bob).await, false, "reading the link confirms nothing");
    server.anonymous().post(&path, json!({})).await.ok();
    assert_eq!(is_confirmed(&bob).await, true);
    assert_eq!(bob.get("/api/auth/me").await.ok()["user"]["emailConfirmed"], true);
    server.anonymous().post(&path, json!({})).await.expect_error(404, "link");
    server.anonymous().get(&path).await.expect_error(404, "link");
    bob.post(SEND, json!({})).await.expect_error(409, "already confirmed");
    let audit = |kind: &str| server.count(&format!("SELECT count(*) FROM audit WHERE kind = '{kind}'"));
    assert_eq!((audit("email.send-confirmation"), audit("email.confirm")), (1, 1));
}

#[tokio::test]
async fn a_link_confirms_only_the_address_that_it_was_sent_to() {
    let host = MailHost::start().await;
    let server = with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    bob.post(SEND, json!({})).await.ok();
    let path = format!("/api/auth/email-confirmations/{}", deliver_one(&server, &host).await.secret("/confirm-email"));
    set_address(&bob, "other@example.org").await;
    server.anonymous().post(&path, json!({})).await.expect_error(404, "link");
    bob.post(SEND, json!({})).await.ok();
    let newer = deliver_one(&server, &host).await;
    assert_eq!(newer.to, "other@example.org");
    let path = format!("/api/auth/email-confirmations/{}", newer.secret("/confirm-email"));
    server.anonymous().post(&path, json!({})).await.ok();
    set_address(&bob, "bob@example.org").await;
    assert_eq!(is_confirmed(&bob).await, false, "a new address is not confirmed");
}

#[tokio::test]
async fn a_link_expires_after_a_day_and_is_replaced_by_a_newer_one() {
    let host = MailHost::start().await;
    let server = with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    let mut links = Vec::new();
    for _ in 0..2 {
        bob.post(SEND, json!({})).await.ok();
        let secret = deliver_one(&server, &host).await.secret("/confirm-email");
        links.push(format!("/api/auth/email-confirmations/{secret}"));
    }
    server.anonymous().get(&links[0]).await.expect_error(404, "link");
    server.anonymous().get(&links[1]).await.ok();
    server.clock.advance(DAY);
    server.anonymous().post(&links[1], json!({})).await.expect_error(404, "link");
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM email_confirmation"), 0);
}

#[tokio::test]
async fn a_confirmation_needs_an_address_and_a_mail_server() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let ada = server.sign_in("ada").await;
    ada.post(SEND, json!({})).await.expect_error(409, "no email address");
    assert!(deliver(&server, &host).await.is_empty());
    let silent = TestServer::new().await;
    let ada = silent.sign_in("ada").await;
    set_address(&ada, "ada@example.org").await;
    ada.post(SEND, json!({})).await.expect_error(409, "this server sends no emails");
}

#[tokio::test]
async fn one_user_cannot_flood_an_address() {
    let host = MailHost::start().await;
    let server = with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    for _ in 0..10 {
        bob.post(SEND, json!({})).await.ok();
    }
    let refused = bob.post(SEND, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "3600"));
    assert_eq!(deliver(&server, &host).await.len(), 10);
}
