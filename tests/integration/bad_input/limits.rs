//! Values that are too long, too large or too deep, and invalid IDs.

use axum::http::Method;
use serde_json::{Value, json};

use super::{BULK, NEW, assert_bad_input, assert_unchanged};
use crate::support::{TestResponse, TestServer, segment};

/// A value at its limit and one over it, for every field.
#[tokio::test]
async fn length_limits_are_exact() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = |length: usize| Value::from("ü".repeat(length));
    let weight = |bytes: usize| json!({ "a": "x".repeat(bytes - 8) });
    let deep = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    let listed = |levels: usize| json!({ "a": (2..levels).fold(json!([]), |inner, _| json!([inner])) });
    let row = "/api/workspaces/w/components/a";
    let edge = "/api/workspaces/w/relationships/r";
    let cases: Vec<(&str, &str, Value, Value, &str)> = vec![
        ("/api/workspaces/w", "name", text(200), text(201), "1 to 200 characters, has 201"),
        ("/api/workspaces/w", "description", text(10_000), text(10_001), "10000 characters, has 10001"),
        ("/api/workspaces/w", "properties", weight(65_536), weight(65_537), "65536 bytes"),
        ("/api/workspaces/w", "properties", deep(32), deep(33), "32 levels"),
        (row, "name", text(1), text(0), "1 to 200 characters, has 0"),
        (row, "name", text(200), text(201), "1 to 200 characters, has 201"),
        (row, "name", json!(" x "), json!("   "), "1 to 200 characters, has 0"),
        (row, "name", json!("a b"), json!("a\nb"), "control"),
        (row, "description", text(10_000), text(10_001), "10000 characters, has 10001"),
        (row, "properties", weight(65_536), weight(65_537), "65536 bytes"),
        (row, "properties", deep(32), deep(33), "32 levels"),
        (row, "properties", listed(32), listed(33), "32 levels"),
        (row, "x", json!(1e9), json!(1.000_000_001e9), "±1,000,000,000"),
        (row, "x", json!(-1e9), json!(-1_000_000_001), "±1,000,000,000"),
        (row, "y", json!(1e9), json!(1e300), "±1,000,000,000"),
        (edge, "label", text(10_000), text(10_001), "10000 characters, has 10001"),
        (edge, "properties", weight(65_536), weight(65_537), "65536 bytes"),
        (edge, "properties", deep(32), deep(33), "32 levels"),
    ];
    for (path, field, good, bad, message) in cases {
        ada.patch(path, json!({ field: good })).await.ok();
        let before = server.log_sizes();
        let named = assert_bad_input(&ada.patch(path, json!({ field: bad })).await, 400, message)["field"].clone();
        assert!(named.as_str().unwrap().starts_with(field), "{named} is not {field}");
        assert_eq!(server.log_sizes(), before);
    }
}

#[tokio::test]
async fn an_id_is_a_single_line_of_at_most_128_characters() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long = "ü".repeat(129);
    let bad = ["", " a", "a ", "\u{a0}a", "a\nb", "\u{0}", "\u{7f}", ".", "..", &long];
    let before = server.log_sizes();
    for id in bad {
        let component = json!({ "id": id, "typeId": "api", "name": "A" });
        let edge = json!({ "id": id, "sourceId": "a", "targetId": "b", "typeId": "calls" });
        let field = |reply: &TestResponse| assert_bad_input(reply, 400, "must")["field"].clone();
        assert_eq!(field(&ada.post("/api/workspaces", json!({ "id": id, "name": "A" })).await), "id");
        assert_eq!(field(&ada.post(NEW, component.clone()).await), "id");
        assert_eq!(field(&ada.post("/api/workspaces/w/relationships", edge.clone()).await), "id");
        let body = json!({ "components": [component], "relationships": [] });
        assert_eq!(field(&ada.put(BULK, body).await), "components[0].id");
        let body = json!({ "components": [], "relationships": [edge] });
        assert_eq!(field(&ada.put(BULK, body).await), "relationships[0].id");
        if !id.is_empty() {
            let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
            let path = format!("/api/workspaces/{}/bulk", segment(id).replace('.', "%2E"));
            assert_eq!(field(&ada.put(&path, body).await), "id");
        }
    }
    assert_unchanged(&server, &ada, before).await;
    ada.post(NEW, json!({ "id": "ü".repeat(128), "typeId": "api", "name": "A" })).await.created();
}

/// Input can be a megabyte long; the message must not be.
#[tokio::test]
async fn an_error_never_contains_long_input() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let long = "ü".repeat(50_000);
    let edge = |source: &str, type_id: &str| json!({ "sourceId": source, "targetId": "a", "typeId": type_id });
    let bulk =
        |edge: Value| json!({ "components": [{ "id": "a", "typeId": "api", "name": "A" }], "relationships": [edge] });
    let nested = format!(r#"{{"typeId":"api","name":"A","properties":{{"{long}":{{"{long}":{{"k":1,"k":2}}}}}}}}"#);
    let place = |id: &str| json!({ "id": id, "x": 1, "y": 1 });
    for reply in [
        ada.post(NEW, json!({ "typeId": long, "name": "A" })).await,
        ada.post(NEW, json!({ "typeId": "api", "name": "A", "properties": { "lifecycle": long } })).await,
        ada.post("/api/workspaces/w/relationships", edge(&long, "calls")).await,
        ada.post("/api/workspaces/w/relationships", edge("a", &long)).await,
        ada.patch("/api/workspaces/w/relationships/r", json!({ "sourceId": long })).await,
        ada.put(BULK, bulk(edge(&long, "calls"))).await,
        ada.patch(NEW, json!([place(&long)])).await,
        ada.patch(NEW, json!([place(&long), place(&long)])).await,
        ada.patch("/api/workspaces/w", json!({ "visibility": long })).await,
        ada.patch("/api/workspaces/w", json!({ "id": long })).await,
        ada.send_body(Method::POST, NEW, nested).await,
        ada.put(&format!("{BULK}?{}=1", "x".repeat(5_000)), bulk(edge("a", "calls"))).await,
    ] {
        assert_bad_input(&reply, 400, "");
    }
    assert_unchanged(&server, &ada, before).await;
}
