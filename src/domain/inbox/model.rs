//! Entries of an inbox, and what a user watches.

use serde::{Deserialize, Serialize};

use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        comments::model::Anchor,
        input::{Input, objects, optional_at_most},
        notifications::NotificationKind,
        users::Profile,
        values::words,
    },
};

/// Maximum number of entries that one request marks as read by id.
const MAX_READ: usize = 500;
// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_READ == 500);

words! {
    /// What a user watches.
    WatchKind {
        /// A workspace.
        Workspace = "workspace",
        /// A component.
        Component = "component",
        /// The components of a team.
        Team = "team",
    }
}

words! {
    /// What happened to a draft.
    DraftEvent {
        /// An editor approved it.
        Approved = "approved",
        /// An editor requested changes.
        ChangesRequested = "changes-requested",
        /// A user wrote a review without a verdict.
        Commented = "comment",
        /// It was merged.
        Merged = "merged",
        /// It was closed without a merge.
        Closed = "closed",
    }
}

/// An entry of an inbox.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxEntry {
    /// Id.
    pub id: i64,
    /// What it is about.
    pub kind: NotificationKind,
    /// One sentence that says what happened.
    #[schema(example = "Ada Lovelace mentioned you on Checkout in Web shop")]
    pub title: String,
    /// The beginning of the message or review, the names of what was changed or of the sources, or the title of the draft to
    /// review. Can be empty.
    pub text: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name of the workspace.
    #[schema(example = "Web shop")]
    pub workspace_name: String,
    /// What the thread is about; absent unless the entry is about a thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub anchor: Option<Anchor>,
    /// Id of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub thread_id: Option<String>,
    /// Id of the newest message in the thread that the entry is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub message_id: Option<i64>,
    /// Id of the draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub draft_id: Option<String>,
    /// What happened to the draft; absent if the entry requests a review, or is not about a draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub draft_event: Option<DraftEvent>,
    /// Some of the changed rows that still exist; absent unless the entry is about changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed: Option<Vec<NamedRow>>,
    /// Number of messages, change sets or sources.
    pub count: i64,
    /// The user who caused it last; null for the system.
    #[schema(required)]
    pub actor: Option<Profile>,
    /// Time of the first event in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last event in Unix milliseconds.
    pub updated_at: i64,
    /// When it was read, in Unix milliseconds; null if it is unread.
    #[schema(required)]
    pub read_at: Option<i64>,
}

/// A row with its current name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NamedRow {
    /// `component`, `process`, `view`, `tour` or `decision`.
    #[schema(example = "component")]
    pub kind: String,
    /// Id.
    #[schema(example = "checkout")]
    pub id: String,
    /// Current name.
    #[schema(example = "Checkout")]
    pub name: String,
}

/// Which entries are listed.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InboxFilter {
    /// Only unread entries.
    pub unread: Option<bool>,
    /// Only entries of this kind.
    pub kind: Option<NotificationKind>,
}

/// The entries to mark as read: `ids` or `until`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct MarkReadRequest {
    /// Ids of entries. Unknown ones are ignored.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_READ, _, _>")]
    #[schema(nullable = false, max_items = 500)]
    pub ids: Option<Vec<i64>>,
    /// All entries whose `updatedAt` is not later than this time in Unix milliseconds.
    #[schema(nullable = false)]
    pub until: Option<i64>,
}

objects!(MarkReadRequest);
impl Input for MarkReadRequest {}

/// Something that a user watches.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Watch {
    /// Type of what is watched.
    #[serde(rename = "type")]
    pub kind: WatchKind,
    /// Id of the workspace, or of the workspace of the component; absent for a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "web-shop")]
    pub workspace_id: Option<String>,
    /// Name of this workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspace_name: Option<String>,
    /// Id of the component or team; absent for a workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "checkout")]
    pub id: Option<String>,
    /// Name of the workspace, component or team.
    #[schema(example = "Checkout")]
    pub name: String,
    /// Time since when it is watched, in Unix milliseconds.
    pub created_at: i64,
}

/// Whether the caller follows a thread.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct ThreadFollowing {
    /// Whether replies are in the caller's inbox.
    pub following: bool,
}

/// The number of unread entries. Also the data of `inbox` events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UnreadCount {
    /// Number of unread entries in the active organization.
    pub unread: i64,
}

/// A stored entry with its workspace and organization, whose reader can view the workspace.
pub(super) struct StoredEntry {
    pub id: i64,
    pub user_id: i64,
    pub kind: NotificationKind,
    pub workspace_pk: i64,
    pub workspace_id: String,
    pub workspace_name: String,
    pub organization_slug: String,
    pub subject: String,
    pub subject_id: String,
    pub first_item: i64,
    pub last_item: i64,
    pub items: String,
    pub count: i64,
    pub actor_id: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub read_at: Option<i64>,
}
