//! What cannot be right is refused, named, and leaves no trace.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{Actor, Reply, Stage, ids, segment};

const NEW: &str = "/api/workspaces/w/components";
const BULK: &str = "/api/workspaces/w/bulk";

/// Ada, and a workspace `w` with the components `a` and `b` and the relationship `r`.
async fn map(stage: &Stage) -> Actor<'_> {
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a", "b"]).await;
    ada.relate("w", "r", "a", "calls", "b").await;
    ada
}

impl Actor<'_> {
    async fn say(&self, method: Method, path: &str, body: impl Into<axum::body::Body>) -> Reply {
        self.send_raw(method, path, Some("application/json"), body).await
    }
}

/// The refusal has this status, the usual body, and says something of this text, briefly.
#[track_caller]
fn refused(reply: &Reply, status: u16, text: &str) -> Value {
    assert_eq!(reply.header("content-type"), "application/json", "{reply}");
    assert!(reply.bytes.len() < 3_000, "an error is for reading: {} bytes", reply.bytes.len());
    let body = reply.refused(status, text);
    let known = ["error", "code", "field", "current", "changedBy"];
    assert!(body.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{reply}");
    body
}

/// Nothing was written since `before`, and the server is well.
async fn unharmed(stage: &Stage, ada: &Actor<'_>, before: (i64, i64)) {
    assert_eq!(stage.written(), before);
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["a", "b"], vec!["r"]));
    ada.draw("w", &["later"]).await;
}

#[tokio::test]
async fn what_is_not_json_is_refused() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
async fn a_field_of_the_wrong_type_is_named() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let bulk =
        |component: Value| json!({ "components": [{ "typeId": "api", "name": "A" }, component], "relationships": [] });
    let cases = [
        (Method::POST, NEW, json!({ "typeId": "api", "name": 3 }), "name"),
        (Method::POST, NEW, json!({ "typeId": ["api"], "name": "A" }), "typeId"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": null }), "name"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "x": "1", "y": 1 }), "x"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "properties": [] }), "properties"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "properties": "{}" }), "properties"),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": "public" }), "visibility"),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": true }), "visibility"),
        (Method::PATCH, "/api/workspaces/w", json!({ "name": {} }), "name"),
        (Method::PATCH, NEW, json!([{ "id": 1, "x": 0, "y": 0 }]), "[0].id"),
        (Method::POST, "/api/workspaces/restore", json!({ "pk": "1" }), "pk"),
        (Method::POST, "/api/workspaces/restore", json!({ "pk": 1.5 }), "pk"),
        (Method::PUT, BULK, bulk(json!({ "typeId": "api", "name": [] })), "components[1].name"),
        (Method::PUT, BULK, bulk(json!("a")), "components[1]"),
        (Method::PUT, BULK, json!({ "components": {}, "relationships": [] }), "components"),
        (Method::PUT, BULK, json!({ "workspace": [1], "components": [], "relationships": [] }), "workspace"),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        let named = refused(&reply, 400, field)["field"].clone();
        assert!(named.as_str().unwrap().starts_with(field), "{reply}");
    }
    for (method, path) in [(Method::POST, NEW), (Method::PATCH, "/api/workspaces/w"), (Method::PUT, BULK)] {
        for body in [json!([]), json!("x"), json!(3), json!(null), json!(true)] {
            refused(&ada.send(method.clone(), path, Some(body)).await, 400, "");
        }
    }
    unharmed(&stage, &ada, before).await;
}

