//! A request as seen by the domain: credential, interface and conditions.

use crate::{auth::Credential, bodies::BodyReservation};

/// The interface that a request came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// REST API.
    Rest,
    /// MCP server.
    Mcp,
    /// Command line.
    Cli,
    /// Background job of the server.
    Job,
}

impl Via {
    /// The name in the change log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Mcp => "mcp",
            Self::Cli => "cli",
            Self::Job => "job",
        }
    }
}

/// An idempotency key: the request is executed only once, even if it is sent several times.
#[derive(Debug, Clone)]
pub struct Retry {
    /// The client's key, valid for 24 hours.
    pub key: String,
    /// SHA-256 hash of the request, so that the key cannot be used for a different request.
    pub fingerprint: [u8; 32],
}

/// The state that a write may overwrite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Any state.
    #[default]
    None,
    /// Any state, but the resource must exist: `If-Match: *`.
    Exists,
    /// One of these entity tags, without quotes. Weak tags never match and are not listed.
    OneOf(Vec<String>),
    /// The row or workspace at this revision, for clients without entity tags.
    Revision(i64),
}

/// A request.
#[derive(Debug, Clone)]
pub struct Call {
    /// The caller's credential; none on public endpoints.
    pub credential: Option<Credential>,
    /// The interface that the request came through.
    pub via: Via,
    /// Change set id for the writes of the request: the request id assigned by the server.
    pub change_set: String,
    /// The client's label for the change set (`X-Batch-Id`). A user may use the same label for several change sets.
    pub label: Option<String>,
    /// `If-Match`.
    pub precondition: Precondition,
    /// `Idempotency-Key`, for creations.
    pub retry: Option<Retry>,
    /// Whether the request may write more than 1,000 rows. Such a request is committed in its own transaction.
    pub is_large: bool,
    /// Memory reserved for the body until the work is done.
    pub body_reservation: Option<BodyReservation>,
}

impl Call {
    /// Creates a request by `credential` without conditions. `change_set` is the request id assigned by the server.
    pub fn new(credential: Option<Credential>, via: Via, change_set: impl Into<String>) -> Self {
        Self {
            credential,
            via,
            change_set: change_set.into(),
            label: None,
            precondition: Precondition::None,
            retry: None,
            is_large: false,
            body_reservation: None,
        }
    }

    /// Marks the request as one that may write more than 1,000 rows.
    #[must_use]
    pub fn large(self) -> Self {
        Self { is_large: true, ..self }
    }

    /// The `batchId` shown to clients: the label, or the change set id without a label.
    pub fn batch(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.change_set)
    }
}
