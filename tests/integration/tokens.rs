//! Personal access tokens.

use planroom::clock::MINUTE;
use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn a_token_is_shown_once_and_then_only_by_its_prefix() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let minted = ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    let token = minted["token"].as_str().unwrap();
    assert!(token.starts_with("svc_pat_") && token.starts_with(minted["prefix"].as_str().unwrap()));
    assert!(minted["hint"].as_str().unwrap().contains("acme"));
    let list = ada.get("/api/me/tokens").await;
    assert_eq!(list.ok()["tokens"][0]["prefix"], minted["prefix"]);
    assert!(!String::from_utf8_lossy(&list.bytes).contains(token));
    let file = std::fs::read(server.dir.path().join("planroom.db")).unwrap();
    let log = std::fs::read(server.dir.path().join("planroom.db-wal")).unwrap();
    for bytes in [file, log] {
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the plaintext is on disk");
    }
}

#[tokio::test]
async fn a_script_acts_as_its_user_and_its_last_use_is_recorded_by_minute() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    let used = || async {
        let used = script.get("/api/me/tokens").await.ok()["tokens"][0]["lastUsedAt"].as_i64();
        server.flush_writes().await;
        used
    };
    assert_eq!(used().await, None, "noted after the request that it came with");
    let first = used().await.unwrap();
    server.clock.advance(MINUTE / 2);
    assert_eq!(used().await, Some(first));
    server.clock.advance(MINUTE);
    used().await;
    assert!(used().await.unwrap() >= first + MINUTE);
    assert_eq!(script.get("/api/me").await.ok()["session"]["isApiToken"], true);
}

#[tokio::test]
async fn a_revoked_token_is_rejected_immediately_and_stays_listed() {
    let server = TestServer::new().await;
    let (ada, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    script.get("/api/me").await.ok();
    ada.delete("/api/me/tokens/1").await.ok();
    script.get("/api/me").await.expect_error(401, "revoked");
    let token = &ada.get("/api/me/tokens").await.ok()["tokens"][0];
    let revoked = token["revokedAt"].as_i64().unwrap();
    server.clock.advance(MINUTE);
    ada.delete("/api/me/tokens/1").await.ok();
    assert_eq!(ada.get("/api/me/tokens").await.ok()["tokens"][0]["revokedAt"], revoked);
}

#[tokio::test]
async fn nobody_can_list_or_revoke_tokens_of_others() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    server.script_client("ada").await;
    let bob = server.sign_in("bob").await;
    bob.delete("/api/me/tokens/1").await.expect_error(404, "token");
    assert_eq!(bob.get("/api/me/tokens").await.ok()["tokens"], json!([]));
    bob.delete("/api/me/tokens/none").await.expect_error(400, "path");
}

#[tokio::test]
async fn only_a_session_with_an_organization_can_create_tokens() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    let script = server.script_client("ada").await;
    script.post("/api/me/tokens", json!({ "name": "more" })).await.expect_error(403, "session");
    let nomad = server.sign_in("nomad").await;
    let reply = nomad.post("/api/me/tokens", json!({ "name": "x" })).await.expect_error(400, "organization");
    assert_eq!(reply["code"], "no_active_org");
}

#[tokio::test]
async fn a_legacy_token_reads_rows_without_organization() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    server.sql(|conn| conn.execute("UPDATE api_token SET organization_id = NULL", []).unwrap());
    assert_eq!(script.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    script.get("/api/schema").await.ok();
    let reply = script.get("/api/workspaces").await.expect_error(400, "organization");
    assert_eq!(reply["code"], "no_active_org", "no bypass, though ada administers the instance");
    assert_eq!(script.get("/api/me/tokens").await.ok()["tokens"][0]["orgId"], json!(null));
}

#[tokio::test]
async fn a_token_is_bound_to_the_organization_it_was_created_in() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let script = server.script_client("ada").await;
    let id = script.get("/api/me").await.ok()["id"].as_i64().unwrap();
    server.join(id, "other", "org:admin");
    server.sign_in("olga").await.post("/api/workspaces", json!({ "id": "theirs", "name": "Theirs" })).await.created();
    script.get("/api/workspaces/theirs").await.expect_error(404, "workspace");
}
