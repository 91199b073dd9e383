//! The one way out: requests that this server makes of others, guarded.
//!
//! Over https alone, but for base URLs that the operator has configured; no redirect is followed; connecting, the whole
//! exchange and the size of the answer have limits; and a name that leads to this machine, its network or a cloud's
//! metadata is not asked, whatever it resolved to a moment ago: what is checked is the address that is connected to. No
//! proxy is taken from the environment, for behind one that could not be said.
//!
//! It blocks: call it on a lane, never on an asynchronous thread.

mod addresses;
#[cfg(test)]
mod tests;

use std::{
    io::Read,
    sync::Arc,
    time::{Duration, Instant},
};

use rustls::crypto::aws_lc_rs;
use ureq::{
    Agent,
    config::Config,
    http::{HeaderMap, Request, Uri},
    tls::{Certificate, RootCerts, TlsConfig},
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::{DefaultConnector, NextTimeout},
    },
};
use url::Url;

/// Longest time to be connected, in all that this takes.
const CONNECT: Duration = Duration::from_secs(3);
/// Largest head of an answer, in bytes.
const HEAD: usize = 64 << 10;

/// What the operator decides about requests to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whether addresses of this machine and of private networks may be asked.
    pub allow_private: bool,
    /// Base URLs that were configured. What begins with one of these may be plain http; whether its address may be a
    /// private one is for `allow_private` to say.
    pub trusted: Vec<Url>,
}

/// A client for requests to others. Clones share connections.
#[derive(Debug, Clone)]
pub struct Outbound {
    agent: Agent,
    rules: Arc<Rules>,
}

/// How a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// To read.
    Get,
    /// To have something done.
    Post,
}

/// What is asked of others.
#[derive(Debug)]
pub struct Asked<'a> {
    /// How.
    pub method: Method,
    /// Of whom.
    pub url: &'a Url,
    /// Headers, by name.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body; none to send none.
    pub body: Option<&'a [u8]>,
    /// When it is given up.
    pub deadline: Instant,
    /// Largest body that is read, in bytes.
    pub largest: u64,
}

/// What came back, whatever its status.
#[derive(Debug)]
pub struct Answer {
    /// Status of HTTP.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The body, whole.
    pub body: Vec<u8>,
}

impl Answer {
    /// A header's value, when it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The rules do not allow the request. It was not made.
    #[error("{0}")]
    Refused(String),
    /// It took too long.
    #[error("no answer came in time")]
    TimedOut,
    /// The answer is larger than was wanted.
    #[error("the answer has more than {0} bytes")]
    TooLarge(u64),
    /// It could not be sent, or what came back is not HTTP.
    #[error("{0}")]
    Failed(String),
}

/// How connections are encrypted: by the library that signs sessions too, against Mozilla's list of authorities.
pub fn tls() -> TlsConfig {
    tls_by(RootCerts::WebPki)
}

fn tls_by(authorities: RootCerts) -> TlsConfig {
    let provider = Arc::new(aws_lc_rs::default_provider());
    TlsConfig::builder().root_certs(authorities).unversioned_rustls_crypto_provider(provider).build()
}

impl Outbound {
    /// A client that keeps to `rules`.
    pub fn new(rules: Rules) -> Self {
        Self::resolving(rules, DefaultResolver::default())
    }

    /// The same, for servers that these authorities vouch for, and no others.
    pub fn trusting(rules: Rules, authorities: Vec<Certificate<'static>>) -> Self {
        Self::with(rules, DefaultResolver::default(), tls_by(RootCerts::Specific(Arc::new(authorities))))
    }

    /// The same, with another way from names to addresses.
    fn resolving(rules: Rules, names: impl Resolver) -> Self {
        Self::with(rules, names, tls())
    }

