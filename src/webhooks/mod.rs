//! Sends webhooks: signatures by the Standard Webhooks specification, and the client for the receivers' servers.
//!
//! What is sent, and when, is decided in `domain::webhooks`.

mod signature;

use std::time::{Duration, Instant};

use url::Url;

pub use self::signature::{secret_of, sign};
use crate::outbound::{Method, Outbound, OutboundError, OutboundRequest, Rules, begins_with};

/// Maximum number of bytes of a response that are read.
const MAX_RESPONSE_BYTES: u64 = 16 << 10;
/// Maximum length of the description of a failure, in characters.
const MAX_ERROR_CHARS: usize = 200;

/// Sends requests to the receivers of webhooks. Clones share connections.
#[derive(Debug, Clone)]
pub struct WebhookClient {
    /// The client for all URLs.
    open: Outbound,
    /// The client for base URLs that the operator has configured.
    own: Outbound,
    bases: Vec<Url>,
    timeout: Duration,
}

/// A signed request.
#[derive(Debug)]
pub struct SignedRequest {
    /// URL of the receiver.
    pub url: Url,
    /// Id of the message, the same for all tries.
    pub id: String,
    /// Time of the try, in Unix seconds.
    pub timestamp: i64,
    /// Signatures, separated by spaces.
    pub signature: String,
    /// JSON.
    pub body: Vec<u8>,
}

/// The result of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// HTTP status; none without a response.
    pub status: Option<u16>,
    /// Why the try failed, without the URL; none for a successful one.
    pub error: Option<String>,
    /// Time until the response, in milliseconds.
    pub duration_ms: i64,
}

impl WebhookClient {
    /// Creates a client for https URLs, and for URLs below `bases`, which may use plain http and private addresses.
    /// `timeout` is the time for one try.
    pub fn new(allow_private: bool, bases: Vec<Url>, timeout: Duration) -> Self {
        let open = Outbound::new(Rules { allow_private, trusted: Vec::new() });
        let own = Outbound::new(Rules { allow_private: true, trusted: bases.clone() });
        Self { open, own, bases, timeout }
    }

    fn outbound(&self, url: &Url) -> &Outbound {
        if self.bases.iter().any(|base| begins_with(url, base)) { &self.own } else { &self.open }
    }

    /// Checks whether the rules for outgoing requests allow a URL. A host without an address is no error, because it can
    /// get one. Blocks.
    pub fn check(&self, url: &Url) -> Result<(), String> {
        match self.outbound(url).check_host(url) {
            Err(OutboundError::Refused(why)) => Err(why),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Sends a request. Blocks.
    pub fn send(&self, request: &SignedRequest) -> Attempt {
        let started = Instant::now();
        let timestamp = request.timestamp.to_string();
        let headers = [
            ("content-type", "application/json"),
            ("webhook-id", request.id.as_str()),
            ("webhook-timestamp", timestamp.as_str()),
            ("webhook-signature", request.signature.as_str()),
        ];
        let answer = self.outbound(&request.url).send_for_status(&OutboundRequest {
            method: Method::Post,
            url: &request.url,
            headers: &headers,
            body: Some(&request.body),
            deadline: started + self.timeout,
            max_bytes: MAX_RESPONSE_BYTES,
        });
        let (status, error) = match answer {
            Ok(status @ 200..300) => (Some(status), None),
            Ok(status @ 300..400) => {
                (Some(status), Some(format!("the server answered {status}, and redirects are not followed")))
            }
            Ok(status) => (Some(status), Some(format!("the server answered {status}"))),
            Err(error) => (None, Some(self.describe(error))),
        };
        let duration_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
        Attempt { status, error, duration_ms }
    }

    fn describe(&self, error: OutboundError) -> String {
        match error {
            OutboundError::TimedOut => format!("no response within {} s", self.timeout.as_secs()),
            OutboundError::Refused(why) => why,
            OutboundError::Failed(why) => why.chars().take(MAX_ERROR_CHARS).collect(),
            error @ OutboundError::TooLarge(_) => error.to_string(),
        }
    }
}
