//! Failures, retries, tests and redelivery.

use axum::http::Method;
use planroom::{
    clock::{DAY, HOUR, MINUTE, SECOND},
    domain::webhooks::RETRIES,
};
use serde_json::json;

use super::{Hook, deliver, fail, seed};
use crate::support::{
    TestServer,
    mail::MailHost,
    waiting::eventually_in_tasks,
    webhook_sink::{SinkBehavior, WebhookSink},
};

#[tokio::test]
async fn a_failed_delivery_is_retried_for_more_than_a_day_with_the_same_id() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    fail(&server, &sink, &ada, 500).await;
    let first = sink.take_one();
    for (n, pause) in RETRIES.into_iter().enumerate() {
        let delivery = hook.newest(&ada).await;
        assert_eq!((&delivery["state"], &delivery["tries"]), (&json!("pending"), &json!(n + 1)));
        assert_eq!(delivery["error"], "the server answered 500");
        assert_eq!(delivery["nextTryAt"], server.clock.now() + pause);
        server.clock.advance(pause - 1);
        assert_eq!(deliver(&server).await, 0, "not before the pause");
        server.clock.advance(1);
        assert_eq!(deliver(&server).await, 1);
        let retry = sink.take_one();
        assert_eq!(retry.header("webhook-id"), first.header("webhook-id"));
        assert_ne!(retry.header("webhook-timestamp"), first.header("webhook-timestamp"));
        assert!(retry.is_signed_with(&hook.secret));
    }
    let failed = hook.newest(&ada).await;
    assert_eq!((&failed["state"], &failed["tries"]), (&json!("failed"), &json!(8)));
    server.clock.advance(DAY);
    assert_eq!(deliver(&server).await, 0);
    let webhook = hook.read(&ada).await;
    assert_eq!((&webhook["enabled"], &webhook["lastError"]), (&json!(true), &json!("the server answered 500")));
    assert!(webhook["failingSince"].is_i64());
    let metrics = server.app.metrics(None).text().unwrap();
    assert!(metrics.contains("planroom_webhook_failures_total 8\n"), "{metrics}");
    assert!(metrics.contains("planroom_webhook_deliveries_pending 0\n"), "{metrics}");
}

#[tokio::test]
async fn a_retry_that_succeeds_ends_the_failure() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    fail(&server, &sink, &ada, 429).await;
    // Other deliveries wait too, so that a receiver that fails is not called for each of them.
    ada.create_components("w", &["d"]).await;
    assert_eq!(deliver(&server).await, 0);
    sink.respond_with(SinkBehavior::Status(200));
    server.clock.advance(5 * SECOND);
    assert_eq!(deliver(&server).await, 2);
    let webhook = hook.read(&ada).await;
    assert!(webhook.get("failingSince").is_none() && webhook.get("lastError").is_none(), "{webhook}");
    assert_eq!((&webhook["pending"], &webhook["deliveredAt"]), (&json!(0), &json!(server.clock.now())));
}

#[tokio::test]
async fn a_retry_comes_before_deliveries_that_were_not_tried() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    Hook::create(&ada, &sink, json!({})).await;
    fail(&server, &sink, &ada, 500).await;
    let first = sink.take_one();
    ada.create_components("w", &["d"]).await;
    assert_eq!(deliver(&server).await, 0);
    server.clock.advance(5 * SECOND);
    assert_eq!(deliver(&server).await, 1, "the receiver still fails");
    assert_eq!(sink.take_one().header("webhook-id"), first.header("webhook-id"));
}

#[tokio::test]
async fn redirects_are_not_followed_and_long_responses_are_not_read() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    sink.respond_with(SinkBehavior::Redirect);
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().path, "/hook");
    let redirected = hook.newest(&ada).await;
    assert_eq!(redirected["error"], "the server answered 307, and redirects are not followed");
    sink.respond_with(SinkBehavior::Endless);
    server.clock.advance(MINUTE);
    deliver(&server).await;
    assert_eq!(hook.newest(&ada).await["state"], "delivered");
}

