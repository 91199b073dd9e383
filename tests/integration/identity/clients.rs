//! How this instance shows the provider who it is, in the ways of RFC 6749, 2.3.1.

use planroom::secret::Secret;
use serde_json::{Value, json};

use super::{lands, stage_with};

/// Where one comes to whose instance is known by `client`, at a provider that takes `method` and says `methods`.
async fn lands_as(client: (&str, &str), method: &'static str, methods: Value) -> String {
    let (stage, double) = stage_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.client_id, oidc.client_secret) = (client.0.into(), Secret::new(client.1));
    })
    .await;
    {
        let mut there = double.state();
        there.client = (client.0.into(), client.1.into());
        there.method = method;
        if !methods.is_null() {
            there.discovery = json!({ "token_endpoint_auth_methods_supported": methods });
        }
    }
    lands(&stage, &double).await
}

/// What separates, encodes or ends something somewhere on the way.
const ODD: (&str, &str) = ("plan room:ü/%3A", "a:b+c d%20&e=f~\"\\é€");

#[tokio::test]
async fn the_secret_is_shown_in_the_header_unless_the_provider_wants_it_in_the_body() {
    let (basic, post) = ("client_secret_basic", "client_secret_post");
    for client in [("planroom", "secret"), ODD] {
        for (method, methods) in [
            (basic, Value::Null),
            (basic, json!([post, basic])),
            (basic, json!([])),
            (basic, json!(["private_key_jwt"])),
            (post, json!([post])),
            (post, json!(["private_key_jwt", post, "none"])),
        ] {
            assert_eq!(lands_as(client, method, methods.clone()).await, "/sign-in", "{client:?} {methods}");
        }
    }
}

#[tokio::test]
async fn a_client_without_a_secret_shows_its_name_alone() {
    for methods in [Value::Null, json!(["none"]), json!(["client_secret_basic"]), json!(["client_secret_post"])] {
        assert_eq!(lands_as(("plan room", ""), "none", methods.clone()).await, "/sign-in", "{methods}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_know_the_secret_lets_nobody_in() {
    let (stage, double) = stage_with(|config| config.identity.oidc.client_secret = Secret::new("another")).await;
    assert_eq!(lands(&stage, &double).await, "/sign-in?problem=unreachable");
    assert_eq!(stage.count("SELECT count(*) FROM user_identity"), 0);
}
