//! `planroom mcp --stdio`: a bridge from a client without HTTP to the MCP server of any instance.
//!
//! It forwards messages as they are and knows nothing of tools; what it adds are the headers that the protocol wants over
//! HTTP. So a client speaks whichever revision it and the server know.

use std::{io::BufRead, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use clap::Args;
use serde_json::{Value, json};
use ureq::{Agent, http::Response};
use url::{Host, Url};

use super::output::{Failure, print, warn};
use crate::outbound;

/// Holds the token: arguments are seen by everybody on the machine.
const TOKEN: &str = "PLANROOM_CLIENT_TOKEN";
/// The first revision that repeats version, method and name in headers.
const WITH_HEADERS: &str = "2026-07-28";
/// Where a request of that revision says which it speaks.
const VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(2);

#[derive(Debug, Args)]
pub(super) struct Mcp {
    /// Read messages from standard input and write them to standard output, one a line
    #[arg(long, required = true)]
    stdio: bool,
    /// The instance to speak to; the personal access token is in PLANROOM_CLIENT_TOKEN
    #[arg(long, value_name = "URL", env = "PLANROOM_CLIENT_URL", default_value = "http://127.0.0.1:8420")]
    url: Url,
}

impl Mcp {
    pub(super) fn run(self) -> Result<(), Failure> {
        let token = std::env::var(TOKEN).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| {
            format!("{TOKEN} is not set; put a personal access token there, made in the web client under Account")
        })?;
        if !matches!(self.url.scheme(), "http" | "https") {
            return Err(format!("--url must begin with http:// or https://, not {}:", self.url.scheme()).into());
        }
        if self.url.scheme() == "http" && !is_local(&self.url) {
            warn("the token goes over the network unencrypted; use https:// if the server has it")?;
        }
        let endpoint = format!("{}/mcp", self.url.as_str().trim_end_matches('/'));
        // A redirect would take the token to somebody who was not asked for.
        let config = Agent::config_builder()
            .tls_config(outbound::tls())
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE));
        let mut bridge = Bridge { agent: config.build().into(), endpoint, token, version: None };
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            for answer in bridge.forward(line.trim())? {
                print(&format!("{answer}\n"))?;
            }
        }
        Ok(())
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

struct Bridge {
    agent: Agent,
    endpoint: String,
    token: String,
    /// The revision that client and server agreed on, where the protocol lets them.
    version: Option<String>,
}

impl Bridge {
    /// Forwards a message. Answers with those that came back.
    fn forward(&mut self, line: &str) -> Result<Vec<Value>, Failure> {
        if line.is_empty() {
            return Ok(Vec::new());
        }
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            return Ok(vec![refusal(&Value::Null, -32_700, "this line is no JSON")]);
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
        let response = request.send(line).map_err(|error| format!("{} cannot be reached: {error}", self.endpoint))?;
        let answers = self.read(response)?;
        if method == Some("initialize") {
            let agreed = answers.iter().find_map(|answer| answer["result"]["protocolVersion"].as_str());
            self.version = agreed.map(str::to_owned).or(self.version.take());
        }
        Ok(answers)
    }

    /// The messages in an answer: one, or a stream of them.
    fn read(&self, mut response: Response<ureq::Body>) -> Result<Vec<Value>, String> {
        let status = response.status();
        let streamed = response.body().mime_type() == Some("text/event-stream");
        let text =
            response.body_mut().read_to_string().map_err(|error| format!("{} broke off: {error}", self.endpoint))?;
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
                let why = messages
                    .iter()
                    .find_map(|message| message["error"].as_str())
                    .unwrap_or("no message of the protocol");
                Err(format!("{} answered {status}: {why}", self.endpoint))
            }
            None => {
                let text: String = text.chars().take(200).collect();
                Err(format!("{} answered {status}: {text}", self.endpoint))
            }
        }
    }
}

/// A value as a header takes it: what is not plain ASCII is encoded as the protocol says.
fn in_header(value: &str) -> String {
    if value.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && value.trim() == value {
        return value.to_owned();
    }
    format!("=?base64?{}?=", BASE64_STANDARD.encode(value))
}

fn refusal(id: &Value, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
}
