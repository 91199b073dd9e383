//! Signing out here, and at the provider.

use planroom::{
    clock::{HOUR, MINUTE},
    config::Config,
};
use serde_json::{Value, json};

use super::{departs, returns, stage_with};
use crate::support::{PASSWORD, Reply, Stage, oidc::OidcDouble};

fn signing_out(config: &mut Config) {
    config.identity.oidc.sign_out = true;
    config.identity.oidc.session_hours = 2;
}

/// An instance that signs people out at the provider too, whose page for it is where `endpoint` says.
async fn stage(endpoint: Value) -> (Stage, OidcDouble) {
    let (stage, double) = stage_with(signing_out).await;
    double.state().discovery = json!({ "end_session_endpoint": endpoint });
    (stage, double)
}

/// The provider's page for it, which has a parameter of its own.
const PAGE: &str = "https://id.example.org/logout?tenant=1";

/// The cookies of a browser that has come back from the provider, each as it was set.
async fn cookies(stage: &Stage, double: &OidcDouble) -> Vec<String> {
    let browser = departs(stage, "").await;
    set(&returns(stage, &browser, &double.agrees("user_grace", &browser.location)).await)
}

fn set(reply: &Reply) -> Vec<String> {
    reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}

/// Signs out with these cookies.
async fn signs_out(stage: &Stage, cookies: &[String]) -> Reply {
    let sent: Vec<&str> = cookies.iter().filter_map(|cookie| cookie.split(';').next()).collect();
    let browser = stage.anonymous().header("origin", "http://planroom.test").header("cookie", &sent.join("; "));
    browser.post("/api/auth/logout", json!({})).await
}

