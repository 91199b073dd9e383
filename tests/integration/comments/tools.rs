//! Assistants comment with tools.

use serde_json::{Value, json};

use super::{THREADS, about};
use crate::support::TestServer;

#[tokio::test]
async fn an_assistant_says_that_the_map_is_wrong_and_resolves_what_is_done() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let wrong = json!({ "workspaceId": "w", "anchorType": "component", "anchorId": "a", "kind": "inaccurate",
                        "text": "The code calls `b` directly, @ada." });
    let added = assistant.call_ok("add_comment", wrong).await;
    let id = added["threadId"].as_str().unwrap().to_owned();
    assert_eq!((&added["mentions"], &added["state"]), (&json!(["ada"]), &json!("open")));
    assert!(added["url"].as_str().unwrap().ends_with(&format!("/w/w?thread={id}")), "{added}");
    let listed = assistant.call_ok("list_comments", json!({ "workspaceId": "w", "kind": "inaccurate" })).await;
    let row = &listed["rows"][0];
    assert_eq!((&row[0], &row[1], &row[4], &row[7]), (&json!(id), &json!("inaccurate"), &json!("a"), &json!("ada")));
    let reply = json!({ "workspaceId": "w", "threadId": id, "text": "Fixed." });
    assert_eq!(assistant.call_ok("add_comment", reply).await["messageId"], 2);
    let read = assistant.call_ok("list_comments", json!({ "workspaceId": "w", "threadId": id })).await;
    assert_eq!(read["messages"][1]["text"], "Fixed.");
    let resolved = assistant.call_ok("resolve_comment", json!({ "workspaceId": "w", "threadId": id })).await;
    assert_eq!(resolved["state"], "resolved");
    let open = assistant.call_ok("list_comments", json!({ "workspaceId": "w" })).await;
    assert_eq!(open["rows"], json!([]), "open ones are listed unless others are asked for");
    let reopened = json!({ "workspaceId": "w", "threadId": id, "reopen": true });
    assert_eq!(assistant.call_ok("resolve_comment", reopened).await["state"], "open");
    assert_eq!(ada.get(THREADS).await.ok()["threads"][0]["messageCount"], 2);
}

#[tokio::test]
async fn long_lists_are_paged_and_mistakes_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_threads("w", 500);
    let assistant = server.assistant_of("ada").await;
    let (mut ask, mut seen) = (json!({ "workspaceId": "w" }), 0);
    loop {
        let page = assistant.call_ok("list_comments", ask.clone()).await;
        seen += page["rows"].as_array().unwrap().len();
        match &page["nextCursor"] {
            Value::Null => break,
            cursor => ask["cursor"] = cursor.clone(),
        }
    }
    assert_eq!(seen, 500);
    let thread = about(&ada, json!({ "type": "workspace" }), "Hi").await;
    for (arguments, text) in [
        (json!({ "anchorId": "a", "text": "Hi" }), "anchorType: is required with `anchorId`"),
        (json!({ "anchorType": "component", "anchorId": "none", "text": "Hi" }), "does not exist in this workspace"),
        (json!({ "threadId": thread["id"], "kind": "question", "text": "Hi" }), "kind: must be left out"),
        (json!({ "threadId": "none", "text": "Hi" }), "thread not found"),
    ] {
        let mut arguments = arguments;
        arguments["workspaceId"] = json!("w");
        assistant.call_err("add_comment", arguments, text).await;
    }
}
