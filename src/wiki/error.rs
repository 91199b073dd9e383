//! Why a request to the provider failed.

use std::{fmt, time::Duration};

/// Why a call of the provider failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WikiError {
    /// The token is invalid or has been revoked.
    #[error("the token was rejected")]
    Unauthorized,
    /// The connection lacks the permission, or the authorization has ended.
    #[error("access is denied: {0}")]
    Denied(String),
    /// The object does not exist or is not shared; the provider does not distinguish the two.
    #[error("there is no such page or database, or it is not shared")]
    NotFound,
    /// The request does not apply to this object.
    #[error("the request was rejected: {0}")]
    Unfit(String),
    /// The client id or secret is wrong.
    #[error("the client id or secret was rejected")]
    WrongClient,
    /// The provider is overloaded, failing or unreachable.
    #[error("{cause}")]
    Unavailable {
        /// The cause, for the log.
        cause: String,
        /// When to try again.
        retry_after: Option<Duration>,
    },
}

impl WikiError {
    pub(super) fn unavailable(cause: impl fmt::Display) -> Self {
        Self::Unavailable { cause: cause.to_string(), retry_after: None }
    }
}
