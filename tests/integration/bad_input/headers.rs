//! Invalid headers.

use serde_json::json;

use super::{NEW, assert_bad_input, assert_unchanged};
use crate::support::TestServer;

#[tokio::test]
async fn an_invalid_header_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let new = json!({ "typeId": "api", "name": "A" });
    let long = |length: usize| "x".repeat(length);
    let cases = [
        ("if-match", "12"),
        ("if-match", ""),
        ("if-match", "\"12"),
        ("if-match", "\"12\" \"13\""),
        ("if-match", "\"12\", 13"),
        ("if-match", "ü"),
        ("x-batch-id", ""),
        ("x-batch-id", "ü"),
        ("x-batch-id", "a\tb"),
        ("x-batch-id", &long(129)),
        ("idempotency-key", ""),
        ("idempotency-key", "ключ"),
        ("idempotency-key", &long(256)),
    ];
    for (name, value) in cases {
        let reply = ada.header(name, value).post(NEW, new.clone()).await;
        assert_eq!(assert_bad_input(&reply, 400, "must be")["field"], name, "{value:?}");
    }
    for name in ["x-batch-id", "idempotency-key"] {
        let twice = ada.header(name, "a").header(name, "b");
        assert_eq!(assert_bad_input(&twice.post(NEW, new.clone()).await, 400, "must be sent once")["field"], name);
    }
    assert_unchanged(&server, &ada, before).await;
    let longest = ada.header("x-batch-id", &long(128)).header("idempotency-key", &long(255));
    longest.post(NEW, new).await.created();
    assert_eq!(server.changes_of(&long(128)), ["create component a-2"]);
}
