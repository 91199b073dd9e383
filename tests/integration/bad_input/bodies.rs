//! Bodies of another kind, bodies that are too large, and bodies from strangers.

use axum::http::Method;

use super::{BULK, NEW, refused, unharmed};
use crate::support::Stage;

#[tokio::test]
async fn a_body_must_say_that_it_is_json() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
    let body = r#"{"typeId":"api","name":"A"}"#;
    let kinds = [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/jsonp"),
        Some("text/json"),
        Some("json"),
        Some(""),
    ];
    for kind in kinds {
        refused(&ada.send_raw(Method::POST, NEW, kind, body).await, 415, "Content-Type: application/json");
    }
    assert_eq!(stage.written(), before);
    for kind in
        ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"]
    {
        let reply = ada.send_raw(Method::PATCH, "/api/workspaces/w/components/a", Some(kind), r#"{"name":"A"}"#).await;
        reply.ok();
    }
}

#[tokio::test]
async fn a_body_is_as_large_as_is_allowed_to_the_byte() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let limit = 1 << 20;
    let padded = |text: &str, length: usize| text.to_owned() + &" ".repeat(length - text.len());
    let patch = |length: usize| padded(r#"{"description":"D"}"#, length);
    let row = "/api/workspaces/w/components/a";
    let announced = |length: usize| ada.header("content-length", &length.to_string());
    ada.say(Method::PATCH, row, patch(limit)).await.ok();
    announced(limit).say(Method::PATCH, row, patch(limit)).await.ok();
    let before = stage.written();
    let text = "the body exceeds the limit of 1048576 bytes";
    refused(&ada.say(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    refused(&announced(limit + 1).say(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    // A length that is announced is believed without reading on, one that is wrong is not.
    refused(&announced(usize::MAX).say(Method::PATCH, row, "{}").await, 413, text);
    refused(&announced(2).say(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    let bulk = padded(r#"{"components":[],"relationships":[]}"#, limit + 1);
    ada.say(Method::PUT, &format!("{BULK}?dryRun=true"), bulk).await.ok();
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn the_operator_sets_how_large_a_body_may_be() {
    let stage = Stage::empty(|config| {
        config.limits.body_bytes = 1_024;
        config.limits.bulk_body_bytes = 2_048;
    });
    stage.seed_admin("ada", "acme").await;
    let ada = stage.map().await;
    let before = stage.written();
    let padded = |length: usize| format!("{:<length$}", r#"{"components":[],"relationships":[]}"#);
    refused(&ada.say(Method::POST, NEW, padded(1_025)).await, 413, "1024 bytes");
    refused(&stage.anonymous().say(Method::POST, "/api/auth/login", padded(1_025)).await, 413, "1024 bytes");
    let dry = format!("{BULK}?dryRun=true");
    ada.say(Method::PUT, &dry, padded(2_048)).await.ok();
    refused(&ada.say(Method::PUT, &dry, padded(2_049)).await, 413, "2048 bytes");
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_body_is_not_read_before_the_caller_is_admitted() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
    let huge = || vec![b'x'; 2 << 20];
    for stranger in [stage.anonymous(), stage.with("nonsense"), stage.with("svc_pat_guess")] {
        for kind in ["application/json", "text/plain"] {
            let reply = stranger.send_raw(Method::POST, NEW, Some(kind), huge()).await;
            refused(&reply, 401, "");
            assert_eq!(reply.header("www-authenticate"), "Bearer");
            let announced = stranger.header("content-length", "99999999999");
            refused(&announced.send_raw(Method::PUT, BULK, Some(kind), "").await, 401, "");
        }
    }
    unharmed(&stage, &ada, before).await;
}