/// A list in the order of our fields is no object, though some readers of JSON take it for one.
#[tokio::test]
async fn a_list_does_not_pass_for_an_object_nor_an_object_for_a_word() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let cases = [
        (Method::POST, NEW, json!([null, "api", "A", null, null, null, null])),
        (Method::PATCH, NEW, json!([["a", 1, 2]])),
        (Method::POST, "/api/workspaces/restore", json!([1, null])),
        (Method::POST, "/api/workspaces/w/relationships", json!([null, "a", "b", "calls", null, null])),
        (Method::PUT, BULK, json!([null, [], []])),
        (Method::PUT, BULK, json!({ "components": [["z", "api", "Z", null, null, null, null]], "relationships": [] })),
        (
            Method::PUT,
            BULK,
            json!({ "workspace": [null, null, "W", null, null], "components": [], "relationships": [] }),
        ),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": { "private": null } })),
    ];
    for (method, path, body) in cases {
        refused(&ada.send(method, path, Some(body)).await, 400, "invalid type");
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let cases = [
        (Method::POST, "/api/workspaces", json!({}), "name"),
        (Method::POST, "/api/workspaces/restore", json!({ "id": "v" }), "pk"),
        (Method::POST, NEW, json!({ "name": "A" }), "typeId"),
        (Method::POST, NEW, json!({ "typeId": "api" }), "name"),
        (Method::PATCH, NEW, json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "b", "y": 1 }]), "[1].x"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "sourceId": "a", "typeId": "calls" }), "targetId"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "targetId": "a", "typeId": "calls" }), "sourceId"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "sourceId": "a", "targetId": "b" }), "typeId"),
        (Method::PUT, BULK, json!({ "workspace": {}, "components": [], "relationships": [] }), "workspace.name"),
        (
            Method::PUT,
            BULK,
            json!({ "components": [], "relationships": [{ "sourceId": "a" }] }),
            "relationships[0].targetId",
        ),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        assert_eq!(refused(&reply, 400, "is required")["field"], field, "{reply}");
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_field_that_the_resource_does_not_have_is_named() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let long = "k".repeat(5_000);
    let cases = [
        (Method::POST, "/api/workspaces", json!({ "name": "A", "nmae": "B" }), "nmae"),
        (Method::PATCH, "/api/workspaces/w", json!({ "name": "A", "components": [] }), "components"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "type_id": "api" }), "type_id"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "Name": "B" }), "Name"),
        (Method::PATCH, "/api/workspaces/w/components/a", json!({ "label": "L" }), "label"),
        (Method::PATCH, "/api/workspaces/w/components/a", json!({ "": 1 }), ""),
        (Method::PATCH, "/api/workspaces/w/relationships/r", json!({ "name": "N" }), "name"),
        (Method::PATCH, NEW, json!([{ "id": "a", "x": 1, "y": 1, "z": 1 }]), "[0].z"),
        (
            Method::PUT,
            BULK,
            json!({ "components": [{ "typeId": "api", "name": "A" }, { "typeId": "api", "name": "B", "colour": 1 }],
                    "relationships": [] }),
            "components[1].colour",
        ),
        (Method::PUT, BULK, json!({ "components": [], "relationships": [], "people": [] }), "people"),
        (
            Method::PUT,
            BULK,
            json!({ "workspace": { "name": "W", "hue": 1 }, "components": [], "relationships": [] }),
            "workspace.hue",
        ),
        (Method::PATCH, "/api/workspaces/w", json!({ long: 1 }), &"k".repeat(60)),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        assert_eq!(refused(&reply, 400, "no such field")["field"], field, "{reply}");
    }
    unharmed(&stage, &ada, before).await;
}

/// A value at its limit and one over it, in each place where it can stand.
#[tokio::test]
async fn limits_are_kept_to_the_letter() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
        let before = stage.written();
        let named = refused(&ada.patch(path, json!({ field: bad })).await, 400, message)["field"].clone();
        assert!(named.as_str().unwrap().starts_with(field), "{named} is not {field}");
        assert_eq!(stage.written(), before);
    }
}

#[tokio::test]
async fn an_id_is_one_line_of_at_most_128_characters() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let long = "ü".repeat(129);
    let bad = ["", " a", "a ", "\u{a0}a", "a\nb", "\u{0}", "\u{7f}", ".", "..", &long];
    let before = stage.written();
    for id in bad {
        let component = json!({ "id": id, "typeId": "api", "name": "A" });
        let edge = json!({ "id": id, "sourceId": "a", "targetId": "b", "typeId": "calls" });
        let field = |reply: &Reply| refused(reply, 400, "must")["field"].clone();
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
    unharmed(&stage, &ada, before).await;
    ada.post(NEW, json!({ "id": "ü".repeat(128), "typeId": "api", "name": "A" })).await.created();
}

#[tokio::test]
async fn what_is_nested_without_end_is_refused() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
    let ada = map(&stage).await;
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