/// The parameters of the address that a browser is to go on to.
fn parameters(reply: &Reply) -> Vec<(String, String)> {
    let url = url::Url::parse(reply.ok()["continueAt"].as_str().unwrap()).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn who_signed_in_at_the_provider_is_sent_there_to_sign_out_with_its_own_token_as_a_hint() {
    let (stage, double) = stage(json!(PAGE)).await;
    let cookies = cookies(&stage, &double).await;
    let hint = cookies.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth", "; Max-Age=7200"] {
        assert!(hint.contains(part), "{part} in {hint}");
    }
    let reply = signs_out(&stage, &cookies).await;
    let address = reply.ok()["continueAt"].as_str().unwrap().to_owned();
    assert!(address.starts_with("https://id.example.org/logout?tenant=1&"), "{address}");
    let parameters = parameters(&reply);
    let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tenant", "client_id", "post_logout_redirect_uri", "id_token_hint"]);
    assert_eq!((parameters[1].1.as_str(), parameters[2].1.as_str()), ("planroom", "http://planroom.test/sign-in"));
    let token = &parameters[3].1;
    let claims: Value = jsonwebtoken::dangerous::insecure_decode_claims(token).unwrap();
    assert_eq!((&claims["sub"], &claims["iss"]), (&json!("user_grace"), &json!(double.url())));
    // The browser has not seen it until now, and both cookies are taken away.
    assert!(cookies.iter().all(|cookie| !cookie.contains(&token[..40])));
    let forgotten: Vec<bool> = set(&reply).iter().map(|cookie| cookie.contains("Max-Age=0")).collect();
    assert_eq!(forgotten, [true, true]);
    // The session is over: nothing is left to be signed out of.
    assert_eq!(signs_out(&stage, &cookies).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn a_token_that_would_still_open_the_api_is_in_no_address() {
    let (stage, double) = stage(json!(PAGE)).await;
    double.state().claims = json!({ "exp": stage.clock.now() / 1_000 + 600 });
    let (soon, later) = (cookies(&stage, &double).await, cookies(&stage, &double).await);
    assert_eq!(parameters(&signs_out(&stage, &soon).await).len(), 3);
    stage.clock.advance(11 * MINUTE);
    assert_eq!(parameters(&signs_out(&stage, &later).await).len(), 4);
}

#[tokio::test]
async fn what_did_not_begin_at_the_provider_does_not_end_there() {
    let (stage, double) = stage(json!(PAGE)).await;
    let left = cookies(&stage, &double).await;
    // Somebody else signs in with a password, in the browser that has the other's hint.
    let signed_in = stage.anonymous().post("/api/auth/login", json!({ "login": "ada", "password": PASSWORD })).await;
    let hint = left.into_iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    let reply = signs_out(&stage, &[set(&signed_in), vec![hint]].concat()).await;
    assert_eq!(reply.ok(), json!({ "ok": true }));
    assert!(set(&reply).iter().any(|cookie| cookie.starts_with("planroom_id_hint=;")), "{:?}", set(&reply));
    // Nobody in particular, and a credential without a cookie.
    assert_eq!(stage.anonymous().post("/api/auth/logout", json!({})).await.ok(), json!({ "ok": true }));
    let script = super::signs_in(&stage, &double, "user_grace").await;
    assert_eq!(script.post("/api/auth/logout", json!({})).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn nobody_is_sent_to_sign_out_unless_the_operator_wants_it() {
    let (stage, double) = stage_with(|_| {}).await;
    double.state().discovery = json!({ "end_session_endpoint": PAGE });
    let cookies = cookies(&stage, &double).await;
    assert!(!cookies.iter().any(|cookie| cookie.starts_with("planroom_id_hint")), "{cookies:?}");
    assert_eq!(signs_out(&stage, &cookies).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn a_provider_without_such_a_page_or_with_one_that_is_none_is_not_gone_to() {
    for endpoint in [
        json!(null),
        json!(""),
        json!("logout"),
        json!("javascript:alert(1)"),
        json!("data:text/html,x"),
        json!("mailto:ada@example.org"),
    ] {
        let (stage, double) = stage(endpoint.clone()).await;
        let cookies = cookies(&stage, &double).await;
        assert_eq!(signs_out(&stage, &cookies).await.ok(), json!({ "ok": true }), "{endpoint}");
    }
}

#[tokio::test]
async fn a_provider_that_is_away_is_gone_to_where_it_was_known_to_be() {
    let (stage, double) = stage(json!(PAGE)).await;
    let cookies = cookies(&stage, &double).await;
    double.state().down = true;
    stage.clock.advance(HOUR + MINUTE);
    assert_eq!(parameters(&signs_out(&stage, &cookies).await).len(), 4);
}

#[tokio::test]
async fn a_provider_that_was_away_since_the_start_holds_nobody_here() {
    let (stage, double) = stage(json!(PAGE)).await;
    let cookies = cookies(&stage, &double).await;
    double.state().down = true;
    let issuer = double.url();
    let stage = Stage::on(stage.stop(), |config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id, oidc.allow_private) = (issuer, "planroom".into(), true);
        signing_out(config);
    });
    assert_eq!(signs_out(&stage, &cookies).await.ok(), json!({ "ok": true }));
    assert_eq!(stage.count("SELECT count(*) FROM session WHERE ended_at IS NULL"), 0);
}

#[tokio::test]
async fn without_a_good_hint_the_provider_is_asked_all_the_same() {
    let (stage, double) = stage(json!(PAGE)).await;
    let names = async |cookies: &[String]| -> Vec<String> {
        parameters(&signs_out(&stage, cookies).await).into_iter().map(|(name, _)| name).collect()
    };
    let without = ["tenant", "client_id", "post_logout_redirect_uri"];
    let mut gone = cookies(&stage, &double).await;
    gone.retain(|cookie| !cookie.starts_with("planroom_id_hint"));
    assert_eq!(names(&gone).await, without);
    let mut forged = cookies(&stage, &double).await;
    forged.retain(|cookie| !cookie.starts_with("planroom_id_hint"));
    forged.push("planroom_id_hint=AAAA".into());
    assert_eq!(names(&forged).await, without);
    // One that is too long for a cookie takes away the one from before.
    double.state().claims = json!({ "groups": vec!["a group with a long name"; 100] });
    let long = cookies(&stage, &double).await;
    let hint = long.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    assert!(hint.starts_with("planroom_id_hint=;") && hint.contains("Max-Age=0"), "{hint}");
    assert_eq!(names(&long).await, without);
}
