//! Limits of webhooks, of their queues, and of the log.

use axum::http::Method;
use planroom::{
    clock::{DAY, HOUR},
    domain::webhooks::{MAX_LOGGED, MAX_WAITING, MAX_WAITING_UNMERGED, MAX_WEBHOOKS},
};
use serde_json::json;

use super::{Hook, deliver, path, seed};
use crate::support::{
    TestServer,
    waiting::eventually_in_tasks,
    webhook_sink::{SinkBehavior, WebhookSink},
};

#[tokio::test]
async fn an_organization_has_a_limited_number_of_webhooks() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.seed_webhooks(MAX_WEBHOOKS);
    let body = json!({ "name": "N", "url": "https://93.184.215.14/", "events": ["member.left"] });
    let refused = ada.post(&path(&ada).await, body).await;
    assert_eq!(refused.expect_error(409, "can have 20 webhooks")["limit"], MAX_WEBHOOKS);
}

#[tokio::test]
async fn changes_that_wait_are_merged_when_there_are_many() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    ada.create_workspace("other").await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    sink.respond_with(SinkBehavior::Status(500));
    for n in 0..=MAX_WAITING {
        ada.patch("/api/workspaces/w/components/a", json!({ "name": format!("Name {n}") })).await.ok();
    }
    ada.create_components("other", &["x"]).await;
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Hello" });
    ada.post("/api/workspaces/w/threads", thread).await.created();
    deliver(&server).await;
    sink.take();
    sink.respond_with(SinkBehavior::Status(204));
    server.clock.advance(HOUR);
    deliver(&server).await;
    let messages = sink.take();
    assert_eq!(messages.len(), 3, "one for each workspace, and the comment");
    let merged = messages.iter().find(|message| message.data()["changeCount"] == MAX_WAITING + 1).unwrap();
    assert_eq!(merged.data()["workspace"]["id"], "w");
    assert_eq!(merged.data()["changes"][0]["row"]["name"], format!("Name {MAX_WAITING}"));
    assert_eq!(hook.read(&ada).await["pending"], 0);
}

#[tokio::test]
async fn the_oldest_of_too_many_events_that_cannot_be_merged_fail() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    let more = 7;
    server.sql(|conn| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                   INSERT INTO webhook_delivery (webhook_id, message_id, event, subject, created_at, state, due_at)
                   SELECT w.id, 'msg', 'member.left', '7', i, 'pending', 9000000000000 FROM n, webhook w";
        conn.execute(sql, [MAX_WAITING_UNMERGED + more]).unwrap();
    });
    deliver(&server).await;
    assert_eq!(hook.read(&ada).await["pending"], MAX_WAITING_UNMERGED);
    let sql = "SELECT max(id) FROM webhook_delivery WHERE state = 'failed' AND error = 'too many deliveries waited'";
    assert_eq!(server.count(sql), more, "the oldest ones");
}

#[tokio::test]
async fn the_log_keeps_the_newest_deliveries_of_a_month() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    server.sql(|conn| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                   INSERT INTO webhook_delivery (webhook_id, message_id, event, created_at, state, due_at)
                   SELECT w.id, 'msg', 'member.left', ?2, 'delivered', 1 FROM n, webhook w";
        conn.execute(sql, [MAX_LOGGED, server.clock.now()]).unwrap();
    });
    ada.send(Method::POST, &format!("{}/test", hook.path), None).await.created();
    deliver(&server).await;
    let deliveries = hook.deliveries(&ada).await;
    assert_eq!(i64::try_from(deliveries.len()).unwrap(), MAX_LOGGED);
    assert_eq!(deliveries[0]["event"], "ping");
    server.clock.advance(30 * DAY + 1);
    assert_eq!(i64::try_from(server.clean_up().await.deliveries).unwrap(), MAX_LOGGED);
    assert_eq!(server.count("SELECT count(*) FROM webhook_delivery"), 0);
}

#[tokio::test]
async fn an_organization_sends_few_requests_at_a_time() {
    let sink = WebhookSink::start().await;
    let server = TestServer::empty(|config| {
        sink.configure(config);
        config.outbound.webhook_timeout_seconds = 60;
    });
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    for _ in 0..5 {
        Hook::create(&ada, &sink, json!({})).await;
    }
    sink.respond_with(SinkBehavior::Silence);
    ada.create_components("w", &["c"]).await;
    let webhooks = server.app.webhooks().clone();
    let job = tokio::spawn(async move { webhooks.run().await });
    let mut open = 0;
    eventually_in_tasks(|| {
        open += sink.take().len();
        if open >= 2 { Ok(()) } else { Err(open) }
    })
    .await;
    // The three others are due, and wait.
    assert_eq!(server.app.webhooks().send_due().await.unwrap(), 0);
    assert_eq!((open, sink.take().len()), (2, 0));
    job.abort();
}
