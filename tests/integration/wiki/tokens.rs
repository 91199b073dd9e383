//! Tokens: refreshed once after a rejection, and connections by an operator's token.

use planroom::operator::WikiOperation;
use serde_json::json;

use super::{connected, connected_by_token, operate, registered, server_with_wiki};
use crate::support::wiki::{CLIENT, FakeWiki, INTERNAL_TOKEN};

const TEST: &str = "/api/admin/wiki/test";

#[tokio::test]
async fn a_rejected_token_is_refreshed_and_the_request_repeated() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    for round in 1..=2 {
        wiki.expire();
        ada.post(TEST, json!({})).await.ok();
        let heard = wiki.take_full_requests();
        let told: Vec<String> = heard.iter().map(|heard| format!("{} {}", heard.what, heard.status)).collect();
        assert_eq!(told, ["GET /v1/users/me 401", "POST /v1/oauth/token 200", "GET /v1/users/me 200"]);
        // The refresh replaced both tokens.
        let asked = json!({ "grant_type": "refresh_token", "refresh_token": format!("nrt_refresh_{round}") });
        assert_eq!(heard[1].body, asked);
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn a_rejected_new_token_is_not_refreshed_again() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.reject_all_tokens();
    let refused = ada.post(TEST, json!({})).await.expect_error(403, "reconnect the wiki");
    assert_eq!(refused["code"], "wiki_access_denied");
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 401", "POST /v1/oauth/token 200", "GET /v1/users/me 401"]);
    assert_eq!(ada.status().await["brokenSince"], server.clock.now());
}

#[tokio::test]
async fn two_concurrent_rejections_cause_one_refresh() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.expire();
    let ask = || ada.post(TEST, json!({}));
    let (a, b, c, d) = tokio::join!(ask(), ask(), ask(), ask());
    for reply in [a, b, c, d] {
        reply.ok();
    }
    let heard = wiki.take_requests();
    assert_eq!(heard.iter().filter(|what| what.starts_with("POST /v1/oauth/token")).count(), 1, "{heard:?}");
    assert_eq!(heard.iter().filter(|what| *what == "GET /v1/users/me 200").count(), 4, "{heard:?}");
}

#[tokio::test]
async fn a_connection_revoked_at_the_provider_is_marked_until_reconnected() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.uninstall();
    for _ in 0..2 {
        let refused = ada.post(TEST, json!({})).await.expect_error(403, "reconnect the wiki");
        assert_eq!(refused["code"], "wiki_access_denied");
        assert_eq!(wiki.take_requests(), ["GET /v1/users/me 401", "POST /v1/oauth/token 400"]);
    }
    assert_eq!(ada.status().await["brokenSince"], server.clock.now());
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'wiki.broken'"), 1);
    assert_eq!(ada.connect(&wiki).await, "/?wiki=connected");
    assert_eq!(ada.status().await["brokenSince"], json!(null));
    ada.post(TEST, json!({})).await.ok();
}

#[tokio::test]
async fn the_operator_connects_an_organization_with_a_token() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.sign_in("ada").await;
    let status = ada.status().await;
    let told = (&status["configured"], &status["kind"], &status["oauthReady"], &status["workspaceName"]);
    assert_eq!(told, (&json!(true), &json!("token"), &json!(false), &json!("Acme's wiki")));
    ada.post(TEST, json!({})).await.ok();
    // An internal token cannot be refreshed or revoked.
    wiki.take_requests();
    wiki.uninstall();
    ada.post(TEST, json!({})).await.expect_error(403, "denied access");
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(wiki.take_requests(), ["GET /v1/users/me 401"]);
}

#[tokio::test]
async fn an_invalid_token_connects_nothing() {
    let wiki = FakeWiki::start().await;
    let server = server_with_wiki(&wiki, 1_000);
    server.seed_admin("ada", "acme").await;
    let connect = |org: &str, token: &str| WikiOperation::Connect { org: org.into(), token: token.into() };
    let wrong = operate(&server, connect("acme", "ntn_none")).await.unwrap_err();
    assert!(wrong.contains("does not accept this token") && !wrong.contains("ntn_none"), "{wrong}");
    operate(&server, connect("other", INTERNAL_TOKEN)).await.unwrap_err();
    assert_eq!(server.count("SELECT count(*) FROM wiki_connection"), 0);
}

#[tokio::test]
async fn the_operator_stores_the_client_after_the_provider_accepted_it() {
    let (server, wiki) = registered().await;
    let set_up = |id: &str, secret: &str| WikiOperation::Setup { client: Some((id.into(), secret.into())) };
    for (id, secret) in [("client-of-another", CLIENT.1), (CLIENT.0, "secret-of-another")] {
        let wrong = operate(&server, set_up(id, secret)).await.unwrap_err();
        assert!(wrong.contains("does not accept this client id and secret") && !wrong.contains(secret), "{wrong}");
    }
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/token 401", "POST /v1/oauth/token 401"]);
    operate(&server, set_up(CLIENT.0, CLIENT.1)).await.unwrap();
    operate(&server, WikiOperation::Setup { client: None }).await.unwrap();
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/token 400", "POST /v1/oauth/token 400"]);
    let facts = operate(&server, WikiOperation::Facts).await.unwrap();
    assert_eq!(facts, json!({ "redirectUri": "http://planroom.test/api/auth/wiki/callback", "clientId": CLIENT.0 }));
    let status = operate(&server, WikiOperation::Status).await.unwrap();
    assert_eq!(status, json!([]));
}
