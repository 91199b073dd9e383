//! Addresses of screens of the web client, for emails.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::model::InboxEntry;
use crate::domain::notifications::NotificationKind;

/// Characters that are percent-encoded in a segment of a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// The map of a workspace. Ids of workspaces can contain any characters.
pub(in crate::domain) fn of_workspace(public_url: &str, organization_slug: &str, workspace_id: &str) -> String {
    format!("{public_url}/o/{}/w/{}", encoded(organization_slug), encoded(workspace_id))
}

/// The page of a draft of the workspace at this address.
pub(in crate::domain) fn of_draft(workspace_url: &str, draft_id: &str) -> String {
    format!("{workspace_url}/drafts/{}", encoded(draft_id))
}

/// The screen of what an entry is about.
pub(super) fn of_entry(public_url: &str, organization_slug: &str, entry: &InboxEntry) -> String {
    let workspace = of_workspace(public_url, organization_slug, &entry.workspace_id);
    let row = entry.changed.iter().flatten().next().map(|row| (row.kind.as_str(), encoded(&row.id)));
    match (&entry.thread_id, &entry.draft_id, row) {
        (Some(thread), ..) => format!("{workspace}?thread={}", encoded(thread)),
        (None, Some(draft), _) => of_draft(&workspace, draft),
        (None, None, Some(("component", id))) => format!("{workspace}?c={id}"),
        (None, None, Some(("process", id))) => format!("{workspace}/processes/{id}"),
        (None, None, Some(("decision", id))) => format!("{workspace}/decisions/{id}"),
        (None, None, Some(("view", id))) => format!("{workspace}/v/{id}"),
        (None, None, _) if entry.kind == NotificationKind::StaleSource => format!("{workspace}?report=drift"),
        (None, None, _) => workspace,
    }
}

/// The start page with the inbox open.
pub(super) fn inbox(public_url: &str) -> String {
    format!("{public_url}/?inbox=open")
}

/// The notification settings of the account.
pub(super) fn settings(public_url: &str) -> String {
    format!("{public_url}/account/notifications")
}

/// The page that ends emails of a kind.
pub(super) fn unsubscribe(public_url: &str, token: &str) -> String {
    format!("{public_url}/unsubscribe/{token}")
}
