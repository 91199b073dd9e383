//! A provider that is slow, broken or hostile, things that happen between two calls, and what others may try.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{connected, connected_by_token, registered};
use crate::support::{
    Actor, Reply, Stage,
    wiki::{
        CODE, Fault, WikiDouble,
        content::{address, dashed, plain},
    },
};

const TEST: &str = "/api/admin/wiki/test";
const END: &str = "/api/admin/wiki/disconnect";
const TOKEN: &str = "POST /v1/oauth/token";

/// Two organizations, each with a connection of its own by agreement.
async fn two_connected() -> (Stage, WikiDouble) {
    let (stage, double) = connected().await;
    stage.seed_admin("eve", "other").await;
    assert_eq!(stage.sign_in("eve").await.connect(&double).await, "/?wiki=connected");
    double.heard();
    (stage, double)
}

impl Actor<'_> {
    /// Tries the connection, whose token has run out; `what` is done after the provider was asked for another and before it
    /// answers.
    async fn tries_while(&self, double: &WikiDouble, what: impl Future<Output = ()>) -> Reply {
        double.expire();
        let held = double.holds(TOKEN);
        let meanwhile = async {
            held.is_asked().await;
            what.await;
            held.release();
        };
        tokio::join!(self.post(TEST, json!({})), meanwhile).0
    }
}

#[tokio::test]
async fn who_disconnects_during_a_refresh_stays_disconnected_and_the_new_tokens_are_ended_too() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    let reply = ada.tries_while(&double, async { drop(ada.post(END, json!({})).await.ok()) }).await;
    reply.refused(503, "not configured");
    assert_eq!(stage.count("SELECT count(*) FROM wiki_connection"), 0);
    assert_eq!(ada.status().await["configured"], false);
    assert_eq!(double.state().living(), 0, "what nobody has any more is good for nobody");
}

#[tokio::test]
async fn who_connects_anew_during_a_refresh_keeps_the_new_connection() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    let reply = ada.tries_while(&double, async { assert_eq!(ada.connect(&double).await, "/?wiki=connected") }).await;
    reply.ok();
    double.heard();
    ada.post(TEST, json!({})).await.ok();
    assert_eq!(double.heard(), ["GET /v1/users/me 200"], "by the newest token");
}

#[tokio::test]
async fn who_loses_the_right_while_the_code_is_exchanged_connects_nothing_and_leaves_no_token() {
    let (stage, double) = registered().await;
    let bob = stage.seed_member("bob", "acme", "org:admin");
    let browser = stage.sign_in("bob").await;
    let nonce = browser.start().await;
    double.agree();
    let held = double.holds(TOKEN);
    let meanwhile = async {
        held.is_asked().await;
        stage.sql(|conn| {
            conn.execute("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", [bob]).unwrap()
        });
        held.release();
    };
    let query = format!("code={CODE}&state={nonce}");
    let (back, ()) = tokio::join!(browser.come_back(&nonce, &query), meanwhile);
    assert_eq!(back, "/?wiki=not_admin");
    assert_eq!(stage.count("SELECT count(*) FROM wiki_connection"), 0);
    assert_eq!(double.state().living(), 0);
}

#[tokio::test]
async fn a_provider_that_does_not_hear_of_the_end_changes_nothing_about_it() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.fails_to_sign_in(&[Fault::Html(500)]);
    ada.post(END, json!({})).await.ok();
    assert_eq!(double.heard(), ["POST /v1/oauth/revoke 500"]);
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn a_round_that_is_under_way_ends_with_the_connection() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    for n in 1..=3 {
        double.root(n, "Page", Value::Null);
        ada.link_to(&address(n)).await.created();
        double.root(n, "Renamed", Value::Null);
    }
    double.heard();
    let due = stage.app.wiki().due().await.unwrap();
    let held = double.holds(&format!("GET /v1/pages/{}", plain(1)));
    let meanwhile = async {
        held.is_asked().await;
        ada.post(END, json!({})).await.ok();
        held.release();
    };
    tokio::join!(stage.app.wiki().round(&due[0]), meanwhile);
    let heard = double.heard();
    assert_eq!(heard, [format!("GET /v1/pages/{} 200", plain(1)), "POST /v1/oauth/revoke 200".into()]);
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["refresh"]["running"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn who_connects_anew_while_a_round_is_under_way_has_another_after_it() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    double.root(1, "Page", Value::Null);
    ada.link_to(&address(1)).await.created();
    let wiki = stage.app.wiki();
    let due = wiki.due().await.unwrap();
    let held = double.holds(&format!("GET /v1/pages/{}", plain(1)));
    let meanwhile = async {
        held.is_asked().await;
        assert_eq!(ada.connect(&double).await, "/?wiki=connected");
        // The timer looks, as it does whenever somebody connects.
        assert_eq!(wiki.due().await.unwrap(), [""; 0], "one at a time");
        held.release();
    };
    tokio::join!(wiki.round(&due[0]), meanwhile);
    assert_eq!(wiki.due().await.unwrap(), due);
}

