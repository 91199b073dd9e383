//! Links with a password.

use std::net::Ipv4Addr;

use axum::http::Method;
use planroom::clock::{DAY, HOUR};
use serde_json::json;

use super::{SHARES, create, oembed, path, text, visit};
use crate::support::{TestClient, TestResponse, TestServer};

const RIGHT: &str = "correct horse battery";

async fn unlock(server: &TestServer, path: &str, password: &str) -> TestResponse {
    unlock_as(&server.anonymous(), path, password).await
}

async fn unlock_as(reader: &TestClient<'_>, path: &str, password: &str) -> TestResponse {
    let form = "application/x-www-form-urlencoded";
    let body = format!("password={}", password.replace(' ', "+"));
    reader.send_raw(Method::POST, &format!("{path}/unlock"), Some(form), body).await
}

/// The cookie that a response sets, as a browser sends it.
fn cookie(reply: &TestResponse) -> String {
    reply.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_link_with_a_password_shows_nothing_before_it_is_given() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "name": "Secret plan" })).await.ok();
    let path = path(&create(&ada, json!({ "password": RIGHT, "preview": "picture" })).await);
    let page = visit(&server, &path).await;
    assert_eq!(page.status, 200);
    assert!(text(&page).contains("type=\"password\"") && !text(&page).contains("Secret"), "{}", text(&page));
    for part in ["image.svg", "image.png", "model.json"] {
        let reply = visit(&server, &format!("{path}/{part}")).await;
        assert_eq!(reply.status, 401, "{part}");
        assert!(!text(&reply).contains("Secret"));
    }
    assert_eq!(oembed(&server, &path).await.status, 401);

    let wrong = unlock(&server, &path, "battery horse correct").await;
    assert_eq!(wrong.status, 403);
    assert!(text(&wrong).contains("The password is wrong") && wrong.headers.get("set-cookie").is_none());
    let right = unlock(&server, &path, RIGHT).await;
    assert_eq!((right.status.as_u16(), right.header("location")), (303, &*path));
    let set = right.header("set-cookie");
    for part in ["planroom_share=", "; HttpOnly", "; SameSite=Lax", &format!("; Path={path}"), "; Max-Age=7819200"] {
        assert!(set.contains(part), "{part} in {set}");
    }
    let reader = server.anonymous().header("cookie", &cookie(&right));
    assert!(text(&reader.get(&path).await).contains("<h1>Secret plan</h1>"));
    let image = reader.get(&format!("{path}/image.svg")).await;
    assert_eq!((image.status.as_u16(), image.header("cache-control")), (200, "private, no-cache"));
    assert_eq!(reader.get(&format!("{path}/embed")).await.status, 404);
    let title = text(&reader.get(&path).await);
    assert!(title.contains("<title>A shared map</title>"), "other sites learn nothing: {title}");
}

#[tokio::test]
async fn the_proof_of_a_password_ends_after_twelve_hours_and_when_the_password_or_the_address_changes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "password": RIGHT })).await;
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    let opens = async |cookie: &str, path: &str| {
        server.anonymous().header("cookie", cookie).get(&format!("{path}/image.svg")).await.status == 200
    };
    let path_of = path(&share);
    let first = cookie(&unlock(&server, &path_of, RIGHT).await);
    assert!(opens(&first, &path_of).await);
    let other = path(&create(&ada, json!({ "password": RIGHT })).await);
    assert!(!opens(&first, &other).await, "of another link");
    let (expires_at, code) = first.strip_prefix("planroom_share=").unwrap().split_once('.').unwrap();
    let forged = format!("planroom_share={}.{code}", expires_at.parse::<i64>().unwrap() + 1_000_000);
    assert!(!opens(&forged, &path_of).await);
    server.clock.advance(13 * 60 * 60 * 1_000);
    assert!(!opens(&first, &path_of).await);
    let ada = server.sign_in("ada").await;
    let second = cookie(&unlock(&server, &path_of, RIGHT).await);
    assert!(opens(&second, &path_of).await);
    ada.patch(&own, json!({ "password": "another good one" })).await.ok();
    assert!(!opens(&second, &path_of).await);
    let third = cookie(&unlock(&server, &path_of, "another good one").await);
    assert!(opens(&third, &path_of).await);
    let rotated = ada.send(Method::POST, &format!("{own}/rotate"), None).await.ok()["share"].clone();
    assert!(!opens(&third, &path(&rotated)).await);
    ada.patch(&own, json!({ "password": null })).await.ok();
    assert_eq!(visit(&server, &format!("{}/image.svg", path(&rotated))).await.status, 200);
}

#[tokio::test]
async fn wrong_passwords_are_limited_and_counted_in_the_audit_log() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "password": RIGHT })).await;
    let path = path(&share);
    let mut refused = 0;
    while unlock(&server, &path, "guess").await.status == 403 {
        refused += 1;
        assert!(refused < 50, "guesses are not limited");
    }
    assert_eq!(unlock(&server, &path, RIGHT).await.status, 429);
    let sql = "SELECT coalesce(details ->> '$.count', 1) FROM audit WHERE kind = 'share.unlock_failed'";
    assert_eq!(server.count(sql), refused);
    let of_organization = "SELECT count(*) FROM audit a JOIN organization o ON o.id = a.organization_id
                           WHERE a.kind = 'share.unlock_failed' AND o.slug = 'acme'";
    assert_eq!(server.count(of_organization), 1, "administrators of the organization see it");
    server.clock.advance(60_000);
    assert_eq!(unlock(&server, &path, RIGHT).await.status, 303);
}

