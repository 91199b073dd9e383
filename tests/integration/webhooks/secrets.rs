//! Secrets: shown once, stored encrypted, and rotated.

use axum::http::Method;
use planroom::clock::DAY;
use serde_json::json;

use super::{Hook, deliver, path, seed};
use crate::support::webhook_sink::{SinkBehavior, WebhookSink};

#[tokio::test]
async fn a_secret_is_shown_once_and_stored_nowhere_in_the_clear() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook =
        Hook::create(&ada, &sink, json!({ "url": sink.at("services/T000/hidden-part"), "format": "slack" })).await;
    let rotated = ada.send(Method::POST, &format!("{}/secret", hook.path), None).await.ok();
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, hook.secret);
    sink.respond_with(SinkBehavior::Status(500));
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    let audit: String = server
        .sql(|conn| conn.query_row("SELECT group_concat(kind || details) FROM audit", [], |row| row.get(0)).unwrap());
    let responses = [
        ada.get(&path(&ada).await).await.ok().to_string(),
        ada.get(&hook.path).await.ok().to_string(),
        ada.get(&format!("{}/deliveries", hook.path)).await.ok().to_string(),
        ada.get("/api/admin/audit").await.ok().to_string(),
        audit,
    ];
    for secret in [hook.secret.as_str(), new, "hidden-part"] {
        let needle = secret.trim_start_matches("whsec_");
        for text in &responses {
            assert!(!text.contains(needle), "{needle} is in {text}");
        }
        for file in ["planroom.db", "planroom.db-wal"] {
            let bytes = std::fs::read(server.dir.path().join(file)).unwrap();
            assert!(!bytes.windows(needle.len()).any(|w| w == needle.as_bytes()), "{needle} is in {file}");
        }
    }
    assert_eq!(hook.read(&ada).await["url"], sink.at("…"));
    // Another format would show the URL.
    ada.patch(&hook.path, json!({ "format": "standard" })).await.expect_error(400, "url: is required");
}

#[tokio::test]
async fn after_a_rotation_both_secrets_sign_for_a_day() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    let rotate = format!("{}/secret", hook.path);
    let rotated = ada.send(Method::POST, &rotate, None).await.ok();
    let new = rotated["secret"].as_str().unwrap().to_owned();
    assert_eq!(rotated["webhook"]["oldSecretUntil"], server.clock.now() + DAY);
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    let message = sink.take_one();
    assert!(message.is_signed_with(&new) && message.is_signed_with(&hook.secret));
    server.clock.advance(DAY);
    ada.create_components("w", &["d"]).await;
    deliver(&server).await;
    let message = sink.take_one();
    assert!(message.is_signed_with(&new) && !message.is_signed_with(&hook.secret));
    assert!(hook.read(&ada).await.get("oldSecretUntil").is_none());
}
