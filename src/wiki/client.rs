//! One call of the provider: headers, time, pace, retries, and what its errors mean.

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

/// Largest answer that is read, in bytes: a hundred pages with all their properties.
const LARGEST: u64 = 16 << 20;
/// How long is waited when the provider is busy and does not say for how long.
const BUSY: Duration = Duration::from_millis(500);
/// Longest time that a provider puts callers off for, whatever it says.
const LONGEST: Duration = Duration::from_hours(1);
/// How many pages are remembered by their icon, over all connections.
const REMEMBERED: usize = 10_000;
/// How many uploads are remembered by where they are, over all connections.
const SIGNED: usize = 1_000;

/// How the provider is reached.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it is.
    pub api: Url,
    /// The version of its interface, as in `2026-03-11`.
    pub version: String,
    /// Most requests in a second on one connection.
    pub per_second: usize,
}

/// A client of the provider, for all organizations.
#[derive(Debug)]
pub struct Client {
    outbound: Outbound,
    options: Options,
    paces: Mutex<HashMap<String, Arc<Pace>>>,
    /// What was read of pages lately.
    pub(super) seen: Cache<(String, String), Seen>,
    /// Where uploads are, by connection and text.
    pub(super) signed: Cache<(String, String), Signed>,
}

/// The body of an error: of the interface with a `code`, of signing in with an `error`.
#[derive(Default, Deserialize)]
struct Complaint {
    code: Option<String>,
    error: Option<String>,
    request_id: Option<String>,
}

impl Client {
    /// A client that makes its requests through `outbound`.
    pub fn new(outbound: Outbound, options: Options) -> Self {
        let (seen, signed) = (Cache::new(REMEMBERED), Cache::new(SIGNED));
        Self { outbound, options, paces: Mutex::default(), seen, signed }
    }

    /// Forgets what was read on a connection: it ended, or is another's now.
    pub fn forget(&self, connection: &str) {
        self.seen.retain(|(of, _), _| of != connection);
        self.signed.retain(|(of, _), _| of != connection);
    }

    /// Where the upload of this text is, when that was read lately on a connection. Nobody is asked.
    pub fn signed(&self, connection: &str, text: &str) -> Option<Secret> {
        let signed = self.signed.get(&(connection.to_owned(), text.to_owned()))?;
        (signed.at.elapsed() < FRESH).then_some(signed.address)
    }

    /// How long is left between two calls that nobody waits for: two thirds of the rate stay with people.
    pub fn leisure(&self) -> Duration {
        Duration::from_secs(3) / u32::try_from(self.options.per_second.max(1)).unwrap_or(u32::MAX)
    }

    /// Where it is asked, for the operator.
    pub fn host(&self) -> &str {
        self.options.api.host_str().unwrap_or_default()
    }

    /// An address of the interface, from the segments of its path.
    pub(super) fn url(&self, path: &[&str]) -> Url {
        let mut url = self.options.api.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        url
    }

    /// The next turn on a connection, for the first call of an [`Access`](super::Access): wait for it before taking a thread.
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

    /// Calls, and again while the provider is busy and there is time.
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
                    // To come again at once is what brought us here.
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

/// What an answer means. Its `code` decides, never its words; what has none is not the interface's own answer.
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

/// Notes a call with the id by which the provider knows it. The path has ids, and no secrets.
fn log(url: &Url, answer: &Answer, outcome: &str, request_id: Option<&str>) {
    let request_id = request_id.or_else(|| answer.header("x-notion-request-id")).unwrap_or("-");
    if (200..300).contains(&answer.status) {
        tracing::debug!(path = url.path(), status = answer.status, request_id, "the wiki {outcome}");
    } else {
        tracing::info!(path = url.path(), status = answer.status, request_id, code = outcome, "the wiki refused");
    }
}
