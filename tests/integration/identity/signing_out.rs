//! Signing out here and at the provider.

use planroom::{
    clock::{HOUR, MINUTE},
    config::Config,
};
use serde_json::{Value, json};

use super::{follow_callback, server_with, start_sign_in};
use crate::support::{PASSWORD, TestResponse, TestServer, oidc::FakeIdp};

fn signing_out(config: &mut Config) {
    config.identity.oidc.sign_out = true;
    config.identity.oidc.session_hours = 2;
}

/// A server that also signs users out at the provider, whose end-session endpoint is `endpoint`.
async fn server(endpoint: Value) -> (TestServer, FakeIdp) {
    let (server, idp) = server_with(signing_out).await;
    idp.state().discovery = json!({ "end_session_endpoint": endpoint });
    (server, idp)
}

/// The end-session endpoint, which has its own query parameter.
const PAGE: &str = "https://id.example.org/logout?tenant=1";

/// The cookies of a browser that has returned from the provider.
async fn cookies(server: &TestServer, idp: &FakeIdp) -> Vec<String> {
    let browser = start_sign_in(server, "").await;
    set(&follow_callback(server, &browser, &idp.authorize("user_grace", &browser.location)).await)
}

fn set(reply: &TestResponse) -> Vec<String> {
    reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}

/// Signs out with these cookies.
async fn signs_out(server: &TestServer, cookies: &[String]) -> TestResponse {
    let sent: Vec<&str> = cookies.iter().filter_map(|cookie| cookie.split(';').next()).collect();
    let browser = server.anonymous().header("origin", "http://planroom.test").header("cookie", &sent.join("; "));
    browser.post("/api/auth/logout", json!({})).await
}

