//! Invalid values are rejected with the path of the field, by every request that writes a row.

use axum::http::Method;
use serde_json::{Value, json};

use super::{A, R, W};
use crate::support::TestServer;

/// Invalid fields of a component, with the path and the beginning of the error message.
fn components() -> Vec<(Value, &'static str, &'static str)> {
    let many: Vec<String> = (0..33).map(|n| n.to_string()).collect();
    vec![
        (json!({ "tags": "core" }), "tags", "invalid type: string"),
        (json!({ "tags": {} }), "tags", "invalid type: object, expected a list"),
        (json!({ "tags": ["a", 1] }), "tags[1]", "invalid type: integer"),
        (json!({ "tags": ["a", null] }), "tags[1]", "invalid type: null"),
        (json!({ "tags": ["a", " "] }), "tags[1]", "must have 1 to 80 characters, has 0"),
        (json!({ "tags": ["ü".repeat(81)] }), "tags[0]", "must have 1 to 80 characters, has 81"),
        (json!({ "tags": ["a\nb"] }), "tags[0]", "must not contain control characters"),
        (json!({ "tags": many }), "tags", "must have at most 32 items"),
        (json!({ "tags": vec!["same"; 33] }), "tags", "must have at most 32 items"),
        (json!({ "technology": ["a", "b", ""] }), "technology[2]", "must have 1 to 80 characters, has 0"),
        (json!({ "technology": many }), "technology", "must have at most 32 items"),
        (json!({ "width": 0.5 }), "width", "must be from 1 to 1,000,000, is 0.5"),
        (json!({ "width": "1" }), "width", "invalid type: string \"1\", expected a number"),
        (json!({ "height": 1_000_001 }), "height", "must be from 1 to 1,000,000, is 1000001"),
        (json!({ "height": -5 }), "height", "must be from 1 to 1,000,000, is -5"),
    ]
}

/// Invalid fields of a relationship, with the path and the beginning of the error message.
fn relationships() -> Vec<(Value, &'static str, &'static str)> {
    let line = |line: Value| json!({ "line": line });
    vec![
        (json!({ "technology": [["a"]] }), "technology[0]", "invalid type: list, expected a string"),
        (json!({ "technology": vec!["a"; 33] }), "technology", "must have at most 32 items"),
        (line(json!([])), "line", "invalid type: list"),
        (line(json!({ "shape": "curved" })), "line.shape", "must be `routed` or `straight`, not `curved`"),
        (line(json!({ "color": "red" })), "line.color", "this resource has no such field"),
        (line(json!({ "via": [[0, 0], [1]] })), "line.via[1]", "must be `[x, y]`"),
        (line(json!({ "via": [[0, 0, 0]] })), "line.via[0]", "must have at most 2 items"),
        (line(json!({ "via": [{ "x": 1, "y": 2 }] })), "line.via[0]", "invalid type: object"),
        (line(json!({ "via": [[0, 1], [2, 1e10]] })), "line.via[1][1]", "must be within ±1,000,000,000"),
        (line(json!({ "via": vec![[0, 0]; 51] })), "line.via", "must have at most 50 items"),
        (line(json!({ "labelPosition": 1.5 })), "line.labelPosition", "must be from 0 to 1, is 1.5"),
        (line(json!({ "labelPosition": -0.1 })), "line.labelPosition", "must be from 0 to 1, is -0.1"),
    ]
}

/// `row` with the fields of `other`.
fn with(mut row: Value, other: &Value) -> Value {
    row.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
    row
}

#[tokio::test]
async fn invalid_values_are_rejected_with_their_path_in_the_request() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let component = json!({ "typeId": "group", "name": "A" });
    let relationship = json!({ "sourceId": "a", "targetId": "b", "typeId": "uses" });
    let kinds = [("component", components(), component, A), ("relationship", relationships(), relationship, R)];
    for (kind, cases, new, row) in kinds {
        for (fields, path, message) in cases {
            let body = with(new.clone(), &fields);
            let list = format!("{kind}s");
            let model = |body: Value| match kind {
                "component" => json!({ "components": [body], "relationships": [] }),
                _ => json!({ "components": [], "relationships": [body] }),
            };
            let operation = |operation: Value| json!({ "operations": [operation] });
            let id = row.rsplit('/').next().unwrap();
            let requests = [
                (Method::PATCH, row.to_owned(), fields.clone(), path.to_owned()),
                (Method::POST, format!("{W}/{list}"), body.clone(), path.to_owned()),
                (Method::PUT, format!("{W}/bulk"), model(body.clone()), format!("{list}[0].{path}")),
                (Method::POST, "/api/import".into(), model(body.clone()), format!("{list}[0].{path}")),
                (
                    Method::POST,
                    format!("{W}/operations"),
                    operation(json!({ "op": "create", "kind": kind, "row": body })),
                    format!("operations[0].row.{path}"),
                ),
                (
                    Method::POST,
                    format!("{W}/operations"),
                    operation(json!({ "op": "update", "kind": kind, "id": id, "fields": fields })),
                    format!("operations[0].fields.{path}"),
                ),
            ];
            for (method, address, body, path) in requests {
                let error = ada.send(method, &address, Some(body)).await.expect_error(400, message);
                assert_eq!(error["field"], path, "{address}: {error}");
            }
        }
    }
    assert_eq!(server.log_sizes(), before, "nothing was written");
}

#[tokio::test]
async fn values_at_the_limits_are_accepted() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let longest: Vec<String> = (10..42).map(|n| format!("{n}{}", "ü".repeat(78))).collect();
    let fields = json!({ "width": 1.0, "height": 1e6, "tags": longest, "technology": longest });
    let row = ada.patch(A, fields.clone()).await.ok()["component"].clone();
    assert_eq!(super::part(&row, &fields), fields);
    for position in [0.0, 1.0] {
        let line = json!({ "shape": "routed", "via": vec![[1e9, -1e9]; 50], "labelPosition": position });
        let row = ada.patch(R, json!({ "line": line, "technology": longest })).await.ok()["relationship"].clone();
        assert_eq!((&row["line"], &row["technology"]), (&line, &json!(longest)));
    }
}
