//! Texts of errors for the command line.

use crate::error::{Error, Remedy};

/// The text of an error, with the command that lists what was not found.
pub fn error_text(error: &Error) -> String {
    let command = match error {
        Error::NotFound("workspace") => "planroom workspace list",
        Error::NotFound("view") => "planroom workspace views",
        Error::NotFound("user") => "planroom user list",
        Error::NotFound("organization") => "planroom org list",
        Error::NotFound("webhook") => "planroom org webhooks",
        Error::NotFound("share link") => "planroom workspace shares",
        _ => {
            return match error.remedy() {
                Some(Remedy::ListViews { workspace_id }) => {
                    format!("{error}; planroom workspace views {workspace_id} shows what exists")
                }
                _ => error.to_string(),
            };
        }
    };
    format!("{error}; {command} shows what exists")
}