#[tokio::test]
async fn strangers_who_guess_passwords_do_not_lock_out_readers_with_the_right_password() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({ "password": RIGHT })).await);
    server.weaken_share_passwords(RIGHT);
    let from = |a: u8, b: u8| server.anonymous().from(Ipv4Addr::new(198, 51, a, b));
    // Four strangers keep guessing, each from the addresses of a separate network.
    let guess = async || {
        let mut guesses = 0;
        for n in 0..80 {
            guesses += usize::from(unlock_as(&from(n % 4, n), &path, "guess").await.status == 403);
        }
        guesses
    };
    let guesses = guess().await;
    assert!((5..=4 * 6 + 5).contains(&guesses), "{guesses} guesses");
    for n in 0..12 {
        assert_eq!(unlock_as(&from(100 + n, 1), &path, RIGHT).await.status, 303, "reader {n}");
        guess().await;
    }
    let stranger = from(200, 1);
    let mut statuses = Vec::new();
    for _ in 0..10 {
        statuses.push(unlock_as(&stranger, &path, "guess").await.status.as_u16());
    }
    assert!(statuses.ends_with(&[429; 5]), "an address with failed attempts is rate limited: {statuses:?}");
}

#[tokio::test]
async fn strangers_with_many_addresses_do_not_lock_out_readers_in_other_networks() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({ "password": RIGHT })).await);
    server.weaken_share_passwords(RIGHT);
    let from = |large: u8, n: u8| server.anonymous().from(Ipv4Addr::new(large, n, 113, 7));
    let mut guesses = 0;
    for n in 0..100 {
        guesses += usize::from(unlock_as(&from(20, n), &path, "guess").await.status == 403);
    }
    assert!(guesses < 40, "{guesses}");
    for n in 0..12 {
        assert_eq!(unlock_as(&from(77, n), &path, RIGHT).await.status, 303, "reader {n}");
        for guess in 0..3 {
            unlock_as(&from(20, 100 + 3 * n + guess), &path, "guess").await;
        }
    }
    assert_eq!(unlock_as(&from(20, 200), &path, RIGHT).await.status, 429, "their own network");
}

#[tokio::test]
async fn a_reader_who_forgot_the_password_does_not_lock_out_others_who_entered_it_before() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = path(&create(&ada, json!({ "password": RIGHT })).await);
    server.weaken_share_passwords(RIGHT);
    let mut cookies = Vec::new();
    for _ in 0..3 {
        cookies.push(cookie(&unlock(&server, &path, RIGHT).await));
        server.clock.advance(1);
    }
    let unlock_with = async |n: u8, password: &str| {
        let reader = server.anonymous().from(Ipv4Addr::new(30, n, 1, 1)).header("cookie", &cookies[usize::from(n)]);
        unlock_as(&reader, &path, password).await.status.as_u16()
    };
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(unlock_with(0, "guess").await);
    }
    assert_eq!(statuses, [403, 403, 403, 403, 403, 429]);
    assert_eq!(unlock_with(0, RIGHT).await, 429);
    for n in 1..3 {
        assert_eq!(unlock_with(n, "oops").await, 403);
        assert_eq!(unlock_with(n, RIGHT).await, 303, "reader {n}");
    }
    let (expires_at, code) = cookies[0].strip_prefix("planroom_share=").unwrap().split_once('.').unwrap();
    let other = format!("planroom_share=+{expires_at}.{code}");
    let same = server.anonymous().from(Ipv4Addr::new(30, 9, 1, 1)).header("cookie", &other);
    assert_eq!(unlock_as(&same, &path, RIGHT).await.status, 429, "the same proof in another form has no other limit");
}

#[tokio::test]
async fn a_browser_that_sent_the_password_before_is_not_locked_out() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "password": RIGHT, "expiresAt": server.clock.now() + 300 * DAY })).await;
    let path = path(&share);
    server.weaken_share_passwords(RIGHT);
    let first = cookie(&unlock(&server, &path, RIGHT).await);
    let reader = server.anonymous().from(Ipv4Addr::new(203, 200, 113, 7));
    let lock_out = async || {
        // Each guess comes from a new address, until the limit also applies to addresses without failures.
        for n in 0..60 {
            let stranger = server.anonymous().from(Ipv4Addr::new(203, n, 113, 7));
            unlock_as(&stranger, &path, "guess").await;
        }
        assert_eq!(unlock_as(&reader, &path, RIGHT).await.status, 429);
    };
    let unlock_with = async |cookie: &str, password: &str| {
        unlock_as(&reader.header("cookie", cookie), &path, password).await.status.as_u16()
    };
    server.clock.advance(13 * HOUR);
    lock_out().await;
    assert_eq!(
        unlock_with(&first, RIGHT).await,
        303,
        "the unlock has expired, and the cookie still identifies the browser"
    );
    let guesses =
        [unlock_with(&first, "guess").await, unlock_with(&first, "guess").await, unlock_with(&first, "guess").await];
    assert_eq!(guesses, [403; 3]);
    for _ in 0..5 {
        unlock_with(&first, "guess").await;
    }
    assert_eq!(unlock_with(&first, "guess").await, 429, "recognized browsers have a limit, too");
    // Browsers are recognized for 90 days, or until the password changes.
    server.clock.advance(90 * DAY);
    lock_out().await;
    assert_eq!(unlock_with(&first, RIGHT).await, 429);
    server.clock.advance(HOUR);
    let ada = server.sign_in("ada").await;
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    let second = cookie(&unlock(&server, &path, RIGHT).await);
    lock_out().await;
    assert_eq!(unlock_with(&second, RIGHT).await, 303);
    ada.patch(&own, json!({ "password": "another good one" })).await.ok();
    assert_eq!(unlock_with(&second, "another good one").await, 429);
}
