//! What somebody could try who is not whom they say, or who is no longer.

use axum::http::Method;
use jsonwebtoken::{Algorithm, Header, encode};
use planroom::clock::MINUTE;
use serde_json::json;

use super::{bearer, claims, departs, returns, signs_in, stage, stage_with};
use crate::support::oidc::Signer;

#[tokio::test]
async fn an_account_that_somebody_made_in_anothers_name_does_not_wait_for_them() {
    let (stage, double) = stage().await;
    stage.seed_member("eve", "acme", "org:admin");
    let eve = stage.sign_in("eve").await;
    let acme = eve.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let invitations = format!("/api/orgs/{acme}/invitations");
    // Eve, who administers an organization and not the instance, invites Bob, and opens the link herself.
    let invited = eve.post(&invitations, json!({ "email": "bob@example.org" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "bob", "displayName": "Bob", "password": "known to eve alone" });
    stage.anonymous().post(&path, new).await.ok();
    eve.delete(&format!("{invitations}/{}", invited["invitation"]["id"])).await.ok();
    let trap =
        stage.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = 'bob'", [], |row| row.get(0)).unwrap());
    double
        .state()
        .people
        .insert("user_bob".into(), json!({ "email": "bob@example.org", "email_verified": true, "name": "Bob" }));
    let bob: i64 = signs_in(&stage, &double, "user_bob").await.get("/api/me").await.ok()["id"].as_i64().unwrap();
    let trap: i64 = trap;
    assert_ne!(bob, trap, "eve has its password");
    // The word of an administrator of the instance is another thing.
    let ada = stage.sign_in("ada").await;
    let invited = ada.post(&invitations, json!({ "email": "mia@example.org" })).await.created();
    let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
    let new = json!({ "login": "mia", "displayName": "Mia", "password": "known to mia alone" });
    stage.anonymous().post(&path, new).await.ok();
    double.state().people.insert("user_mia".into(), json!({ "email": "mia@example.org", "email_verified": true }));
    let mia = signs_in(&stage, &double, "user_mia").await.get("/api/me").await.ok();
    assert_eq!(mia["login"], "mia");
}

#[tokio::test]
async fn addresses_that_only_look_alike_are_not_the_same() {
    let (stage, double) = stage().await;
    let ada = stage.sign_in("ada").await;
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
        let id = bearer(&stage, &double, said).get("/api/me").await.ok()["id"].as_i64().unwrap();
        assert_ne!(id, kim, "{email}");
    }
    let said = json!({ "sub": "user_kim", "email": " KISS@Example.ORG ", "email_verified": true });
    assert_eq!(bearer(&stage, &double, said).get("/api/me").await.ok()["id"], kim, "but for case");
}

#[tokio::test]
async fn keys_of_two_kinds_may_have_one_id_and_one_that_encrypts_verifies_nothing() {
    let (stage, double) = stage().await;
    let (ec, ed, second) = (Signer::ec("k"), Signer::ed("k"), Signer::ec("e"));
    let mut encrypts = second.jwk.clone();
    encrypts["use"] = json!("enc");
    double.state().published = vec![ec.jwk.clone(), ed.jwk.clone(), encrypts];
    let said = claims(&stage, &double, json!({}));
    for signer in [&ec, &ed] {
        stage.with(&signer.sign(&said)).get("/api/me").await.ok();
    }
    stage.with(&second.sign(&said)).get("/api/me").await.refused(401, "does not have");
    let stranger = Signer::ed("k");
    stage.with(&stranger.sign(&said)).get("/api/me").await.refused(401, "");
    // A certificate that a token brings along is nobody's either.
    let mut header = Header { kid: Some("k".into()), ..Header::new(Algorithm::EdDSA) };
    (header.x5u, header.x5c) = (Some("http://evil.example/c".into()), Some(vec!["AAAA".into()]));
    let forged = encode(&header, &said, &stranger.key).unwrap();
    stage.with(&forged).get("/api/me").await.refused(401, "");
}

