//! Sign-in at the provider.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use super::{follow_callback, renewed, server, server_with, sign_in_and_land, sign_in_as, start_sign_in};
use crate::support::oidc::Signer;

#[tokio::test]
async fn a_browser_returns_from_the_provider_to_the_page_it_came_from() {
    let (server, idp) = server().await;
    let config = server.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["methods"], &config["providerName"]), (&json!(["password", "oidc"]), &json!("127.0.0.1")));
    let said = json!({ "name": "Grace Hopper", "preferred_username": "grace", "email": "g@example.org", "email_verified": true });
    idp.state().people.insert("user_grace".into(), said);
    let browser = start_sign_in(&server, "?next=%2Fo%2Facme%2Fpeople%3Ffilter%3D%2526%23there").await;
    let url = url::Url::parse(&browser.location).unwrap();
    assert!(url.as_str().starts_with(&format!("{}/authorize?tenant=1&", idp.url())), "{url}");
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(
        names[1..],
        [
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "nonce",
            "code_challenge",
            "code_challenge_method"
        ]
    );
    assert!(!browser.location.contains("s3cret") && !browser.location.contains("acme"));
    let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?next=%2Fo%2Facme%2Fpeople%3Ffilter%3D%2526%23there");
    let grace = renewed(&server, &reply).await;
    let me = grace.get("/api/me").await.ok();
    assert_eq!(
        (&me["displayName"], &me["login"], &me["provider"]),
        (&json!("Grace Hopper"), &json!("grace"), &json!("oidc"))
    );
    assert_eq!(server.count("SELECT count(*) FROM user WHERE email = 'g@example.org'"), 1);
    let heard = idp.take_requests();
    assert_eq!(heard, ["GET discovery", "POST token", "GET keys", "GET me"]);
    assert_eq!(grace.get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'session.begin' AND actor_id = 2"), 1);
}

#[tokio::test]
async fn a_sign_in_survives_a_restart_and_other_tabs() {
    let (server, idp) = server().await;
    let (first, second) = (start_sign_in(&server, "?next=/one").await, start_sign_in(&server, "?next=/two").await);
    let both = super::Browser { cookie: format!("{}; {}", first.cookie, second.cookie), location: String::new() };
    let issuer = idp.url();
    let dir = server.stop();
    let server = crate::support::TestServer::on(dir, |config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id) = (issuer, "planroom".into());
        oidc.client_secret = planroom::secret::Secret::new(crate::support::oidc::CLIENT.1);
        oidc.allow_private = true;
    });
    idp.state().now = server.clock.now() / 1_000;
    for (browser, next) in [(second, "%2Ftwo"), (first, "%2Fone")] {
        let reply = follow_callback(&server, &both, &idp.authorize("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), format!("/sign-in?next={next}"));
    }
}

#[tokio::test]
async fn an_error_is_a_code_in_the_url_and_the_page_is_kept() {
    let (server, idp) = server().await;
    let anonymous = server.anonymous();
    let nothing = anonymous.get("/api/auth/oidc/callback").await;
    assert_eq!(nothing.header("location"), "/sign-in?problem=bad_state");
    let go = async || start_sign_in(&server, "?next=/account").await;
    let kept = |word: &str| format!("/sign-in?problem={word}&next=%2Faccount");
    let location = async |browser: &super::Browser, query: &str| {
        follow_callback(&server, browser, query).await.header("location").to_owned()
    };
    // Another browser, another state, a foreign cookie, an expired request.
    let browser = go().await;
    let query = idp.authorize("user_grace", &browser.location);
    let stranger = anonymous.get(&format!("/api/auth/oidc/callback?{query}")).await;
    assert_eq!(stranger.header("location"), "/sign-in?problem=bad_state");
    let other = go().await;
    assert_eq!(location(&other, &query).await, "/sign-in?problem=bad_state");
    let name = browser.cookie.split('=').next().unwrap();
    let forged = super::Browser { cookie: format!("{name}=AAAA"), location: String::new() };
    assert_eq!(location(&forged, &query).await, "/sign-in?problem=bad_state");
    server.clock.advance(10 * MINUTE);
    assert_eq!(location(&browser, &query).await, "/sign-in?problem=bad_state");
    idp.state().now = server.clock.now() / 1_000;
    // Cancelled, without a code, with two codes, with an invalid code.
    let browser = go().await;
    let query = idp.authorize("user_grace", &browser.location);
    let named = query.split("state=").nth(1).unwrap();
    assert_eq!(location(&browser, &format!("error=access_denied&state={named}")).await, kept("denied"));
    assert_eq!(location(&browser, &format!("state={named}")).await, kept("denied"));
    assert_eq!(location(&browser, &format!("code=made-up&state={named}")).await, kept("unreachable"));
    assert_eq!(location(&browser, &query).await, "/sign-in?next=%2Faccount");
    assert_eq!(location(&browser, &query).await, kept("unreachable"), "a code is good once");
    // The provider is down during and before sign-in.
    let browser = go().await;
    let query = idp.authorize("user_grace", &browser.location);
    idp.state().down = true;
    assert_eq!(location(&browser, &query).await, kept("unreachable"));
    server.clock.advance(2 * HOUR);
    start_sign_in(&server, "").await;
    let (fresh, idp) = super::server().await;
    idp.state().down = true;
    let lost = fresh.anonymous().get("/api/auth/oidc/start?next=/account").await;
    assert_eq!(lost.header("location"), kept("unreachable"));
}

#[tokio::test]
async fn a_sign_in_redirects_only_to_our_own_pages() {
    let (server, idp) = server().await;
    for next in
        ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "javascript:alert(1)", "/a\r\nb", ""]
    {
        let query: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let browser = start_sign_in(&server, &format!("?next={query}")).await;
        let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in", "{next}");
    }
    let long = start_sign_in(&server, &format!("?next=/{}", "a".repeat(2_000))).await;
    let reply = follow_callback(&server, &long, &idp.authorize("user_grace", &long.location)).await;
    assert_eq!(reply.header("location"), "/sign-in");
}