    fn with(rules: Rules, names: impl Resolver, tls: TlsConfig) -> Self {
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .max_response_header_size(HEAD)
            .timeout_connect(Some(CONNECT))
            .user_agent(concat!("Planroom/", env!("CARGO_PKG_VERSION")))
            .build();
        let guarded = Guarded { names, allow_private: rules.allow_private };
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), guarded), rules: Arc::new(rules) }
    }

    /// Makes a request. A redirect is an answer like any other.
    pub fn ask(&self, asked: &Asked<'_>) -> Result<Answer, Problem> {
        self.check(asked.url)?;
        let left = asked.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Problem::TimedOut);
        }
        let mut request = Request::builder().uri(asked.url.as_str()).method(match asked.method {
            Method::Get => "GET",
            Method::Post => "POST",
        });
        for (name, value) in asked.headers {
            request = request.header(*name, *value);
        }
        let wrong = |error: ureq::http::Error| Problem::Refused(format!("the request cannot be written: {error}"));
        let answer = match asked.body {
            Some(body) => self.run(request.body(body).map_err(wrong)?, left),
            None => self.run(request.body(()).map_err(wrong)?, left),
        };
        let (parts, body) = answer.map_err(problem)?.into_parts();
        let mut bytes = Vec::new();
        // What gzip makes of it counts, not what was sent.
        body.into_reader().take(asked.largest + 1).read_to_end(&mut bytes).map_err(|error| {
            match error.downcast::<ureq::Error>() {
                Ok(error) => problem(error),
                Err(error) => Problem::Failed(error.to_string()),
            }
        })?;
        if bytes.len() as u64 > asked.largest {
            return Err(Problem::TooLarge(asked.largest));
        }
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body: bytes })
    }

    fn run(
        &self,
        request: Request<impl ureq::AsSendBody>,
        left: Duration,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        self.agent.run(self.agent.configure_request(request).timeout_global(Some(left)).build())
    }

    /// What can be said of an address before its name is looked up.
    fn check(&self, url: &Url) -> Result<(), Problem> {
        let trusted = || self.rules.trusted.iter().any(|base| begins_with(url, base));
        match url.scheme() {
            "https" => {}
            "http" if trusted() => {}
            other => return Err(Problem::Refused(format!("`{other}` is not https"))),
        }
        if url.host().is_none() || !url.username().is_empty() || url.password().is_some() {
            return Err(Problem::Refused("the address has no host, or a name before it".into()));
        }
        Ok(())
    }
}

/// Whether an address is `base` or below it, however the server there reads it.
pub fn begins_with(url: &Url, base: &Url) -> bool {
    let below = base.path().strip_suffix('/').unwrap_or(base.path());
    let Some(rest) = url.path().strip_prefix(below).filter(|_| url.origin() == base.origin()) else { return false };
    (rest.is_empty() || rest.starts_with('/')) && !is_ambiguous(rest)
}

/// Whether a server could read a path otherwise than it is written. Some decode separators and dots before they look for
/// `..`, and some cut segments at a semicolon: `..%2f` and `..;` leave the folder there.
fn is_ambiguous(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["%2f", "%5c", "%2e", "%3b", "%25", ";", "\\"].iter().any(|part| path.contains(part))
}

/// Looks names up, and keeps what may be connected to.
#[derive(Debug)]
struct Guarded<R> {
    names: R,
    allow_private: bool,
}

/// How a refusal travels through the client, which knows no such thing.
const PRIVATE: &str = "it is an address of this machine or of a private network, which are not asked unless [outbound] of \
                       the configuration says so: `allow_private`, or for pictures `picture_urls`";

impl<R: Resolver> Resolver for Guarded<R> {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let mut kept = self.empty();
        for address in found.iter().filter(|address| self.allow_private || addresses::is_public(address.ip())) {
            kept.push(*address);
        }
        if kept.is_empty() {
            return Err(ureq::Error::Other(Box::new(Problem::Refused(PRIVATE.into()))));
        }
        Ok(kept)
    }
}

fn problem(error: ureq::Error) -> Problem {
    match error {
        ureq::Error::Timeout(_) => Problem::TimedOut,
        ureq::Error::Other(cause) => match cause.downcast::<Problem>() {
            Ok(problem) => *problem,
            Err(cause) => Problem::Failed(cause.to_string()),
        },
        other => Problem::Failed(other.to_string()),
    }
}
