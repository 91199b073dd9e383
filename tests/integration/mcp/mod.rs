//! The MCP server through the real router, in both revisions of the protocol.

mod admission;
mod apps;
mod basics;
mod budget;
mod change_sets;
mod corrections;
mod destroying;
mod drawing;
mod drawn;
mod hidden;
mod history;
mod lists;
mod map_fields;
mod matrix;
mod placement;
mod placement_properties;
mod plans;
mod processes;
mod queries;
mod reading;
mod resources;
mod tenants;
mod texts;
mod upserts;
mod views;
mod wiki;
mod writing;

use std::sync::LazyLock;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

/// The newest revision, without sessions and handshakes.
const NEW: &str = "2026-07-28";
/// The revision that most clients use.
const OLD: &str = "2025-11-25";
/// The host name of a test server.
const HOST: &str = "planroom.test";

/// An assistant that acts for a user.
pub struct Assistant<'s> {
    client: TestClient<'s>,
    revision: &'static str,
}

impl TestServer {
    /// An assistant with a personal access token of the user.
    pub async fn assistant_of(&self, login: &str) -> Assistant<'_> {
        Assistant { client: self.script_client(login).await, revision: NEW }
    }
}

impl<'s> Assistant<'s> {
    fn new(client: TestClient<'s>) -> Self {
        Self { client, revision: NEW }
    }

    /// The same with another protocol revision.
    fn with_revision(&self, revision: &'static str) -> Self {
        Self { client: self.client.clone(), revision }
    }

    /// Sends a request. Returns the HTTP response.
    async fn ask(&self, method: &str, mut params: Value) -> TestResponse {
        let mut client = self.client.header("host", HOST).header("accept", "application/json, text/event-stream");
        client = client.header("mcp-protocol-version", self.revision);
        if self.revision == NEW {
            client = client.header("mcp-method", method);
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                client = client.header("mcp-name", name);
            }
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEW,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        client.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_string()).await
    }

    /// Sends a request that must succeed.
    async fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.ask(method, params).await;
        let body = reply.ok();
        assert_eq!(body["id"], 7, "{reply}");
        assert!(body["result"].is_object(), "{reply}");
        body["result"].clone()
    }

    /// Sends a request that must fail with a protocol error.
    async fn expect_error(&self, method: &str, params: Value, text: &str) -> Value {
        let reply = self.ask(method, params).await;
        let error = reply.json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| message.contains(text)), "{reply}: expected `{text}`");
        error
    }

    /// Calls a tool. Checks its arguments against the tool's schema, and every result against the budget and its copies
    /// against each other.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let reply = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let body = reply.ok();
        let result = &body["result"];
        // A picture of 400 KB in Base64, which no client reads as text.
        let most = if tool == "draw_map" { 540 << 10 } else { 128 << 10 };
        assert!(result.to_string().len() <= most, "{tool} answered {} bytes", body.to_string().len());
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned();
        assert!(text.len() <= 40 << 10, "{tool} answered a text of {} bytes", text.len());
        if result["isError"] == true {
            assert!(text.contains("(code: ") && text.contains("What to do: "), "{text}");
            return Err(text);
        }
        let structured = result["structuredContent"].clone();
        if tool == "draw_map" {
            assert!(structured.is_null(), "clients pass structured content to models as text");
            check_schema(tool, &arguments);
            return Ok(result["content"].clone());
        }
        let shown: Value = serde_json::from_str(&text).unwrap();
        // Rows of a trace are objects in the structured content.
        if shown["rows"].is_null() || !structured["reached"].is_array() {
            let mut compared = structured.clone();
            if tool == "get_process" {
                // Models read the messages in the diagram.
                compared.as_object_mut().unwrap().shift_remove("steps");
            }
            assert_eq!(shown, compared, "both copies are complete");
        } else {
            assert_eq!(shown["rows"].as_array().unwrap().len(), structured["reached"].as_array().unwrap().len());
        }
        check_schema(tool, &arguments);
        Ok(structured)
    }

    /// Calls a tool that must succeed.
    #[track_caller]
    pub fn call_ok<'a>(&'a self, tool: &'a str, arguments: Value) -> impl Future<Output = Value> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let told = self.call(tool, arguments.clone()).await;
            told.unwrap_or_else(|error| panic!("{place}: {tool} {arguments}: {error}"))
        }
    }

    /// Calls a tool that must fail with a message that contains `text`.
    #[track_caller]
    pub fn call_err<'a>(&'a self, tool: &'a str, arguments: Value, text: &'a str) -> impl Future<Output = String> + 'a {
        let place = std::panic::Location::caller();
        async move {
            match self.call(tool, arguments.clone()).await {
                Ok(value) => panic!("{place}: {tool} {arguments} was done: {value}"),
                Err(error) => {
                    assert!(error.contains(text), "{place}: {tool} {arguments}: expected `{text}` in {error}");
                    error
                }
            }
        }
    }
}

/// The definitions of the tools.
static DESCRIBED: LazyLock<Vec<rmcp::model::Tool>> = LazyLock::new(planroom::mcp::tools::described);

/// Panics if the arguments do not match the schema of the tool.
fn check_schema(tool: &str, taken: &Value) {
    let listed = DESCRIBED.iter().find(|described| described.name == tool).unwrap().clone();
    let schema = Value::Object((*listed.input_schema).clone());
    let validator = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<String> = validator.iter_errors(taken).map(|problem| problem.to_string()).take(3).collect();
    assert!(problems.is_empty(), "{tool}: {taken} is not as its schema says: {problems:?}");
}
