//! Tokens: refreshed once when they are refused, and connections by a token that the operator has.

use planroom::operator::WikiOperation;
use serde_json::json;

use super::{before, connected, connected_by_token, operate, registered};
use crate::support::wiki::{CLIENT, INTERNAL_TOKEN, WikiDouble};

const TEST: &str = "/api/admin/wiki/test";

#[tokio::test]
async fn a_token_that_is_refused_is_refreshed_and_the_question_asked_again() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    for round in 1..=2 {
        double.expire();
        ada.post(TEST, json!({})).await.ok();
        let heard = double.heard_whole();
        let told: Vec<String> = heard.iter().map(|heard| format!("{} {}", heard.what, heard.status)).collect();
        assert_eq!(told, ["GET /v1/users/me 401", "POST /v1/oauth/token 200", "GET /v1/users/me 200"]);
        // Both tokens were replaced by the refresh before.
        let asked = json!({ "grant_type": "refresh_token", "refresh_token": format!("nrt_refresh_{round}") });
        assert_eq!(heard[1].body, asked);
    }
    assert_eq!(ada.status().await["brokenSince"], json!(null));
}

#[tokio::test]
async fn a_token_that_is_refused_though_it_is_new_is_not_refreshed_for_ever() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.refuses_all_tokens();
    let refused = ada.post(TEST, json!({})).await.refused(403, "connect the wiki again");
    assert_eq!(refused["code"], "wiki_access_denied");
    assert_eq!(double.heard(), ["GET /v1/users/me 401", "POST /v1/oauth/token 200", "GET /v1/users/me 401"]);
    assert_eq!(ada.status().await["brokenSince"], stage.clock.now());
}

#[tokio::test]
async fn two_that_are_refused_at_once_refresh_once() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.expire();
    let ask = || ada.post(TEST, json!({}));
    let (a, b, c, d) = tokio::join!(ask(), ask(), ask(), ask());
    for reply in [a, b, c, d] {
        reply.ok();
    }
    let heard = double.heard();
    assert_eq!(heard.iter().filter(|what| what.starts_with("POST /v1/oauth/token")).count(), 1, "{heard:?}");
    assert_eq!(heard.iter().filter(|what| *what == "GET /v1/users/me 200").count(), 4, "{heard:?}");
}

#[tokio::test]
async fn a_connection_that_was_ended_there_is_refused_and_marked_until_it_is_made_again() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.uninstall();
    for _ in 0..2 {
        let refused = ada.post(TEST, json!({})).await.refused(403, "connect the wiki again");
        assert_eq!(refused["code"], "wiki_access_denied");
        assert_eq!(double.heard(), ["GET /v1/users/me 401", "POST /v1/oauth/token 400"]);
    }
    assert_eq!(ada.status().await["brokenSince"], stage.clock.now());
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'wiki.broken'"), 1);
    assert_eq!(ada.connect(&double).await, "/?wiki=connected");
    assert_eq!(ada.status().await["brokenSince"], json!(null));
    ada.post(TEST, json!({})).await.ok();
}

#[tokio::test]
async fn the_operator_connects_an_organization_with_a_token() {
    let (stage, double) = connected_by_token().await;
    let ada = stage.sign_in("ada").await;
    let status = ada.status().await;
    let told = (&status["configured"], &status["kind"], &status["oauthReady"], &status["workspaceName"]);
    assert_eq!(told, (&json!(true), &json!("token"), &json!(false), &json!("Acme's wiki")));
    ada.post(TEST, json!({})).await.ok();
    // There is nothing to refresh it with, and nothing to revoke.
    double.heard();
    double.uninstall();
    ada.post(TEST, json!({})).await.refused(403, "refused access");
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(double.heard(), ["GET /v1/users/me 401"]);
}

#[tokio::test]
async fn a_token_that_is_none_connects_nothing() {
    let double = WikiDouble::start().await;
    let stage = before(&double, 1_000);
    stage.seed_admin("ada", "acme").await;
    let connect = |org: &str, token: &str| WikiOperation::Connect { org: org.into(), token: token.into() };
    let wrong = operate(&stage, connect("acme", "ntn_none")).await.unwrap_err();
    assert!(wrong.contains("does not accept this token") && !wrong.contains("ntn_none"), "{wrong}");
    operate(&stage, connect("other", INTERNAL_TOKEN)).await.unwrap_err();
    assert_eq!(stage.count("SELECT count(*) FROM wiki_connection"), 0);
}

#[tokio::test]
async fn the_operator_makes_the_instance_known_when_the_provider_knows_it() {
    let (stage, double) = registered().await;
    let set_up = |id: &str, secret: &str| WikiOperation::Setup { client: Some((id.into(), secret.into())) };
    for (id, secret) in [("client-of-another", CLIENT.1), (CLIENT.0, "secret-of-another")] {
        let wrong = operate(&stage, set_up(id, secret)).await.unwrap_err();
        assert!(wrong.contains("does not accept this client id and secret") && !wrong.contains(secret), "{wrong}");
    }
    assert_eq!(double.heard(), ["POST /v1/oauth/token 401", "POST /v1/oauth/token 401"]);
    operate(&stage, set_up(CLIENT.0, CLIENT.1)).await.unwrap();
    operate(&stage, WikiOperation::Setup { client: None }).await.unwrap();
    assert_eq!(double.heard(), ["POST /v1/oauth/token 400", "POST /v1/oauth/token 400"]);
    let facts = operate(&stage, WikiOperation::Facts).await.unwrap();
    assert_eq!(facts, json!({ "redirectUri": "http://planroom.test/api/auth/wiki/callback", "clientId": CLIENT.0 }));
    let status = operate(&stage, WikiOperation::Status).await.unwrap();
    assert_eq!(status, json!([]));
}
