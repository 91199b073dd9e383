//! The provider's keys: cached, and fetched again at a limited rate.

use planroom::clock::MINUTE;
use serde_json::json;

use super::{bearer, claims, server, server_with};
use crate::support::oidc::Signer;

#[tokio::test]
async fn keys_are_fetched_once_and_at_most_once_a_minute_for_a_new_key_id() {
    let (server, idp) = server().await;
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    assert_eq!(idp.take_requests(), ["GET discovery", "GET keys"]);
    for sub in 0..20 {
        bearer(&server, &idp, json!({ "sub": format!("user_{sub}") })).get("/api/me").await.ok();
    }
    assert_eq!(idp.take_requests(), [""; 0]);
    let second = Signer::ec("second");
    idp.state().published.push(second.jwk.clone());
    let token = || second.sign(&claims(&server, &idp, json!({})));
    server.with(&token()).get("/api/me").await.expect_error(401, "signed with an unknown key");
    assert_eq!(idp.take_requests(), [""; 0], "a moment ago");
    server.clock.advance(MINUTE);
    server.with(&token()).get("/api/me").await.ok();
    assert_eq!(idp.take_requests(), ["GET keys"]);
    server.clock.advance(MINUTE);
    for kid in 0..20 {
        let unknown = second.sign_as(Some(&format!("unknown-{kid}")), &claims(&server, &idp, json!({})));
        server.with(&unknown).get("/api/me").await.expect_error(401, "signed with an unknown key");
    }
    assert_eq!(idp.take_requests(), ["GET keys"], "twenty unknown keys are one question");
}

#[tokio::test]
async fn concurrent_requests_share_one_fetch() {
    let (server, idp) = server().await;
    let actors: Vec<_> = (0..8).map(|n| bearer(&server, &idp, json!({ "sub": format!("user_{n}") }))).collect();
    let replies = futures_util::future::join_all(actors.iter().map(|client| client.get("/api/me"))).await;
    for reply in replies {
        reply.ok();
    }
    assert_eq!(idp.take_requests(), ["GET discovery", "GET keys"]);
}

#[tokio::test]
async fn known_keys_remain_valid_while_the_provider_is_down() {
    let (server, idp) = server().await;
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    idp.state().down = true;
    for _ in 0..3 {
        server.clock.advance(30 * MINUTE);
        bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    }
    let unknown = Signer::ec("unknown").sign(&claims(&server, &idp, json!({})));
    server.with(&unknown).get("/api/me").await.expect_error(401, "signed with an unknown key");
    bearer(&server, &idp, json!({ "x": 1 })).get("/api/me").await.ok();
}

#[tokio::test]
async fn tokens_are_rejected_until_keys_were_fetched() {
    let (server, idp) = server().await;
    idp.state().keys_down = true;
    bearer(&server, &idp, json!({})).get("/api/me").await.expect_error(503, "busy");
    idp.state().keys_down = false;
    server.clock.advance(MINUTE);
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    server.sign_in("ada").await.get("/api/me").await.ok();
}

#[tokio::test]
async fn a_provider_with_another_issuer_or_a_private_address_is_rejected() {
    let (server, idp) = server().await;
    idp.state().discovery = json!({ "issuer": format!("{}/", idp.url()) });
    bearer(&server, &idp, json!({})).get("/api/me").await.expect_error(503, "");
    assert_eq!(idp.take_requests(), ["GET discovery"], "its keys are not asked for");
    let (guarded, idp) = server_with(|config| config.identity.oidc.allow_private = false).await;
    bearer(&guarded, &idp, json!({})).get("/api/me").await.expect_error(503, "");
    assert_eq!(idp.take_requests(), [""; 0]);
}

#[tokio::test]
async fn an_endless_key_set_is_not_read() {
    let (server, idp) = server().await;
    let jwk = idp.state().signer.jwk.clone();
    idp.state().published = std::iter::repeat_n(jwk, 2_000).collect();
    bearer(&server, &idp, json!({})).get("/api/me").await.expect_error(503, "");
}

#[tokio::test]
async fn a_failed_fetch_is_retried_within_seconds() {
    let (server, idp) = server().await;
    idp.state().keys_down = true;
    bearer(&server, &idp, json!({})).get("/api/me").await.expect_error(503, "busy");
    idp.state().keys_down = false;
    server.clock.advance(5_000);
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
}

#[tokio::test]
async fn setting_the_clock_back_does_not_prevent_fetching_keys() {
    let (server, idp) = server().await;
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    server.clock.step(-planroom::clock::DAY);
    server.clock.advance(MINUTE);
    let second = Signer::ec("second");
    idp.state().published.push(second.jwk.clone());
    let token = second.sign(&claims(&server, &idp, json!({})));
    server.with(&token).get("/api/me").await.ok();
}

#[tokio::test]
async fn concurrent_requests_with_stale_keys_cause_one_fetch() {
    let (server, idp) = server().await;
    bearer(&server, &idp, json!({})).get("/api/me").await.ok();
    idp.take_requests();
    server.clock.advance(30 * MINUTE);
    for n in 0..20 {
        bearer(&server, &idp, json!({ "sub": format!("user_{n}") })).get("/api/me").await.ok();
    }
    // A fetch can be in progress: further requests wait for it.
    let unknown = Signer::ec("unknown").sign(&claims(&server, &idp, json!({})));
    server.with(&unknown).get("/api/me").await.expect_error(401, "signed with an unknown key");
    assert_eq!(idp.take_requests(), ["GET keys"]);
}
