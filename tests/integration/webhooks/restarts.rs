//! A restart loses nothing, and a restored backup sends nothing again.

use axum::http::Method;
use serde_json::json;

use super::{Hook, deliver, fail, seed};
use crate::support::{
    TestServer, planroom,
    webhook_sink::{SinkBehavior, WebhookSink},
};

#[tokio::test]
async fn what_happened_before_a_restart_is_sent_after_it() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    Hook::create(&ada, &sink, json!({})).await;
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    sink.take();
    // Not even queued.
    ada.create_components("w", &["d"]).await;
    // Queued.
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Hello" });
    ada.post("/api/workspaces/w/threads", thread).await.created();
    drop(ada);
    let server = TestServer::on(server.stop(), |config| sink.configure(config));
    assert_eq!(deliver(&server).await, 2);
    let mut types: Vec<_> = sink.take().iter().map(|message| message.json()["type"].clone()).collect();
    types.sort_by_key(ToString::to_string);
    assert_eq!(types, ["comment.created", "workspace.changed"]);
    assert_eq!(deliver(&server).await, 0);
}

#[tokio::test]
async fn a_restored_backup_sends_nothing_that_waited_in_it() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    fail(&server, &sink, &ada, 500).await;
    ada.create_components("w", &["d"]).await;
    sink.take();
    server.sql(|conn| {
        conn.execute("UPDATE webhook_position SET incarnation = 'another', change_id = 999999", []).unwrap()
    });
    sink.respond_with(SinkBehavior::Status(204));
    server.clock.advance(planroom::clock::HOUR);
    assert_eq!(deliver(&server).await, 0);
    let ended = hook.newest(&ada).await;
    assert_eq!((&ended["state"], &ended["error"]), (&json!("failed"), &json!("a backup of the database was restored")));
    ada.create_components("w", &["e"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().data()["changes"][0]["entityId"], "e");
}

#[tokio::test]
async fn webhooks_whose_keys_were_lost_are_disabled() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    drop(ada);
    let dir = server.stop();
    std::fs::remove_dir_all(dir.path().join("keys")).unwrap();
    let text = planroom(&["keys", "reset", "--yes"], dir.path());
    assert!(text.contains("1 webhook"), "{text}");
    let server = TestServer::on(dir, |config| sink.configure(config));
    // The database is another one for clients, like a restored backup.
    assert_eq!(deliver(&server).await, 0);
    let ada = server.sign_in("ada").await;
    let webhook = hook.read(&ada).await;
    assert_eq!((&webhook["enabled"], &webhook["disabledReason"]), (&json!(false), &json!("keys")));
    ada.patch(&hook.path, json!({ "enabled": true })).await.expect_error(409, "create another webhook");
    ada.send(Method::POST, &format!("{}/test", hook.path), None).await.expect_error(409, "create another webhook");
    // A new secret and a new URL make it usable again.
    ada.send(Method::POST, &format!("{}/secret", hook.path), None).await.ok();
    ada.patch(&hook.path, json!({ "url": sink.at("hook"), "enabled": true })).await.ok();
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    assert_eq!(sink.take().len(), 1);
}
