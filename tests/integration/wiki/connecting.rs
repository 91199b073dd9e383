//! Connecting an organization by OAuth, and disconnecting it.

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{connected, registered};
use crate::support::{
    TestServer,
    wiki::{CODE, FakeWiki},
};

#[tokio::test]
async fn an_administrator_authorizes_at_the_provider_and_the_organization_is_connected() {
    let (server, wiki) = registered().await;
    let ada = server.sign_in("ada").await;
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["oauthReady"]), (&json!(false), &json!(true)));
    assert_eq!(status["redirectUri"], "http://planroom.test/api/auth/wiki/callback");
    let nonce = ada.start().await;
    assert_eq!(wiki.take_requests(), [""; 0], "nobody was asked yet");
    wiki.authorize();
    let nobody = server.anonymous();
    assert_eq!(nobody.follow_callback(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=connected");
    let heard = wiki.take_full_requests();
    assert_eq!((heard.len(), heard[0].what.as_str()), (1, "POST /v1/oauth/token"));
    let asked = json!({ "grant_type": "authorization_code", "code": CODE,
                        "redirect_uri": "http://planroom.test/api/auth/wiki/callback" });
    assert_eq!(heard[0].body, asked);
    let status = ada.status().await;
    for (field, value) in [
        ("configured", json!(true)),
        ("kind", json!("oauth")),
        ("workspaceName", json!("Acme's wiki")),
        ("workspaceIcon", json!("🏭")),
        ("ownerName", json!("Ada Lovelace")),
        ("connectedAt", json!(server.clock.now())),
        ("brokenSince", Value::Null),
    ] {
        assert_eq!(status[field], value, "{field}");
    }
    let test = ada.post("/api/admin/wiki/test", json!({})).await.ok();
    assert_eq!(
        (&test["ok"], &test["name"], &test["owner"]),
        (&json!(true), &json!("Planroom"), &json!("Ada Lovelace"))
    );
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'wiki.connect' AND actor_id IS NOT NULL"), 1);
}

#[tokio::test]
async fn the_authorization_url_belongs_to_the_provider_and_contains_no_secret() {
    let (server, wiki) = registered().await;
    let url = server.sign_in("ada").await.post("/api/auth/wiki/start", json!({})).await.ok()["url"].clone();
    let url = url::Url::parse(url.as_str().unwrap()).unwrap();
    assert!(url.as_str().starts_with(&format!("{}/v1/oauth/authorize?", wiki.url())));
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["client_id", "redirect_uri", "response_type", "owner", "state"]);
    assert!(!url.as_str().contains("secret"));
}