/// The query parameters of the redirect URL.
fn parameters(reply: &TestResponse) -> Vec<(String, String)> {
    let url = url::Url::parse(reply.ok()["continueAt"].as_str().unwrap()).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn sign_out_redirects_to_the_provider_with_an_id_token_hint() {
    let (server, idp) = server(json!(PAGE)).await;
    let cookies = cookies(&server, &idp).await;
    let hint = cookies.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth", "; Max-Age=7200"] {
        assert!(hint.contains(part), "{part} in {hint}");
    }
    let reply = signs_out(&server, &cookies).await;
    let address = reply.ok()["continueAt"].as_str().unwrap().to_owned();
    assert!(address.starts_with("https://id.example.org/logout?tenant=1&"), "{address}");
    let parameters = parameters(&reply);
    let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tenant", "client_id", "post_logout_redirect_uri", "id_token_hint"]);
    assert_eq!((parameters[1].1.as_str(), parameters[2].1.as_str()), ("planroom", "http://planroom.test/sign-in"));
    let token = &parameters[3].1;
    let claims: Value = jsonwebtoken::dangerous::insecure_decode_claims(token).unwrap();
    assert_eq!((&claims["sub"], &claims["iss"]), (&json!("user_grace"), &json!(idp.url())));
    // The hint is only readable during sign-out, and both cookies are removed.
    assert!(cookies.iter().all(|cookie| !cookie.contains(&token[..40])));
    let forgotten: Vec<bool> = set(&reply).iter().map(|cookie| cookie.contains("Max-Age=0")).collect();
    assert_eq!(forgotten, [true, true]);
    // The session has ended, so there is nothing to sign out of.
    assert_eq!(signs_out(&server, &cookies).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn an_id_token_valid_for_the_api_is_never_in_a_url() {
    let (server, idp) = server(json!(PAGE)).await;
    idp.state().claims = json!({ "exp": server.clock.now() / 1_000 + 600 });
    let (soon, later) = (cookies(&server, &idp).await, cookies(&server, &idp).await);
    assert_eq!(parameters(&signs_out(&server, &soon).await).len(), 3);
    server.clock.advance(11 * MINUTE);
    assert_eq!(parameters(&signs_out(&server, &later).await).len(), 4);
}

#[tokio::test]
async fn a_password_session_does_not_end_at_the_provider() {
    let (server, idp) = server(json!(PAGE)).await;
    let left = cookies(&server, &idp).await;
    // Another user signs in with a password in the browser that has the first user's hint.
    let signed_in = server.anonymous().post("/api/auth/login", json!({ "login": "ada", "password": PASSWORD })).await;
    let hint = left.into_iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    let reply = signs_out(&server, &[set(&signed_in), vec![hint]].concat()).await;
    assert_eq!(reply.ok(), json!({ "ok": true }));
    assert!(set(&reply).iter().any(|cookie| cookie.starts_with("planroom_id_hint=;")), "{:?}", set(&reply));
    // An anonymous request, and a credential without a cookie.
    assert_eq!(server.anonymous().post("/api/auth/logout", json!({})).await.ok(), json!({ "ok": true }));
    let script = super::sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(script.post("/api/auth/logout", json!({})).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn sign_out_at_the_provider_is_off_by_default() {
    let (server, idp) = server_with(|_| {}).await;
    idp.state().discovery = json!({ "end_session_endpoint": PAGE });
    let cookies = cookies(&server, &idp).await;
    assert!(!cookies.iter().any(|cookie| cookie.starts_with("planroom_id_hint")), "{cookies:?}");
    assert_eq!(signs_out(&server, &cookies).await.ok(), json!({ "ok": true }));
}

#[tokio::test]
async fn a_missing_or_invalid_end_session_endpoint_is_not_used() {
    for endpoint in [
        json!(null),
        json!(""),
        json!("logout"),
        json!("javascript:alert(1)"),
        json!("data:text/html,x"),
        json!("mailto:ada@example.org"),
    ] {
        let (server, idp) = server(endpoint.clone()).await;
        let cookies = cookies(&server, &idp).await;
        assert_eq!(signs_out(&server, &cookies).await.ok(), json!({ "ok": true }), "{endpoint}");
    }
}

#[tokio::test]
async fn the_known_end_session_endpoint_is_used_while_the_provider_is_down() {
    let (server, idp) = server(json!(PAGE)).await;
    let cookies = cookies(&server, &idp).await;
    idp.state().down = true;
    server.clock.advance(HOUR + MINUTE);
    assert_eq!(parameters(&signs_out(&server, &cookies).await).len(), 4);
}

#[tokio::test]
async fn sign_out_works_if_the_provider_was_never_reachable() {
    let (server, idp) = server(json!(PAGE)).await;
    let cookies = cookies(&server, &idp).await;
    idp.state().down = true;
    let issuer = idp.url();
    let server = TestServer::on(server.stop(), |config| {
        let oidc = &mut config.identity.oidc;
        (oidc.issuer, oidc.client_id, oidc.allow_private) = (issuer, "planroom".into(), true);
        signing_out(config);
    });
    assert_eq!(signs_out(&server, &cookies).await.ok(), json!({ "ok": true }));
    assert_eq!(server.count("SELECT count(*) FROM session WHERE ended_at IS NULL"), 0);
}

#[tokio::test]
async fn without_a_valid_hint_sign_out_at_the_provider_still_works() {
    let (server, idp) = server(json!(PAGE)).await;
    let names = async |cookies: &[String]| -> Vec<String> {
        parameters(&signs_out(&server, cookies).await).into_iter().map(|(name, _)| name).collect()
    };
    let without = ["tenant", "client_id", "post_logout_redirect_uri"];
    let mut gone = cookies(&server, &idp).await;
    gone.retain(|cookie| !cookie.starts_with("planroom_id_hint"));
    assert_eq!(names(&gone).await, without);
    let mut forged = cookies(&server, &idp).await;
    forged.retain(|cookie| !cookie.starts_with("planroom_id_hint"));
    forged.push("planroom_id_hint=AAAA".into());
    assert_eq!(names(&forged).await, without);
    // A hint that is too long for a cookie removes the previous one.
    idp.state().claims = json!({ "groups": vec!["a group with a long name"; 100] });
    let long = cookies(&server, &idp).await;
    let hint = long.iter().find(|cookie| cookie.starts_with("planroom_id_hint=")).unwrap();
    assert!(hint.starts_with("planroom_id_hint=;") && hint.contains("Max-Age=0"), "{hint}");
    assert_eq!(names(&long).await, without);
}
