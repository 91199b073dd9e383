//! Calls of the provider's API: headers, timeouts, rate limits, retries and errors.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use quick_cache::sync::Cache;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use super::{
    cache::{CACHE_TIME, CachedPage, CachedUpload},
    error::WikiError,
    rate_limit::RateLimit,
};
use crate::{
    outbound::{Method, Outbound, OutboundError, OutboundRequest, OutboundResponse},
    secret::Secret,
};

/// Maximum size of a response in bytes: a hundred pages with all their properties.
const MAX_RESPONSE_BYTES: u64 = 16 << 20;
/// Wait before a retry if the provider is overloaded and gives no `Retry-After`.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// Maximum `Retry-After` that is honored.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(1);
/// Maximum number of cached pages, over all connections.
const MAX_CACHED_PAGES: usize = 10_000;
/// Maximum number of cached upload URLs, over all connections.
const MAX_CACHED_UPLOADS: usize = 1_000;

/// How the provider is reached.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// Base URL of the API.
    pub api: Url,
    /// Version of the API, for example `2026-03-11`.
    pub version: String,
    /// Maximum number of requests per second on a connection.
    pub per_second: usize,
}

/// A client of the provider's API, shared by all organizations.
#[derive(Debug)]
pub struct Client {
    outbound: Outbound,
    options: ClientOptions,
    rate_limits: Mutex<HashMap<String, Arc<RateLimit>>>,
    /// Recently read data of pages and databases, by connection and id.
    pub(super) seen: Cache<(String, String), CachedPage>,
    /// URLs of uploads, by connection and icon text.
    pub(super) signed: Cache<(String, String), CachedUpload>,
}

/// An error response: API errors have a `code`, OAuth errors an `error`.
#[derive(Default, Deserialize)]
struct ErrorBody {
    code: Option<String>,
    error: Option<String>,
    request_id: Option<String>,
}

impl Client {
    /// Creates a client that sends its requests through `outbound`.
    pub fn new(outbound: Outbound, options: ClientOptions) -> Self {
        let (seen, signed) = (Cache::new(MAX_CACHED_PAGES), Cache::new(MAX_CACHED_UPLOADS));
        Self { outbound, options, rate_limits: Mutex::default(), seen, signed }
    }

    /// Clears the cache of a connection that has ended or been replaced.
    pub fn clear_cache(&self, connection: &str) {
        self.seen.retain(|(of, _), _| of != connection);
        self.signed.retain(|(of, _), _| of != connection);
    }

    /// The URL of an upload, if it was read recently on this connection. Sends no request.
    pub fn signed(&self, connection: &str, text: &str) -> Option<Secret> {
        let signed = self.signed.get(&(connection.to_owned(), text.to_owned()))?;
        (signed.at.elapsed() < CACHE_TIME).then_some(signed.address)
    }

    /// Interval between background calls: they use a third of the rate, and two thirds are reserved for requests of
    /// users.
    pub fn background_delay(&self) -> Duration {
        Duration::from_secs(3) / u32::try_from(self.options.per_second.max(1)).unwrap_or(u32::MAX)
    }

    /// Host of the provider, shown to operators.
    pub fn host(&self) -> &str {
        self.options.api.host_str().unwrap_or_default()
    }

    /// Builds a URL of the API from path segments.
    pub(super) fn url(&self, path: &[&str]) -> Url {
        let mut url = self.options.api.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        url
    }

    /// Reserves the next turn on a connection for the first call of a [`ConnectionAccess`](super::ConnectionAccess), so that
    /// callers can wait for it without occupying a thread.
    pub fn reserve(&self, connection: &str, deadline: Instant) -> Result<Instant, WikiError> {
        self.turn(&self.rate_limit(connection), Instant::now(), deadline)
    }

    fn turn(&self, rate_limit: &RateLimit, now: Instant, deadline: Instant) -> Result<Instant, WikiError> {
        rate_limit.turn(now, deadline, self.options.per_second).map_err(|wait| WikiError::Unavailable {
            cause: "too many requests at once on this connection".into(),
            retry_after: Some(wait),
        })
    }

