//! Threads, messages, and the requests that write them.

use serde::{Deserialize, Serialize};

use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        input::{Input, objects},
        users::Profile,
        values::{CommentText, Coordinate, words},
    },
};

words! {
    /// Who can comment in a workspace.
    #[derive(Default)]
    Commenters {
        /// Everyone who can view it.
        #[default]
        Viewers = "viewers",
        /// Everyone who can edit it.
        Editors = "editors",
    }
}
words! {
    /// What a thread is for.
    #[derive(Default)]
    ThreadKind {
        /// A comment.
        #[default]
        Comment = "comment",
        /// A question.
        Question = "question",
        /// The map is wrong here.
        Inaccurate = "inaccurate",
    }
}
words! {
    /// Whether a thread is resolved.
    ThreadState {
        /// Not resolved.
        Open = "open",
        /// Resolved.
        Resolved = "resolved",
    }
}
words! {
    /// What a thread can be about.
    AnchorType {
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A process, or one of its messages.
        Process = "process",
        /// A view, or a point in it.
        View = "view",
        /// The workspace, or a point of its map.
        Workspace = "workspace",
    }
}

/// What a thread is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Anchor {
    /// Type of the anchor.
    #[serde(rename = "type")]
    pub anchor_type: AnchorType,
    /// Id of the component, relationship, process or view; absent for a workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "checkout")]
    pub id: Option<String>,
    /// Current name; the last known name if the anchor is deleted. For a relationship, the names of its components.
    #[schema(example = "Checkout")]
    pub name: String,
    /// Current index of a message of the process, counted from 0; the last known index if the process no longer has the
    /// message. Absent if the thread is about the whole process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub step: Option<i64>,
    /// Text of this message when the thread was created, by which it is found in a diagram that has changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub step_text: Option<String>,
    /// Horizontal position of a point on the map.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub x: Option<f64>,
    /// Vertical position of a point on the map.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub y: Option<f64>,
}

/// A thread of comments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Id.
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// What the thread is about.
    pub anchor: Anchor,
    /// Whether the anchor is deleted, or the message of the process. If that is undone, the thread has its anchor again.
    pub detached: bool,
    /// What the thread is for.
    pub kind: ThreadKind,
    /// Whether the thread is resolved.
    pub state: ThreadState,
    /// When it was resolved, in Unix milliseconds; absent if it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub resolved_at: Option<i64>,
    /// Name of the user who resolved it; absent if it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub resolved_by: Option<String>,
    /// Number of messages.
    pub message_count: i64,
    /// Users who wrote in the thread, at most 20.
    pub participants: Vec<Profile>,
    /// The first message.
    pub first_message: ThreadMessage,
    /// All messages, oldest first. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub messages: Option<Vec<ThreadMessage>>,
    /// Number of writes to the thread and its messages; send it in `If-Match`.
    #[schema(example = 1)]
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id of the author; absent for an imported thread.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
    /// Time of the last message or change, in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
}

/// A message of a thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThreadMessage {
    /// Id, unique in the thread.
    #[schema(example = 1)]
    pub id: i64,
    /// The author; null for an imported message.
    #[schema(required)]
    pub author: Option<Profile>,
    /// Name of the author in the file that the message was imported from. The server cannot verify it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub imported_author: Option<String>,
    /// Markdown, without HTML. `@login` mentions a user, `#id` links a component.
    #[schema(example = "Does @grace still own this?")]
    pub text: String,
    /// Users that the text mentions and who could view the workspace when it was written.
    pub mentions: Vec<Profile>,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// Time of the last edit in Unix milliseconds; absent if never edited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub edited_at: Option<i64>,
    /// Number of writes to the message; send it in `If-Match`.
    #[schema(example = 1)]
    pub revision: i64,
}

/// What a new thread is about.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewAnchor {
    /// Type of the anchor.
    #[serde(rename = "type")]
    pub anchor_type: AnchorType,
    /// Id of the component, relationship, process or view. Must not be given for a workspace.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Index of a message of the process, counted from 0. Default: the whole process.
    #[schema(nullable = false, minimum = 0)]
    pub step: Option<i64>,
    /// Horizontal position of a point of a view or of the map of the workspace, together with `y`.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
}

