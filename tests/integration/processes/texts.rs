//! The text of a process: its first line, parsed content, and diagnostics.

use serde_json::{Value, json};

use super::{PATH, TEXT};
use crate::support::TestServer;

#[tokio::test]
async fn a_text_must_start_with_sequence_diagram() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({})).await;
    let path = format!("{PATH}/order");
    let written = server.log_sizes();
    for (text, place) in [
        ("", "line 1, column 1"),
        ("\n\n  graph TD\n  A --> B", "line 3, column 3"),
        ("%% a comment\nclassDiagram", "line 2, column 1"),
        ("---\ntitle: x\n---\n", "line 4, column 1"),
        ("sequence Diagram\nA->>B: x", "line 1, column 1"),
        ("A->>B: x\nsequenceDiagram", "line 1, column 1"),
        ("# x\nsequenceDiagram", "line 1, column 1"),
    ] {
        let body = json!({ "name": "N", "mermaid": text });
        for reply in [ada.post(PATH, body).await, ada.patch(&path, json!({ "mermaid": text })).await] {
            let message = format!("mermaid: {place}: a sequence diagram must start with `sequenceDiagram`");
            assert_eq!(reply.expect_error(400, &message)["field"], "mermaid");
        }
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn unparsable_lines_are_saved_and_reported_with_their_position() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = "sequenceDiagram\r\n  A->>B: one\r\n  this is nothing\r\n  loop for ever\r\n  B-->>A: two\r\n";
    let process = ada.write_down("talk", text, json!({ "A": "a" })).await;
    assert_eq!(process["mermaid"], text, "to the letter");
    assert_eq!(process["steps"].as_array().unwrap().len(), 2, "the rest is read");
    let diagnostics = json!([
        { "line": 3, "column": 18, "message": "an arrow is missing after `this is nothing`, as in `A->>B: text`" },
        { "line": 4, "column": 3, "message": "this `loop` is not closed; `end` is missing" },
    ]);
    assert_eq!(process["diagnostics"], diagnostics);
}

#[tokio::test]
async fn blocks_notes_and_message_symbols_are_parsed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = "sequenceDiagram\n  alt good\n    A->>+B: one\n  else bad\n    loop again\n      B()-->>A: two<br/>lines\n    \
                end\n  end\n  Note over A,B: said #59; and done\n  B-x-B: three";
    let process = ada.write_down("talk", text, json!({})).await;
    let blocks = json!([
        { "kind": "alt", "label": "good", "line": 2 },
        { "kind": "else", "label": "bad", "line": 4, "parent": 0 },
        { "kind": "loop", "label": "again", "line": 5, "parent": 1 },
    ]);
    assert_eq!(process["blocks"], blocks);
    let brief = |step: &Value| json!([step["text"], step["arrow"], step["block"], step["activation"], step["central"]]);
    let steps: Vec<Value> = process["steps"].as_array().unwrap().iter().map(brief).collect();
    let expected = json!([
        ["one", "solid", 0, "begins", null],
        ["two\nlines", "dotted", 2, null, "source"],
        ["three", "solid-cross", null, "ends", null],
    ]);
    assert_eq!(json!(steps), expected);
    let note = json!([{ "line": 9, "placement": "over", "about": ["A", "B"], "text": "said ; and done", "after": 2 }]);
    assert_eq!(process["notes"], note);
}

#[tokio::test]
async fn a_text_has_at_most_256_kib() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = |bytes: usize| format!("sequenceDiagram\n%%{}", "é".repeat((bytes - 18) / 2));
    assert_eq!(text(262_144).len(), 262_144);
    let process = ada.write_down("talk", &text(262_144), json!({})).await;
    assert_eq!(process["mermaid"], text(262_144));
    let written = server.log_sizes();
    let body = json!({ "name": "N", "mermaid": text(262_146) });
    let path = format!("{PATH}/talk");
    for reply in [ada.post(PATH, body.clone()).await, ada.patch(&path, body).await] {
        assert_eq!(reply.expect_error(400, "must have at most 262144 bytes, has 262146")["field"], "mermaid");
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn messages_are_parsed_up_to_a_limit() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = format!("sequenceDiagram\n{}", "A->>B: x\n".repeat(20_000));
    let process = ada.write_down("talk", &text, json!({ "A": "a" })).await;
    assert_eq!(process["steps"].as_array().unwrap().len(), 9_998);
    assert!(process["diagnostics"][0]["message"].as_str().unwrap().contains("parsing stops here"), "{process:.200}");
    assert_eq!(ada.process("talk").await, process);
}

#[tokio::test]
async fn invalid_fields_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({})).await;
    let path = format!("{PATH}/order");
    let written = server.log_sizes();
    let long = "ü".repeat(10_001);
    for (field, value, message) in [
        ("name", json!(3), "expected a string"),
        ("name", json!(""), "1 to 200 characters"),
        ("name", json!("a\nb"), "control"),
        ("description", json!([]), "expected a string"),
        ("description", json!(long), "10000 characters, has 10001"),
        ("mermaid", json!(["sequenceDiagram"]), "expected a string"),
        ("mermaid", json!({}), "expected a string"),
        ("participants", json!("A"), "expected an object"),
        ("Mermaid", json!("sequenceDiagram"), "no such field"),
        ("properties", json!({}), "no such field"),
        ("title", json!("T"), "no such field"),
    ] {
        let mut new = json!({ "name": "N", "mermaid": TEXT });
        new[field] = value.clone();
        for reply in [ada.post(PATH, new).await, ada.patch(&path, json!({ field: value })).await] {
            assert_eq!(reply.expect_error(400, message)["field"], field, "{reply}");
        }
    }
    for (missing, new) in [("name", json!({ "mermaid": TEXT })), ("mermaid", json!({ "name": "N" }))] {
        assert_eq!(ada.post(PATH, new).await.expect_error(400, "is required")["field"], missing);
    }
    for body in [json!([]), json!("x"), json!(null), json!([null, "N", null, TEXT, null])] {
        ada.post(PATH, body.clone()).await.expect_error(400, "");
        ada.patch(&path, body).await.expect_error(400, "");
    }
    let repeated = r#"{"name":"N","mermaid":"sequenceDiagram","mermaid":"sequenceDiagram"}"#;
    let post = axum::http::Method::POST;
    let twice = ada.send_raw(post.clone(), PATH, Some("application/json"), repeated).await;
    assert_eq!(twice.expect_error(400, "is repeated")["field"], "mermaid");
    ada.send_raw(post, PATH, Some("text/plain"), TEXT).await.expect_error(415, "JSON");
    assert_eq!(server.log_sizes(), written);
}
