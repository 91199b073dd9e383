//! Responses of the `UserInfo` endpoint.

use serde_json::json;

use super::{server, server_with, sign_in_and_land, sign_in_as};

#[tokio::test]
async fn without_a_user_info_endpoint_the_id_token_is_sufficient() {
    let (server, idp) = server().await;
    idp.state().discovery = json!({ "userinfo_endpoint": null });
    idp.state().claims = json!({ "name": "Grace Hopper", "email": "g@example.org", "email_verified": true });
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace Hopper");
    assert_eq!(server.count("SELECT count(*) FROM user WHERE email = 'g@example.org'"), 1);
    assert_eq!(idp.take_requests(), ["GET discovery", "POST token", "GET keys"]);
}

#[tokio::test]
async fn without_a_user_info_response_nobody_is_signed_in() {
    let (server, idp) = server().await;
    let told = json!({ "sub": "user_grace", "groups": ["admins"] });
    let signed = idp.state().signer.sign(&told);
    let json = "application/json";
    for (status, kind, body) in [
        (401, json, r#"{"error":"invalid_token"}"#.to_owned()),
        (500, "text/html", "<html>".into()),
        (302, json, told.to_string()),
        (204, json, String::new()),
        (200, "text/html", "<html><body>Sign in</body></html>".into()),
        (200, json, String::new()),
        (200, json, "[]".into()),
        (200, json, "null".into()),
        (200, json, format!("{{\"sub\":\"user_grace\",\"x\":\"{}\"}}", "x".repeat(300 << 10))),
        // Signed responses need a special client registration, which is not supported.
        (200, "application/jwt", signed.clone()),
        (200, "Application/JWT; charset=utf-8", signed),
    ] {
        let shown: String = format!("{status} {kind} {body}").chars().take(80).collect();
        idp.state().user_info = Some((status, kind, body));
        assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=unreachable", "{shown}");
    }
    for sub in [json!("user_eve"), json!("User_grace"), json!(["user_grace"]), json!(null), json!("")] {
        idp.state().user_info = Some((200, json, json!({ "sub": sub, "name": "Eve" }).to_string()));
        assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=untrue", "{sub}");
    }
    idp.state().user_info = Some((200, json, json!({ "name": "Nobody in particular" }).to_string()));
    assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=untrue");
    for table in ["user_identity", "session"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    assert_eq!(server.count("SELECT count(*) FROM user"), 1, "Ada, who was there before");
    idp.state().user_info = Some((200, json, told.to_string()));
    assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in");
}

#[tokio::test]
async fn a_user_info_error_is_ignored_if_the_id_token_is_complete() {
    let (server, idp) = server().await;
    idp.state().claims = json!({ "name": "Grace Hopper", "email": "g@example.org", "email_verified": true });
    let json = "application/json";
    for (status, kind, body) in [
        // Access tokens for a specific API are rejected by the endpoint.
        (401, json, r#"{"error":"invalid_token"}"#),
        (403, json, "{}"),
        (500, "text/html", "<html>"),
        (302, json, ""),
        (200, "text/html", "<html><body>Sign in</body></html>"),
    ] {
        idp.state().user_info = Some((status, kind, body.to_owned()));
        let grace = sign_in_as(&server, &idp, "user_grace").await;
        assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace Hopper", "{status} {body}");
    }
    idp.state().user_info = Some((200, json, json!({ "sub": "user_eve" }).to_string()));
    assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=untrue", "what it does say must agree");
}

#[tokio::test]
async fn a_missing_required_claim_is_not_treated_as_empty() {
    let (server, idp) = server_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.admin_groups) = ("acme".into(), vec!["admins".into()]);
    })
    .await;
    idp.state().people.insert("user_grace".into(), json!({ "groups": ["admins"] }));
    sign_in_as(&server, &idp, "user_grace").await;
    let who = json!({ "name": "Grace Hopper", "email": "g@example.org" });
    idp.state().claims = who.clone();
    idp.state().user_info = Some((401, "application/json", "{}".into()));
    assert_eq!(sign_in_and_land(&server, &idp).await, "/sign-in?problem=unreachable", "of groups nothing is known");
    let mut with_groups = who;
    with_groups["groups"] = json!(["admins"]);
    idp.state().claims = with_groups;
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}
