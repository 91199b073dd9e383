//! Signing in at the provider: there and back.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use super::{departs, lands, renewed, returns, signs_in, stage, stage_with};
use crate::support::oidc::Signer;

#[tokio::test]
async fn a_browser_goes_to_the_provider_and_comes_back_to_the_page_it_came_for() {
    let (stage, double) = stage().await;
    let config = stage.anonymous().get("/api/auth/config").await.ok();
    assert_eq!((&config["methods"], &config["providerName"]), (&json!(["password", "oidc"]), &json!("127.0.0.1")));
    let said = json!({ "name": "Grace Hopper", "preferred_username": "grace", "email": "g@example.org", "email_verified": true });
    double.state().people.insert("user_grace".into(), said);
    let browser = departs(&stage, "?next=%2Fo%2Facme%2Fpeople%3Ffilter%3D%2526%23there").await;
    let url = url::Url::parse(&browser.location).unwrap();
    assert!(url.as_str().starts_with(&format!("{}/authorize?tenant=1&", double.url())), "{url}");
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
    let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?next=%2Fo%2Facme%2Fpeople%3Ffilter%3D%2526%23there");
    let grace = renewed(&stage, &reply).await;
    let me = grace.get("/api/me").await.ok();
    assert_eq!(
        (&me["displayName"], &me["login"], &me["provider"]),
        (&json!("Grace Hopper"), &json!("grace"), &json!("oidc"))
    );
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE email = 'g@example.org'"), 1);
    let heard = double.heard();
    assert_eq!(heard, ["GET discovery", "POST token", "GET keys", "GET me"]);
    assert_eq!(grace.get("/api/me/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'session.begin' AND actor_id = 2"), 1);
}

#[tokio::test]
async fn a_sign_in_survives_a_restart_and_other_tabs() {
    let (stage, double) = stage().await;
    let (first, second) = (departs(&stage, "?next=/one").await, departs(&stage, "?next=/two").await);
    let both = super::Browser { cookie: format!("{}; {}", first.cookie, second.cookie), location: String::new() };
    let issuer = double.url();
    let dir = stage.stop();
    let stage = crate::support::Stage::on(dir, |config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id) = (issuer, "planroom".into());
        oidc.client_secret = planroom::secret::Secret::new(crate::support::oidc::CLIENT.1);
        oidc.allow_private = true;
    });
    double.state().now = stage.clock.now() / 1_000;
    for (browser, next) in [(second, "%2Ftwo"), (first, "%2Fone")] {
        let reply = returns(&stage, &both, &double.agrees("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), format!("/sign-in?next={next}"));
    }
}

#[tokio::test]
async fn whatever_is_in_the_way_is_a_word_in_the_address_and_the_page_is_kept() {
    let (stage, double) = stage().await;
    let anonymous = stage.anonymous();
    let nothing = anonymous.get("/api/auth/oidc/callback").await;
    assert_eq!(nothing.header("location"), "/sign-in?problem=bad_state");
    let go = async || departs(&stage, "?next=/account").await;
    let kept = |word: &str| format!("/sign-in?problem={word}&next=%2Faccount");
    let location = async |browser: &super::Browser, query: &str| {
        returns(&stage, browser, query).await.header("location").to_owned()
    };
    // Another browser, another state, a cookie of nobody's, too late.
    let browser = go().await;
    let query = double.agrees("user_grace", &browser.location);
    let stranger = anonymous.get(&format!("/api/auth/oidc/callback?{query}")).await;
    assert_eq!(stranger.header("location"), "/sign-in?problem=bad_state");
    let other = go().await;
    assert_eq!(location(&other, &query).await, "/sign-in?problem=bad_state");
    let name = browser.cookie.split('=').next().unwrap();
    let forged = super::Browser { cookie: format!("{name}=AAAA"), location: String::new() };
    assert_eq!(location(&forged, &query).await, "/sign-in?problem=bad_state");
    stage.clock.advance(10 * MINUTE);
    assert_eq!(location(&browser, &query).await, "/sign-in?problem=bad_state");
    double.state().now = stage.clock.now() / 1_000;
    // Cancelled, without a code, with a code twice, with one of nobody's.
    let browser = go().await;
    let query = double.agrees("user_grace", &browser.location);
    let named = query.split("state=").nth(1).unwrap();
    assert_eq!(location(&browser, &format!("error=access_denied&state={named}")).await, kept("denied"));
    assert_eq!(location(&browser, &format!("state={named}")).await, kept("denied"));
    assert_eq!(location(&browser, &format!("code=made-up&state={named}")).await, kept("unreachable"));
    assert_eq!(location(&browser, &query).await, "/sign-in?next=%2Faccount");
    assert_eq!(location(&browser, &query).await, kept("unreachable"), "a code is good once");
    // The provider goes down on the way, and before it.
    let browser = go().await;
    let query = double.agrees("user_grace", &browser.location);
    double.state().down = true;
    assert_eq!(location(&browser, &query).await, kept("unreachable"));
    stage.clock.advance(2 * HOUR);
    departs(&stage, "").await;
    let (fresh, double) = super::stage().await;
    double.state().down = true;
    let lost = fresh.anonymous().get("/api/auth/oidc/start?next=/account").await;
    assert_eq!(lost.header("location"), kept("unreachable"));
}

#[tokio::test]
async fn a_sign_in_leads_nowhere_but_to_our_own_pages() {
    let (stage, double) = stage().await;
    for next in
        ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "javascript:alert(1)", "/a\r\nb", ""]
    {
        let query: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let browser = departs(&stage, &format!("?next={query}")).await;
        let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in", "{next}");
    }
    let long = departs(&stage, &format!("?next=/{}", "a".repeat(2_000))).await;
    let reply = returns(&stage, &long, &double.agrees("user_grace", &long.location)).await;
    assert_eq!(reply.header("location"), "/sign-in");
}

