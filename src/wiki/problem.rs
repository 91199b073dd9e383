//! Why a request to the provider failed.

use std::{fmt, time::Duration};

/// Why the provider did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The token is not, or no longer, good.
    #[error("the token is not accepted")]
    Unauthorized,
    /// The connection may not do this, or its grant has ended.
    #[error("access is denied: {0}")]
    Denied(String),
    /// There is no such page or database, or it was not shared; the provider tells no difference.
    #[error("there is no such page or database, or it is not shared")]
    NotFound,
    /// What was asked does not fit what it was asked of.
    #[error("the request does not fit: {0}")]
    Unfit(String),
    /// The client's id or secret is wrong.
    #[error("the client id or secret is not accepted")]
    WrongClient,
    /// It is busy, or broken, or not to be reached.
    #[error("{cause}")]
    Unavailable {
        /// What happened, for the log.
        cause: String,
        /// When it is worth another try.
        retry_after: Option<Duration>,
    },
}

impl Problem {
    pub(super) fn unavailable(cause: impl fmt::Display) -> Self {
        Self::Unavailable { cause: cause.to_string(), retry_after: None }
    }
}