#[tokio::test]
async fn two_organizations_refresh_each_for_itself_and_go_on_after_a_restart() {
    let (stage, double) = two_connected().await;
    let url = double.url();
    double.expire();
    let (ada, eve) = (stage.sign_in("ada").await, stage.sign_in("eve").await);
    let ask = async |actor: &crate::support::Actor<'_>| actor.post(TEST, json!({})).await;
    let (one, two, three, four) = tokio::join!(ask(&ada), ask(&eve), ask(&ada), ask(&eve));
    for reply in [one, two, three, four] {
        reply.ok();
    }
    let refreshed = double.heard().iter().filter(|heard| heard.starts_with(TOKEN)).count();
    assert_eq!(refreshed, 2);
    let stage = Stage::on(stage.stop(), |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (url, true);
    });
    double.expire();
    for login in ["ada", "eve"] {
        stage.sign_in(login).await.post(TEST, json!({})).await.ok();
    }
    let refreshed: Vec<Value> =
        double.heard_whole().into_iter().filter(|heard| heard.what == TOKEN).map(|heard| heard.body).collect();
    assert_eq!(refreshed.len(), 2);
    assert_ne!(refreshed[0]["refresh_token"], refreshed[1]["refresh_token"]);
}

#[tokio::test]
async fn a_token_that_is_moved_to_another_organization_opens_nothing() {
    let (stage, double) = two_connected().await;
    // Somebody with the database, and without the keys, gives theirs the connection of acme.
    stage.sql(|conn| {
        conn.execute(
            "UPDATE wiki_connection SET (access_token, refresh_token) =
                 (SELECT access_token, refresh_token FROM wiki_connection c JOIN organization o
                  ON o.id = c.organization_id WHERE o.slug = 'acme')
             WHERE organization_id = (SELECT id FROM organization WHERE slug = 'other')",
            [],
        )
        .unwrap()
    });
    stage.sign_in("eve").await.post(TEST, json!({})).await.refused(503, "not configured");
    // Nor is the one token the other.
    stage.sql(|conn| conn.execute("UPDATE wiki_connection SET access_token = refresh_token", []).unwrap());
    stage.sign_in("ada").await.post(TEST, json!({})).await.refused(503, "not configured");
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn whatever_stands_in_retry_after_nobody_is_hurried_and_nobody_put_off_for_ever() {
    for (said, most) in [
        ("Wed, 21 Oct 2026 07:28:00 GMT", 60),
        ("soon", 60),
        ("-1", 60),
        ("1.5", 60),
        ("", 60),
        ("86400", 3_600),
        ("18446744073709551615", 3_600),
        ("99999999999999999999999", 60),
    ] {
        let (stage, double) = connected().await;
        let ada = stage.sign_in("ada").await;
        double.fails(&[Fault::BusyUntil(said); 20]);
        let reply = ada.post(TEST, json!({})).await;
        reply.refused(502, "the wiki did not answer");
        let seconds: u64 = reply.header("retry-after").parse().unwrap();
        assert!((1..=most).contains(&seconds), "{said}: {seconds}");
        assert!(double.heard().len() <= 5, "{said}");
    }
}

#[tokio::test]
async fn a_provider_that_is_busy_and_says_to_come_at_once_is_not_asked_without_end() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.expire();
    double.fails_to_sign_in(&vec![Fault::BusyUntil("0"); 5_000]);
    let begun = Instant::now();
    let reply = ada.post(TEST, json!({})).await;
    reply.refused(502, "the wiki did not answer");
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    let asked = double.heard().len();
    assert!(asked <= 10, "{asked} requests");
}

#[tokio::test]
async fn ids_are_taken_in_upper_case_and_sent_in_lower() {
    let (stage, double) = connected_by_token().await;
    let ada = stage.map().await;
    double.root(0xabc, "Checkout", Value::Null);
    for url in [address(0xabc).to_uppercase().replacen("HTTPS", "https", 1), format!("{}?v=1", address(0xabc))] {
        let link = ada.link_to(&url).await.created()["link"].clone();
        assert_eq!((&link["title"], &link["targetId"]), (&json!("Checkout"), &json!(plain(0xabc))), "{url}");
    }
    for id in [plain(0xabc).to_uppercase(), dashed(0xabc).to_uppercase()] {
        ada.get(&format!("/api/wiki/children?id={id}")).await.ok();
        ada.get(&format!("/api/wiki/icon?id={id}")).await.refused(404, "icon that is a picture");
    }
}