#[tokio::test]
async fn a_body_must_say_that_it_is_json() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
    let ada = map(&stage).await;
    let limit = 1 << 20;
    let padded = |text: &str, length: usize| text.to_owned() + &" ".repeat(length - text.len());
    let patch = |length: usize| padded(r#"{"description":"D"}"#, length);
    let row = "/api/workspaces/w/components/a";
    let announced = |length: usize| ada.header("content-length", &length.to_string());
    ada.say(Method::PATCH, row, patch(limit)).await.ok();
    announced(limit).say(Method::PATCH, row, patch(limit)).await.ok();
    let before = stage.written();
    let text = "larger than the 1048576 bytes";
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
    let ada = map(&stage).await;
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
    let ada = map(&stage).await;
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

#[tokio::test]
async fn a_path_that_is_not_percent_encoded_rightly_is_refused() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    for bad in ["%", "%Z", "%ZZ", "a%2", "%F", "%FF", "%C3", "%ED%A0%80", "100%"] {
        refused(&ada.get(&format!("/api/workspaces/{bad}")).await, 400, "path");
        refused(&ada.put(&format!("/api/workspaces/{bad}/bulk"), body.clone()).await, 400, "path");
        refused(&ada.delete(&format!("/api/workspaces/w/components/{bad}")).await, 400, "path");
        refused(&ada.patch(&format!("/api/workspaces/w/relationships/{bad}"), json!({})).await, 400, "path");
    }
    for none in ["%00", "%0A", "%2E%2E", "%2e", "%2F", "%61%00"] {
        refused(&ada.get(&format!("/api/workspaces/{none}")).await, 404, "workspace not found");
        refused(&ada.delete(&format!("/api/workspaces/w/components/{none}")).await, 404, "component not found");
    }
    ada.get("/api/workspaces/%77").await.ok(); // needless, but right
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_mistyped_parameter_does_not_write() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
    let body = json!({ "components": [], "relationships": [] });
    for query in [
        "dryrun=true",
        "dry_run=true",
        "dryRun",
        "dryRun=",
        "dryRun=yes",
        "dryRun=1",
        "dryRun=True",
        "dryRun=true&dryRun=true",
        "dryRun=true&force=true",
        "x=y",
        "dryRun%20=true",
    ] {
        refused(&ada.put(&format!("{BULK}?{query}"), body.clone()).await, 400, "the query is not usable");
    }
    for query in ["delete=true", "deleted=1", "deleted", "Deleted=true", "deleted=true&limit=1"] {
        refused(&ada.get(&format!("/api/workspaces?{query}")).await, 400, "the query is not usable");
    }
    // Nor does one where there are none: who asks for a trial gets no deed.
    for reply in [
        ada.post(&format!("{NEW}?dryRun=true"), json!({ "typeId": "api", "name": "A" })).await,
        ada.patch("/api/workspaces/w?dryRun=true", json!({ "name": "A" })).await,
        ada.delete("/api/workspaces/w/components/a?dryRun=true").await,
        ada.delete("/api/workspaces/w?dryRun=true").await,
    ] {
        refused(&reply, 400, "the query is not usable");
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_header_that_cannot_be_right_is_refused() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
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
        ("x-batch-id", &long(129)),
        ("idempotency-key", ""),
        ("idempotency-key", "ключ"),
        ("idempotency-key", &long(256)),
    ];
    for (name, value) in cases {
        let reply = ada.header(name, value).post(NEW, new.clone()).await;
        assert_eq!(refused(&reply, 400, "must be")["field"], name, "{value:?}");
    }
    for name in ["x-batch-id", "idempotency-key"] {
        let twice = ada.header(name, "a").header(name, "b");
        assert_eq!(refused(&twice.post(NEW, new.clone()).await, 400, "must be sent once")["field"], name);
    }
    unharmed(&stage, &ada, before).await;
    let longest = ada.header("x-batch-id", &long(128)).header("idempotency-key", &long(255));
    longest.post(NEW, new).await.created();
    assert_eq!(stage.gesture(&long(128)), ["create component a-2"]);
}

/// A caller's mistake may be a megabyte long; the message need not be.
#[tokio::test]
async fn an_error_never_repeats_at_length_what_was_sent() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let before = stage.written();
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
        ada.say(Method::POST, NEW, nested).await,
        ada.put(&format!("{BULK}?{}=1", "x".repeat(5_000)), bulk(edge("a", "calls"))).await,
    ] {
        refused(&reply, 400, "");
    }
    unharmed(&stage, &ada, before).await;
}