#[tokio::test]
async fn an_error_during_the_connection_is_a_code_in_the_url() {
    let (server, wiki) = registered().await;
    let ada = server.sign_in("ada").await;
    let nobody = server.anonymous();
    let word = async |query: &str, nonce: &str| nobody.follow_callback(nonce, query).await;
    // No parameters, an unknown state, a state used twice.
    assert_eq!(nobody.get("/api/auth/wiki/callback").await.header("location"), "/?wiki=bad_state");
    assert_eq!(word("code=agreed&state=x", "x").await, "/?wiki=bad_state");
    assert_eq!(word("code=%FF&state=%00&state=b", "x").await, "/?wiki=bad_state");
    // Cancelled; this consumes the state.
    let nonce = ada.start().await;
    assert_eq!(word(&format!("error=access_denied&state={nonce}"), &nonce).await, "/?wiki=access_denied");
    wiki.authorize();
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=bad_state");
    // The error in the URL is not copied.
    assert_eq!(word("error=%2F%2Fevil.example%2F%3Fa%3Db%26c%0D%0A", "").await, "/?wiki=evilexampleabc");
    assert_eq!(word("error=%2F", "").await, "/?wiki=refused");
    let nonce = ada.start().await;
    assert_eq!(word(&format!("state={nonce}"), &nonce).await, "/?wiki=missing_code");
    let nonce = ada.start().await;
    assert_eq!(word(&format!("code=another&state={nonce}"), &nonce).await, "/?wiki=token_exchange_failed");
    // Another browser than the one that started.
    let nonce = ada.start().await;
    let stranger = nobody.get(&format!("/api/auth/wiki/callback?code={CODE}&state={nonce}")).await;
    assert_eq!(stranger.header("location"), "/?wiki=bad_state");
    // Too late.
    let nonce = ada.start().await;
    server.clock.advance(10 * MINUTE);
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=bad_state");
    let ada = server.sign_in("ada").await;
    let nonce = ada.start().await;
    ada.patch("/api/admin/settings", json!({ "wiki.client_secret": null })).await.ok();
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=misconfigured");
    assert_eq!(
        ada.post("/api/auth/wiki/start", json!({})).await.expect_error(503, "not configured")["code"],
        "wiki_misconfigured"
    );
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn a_restart_during_the_connection_has_no_effect() {
    let (server, wiki) = registered().await;
    let nonce = server.sign_in("ada").await.start().await;
    wiki.authorize();
    let url = wiki.url();
    let server = TestServer::on(server.stop(), |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (url, true);
    });
    let nobody = server.anonymous();
    assert_eq!(nobody.follow_callback(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=connected");
    assert_eq!(nobody.follow_callback(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=bad_state");
    assert_eq!(server.count("SELECT count(*) FROM wiki_pending"), 0);
}

#[tokio::test]
async fn unfinished_connections_are_limited_in_number_and_time() {
    let (server, _) = registered().await;
    let ada = server.sign_in("ada").await;
    let (first, mut nonces) = (ada.start().await, Vec::new());
    for _ in 0..20 {
        server.clock.advance(1);
        nonces.push(ada.start().await);
    }
    let pending = "SELECT count(*) FROM wiki_pending";
    assert_eq!(server.count(pending), 20);
    let back = server.anonymous().follow_callback(&first, &format!("code={CODE}&state={first}")).await;
    assert_eq!(back, "/?wiki=bad_state");
    let back = server.anonymous().follow_callback(&nonces[0], &format!("state={}", nonces[0])).await;
    assert_eq!(back, "/?wiki=missing_code", "it is known");
    server.clock.advance(10 * MINUTE);
    server.clean_up().await;
    assert_eq!(server.count(pending), 0);
}

#[tokio::test]
async fn losing_the_admin_role_during_the_connection_connects_nothing() {
    let (server, wiki) = registered().await;
    let bob = server.seed_member("bob", "acme", "org:admin");
    let nonce = server.sign_in("bob").await.start().await;
    server.sql(|conn| {
        conn.execute("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", [bob]).unwrap()
    });
    wiki.authorize();
    let back = server.anonymous().follow_callback(&nonce, &format!("code={CODE}&state={nonce}")).await;
    assert_eq!(back, "/?wiki=not_admin");
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn a_wrong_secret_connects_nothing() {
    let (server, wiki) = registered().await;
    let ada = server.sign_in("ada").await;
    ada.patch("/api/admin/settings", json!({ "wiki.client_secret": "another" })).await.ok();
    assert_eq!(ada.connect(&wiki).await, "/?wiki=token_exchange_failed");
    assert_eq!(wiki.take_requests(), ["POST /v1/oauth/token 401"]);
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn behind_a_path_prefix_the_browser_returns_to_that_prefix() {
    let wiki = FakeWiki::start().await;
    let server = TestServer::at("https://example.org/plans", tempfile::tempdir().unwrap(), |config| {
        config.outbound.wiki_url = wiki.url();
        config.outbound.allow_private = true;
    });
    let back = server.anonymous().get("/api/auth/wiki/callback?error=access_denied").await;
    assert_eq!(back.header("location"), "/plans/?wiki=access_denied");
    assert_eq!(server.app.wiki().redirect_uri(), "https://example.org/plans/api/auth/wiki/callback");
}

#[tokio::test]
async fn disconnecting_deletes_the_data_and_notifies_the_provider() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    let kept = "SELECT count(*) FROM wiki_connection";
    assert_eq!(server.count(kept), 1);
    assert_eq!(ada.post("/api/admin/wiki/disconnect", json!({})).await.ok(), json!({ "ok": true }));
    let heard = wiki.take_full_requests();
    assert_eq!((heard.len(), heard[0].what.as_str()), (1, "POST /v1/oauth/revoke"));
    assert_eq!(heard[0].body, json!({ "token": "ntn_access_1" }));
    assert_eq!(server.count(kept), 0);
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["workspaceName"]), (&json!(false), &Value::Null));
    // Disconnecting is idempotent.
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(wiki.take_requests(), [""; 0]);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'wiki.disconnect'"), 1);
    let refused = ada.post("/api/admin/wiki/test", json!({})).await.expect_error(503, "not configured");
    assert_eq!(refused["code"], "wiki_misconfigured");
}

#[tokio::test]
async fn neither_tokens_nor_secrets_are_in_the_database_or_in_responses() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    for path in ["/api/admin/wiki/status", "/api/admin/audit", "/api/admin/settings"] {
        let answer = ada.get(path).await.ok().to_string();
        assert!(!answer.contains("ntn_") && !answer.contains("nrt_") && !answer.contains("secret-of"), "{path}");
    }
    wiki.take_requests();
    let dir = server.stop();
    for file in std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        let bytes = std::fs::read(&file).unwrap();
        for secret in ["ntn_access_1", "nrt_refresh_1", "secret-of-planroom"] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} in {}", file.display());
        }
    }
}