#[tokio::test]
async fn a_receiver_without_a_response_fails_and_does_not_delay_others() {
    let (slow, fast) = (WebhookSink::start().await, WebhookSink::start().await);
    let server = TestServer::empty(|config| {
        config.outbound.webhook_urls =
            vec![slow.at("").trim_end_matches('/').into(), fast.at("").trim_end_matches('/').into()];
        config.outbound.webhook_timeout_seconds = 1;
    });
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    let silent = Hook::create(&ada, &slow, json!({})).await;
    let quick = Hook::create(&ada, &fast, json!({})).await;
    slow.respond_with(SinkBehavior::Silence);
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    assert_eq!(fast.take().len(), 1);
    assert_eq!(quick.newest(&ada).await["state"], "delivered");
    let timed_out = silent.newest(&ada).await;
    assert_eq!(timed_out["error"], "no response within 1 s");
    assert!(timed_out.get("status").is_none());
}

#[tokio::test]
async fn the_job_sends_while_another_receiver_is_silent() {
    let (slow, fast) = (WebhookSink::start().await, WebhookSink::start().await);
    let server = TestServer::empty(|config| {
        config.outbound.webhook_urls =
            vec![slow.at("").trim_end_matches('/').into(), fast.at("").trim_end_matches('/').into()];
        config.outbound.webhook_timeout_seconds = 60;
    });
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    Hook::create(&ada, &slow, json!({})).await;
    Hook::create(&ada, &fast, json!({})).await;
    slow.respond_with(SinkBehavior::Silence);
    let webhooks = server.app.webhooks().clone();
    let job = tokio::spawn(async move { webhooks.run().await });
    for id in ["c", "d"] {
        ada.create_components("w", &[id]).await;
        eventually_in_tasks(|| if fast.take().is_empty() { Err("the other receiver waits") } else { Ok(()) }).await;
    }
    assert_eq!(slow.take().len(), 1, "one request at a time");
    job.abort();
}

#[tokio::test]
async fn a_week_of_failures_disables_a_webhook_and_its_administrators_are_told() {
    let (sink, mail) = (WebhookSink::start().await, MailHost::start().await);
    let server = TestServer::empty(|config| {
        sink.configure(config);
        mail.configure(config);
    });
    server.seed_admin("ada", "acme").await;
    server.sql(|conn| conn.execute("UPDATE user SET email = 'ada@example.org', is_email_confirmed = 1", []).unwrap());
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    sink.respond_with(SinkBehavior::Status(502));
    let mut hours = 0;
    while hook.read(&ada).await["enabled"] == true {
        assert!(hours < 9 * 24, "it is not disabled");
        if hours % 24 == 0 {
            ada.create_components("w", &[&format!("c{hours}")]).await;
        }
        deliver(&server).await;
        server.clock.advance(HOUR);
        hours += 1;
    }
    assert!((7 * 24..8 * 24).contains(&(hours - 1)), "{hours}");
    let webhook = hook.read(&ada).await;
    assert_eq!((&webhook["disabledReason"], &webhook["pending"]), (&json!("failing"), &json!(0)));
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'webhook.disable'"), 1);
    while server.app.mail().send_due().await.unwrap() > 0 {}
    let mails = mail.take();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].content.contains("Subject: Webhook Portal was disabled"), "{}", mails[0].content);
    assert!(mails[0].content.contains("http://planroom.test/o/acme/settings/webhooks"));
    // What happens meanwhile is not sent later.
    sink.take();
    sink.respond_with(SinkBehavior::Status(204));
    ada.create_components("w", &["meanwhile"]).await;
    assert_eq!(deliver(&server).await, 0);
    let enabled = ada.patch(&hook.path, json!({ "enabled": true })).await.ok()["webhook"].clone();
    assert!(enabled.get("disabledReason").is_none() && enabled.get("failingSince").is_none(), "{enabled}");
    ada.create_components("w", &["later"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().data()["changes"][0]["entityId"], "later");
}