#[tokio::test]
async fn an_audience_that_is_none_is_not_the_absence_of_one() {
    let (stage, double) = stage().await;
    for aud in [json!(7), json!({}), json!([]), json!([7]), json!(""), json!(null), json!(["planroom.evil.example"])] {
        bearer(&stage, &double, json!({ "aud": aud })).get("/api/me").await.refused(401, "aud");
    }
    for aud in [json!("planroom"), json!(["else", "planroom"]), json!("http://planroom.test")] {
        bearer(&stage, &double, json!({ "aud": aud })).get("/api/me").await.ok();
    }
    // For us, and issued to somebody who may not come.
    let said = json!({ "aud": "planroom", "azp": "another" });
    bearer(&stage, &double, said).get("/api/me").await.refused(401, "azp");
    bearer(&stage, &double, json!({ "aud": "planroom", "azp": null })).get("/api/me").await.refused(401, "azp");
}

#[tokio::test]
async fn a_subject_has_a_largest_size_and_is_one_line() {
    let (stage, double) = stage().await;
    for sub in ["x".repeat(256), "é".repeat(128), "a\nb".into(), "\u{0}".into()] {
        bearer(&stage, &double, json!({ "sub": sub })).get("/api/me").await.refused(401, "not a token of this");
        double.state().claims = json!({ "sub": sub });
        let browser = departs(&stage, "").await;
        let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in?problem=untrue");
    }
    assert_eq!(stage.count("SELECT count(*) FROM user_identity"), 0);
    bearer(&stage, &double, json!({ "sub": "x".repeat(255) })).get("/api/me").await.ok();
}

#[tokio::test]
async fn an_hour_is_the_longest_life_to_the_second() {
    let (stage, double) = stage().await;
    let now = stage.clock.now() / 1_000;
    bearer(&stage, &double, json!({ "exp": now + 3_600 })).get("/api/me").await.ok();
    bearer(&stage, &double, json!({ "exp": now + 3_601 })).get("/api/me").await.refused(401, "more than an hour");
    bearer(&stage, &double, json!({ "iat": now - 3_000, "exp": now + 601 })).get("/api/me").await.refused(401, "hour");
    for odd in [json!("x"), json!(true), json!([now]), json!({})] {
        for name in ["iat", "nbf", "exp"] {
            bearer(&stage, &double, json!({ name: odd })).get("/api/me").await.refused(401, "");
        }
    }
    // What says that it was made before all time does not outlive what is said now.
    for odd in [json!(-1e300), json!(i64::MIN), json!(1e300)] {
        bearer(&stage, &double, json!({ "iat": odd, "sub": "user_odd" })).get("/api/me").await.refused(401, "");
    }
}

#[tokio::test]
async fn a_page_to_come_back_to_is_one_of_ours_however_it_is_written() {
    let (stage, double) = stage().await;
    for next in
        ["/\t/evil.example", "/%5c/evil.example\\", "///evil.example", "/\u{a0}/evil.example", " //evil.example", "/ä"]
    {
        let query: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        let browser = departs(&stage, &format!("?next={query}")).await;
        let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
        assert_eq!(reply.header("location"), "/sign-in", "{next:?}");
    }
    // Twice: the first counts, wherever it is looked for.
    let browser = departs(&stage, "?next=/one&next=//evil.example").await;
    let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
    assert_eq!(reply.header("location"), "/sign-in?next=%2Fone");
}

