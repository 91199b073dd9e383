//! Attempts to take over accounts or keep revoked access.

use axum::http::Method;
use jsonwebtoken::{Algorithm, Header, encode};
use planroom::clock::MINUTE;
use serde_json::json;

use super::{bearer, claims, follow_callback, server, server_with, sign_in_as, start_sign_in};
use crate::support::oidc::Signer;

#[tokio::test]
async fn a_preregistered_account_in_another_name_is_not_linked() {
    let (server, idp) = server().await;
    server.seed_member("eve", "acme", "org:admin");
    let eve = server.sign_in("eve").await;
    let acme = eve.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invitations = format!("/api/orgs/{acme}/invitations");
    // Eve, an organization admin without instance privileges, invites Bob and opens the link herself.
    let invited = eve.post(&invitations, json!({ "email": "bob@example.org" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "bob", "displayName": "Bob", "password": "known to eve alone" });
    server.anonymous().post(&path, new).await.ok();
    eve.delete(&format!("{invitations}/{}", invited["invitation"]["id"])).await.ok();
    let trap =
        server.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = 'bob'", [], |row| row.get(0)).unwrap());
    idp.state()
        .people
        .insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true, "name": "Bob" }));
    let bob: i64 = sign_in_as(&server, &idp, "user_bob").await.get("/api/me").await.ok()["id"].as_i64().unwrap();
    let trap: i64 = trap;
    assert_ne!(bob, trap, "eve has its password");
    // An invitation of an instance administrator is trusted.
    let ada = server.sign_in("ada").await;
    let invited = ada.post(&invitations, json!({ "email": "mia@example.org" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "mia", "displayName": "Mia", "password": "known to mia alone" });
    server.anonymous().post(&path, new).await.ok();
    idp.state().people.insert("user_mia".into(), json!({ "email": "mia@example.org", "email_verified": true }));
    let mia = sign_in_as(&server, &idp, "user_mia").await.get("/api/me").await.ok();
    assert_eq!(mia["login"], "mia");
}

#[tokio::test]
async fn similar_looking_addresses_are_different() {
    let (server, idp) = server().await;
    let ada = server.sign_in("ada").await;
    let new = json!({ "login": "kim", "displayName": "Kim", "email": "kiss@example.org" });
    let kim = ada.post("/api/admin/users", new).await.created()["user"]["id"].as_i64().unwrap();
    for (n, email) in [
        "\u{212a}iss@example.org",
        "ki\u{17f}s@example.org",
        "k\u{131}ss@example.org",
        "kiss@example.org.",
        "kiss+1@example.org",
        "kiss@ex\u{e0}mple.org",
        "kiss@example.org, eve@example.org",
        "kiss@example.org\u{200b}",
        "<kiss@example.org>",
    ]
    .into_iter()
    .enumerate()
    {
        let said = json!({ "sub": format!("user_{n}"), "email": email, "email_verified": true });
        let id = bearer(&server, &idp, said).get("/api/me").await.ok()["id"].as_i64().unwrap();
        assert_ne!(id, kim, "{email}");
    }
    let said = json!({ "sub": "user_kim", "email": " KISS@Example.ORG ", "email_verified": true });
    assert_eq!(bearer(&server, &idp, said).get("/api/me").await.ok()["id"], kim, "but for case");
}

#[tokio::test]
async fn keys_of_different_types_can_share_an_id_and_encryption_keys_verify_nothing() {
    let (server, idp) = server().await;
    let (ec, ed, second) = (Signer::ec("k"), Signer::ed("k"), Signer::ec("e"));
    let mut encrypts = second.jwk.clone();
    encrypts["use"] = json!("enc");
    idp.state().published = vec![ec.jwk.clone(), ed.jwk.clone(), encrypts];
    let said = claims(&server, &idp, json!({}));
    for signer in [&ec, &ed] {
        server.with(&signer.sign(&said)).get("/api/me").await.ok();
    }
    server.with(&second.sign(&said)).get("/api/me").await.expect_error(401, "signed with an unknown key");
    let stranger = Signer::ed("k");
    server.with(&stranger.sign(&said)).get("/api/me").await.expect_error(401, "");
    // A certificate inside a token is not trusted either.
    let mut header = Header { kid: Some("k".into()), ..Header::new(Algorithm::EdDSA) };
    (header.x5u, header.x5c) = (Some("http://evil.example/c".into()), Some(vec!["AAAA".into()]));
    let forged = encode(&header, &said, &stranger.key).unwrap();
    server.with(&forged).get("/api/me").await.expect_error(401, "");
}

