//! The link in an email ends emails of its kind, without a sign-in.

use axum::http::Method;
use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use super::{ask, setting};
use crate::support::{TestResponse, TestServer, mail::MailHost};

const SETTINGS: &str = "/api/me/notification-settings";

/// Sends an email about a mention to `bob`, and returns the path of its link.
async fn link(server: &TestServer, host: &MailHost) -> String {
    let ada = server.sign_in("ada").await;
    ask(&ada, "@bob?").await;
    server.clock.advance(MINUTE);
    server.notify().await;
    while server.app.mail().send_due().await.unwrap() > 0 {}
    let mail = host.take().into_iter().next().unwrap();
    let (_, rest) = mail.content.split_once("List-Unsubscribe: <http://planroom.test").unwrap();
    rest[..rest.find('>').unwrap()].replace("\n ", "").replace(' ', "")
}

async fn server_with_bob(host: &MailHost) -> TestServer {
    let server = host.planroom().await;
    server.seed_member("bob", "acme", "org:member");
    let sql = "UPDATE user SET email = 'bob@example.org', is_email_confirmed = 1 WHERE login = 'bob'";
    server.sql(|conn| conn.execute(sql, []).unwrap());
    server.seed_map().await;
    server
}

/// What mail programs send (RFC 8058).
async fn one_click(server: &TestServer, path: &str) -> TestResponse {
    let kind = Some("application/x-www-form-urlencoded");
    server.anonymous().send_raw(Method::POST, path, kind, "List-Unsubscribe=One-Click").await
}

async fn choice(server: &TestServer) -> String {
    let settings = server.sign_in("bob").await.get(SETTINGS).await.ok();
    settings["kinds"][0]["email"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn one_request_ends_the_emails_of_a_kind_and_works_once() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let path = link(&server, &host).await;
    let page = server.anonymous().send_raw(Method::GET, &path, None, "").await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let text = String::from_utf8(page.bytes.clone()).unwrap();
    assert!(text.contains("emails about mentions") && text.contains("<form method=\"post\">"), "{text}");
    assert!(!text.contains("bob"), "{text}");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(choice(&server).await, "immediate", "opening the page changes nothing");

    let done = one_click(&server, &path).await;
    assert_eq!(done.status, 200);
    assert!(String::from_utf8_lossy(&done.bytes).contains("You no longer receive emails about mentions."));
    let bob = server.sign_in("bob").await;
    let settings = bob.get(SETTINGS).await.ok();
    let off: Vec<_> = settings["kinds"].as_array().unwrap().iter().filter(|kind| kind["email"] == "off").collect();
    assert_eq!(off, [&json!({ "kind": "mention", "inbox": true, "email": "off" })], "other kinds and the inbox stay");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'notifications.unsubscribe'"), 1);

    bob.patch(SETTINGS, setting("mention", true, "immediate")).await.ok();
    assert_eq!(one_click(&server, &path).await.status, 200, "a repeated request succeeds");
    assert_eq!(choice(&server).await, "immediate", "and changes nothing");
    let page = server.anonymous().send_raw(Method::GET, &path, None, "").await;
    assert!(!String::from_utf8_lossy(&page.bytes).contains("<form"));
}

#[tokio::test]
async fn only_the_hash_of_a_link_is_stored_and_it_expires() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let path = link(&server, &host).await;
    let token = path.rsplit('/').next().unwrap().to_owned();
    assert_eq!(token.len(), 43);
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(server.dir.path().join(file)).unwrap();
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()), "the secret is in {file}");
    }
    for wrong in ["/unsubscribe/wrong".to_owned(), format!("/unsubscribe/{}", "x".repeat(101))] {
        assert_eq!(one_click(&server, &wrong).await.status, 404);
    }
    server.clock.advance(90 * DAY);
    assert_eq!(one_click(&server, &path).await.status, 404);
    assert_eq!(choice(&server).await, "immediate");
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM unsubscribe_link"), 0);
}

#[tokio::test]
async fn the_link_of_the_daily_email_ends_all_kinds_in_it() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    bob.patch(SETTINGS, setting("mention", true, "digest")).await.ok();
    let ada = server.sign_in("ada").await;
    ask(&ada, "@bob?").await;
    server.clock.advance(DAY);
    server.notify().await;
    while server.app.mail().send_due().await.unwrap() > 0 {}
    let mail = host.take().into_iter().next().unwrap();
    let (_, rest) = mail.content.split_once("List-Unsubscribe: <http://planroom.test").unwrap();
    one_click(&server, &rest[..rest.find('>').unwrap()].replace(['\n', ' '], "")).await;
    let settings = server.sign_in("bob").await.get(SETTINGS).await.ok();
    let emails: Vec<&str> =
        settings["kinds"].as_array().unwrap().iter().map(|kind| kind["email"].as_str().unwrap()).collect();
    assert_eq!(emails, ["off", "off", "off", "immediate", "off", "immediate", "off"]);
}
