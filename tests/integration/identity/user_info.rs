//! What `UserInfo` answers, or does not.

use serde_json::json;

use super::{lands, signs_in, stage, stage_with};

#[tokio::test]
async fn a_provider_without_it_has_said_all_in_the_id_token() {
    let (stage, double) = stage().await;
    double.state().discovery = json!({ "userinfo_endpoint": null });
    double.state().claims = json!({ "name": "Grace Hopper", "email": "g@example.org", "email_verified": true });
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace Hopper");
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE email = 'g@example.org'"), 1);
    assert_eq!(double.heard(), ["GET discovery", "POST token", "GET keys"]);
}

#[tokio::test]
async fn without_its_answer_nobody_is_signed_in_and_nothing_is_made() {
    let (stage, double) = stage().await;
    let told = json!({ "sub": "user_grace", "groups": ["admins"] });
    let signed = double.state().signer.sign(&told);
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
        // Signed answers are for clients that are registered so; ours is to be registered without.
        (200, "application/jwt", signed.clone()),
        (200, "Application/JWT; charset=utf-8", signed),
    ] {
        let shown: String = format!("{status} {kind} {body}").chars().take(80).collect();
        double.state().user_info = Some((status, kind, body));
        assert_eq!(lands(&stage, &double).await, "/sign-in?problem=unreachable", "{shown}");
    }
    for sub in [json!("user_eve"), json!("User_grace"), json!(["user_grace"]), json!(null), json!("")] {
        double.state().user_info = Some((200, json, json!({ "sub": sub, "name": "Eve" }).to_string()));
        assert_eq!(lands(&stage, &double).await, "/sign-in?problem=untrue", "{sub}");
    }
    double.state().user_info = Some((200, json, json!({ "name": "Nobody in particular" }).to_string()));
    assert_eq!(lands(&stage, &double).await, "/sign-in?problem=untrue");
    for table in ["user_identity", "session"] {
        assert_eq!(stage.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    assert_eq!(stage.count("SELECT count(*) FROM user"), 1, "Ada, who was there before");
    double.state().user_info = Some((200, json, told.to_string()));
    assert_eq!(lands(&stage, &double).await, "/sign-in");
}

#[tokio::test]
async fn a_provider_that_refuses_it_is_believed_when_the_id_token_has_all_that_is_needed() {
    let (stage, double) = stage().await;
    double.state().claims = json!({ "name": "Grace Hopper", "email": "g@example.org", "email_verified": true });
    let json = "application/json";
    for (status, kind, body) in [
        // Access tokens that are bound to an API are refused there.
        (401, json, r#"{"error":"invalid_token"}"#),
        (403, json, "{}"),
        (500, "text/html", "<html>"),
        (302, json, ""),
        (200, "text/html", "<html><body>Sign in</body></html>"),
    ] {
        double.state().user_info = Some((status, kind, body.to_owned()));
        let grace = signs_in(&stage, &double, "user_grace").await;
        assert_eq!(grace.get("/api/me").await.ok()["displayName"], "Grace Hopper", "{status} {body}");
    }
    double.state().user_info = Some((200, json, json!({ "sub": "user_eve" }).to_string()));
    assert_eq!(lands(&stage, &double).await, "/sign-in?problem=untrue", "what it does say must agree");
}

#[tokio::test]
async fn what_is_decided_by_and_missing_is_not_taken_for_none() {
    let (stage, double) = stage_with(|config| {
        let oidc = &mut config.identity.oidc;
        (oidc.default_org, oidc.admin_groups) = ("acme".into(), vec!["admins".into()]);
    })
    .await;
    double.state().people.insert("user_grace".into(), json!({ "groups": ["admins"] }));
    signs_in(&stage, &double, "user_grace").await;
    let who = json!({ "name": "Grace Hopper", "email": "g@example.org" });
    double.state().claims = who.clone();
    double.state().user_info = Some((401, "application/json", "{}".into()));
    assert_eq!(lands(&stage, &double).await, "/sign-in?problem=unreachable", "of groups nothing is known");
    let mut with_groups = who;
    with_groups["groups"] = json!(["admins"]);
    double.state().claims = with_groups;
    let grace = signs_in(&stage, &double, "user_grace").await;
    assert_eq!(grace.get("/api/me").await.ok()["session"]["orgRole"], "org:admin");
}
