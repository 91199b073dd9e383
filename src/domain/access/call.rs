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
    /// Id of the change set that its writes belong to: the request's id, chosen by the server.
    pub change_set: String,
    /// The client's label of the change set (`X-Batch-Id`); several change sets of a user may share one.
    pub label: Option<String>,
    /// `If-Match`.
    pub precondition: Precondition,
    /// `Idempotency-Key`, on creations.
    pub retry: Option<Retry>,
    /// Whether it may write more than a thousand rows: then it is committed on its own.
    pub is_large: bool,
    /// The memory that its body may hold, until the work is done.
    pub held: Option<Held>,
}

impl Call {
    /// A request by `credential`, without conditions. `change_set` is the id that the server gave to the request.
    pub fn new(credential: Option<Credential>, via: Via, change_set: impl Into<String>) -> Self {
        Self {
            credential,
            via,
            change_set: change_set.into(),
            label: None,
            precondition: Precondition::None,
            retry: None,
            is_large: false,
            held: None,
        }
    }

    /// The same request, as one that may write more than a thousand rows.
    #[must_use]
    pub fn large(self) -> Self {
        Self { is_large: true, ..self }
    }

    /// What readers see as `batchId`: the label, or the change set's id when there is none.
    pub fn batch(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.change_set)
    }
}
