//! Requests of commands to an instance, with a personal access token.

use std::time::Duration;

use clap::Args;
use serde_json::Value;
use ureq::{Agent, Body, RequestBuilder, http::Response, typestate::WithBody};
use url::{Host, Url};

use super::output::{Failure, warn};
use crate::outbound;

/// The variable with the URL.
pub(super) const URL: &str = "PLANROOM_CLIENT_URL";
/// The variable with the token. There is no flag for it because all users of a machine can see arguments.
const TOKEN: &str = "PLANROOM_CLIENT_TOKEN";
/// The address of a server on this machine.
pub(super) const LOCAL: &str = "http://127.0.0.1:8420";
/// Maximum number of attempts of a request.
const MAX_ATTEMPTS: u32 = 4;
/// Maximum size of a response, in bytes.
const MAX_RESPONSE_BYTES: u64 = 256 << 20;

/// The address of an instance.
#[derive(Debug, Args)]
pub(super) struct Instance {
    /// URL of the instance [default: http://127.0.0.1:8420]; set PLANROOM_CLIENT_TOKEN to a personal access token
    #[arg(long, value_name = "URL", env = URL)]
    pub(super) url: Option<Url>,
}

/// The token from the environment.
pub(super) fn token() -> Result<String, Failure> {
    let token = std::env::var(TOKEN).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
    token.ok_or_else(|| {
        format!("{TOKEN} is not set; create a personal access token in the web client under Account → Access").into()
    })
}

/// Refuses addresses other than HTTP, and warns about a token that is sent unencrypted.
pub(super) fn check(url: &Url) -> Result<(), Failure> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("--url must begin with http:// or https://, not {}:", url.scheme()).into());
    }
    if url.scheme() == "http" && !is_local(url) {
        warn("warning: the token is sent unencrypted; use https:// if the server supports it")?;
    }
    Ok(())
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// An agent that does not follow redirects, which would send the token to another server.
pub(super) fn agent(timeout: Duration) -> Agent {
    let config = Agent::config_builder()
        .tls_config(outbound::tls())
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(timeout));
    config.build().into()
}

/// A client of the REST API.
pub(super) struct Client {
    agent: Agent,
    base: String,
    token: String,
}

/// The response to a request that the server understood.
pub(super) struct ApiResponse {
    pub(super) status: u16,
    pub(super) body: Value,
}

impl ApiResponse {
    /// The message of an error.
    pub(super) fn message(&self) -> String {
        let message = self.body["error"].as_str().or(self.body["detail"].as_str()).unwrap_or("no message");
        format!("the server responded {}: {message}", self.status)
    }
}

impl Client {
    pub(super) fn new(url: &Url, timeout: Duration) -> Result<Self, Failure> {
        check(url)?;
        let base = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { agent: agent(timeout), base, token: token()? })
    }

    pub(super) fn get(&self, path: &str) -> Result<ApiResponse, Failure> {
        self.send(path, |url, _| self.authorized(self.agent.get(url)).call())
    }

    /// Sends JSON. All attempts have the same idempotency key, so that a repeated request is executed once.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<ApiResponse, Failure> {
        let text = body.to_string();
        self.send(path, |url, key| self.with_body(self.agent.post(url), key).send(&text))
    }

    /// Sends JSON that changes a row.
    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<ApiResponse, Failure> {
        let text = body.to_string();
        self.send(path, |url, key| self.with_body(self.agent.patch(url), key).send(&text))
    }

    fn authorized<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        request.header("authorization", format!("Bearer {}", self.token))
    }

    fn with_body(&self, request: RequestBuilder<WithBody>, key: &str) -> RequestBuilder<WithBody> {
        self.authorized(request).header("idempotency-key", key).content_type("application/json")
    }

    /// Sends a request to a URL, with an idempotency key, until the server answers it.
    fn send(
        &self,
        path: &str,
        request: impl Fn(&str, &str) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<ApiResponse, Failure> {
        let (url, key) = (format!("{}{path}", self.base), uuid::Uuid::now_v7().to_string());
        let mut attempt = 1;
        loop {
            let wait = match request(&url, &key) {
                Ok(mut response) => {
                    let status = response.status().as_u16();
                    let wait =
                        response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
                    let read = response.body_mut().with_config().limit(MAX_RESPONSE_BYTES).read_to_string();
                    let body = read.map_err(|error| format!("the response of {url} is incomplete: {error}"))?;
                    if !matches!(status, 429 | 502..=504) || attempt == MAX_ATTEMPTS {
                        return parse(&url, status, &body);
                    }
                    wait
                }
                Err(error) if attempt == MAX_ATTEMPTS => return Err(format!("cannot reach {url}: {error}").into()),
                Err(_) => None,
            };
            std::thread::sleep(Duration::from_secs(wait.unwrap_or(u64::from(attempt)).min(60)));
            attempt += 1;
        }
    }
}

fn parse(url: &str, status: u16, body: &str) -> Result<ApiResponse, Failure> {
    match (status, serde_json::from_str(body)) {
        (401, _) => Err("the token is not accepted; create a new one in the web client under Account → Access"
            .to_owned()
            .into()),
        (_, Ok(body)) => Ok(ApiResponse { status, body }),
        (300..=399, _) => Err(format!("{url} redirects; set --url to the address that it redirects to").into()),
        (_, Err(_)) => {
            let start: String = body.chars().take(200).collect();
            Err(format!("{url} responded {status}, and not with JSON: {start}").into())
        }
    }
}
