//! Invalid and forged tokens.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{bearer, claims, server};
use crate::support::{
    TestServer,
    oidc::{FakeIdp, Signer},
};

async fn assert_rejected(server: &TestServer, token: &str, text: &str) {
    let reply = server.with(token).get("/api/me").await;
    assert_eq!(reply.status, 401, "{text}: {}", reply.json());
    reply.expect_error(401, text);
    assert_eq!(reply.header("www-authenticate"), "Bearer");
}

/// Expects a token with these changed claims to be rejected.
async fn assert_rejected_with(server: &TestServer, idp: &FakeIdp, more: Value, text: &str) {
    let token = idp.state().signer.sign(&claims(server, idp, more));
    assert_rejected(server, &token, text).await;
}

#[tokio::test]
async fn unsigned_and_trivially_signed_tokens_are_rejected() {
    let (server, idp) = server().await;
    let said = claims(&server, &idp, json!({}));
    let body = URL_SAFE_NO_PAD.encode(said.to_string());
    let good = idp.state().signer.sign(&said);
    let signature = good.rsplit('.').next().unwrap();
    for alg in ["none", "None", "NONE", "nOnE", "", "HS256", "HS512", "RS256", "PS256", "EdDSA", "ES384"] {
        let header = URL_SAFE_NO_PAD.encode(json!({ "alg": alg, "kid": "first" }).to_string());
        for forged in [format!("{header}.{body}."), format!("{header}.{body}.{signature}"), format!("{header}.{body}")]
        {
            assert_rejected(&server, &forged, "").await;
        }
    }
    server.with(&good).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_public_key_is_not_accepted_as_a_shared_secret() {
    let (server, idp) = server().await;
    let signer = Signer::rsa("first", aws_lc_rs::rsa::KeySize::Rsa2048);
    idp.state().published = vec![signer.jwk.clone()];
    let said = claims(&server, &idp, json!({}));
    let text = |name: &str| signer.jwk[name].as_str().unwrap().to_owned();
    let modulus = URL_SAFE_NO_PAD.decode(text("n")).unwrap();
    for secret in [modulus, text("n").into_bytes(), signer.jwk.to_string().into_bytes()] {
        let header = Header { kid: Some("first".into()), ..Header::new(Algorithm::HS256) };
        assert_rejected(&server, &encode(&header, &said, &EncodingKey::from_secret(&secret)).unwrap(), "").await;
    }
    server.with(&signer.sign(&said)).get("/api/me").await.ok();
}

#[tokio::test]
async fn keys_embedded_in_a_token_are_ignored() {
    let (server, idp) = server().await;
    let stranger = Signer::ec("first");
    let said = claims(&server, &idp, json!({}));
    assert_rejected(&server, &stranger.sign(&said), "").await;
    let mut header = Header { kid: Some("first".into()), ..Header::new(Algorithm::ES256) };
    header.jku = Some("http://evil.example/keys".into());
    header.jwk = serde_json::from_value(stranger.jwk.clone()).ok();
    assert_rejected(&server, &encode(&header, &said, &stranger.key).unwrap(), "").await;
    header = Header { kid: Some("first".into()), crit: Some(vec!["exp".into()]), ..Header::new(Algorithm::ES256) };
    let key = idp.state().signer.key.clone();
    assert_rejected(&server, &encode(&header, &said, &key).unwrap(), "").await;
}

#[tokio::test]
async fn a_token_of_another_issuer_or_audience_is_rejected() {
    let (server, idp) = server().await;
    let url = idp.url();
    for iss in ["https://evil.example".into(), format!("{url}/"), url.to_uppercase(), String::new()] {
        assert_rejected_with(&server, &idp, json!({ "iss": iss }), "not a token of this instance").await;
    }
    assert_rejected_with(&server, &idp, json!({ "iss": "http://planroom.test" }), "not a token of this instance").await;
    assert_rejected_with(&server, &idp, json!({ "iss": [url] }), "not a token of this instance").await;
    assert_rejected_with(&server, &idp, json!({ "aud": "another" }), "aud").await;
    assert_rejected_with(&server, &idp, json!({ "aud": ["another", ""] }), "aud").await;
    for azp in ["https://evil.example", "http://planroom.test.evil.example", "http://planroom.test/", ""] {
        assert_rejected_with(&server, &idp, json!({ "azp": azp }), "azp").await;
    }
    assert_rejected_with(&server, &idp, json!({ "azp": ["planroom"] }), "azp").await;
    assert_eq!(server.count("SELECT count(*) FROM user_identity"), 0);
}

#[tokio::test]
async fn a_token_is_valid_for_its_short_lifetime_only() {
    let (server, idp) = server().await;
    let now = server.clock.now() / 1_000;
    bearer(&server, &idp, json!({ "exp": now - 5 })).get("/api/me").await.ok();
    bearer(&server, &idp, json!({ "nbf": now + 5, "iat": now + 5, "exp": now + 3_605 })).get("/api/me").await.ok();
    bearer(&server, &idp, serde_json::from_str(&format!("{{\"exp\":{}.5}}", now + 60)).unwrap())
        .get("/api/me")
        .await
        .ok();
    assert_rejected_with(&server, &idp, json!({ "exp": now - 6 }), "expired").await;
    assert_rejected_with(&server, &idp, json!({ "nbf": now + 6 }), "not valid yet").await;
    assert_rejected_with(&server, &idp, json!({ "iat": now + 6, "exp": now + 60 }), "not valid yet").await;
    assert_rejected_with(&server, &idp, json!({ "exp": now + 7_200 }), "more than an hour").await;
    assert_rejected_with(&server, &idp, json!({ "exp": now + 3_601 }), "more than an hour").await;
    // Without `iat`, only `exp` limits the lifetime.
    assert_rejected_with(&server, &idp, json!({ "iat": null, "nbf": null, "exp": now + 3_601 }), "").await;
    for exp in [json!(null), json!("soon"), json!(i64::MAX), json!(1e300), json!(-1e300)] {
        assert_rejected_with(&server, &idp, json!({ "exp": exp }), "").await;
    }
}

#[tokio::test]
async fn a_token_must_have_a_subject_and_prove_a_sign_in() {
    let (server, idp) = server().await;
    for sub in [json!(null), json!(""), json!(7), json!(["user_grace"])] {
        assert_rejected_with(&server, &idp, json!({ "sub": sub }), "not a token of this instance").await;
    }
    let mut nobody = claims(&server, &idp, json!({}));
    nobody.as_object_mut().unwrap().remove("sub");
    let token = idp.state().signer.sign(&nobody);
    assert_rejected(&server, &token, "not a token of this instance").await;
    assert_rejected_with(&server, &idp, json!({ "sts": "pending" }), "not finished").await;
    bearer(&server, &idp, json!({ "sts": "active" })).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_token_must_have_a_key_id_unless_there_is_only_one_key() {
    let (server, idp) = server().await;
    let said = claims(&server, &idp, json!({}));
    let token = idp.state().signer.sign_as(None, &said);
    server.with(&token).get("/api/me").await.ok();
    let second = Signer::ec("second");
    idp.state().published.push(second.jwk.clone());
    server.clock.advance(MINUTE);
    let said = claims(&server, &idp, json!({}));
    // An unknown key ID causes another fetch, which now returns two keys.
    assert_rejected(&server, &second.sign_as(Some("third"), &said), "signed with an unknown key").await;
    assert_rejected(&server, &second.sign_as(None, &said), "signed with an unknown key").await;
    server.with(&second.sign(&said)).get("/api/me").await.ok();
}

#[tokio::test]
async fn weak_keys_and_keys_for_other_uses_verify_nothing() {
    let (server, idp) = server().await;
    let signer = Signer::ec("first");
    for (name, value) in [("use", "enc"), ("alg", "ES384"), ("crv", "P-384"), ("kty", "oct"), ("x", "AA")] {
        let (server, idp) = super::server().await;
        let mut jwk = signer.jwk.clone();
        jwk[name] = json!(value);
        idp.state().published = vec![jwk, json!({ "kty": 7 }), json!(null)];
        assert_rejected(&server, &signer.sign(&claims(&server, &idp, json!({}))), "").await;
    }
    drop((server, idp));
}

#[tokio::test]
async fn our_keys_and_the_providers_keys_are_not_interchangeable() {
    let (server, idp) = server().await;
    let ada = server.sign_in("ada").await;
    let body = ada.credential().split('.').nth(1).unwrap();
    let mut said: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(body).unwrap()).unwrap();
    // The provider signs a token with our issuer and the first administrator as subject.
    let forged = idp.state().signer.sign(&said);
    assert_rejected(&server, &forged, "").await;
    // A token with the provider's issuer, signed with our key.
    said["iss"] = json!(idp.url());
    let [header, _, signature] = ada.credential().split('.').collect::<Vec<_>>().try_into().unwrap();
    let forged = format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(said.to_string()));
    assert_rejected(&server, &forged, "").await;
    ada.get("/api/me").await.ok();
}
