//! Guessing is slowed down, and locks nobody out.

use std::{net::Ipv4Addr, time::Instant};

use planroom::clock::{HOUR, SECOND};
use serde_json::json;

use super::browser::Browser;
use crate::support::{PASSWORD, Stage};

/// A stranger, each from an address of their own.
fn stranger(stage: &Stage, n: u32) -> Browser<'_> {
    Browser::new(stage).from(Ipv4Addr::from(0x0a00_0000 + n))
}

#[tokio::test]
async fn a_thousand_wrong_passwords_of_strangers_do_not_lock_the_owner_out() {
    let stage = Stage::new().await;
    let (owner, _) = Browser::of(&stage, "ada").await;
    let mut looked_at = 0;
    for n in 0..1_000 {
        let reply = stranger(&stage, n).sign_in("ada", "guess").await;
        match reply.status.as_u16() {
            401 => looked_at += 1,
            _ => assert_eq!(reply.refused(429, "too many")["code"], "rate_limited"),
        }
        stage.clock.advance(SECOND / 2);
    }
    assert!((15..60).contains(&looked_at), "{looked_at} of a thousand in 500 s");
    owner.sign_in("ada", PASSWORD).await.ok();
    stranger(&stage, 5_000).sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn the_browser_of_another_account_is_no_excuse() {
    let stage = Stage::new().await;
    stage.seed_member("eve", "acme", "org:member");
    let (eve, _) = Browser::of(&stage, "eve").await;
    stranger(&stage, 1).guess("ada").await;
    let eve = eve.from([10, 0, 0, 1]);
    eve.sign_in("ada", "guess").await.refused(429, "too many");
    let forged = stranger(&stage, 1);
    forged.jar.borrow_mut().insert("planroom_device".into(), "made-up".into());
    forged.sign_in("ada", "guess").await.refused(429, "too many");
}

#[tokio::test]
async fn a_browser_that_has_signed_in_before_cannot_guess_at_will_either() {
    let stage = Stage::new().await;
    let (owner, _) = Browser::of(&stage, "ada").await;
    owner.guess("ada").await;
    owner.sign_in("ada", PASSWORD).await.refused(429, "too many");
    stranger(&stage, 1).sign_in("ada", PASSWORD).await.ok();
    stage.clock.advance(16 * SECOND);
    owner.sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn one_address_cannot_try_one_password_on_many_accounts() {
    let stage = Stage::new().await;
    let stranger = stranger(&stage, 1);
    for n in 0..24 {
        stage.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        stranger.sign_in(&format!("user{n}"), "guess").await.refused(401, "wrong");
    }
    stranger.sign_in("user24", "guess").await.refused(429, "too many");
    stranger.sign_in("ada", PASSWORD).await.refused(429, "too many");
    self::stranger(&stage, 2).sign_in("ada", PASSWORD).await.ok();
    stage.clock.advance(HOUR);
    stranger.sign_in("ada", PASSWORD).await.ok();
}

#[tokio::test]
async fn an_unknown_login_is_slowed_down_and_answered_as_a_known_one() {
    let stage = Stage::new().await;
    let mut statuses = Vec::new();
    for n in 0..28 {
        let (one, other) = (stranger(&stage, 2 * n), stranger(&stage, 2 * n + 1));
        let (known, unknown) = tokio::join!(one.sign_in("ada", "guess"), other.sign_in("eve", "guess"));
        assert_eq!((known.status, &known.bytes), (unknown.status, &unknown.bytes), "attempt {n}");
        assert_eq!(known.header("retry-after"), unknown.header("retry-after"), "attempt {n}");
        statuses.push(known.status.as_u16());
        // Each second one comes too early, once none is free.
        stage.clock.advance(if n < 9 || n % 2 == 0 { 31 * SECOND } else { 0 });
    }
    assert_eq!(statuses[..10], [401; 10]);
    assert_eq!(statuses[10..14], [429, 401, 429, 401], "{statuses:?}");
}

#[tokio::test]
async fn an_unknown_login_takes_as_long_as_a_known_one() {
    let stage = Stage::new().await;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for n in 0..21 {
        for (login, times) in [("ada", &mut known), ("eve", &mut unknown)] {
            let started = Instant::now();
            stranger(&stage, n).sign_in(login, "guess").await.refused(401, "wrong");
            times.push(started.elapsed());
        }
        stage.clock.advance(HOUR);
    }
    known.sort();
    unknown.sort();
    // A hash takes many times as long as all the rest: who left it out would be ten times as fast.
    let ratio = known[10].as_secs_f64() / unknown[10].as_secs_f64();
    assert!((0.4..2.5).contains(&ratio), "a known login took {ratio} times as long as an unknown one");
}

#[tokio::test]
async fn the_set_up_link_cannot_be_guessed_at_will() {
    let stage = Stage::empty(|_| {});
    stage.app.offer_setup().await.unwrap().unwrap();
    let form =
        json!({ "token": "guess", "login": "eve", "displayName": "E", "password": PASSWORD, "organization": "E" });
    for n in 0..24 {
        stage.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        stage.anonymous().post("/api/auth/setup", form.clone()).await.refused(403, "not valid");
    }
    stage.anonymous().post("/api/auth/setup", form).await.refused(429, "too many");
}

#[tokio::test]
async fn invitations_cannot_be_guessed_at_will() {
    let stage = Stage::new().await;
    for n in 0..24 {
        stage.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        stage.anonymous().get(&format!("/api/auth/invitations/guess{n}")).await.refused(404, "invitation");
    }
    stage.anonymous().get("/api/auth/invitations/guess").await.refused(429, "too many");
}

#[tokio::test]
async fn tokens_cannot_be_minted_without_end() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    for n in 0..34 {
        stage.clock.advance(if n < 30 { 0 } else { 60 * SECOND });
        ada.post("/api/me/tokens", json!({ "name": format!("t{n}") })).await.created();
    }
    let reply = ada.post("/api/me/tokens", json!({ "name": "more" })).await;
    assert_eq!(reply.refused(429, "too many")["code"], "rate_limited");
    stage.clock.advance(reply.header("retry-after").parse::<i64>().unwrap() * SECOND);
    ada.post("/api/me/tokens", json!({ "name": "more" })).await.created();
}

#[tokio::test]
async fn behind_a_proxy_that_is_trusted_each_visitor_counts_alone() {
    let stage = Stage::empty(|config| config.proxies.trusted = vec!["10.0.0.1".into()]);
    stage.seed_admin("ada", "acme").await;
    let guess = async |from: [u8; 4], forwarded: &str, n: u32| {
        let visitor = stage.anonymous().from(from).header("x-forwarded-for", forwarded);
        visitor.post("/api/auth/login", json!({ "login": format!("user{n}"), "password": "guess" })).await.status
    };
    for n in 0..24 {
        stage.clock.advance(if n < 20 { 0 } else { 60 * SECOND });
        assert_eq!(guess([10, 0, 0, 1], "1.2.3.4, 192.0.2.1", n).await, 401);
    }
    assert_eq!(guess([10, 0, 0, 1], "5.6.7.8, 192.0.2.1", 24).await, 429, "what stands before may be made up");
    assert_eq!(guess([10, 0, 0, 1], "192.0.2.2", 25).await, 401);
    assert_eq!(guess([192, 0, 2, 1], "192.0.2.3", 26).await, 429, "and so is all from who is no proxy");
}

#[tokio::test]
async fn an_owner_in_a_new_browser_gets_in_while_others_guess() {
    let stage = Stage::new().await;
    let guess = async || {
        for n in 0..4 {
            let address = [198, 51, n, 7];
            let reply = Browser::new(&stage).from(address).sign_in("ada", "guess").await;
            assert!([401, 429].contains(&reply.status.as_u16()), "{reply}");
        }
    };
    for _ in 0..300 {
        guess().await;
        stage.clock.advance(SECOND / 10);
    }
    for n in 0..10 {
        guess().await;
        Browser::new(&stage).from([203, 0, 113, 5]).sign_in("ada", PASSWORD).await.ok();
        stage.clock.advance(7 * SECOND);
        // Nor does a mistake or two keep them out.
        let clumsy = Browser::new(&stage).from([203, n, 114, 5]);
        guess().await;
        clumsy.sign_in("ada", "oops").await.refused(401, "wrong");
        clumsy.sign_in("ada", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn all_browsers_that_an_owner_has_signed_in_with_share_their_guesses() {
    let stage = Stage::new().await;
    let mut known = Vec::new();
    for _ in 0..6 {
        known.push(Browser::of(&stage, "ada").await.0);
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
    let stage = Stage::new().await;
    let browser = Browser::new(&stage);
    for step in [-planroom::clock::DAY, -2 * 365 * planroom::clock::DAY] {
        browser.sign_in("ada", PASSWORD).await.ok();
        stranger(&stage, 1).sign_in("ada", "guess").await.refused(401, "wrong");
        stage.clock.step(step);
        browser.sign_in("ada", PASSWORD).await.ok();
        stranger(&stage, 1).sign_in("ada", PASSWORD).await.ok();
        stranger(&stage, 2).sign_in("ada", PASSWORD).await.ok();
    }
}

#[tokio::test]
async fn passwords_that_are_refused_to_the_holder_of_a_link_are_counted() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invited = ada.post(&format!("/api/orgs/{org}/invitations"), json!({})).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    for n in 0..20 {
        let login = if n % 2 == 0 { "ada" } else { "dee" };
        let form = json!({ "login": login, "displayName": "Dee", "password": "password1" });
        let status = stage.anonymous().post(&path, form).await.status.as_u16();
        assert_eq!(status, if n % 2 == 0 { 409 } else { 400 });
    }
    let form = json!({ "login": "dee", "displayName": "Dee", "password": PASSWORD });
    stage.anonymous().post(&path, form.clone()).await.refused(429, "too many");
    stage.clock.advance(60 * SECOND);
    stage.anonymous().post(&path, form).await.ok();
}
