//! What a client learns of the server, and the first tools.

use serde_json::{Value, json};

use super::{NEW, OLD};
use crate::support::Stage;

#[tokio::test]
async fn both_eras_learn_who_they_speak_to() {
    let stage = Stage::new().await;
    let new = stage.assistant_of("ada").await;
    let found = new.result("server/discover", json!({})).await;
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(NEW)));
    assert_eq!(found["cacheScope"], "private");
    assert!(found["instructions"].as_str().unwrap().contains("list_workspaces"));
    for era in [OLD, "2025-06-18", "2025-03-26"] {
        let old = new.in_the_era(era);
        let hello =
            json!({ "protocolVersion": era, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = old.result("initialize", hello).await;
        assert_eq!((&answer["protocolVersion"], &answer["serverInfo"]["name"]), (&json!(era), &json!("planroom")));
        assert!(answer["capabilities"]["logging"].is_null());
        let tools = old.result("tools/list", json!({})).await;
        assert!(!tools["tools"].as_array().unwrap().is_empty());
        assert!(tools["resultType"].is_null(), "a word of the new era");
        assert_eq!(old.result("ping", json!({})).await, json!({}));
    }
}

#[tokio::test]
async fn the_list_of_tools_is_short_and_good_for_every_client() {
    fn walk(schema: &Value, path: &str) {
        assert!(!schema["type"].is_array(), "{path}: some clients refuse a list of types");
        assert!(schema["$ref"].is_null(), "{path}: some clients follow no reference");
        match schema {
            Value::Object(fields) => fields.iter().for_each(|(name, field)| walk(field, &format!("{path}.{name}"))),
            Value::Array(items) => items.iter().for_each(|item| walk(item, path)),
            _ => {}
        }
    }
    let stage = Stage::new().await;
    let answer = stage.assistant_of("ada").await.result("tools/list", json!({})).await;
    assert_eq!(answer["cacheScope"], "private");
    let tools = answer["tools"].as_array().unwrap();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{name}");
        assert_eq!(tool["annotations"].as_object().unwrap().len(), 4, "{name}: four hints");
        assert!(tool["title"].is_string(), "{name}");
        assert!(tool["description"].as_str().unwrap().len() > 80, "{name}");
        for (schema, strict) in [("inputSchema", true), ("outputSchema", false)] {
            assert_eq!(tool[schema]["type"], "object", "{name}");
            walk(&tool[schema], &format!("{name}.{schema}"));
            assert_eq!(tool[schema]["additionalProperties"] == false, strict, "{name}.{schema}");
        }
    }
    let size = answer.to_string().len();
    assert!(size <= 40 << 10, "{size} bytes are read with every conversation");
    insta::assert_snapshot!("tools", format!("{} tools, {size} bytes\n{answer:#}", tools.len()));
}

#[tokio::test]
async fn mistakes_are_told_so_that_the_next_try_is_right() {
    let stage = Stage::new().await;
    let assistant = stage.assistant_of("ada").await;
    assistant.refused("tools/call", json!({ "name": "get_mee", "arguments": {} }), "there is no tool `get_mee`").await;
    assistant.refused("nonsense/method", json!({}), "").await;
    assistant.fails("get_workspace", json!({}), "workspaceId: is required (code: invalid)").await;
    let misspelt = json!({ "workspaceId": "w", "includes": [] });
    assistant.fails("get_workspace", misspelt, "includes: the tool get_workspace takes no such argument").await;
    let typed = json!({ "workspaceId": 7 });
    assistant.fails("get_workspace", typed, "workspaceId: invalid type: integer `7`, expected a string").await;
    let told = assistant.fails("get_workspace", json!({ "workspaceId": "nowhere" }), "workspace not found").await;
    assert!(told.contains("(code: not_found). What to do: list_workspaces"), "{told}");
}