#[tokio::test]
async fn an_invalid_audience_is_not_treated_as_absent() {
    let (server, idp) = server().await;
    for aud in [json!(7), json!({}), json!([]), json!([7]), json!(""), json!(null), json!(["planroom.evil.example"])] {
        bearer(&server, &idp, json!({ "aud": aud })).get("/api/me").await.expect_error(401, "aud");
    }
    for aud in [json!("planroom"), json!(["else", "planroom"]), json!("http://planroom.test")] {
        bearer(&server, &idp, json!({ "aud": aud })).get("/api/me").await.ok();
    }
    // A token for us, issued to a client that is not allowed.
    let said = json!({ "aud": "planroom", "azp": "another" });
    bearer(&server, &idp, said).get("/api/me").await.expect_error(401, "azp");
    bearer(&server, &idp, json!({ "aud": "planroom", "azp": null })).get("/api/me").await.expect_error(401, "azp");
}

#[tokio::test]
async fn a_subject_is_a_single_line_of_limited_length() {
    let (server, idp) = server().await;
    for sub in ["x".repeat(256), "é".repeat(128), "a\nb".into(), "\u{0}".into()] {
        bearer(&server, &idp, json!({ "sub": sub })).get("/api/me").await.expect_error(401, "not a token of this");
        idp.state().claims = json!({ "sub": sub });
        let browser = start_sign_in(&server, "").await;
        let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in?problem=untrue");
    }
    assert_eq!(server.count("SELECT count(*) FROM user_identity"), 0);
    bearer(&server, &idp, json!({ "sub": "x".repeat(255) })).get("/api/me").await.ok();
}

#[tokio::test]
async fn a_token_lifetime_of_one_hour_is_the_exact_maximum() {
    let (server, idp) = server().await;
    let now = server.clock.now() / 1_000;
    bearer(&server, &idp, json!({ "exp": now + 3_600 })).get("/api/me").await.ok();
    bearer(&server, &idp, json!({ "exp": now + 3_601 })).get("/api/me").await.expect_error(401, "more than an hour");
    bearer(&server, &idp, json!({ "iat": now - 3_000, "exp": now + 601 }))
        .get("/api/me")
        .await
        .expect_error(401, "hour");
    for odd in [json!("x"), json!(true), json!([now]), json!({})] {
        for name in ["iat", "nbf", "exp"] {
            bearer(&server, &idp, json!({ name: odd })).get("/api/me").await.expect_error(401, "");
        }
    }
    // A token with a very old issue time does not override current data.
    for odd in [json!(-1e300), json!(i64::MIN), json!(1e300)] {
        bearer(&server, &idp, json!({ "iat": odd, "sub": "user_odd" })).get("/api/me").await.expect_error(401, "");
    }
}

#[tokio::test]
async fn a_return_url_is_always_a_page_of_this_server() {
    let (server, idp) = server().await;
    for next in
        ["/\t/evil.example", "/%5c/evil.example\\", "///evil.example", "/\u{a0}/evil.example", " //evil.example", "/ä"]
    {
        let query: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let browser = start_sign_in(&server, &format!("?next={query}")).await;
        let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in", "{next:?}");
    }
    // With repeated parameters the first one counts.
    let browser = start_sign_in(&server, "?next=/one&next=//evil.example").await;
    let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?next=%2Fone");
}

