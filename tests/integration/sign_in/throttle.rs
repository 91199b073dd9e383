//! Guessing is rate-limited and locks nobody out.

use std::net::Ipv4Addr;

use planroom::clock::{HOUR, SECOND};
use serde_json::json;

use super::browser::Browser;
use crate::support::{PASSWORD, TestServer};

/// A client with its own address.
fn stranger(server: &TestServer, n: u32) -> Browser<'_> {
    Browser::new(server).from(Ipv4Addr::from(0x0a00_0000 + n))
}

#[tokio::test]
async fn many_wrong_passwords_of_others_do_not_lock_the_owner_out() {
    let server = TestServer::new().await;
    let (owner, _) = Browser::of(&server, "ada").await;
    let mut looked_at = 0;
    for n in 0..1_000 {
        let reply = stranger(&server, n).sign_in("ada", "guess").await;
        match reply.status.as_u16() {
            401 => looked_at += 1,
            _ => assert_eq!(reply.expect_error(429, "too many")["code"], "rate_limited"),
        }
        server.clock.advance(SECOND / 2);
    }
    assert!((15..60).contains(&looked_at), "{looked_at} of a thousand in 500 s");
    owner.sign_in("ada", PASSWORD).await.ok();
    stranger(&server, 5_000).sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn a_remembered_browser_of_another_account_is_not_exempt() {
    let server = TestServer::new().await;
    server.seed_member("eve", "acme", "org:member");
    let (eve, _) = Browser::of(&server, "eve").await;
    stranger(&server, 1).guess("ada").await;
    let eve = eve.from([10, 0, 0, 1]);
    eve.sign_in("ada", "guess").await.expect_error(429, "too many");
    let forged = stranger(&server, 1);
    forged.jar.borrow_mut().insert("planroom_device".into(), "made-up".into());
    forged.sign_in("ada", "guess").await.expect_error(429, "too many");
}

#[tokio::test]
async fn a_remembered_browser_is_rate_limited_too() {
    let server = TestServer::new().await;
    let (owner, _) = Browser::of(&server, "ada").await;
    owner.guess("ada").await;
    owner.sign_in("ada", PASSWORD).await.expect_error(429, "too many");
    stranger(&server, 1).sign_in("ada", PASSWORD).await.ok();
    server.clock.advance(16 * SECOND);
    owner.sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn one_address_cannot_try_a_password_on_many_accounts() {
    let server = TestServer::new().await;
    let stranger = stranger(&server, 1);
    for n in 0..24 {
        server.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        stranger.sign_in(&format!("user{n}"), "guess").await.expect_error(401, "wrong");
    }
    stranger.sign_in("user24", "guess").await.expect_error(429, "too many");
    stranger.sign_in("ada", PASSWORD).await.expect_error(429, "too many");
    self::stranger(&server, 2).sign_in("ada", PASSWORD).await.ok();
    server.clock.advance(HOUR);
    stranger.sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn an_unknown_login_is_rate_limited_and_answered_like_a_known_one() {
    let server = TestServer::new().await;
    let mut statuses = Vec::new();
    for n in 0..28 {
        let (one, other) = (stranger(&server, 2 * n), stranger(&server, 2 * n + 1));
        let (known, unknown) = tokio::join!(one.sign_in("ada", "guess"), other.sign_in("eve", "guess"));
        assert_eq!((known.status, &known.bytes), (unknown.status, &unknown.bytes), "attempt {n}");
        assert_eq!(known.header("retry-after"), unknown.header("retry-after"), "attempt {n}");
        statuses.push(known.status.as_u16());
        // Every second attempt is too early after the free ones.
        server.clock.advance(if n < 9 || n % 2 == 0 { 31 * SECOND } else { 0 });
    }
    assert_eq!(statuses[..10], [401; 10]);
    assert_eq!(statuses[10..14], [429, 401, 429, 401], "{statuses:?}");
}

#[tokio::test]
async fn guessing_the_setup_link_is_rate_limited() {
    let server = TestServer::empty(|_| {});
    server.app.offer_setup().await.unwrap().unwrap();
    let form =
        json!({ "token": "guess", "login": "eve", "displayName": "E", "password": PASSWORD, "organization": "E" });
    for n in 0..24 {
        server.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        server.anonymous().post("/api/auth/setup", form.clone()).await.expect_error(403, "not valid");
    }
    server.anonymous().post("/api/auth/setup", form).await.expect_error(429, "too many");
}

#[tokio::test]
async fn guessing_invitations_is_rate_limited() {
    let server = TestServer::new().await;
    for n in 0..24 {
        server.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        server.anonymous().get(&format!("/api/auth/invitations/guess{n}")).await.expect_error(404, "invitation");
    }
    server.anonymous().get("/api/auth/invitations/guess").await.expect_error(429, "too many");
}

#[tokio::test]
async fn token_creation_is_rate_limited() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for n in 0..34 {
        server.clock.advance(if n < 30 { 0 } else { 60 * SECOND });
        ada.post("/api/me/tokens", json!({ "name": format!("t{n}") })).await.created();
    }
    let reply = ada.post("/api/me/tokens", json!({ "name": "more" })).await;
    assert_eq!(reply.expect_error(429, "too many")["code"], "rate_limited");
    server.clock.advance(reply.header("retry-after").parse::<i64>().unwrap() * SECOND);
    ada.post("/api/me/tokens", json!({ "name": "more" })).await.created();
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_are_counted_individually() {
    let server = TestServer::empty(|config| config.proxies.trusted = vec!["10.0.0.1".into()]);
    server.seed_admin("ada", "acme").await;
    let guess = async |from: [u8; 4], forwarded: &str, n: u32| {
        let visitor = server.anonymous().from(from).header("x-forwarded-for", forwarded);
        visitor.post("/api/auth/login", json!({ "login": format!("user{n}"), "password": "guess" })).await.status
    };
    for n in 0..24 {
        server.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        assert_eq!(guess([10, 0, 0, 1], "1.2.3.4, 192.0.2.1", n).await, 401);
    }
    assert_eq!(guess([10, 0, 0, 1], "5.6.7.8, 192.0.2.1", 24).await, 429, "what stands before may be made up");
    assert_eq!(guess([10, 0, 0, 1], "192.0.2.2", 25).await, 401);
    assert_eq!(guess([192, 0, 2, 1], "192.0.2.3", 26).await, 429, "and so is all from who is no proxy");
}

#[tokio::test]
async fn an_owner_can_sign_in_with_a_new_browser_while_others_guess() {
    let server = TestServer::new().await;
    let guess = async || {
        for n in 0..4 {
            let address = [198, 51, n, 7];
            let reply = Browser::new(&server).from(address).sign_in("ada", "guess").await;
            assert!([401, 429].contains(&reply.status.as_u16()), "{reply}");
        }
    };
    for _ in 0..300 {
        guess().await;
        server.clock.advance(SECOND / 10);
    }
    for n in 0..10 {
        guess().await;
        Browser::new(&server).from([203, 0, 113, 5]).sign_in("ada", PASSWORD).await.ok();
        server.clock.advance(7 * SECOND);
        // A few mistakes do not lock them out.
        let clumsy = Browser::new(&server).from([203, n, 114, 5]);
        guess().await;
        clumsy.sign_in("ada", "oops").await.expect_error(401, "wrong");
        clumsy.sign_in("ada", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn an_owner_can_sign_in_while_strangers_guess_from_ever_new_addresses() {
    let server = TestServer::new().await;
    let mut addresses = (0..=u8::MAX).map(|n| [20, n, 113, 7]);
    let mut guess = async || {
        let stranger = Browser::new(&server).from(addresses.next().unwrap());
        stranger.sign_in("ada", "guess").await.status.as_u16()
    };
    while guess().await == 401 {}
    for n in 0..10 {
        Browser::new(&server).from([77, n, 113, 5]).sign_in("ada", PASSWORD).await.ok();
        server.clock.advance(SECOND);
        for _ in 0..8 {
            guess().await;
        }
    }
    assert_eq!(guess().await, 429);
}

#[tokio::test]
async fn all_remembered_browsers_of_an_account_share_their_attempts() {
    let server = TestServer::new().await;
    let mut known = Vec::new();
    for _ in 0..6 {
        known.push(Browser::of(&server, "ada").await.0);
    }
    let mut looked_at = 0;
    for browser in &known {
        for _ in 0..5 {
            looked_at += u32::from(browser.sign_in("ada", "guess").await.status == 401);
        }
    }
    assert_eq!(looked_at, 5, "of thirty at once");
}

#[tokio::test]
async fn setting_the_clock_back_locks_nobody_out() {
    let server = TestServer::new().await;
    let browser = Browser::new(&server);
    for step in [-planroom::clock::DAY, -2 * 365 * planroom::clock::DAY] {
        browser.sign_in("ada", PASSWORD).await.ok();
        stranger(&server, 1).sign_in("ada", "guess").await.expect_error(401, "wrong");
        server.clock.step(step);
        browser.sign_in("ada", PASSWORD).await.ok();
        stranger(&server, 1).sign_in("ada", PASSWORD).await.ok();
        stranger(&server, 2).sign_in("ada", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn rejected_passwords_of_link_holders_are_counted() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invited = ada.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    for n in 0..20 {
        let login = if n % 2 == 0 { "ada" } else { "dee" };
        let form = json!({ "login": login, "displayName": "Dee", "password": "password1" });
        let status = server.anonymous().post(&path, form).await.status.as_u16();
        assert_eq!(status, if n % 2 == 0 { 409 } else { 400 });
    }
    let form = json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD });
    server.anonymous().post(&path, form.clone()).await.expect_error(429, "too many");
    server.clock.advance(60 * SECOND);
    server.anonymous().post(&path, form).await.ok();
}
