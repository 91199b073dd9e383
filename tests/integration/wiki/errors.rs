//! The error table: provider errors and the resulting API errors.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{connected, connected_by_token, operate, registered, server_with_wiki};
use crate::support::{
    TestResponse,
    wiki::{
        FakeWiki, Fault, INTERNAL_TOKEN,
        content::{address, emoji},
    },
};

const TEST: &str = "/api/admin/wiki/test";

/// Expects a provider error with a retry time for the client.
#[track_caller]
fn unavailable(reply: &TestResponse) -> u64 {
    assert_eq!(reply.expect_error(502, "unexpected response from the wiki").get("code"), None);
    let seconds = reply.header("retry-after").parse().unwrap();
    assert!(seconds > 0);
    seconds
}

#[tokio::test]
async fn a_url_without_an_id_is_rejected_without_a_request() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    let refused = ada.link_to("https://www.notion.so/acme").await.expect_error(400, "no identifier");
    assert_eq!(refused["code"], "bad_wiki_url");
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn without_a_connection_or_a_client_no_request_is_sent() {
    let (server, wiki) = registered().await;
    let ada = server.seed_map().await;
    for reply in [
        ada.link_to(&address(1)).await,
        ada.get("/api/wiki/children").await,
        ada.post(TEST, json!({})).await,
        ada.post("/api/admin/wiki/refresh", json!({})).await,
    ] {
        assert_eq!(reply.expect_error(503, "not configured")["code"], "wiki_misconfigured");
    }
    ada.connect(&wiki).await;
    wiki.take_requests();
    ada.patch("/api/admin/settings", json!({ "wiki.client_id": null })).await.ok();
    assert_eq!(ada.get("/api/wiki/children").await.expect_error(503, "not configured")["code"], "wiki_misconfigured");
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn missing_capabilities_are_access_denied_and_mark_the_connection() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", emoji("🛒"));
    wiki.fail_next(&[Fault::Restricted]);
    assert_eq!(ada.link_to(&address(1)).await.expect_error(403, "denied access")["code"], "wiki_access_denied");
    assert_eq!(ada.status().await["brokenSince"], server.clock.now());
    // The connection works again and is marked healthy.
    ada.link_to(&address(1)).await.created();
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn an_unshared_page_is_not_found_and_the_connection_stays_healthy() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    let refused = ada.link_to(&address(9)).await.expect_error(404, "share it there");
    assert_eq!(refused["code"], "wiki_not_found");
    assert_eq!(wiki.take_requests().len(), 2, "as a page, and as a database");
    let id = crate::support::wiki::content::plain(9);
    for kind in ["", "&kind=wiki-page", "&kind=wiki-database"] {
        let refused = ada.get(&format!("/api/wiki/children?id={id}{kind}")).await.expect_error(404, "share it there");
        assert_eq!(refused["code"], "wiki_not_found");
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn any_other_provider_error_is_a_bad_gateway() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    for fault in [Fault::Html(403), Fault::Html(401), Fault::Html(404), Fault::Html(502), Fault::Garbage, Fault::Broken]
    {
        wiki.fail_next(&[fault]);
        unavailable(&ada.post(TEST, json!({})).await);
        assert_eq!(wiki.take_requests().len(), 1, "{fault:?}");
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
    ada.post(TEST, json!({})).await.ok();
}

#[tokio::test]
async fn a_briefly_busy_provider_is_retried() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.fail_next(&[Fault::Busy(1), Fault::Overloaded]);
    ada.post(TEST, json!({})).await.ok();
    let requests = wiki.take_full_requests();
    let heard: Vec<String> = requests.iter().map(|heard| format!("{} {}", heard.what, heard.status)).collect();
    assert_eq!(heard, ["GET /v1/users/me 429", "GET /v1/users/me 529", "GET /v1/users/me 200"]);
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1), "it said how long to wait");
}

#[tokio::test]
async fn a_busy_provider_is_not_asked_before_its_retry_after() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.fail_next(&[Fault::Busy(30)]);
    assert_eq!(unavailable(&ada.post(TEST, json!({})).await), 30);
    assert!(unavailable(&ada.get("/api/wiki/children").await) <= 30);
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 429"], "nobody asks in the meantime");
}

#[tokio::test]
async fn a_silent_provider_times_out() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.fail_next(&[Fault::Silence]);
    unavailable(&ada.post(TEST, json!({})).await);
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 0"]);
}

#[tokio::test]
async fn a_connection_sends_at_most_three_requests_per_second() {
    let wiki = FakeWiki::start().await;
    let server = server_with_wiki(&wiki, 3);
    server.seed_admin("ada", "acme").await;
    let connect = planroom::operator::WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() };
    operate(&server, connect).await.unwrap();
    let ada = server.sign_in("ada").await;
    let ask = || ada.post(TEST, json!({}));
    for reply in futures_util::future::join_all((0..6).map(|_| ask())).await {
        reply.ok();
    }
    let mut at: Vec<Instant> = wiki.take_full_requests().into_iter().map(|heard| heard.at).collect();
    at.sort();
    assert_eq!(at.len(), 7);
    for four in at.windows(4) {
        // Requests sent a second apart arrive about a second apart.
        assert!(four[3] - four[0] > Duration::from_millis(900), "{:?}", four[3] - four[0]);
    }
}

#[tokio::test]
async fn private_addresses_are_rejected_unless_configured() {
    let wiki = FakeWiki::start().await;
    let url = wiki.url();
    let server = crate::support::TestServer::empty(|config| config.outbound.wiki_url = url);
    server.seed_admin("ada", "acme").await;
    let connect = planroom::operator::WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() };
    let refused = operate(&server, connect).await.unwrap_err();
    assert!(refused.contains("did not answer"), "{refused}");
    assert_eq!(wiki.take_requests(), [""; 0]);
}
