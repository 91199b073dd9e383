//! Assistants: the MCP server through the real router, in both eras of the protocol.

mod admission;
mod basics;
mod budget;
mod change_sets;
mod matrix;
mod reading;
mod resources;
mod tenants;
mod texts;
mod wiki;
mod writing;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{Actor, Reply, Stage};

/// The newest revision, without sessions and handshakes.
const NEW: &str = "2026-07-28";
/// The one that most clients speak.
const OLD: &str = "2025-11-25";
/// The host of a stage.
const HOST: &str = "planroom.test";

/// An assistant that speaks for somebody.
struct Assistant<'s> {
    actor: Actor<'s>,
    era: &'static str,
}

impl Stage {
    /// An assistant with a personal access token of the user's.
    async fn assistant_of(&self, login: &str) -> Assistant<'_> {
        Assistant { actor: self.script_of(login).await, era: NEW }
    }
}

impl<'s> Assistant<'s> {
    fn new(actor: Actor<'s>) -> Self {
        Self { actor, era: NEW }
    }

    /// The same, speaking another revision of the protocol.
    fn in_the_era(&self, era: &'static str) -> Self {
        Self { actor: self.actor.clone(), era }
    }

    /// Sends a request. Answers with what HTTP says.
    async fn ask(&self, method: &str, mut params: Value) -> Reply {
        let mut actor = self.actor.header("host", HOST).header("accept", "application/json, text/event-stream");
        actor = actor.header("mcp-protocol-version", self.era);
        if self.era == NEW {
            actor = actor.header("mcp-method", method);
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                actor = actor.header("mcp-name", name);
            }
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEW,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        actor.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_string()).await
    }

    /// Sends a request that is answered with a result.
    async fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.ask(method, params).await;
        let body = reply.ok();
        assert_eq!(body["id"], 7, "{reply}");
        assert!(body["result"].is_object(), "{reply}");
        body["result"].clone()
    }

    /// Sends a request that is refused by the protocol.
    async fn refused(&self, method: &str, params: Value, text: &str) -> Value {
        let reply = self.ask(method, params).await;
        let error = reply.json()["error"].clone();
        assert!(error["message"].as_str().is_some_and(|message| message.contains(text)), "{reply}: expected `{text}`");
        error
    }

    /// Calls a tool. Every answer is held against the tool's schema and the budget, and its copies against each other.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let reply = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let body = reply.ok();
        assert!(body["result"].to_string().len() <= 40 << 10, "{tool} answered {} bytes", body.to_string().len());
        let result = &body["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned();
        if result["isError"] == true {
            assert!(text.contains("(code: ") && text.contains("What to do: "), "{text}");
            return Err(text);
        }
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), structured, "both copies are complete");
        hold(tool, &arguments, &structured);
        Ok(structured)
    }

    /// Calls a tool that does what it should.
    #[track_caller]
    fn does<'a>(&'a self, tool: &'a str, arguments: Value) -> impl Future<Output = Value> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let told = self.call(tool, arguments.clone()).await;
            told.unwrap_or_else(|error| panic!("{place}: {tool} {arguments}: {error}"))
        }
    }

    /// Calls a tool that answers with an error that contains `text`.
    #[track_caller]
    fn fails<'a>(&'a self, tool: &'a str, arguments: Value, text: &'a str) -> impl Future<Output = String> + 'a {
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

/// Panics when an answer is not what the tool promises, or what was taken is not what it says that it takes.
fn hold(tool: &str, taken: &Value, answer: &Value) {
    let listed = planroom::mcp::tools::named(tool).unwrap().listed();
    for (schema, value) in [(listed.input_schema, taken), (listed.output_schema.unwrap(), answer)] {
        let schema = Value::Object((*schema).clone());
        let validator = jsonschema::validator_for(&schema).unwrap();
        let problems: Vec<String> = validator.iter_errors(value).map(|problem| problem.to_string()).take(3).collect();
        assert!(problems.is_empty(), "{tool}: {value} is not as its schema says: {problems:?}");
    }
}
