//! The provider's keys: kept, asked for again, and not too often.

use planroom::clock::MINUTE;
use serde_json::json;

use super::{bearer, claims, stage, stage_with};
use crate::support::oidc::Signer;

#[tokio::test]
async fn keys_are_asked_for_once_and_again_for_a_new_one_at_most_once_a_minute() {
    let (stage, double) = stage().await;
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    assert_eq!(double.heard(), ["GET discovery", "GET keys"]);
    for sub in 0..20 {
        bearer(&stage, &double, json!({ "sub": format!("user_{sub}") })).get("/api/me").await.ok();
    }
    assert_eq!(double.heard(), [""; 0]);
    let second = Signer::ec("second");
    double.state().published.push(second.jwk.clone());
    let token = || second.sign(&claims(&stage, &double, json!({})));
    stage.with(&token()).get("/api/me").await.refused(401, "does not have");
    assert_eq!(double.heard(), [""; 0], "a moment ago");
    stage.clock.advance(MINUTE);
    stage.with(&token()).get("/api/me").await.ok();
    assert_eq!(double.heard(), ["GET keys"]);
    stage.clock.advance(MINUTE);
    for kid in 0..20 {
        let unknown = second.sign_as(Some(&format!("unknown-{kid}")), &claims(&stage, &double, json!({})));
        stage.with(&unknown).get("/api/me").await.refused(401, "does not have");
    }
    assert_eq!(double.heard(), ["GET keys"], "twenty unknown keys are one question");
}

#[tokio::test]
async fn many_at_once_wait_for_the_same_answer() {
    let (stage, double) = stage().await;
    let actors: Vec<_> = (0..8).map(|n| bearer(&stage, &double, json!({ "sub": format!("user_{n}") }))).collect();
    let replies = futures_util::future::join_all(actors.iter().map(|actor| actor.get("/api/me"))).await;
    for reply in replies {
        reply.ok();
    }
    assert_eq!(double.heard(), ["GET discovery", "GET keys"]);
}

#[tokio::test]
async fn keys_that_are_known_stay_good_while_the_provider_is_down() {
    let (stage, double) = stage().await;
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    double.state().down = true;
    for _ in 0..3 {
        stage.clock.advance(30 * MINUTE);
        bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    }
    let unknown = Signer::ec("unknown").sign(&claims(&stage, &double, json!({})));
    stage.with(&unknown).get("/api/me").await.refused(401, "does not have");
    bearer(&stage, &double, json!({ "x": 1 })).get("/api/me").await.ok();
}

#[tokio::test]
async fn nothing_is_known_of_keys_while_they_never_came() {
    let (stage, double) = stage().await;
    double.state().keys_down = true;
    bearer(&stage, &double, json!({})).get("/api/me").await.refused(503, "busy");
    double.state().keys_down = false;
    stage.clock.advance(MINUTE);
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    stage.sign_in("ada").await.get("/api/me").await.ok();
}

#[tokio::test]
async fn a_provider_with_another_name_or_at_a_private_address_is_not_believed() {
    let (stage, double) = stage().await;
    double.state().discovery = json!({ "issuer": format!("{}/", double.url()) });
    bearer(&stage, &double, json!({})).get("/api/me").await.refused(503, "");
    assert_eq!(double.heard(), ["GET discovery"], "its keys are not asked for");
    let (guarded, double) = stage_with(|config| config.identity.oidc.allow_private = false).await;
    bearer(&guarded, &double, json!({})).get("/api/me").await.refused(503, "");
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn keys_without_end_are_not_read() {
    let (stage, double) = stage().await;
    let jwk = double.state().signer.jwk.clone();
    double.state().published = std::iter::repeat_n(jwk, 2_000).collect();
    bearer(&stage, &double, json!({})).get("/api/me").await.refused(503, "");
}

#[tokio::test]
async fn one_lost_answer_refuses_callers_for_seconds_and_not_for_a_minute() {
    let (stage, double) = stage().await;
    double.state().keys_down = true;
    bearer(&stage, &double, json!({})).get("/api/me").await.refused(503, "busy");
    double.state().keys_down = false;
    stage.clock.advance(5_000);
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
}

#[tokio::test]
async fn setting_the_clock_back_does_not_keep_keys_from_being_asked_for() {
    let (stage, double) = stage().await;
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    stage.clock.step(-planroom::clock::DAY);
    stage.clock.advance(MINUTE);
    let second = Signer::ec("second");
    double.state().published.push(second.jwk.clone());
    let token = second.sign(&claims(&stage, &double, json!({})));
    stage.with(&token).get("/api/me").await.ok();
}

#[tokio::test]
async fn many_callers_with_keys_that_grew_old_are_one_question() {
    let (stage, double) = stage().await;
    bearer(&stage, &double, json!({})).get("/api/me").await.ok();
    double.heard();
    stage.clock.advance(30 * MINUTE);
    for n in 0..20 {
        bearer(&stage, &double, json!({ "sub": format!("user_{n}") })).get("/api/me").await.ok();
    }
    // The question may be under way: another one waits for it.
    let unknown = Signer::ec("unknown").sign(&claims(&stage, &double, json!({})));
    stage.with(&unknown).get("/api/me").await.refused(401, "does not have");
    assert_eq!(double.heard(), ["GET keys"]);
}
