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
    pace::Pace,
    problem::Problem,
    recent::{FRESH, Seen, Signed},
};
use crate::{
    outbound::{Answer, Asked, Method, Outbound, Problem as Failure},
    secret::Secret,
};

/// Maximum size of a response in bytes: a hundred pages with all their properties.
const LARGEST: u64 = 16 << 20;
/// Wait before a retry if the provider is overloaded and gives no `Retry-After`.
const BUSY: Duration = Duration::from_millis(500);
/// Maximum `Retry-After` that is honored.
const LONGEST: Duration = Duration::from_hours(1);
/// Maximum number of cached pages, over all connections.
const REMEMBERED: usize = 10_000;
/// Maximum number of cached upload URLs, over all connections.
const SIGNED: usize = 1_000;

/// How the provider is reached.
#[derive(Debug, Clone)]
pub struct Options {
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
    options: Options,
    paces: Mutex<HashMap<String, Arc<Pace>>>,
    /// Recently read data of pages and databases, by connection and id.
    pub(super) seen: Cache<(String, String), Seen>,
    /// URLs of uploads, by connection and icon text.
    pub(super) signed: Cache<(String, String), Signed>,
}

/// An error response: API errors have a `code`, OAuth errors an `error`.
#[derive(Default, Deserialize)]
struct Complaint {
    code: Option<String>,
    error: Option<String>,
    request_id: Option<String>,
}

impl Client {
    /// Creates a client that sends its requests through `outbound`.
    pub fn new(outbound: Outbound, options: Options) -> Self {
        let (seen, signed) = (Cache::new(REMEMBERED), Cache::new(SIGNED));
        Self { outbound, options, paces: Mutex::default(), seen, signed }
    }

    /// Clears the cache of a connection that has ended or been replaced.
    pub fn forget(&self, connection: &str) {
        self.seen.retain(|(of, _), _| of != connection);
        self.signed.retain(|(of, _), _| of != connection);
    }

    /// The URL of an upload, if it was read recently on this connection. Sends no request.
    pub fn signed(&self, connection: &str, text: &str) -> Option<Secret> {
        let signed = self.signed.get(&(connection.to_owned(), text.to_owned()))?;
        (signed.at.elapsed() < FRESH).then_some(signed.address)
    }

    /// Interval between background calls: they use a third of the rate, and two thirds are reserved for requests of
    /// users.
    pub fn leisure(&self) -> Duration {
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

    /// Reserves the next turn on a connection for the first call of an [`Access`](super::Access), so that callers can
    /// wait for it without occupying a thread.
    pub fn reserve(&self, connection: &str, deadline: Instant) -> Result<Instant, Problem> {
        self.turn(&self.pace(connection), Instant::now(), deadline)
    }

    fn turn(&self, pace: &Pace, now: Instant, deadline: Instant) -> Result<Instant, Problem> {
        pace.turn(now, deadline, self.options.per_second).map_err(|wait| Problem::Unavailable {
            cause: "too many requests at once on this connection".into(),
            retry_after: Some(wait),
        })
    }

    pub(super) fn pace(&self, connection: &str) -> Arc<Pace> {
        let mut paces = self.paces.lock().unwrap_or_else(PoisonError::into_inner);
        if !paces.contains_key(connection) {
            let now = Instant::now();
            paces.retain(|_, pace| Arc::strong_count(pace) > 1 || !pace.is_idle(now));
        }
        Arc::clone(paces.entry(connection.to_owned()).or_default())
    }

    /// Sends a request and retries while the provider is overloaded and there is time.
    pub(super) fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        url: &Url,
        authorization: &str,
        body: Option<&Value>,
        pace: Option<(&Pace, Option<Instant>)>,
        deadline: Instant,
    ) -> Result<T, Problem> {
        let (pace, mut reserved) = pace.map_or((None, None), |(pace, reserved)| (Some(pace), reserved));
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
        let mut patience = BUSY;
        loop {
            if let Some(pace) = pace {
                let now = Instant::now();
                let turn = reserved.take().map_or_else(|| self.turn(pace, now, deadline), Ok)?;
                std::thread::sleep(turn.saturating_duration_since(now));
            }
            let asked = Asked { method, url, headers: &headers, body, deadline, largest: LARGEST };
            let answer = self.outbound.ask(&asked).map_err(|failure| unreachable(url, &failure))?;
            let wait = match answer.status {
                429 | 529 => {
                    let said = answer.header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
                    // A `Retry-After` of 0 is ignored: immediate requests are what triggered the limit.
                    said.filter(|seconds| *seconds > 0).map_or(patience, Duration::from_secs).min(LONGEST)
                }
                _ => return understand(url, &answer),
            };
            log(url, &answer, "busy", None);
            let until = Instant::now() + wait;
            if let Some(pace) = pace {
                pace.rest(until);
            }
            if until >= deadline {
                let cause = format!("busy ({})", answer.status);
                return Err(Problem::Unavailable { cause, retry_after: Some(wait) });
            }
            if pace.is_none() {
                std::thread::sleep(wait);
            }
            patience *= 2;
        }
    }
}

fn unreachable(url: &Url, failure: &Failure) -> Problem {
    tracing::warn!(path = url.path(), %failure, "the wiki was not reached");
    Problem::unavailable(failure)
}

/// Interprets a response. Errors are identified by `code`, never by message; an error without a code does not come from
/// the API itself.
fn understand<T: DeserializeOwned>(url: &Url, answer: &Answer) -> Result<T, Problem> {
    if (200..300).contains(&answer.status) {
        log(url, answer, "answered", None);
        return serde_json::from_slice(&answer.body).map_err(|error| {
            tracing::warn!(path = url.path(), %error, "the wiki's answer is not understood");
            Problem::unavailable("its answer is not understood")
        });
    }
    let complaint: Complaint = serde_json::from_slice(&answer.body).unwrap_or_default();
    let code = complaint.code.or(complaint.error).unwrap_or_default();
    log(url, answer, &code, complaint.request_id.as_deref());
    Err(match (answer.status, code.as_str()) {
        (401, "unauthorized") => Problem::Unauthorized,
        (401, "invalid_client") => Problem::WrongClient,
        (400 | 401, "invalid_grant") | (403, "restricted_resource") => Problem::Denied(code),
        (404, "object_not_found") => Problem::NotFound,
        (400, "validation_error") => Problem::Unfit(code),
        (status, _) => Problem::unavailable(format!("it answered {status} {code}")),
    })
}

/// Logs a call with the provider's request id. The path contains ids but no secrets.
fn log(url: &Url, answer: &Answer, outcome: &str, request_id: Option<&str>) {
    let request_id = request_id.or_else(|| answer.header("x-notion-request-id")).unwrap_or("-");
    if (200..300).contains(&answer.status) {
        tracing::debug!(path = url.path(), status = answer.status, request_id, "the wiki {outcome}");
    } else {
        tracing::info!(path = url.path(), status = answer.status, request_id, code = outcome, "the wiki refused");
    }
}