    pub(super) fn rate_limit(&self, connection: &str) -> Arc<RateLimit> {
        let mut rate_limits = self.rate_limits.lock().unwrap_or_else(PoisonError::into_inner);
        if !rate_limits.contains_key(connection) {
            let now = Instant::now();
            rate_limits.retain(|_, rate_limit| Arc::strong_count(rate_limit) > 1 || !rate_limit.is_idle(now));
        }
        Arc::clone(rate_limits.entry(connection.to_owned()).or_default())
    }

    /// Sends a request and retries while the provider is overloaded and there is time.
    pub(super) fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        url: &Url,
        authorization: &str,
        body: Option<&Value>,
        rate_limit: Option<(&RateLimit, Option<Instant>)>,
        deadline: Instant,
    ) -> Result<T, WikiError> {
        let (rate_limit, mut reserved) =
            rate_limit.map_or((None, None), |(rate_limit, reserved)| (Some(rate_limit), reserved));
        let body = body.map(Value::to_string);
        let mut headers = vec![
            ("Authorization", authorization),
            ("Notion-Version", self.options.version.as_str()),
            ("Accept", "application/json"),
        ];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        let body = body.as_deref().map(str::as_bytes);
        let mut delay = RETRY_DELAY;
        loop {
            if let Some(rate_limit) = rate_limit {
                let now = Instant::now();
                let turn = reserved.take().map_or_else(|| self.turn(rate_limit, now, deadline), Ok)?;
                std::thread::sleep(turn.saturating_duration_since(now));
            }
            let request =
                OutboundRequest { method, url, headers: &headers, body, deadline, max_bytes: MAX_RESPONSE_BYTES };
            let answer = self.outbound.send(&request).map_err(|failure| unreachable(url, &failure))?;
            let wait = match answer.status {
                429 | 529 => {
                    let requested = answer.header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
                    // A `Retry-After` of 0 is ignored: immediate requests are what triggered the limit.
                    requested.filter(|seconds| *seconds > 0).map_or(delay, Duration::from_secs).min(MAX_RETRY_AFTER)
                }
                _ => return parse_response(url, &answer),
            };
            log(url, &answer, "busy", None);
            let until = Instant::now() + wait;
            if let Some(rate_limit) = rate_limit {
                rate_limit.rest(until);
            }
            if until >= deadline {
                let cause = format!("busy ({})", answer.status);
                return Err(WikiError::Unavailable { cause, retry_after: Some(wait) });
            }
            if rate_limit.is_none() {
                std::thread::sleep(wait);
            }
            delay *= 2;
        }
    }
}

fn unreachable(url: &Url, failure: &OutboundError) -> WikiError {
    tracing::warn!(path = url.path(), %failure, "cannot reach the wiki");
    WikiError::unavailable(failure)
}

/// Interprets a response. Errors are identified by `code`, never by message; an error without a code does not come from
/// the API itself.
fn parse_response<T: DeserializeOwned>(url: &Url, answer: &OutboundResponse) -> Result<T, WikiError> {
    if (200..300).contains(&answer.status) {
        log(url, answer, "answered", None);
        return serde_json::from_slice(&answer.body).map_err(|error| {
            tracing::warn!(path = url.path(), %error, "invalid response from the wiki");
            WikiError::unavailable("invalid response")
        });
    }
    let error: ErrorBody = serde_json::from_slice(&answer.body).unwrap_or_default();
    let code = error.code.or(error.error).unwrap_or_default();
    log(url, answer, &code, error.request_id.as_deref());
    Err(match (answer.status, code.as_str()) {
        (401, "unauthorized") => WikiError::Unauthorized,
        (401, "invalid_client") => WikiError::WrongClient,
        (400 | 401, "invalid_grant") | (403, "restricted_resource") => WikiError::Denied(code),
        (404, "object_not_found") => WikiError::NotFound,
        (400, "validation_error") => WikiError::Unfit(code),
        (status, _) => WikiError::unavailable(format!("it responded {status} {code}")),
    })
}

/// Logs a call with the provider's request id. The path contains ids but no secrets.
fn log(url: &Url, answer: &OutboundResponse, outcome: &str, request_id: Option<&str>) {
    let request_id = request_id.or_else(|| answer.header("x-notion-request-id")).unwrap_or("-");
    if (200..300).contains(&answer.status) {
        tracing::debug!(path = url.path(), status = answer.status, request_id, "the wiki {outcome}");
    } else {
        tracing::info!(
            path = url.path(),
            status = answer.status,
            request_id,
            code = outcome,
            "the wiki rejected a request"
        );
    }
}
