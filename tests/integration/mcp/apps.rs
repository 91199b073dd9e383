//! The page on which clients with MCP Apps (SEP-1865) show maps: what such a client validates.

use serde_json::{Value, json};

use super::{Assistant, OLD};
use crate::support::TestServer;

const PAGE: &str = "ui://planroom/map.html";
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";
const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// Tools whose result is about a part of a map.
const SHOWN: [&str; 5] = ["get_workspace", "trace_dependencies", "find_paths", "get_process", "draw_map"];

/// The tools that have a page.
async fn tools(assistant: &Assistant<'_>) -> Vec<Value> {
    let listed = assistant.result("tools/list", json!({})).await;
    let tools = listed["tools"].as_array().unwrap();
    tools.iter().filter(|tool| !tool["_meta"].is_null()).cloned().collect()
}

#[tokio::test]
async fn clients_of_both_revisions_learn_that_tools_have_a_page() {
    let server = TestServer::new().await;
    let new = server.assistant_of("ada").await;
    let found = new.result("server/discover", json!({})).await;
    assert_eq!(found["capabilities"]["extensions"][EXTENSION]["mimeTypes"], json!([MEDIA_TYPE]));
    let old = new.with_revision(OLD);
    let capabilities = json!({ "extensions": { EXTENSION: { "mimeTypes": [MEDIA_TYPE] } } });
    let hello = json!({ "protocolVersion": OLD, "capabilities": capabilities, "clientInfo": { "name": "test", "version": "1" } });
    let answer = old.result("initialize", hello).await;
    assert_eq!(answer["capabilities"]["extensions"][EXTENSION]["mimeTypes"], json!([MEDIA_TYPE]));
    for assistant in [new, old] {
        let named: Vec<Value> = tools(&assistant).await.iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(named, SHOWN);
    }
}

#[tokio::test]
async fn the_metadata_of_tools_name_the_page_in_both_forms() {
    let server = TestServer::new().await;
    for tool in tools(&server.assistant_of("ada").await).await {
        assert_eq!(tool["_meta"], json!({ "ui": { "resourceUri": PAGE }, "ui/resourceUri": PAGE }), "{}", tool["name"]);
    }
}

#[tokio::test]
async fn tools_with_a_page_have_schemas_that_all_clients_accept() {
    let server = TestServer::new().await;
    for tool in tools(&server.assistant_of("ada").await).await {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert!(jsonschema::meta::is_valid(schema), "{schema}");
        jsonschema::validator_for(schema).unwrap();
        for word in ["anyOf", "oneOf", "$ref"] {
            assert!(!schema.to_string().contains(word), "{} has {word}", tool["name"]);
        }
    }
}

#[tokio::test]
async fn the_page_is_listed_with_its_media_type() {
    let server = TestServer::new().await;
    let listed = server.assistant_of("ada").await.result("resources/list", json!({})).await;
    let pages: Vec<&Value> = listed["resources"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["uri"].as_str().unwrap().starts_with("ui://"))
        .collect();
    assert_eq!(pages.len(), 1);
    assert_eq!((&pages[0]["uri"], &pages[0]["mimeType"]), (&json!(PAGE), &json!(MEDIA_TYPE)));
    assert!(["name", "title", "description"].iter().all(|field| pages[0][field].is_string()), "{}", pages[0]);
}

#[tokio::test]
async fn the_page_is_readable_for_users_without_an_organization_and_for_nobody_else() {
    let server = TestServer::new().await;
    server.assistant_of("ada").await.read(PAGE).await;
    server.seed_org("other", "olga");
    server.assistant_of("olga").await.read(PAGE).await;
    let stranger = Assistant::new(server.with("svc_pat_unknown"));
    let reply = stranger.ask("resources/read", json!({ "uri": PAGE })).await;
    assert_eq!(reply.status.as_u16(), 401);
    let other = json!({ "uri": "ui://planroom/other.html" });
    server.assistant_of("ada").await.expect_error("resources/read", other, "resource not found").await;
}

#[tokio::test]
async fn the_page_is_one_small_html_document_that_loads_nothing() {
    let server = TestServer::new().await;
    let (html, kind) = server.assistant_of("ada").await.read(PAGE).await;
    assert_eq!(kind, MEDIA_TYPE);
    assert!(html.to_ascii_lowercase().starts_with("<!doctype html>\n<html lang=\"en\">"), "is the web client built?");
    assert!(html.len() <= 38_000, "{} bytes", html.len());
    for part in ["<meta charset", "<title>", "<main>", "</html>"] {
        assert_eq!(html.matches(part).count(), 1, "{part}");
    }
    // One script in the page, and nothing that the strictest policy of a client would block.
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (1, 1));
    for word in
        ["src=", "href=", "<link", "<style", "@import", "@font-face", "eval(", "new Function", "innerHTML", "fetch("]
    {
        assert!(!html.contains(word), "{word}");
    }
}

#[tokio::test]
async fn the_metadata_of_the_page_ask_for_no_exceptions() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    let read = assistant.result("resources/read", json!({ "uri": PAGE })).await;
    let expected = json!({ "ui": { "csp": {}, "prefersBorder": false } });
    assert_eq!(read["contents"][0]["_meta"], expected);
    let listed = assistant.result("resources/list", json!({})).await;
    let page = listed["resources"].as_array().unwrap().iter().find(|one| one["uri"] == PAGE).unwrap();
    assert_eq!(page["_meta"], expected, "clients that ask for consent before they read");
}
