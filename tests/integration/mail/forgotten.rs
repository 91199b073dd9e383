//! Users reset a forgotten password.

use std::net::Ipv4Addr;

use planroom::clock::HOUR;
use serde_json::{Value, json};

use super::{deliver, deliver_one};
use crate::support::{PASSWORD, TestServer, mail::MailHost};

const REQUEST: &str = "/api/auth/password-resets";
const NEW: &str = "an entirely different phrase";

/// A server with the member `bob`, whose address is confirmed.
async fn with_bob(host: &MailHost) -> (TestServer, i64) {
    let server = host.planroom().await;
    let id = server.seed_member("bob", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{id}"), json!({ "email": "bob@example.org" })).await.ok();
    (server, id)
}

async fn request(server: &TestServer, email: &str) -> Value {
    server.anonymous().post(REQUEST, json!({ "email": email })).await.ok()
}

async fn sign_in_with(server: &TestServer, password: &str) -> u16 {
    let body = json!({ "login": "bob", "password": password });
    server.anonymous().post("/api/auth/login", body).await.status.as_u16()
}

#[tokio::test]
async fn a_user_sets_a_new_password_once_and_all_sessions_end() {
    let host = MailHost::start().await;
    let (server, id) = with_bob(&host).await;
    let bob = server.sign_in("bob").await;
    request(&server, "BOB@example.org").await;
    let mail = deliver_one(&server, &host).await;
    assert_eq!(mail.to, "bob@example.org");
    let path = format!("{REQUEST}/{}", mail.secret("/reset-password"));
    let shown = server.anonymous().get(&path).await.ok();
    assert_eq!((&shown["login"], &shown["displayName"]), (&json!("bob"), &json!("bob")));
    bob.get("/api/me").await.ok();
    let weak = server.anonymous().post(&path, json!({ "password": "12345678" })).await;
    weak.expect_error(400, "password: this password is easy to guess");
    server.anonymous().post(&path, json!({ "password": NEW })).await.ok();
    bob.get("/api/me").await.expect(401);
    assert_eq!((sign_in_with(&server, PASSWORD).await, sign_in_with(&server, NEW).await), (401, 200));
    server.anonymous().post(&path, json!({ "password": PASSWORD })).await.expect_error(404, "link");
    let sql = format!(
        "SELECT count(*) FROM audit WHERE kind IN ('password.request-reset', 'password.reset') AND details ->> 'userId' = {id}"
    );
    assert_eq!(server.count(&sql), 2);
}

#[tokio::test]
async fn the_response_is_the_same_and_only_confirmed_addresses_of_accounts_with_a_password_get_a_link() {
    let host = MailHost::start().await;
    let (server, id) = with_bob(&host).await;
    let answer = request(&server, "bob@example.org").await;
    assert_eq!(deliver(&server, &host).await.len(), 1);
    assert_eq!(request(&server, "nobody@example.org").await, answer);
    assert!(deliver(&server, &host).await.is_empty());
    for (set, clear) in [
        ("is_email_confirmed = 0", "is_email_confirmed = 1"),
        ("is_suspended = 1", "is_suspended = 0"),
        ("password_hash = NULL", "login = 'bob'"),
    ] {
        server.clock.advance(2 * HOUR);
        let change = |what: &str| {
            server.sql(|conn| conn.execute(&format!("UPDATE user SET {what} WHERE id = {id}"), []).unwrap())
        };
        change(set);
        assert_eq!(request(&server, "bob@example.org").await, answer, "{set}");
        assert!(deliver(&server, &host).await.is_empty(), "{set}");
        change(clear);
    }
    // Unknown addresses are one event per hour.
    let sql = "SELECT count(*) FROM audit WHERE kind = 'password.request-reset' AND details ->> 'userId' IS NULL";
    assert_eq!(server.count(sql), 4);
}

#[tokio::test]
async fn a_link_expires_after_an_hour_and_depends_on_the_account() {
    let host = MailHost::start().await;
    let (server, id) = with_bob(&host).await;
    let link = async || {
        server.clock.advance(2 * HOUR);
        request(&server, "bob@example.org").await;
        format!("{REQUEST}/{}", deliver_one(&server, &host).await.secret("/reset-password"))
    };
    let dead = async |path: &str| {
        server.anonymous().get(path).await.expect_error(404, "link");
        server.anonymous().post(path, json!({ "password": NEW })).await.expect_error(404, "link");
    };
    let path = link().await;
    server.clock.advance(HOUR);
    dead(&path).await;
    let (older, newer) = (link().await, link().await);
    dead(&older).await;
    server.anonymous().get(&newer).await.ok();
    // An attacker who requested a link loses it when the user changes the password.
    let bob = server.sign_in("bob").await;
    bob.post("/api/me/password", json!({ "current": PASSWORD, "next": "battery horse correct" })).await.ok();
    dead(&newer).await;
    let path = link().await;
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{id}"), json!({ "email": "new@example.org" })).await.ok();
    dead(&path).await;
}

#[tokio::test]
async fn requests_are_limited_by_address_and_by_client() {
    let host = MailHost::start().await;
    let (server, _) = with_bob(&host).await;
    let from = |n: u8| server.anonymous().from(Ipv4Addr::new(192, 0, n, 2));
    for (email, status) in [("bob@example.org", 429), ("nobody@example.org", 429)] {
        for n in 0..3 {
            from(n).post(REQUEST, json!({ "email": email })).await.ok();
        }
        assert_eq!(from(9).post(REQUEST, json!({ "email": email })).await.status.as_u16(), status, "{email}");
    }
    for n in 0..10 {
        from(50).post(REQUEST, json!({ "email": format!("{n}@example.org") })).await.ok();
    }
    assert_eq!(from(50).post(REQUEST, json!({ "email": "10@example.org" })).await.status.as_u16(), 429);
    from(51).post(REQUEST, json!({ "email": "10@example.org" })).await.ok();
}

#[tokio::test]
async fn requests_for_unknown_addresses_do_not_displace_those_of_users() {
    let host = MailHost::start().await;
    let (server, _) = with_bob(&host).await;
    let unknown = async |count: u16| {
        for n in 0..count {
            let [high, low] = n.to_be_bytes();
            let stranger = server.anonymous().from(Ipv4Addr::new(20, high, low, 1));
            stranger.post(REQUEST, json!({ "email": format!("{n}@example.net") })).await.ok();
        }
    };
    unknown(120).await;
    request(&server, "bob@example.org").await;
    unknown(60).await;
    assert_eq!(deliver_one(&server, &host).await.to, "bob@example.org");
    let sql = "SELECT details ->> '$.count' FROM audit WHERE kind = 'password.request-reset' AND details ->> 'userId' IS NULL";
    assert_eq!(server.count(sql), 180);
    let writes = || {
        let metrics = server.app.metrics(None).text().unwrap();
        let line = metrics.lines().find_map(|line| line.strip_prefix("planroom_writes_total ")).unwrap();
        line.parse::<u64>().unwrap()
    };
    unknown(20).await;
    let before = writes();
    server.app.sign_in().send_requested_password_resets().await;
    assert_eq!(writes() - before, 1, "unknown addresses are recorded together");
}

#[tokio::test]
async fn two_factor_authentication_stays_on() {
    let host = MailHost::start().await;
    let (server, id) = with_bob(&host).await;
    server.sql(|conn| {
        let sql = "INSERT INTO user_second_factor (user_id, secret, confirmed_at) VALUES (?, x'00', 1)";
        conn.execute(sql, [id]).unwrap()
    });
    request(&server, "bob@example.org").await;
    let path = format!("{REQUEST}/{}", deliver_one(&server, &host).await.secret("/reset-password"));
    server.anonymous().post(&path, json!({ "password": NEW })).await.ok();
    let body = json!({ "login": "bob", "password": NEW });
    let answer = server.anonymous().post("/api/auth/login", body).await.ok();
    assert!(answer["challenge"].is_object(), "{answer}");
}

#[tokio::test]
async fn a_server_without_emails_or_passwords_says_so() {
    let silent = TestServer::new().await;
    let body = json!({ "email": "ada@example.org" });
    silent.anonymous().post(REQUEST, body.clone()).await.expect_error(409, "ask an administrator");
    let host = MailHost::start().await;
    let sso = TestServer::empty(|config| {
        host.configure(config);
        config.identity.oidc.issuer = "https://id.example.org".into();
        config.identity.oidc.client_id = "planroom".into();
        config.identity.oidc.sso_only = true;
    });
    sso.anonymous().post(REQUEST, body).await.expect_error(409, "sends no links for forgotten passwords");
    let config = sso.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["emails"], &config["passwordReset"]), (&json!(true), &json!(false)));
}