#[tokio::test]
async fn an_id_token_must_match_this_client_and_sign_in() {
    let (server, idp) = server().await;
    let now = server.clock.now() / 1_000;
    let outcome = async || sign_in_and_land(&server, &idp).await;
    for wrong in [
        json!({ "iss": "https://evil.example" }),
        json!({ "aud": "another" }),
        json!({ "aud": ["planroom", "another"] }),
        json!({ "aud": ["planroom", "another"], "azp": "another" }),
        json!({ "azp": "another" }),
        json!({ "nonce": "another" }),
        json!({ "nonce": null }),
        json!({ "exp": now - 6 }),
        json!({ "iat": now + 6 }),
        json!({ "sub": "" }),
        json!({ "sts": "pending" }),
        // UserInfo for another subject.
        json!({ "sub": "user_eve" }),
    ] {
        idp.state().claims = wrong.clone();
        assert_eq!(outcome().await, "/sign-in?problem=untrue", "{wrong}");
    }
    idp.state().claims = json!({ "aud": ["planroom", "another"], "azp": "planroom" });
    assert_eq!(outcome().await, "/sign-in");
    idp.state().claims = json!({});
    idp.state().impostor = Some("user_eve".into());
    assert_eq!(outcome().await, "/sign-in?problem=untrue");
    idp.state().impostor = None;
    let good = std::mem::replace(&mut idp.state().signer, Signer::ec("first"));
    assert_eq!(outcome().await, "/sign-in?problem=untrue", "signed with another key");
    idp.state().signer = good;
    assert_eq!(outcome().await, "/sign-in");
    assert_eq!(server.count("SELECT count(*) FROM user_identity"), 1);
}

#[tokio::test]
async fn user_info_adds_missing_claims_and_overrides_nothing() {
    let (server, idp) = server_with(|config| config.identity.oidc.groups_claims = vec!["groups".into()]).await;
    idp.state().claims = json!({ "email": "old@example.org", "email_verified": true, "name": "Old" });
    idp.state().people.insert(
        "user_grace".into(),
        json!({ "email": "new@example.org", "name": "Grace", "iss": "https://evil.example", "org_id": "org_9", "org_role": "admin" }),
    );
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace");
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
    // An email address without `email_verified` is not used.
    assert_eq!(server.count("SELECT count(*) FROM user WHERE email IS NOT NULL AND login <> 'ada'"), 0);
}

#[tokio::test]
async fn an_sso_session_has_a_fixed_maximum_age() {
    let (server, idp) = server_with(|config| config.identity.oidc.session_hours = 2).await;
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    let sessions = grace.get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"][0]["expiresAt"], json!(server.clock.now() + 2 * HOUR));
    server.clock.advance(DAY);
    grace.get("/api/me").await.expect_error(401, "expired");
}

#[tokio::test]
async fn without_a_provider_there_is_no_redirect() {
    let server = crate::support::TestServer::new().await;
    for path in ["/api/auth/oidc/start", "/api/auth/oidc/callback?code=a&state=b"] {
        server.anonymous().get(path).await.expect_error(404, "identity provider not found");
    }
    assert_eq!(server.anonymous().get("/api/auth/config").await.ok()["methods"], json!(["password"]));
    let (bearers, idp) = server_with(|config| config.identity.oidc.client_id = String::new()).await;
    bearers.anonymous().get("/api/auth/oidc/start").await.expect_error(404, "identity provider not found");
    super::bearer(&bearers, &idp, json!({})).get("/api/me").await.ok();
}

#[tokio::test]
async fn repeated_unfinished_sign_ins_are_rate_limited() {
    let (server, idp) = server().await;
    for _ in 0..100 {
        let reply = server.anonymous().get("/api/auth/oidc/callback?code=a&state=b").await;
        assert_eq!(reply.header("location"), "/sign-in?problem=bad_state");
    }
    let browser = start_sign_in(&server, "").await;
    let query = idp.authorize("user_grace", &browser.location);
    assert_eq!(follow_callback(&server, &browser, &query).await.header("location"), "/sign-in?problem=too_many");
    server.clock.advance(MINUTE);
    idp.state().now = server.clock.now() / 1_000;
    assert_eq!(follow_callback(&server, &browser, &query).await.header("location"), "/sign-in");
}

#[tokio::test]
async fn failed_sign_ins_at_the_provider_are_rate_limited() {
    let (server, idp) = server().await;
    idp.state().down = true;
    for next in ["https://evil.example", "//evil.example", "/%5Cevil.example", "javascript:alert(1)"] {
        let reply = server.anonymous().get(&format!("/api/auth/oidc/start?next={next}")).await;
        assert_eq!(reply.header("location"), "/sign-in?problem=unreachable", "{next}");
    }
    let reply = server.anonymous().get("/api/auth/oidc/start?next=/account").await;
    assert_eq!(reply.header("location"), "/sign-in?problem=unreachable&next=%2Faccount");
}
