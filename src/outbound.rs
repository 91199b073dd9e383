//! The HTTP client for all outgoing requests, protected against server-side request forgery.
//!
//! It uses https only, except for base URLs that the operator has configured. It does not follow redirects. The time to
//! connect, the total time and the size of the response are limited. Hosts that resolve to this machine, private
//! networks or cloud metadata services are rejected; the check applies to the address of the actual connection, so a
//! change in DNS cannot bypass it. Proxies from the environment are ignored, because the check would not be possible
//! behind a proxy.
//!
//! Calls block: run them on a blocking thread pool, never on an asynchronous thread.

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
        transport::{DefaultConnector, NextTimeout, time},
    },
};
use url::Url;

/// Timeout for connecting, including name resolution and TLS.
const CONNECT: Duration = Duration::from_secs(3);
/// Maximum size of a response head in bytes.
const HEAD: usize = 64 << 10;

/// Rules for outgoing requests, from the configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whether loopback and private addresses are allowed.
    pub allow_private: bool,
    /// Configured base URLs. URLs below these can be plain http. Whether private addresses are allowed depends on
    /// `allow_private` only.
    pub trusted: Vec<Url>,
}

/// A client for outgoing requests. Clones share connections.
#[derive(Debug, Clone)]
pub struct Outbound {
    agent: Agent,
    rules: Arc<Rules>,
}

/// HTTP method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
}

/// An outgoing request.
#[derive(Debug)]
pub struct OutboundRequest<'a> {
    /// Method.
    pub method: Method,
    /// URL.
    pub url: &'a Url,
    /// Names and values of headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// Body, if any.
    pub body: Option<&'a [u8]>,
    /// Deadline for the complete response.
    pub deadline: Instant,
    /// Maximum size of the response body in bytes.
    pub max_bytes: u64,
}

/// A response with any status.
#[derive(Debug)]
pub struct OutboundResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The complete body.
    pub body: Vec<u8>,
}

impl OutboundResponse {
    /// The value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// The rules do not allow the request. It was not sent.
    #[error("{0}")]
    Refused(String),
    /// The deadline has passed.
    #[error("no response in time")]
    TimedOut,
    /// The response body is larger than the maximum.
    #[error("the response is larger than {0} bytes")]
    TooLarge(u64),
    /// Sending failed, or the response is not valid HTTP.
    #[error("{0}")]
    Failed(String),
}

/// The TLS configuration: the same cryptography library as for sessions, and Mozilla's list of CAs.
pub fn tls() -> TlsConfig {
    tls_by(RootCerts::WebPki)
}

fn tls_by(authorities: RootCerts) -> TlsConfig {
    let provider = Arc::new(aws_lc_rs::default_provider());
    TlsConfig::builder().root_certs(authorities).unversioned_rustls_crypto_provider(provider).build()
}

impl Outbound {
    /// A client with these `rules`.
    pub fn new(rules: Rules) -> Self {
        Self::resolving(rules, DefaultResolver::default())
    }

    /// A client that trusts only these CAs.
    pub fn trusting(rules: Rules, authorities: Vec<Certificate<'static>>) -> Self {
        Self::with(rules, DefaultResolver::default(), tls_by(RootCerts::Specific(Arc::new(authorities))))
    }

