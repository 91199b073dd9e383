//! Outcomes of image downloads.

use std::time::Duration;

use crate::{
    clock::{DAY, HOUR, MINUTE},
    error::Error,
    images::{Image, ImageError},
    wiki::ObjectKind,
};

/// Why the state of an image is unknown. It is not recorded as a failed attempt.
#[derive(Debug, Clone)]
pub(in crate::domain) struct WikiFailure {
    /// Reason, for the end of an error message.
    pub(in crate::domain) why: String,
    /// When to try again; none if an administrator must act first.
    pub(in crate::domain) retry_after: Option<Duration>,
}

impl From<WikiFailure> for Error {
    fn from(WikiFailure { why, retry_after }: WikiFailure) -> Self {
        Self::NoPicture { why, retry_after }
    }
}

impl WikiFailure {
    /// The failure, if the error concerns the wiki and not this upload.
    pub(in crate::domain) fn of(error: &Error) -> Option<Self> {
        let (why, retry_after) = match error {
            Error::WikiMisconfigured => ("it was uploaded to the wiki, which is not connected", None),
            Error::WikiAccessDenied => {
                ("it was uploaded to the wiki, which refuses the connection; an admin can connect it again", None)
            }
            Error::WikiUnavailable { retry_after } => {
                ("it was uploaded to the wiki, which does not answer as it should", Some(*retry_after))
            }
            _ => return None,
        };
        Some(Self { why: why.into(), retry_after })
    }
}

/// Delays before a retry after the first, second, … consecutive failure, in milliseconds. The last delay applies to all
/// further failures.
pub(in crate::domain) const RETRY_DELAYS: [i64; 5] = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY];

/// The result of a fetch.
pub(super) type DownloadResult = std::result::Result<Image, ImageError>;

/// A wiki page or database: its id and its likely kind.
pub(super) type WikiTarget = (String, ObjectKind);
