//! Bodies of another content type, bodies that are too large, and unauthenticated bodies.

use axum::http::Method;

use super::{BULK, NEW, assert_bad_input, assert_unchanged};
use crate::support::TestServer;

#[tokio::test]
async fn a_body_must_have_the_json_content_type() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
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
        assert_bad_input(&ada.send_raw(Method::POST, NEW, kind, body).await, 415, "Content-Type: application/json");
    }
    assert_eq!(server.log_sizes(), before);
    for kind in
        ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"]
    {
        let reply = ada.send_raw(Method::PATCH, "/api/workspaces/w/components/a", Some(kind), r#"{"name":"A"}"#).await;
        reply.ok();
    }
}

#[tokio::test]
async fn the_body_size_limit_is_exact() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let limit = 1 << 20;
    let padded = |text: &str, length: usize| text.to_owned() + &" ".repeat(length - text.len());
    let patch = |length: usize| padded(r#"{"description":"D"}"#, length);
    let row = "/api/workspaces/w/components/a";
    let announced = |length: usize| ada.header("content-length", &length.to_string());
    ada.send_body(Method::PATCH, row, patch(limit)).await.ok();
    announced(limit).send_body(Method::PATCH, row, patch(limit)).await.ok();
    let before = server.log_sizes();
    let text = "the body exceeds the limit of 1048576 bytes";
    assert_bad_input(&ada.send_body(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    assert_bad_input(&announced(limit + 1).send_body(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    // A `Content-Length` over the limit is rejected without reading; a wrong one does not help.
    assert_bad_input(&announced(usize::MAX).send_body(Method::PATCH, row, "{}").await, 413, text);
    assert_bad_input(&announced(2).send_body(Method::PATCH, row, patch(limit + 1)).await, 413, text);
    let bulk = padded(r#"{"components":[],"relationships":[]}"#, limit + 1);
    ada.send_body(Method::PUT, &format!("{BULK}?dryRun=true"), bulk).await.ok();
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn the_body_size_limit_is_configurable() {
    let server = TestServer::empty(|config| {
        config.limits.body_bytes = 1_024;
        config.limits.bulk_body_bytes = 2_048;
    });
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let padded = |length: usize| format!("{:<length$}", r#"{"components":[],"relationships":[]}"#);
    assert_bad_input(&ada.send_body(Method::POST, NEW, padded(1_025)).await, 413, "1024 bytes");
    assert_bad_input(
        &server.anonymous().send_body(Method::POST, "/api/auth/login", padded(1_025)).await,
        413,
        "1024 bytes",
    );
    let dry = format!("{BULK}?dryRun=true");
    ada.send_body(Method::PUT, &dry, padded(2_048)).await.ok();
    assert_bad_input(&ada.send_body(Method::PUT, &dry, padded(2_049)).await, 413, "2048 bytes");
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn a_body_is_not_read_before_authentication() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let huge = || vec![b'x'; 2 << 20];
    for stranger in [server.anonymous(), server.with("nonsense"), server.with("svc_pat_guess")] {
        for kind in ["application/json", "text/plain"] {
            let reply = stranger.send_raw(Method::POST, NEW, Some(kind), huge()).await;
            assert_bad_input(&reply, 401, "");
            assert_eq!(reply.header("www-authenticate"), "Bearer");
            let announced = stranger.header("content-length", "99999999999");
            assert_bad_input(&announced.send_raw(Method::PUT, BULK, Some(kind), "").await, 401, "");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}