    /// A client with another resolver.
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
        let guarded = GuardedResolver { names, allow_private: rules.allow_private };
        Self { agent: Agent::with_parts(config, DefaultConnector::default(), guarded), rules: Arc::new(rules) }
    }

    /// Sends a request. Redirects are returned like any other response.
    pub fn send(&self, outgoing: &OutboundRequest<'_>) -> Result<OutboundResponse, OutboundError> {
        let (parts, body) = self.exchange(outgoing)?.into_parts();
        let mut bytes = Vec::new();
        // The limit applies to the decompressed body.
        body.into_reader().take(outgoing.max_bytes + 1).read_to_end(&mut bytes).map_err(|error| {
            match error.downcast::<ureq::Error>() {
                Ok(error) => outbound_error(error),
                Err(error) => OutboundError::Failed(error.to_string()),
            }
        })?;
        if bytes.len() as u64 > outgoing.max_bytes {
            return Err(OutboundError::TooLarge(outgoing.max_bytes));
        }
        Ok(OutboundResponse { status: parts.status.as_u16(), headers: parts.headers, body: bytes })
    }

    /// Sends a request and returns the status of the response. Its body does not matter: at most `max_bytes` are read,
    /// and a longer or incomplete body is not an error.
    pub fn send_for_status(&self, outgoing: &OutboundRequest<'_>) -> Result<u16, OutboundError> {
        let response = self.exchange(outgoing)?;
        let status = response.status().as_u16();
        // After a body that was read to its end, the connection can be used again.
        let mut body = response.into_body().into_reader().take(outgoing.max_bytes);
        drop(std::io::copy(&mut body, &mut std::io::sink()));
        Ok(status)
    }

    /// Checks a URL and the current addresses of its host without a request. The addresses are checked again when a
    /// request is sent.
    pub fn check_host(&self, url: &Url) -> Result<(), OutboundError> {
        self.check(url)?;
        let uri = url.as_str().parse::<Uri>();
        let uri = uri.map_err(|error| OutboundError::Refused(format!("invalid URL: {error}")))?;
        let guard = GuardedResolver { names: DefaultResolver::default(), allow_private: self.rules.allow_private };
        let timeout = NextTimeout {
            after: time::Duration::Exact(CONNECT),
            reason: ureq::Timeout::Resolve,
            ..NextTimeout::default()
        };
        guard.resolve(&uri, self.agent.config(), timeout).map(drop).map_err(outbound_error)
    }

    /// Sends a request and returns the response before its body is read.
    fn exchange(&self, outgoing: &OutboundRequest<'_>) -> Result<ureq::http::Response<ureq::Body>, OutboundError> {
        self.check(outgoing.url)?;
        let left = outgoing.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(OutboundError::TimedOut);
        }
        let mut request = Request::builder().uri(outgoing.url.as_str()).method(match outgoing.method {
            Method::Get => "GET",
            Method::Post => "POST",
        });
        for (name, value) in outgoing.headers {
            request = request.header(*name, *value);
        }
        let wrong = |error: ureq::http::Error| OutboundError::Refused(format!("invalid request: {error}"));
        let answer = match outgoing.body {
            Some(body) => self.run(request.body(body).map_err(wrong)?, left),
            None => self.run(request.body(()).map_err(wrong)?, left),
        };
        answer.map_err(outbound_error)
    }

    fn run(
        &self,
        request: Request<impl ureq::AsSendBody>,
        left: Duration,
    ) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        self.agent.run(self.agent.configure_request(request).timeout_global(Some(left)).build())
    }

    /// Checks a URL before its host is resolved.
    fn check(&self, url: &Url) -> Result<(), OutboundError> {
        let trusted = || self.rules.trusted.iter().any(|base| begins_with(url, base));
        match url.scheme() {
            "https" => {}
            "http" if trusted() => {}
            other => return Err(OutboundError::Refused(format!("the URL must be https, not `{other}`"))),
        }
        if url.host().is_none() || !url.username().is_empty() || url.password().is_some() {
            return Err(OutboundError::Refused("the URL must have a host and no user name".into()));
        }
        Ok(())
    }
}

/// Whether a URL is `base` or below it under every interpretation by the server.
pub fn begins_with(url: &Url, base: &Url) -> bool {
    let below = base.path().strip_suffix('/').unwrap_or(base.path());
    let Some(rest) = url.path().strip_prefix(below).filter(|_| url.origin() == base.origin()) else { return false };
    (rest.is_empty() || rest.starts_with('/')) && !is_ambiguous(rest)
}

/// Whether a server could interpret a path differently. Some servers decode separators and dots before they resolve
/// `..`, and some cut segments at a semicolon: there, `..%2f` and `..;` lead to the parent folder.
fn is_ambiguous(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["%2f", "%5c", "%2e", "%3b", "%25", ";", "\\"].iter().any(|part| path.contains(part))
}

/// A resolver that returns only allowed addresses.
#[derive(Debug)]
struct GuardedResolver<R> {
    names: R,
    allow_private: bool,
}

/// The message for a blocked address.
const PRIVATE: &str = "loopback and private network addresses are blocked; allow them in the configuration with \
                       `allow_private`, for images with `picture_urls`, or for webhooks with `webhook_urls`, in \
                       [outbound]";

impl<R: Resolver> Resolver for GuardedResolver<R> {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let mut kept = self.empty();
        for address in found.iter().filter(|address| self.allow_private || addresses::is_public(address.ip())) {
            kept.push(*address);
        }
        if kept.is_empty() {
            return Err(ureq::Error::Other(Box::new(OutboundError::Refused(PRIVATE.into()))));
        }
        Ok(kept)
    }
}

fn outbound_error(error: ureq::Error) -> OutboundError {
    match error {
        ureq::Error::Timeout(_) => OutboundError::TimedOut,
        ureq::Error::Other(cause) => match cause.downcast::<OutboundError>() {
            Ok(problem) => *problem,
            Err(cause) => OutboundError::Failed(cause.to_string()),
        },
        other => OutboundError::Failed(other.to_string()),
    }
}