#[tokio::test]
async fn a_browser_that_is_sent_there_again_and_again_keeps_the_last_few_on_the_way() {
    let (stage, double) = stage().await;
    let (mut jar, mut last) = (Vec::<(String, String)>::new(), None);
    for _ in 0..40 {
        let cookies: Vec<String> = jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let next = format!("/api/auth/oidc/start?next=/{}", "a".repeat(1_900));
        let reply = stage.anonymous().header("cookie", &cookies.join("; ")).get(&next).await;
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
    let reply = returns(&stage, &browser, &double.agrees("user_grace", &browser.location)).await;
    assert!(reply.header("location").starts_with("/sign-in?next=%2Faaa"), "{}", reply.header("location"));
}

#[tokio::test]
async fn what_somebody_follows_ends_with_the_token_that_no_longer_names_their_organization() {
    let (stage, double) = stage().await;
    double.state().people.insert("user_grace".into(), json!({ "organization": { "there": { "id": "o1" } } }));
    let grace = signs_in(&stage, &double, "user_grace").await;
    let plan = grace.post("/api/workspaces", json!({ "id": "plan", "name": "Plan" })).await.created();
    let id = plan["workspace"]["id"].as_str().unwrap().to_owned();
    let minted = grace.post("/api/me/tokens", json!({ "name": "script" })).await.created();
    let script = stage.with(minted["token"].as_str().unwrap());
    let token = bearer(&stage, &double, json!({ "org_id": "o1" }));
    let (assistant, program) = {
        let program = crate::oauth::Program::new(&stage).await;
        let code = program.let_in_by(&grace, false).await;
        let tokens = program.exchanges(&code, &[]).await.ok();
        (stage.with(tokens["access_token"].as_str().unwrap()), program)
    };
    let mcp = async || {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
        let actor = assistant.header("accept", "application/json, text/event-stream").header("host", "planroom.test");
        actor.send_raw(Method::POST, "/mcp", Some("application/json"), ping).await.status.as_u16()
    };
    assert_eq!(mcp().await, 200);
    let mut followers = Vec::new();
    for actor in [&grace, &script, &token] {
        followers.push(actor.follow(&id, "").await);
    }
    let gone = json!({ "organization": [], "iat": stage.clock.now() / 1_000 + 1 });
    bearer(&stage, &double, gone).get("/api/me").await.ok();
    for follower in &mut followers {
        follower.ended().await;
    }
    for actor in [&grace, &script, &token] {
        actor.get("/api/workspaces").await.refused(401, "");
    }
    assert_eq!(mcp().await, 401);
    drop(program);
}

#[tokio::test]
async fn a_stream_ends_with_the_token_of_the_provider_that_it_was_opened_with() {
    let (stage, double) = stage().await;
    let token = bearer(&stage, &double, json!({ "org_id": "o1" }));
    token.post("/api/workspaces", json!({ "id": "plan", "name": "Plan" })).await.created();
    let mut follower = token.follow("plan", "").await;
    stage.clock.advance(MINUTE);
    // Whatever happens next is not told any more.
    bearer(&stage, &double, json!({ "org_id": "o1" })).patch("/api/workspaces/plan", json!({ "name": "P" })).await.ok();
    follower.ended().await;
}

#[tokio::test]
async fn where_the_provider_is_the_only_way_in_no_password_is_one() {
    let (stage, double) = stage_with(|config| config.identity.oidc.sso_only = true).await;
    let ada = stage.sign_in("ada").await;
    let password = "chosen by an administrator";
    let new = json!({ "login": "bob", "displayName": "Bob", "password": password });
    ada.post("/api/admin/users", new).await.created();
    stage.clock.advance(planroom::clock::HOUR);
    double.state().now = stage.clock.now() / 1_000;
    let anonymous = stage.anonymous();
    // What an administrator hands out is a password too.
    let login = json!({ "login": "bob", "password": password });
    anonymous.post("/api/auth/login", login).await.refused(403, "sign in with the identity provider");
    let grace = signs_in(&stage, &double, "user_grace").await;
    let change = json!({ "current": "x", "next": "correct horse battery staple" });
    grace.post("/api/me/password", change).await.refused(403, "");
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE password_hash IS NOT NULL"), 2, "ada's and bob's");
}
