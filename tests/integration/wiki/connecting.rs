//! Connecting an organization by agreement, and disconnecting it.

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use super::{connected, registered};
use crate::support::{
    Stage,
    wiki::{CODE, WikiDouble},
};

#[tokio::test]
async fn an_administrator_agrees_at_the_provider_and_the_organization_is_connected() {
    let (stage, double) = registered().await;
    let ada = stage.sign_in("ada").await;
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["oauthReady"]), (&json!(false), &json!(true)));
    assert_eq!(status["redirectUri"], "http://planroom.test/api/auth/wiki/callback");
    let nonce = ada.start().await;
    assert_eq!(double.heard(), [""; 0], "nobody was asked yet");
    double.agree();
    let nobody = stage.anonymous();
    assert_eq!(nobody.come_back(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=connected");
    let heard = double.heard_whole();
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
        ("connectedAt", json!(stage.clock.now())),
        ("brokenSince", Value::Null),
    ] {
        assert_eq!(status[field], value, "{field}");
    }
    let test = ada.post("/api/admin/wiki/test", json!({})).await.ok();
    assert_eq!(
        (&test["ok"], &test["name"], &test["owner"]),
        (&json!(true), &json!("Planroom"), &json!("Ada Lovelace"))
    );
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'wiki.connect' AND actor_id IS NOT NULL"), 1);
}

#[tokio::test]
async fn the_address_to_agree_at_is_the_providers_and_has_no_secret() {
    let (stage, double) = registered().await;
    let url = stage.sign_in("ada").await.post("/api/auth/wiki/start", json!({})).await.ok()["url"].clone();
    let url = url::Url::parse(url.as_str().unwrap()).unwrap();
    assert!(url.as_str().starts_with(&format!("{}/v1/oauth/authorize?", double.url())));
    let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["client_id", "redirect_uri", "response_type", "owner", "state"]);
    assert!(!url.as_str().contains("secret"));
}