#[tokio::test]
async fn a_browser_with_many_started_sign_ins_keeps_the_last_few() {
    let (server, idp) = server().await;
    let (mut jar, mut last) = (Vec::<(String, String)>::new(), None);
    for _ in 0..40 {
        let cookies: Vec<String> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let next = format!("/api/auth/oidc/start?next=/{}", "a".repeat(1_900));
        let reply = server.anonymous().header("cookie", &cookies.join("; ")).get(&next).await;
        for set in reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()) {
            let (name, rest) = set.split_once('=').unwrap();
            jar.retain(|(known, _)| known != name);
            if !rest.contains("Max-Age=0") {
                jar.push((name.into(), rest.split(';').next().unwrap().into()));
            }
        }
        last = Some(reply.header("location").to_owned());
    }
    let size: usize = jar.iter().map(|(name, value)| name.len() + value.len() + 3).sum();
    assert!(size < 32 << 10, "{} cookies of {size} bytes; a head may have 64 KiB", jar.len());
    let cookie = jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
    let browser = super::Browser { location: last.unwrap(), cookie };
    let reply = follow_callback(&server, &browser, &idp.authorize("user_grace", &browser.location)).await;
    assert!(reply.header("location").starts_with("/sign-in?next=%2Faaa"), "{}", reply.header("location"));
}

#[tokio::test]
async fn a_stream_ends_when_a_newer_token_no_longer_lists_the_organization() {
    let (server, idp) = server().await;
    idp.state().people.insert("user_grace".into(), json!({ "organization": { "there": { "id": "o1" } } }));
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    let plan = grace.post("/api/workspaces", json!({ "id": "plan", "name": "Plan" })).await.created();
    let id = plan["workspace"]["id"].as_str().unwrap().to_owned();
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = server.with(minted["token"].as_str().unwrap());
    let token = bearer(&server, &idp, json!({ "org_id": "o1" }));
    let (assistant, program) = {
        let program = crate::oauth::OAuthClient::new(&server).await;
        let code = program.authorized_by(&grace, false).await;
        let tokens = program.exchange_code(&code, &[]).await.ok();
        (server.with(tokens["access_token"].as_str().unwrap()), program)
    };
    let mcp = async || {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
        let client = assistant.header("accept", "application/json, text/event-stream").header("host", "planroom.test");
        client.send_raw(Method::POST, "/mcp", Some("application/json"), ping).await.status.as_u16()
    };
    assert_eq!(mcp().await, 200);
    let mut followers = Vec::new();
    for client in [&grace, &script, &token] {
        followers.push(client.follow(&id, "").await);
    }
    let gone = json!({ "organization": [], "iat": server.clock.now() / 1_000 + 1 });
    bearer(&server, &idp, gone).get("/api/me").await.ok();
    for follower in &mut followers {
        follower.expect_end().await;
    }
    for client in [&grace, &script, &token] {
        client.get("/api/workspaces").await.expect_error(401, "");
    }
    assert_eq!(mcp().await, 401);
    drop(program);
}

#[tokio::test]
async fn a_stream_ends_with_the_provider_token_that_opened_it() {
    let (server, idp) = server().await;
    let token = bearer(&server, &idp, json!({ "org_id": "o1" }));
    token.post("/api/workspaces", json!({ "id": "plan", "name": "Plan" })).await.created();
    let mut follower = token.follow("plan", "").await;
    server.clock.advance(MINUTE);
    // Later changes are not sent.
    bearer(&server, &idp, json!({ "org_id": "o1" })).patch("/api/workspaces/plan", json!({ "name": "P" })).await.ok();
    follower.expect_end().await;
}

#[tokio::test]
async fn with_sso_required_a_password_is_rejected() {
    let (server, idp) = server_with(|config| config.identity.oidc.sso_only = true).await;
    let ada = server.sign_in("ada").await;
    let password = "chosen by an administrator";
    let new = json!({ "login": "bob", "displayName": "Bob", "password": password });
    ada.post("/api/admin/users", new).await.created();
    server.clock.advance(planroom::clock::HOUR);
    idp.state().now = server.clock.now() / 1_000;
    let anonymous = server.anonymous();
    // An administrator cannot bypass this by setting a password.
    let login = json!({ "login": "bob", "password": password });
    anonymous.post("/api/auth/login", login).await.expect_error(403, "sign in with the identity provider");
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    let change = json!({ "current": "x", "next": "correct horse battery staple" });
    grace.post("/api/me/password", change).await.expect_error(403, "");
    assert_eq!(server.count("SELECT count(*) FROM user WHERE password_hash IS NOT NULL"), 2, "ada's and bob's");
}