#[tokio::test]
async fn an_id_token_is_for_us_and_for_this_sign_in() {
    let (stage, double) = stage().await;
    let now = stage.clock.now() / 1_000;
    let outcome = async || lands(&stage, &double).await;
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
        // UserInfo is about somebody else then.
        json!({ "sub": "user_eve" }),
    ] {
        double.state().claims = wrong.clone();
        assert_eq!(outcome().await, "/sign-in?problem=untrue", "{wrong}");
    }
    double.state().claims = json!({ "aud": ["planroom", "another"], "azp": "planroom" });
    assert_eq!(outcome().await, "/sign-in");
    double.state().claims = json!({});
    double.state().impostor = Some("user_eve".into());
    assert_eq!(outcome().await, "/sign-in?problem=untrue");
    double.state().impostor = None;
    let good = std::mem::replace(&mut double.state().signer, Signer::ec("first"));
    assert_eq!(outcome().await, "/sign-in?problem=untrue", "signed with another key");
    double.state().signer = good;
    assert_eq!(outcome().await, "/sign-in");
    assert_eq!(stage.count("SELECT count(*) FROM user_identity"), 1);
}

#[tokio::test]
async fn user_info_says_what_the_id_token_leaves_out_and_nothing_of_the_token_itself() {
    let (stage, double) = stage_with(|config| config.identity.oidc.groups_claims = vec!["groups".into()]).await;
    double.state().claims = json!({ "email": "old@example.org", "email_verified": true, "name": "Old" });
    double.state().people.insert(
        "user_grace".into(),
        json!({ "email": "new@example.org", "name": "Grace", "iss": "https://evil.example", "org_id": "org_9", "org_role": "admin" }),
    );
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace");
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
    // An address without the word that it is verified is nobody's.
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE email IS NOT NULL AND login <> 'ada'"), 0);
}

#[tokio::test]
async fn a_session_that_began_at_the_provider_ends_after_some_hours_however_often_it_is_renewed() {
    let (stage, double) = stage_with(|config| config.identity.oidc.session_hours = 2).await;
    let grace = signs_in(&stage, &double, "user_grace").await;
    let sessions = grace.get("/api/me/sessions").await.ok();
    assert_eq!(sessions["sessions"][0]["expiresAt"], json!(stage.clock.now() + 2 * HOUR));
    stage.clock.advance(DAY);
    grace.get("/api/me").await.refused(401, "expired");
}

#[tokio::test]
async fn without_a_provider_nobody_is_sent_anywhere() {
    let stage = crate::support::Stage::new().await;
    for path in ["/api/auth/oidc/start", "/api/auth/oidc/callback?code=a&state=b"] {
        stage.anonymous().get(path).await.refused(404, "identity provider not found");
    }
    assert_eq!(stage.anonymous().get("/api/auth/config").await.ok()["methods"], json!(["password"]));
    let (bearers, double) = stage_with(|config| config.identity.oidc.client_id = String::new()).await;
    bearers.anonymous().get("/api/auth/oidc/start").await.refused(404, "identity provider not found");
    super::bearer(&bearers, &double, json!({})).get("/api/me").await.ok();
}

#[tokio::test]
async fn whoever_comes_back_again_and_again_without_signing_in_waits() {
    let (stage, double) = stage().await;
    for _ in 0..100 {
        let reply = stage.anonymous().get("/api/auth/oidc/callback?code=a&state=b").await;
        assert_eq!(reply.header("location"), "/sign-in?problem=bad_state");
    }
    let browser = departs(&stage, "").await;
    let query = double.agrees("user_grace", &browser.location);
    assert_eq!(returns(&stage, &browser, &query).await.header("location"), "/sign-in?problem=too_many");
    stage.clock.advance(MINUTE);
    double.state().now = stage.clock.now() / 1_000;
    assert_eq!(returns(&stage, &browser, &query).await.header("location"), "/sign-in");
}

#[tokio::test]
async fn nor_does_a_sign_in_that_the_provider_cannot_take() {
    let (stage, double) = stage().await;
    double.state().down = true;
    for next in ["https://evil.example", "//evil.example", "/%5Cevil.example", "javascript:alert(1)"] {
        let reply = stage.anonymous().get(&format!("/api/auth/oidc/start?next={next}")).await;
        assert_eq!(reply.header("location"), "/sign-in?problem=unreachable", "{next}");
    }
    let reply = stage.anonymous().get("/api/auth/oidc/start?next=/account").await;
    assert_eq!(reply.header("location"), "/sign-in?problem=unreachable&next=%2Faccount");
}
