//! Personal access tokens.

use planroom::clock::MINUTE;
use serde_json::json;

use crate::support::Stage;

#[tokio::test]
async fn a_token_is_shown_once_and_then_only_by_its_beginning() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let minted = ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    let token = minted["token"].as_str().unwrap();
    assert!(token.starts_with("svc_pat_") && token.starts_with(minted["prefix"].as_str().unwrap()));
    assert!(minted["hint"].as_str().unwrap().contains("acme"));
    let list = ada.get("/api/me/tokens").await;
    assert_eq!(list.ok()["tokens"][0]["prefix"], minted["prefix"]);
    assert!(!String::from_utf8_lossy(&list.bytes).contains(token));
    let file = std::fs::read(stage.dir.path().join("planroom.db")).unwrap();
    let log = std::fs::read(stage.dir.path().join("planroom.db-wal")).unwrap();
    for bytes in [file, log] {
        assert!(!bytes.windows(token.len()).any(|w| w == token.as_bytes()), "the plaintext is on disk");
    }
}

#[tokio::test]
async fn a_script_works_as_its_user_and_its_use_is_noted_to_the_minute() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    let used = || async {
        let used = script.get("/api/me/tokens").await.ok()["tokens"][0]["lastUsedAt"].as_i64();
        stage.settle().await;
        used
    };
    assert_eq!(used().await, None, "noted after the request that it came with");
    let first = used().await.unwrap();
    stage.clock.advance(MINUTE / 2);
    assert_eq!(used().await, Some(first));
    stage.clock.advance(MINUTE);
    used().await;
    assert!(used().await.unwrap() >= first + MINUTE);
    assert_eq!(script.get("/api/me").await.ok()["session"]["isApiToken"], true);
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once_and_keeps_its_record() {
    let stage = Stage::new().await;
    let (ada, script) = (stage.sign_in("ada").await, stage.script_of("ada").await);
    script.get("/api/me").await.ok();
    ada.delete("/api/me/tokens/1").await.ok();
    script.get("/api/me").await.refused(401, "revoked");
    let token = &ada.get("/api/me/tokens").await.ok()["tokens"][0];
    let revoked = token["revokedAt"].as_i64().unwrap();
    stage.clock.advance(MINUTE);
    ada.delete("/api/me/tokens/1").await.ok();
    assert_eq!(ada.get("/api/me/tokens").await.ok()["tokens"][0]["revokedAt"], revoked);
}

#[tokio::test]
async fn nobody_revokes_or_sees_anothers_token() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    stage.script_of("ada").await;
    let bob = stage.sign_in("bob").await;
    bob.delete("/api/me/tokens/1").await.refused(404, "token");
    assert_eq!(bob.get("/api/me/tokens").await.ok()["tokens"], json!([]));
    bob.delete("/api/me/tokens/none").await.refused(400, "path");
}

#[tokio::test]
async fn only_a_person_in_an_organization_mints() {
    let stage = Stage::new().await;
    stage.seed_user("nomad");
    let script = stage.script_of("ada").await;
    script.post("/api/me/tokens", json!({ "name": "more" })).await.refused(403, "session");
    let nomad = stage.sign_in("nomad").await;
    let reply = nomad.post("/api/me/tokens", json!({ "name": "x" })).await.refused(400, "organization");
    assert_eq!(reply["code"], "no_active_org");
}

#[tokio::test]
async fn a_legacy_token_reaches_what_belongs_to_no_organization() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    stage.sql(|conn| conn.execute("UPDATE api_token SET organization_id = NULL", []).unwrap());
    assert_eq!(script.get("/api/me").await.ok()["session"]["orgId"], json!(null));
    script.get("/api/schema").await.ok();
    let reply = script.get("/api/workspaces").await.refused(400, "organization");
    assert_eq!(reply["code"], "no_active_org", "no bypass, though ada administers the instance");
    assert_eq!(script.get("/api/me/tokens").await.ok()["tokens"][0]["orgId"], json!(null));
}

#[tokio::test]
async fn a_token_stays_in_the_organization_it_was_minted_in() {
    let stage = Stage::new().await;
    stage.seed_org("other", "olga");
    let script = stage.script_of("ada").await;
    let id = script.get("/api/me").await.ok()["id"].as_i64().unwrap();
    stage.join(id, "other", "org:admin");
    stage.sign_in("olga").await.post("/api/workspaces", json!({ "id": "theirs", "name": "Theirs" })).await.created();
    script.get("/api/workspaces/theirs").await.refused(404, "workspace");
}