/// A new thread with its first message.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewThread {
    /// What the thread is about.
    pub anchor: NewAnchor,
    /// What the thread is for. Default: `comment`.
    #[schema(nullable = false)]
    pub kind: Option<ThreadKind>,
    /// The first message, in Markdown.
    pub text: CommentText,
}

/// Fields of a thread to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ThreadPatch {
    /// What the thread is for.
    #[schema(nullable = false)]
    pub kind: Option<ThreadKind>,
    /// New horizontal position of a thread at a point, together with `y`.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// New vertical position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
}

/// A new message, or the new text of a message.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewMessage {
    /// The text, in Markdown.
    pub text: CommentText,
}

/// Settings for comments to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct CommentSettingsPatch {
    /// Who can comment.
    #[schema(nullable = false)]
    pub commenters: Option<Commenters>,
}

/// Number of threads and settings of a workspace, for the marks on its map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentOverview {
    /// Who can comment.
    pub commenters: Commenters,
    /// Whether the caller can comment.
    pub can_comment: bool,
    /// Number of open threads.
    pub open: i64,
    /// Number of resolved threads.
    pub resolved: i64,
    /// Number of open threads whose anchor is deleted.
    pub detached: i64,
    /// Anchors with threads.
    pub anchors: Vec<AnchorCounts>,
    /// Open threads at points of views and of the map, newest first, at most 1,000.
    pub points: Vec<ThreadPoint>,
}

/// Number of threads of an anchor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnchorCounts {
    /// Type of the anchor.
    #[serde(rename = "type")]
    pub anchor_type: AnchorType,
    /// Id of the component, relationship, process or view; absent for a workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Whether the anchor is deleted.
    pub detached: bool,
    /// Number of open threads.
    pub open: i64,
    /// Number of open questions.
    pub questions: i64,
    /// Number of open threads that say that the map is wrong.
    pub inaccurate: i64,
    /// Number of resolved threads.
    pub resolved: i64,
}

/// An open thread at a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPoint {
    /// Id of the thread.
    pub thread_id: String,
    /// Id of the view; absent for the map of the workspace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub view_id: Option<String>,
    /// Horizontal position.
    pub x: f64,
    /// Vertical position.
    pub y: f64,
    /// What the thread is for.
    pub kind: ThreadKind,
}

/// Which threads to list. Without parameters, all.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ThreadFilter {
    /// Only threads about this type of anchor.
    pub anchor_type: Option<AnchorType>,
    /// Only threads about the anchor with this id. Requires `anchorType`.
    #[param(max_length = 128)]
    pub anchor_id: Option<String>,
    /// Only open or resolved threads.
    pub state: Option<ThreadState>,
    /// Only threads of this kind.
    pub kind: Option<ThreadKind>,
    /// Only threads whose anchor is deleted, or whose anchor exists.
    pub detached: Option<bool>,
}

/// Whom to suggest for a mention.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MentionQuery {
    /// Beginning of the login, or of a part of the name. Default: everyone.
    #[param(max_length = 200)]
    pub q: Option<String>,
}

/// Fields of a thread in responses that a client cannot write.
const ROW: &[&str] = &[
    "id",
    "workspaceId",
    "anchor",
    "detached",
    "state",
    "resolvedAt",
    "resolvedBy",
    "messageCount",
    "participants",
    "firstMessage",
    "messages",
    "revision",
    "createdAt",
    "createdBy",
    "updatedAt",
];
/// Fields of a message in responses that a client cannot write.
const MESSAGE: &[&str] = &["id", "author", "importedAuthor", "mentions", "createdAt", "editedAt", "revision"];
/// Fields of the overview that a client cannot write.
const OVERVIEW: &[&str] = &["canComment", "open", "resolved", "detached", "anchors", "points"];

objects!(NewAnchor, NewThread, ThreadPatch, NewMessage, CommentSettingsPatch);
impl Input for NewThread {}
impl Input for ThreadPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for NewMessage {
    const READ_ONLY: &'static [&'static str] = MESSAGE;
}
impl Input for CommentSettingsPatch {
    const READ_ONLY: &'static [&'static str] = OVERVIEW;
}
