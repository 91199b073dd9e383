//! Bodies that are no JSON, or JSON that nobody should have to read.

use axum::http::Method;

use super::{BULK, NEW, refused, unharmed};
use crate::support::Stage;

#[tokio::test]
async fn what_is_not_json_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
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
        refused(&ada.say(Method::POST, NEW, body.to_vec()).await, 400, text);
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn what_is_nested_without_end_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
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
            refused(&ada.say(Method::POST, NEW, body).await, 400, "");
        }
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_repeated_key_is_refused_wherever_it_is() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
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
        refused(&ada.say(method, path, body).await, 400, text);
    }
    unharmed(&stage, &ada, before).await;
}