#[tokio::test]
async fn whatever_goes_wrong_on_the_way_back_is_a_word_in_the_address() {
    let (stage, double) = registered().await;
    let ada = stage.sign_in("ada").await;
    let nobody = stage.anonymous();
    let word = async |query: &str, nonce: &str| nobody.come_back(nonce, query).await;
    // Nothing at all, a state of nobody's, a state twice.
    assert_eq!(nobody.get("/api/auth/wiki/callback").await.header("location"), "/?wiki=bad_state");
    assert_eq!(word("code=agreed&state=x", "x").await, "/?wiki=bad_state");
    assert_eq!(word("code=%FF&state=%00&state=b", "x").await, "/?wiki=bad_state");
    // Cancelled; the state is used up with it.
    let nonce = ada.start().await;
    assert_eq!(word(&format!("error=access_denied&state={nonce}"), &nonce).await, "/?wiki=access_denied");
    double.agree();
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=bad_state");
    // What is said in the address is not believed to be a word.
    assert_eq!(word("error=%2F%2Fevil.example%2F%3Fa%3Db%26c%0D%0A", "").await, "/?wiki=evilexampleabc");
    assert_eq!(word("error=%2F", "").await, "/?wiki=refused");
    let nonce = ada.start().await;
    assert_eq!(word(&format!("state={nonce}"), &nonce).await, "/?wiki=missing_code");
    let nonce = ada.start().await;
    assert_eq!(word(&format!("code=another&state={nonce}"), &nonce).await, "/?wiki=token_exchange_failed");
    // Another browser than the one that went.
    let nonce = ada.start().await;
    let stranger = nobody.get(&format!("/api/auth/wiki/callback?code={CODE}&state={nonce}")).await;
    assert_eq!(stranger.header("location"), "/?wiki=bad_state");
    // Too late.
    let nonce = ada.start().await;
    stage.clock.advance(10 * MINUTE);
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=bad_state");
    let ada = stage.sign_in("ada").await;
    let nonce = ada.start().await;
    ada.patch("/api/admin/settings", json!({ "wiki.client_secret": null })).await.ok();
    assert_eq!(word(&format!("code={CODE}&state={nonce}"), &nonce).await, "/?wiki=misconfigured");
    assert_eq!(
        ada.post("/api/auth/wiki/start", json!({})).await.refused(503, "not configured")["code"],
        "wiki_misconfigured"
    );
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn a_restart_on_the_way_does_not_matter() {
    let (stage, double) = registered().await;
    let nonce = stage.sign_in("ada").await.start().await;
    double.agree();
    let url = double.url();
    let stage = Stage::on(stage.stop(), |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (url, true);
    });
    let nobody = stage.anonymous();
    assert_eq!(nobody.come_back(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=connected");
    assert_eq!(nobody.come_back(&nonce, &format!("code={CODE}&state={nonce}")).await, "/?wiki=bad_state");
    assert_eq!(stage.count("SELECT count(*) FROM wiki_pending"), 0);
}

#[tokio::test]
async fn of_those_who_go_and_do_not_come_back_only_the_last_are_remembered_and_not_for_long() {
    let (stage, _) = registered().await;
    let ada = stage.sign_in("ada").await;
    let (first, mut nonces) = (ada.start().await, Vec::new());
    for _ in 0..20 {
        stage.clock.advance(1);
        nonces.push(ada.start().await);
    }
    let pending = "SELECT count(*) FROM wiki_pending";
    assert_eq!(stage.count(pending), 20);
    let back = stage.anonymous().come_back(&first, &format!("code={CODE}&state={first}")).await;
    assert_eq!(back, "/?wiki=bad_state");
    let back = stage.anonymous().come_back(&nonces[0], &format!("state={}", nonces[0])).await;
    assert_eq!(back, "/?wiki=missing_code", "it is known");
    stage.clock.advance(10 * MINUTE);
    stage.sweep().await;
    assert_eq!(stage.count(pending), 0);
}

#[tokio::test]
async fn who_stops_being_an_admin_on_the_way_connects_nothing() {
    let (stage, double) = registered().await;
    let bob = stage.seed_member("bob", "acme", "org:admin");
    let nonce = stage.sign_in("bob").await.start().await;
    stage.sql(|conn| {
        conn.execute("UPDATE organization_member SET role = 'org:member' WHERE user_id = ?", [bob]).unwrap()
    });
    double.agree();
    let back = stage.anonymous().come_back(&nonce, &format!("code={CODE}&state={nonce}")).await;
    assert_eq!(back, "/?wiki=not_admin");
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn a_wrong_secret_connects_nothing() {
    let (stage, double) = registered().await;
    let ada = stage.sign_in("ada").await;
    ada.patch("/api/admin/settings", json!({ "wiki.client_secret": "another" })).await.ok();
    assert_eq!(ada.connect(&double).await, "/?wiki=token_exchange_failed");
    assert_eq!(double.heard(), ["POST /v1/oauth/token 401"]);
    assert_eq!(ada.status().await["configured"], false);
}

#[tokio::test]
async fn behind_a_path_the_browser_comes_back_to_that_path() {
    let double = WikiDouble::start().await;
    let stage = Stage::at("https://example.org/plans", tempfile::tempdir().unwrap(), |config| {
        config.outbound.wiki_url = double.url();
        config.outbound.allow_private = true;
    });
    let back = stage.anonymous().get("/api/auth/wiki/callback?error=access_denied").await;
    assert_eq!(back.header("location"), "/plans/?wiki=access_denied");
    assert_eq!(stage.app.wiki().redirect_uri(), "https://example.org/plans/api/auth/wiki/callback");
}

#[tokio::test]
async fn disconnecting_deletes_what_was_known_and_tells_the_provider() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    let kept = "SELECT count(*) FROM wiki_connection";
    assert_eq!(stage.count(kept), 1);
    assert_eq!(ada.post("/api/admin/wiki/disconnect", json!({})).await.ok(), json!({ "ok": true }));
    let heard = double.heard_whole();
    assert_eq!((heard.len(), heard[0].what.as_str()), (1, "POST /v1/oauth/revoke"));
    assert_eq!(heard[0].body, json!({ "token": "ntn_access_1" }));
    assert_eq!(stage.count(kept), 0);
    let status = ada.status().await;
    assert_eq!((&status["configured"], &status["workspaceName"]), (&json!(false), &Value::Null));
    // Twice is once.
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(double.heard(), [""; 0]);
    assert_eq!(stage.count("SELECT count(*) FROM audit WHERE kind = 'wiki.disconnect'"), 1);
    let refused = ada.post("/api/admin/wiki/test", json!({})).await.refused(503, "not configured");
    assert_eq!(refused["code"], "wiki_misconfigured");
}

#[tokio::test]
async fn neither_tokens_nor_secrets_are_in_the_database_or_in_answers() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    for path in ["/api/admin/wiki/status", "/api/admin/audit", "/api/admin/settings"] {
        let answer = ada.get(path).await.ok().to_string();
        assert!(!answer.contains("ntn_") && !answer.contains("nrt_") && !answer.contains("secret-of"), "{path}");
    }
    double.heard();
    let dir = stage.stop();
    for file in std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
        let bytes = std::fs::read(&file).unwrap();
        for secret in ["ntn_access_1", "nrt_refresh_1", "secret-of-planroom"] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} in {}", file.display());
        }
    }
}
