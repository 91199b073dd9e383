//! The machine-readable part of errors about fields.

use axum::http::Method;
use serde_json::{Value, json};

use super::{BULK, NEW, assert_bad_input};
use crate::support::TestServer;

const OPERATIONS: &str = "/api/workspaces/w/operations";

#[tokio::test]
async fn clients_need_not_read_the_text_of_an_error() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long = "x".repeat(250);
    let create = |row: Value| json!({ "operations": [{ "op": "create", "kind": "component", "row": row }] });
    let two = json!({ "components": [{ "typeId": "api", "name": "A" }, { "typeId": "api" }], "relationships": [] });
    let cases = [
        (NEW, json!({ "typeId": "api" }), json!(["name"]), json!({ "kind": "required", "message": "is required" })),
        (
            NEW,
            json!({ "typeId": "api", "name": long }),
            json!(["name"]),
            json!({ "kind": "tooLong", "min": 1, "max": 200, "actual": 250, "line": 1 }),
        ),
        (NEW, json!({ "typeId": "api", "name": "" }), json!(["name"]), json!({ "kind": "tooShort", "actual": 0 })),
        (
            NEW,
            json!({ "typeId": "api", "name": "A", "tags": ["a", ""] }),
            json!(["tags", 1]),
            json!({ "kind": "tooShort", "max": 80 }),
        ),
        (
            NEW,
            json!({ "typeId": "api", "name": "A", "technology": vec!["a"; 33] }),
            json!(["technology"]),
            json!({ "kind": "itemCount", "max": 32 }),
        ),
        (NEW, json!({ "typeId": "api", "name": "A", "width": 0 }), json!(["width"]), json!({ "kind": "other" })),
        (NEW, json!({ "typeId": "api", "name": 3 }), json!(["name"]), json!({ "kind": "malformed" })),
        (NEW, json!({ "typeId": "servce", "name": "A" }), json!(["typeId"]), json!({ "kind": "unknownType" })),
        (NEW, json!({ "typeId": "api", "name": "A", "no": 1 }), json!(["no"]), json!({ "kind": "unknownField" })),
        (BULK, two, json!(["components", 1, "name"]), json!({ "kind": "required" })),
        (OPERATIONS, json!({ "operations": [] }), json!(["operations"]), json!({ "kind": "itemCount", "max": 10_000 })),
        (
            OPERATIONS,
            create(json!({ "typeId": "api", "name": long })),
            json!(["operations", 0, "row", "name"]),
            json!({ "kind": "tooLong", "max": 200 }),
        ),
        (
            OPERATIONS,
            create(json!({ "typeId": "servce", "name": "A" })),
            json!(["operations", 0, "row", "typeId"]),
            json!({ "kind": "unknownType" }),
        ),
    ];
    for (url, body, path, problem) in cases {
        let method = if url == BULK { Method::PUT } else { Method::POST };
        let reply = ada.send(method, url, Some(body)).await;
        let error = assert_bad_input(&reply, 400, "");
        assert_eq!(error["path"], path, "{reply}");
        for (key, value) in problem.as_object().unwrap() {
            assert_eq!(&error["problem"][key], value, "{reply}");
        }
        let (field, message) = (error["field"].as_str().unwrap(), error["problem"]["message"].as_str().unwrap());
        assert!(error["error"].as_str().unwrap().starts_with(&format!("{field}: {message}")), "{reply}");
    }
}

#[tokio::test]
async fn an_error_about_the_whole_body_has_no_path() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let error = assert_bad_input(&ada.send_body(Method::POST, NEW, "{").await, 400, "at line 1 column 1");
    assert_eq!((&error["field"], &error["path"]), (&Value::Null, &Value::Null));
    assert_eq!((&error["problem"]["kind"], &error["problem"]["column"]), (&json!("malformed"), &json!(1)));
}
