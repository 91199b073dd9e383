//! Owners manage the links of a workspace.

use axum::http::Method;
use serde_json::json;

use super::{SHARES, create, path, visit};
use crate::support::TestServer;

const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn a_link_expires_after_ninety_days_unless_its_owner_says_otherwise() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let now = server.clock.now();
    let share = create(&ada, json!({})).await;
    assert_eq!(share["expiresAt"], now + 90 * DAY);
    assert_eq!(
        (&share["state"], &share["hasPassword"], &share["scope"]),
        (&json!("active"), &json!(false), &json!("map"))
    );
    assert_eq!(share["shows"], json!(["descriptions"]));
    assert_eq!(create(&ada, json!({ "expiresAt": now + DAY })).await["expiresAt"], now + DAY);
    let wrong = async |expires_at, text: &str| {
        ada.post(SHARES, json!({ "name": "Wiki", "expiresAt": expires_at })).await.expect_error(400, text);
    };
    wrong(json!(now), "expiresAt: must be in the future").await;
    wrong(json!(now + 366 * DAY), "expiresAt: must be at most 365 days in the future").await;
    wrong(json!(null), "expiresAt: must be set: share links expire after at most 365 days").await;
}

#[tokio::test]
async fn targets_must_exist_and_fit_the_scope() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (fields, text) in [
        (json!({ "scope": "view" }), "viewId: is required"),
        (json!({ "scope": "view", "viewId": "none" }), "viewId: does not exist in this workspace"),
        (json!({ "scope": "part" }), "componentIds: must have 1 to 500 items"),
        (json!({ "scope": "part", "componentIds": ["a", "none"] }), "componentIds[1]: does not exist"),
        (
            json!({ "scope": "part", "componentIds": ["a"], "direction": "both" }),
            "direction: must not be given without",
        ),
        (json!({ "scope": "part", "componentIds": ["a"], "depth": 11 }), "depth: must be 0 to 10"),
        (json!({ "componentIds": ["a"] }), "componentIds: must not be given with the scope `map`"),
        (json!({ "scope": "process", "processId": "none" }), "processId: does not exist"),
        (json!({ "embedOrigins": ["https://wiki.example.org"] }), "embedOrigins: must be empty: the rules"),
        (json!({ "embedOrigins": ["http://wiki.example.org"] }), "embedOrigins[0]: must be an https origin"),
    ] {
        let mut new = json!({ "name": "Wiki" });
        new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        ada.post(SHARES, new).await.expect_error(400, text);
    }
    assert_eq!(server.count("SELECT count(*) FROM share_link"), 0);
}

#[tokio::test]
async fn a_rotated_link_has_a_new_address_and_the_old_one_ends() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let id = share["id"].as_str().unwrap();
    let rotated = ada.send(Method::POST, &format!("{SHARES}/{id}/rotate"), None).await.ok()["share"].clone();
    assert_eq!(rotated["id"], share["id"]);
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    assert_eq!(visit(&server, &path(&rotated)).await.status, 200);
}

#[tokio::test]
async fn a_link_can_be_changed_without_a_new_address() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "expiresAt": server.clock.now() + 1_000 })).await;
    server.clock.advance(2_000);
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    assert_eq!(ada.get(SHARES).await.ok()["shares"][0]["state"], "expired");
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    let patch = json!({ "expiresAt": server.clock.now() + DAY, "name": "Readme", "theme": "dark", "shows": [] });
    let changed = ada.patch(&own, patch).await.ok()["share"].clone();
    assert_eq!(
        (&changed["state"], &changed["name"], &changed["url"]),
        (&json!("active"), &json!("Readme"), &share["url"])
    );
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
    ada.patch(&own, json!({ "scope": "view" })).await;
    assert_eq!(ada.get(SHARES).await.ok()["shares"][0]["scope"], "map", "what a link shows cannot change");
}

#[tokio::test]
async fn changes_of_links_are_in_the_audit_log_without_their_addresses() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "password": "correct horse battery" })).await;
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    ada.patch(&own, json!({ "name": "Readme" })).await.ok();
    ada.send(Method::POST, &format!("{own}/rotate"), None).await.ok();
    ada.send(Method::POST, &format!("{own}/adopt"), None).await.ok();
    ada.delete(&own).await.ok();
    let kinds: Vec<String> = server.sql(|conn| {
        let mut rows = conn.prepare("SELECT kind FROM audit WHERE kind LIKE 'share.%' ORDER BY id").unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    });
    assert_eq!(kinds, ["share.create", "share.update", "share.rotate", "share.adopt", "share.revoke"]);
    let code = path(&share).split_once('.').unwrap().1.to_owned();
    assert_eq!(server.count(&format!("SELECT count(*) FROM audit WHERE details LIKE '%{code}%'")), 0);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE details LIKE '%correct horse%'"), 0);
}

#[tokio::test]
async fn nothing_in_the_database_opens_a_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let code = path(&share).split_once('.').unwrap().1.to_owned();
    planroom::jobs::save_uses(&server.app.gate, server.app.shares()).await.unwrap();
    let dir = server.stop();
    for file in ["planroom.db", "planroom.db-wal"] {
        let bytes = std::fs::read(dir.path().join(file)).unwrap_or_default();
        assert!(!bytes.windows(code.len()).any(|window| window == code.as_bytes()), "{file}");
    }
}

#[tokio::test]
async fn copies_and_files_of_a_workspace_have_no_links_and_a_deleted_workspace_opens_none() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let file = ada.get("/api/workspaces/w/export").await.ok();
    assert!(!file.to_string().contains("share"), "{file}");
    ada.post("/api/workspaces/w/duplicate", json!({ "id": "copy", "name": "Copy" })).await.created();
    assert_eq!(ada.get("/api/workspaces/copy/shares").await.ok()["shares"], json!([]));
    let pk = server.count("SELECT pk FROM workspace WHERE id = 'w'");
    ada.delete("/api/workspaces/w").await.ok();
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
    ada.delete("/api/workspaces/w").await.ok();
    server.clock.advance(31 * DAY);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM share_link"), 0);
}

#[tokio::test]
async fn a_new_key_ends_all_addresses_and_owners_find_new_ones() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    planroom::operator::AdminOperation::RotateSharingKey.perform(&server.app).await.unwrap();
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    let renewed = ada.get(SHARES).await.ok()["shares"][0].clone();
    assert_eq!(visit(&server, &path(&renewed)).await.status, 200);
    let server = server.restart();
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    assert_eq!(visit(&server, &path(&renewed)).await.status, 200);
}
