//! Malformed JSON, and JSON that is too complex.

use axum::http::Method;

use super::{BULK, NEW, assert_bad_input, assert_unchanged};
use crate::support::TestServer;

#[tokio::test]
async fn malformed_json_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let cases: [(&[u8], &str); 18] = [
        (b"", "EOF"),
        (b"   ", "EOF"),
        (b"{", "EOF"),
        (b"not json", "expected"),
        (b"{'name':'A'}", "key must be a string"),
        (b"{\"name\":\"A\",}", "trailing comma"),
        (b"{\"typeId\":\"api\",\"name\":\"A\"} {}", "trailing characters"),
        (b"{\"typeId\":\"api\",\"name\":\"A\"}\0", "trailing characters"),
        (b"\xef\xbb\xbf{\"typeId\":\"api\",\"name\":\"A\"}", "expected value"),
        (b"{\"typeId\":\"api\",\"name\":\"A\",\"x\":NaN,\"y\":0}", "expected"),
        (b"{\"typeId\":\"api\",\"name\":\"A\",\"x\":Infinity,\"y\":0}", "expected"),
        (b"{\"typeId\":\"api\",\"name\":\"A\",\"x\":0,\"y\":-Infinity}", "invalid number"),
        (b"{\"typeId\":\"api\",\"name\":\"A\",\"x\":1e999,\"y\":0}", "out of range"),
        (b"{\"typeId\":\"api\",\"name\":\"A\",\"properties\":{\"a\":-1e999}}", "out of range"),
        (b"{\"typeId\":\"api\",\"name\":\"\\ud800\"}", "hex escape"),
        (b"{\"typeId\":\"api\",\"name\":\"\xff\"}", "not UTF-8: there is a bad byte at position 24"),
        (b"{\"typeId\":\"api\",\"name\":\"\xed\xa0\x80\"}", "not UTF-8"),
        (b"\xff\xfe{\0}\0", "not UTF-8: there is a bad byte at position 0"),
    ];
    for (body, text) in cases {
        assert_bad_input(&ada.send_body(Method::POST, NEW, body.to_vec()).await, 400, text);
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn deeply_nested_json_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    for depth in [200, 100_000] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        for body in [
            open.clone(),
            format!("{open}{close}"),
            objects.clone(),
            format!(r#"{{"typeId":"api","name":"A","properties":{{"a":{open}{close}}}}}"#),
            format!(r#"{{"typeId":"api","name":"A","properties":{objects}}}"#),
            format!(r#"{{"typeId":"api","name":{open}{close}}}"#),
            format!(r#"{{"typeId":"api","name":"A","unknown":{open}{close}}}"#),
        ] {
            assert_bad_input(&ada.send_body(Method::POST, NEW, body).await, 400, "");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn a_repeated_key_is_rejected_at_any_depth() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let cases = [
        (Method::POST, NEW, r#"{"typeId":"api","name":"A","name":"B"}"#, "name: is repeated"),
        (Method::POST, NEW, r#"{"typeId":"api","name":"A","n\u0061me":"B"}"#, "name: is repeated"),
        (Method::POST, NEW, r#"{"typeId":"api","name":"A","properties":{"k":1,"k":1}}"#, "key `k` is repeated"),
        (
            Method::POST,
            NEW,
            r#"{"typeId":"api","name":"A","properties":{"a":[{"k":1,"\u006b":2}]}}"#,
            "key `k` is repeated",
        ),
        (Method::PATCH, "/api/workspaces/w", r#"{"name":"A","description":"D","name":"A"}"#, "name: is repeated"),
        (Method::PATCH, "/api/workspaces/w", r#"{"revision":1,"name":"A","revision":2}"#, "revision: is repeated"),
        (Method::PATCH, NEW, r#"[{"id":"a","x":1,"y":1,"x":2}]"#, "[0].x: is repeated"),
        (Method::PUT, BULK, r#"{"components":[],"relationships":[],"components":[]}"#, "components: is repeated"),
        (
            Method::PUT,
            BULK,
            r#"{"components":[{"typeId":"api","name":"A","properties":{"k":1,"k":2}}],"relationships":[]}"#,
            "components[0].properties",
        ),
    ];
    for (method, path, body, text) in cases {
        assert_bad_input(&ada.send_body(method, path, body).await, 400, text);
    }
    assert_unchanged(&server, &ada, before).await;
}
