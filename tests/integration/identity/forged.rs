//! Tokens that are not what they say, in every way that is known.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{bearer, claims, stage};
use crate::support::{
    Stage,
    oidc::{OidcDouble, Signer},
};

async fn refused(stage: &Stage, token: &str, text: &str) {
    let reply = stage.with(token).get("/api/me").await;
    assert_eq!(reply.status, 401, "{text}: {}", reply.json());
    reply.refused(401, text);
    assert_eq!(reply.header("www-authenticate"), "Bearer");
}

/// Claims that are wrong in one thing.
async fn wrong(stage: &Stage, double: &OidcDouble, more: Value, text: &str) {
    let token = double.state().signer.sign(&claims(stage, double, more));
    refused(stage, &token, text).await;
}

#[tokio::test]
async fn a_token_without_a_signature_or_with_one_that_anybody_can_make_is_nobodys() {
    let (stage, double) = stage().await;
    let said = claims(&stage, &double, json!({}));
    let body = URL_SAFE_NO_PAD.encode(said.to_string());
    let good = double.state().signer.sign(&said);
    let signature = good.rsplit('.').next().unwrap();
    for alg in ["none", "None", "NONE", "nOnE", "", "HS256", "HS512", "RS256", "PS256", "EdDSA", "ES384"] {
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": alg, "kid": "first" }).to_string());
        for forged in [format!("{header}.{body}."), format!("{header}.{body}.{signature}"), format!("{header}.{body}")]
        {
            refused(&stage, &forged, "").await;
        }
    }
    stage.with(&good).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_public_key_is_no_secret_to_sign_with() {
    let (stage, double) = stage().await;
    let signer = Signer::rsa("first", aws_lc_rs::rsa::KeySize::Rsa2048);
    double.state().published = vec![signer.jwk.clone()];
    let said = claims(&stage, &double, json!({}));
    let text = |name: &str| signer.jwk[name].as_str().unwrap().to_owned();
    let modulus = URL_SAFE_NO_PAD.decode(text("n")).unwrap();
    for secret in [modulus, text("n").into_bytes(), signer.jwk.to_string().into_bytes()] {
        let header = Header { kid: Some("first".into()), ..Header::new(Algorithm::HS256) };
        refused(&stage, &encode(&header, &said, &EncodingKey::from_secret(&secret)).unwrap(), "").await;
    }
    stage.with(&signer.sign(&said)).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_token_brings_no_key_along() {
    let (stage, double) = stage().await;
    let stranger = Signer::ec("first");
    let said = claims(&stage, &double, json!({}));
    refused(&stage, &stranger.sign(&said), "").await;
    let mut header = Header { kid: Some("first".into()), ..Header::new(Algorithm::ES256) };
    header.jku = Some("http://evil.example/keys".into());
    header.jwk = serde_json::from_value(stranger.jwk.clone()).ok();
    refused(&stage, &encode(&header, &said, &stranger.key).unwrap(), "").await;
    header = Header { kid: Some("first".into()), crit: Some(vec!["exp".into()]), ..Header::new(Algorithm::ES256) };
    let key = double.state().signer.key.clone();
    refused(&stage, &encode(&header, &said, &key).unwrap(), "").await;
}

#[tokio::test]
async fn a_token_of_somebody_else_or_for_somebody_else_is_not_ours() {
    let (stage, double) = stage().await;
    let url = double.url();
    for iss in ["https://evil.example".into(), format!("{url}/"), url.to_uppercase(), String::new()] {
        wrong(&stage, &double, json!({ "iss": iss }), "not a token of this instance").await;
    }
    wrong(&stage, &double, json!({ "iss": "http://planroom.test" }), "not a token of this instance").await;
    wrong(&stage, &double, json!({ "iss": [url] }), "not a token of this instance").await;
    wrong(&stage, &double, json!({ "aud": "another" }), "aud").await;
    wrong(&stage, &double, json!({ "aud": ["another", ""] }), "aud").await;
    for azp in ["https://evil.example", "http://planroom.test.evil.example", "http://planroom.test/", ""] {
        wrong(&stage, &double, json!({ "azp": azp }), "azp").await;
    }
    wrong(&stage, &double, json!({ "azp": ["planroom"] }), "azp").await;
    assert_eq!(stage.count("SELECT count(*) FROM user_identity"), 0);
}

#[tokio::test]
async fn a_token_is_good_in_its_time_and_its_time_is_short() {
    let (stage, double) = stage().await;
    let now = stage.clock.now() / 1_000;
    bearer(&stage, &double, json!({ "exp": now - 5 })).get("/api/me").await.ok();
    bearer(&stage, &double, json!({ "nbf": now + 5, "iat": now + 5, "exp": now + 3_605 })).get("/api/me").await.ok();
    bearer(&stage, &double, serde_json::from_str(&format!("{{\"exp\":{}.5}}", now + 60)).unwrap())
        .get("/api/me")
        .await
        .ok();
    wrong(&stage, &double, json!({ "exp": now - 6 }), "expired").await;
    wrong(&stage, &double, json!({ "nbf": now + 6 }), "not valid yet").await;
    wrong(&stage, &double, json!({ "iat": now + 6, "exp": now + 60 }), "not valid yet").await;
    wrong(&stage, &double, json!({ "exp": now + 7_200 }), "more than an hour").await;
    wrong(&stage, &double, json!({ "exp": now + 3_601 }), "more than an hour").await;
    // Without its beginning its end counts.
    wrong(&stage, &double, json!({ "iat": null, "nbf": null, "exp": now + 3_601 }), "").await;
    for exp in [json!(null), json!("soon"), json!(i64::MAX), json!(1e300), json!(-1e300)] {
        wrong(&stage, &double, json!({ "exp": exp }), "").await;
    }
}

#[tokio::test]
async fn a_token_says_who_somebody_is_and_that_they_have_signed_in() {
    let (stage, double) = stage().await;
    for sub in [json!(null), json!(""), json!(7), json!(["user_grace"])] {
        wrong(&stage, &double, json!({ "sub": sub }), "not a token of this instance").await;
    }
    let mut nobody = claims(&stage, &double, json!({}));
    nobody.as_object_mut().unwrap().remove("sub");
    let token = double.state().signer.sign(&nobody);
    refused(&stage, &token, "not a token of this instance").await;
    wrong(&stage, &double, json!({ "sts": "pending" }), "not finished").await;
    bearer(&stage, &double, json!({ "sts": "active" })).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_token_names_its_key_unless_there_is_only_one() {
    let (stage, double) = stage().await;
    let said = claims(&stage, &double, json!({}));
    let token = double.state().signer.sign_as(None, &said);
    stage.with(&token).get("/api/me").await.ok();
    let second = Signer::ec("second");
    double.state().published.push(second.jwk.clone());
    stage.clock.advance(MINUTE);
    let said = claims(&stage, &double, json!({}));
    // An unknown name has the keys asked for again, and now there are two.
    refused(&stage, &second.sign_as(Some("third"), &said), "does not have").await;
    refused(&stage, &second.sign_as(None, &said), "does not have").await;
    stage.with(&second.sign(&said)).get("/api/me").await.ok();
}

#[tokio::test]
async fn keys_that_are_weak_or_for_something_else_verify_nothing() {
    let (stage, double) = stage().await;
    let signer = Signer::ec("first");
    for (name, value) in [("use", "enc"), ("alg", "ES384"), ("crv", "P-384"), ("kty", "oct"), ("x", "AA")] {
        let (stage, double) = super::stage().await;
        let mut jwk = signer.jwk.clone();
        jwk[name] = json!(value);
        double.state().published = vec![jwk, json!({ "kty": 7 }), json!(null)];
        refused(&stage, &signer.sign(&claims(&stage, &double, json!({}))), "").await;
    }
    drop((stage, double));
}

#[tokio::test]
async fn our_own_keys_sign_for_us_and_the_providers_for_itself() {
    let (stage, double) = stage().await;
    let ada = stage.sign_in("ada").await;
    let body = ada.credential().split('.').nth(1).unwrap();
    let mut said: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap();
    // The provider makes a token that says it is ours, of the first administrator.
    let forged = double.state().signer.sign(&said);
    refused(&stage, &forged, "").await;
    // And somebody says that ours is the provider's.
    said["iss"] = json!(double.url());
    let [header, _, signature] = ada.credential().split('.').collect::<Vec<_>>().try_into().unwrap();
    let forged = format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(said.to_string()));
    refused(&stage, &forged, "").await;
    ada.get("/api/me").await.ok();
}
