//! The data of events in an event stream.

use serde::Serialize;

use super::presence::Presence;
pub use super::present::DepartedClient;
use crate::{
    describe::ToSchema,
    domain::{core::Change, history::Version},
};

/// The data of an event. The event name determines the type.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum EventData {
    /// Data of `ready` events.
    Ready(Ready),
    /// Data of `change` events.
    Change(Change),
    /// Data of `presence` events.
    Presence(Presence),
    /// Data of `gone` events.
    Gone(DepartedClient),
    /// Data of `versions` events.
    Versions(VersionsChanged),
    /// Data of `accessRequests` events.
    AccessRequests(AccessRequestsChanged),
    /// Data of `comments` events.
    Comments(CommentsChanged),
    /// Data of `sources` events.
    Sources(SourcesChanged),
    /// Data of `drafts` events.
    Drafts(DraftsChanged),
    /// Data of `reload` events.
    Reload(Reload),
}

/// The event stream has started.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    /// Identifier of the database's incarnation. It changes when the database is restored.
    #[schema(example = "0f3a9c21d4b84e07a6c5f1e2938475ab")]
    pub incarnation: String,
    /// Id of the last change in the log.
    pub id: i64,
    /// Workspace revision.
    pub revision: i64,
    /// Directory revision, for people, teams, roles and kinds.
    pub directory_revision: i64,
}

/// A named version was saved or deleted. This is not a change of the workspace, so the event has no id to resume from:
/// after an interruption, read the list of versions again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionsChanged {
    /// Type of change: `create` or `delete`.
    #[schema(example = "create")]
    pub op: String,
    /// The version.
    pub version: Version,
}

/// New values of fields of the workspace that depend on the reader. Sent to owners, and to the user whose request was
/// made or ended.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequestsChanged {
    /// Number of open access requests, for owners.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub access_requests: Option<i64>,
    /// Time at which the reader requested edit access, in Unix milliseconds; null if the request has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub access_requested_at: Option<Option<i64>>,
}

/// Comments were written. This is not a change of the workspace, so the event has no id to resume from: after an
/// interruption, read the comments again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentsChanged {
    /// What happened to the thread: `create`, `update` or `delete`. `settings`: who can comment has changed.
    #[schema(example = "update")]
    pub op: String,
    /// Id of the thread; null for settings, and if several threads were imported.
    #[schema(required)]
    pub thread_id: Option<String>,
}

/// A source was synchronized or deleted. This is not a change of the workspace, so the event has no id to resume from:
/// after an interruption, read the sources again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourcesChanged {
    /// What happened to the source: `sync` or `delete`.
    #[schema(example = "sync")]
    pub op: String,
    /// Id of the source.
    pub source_id: String,
}

/// A draft, or the protection of the workspace, has changed. Followers of the workspace and of the draft receive it. It has no
/// id to resume from: after an interruption, read the drafts again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftsChanged {
    /// What happened: `create`, `update`, `review`, `rebase` (updated from the workspace), `merge` or `close`. `protection`: the
    /// protection of the workspace has changed. `map`: for followers of the workspace, the map of the draft has changed; for
    /// followers of the draft, the workspace has changed. Both change the comparison. `comments`: comments on the draft were
    /// written.
    #[schema(example = "review")]
    pub op: String,
    /// Id of the draft; null for the protection.
    #[schema(required)]
    pub draft_id: Option<String>,
}

/// Some changes are not reported individually; read the workspace again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reload {}
