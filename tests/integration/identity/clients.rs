//! Client authentication at the provider (RFC 6749, section 2.3.1).

use planroom::secret::Secret;
use serde_json::{Value, json};

use super::{server_with, sign_in_and_land};

/// Where the browser ends up when the provider supports `method` and announces `methods`.
async fn sign_in_as_client(client: (&str, &str), method: &'static str, methods: Value) -> String {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.client_id, oidc.client_secret) = (client.0.into(), Secret::new(client.1));
    })
    .await;
    {
        let mut there = idp.state();
        there.client = (client.0.into(), client.1.into());
        there.method = method;
        if !methods.is_null() {
            there.discovery = json!({ "token_endpoint_auth_methods_supported": methods });
        }
    }
    sign_in_and_land(&server, &idp).await
}

/// Characters that are separators or are encoded differently in some formats.
const ODD: (&str, &str) = ("plan room:ü/%3A", "a:b+c d%20&e=f~\"\\é€");

#[tokio::test]
async fn the_client_secret_is_sent_in_the_header_unless_the_provider_requires_the_body() {
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
            assert_eq!(sign_in_as_client(client, method, methods.clone()).await, "/sign-in", "{client:?} {methods}");
        }
    }
}

#[tokio::test]
async fn a_public_client_sends_only_its_id() {
    for methods in [Value::Null, json!(["none"]), json!(["client_secret_basic"]), json!(["client_secret_post"])] {
        assert_eq!(sign_in_as_client(("plan room", ""), "none", methods.clone()).await, "/sign-in", "{methods}");
    }
}

#[tokio::test]
async fn a_provider_that_rejects_the_client_secret_signs_nobody_in() {
    let (server, idp) = server_with(|config| config.identity.oidc.client_secret = Secret::new("another")).await;
    assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=unreachable");
    assert_eq!(server.count("SELECT count(*) FROM user_identity"), 0);
}