#[tokio::test]
async fn a_receiver_that_is_gone_ends_its_webhook() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    fail(&server, &sink, &ada, 410).await;
    let webhook = hook.read(&ada).await;
    assert_eq!((&webhook["enabled"], &webhook["disabledReason"]), (&json!(false), &json!("gone")));
    assert_eq!(hook.newest(&ada).await["state"], "failed");
}

#[tokio::test]
async fn a_test_is_sent_once_also_by_a_disabled_webhook() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({ "enabled": false })).await;
    let test = format!("{}/test", hook.path);
    let queued = ada.send(Method::POST, &test, None).await.created()["delivery"].clone();
    assert_eq!((&queued["event"], &queued["state"]), (&json!("ping"), &json!("pending")));
    ada.send(Method::POST, &test, None).await.expect_error(409, "waits already");
    deliver(&server).await;
    let message = sink.take_one();
    assert!(message.is_signed_with(&hook.secret));
    assert_eq!((&message.json()["type"], &message.data()["webhook"]["name"]), (&json!("ping"), &json!("Portal")));
    sink.respond_with(SinkBehavior::Status(500));
    ada.send(Method::POST, &test, None).await.created();
    deliver(&server).await;
    let failed = hook.newest(&ada).await;
    assert_eq!((&failed["state"], &failed["tries"]), (&json!("failed"), &json!(1)));
    let webhook = hook.read(&ada).await;
    assert_eq!(webhook["lastError"], "the server answered 500");
    assert!(webhook.get("failingSince").is_none(), "a test does not count");
}

#[tokio::test]
async fn a_delivery_can_be_sent_again_with_the_same_id() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    let first = sink.take_one();
    ada.patch("/api/workspaces/w/components/c", json!({ "name": "Renamed" })).await.ok();
    deliver(&server).await;
    sink.take();
    let delivery = hook.deliveries(&ada).await[1]["id"].clone();
    let redeliver = format!("{}/deliveries/{delivery}/redeliver", hook.path);
    let queued = ada.send(Method::POST, &redeliver, None).await.ok()["delivery"].clone();
    assert_eq!(queued["state"], "pending");
    ada.send(Method::POST, &redeliver, None).await.expect_error(409, "waits already");
    assert_eq!(deliver(&server).await, 1);
    let second = sink.take_one();
    assert_eq!(second.header("webhook-id"), first.header("webhook-id"));
    assert_eq!(second.data()["changes"][0]["row"]["name"], "Renamed", "it contains what exists now");
    ada.patch(&hook.path, json!({ "enabled": false })).await.ok();
    ada.send(Method::POST, &redeliver, None).await.expect_error(409, "is disabled");
    let none = format!("{}/deliveries/999/redeliver", hook.path);
    ada.send(Method::POST, &none, None).await.expect_error(404, "delivery not found");
}

#[tokio::test]
async fn a_webhook_that_is_deleted_or_disabled_sends_nothing_that_waits() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let (disabled, deleted) = (Hook::create(&ada, &sink, json!({})).await, Hook::create(&ada, &sink, json!({})).await);
    fail(&server, &sink, &ada, 500).await;
    assert_eq!(sink.take().len(), 2);
    ada.patch(&disabled.path, json!({ "enabled": false })).await.ok();
    ada.delete(&deleted.path).await.ok();
    server.clock.advance(HOUR);
    assert_eq!(deliver(&server).await, 0);
    let ended = disabled.newest(&ada).await;
    assert_eq!((&ended["state"], &ended["error"]), (&json!("failed"), &json!("the webhook was disabled")));
    ada.get(&deleted.path).await.expect_error(404, "webhook not found");
    assert_eq!(server.count("SELECT count(*) FROM webhook_delivery"), 1);
}
