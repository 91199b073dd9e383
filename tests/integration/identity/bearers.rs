//! Tokens of the provider on the API.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{bearer, claims, org, server, server_with};
use crate::support::oidc::Signer;

#[tokio::test]
async fn the_first_valid_token_creates_an_account() {
    let (server, idp) = server().await;
    let said = json!({ "name": "Grace Hopper", "preferred_username": "grace", "email": "grace@example.org" });
    let grace = bearer(&server, &idp, said);
    let me = grace.get("/api/me").await.ok();
    assert_eq!(
        (&me["displayName"], &me["login"], &me["provider"]),
        (&json!("Grace Hopper"), &json!("grace"), &json!("oidc"))
    );
    assert_eq!(me["session"], json!({ "orgId": null, "orgRole": null, "orgSlug": null, "isApiToken": false }));
    assert_eq!(grace.get("/api/me").await.ok()["id"], me["id"]);
    assert_eq!(bearer(&server, &idp, json!({ "x": 1 })).get("/api/me").await.ok()["id"], me["id"], "the same subject");
    assert_eq!(server.count("SELECT count(*) FROM user_identity"), 1);
    assert_eq!(server.count("SELECT count(*) FROM user WHERE password_hash IS NOT NULL AND login = 'grace'"), 0);
    let other = bearer(&server, &idp, json!({ "sub": "user_other", "preferred_username": "grace" }));
    assert_eq!(other.get("/api/me").await.ok()["login"], "grace-2", "whoever has a login keeps it");
    assert_eq!(grace.get("/api/workspaces").await.expect_error(400, "organization")["code"], "no_active_org");
}

#[tokio::test]
async fn both_claim_formats_provide_organization_and_role() {
    let (server, idp) = server().await;
    for said in [
        org("org_1", "org:admin"),
        org("org_1", "admin"),
        json!({ "v": 2, "o": { "id": "org_1", "rol": "admin", "slg": "1" } }),
    ] {
        let session = bearer(&server, &idp, said).get("/api/me").await.ok()["session"].clone();
        assert_eq!(session, json!({ "orgId": "org_1", "orgRole": "org:admin", "orgSlug": "1", "isApiToken": false }));
    }
    for role in ["org:member", "basic_member", "org:editor", "org:administrator"] {
        let session = bearer(&server, &idp, org("org_1", role)).get("/api/me").await.ok()["session"].clone();
        assert_eq!(session["orgRole"], "org:member", "{role}");
    }
}

#[tokio::test]
async fn claim_names_are_configurable() {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        oidc.org_id_claims = vec!["https://acme.example/org".into(), "app.tenant.id".into()];
        oidc.org_role_claims = vec!["app.tenant.role".into()];
    })
    .await;
    let said = json!({ "app": { "tenant": { "id": "t-1", "role": "admin" } } });
    assert_eq!(bearer(&server, &idp, said.clone()).get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
    let mut both = said;
    both["https://acme.example/org"] = json!("t-2");
    assert_eq!(bearer(&server, &idp, both).get("/api/me").await.ok()["session"]["orgId"], "t-2", "in order");
}

#[tokio::test]
async fn a_provider_token_works_like_a_member_session() {
    let (server, idp) = server().await;
    let grace = bearer(&server, &idp, org("org_1", "org:admin"));
    grace.post("/api/workspaces", json!({ "name": "Plan" })).await.created();
    let person = grace.get("/api/people").await.ok()["people"][0].clone();
    assert_eq!(person["clerkUserId"], "user_grace");
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = server.with(minted["token"].as_str().unwrap());
    assert_eq!(script.get("/api/me").await.ok()["session"]["orgId"], "org_1");
    assert_eq!(grace.get("/api/me/sessions").await.ok(), json!({ "sessions": [] }));
    grace.post("/api/auth/organization", json!({ "orgId": null })).await.expect_error(403, "identity provider");
    grace.post("/api/auth/logout", Value::Null).await.expect_error(403, "identity provider");
    let refused =
        grace.post("/api/me/password", json!({ "current": "x", "next": "correct horse battery staple" })).await;
    refused.expect_error(403, "password");
}

#[tokio::test]
async fn a_suspended_user_is_rejected_despite_a_valid_token() {
    let (server, idp) = server().await;
    let grace = bearer(&server, &idp, org("org_1", "org:admin"));
    let id = grace.get("/api/me").await.ok()["id"].as_i64().unwrap();
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [id]).unwrap());
    for client in [grace, bearer(&server, &idp, org("org_1", "org:member"))] {
        assert_eq!(client.get("/api/me").await.expect_error(403, "suspended")["code"], "account_suspended");
    }
}

#[tokio::test]
async fn a_cached_token_still_expires() {
    let (server, idp) = server().await;
    let grace = bearer(&server, &idp, json!({}));
    grace.get("/api/me").await.ok();
    server.clock.advance(MINUTE + 6_000);
    grace.get("/api/me").await.expect_error(401, "expired");
}

#[tokio::test]
async fn every_supported_algorithm_is_accepted() {
    let (server, idp) = server().await;
    let signers = [Signer::ec("a"), Signer::ed("b"), Signer::rsa("c", aws_lc_rs::rsa::KeySize::Rsa2048)];
    idp.state().published = signers.iter().map(|signer| signer.jwk.clone()).collect();
    for signer in signers {
        server.with(&signer.sign(&claims(&server, &idp, json!({})))).get("/api/me").await.ok();
    }
}

#[tokio::test]
async fn audience_and_authorized_party_are_checked_if_present() {
    let (server, idp) = server().await;
    for good in [
        json!({ "aud": "planroom" }),
        json!({ "aud": ["other", "http://planroom.test"] }),
        json!({ "azp": "http://planroom.test" }),
        json!({ "azp": "planroom", "aud": "planroom" }),
    ] {
        bearer(&server, &idp, good).get("/api/me").await.ok();
    }
    let (strict, idp) = server_with(|config| {
        config.identity.oidc.audience = vec!["api://plans".into()];
        config.identity.oidc.authorized_parties = vec!["https://maps.example.org".into()];
    })
    .await;
    bearer(&strict, &idp, json!({ "aud": "api://plans", "azp": "https://maps.example.org" })).get("/api/me").await.ok();
    for aud in [json!({}), json!({ "aud": "planroom" }), json!({ "aud": [] })] {
        bearer(&strict, &idp, aud).get("/api/me").await.expect_error(401, "aud");
    }
}

#[tokio::test]
async fn a_membership_lasts_thirty_days_after_the_last_token_with_it() {
    let (server, idp) = server().await;
    let grace = bearer(&server, &idp, org("org_1", "org:admin"));
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = server.with(minted["token"].as_str().unwrap());
    server.clock.advance(20 * DAY);
    bearer(&server, &idp, org("org_1", "org:admin")).get("/api/me").await.ok();
    server.clock.advance(20 * DAY);
    server.clean_up().await;
    script.get("/api/me").await.ok();
    // A later token names another organization and says nothing about this one.
    bearer(&server, &idp, org("org_2", "org:admin")).get("/api/me").await.ok();
    server.clock.advance(10 * DAY);
    server.clean_up().await;
    script.get("/api/me").await.expect_error(401, "");
    assert_eq!(server.count("SELECT count(*) FROM organization_member WHERE organization_id = 'org_1'"), 0);
}
