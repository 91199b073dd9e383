//! The table of errors, row by row: what the provider says, and what callers hear of it.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{before, connected, connected_by_token, operate, registered};
use crate::support::{
    Reply,
    wiki::{
        Fault, INTERNAL_TOKEN, WikiDouble,
        content::{address, emoji},
    },
};

const TEST: &str = "/api/admin/wiki/test";

/// Expects that the wiki did not answer as it should, and that the client is told when to try again.
#[track_caller]
fn unavailable(reply: &Reply) -> u64 {
    assert_eq!(reply.refused(502, "the wiki did not answer").get("code"), None);
    let seconds = reply.header("retry-after").parse().unwrap();
    assert!(seconds > 0);
    seconds
}

#[tokio::test]
async fn an_address_without_an_id_is_told_before_anything_is_asked() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    let refused = ada.link_to("https://www.notion.so/acme").await.refused(400, "no identifier");
    assert_eq!(refused["code"], "bad_wiki_url");
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn without_a_connection_or_a_client_nobody_is_asked() {
    let (stage, double) = registered().await;
    let ada = stage.map().await;
    for reply in [
        ada.link_to(&address(1)).await,
        ada.get("/api/wiki/children").await,
        ada.post(TEST, json!({})).await,
        ada.post("/api/admin/wiki/refresh", json!({})).await,
    ] {
        assert_eq!(reply.refused(503, "not configured")["code"], "wiki_misconfigured");
    }
    ada.connect(&double).await;
    double.heard();
    ada.patch("/api/admin/settings", json!({ "wiki.client_id": null })).await.ok();
    assert_eq!(ada.get("/api/wiki/children").await.refused(503, "not configured")["code"], "wiki_misconfigured");
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn what_the_integration_may_not_do_is_access_denied_and_marks_the_connection() {
    let (stage, double) = connected_by_token().await;
    let ada = stage.map().await;
    double.root(1, "Checkout", emoji("🛒"));
    double.fails(&[Fault::Restricted]);
    assert_eq!(ada.link_to(&address(1)).await.refused(403, "refused access")["code"], "wiki_access_denied");
    assert_eq!(ada.status().await["brokenSince"], stage.clock.now());
    // It works again, and so is whole.
    ada.link_to(&address(1)).await.created();
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn what_is_not_shared_is_not_found_and_the_connection_is_none_the_worse() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    let refused = ada.link_to(&address(9)).await.refused(404, "share it there");
    assert_eq!(refused["code"], "wiki_not_found");
    assert_eq!(double.heard().len(), 2, "as a page, and as a database");
    let id = crate::support::wiki::content::plain(9);
    for kind in ["", "&kind=wiki-page", "&kind=wiki-database"] {
        let refused = ada.get(&format!("/api/wiki/children?id={id}{kind}")).await.refused(404, "share it there");
        assert_eq!(refused["code"], "wiki_not_found");
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn whatever_else_the_provider_says_is_a_bad_gateway() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    for fault in [Fault::Html(403), Fault::Html(401), Fault::Html(404), Fault::Html(502), Fault::Garbage, Fault::Broken]
    {
        double.fails(&[fault]);
        unavailable(&ada.post(TEST, json!({})).await);
        assert_eq!(double.heard().len(), 1, "{fault:?}");
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
    ada.post(TEST, json!({})).await.ok();
}

#[tokio::test]
async fn a_provider_that_is_busy_for_a_moment_is_asked_again() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.fails(&[Fault::Busy(1), Fault::Overloaded]);
    let begun = Instant::now();
    ada.post(TEST, json!({})).await.ok();
    assert_eq!(double.heard(), ["GET /v1/users/me 429", "GET /v1/users/me 529", "GET /v1/users/me 200"]);
    assert!(begun.elapsed() >= Duration::from_secs(1), "it said how long to wait");
}

#[tokio::test]
async fn a_provider_that_is_busy_for_longer_is_left_alone_as_long_as_it_says() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.fails(&[Fault::Busy(30)]);
    let begun = Instant::now();
    assert_eq!(unavailable(&ada.post(TEST, json!({})).await), 30);
    assert!(unavailable(&ada.get("/api/wiki/children").await) > 25);
    assert_eq!(double.heard(), ["GET /v1/users/me 429"], "nobody asks in the meantime");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn nobody_waits_longer_than_five_seconds_for_a_provider_that_says_nothing() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.fails(&[Fault::Silence]);
    let begun = Instant::now();
    unavailable(&ada.post(TEST, json!({})).await);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_connection_has_at_most_three_requests_in_any_second() {
    let double = WikiDouble::start().await;
    let stage = before(&double, 3);
    stage.seed_admin("ada", "acme").await;
    let connect = planroom::operator::WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() };
    operate(&stage, connect).await.unwrap();
    let ada = stage.sign_in("ada").await;
    let ask = || ada.post(TEST, json!({}));
    for reply in futures_util::future::join_all((0..6).map(|_| ask())).await {
        reply.ok();
    }
    let mut at: Vec<Instant> = double.heard_whole().into_iter().map(|heard| heard.at).collect();
    at.sort();
    assert_eq!(at.len(), 7);
    for four in at.windows(4) {
        // What is sent a second later is heard about a second later.
        assert!(four[3] - four[0] > Duration::from_millis(900), "{:?}", four[3] - four[0]);
    }
}

#[tokio::test]
async fn this_machine_is_not_asked_unless_that_is_configured() {
    let double = WikiDouble::start().await;
    let url = double.url();
    let stage = crate::support::Stage::empty(|config| config.outbound.wiki_url = url);
    stage.seed_admin("ada", "acme").await;
    let connect = planroom::operator::WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() };
    let refused = operate(&stage, connect).await.unwrap_err();
    assert!(refused.contains("did not answer"), "{refused}");
    assert_eq!(double.heard(), [""; 0]);
}
