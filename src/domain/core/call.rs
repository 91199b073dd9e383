//! A request as seen by the domain: credential, interface and conditions.

use std::{marker::PhantomData, net::IpAddr};

use crate::{auth::Credential, bodies::BodyReservation, domain::values::ChangeReason};

/// The interface that a request came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// A request that needs the permission `A`, one of the types in [`access`](super::access).
#[derive(Debug)]
pub struct Call<A = ()> {
    /// The caller's credential; none on public endpoints.
    pub credential: Option<Credential>,
    /// The interface that the request came through.
    pub via: Via,
    /// Id of the request in the log, also if its writes join an earlier change set.
    pub request_id: String,
    /// Address of the client, for audit events. None for jobs and the command line.
    pub client: Option<IpAddr>,
    /// Change set id for the writes of the request: the request id assigned by the server.
    pub change_set: String,
    /// The client's label for the change set (`X-Batch-Id`). A user may use the same label for several change sets.
    pub label: Option<String>,
    /// Why the caller makes the change, for the history.
    pub reason: Option<ChangeReason>,
    /// `If-Match`.
    pub precondition: Precondition,
    /// `Idempotency-Key`, for creations.
    pub retry: Option<Retry>,
    /// Whether the request may read or write more than 1,000 rows. Such a read runs on the threads for heavy work, and
    /// such a write is committed in its own transaction.
    pub is_large: bool,
    /// Memory reserved for the body until the work is done.
    pub body_reservation: Option<BodyReservation>,
    access: PhantomData<fn() -> A>,
}

impl Call {
    /// Declares the permission that the request needs.
    pub fn needing<A>(self) -> Call<A> {
        self.retyped()
    }
}

impl<A> Call<A> {
    /// Creates a request by `credential` without conditions. `change_set` is the request id assigned by the server.
    pub fn new(credential: Option<Credential>, via: Via, change_set: impl Into<String>) -> Self {
        let change_set = change_set.into();
        Self {
            credential,
            via,
            request_id: change_set.clone(),
            client: None,
            change_set,
            label: None,
            reason: None,
            precondition: Precondition::None,
            retry: None,
            is_large: false,
            body_reservation: None,
            access: PhantomData,
        }
    }

    /// The request regardless of its permission.
    pub(super) fn untyped(self) -> Call {
        self.retyped()
    }

    /// The request with another permission, which is checked when it is used.
    pub fn retyped<B>(self) -> Call<B> {
        let Self {
            credential,
            via,
            request_id,
            client,
            change_set,
            label,
            reason,
            precondition,
            retry,
            is_large,
            body_reservation,
            access: _,
        } = self;
        Call {
            credential,
            via,
            request_id,
            client,
            change_set,
            label,
            reason,
            precondition,
            retry,
            is_large,
            body_reservation,
            access: PhantomData,
        }
    }

    /// Ignores the idempotency key.
    #[must_use]
    pub fn without_retry(self) -> Self {
        Self { retry: None, ..self }
    }

    /// Releases the memory of the body, which is not needed anymore.
    #[must_use]
    pub fn without_body(self) -> Self {
        Self { body_reservation: None, ..self }
    }

    /// Marks the request as one that may read or write more than 1,000 rows.
    #[must_use]
    pub fn large(self) -> Self {
        Self { is_large: true, ..self }
    }

    /// The `batchId` shown to clients: the label, or the change set id without a label.
    pub fn batch(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.change_set)
    }
}

// Derived, it would require `A: Clone`.
impl<A> Clone for Call<A> {
    fn clone(&self) -> Self {
        Self {
            credential: self.credential.clone(),
            via: self.via,
            request_id: self.request_id.clone(),
            client: self.client,
            change_set: self.change_set.clone(),
            label: self.label.clone(),
            reason: self.reason.clone(),
            precondition: self.precondition.clone(),
            retry: self.retry.clone(),
            is_large: self.is_large,
            body_reservation: self.body_reservation.clone(),
            access: PhantomData,
        }
    }
}
