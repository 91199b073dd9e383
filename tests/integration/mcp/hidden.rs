//! Invisible and bidirectional characters: visible in results, and restored when they are written back.

use serde_json::{Value, json};

use crate::support::TestServer;

fn hidden(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{200b}' | '\u{202c}' | '\u{202e}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'))
}

/// A text that shows less than it says, and one that looks like an escape.
const SNEAKY: &str = "Pay\u{200b}ments\u{e0041}\u{e0042} \u{202e}evil\u{202c} \u{feff}end";
const LITERAL: &str = "C:\\u{200b} and \\u{5c}";

#[tokio::test]
async fn hidden_characters_are_shown_and_written_back_unchanged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = "odd\u{200b}id";
    let properties = json!({ SNEAKY: [SNEAKY, { "deep": LITERAL }] });
    let new =
        json!({ "id": id, "typeId": "service", "name": "The end", "description": LITERAL, "properties": properties });
    ada.post("/api/workspaces/w/components", new).await.created();
    // Earlier versions accepted this name.
    server.sql(|conn| conn.execute("UPDATE component SET name = ? WHERE id = ?", [SNEAKY, id]).unwrap());
    ada.post("/api/workspaces/w/relationships", json!({ "sourceId": "a", "targetId": id, "typeId": "calls" }))
        .await
        .created();
    let assistant = server.assistant_of("ada").await;
    for (tool, ask) in [
        ("get_workspace", json!({ "workspaceId": "w" })),
        ("get_workspace", json!({ "workspaceId": "w", "format": "outline" })),
        ("get_workspace", json!({ "workspaceId": "w", "format": "mermaid" })),
        ("query_components", json!({ "workspaceId": "w" })),
        ("search", json!({ "query": "end" })),
        ("trace_dependencies", json!({ "workspaceId": "w", "componentId": "a", "direction": "dependencies" })),
        ("find_paths", json!({ "workspaceId": "w", "from": "a", "to": "odd\\u{200b}id" })),
    ] {
        let answer = assistant.call_ok(tool, ask.clone()).await.to_string();
        assert!(answer.contains("\\\\u{200b}") && !hidden(&answer), "{tool} {ask}: {answer}");
    }
    let (diagram, _) = assistant.read("planroom://workspaces/w/diagram").await;
    let (bundle, _) = assistant.read("planroom://workspaces/w").await;
    assert!(!hidden(&diagram) && !hidden(&bundle) && bundle.contains("u{e0041}"));
    let missing = json!({ "workspaceId": "w", "componentId": "odd\u{200b}ide" });
    let error = assistant.call_err("trace_dependencies", missing, "near: `odd\\u{200b}id`").await;
    assert!(!hidden(&error), "{error}");

    let read = json!({ "workspaceId": "w", "componentIds": ["odd\\u{200b}id"] });
    let read = assistant.call_ok("get_components", read).await["components"][0].clone();
    assert!(!hidden(&read.to_string()) && read["name"] != SNEAKY);
    ada.patch(
        &format!("/api/workspaces/w/components/{}", "odd%E2%80%8Bid"),
        json!({ "name": "Other", "properties": {} }),
    )
    .await
    .ok();
    let name = json!({ "workspaceId": "w", "components": [{ "id": read["id"], "name": read["name"] }] });
    assistant.call_err("upsert_components", name, "must not contain the invisible character U+200B").await;
    let back: Value =
        ["id", "description", "properties"].map(|name| (name.to_owned(), read[name].clone())).into_iter().collect();
    assistant.call_ok("upsert_components", json!({ "workspaceId": "w", "components": [back] })).await;
    let stored = ada.get("/api/workspaces/w/components/odd%E2%80%8Bid").await.ok()["component"].clone();
    assert_eq!((&stored["description"], &stored["properties"]), (&json!(LITERAL), &properties));
}

#[tokio::test]
async fn tools_for_the_history_show_and_restore_hidden_characters() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let shown = "Be\\u{200b}cause";
    // A list as JSON text, in which the backslash of an escape is escaped.
    let description = format!("Re\\u{{200b}}worded {}", LITERAL.replace('\\', "\\u{5c}"));
    let items = json!([{ "id": "a", "description": description }]);
    let reply = assistant
        .ask(
            "tools/call",
            json!({ "name": "upsert_components",
                    "arguments": { "workspaceId": "w", "components": items.to_string(), "reason": shown } }),
        )
        .await
        .ok();
    let written = reply["result"]["structuredContent"].clone();
    assert_eq!(written["updated"], json!(["a"]), "{reply}");
    let stored = ada.get("/api/workspaces/w/components/a").await.ok()["component"].clone();
    assert_eq!(stored["description"], format!("Re\u{200b}worded {LITERAL}"));
    let history = ada.get("/api/workspaces/w/history").await.ok();
    assert_eq!(history["changes"][0]["reason"], "Be\u{200b}cause", "{history}");

    let changes = assistant.call_ok("list_changes", json!({ "workspaceId": "w" })).await;
    assert_eq!(changes["rows"][0][8], shown, "{changes}");
    let version = |name: &str| json!({ "workspaceId": "w", "name": name });
    assistant.call_err("keep_version", version("V\\u{200b}"), "the invisible character U+200B").await;
    let kept = assistant.call_ok("keep_version", version("V")).await;
    let undo = json!({ "workspaceId": "w", "changeSetIds": [written["changeSetId"]] });
    assistant.call_ok("undo", undo).await;
    let compared = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": "V" })).await;
    assert!(compared.to_string().contains("Re\\\\u{200b}worded"), "{compared}");
    for answer in [changes, kept, compared] {
        assert!(!hidden(&answer.to_string()), "{answer}");
    }

    let cut = json!([{ "id": "a", "properties": { "note": { "$cut": 30_000 } } }]).to_string();
    let cut = json!({ "name": "upsert_components", "arguments": { "workspaceId": "w", "components": cut } });
    let refused = assistant.ask("tools/call", cut).await.ok()["result"]["content"][0]["text"].to_string();
    assert!(refused.contains("components[0].properties.note.$cut: stands for a value"), "{refused}");
}
