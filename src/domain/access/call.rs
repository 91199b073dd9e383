//! One request as the domain sees it: who asks, by which way, and under which conditions.

use crate::{auth::Credential, bodies::Held};

/// The way a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The REST API.
    Rest,
    /// The MCP server.
    Mcp,
    /// The command line.
    Cli,
    /// A timer of ours.
    Job,
}

impl Via {
    /// The word in the change log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Mcp => "mcp",
            Self::Cli => "cli",
            Self::Job => "job",
        }
    }
}

/// A promise that the same request is done once, however often it is sent.
#[derive(Debug, Clone)]
pub struct Retry {
    /// The client's key; good for 24 hours.
    pub key: String,
    /// SHA-256 of what was asked, so that the key cannot be used for something else.
    pub fingerprint: [u8; 32],
}

/// The state that a write may overwrite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any.
    #[default]
    None,
    /// Any, but the resource must exist: `If-Match: *`.
    Exists,
    /// One of these entity tags, without their quotes. Weak tags never match and are not listed.
    OneOf(Vec<String>),
    /// The row, or the workspace, as it was at this revision: for those who have no entity tags.
    Revision(i64),
}

/// One request.
#[derive(Debug, Clone)]
pub struct Call {
    /// Who asks; none on public endpoints.
    pub credential: Option<Credential>,
    /// The way it came in.
    pub via: Via,
    /// The gesture that its writes belong to; undone as one.
    pub batch: String,
    /// Whether the client named the batch: one gesture over several requests.
    pub is_gesture: bool,
    /// `If-Match`.
    pub precondition: Precondition,
    /// `Idempotency-Key`, on creations.
    pub retry: Option<Retry>,
    /// The memory that its body may hold, until the work is done.
    pub held: Option<Held>,
}

impl Call {
    /// A request by `credential`, without conditions. `batch` is usually the request's id.
    pub fn new(credential: Option<Credential>, via: Via, batch: impl Into<String>) -> Self {
        Self {
            credential,
            via,
            batch: batch.into(),
            is_gesture: false,
            precondition: Precondition::None,
            retry: None,
            held: None,
        }
    }
}
