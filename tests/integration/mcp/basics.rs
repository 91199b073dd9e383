//! Server information and the tool list.

use serde_json::{Value, json};

use super::{NEW, OLD};
use crate::support::{TestServer, assert_contract};

#[tokio::test]
async fn clients_of_both_revisions_learn_the_server_name() {
    let server = TestServer::new().await;
    let new = server.assistant_of("ada").await;
    let found = new.result("server/discover", json!({})).await;
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(NEW)));
    assert_eq!(found["cacheScope"], "private");
    assert!(found["instructions"].as_str().unwrap().contains("list_workspaces"));
    for revision in [OLD, "2025-06-18", "2025-03-26"] {
        let old = new.with_revision(revision);
        let hello = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = old.result("initialize", hello).await;
        assert_eq!((&answer["protocolVersion"], &answer["serverInfo"]["name"]), (&json!(revision), &json!("planroom")));
        assert!(answer["capabilities"]["logging"].is_null());
        let tools = old.result("tools/list", json!({})).await;
        assert!(!tools["tools"].as_array().unwrap().is_empty());
        assert!(tools["resultType"].is_null(), "a word of the new revision");
        assert_eq!(old.result("ping", json!({})).await, json!({}));
    }
}

#[tokio::test]
async fn the_tool_list_is_short_and_compatible_with_all_clients() {
    fn walk(schema: &Value, path: &str) {
        assert!(!schema["type"].is_array(), "{path}: some clients refuse a list of types");
        assert!(schema["$ref"].is_null(), "{path}: some clients follow no reference");
        match schema {
            Value::Object(fields) => fields.iter().for_each(|(name, field)| walk(field, &format!("{path}.{name}"))),
            Value::Array(items) => items.iter().for_each(|item| walk(item, path)),
            _ => {}
        }
    }
    let server = TestServer::new().await;
    let answer = server.assistant_of("ada").await.result("tools/list", json!({})).await;
    assert_eq!(answer["cacheScope"], "private");
    let tools = answer["tools"].as_array().unwrap();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{name}");
        assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{name}: four hints");
        assert!(tool["title"].is_string(), "{name}");
        assert!(tool["description"].as_str().unwrap().len() > 80, "{name}");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{name}");
        walk(schema, name);
        assert_eq!(schema["additionalProperties"], false, "{name}");
        // Without schemas of results there is also no `anyOf` or `oneOf` in them, for which a client drops the server.
        assert!(tool["outputSchema"].is_null(), "{name}: the results explain themselves");
    }
    let mut listed = answer.clone();
    for tool in listed["tools"].as_array_mut().unwrap() {
        // For programs; no model reads it.
        let meta = tool["_meta"].take().to_string();
        assert!(meta.len() <= 110, "{meta}");
    }
    let size = listed.to_string().len();
    assert!(size <= 54_000, "{size} bytes are read with every conversation");
    let model_reads = |tool: &Value| json!([tool["name"], tool["description"], tool["inputSchema"]]).to_string().len();
    let size: usize = tools.iter().map(model_reads).sum();
    assert!(size <= 40_000, "a model reads {size} bytes in every conversation");
}

#[tokio::test]
async fn the_tool_list_matches_the_reviewed_copy() {
    let described = planroom::mcp::tools::described();
    assert_contract("mcp-tools.json", &described);
    let server = TestServer::new().await;
    let answer = server.assistant_of("ada").await.result("tools/list", json!({})).await;
    assert_eq!(answer["tools"], serde_json::to_value(&described).unwrap());
    let callable: Vec<&str> = planroom::mcp::tools::TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(callable, described.iter().map(|tool| &*tool.name).collect::<Vec<_>>());
}

#[tokio::test]
async fn tool_errors_explain_how_to_correct_the_call() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    assistant
        .expect_error("tools/call", json!({ "name": "get_mee", "arguments": {} }), "there is no tool `get_mee`")
        .await;
    assistant.expect_error("nonsense/method", json!({}), "").await;
    assistant.call_err("get_workspace", json!({}), "workspaceId: is required (code: invalid)").await;
    let misspelt = json!({ "workspaceId": "w", "includes": [] });
    assistant.call_err("get_workspace", misspelt, "includes: the tool get_workspace has no such argument").await;
    let typed = json!({ "workspaceId": 7 });
    assistant.call_err("get_workspace", typed, "workspaceId: invalid type: integer `7`, expected a string").await;
    let told = assistant.call_err("get_workspace", json!({ "workspaceId": "nowhere" }), "workspace not found").await;
    assert!(told.contains("(code: not_found). What to do: get the ids with list_workspaces"), "{told}");
}
