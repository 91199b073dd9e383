//! `planroom mcp --stdio`: a bridge from a client without HTTP to the MCP server of any instance.
//!
//! It forwards messages unchanged, without knowledge of tools, and adds the HTTP headers that the protocol requires.
//! Client and server therefore negotiate the protocol revision between themselves.

use std::{io::BufRead, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use clap::Args;
use serde_json::{Value, json};
use ureq::{Agent, http::Response};
use url::Url;

use super::{
    client::{self, Instance},
    output::{Failure, print, warn},
};

/// First protocol revision that repeats version, method and name in headers.
const WITH_HEADERS: &str = "2026-07-28";
/// JSON pointer to the revision in a request of that revision or later.
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
/// Timeout for a response.
const TIMEOUT: Duration = Duration::from_mins(2);

#[derive(Debug, Args)]
pub(super) struct Mcp {
    /// Read messages from standard input and write them to standard output, one per line
    #[arg(long, required = true)]
    stdio: bool,
    #[command(flatten)]
    instance: Instance,
}

impl Mcp {
    pub(super) fn run(self) -> Result<(), Failure> {
        let token = client::token()?;
        let url = self.instance.url.map_or_else(|| Url::parse(client::LOCAL), Ok)?;
        client::check(&url)?;
        let endpoint = format!("{}/mcp", url.as_str().trim_end_matches('/'));
        let mut bridge = Bridge { agent: client::agent(TIMEOUT), endpoint, token, version: None };
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            for answer in bridge.forward(line.trim())? {
                print(&format!("{answer}\n"))?;
            }
        }
        Ok(())
    }
}

struct Bridge {
    agent: Agent,
    endpoint: String,
    token: String,
    /// The negotiated revision, for revisions with an `initialize` request.
    version: Option<String>,
}

impl Bridge {
    /// Forwards a message. Returns the responses.
    fn forward(&mut self, line: &str) -> Result<Vec<Value>, Failure> {
        if line.is_empty() {
            return Ok(Vec::new());
        }
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return Ok(vec![refusal(&Value::Null, -32_700, "this line is not valid JSON")]);
        };
        let (id, is_request) = (&message["id"], message["method"].is_string() && message.get("id").is_some());
        match self.send(&message, line) {
            Ok(answers) => Ok(answers),
            Err(text) if is_request => Ok(vec![refusal(id, -32_000, &text)]),
            Err(text) => warn(&text).map(|()| Vec::new()),
        }
    }

    fn send(&mut self, message: &Value, line: &str) -> Result<Vec<Value>, String> {
        let method = message["method"].as_str();
        let version = message.pointer(VERSION).and_then(Value::as_str).or(self.version.as_deref());
        let mut request = self
            .agent
            .post(&self.endpoint)
            .header("authorization", format!("Bearer {}", self.token))
            .header("accept", "application/json, text/event-stream")
            .content_type("application/json");
        if let Some(version) = version.filter(|_| method != Some("initialize")) {
            request = request.header("mcp-protocol-version", version);
            if version >= WITH_HEADERS {
                let params = &message["params"];
                let name = params["name"].as_str().or(params["uri"].as_str());
                for (header, value) in [("mcp-method", method), ("mcp-name", name)] {
                    if let Some(value) = value {
                        request = request.header(header, in_header(value));
                    }
                }
            }
        }
        let response = request.send(line).map_err(|error| format!("cannot reach {}: {error}", self.endpoint))?;
        let answers = self.read(response)?;
        if method == Some("initialize") {
            let agreed = answers.iter().find_map(|answer| answer["result"]["protocolVersion"].as_str());
            self.version = agreed.map(str::to_owned).or(self.version.take());
        }
        Ok(answers)
    }

    /// The messages in a response: a single one or a stream.
    fn read(&self, mut response: Response<ureq::Body>) -> Result<Vec<Value>, String> {
        let status = response.status();
        let streamed = response.body().mime_type() == Some("text/event-stream");
        let text = response
            .body_mut()
            .read_to_string()
            .map_err(|error| format!("the response of {} is incomplete: {error}", self.endpoint))?;
        let messages: Option<Vec<Value>> = if streamed {
            let events =
                text.lines().filter_map(|line| line.strip_prefix("data:")).filter(|data| !data.trim().is_empty());
            events.map(|data| serde_json::from_str(data).ok()).collect()
        } else {
            let one = Some(text.as_str()).filter(|text| !text.trim().is_empty());
            one.map(|text| serde_json::from_str(text).ok()).into_iter().collect()
        };
        match messages {
            Some(messages) if messages.iter().all(|message| message["jsonrpc"] == "2.0") => Ok(messages),
            Some(messages) => {
                let why = messages.iter().find_map(|message| message["error"].as_str()).unwrap_or("not an MCP message");
                Err(format!("{} responded {status}: {why}", self.endpoint))
            }
            None => {
                let text: String = text.chars().take(200).collect();
                Err(format!("{} responded {status}: {text}", self.endpoint))
            }
        }
    }
}

/// Encodes a header value as the protocol specifies: values that are not plain ASCII are encoded in Base64.
fn in_header(value: &str) -> String {
    if value.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && value.trim() == value {
        return value.to_owned();
    }
    format!("=?base64?{}?=", BASE64_STANDARD.encode(value))
}

fn refusal(id: &Value, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}
