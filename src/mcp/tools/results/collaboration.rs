//! Results about the work on a map: comments, drafts, the history, decisions.

use serde::{Deserialize, Serialize};

use super::{NextPage, Table};
use crate::{
    domain::{
        comments::{
            messages::ThreadMessage,
            threads::{AnchorType, Thread, ThreadKind, ThreadState},
        },
        drafts::{Draft, DraftState},
        map::decisions::DecisionStatus,
        users::Profile,
    },
    mcp::links::Links,
};

/// A message of a comment thread.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentMessage {
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    text: String,
    created_at: i64,
}

impl From<ThreadMessage> for CommentMessage {
    fn from(message: ThreadMessage) -> Self {
        let ThreadMessage { author, imported_author, text, created_at, .. } = message;
        Self { author: author.map(|author| author.display_name).or(imported_author), text, created_at }
    }
}

/// A comment thread with its messages.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentThread {
    thread_id: String,
    kind: ThreadKind,
    state: ThreadState,
    anchor_type: AnchorType,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor_id: Option<String>,
    anchor_name: String,
    /// Whether the anchor is deleted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    detached: bool,
    messages: Vec<CommentMessage>,
    #[serde(flatten)]
    next: NextPage,
}

impl CommentThread {
    /// A thread with a page of its messages.
    pub fn new(thread: Thread, (messages, next_cursor): (Vec<CommentMessage>, Option<String>)) -> Self {
        let Thread { id: thread_id, kind, state, anchor, detached, .. } = thread;
        let (anchor_type, anchor_id, anchor_name) = (anchor.anchor_type, anchor.id, anchor.name);
        Self {
            thread_id,
            kind,
            state,
            anchor_type,
            anchor_id,
            anchor_name,
            detached,
            messages,
            next: next_cursor.into(),
        }
    }
}

/// A saved comment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedComment {
    thread_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<i64>,
    state: ThreadState,
    /// Logins of the users that the text mentions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<String>,
    /// URL of the thread in the web client.
    url: String,
}

impl SavedComment {
    pub fn new(thread: Thread, message: Option<ThreadMessage>, links: &Links, workspace_id: &str) -> Self {
        let message_id = message.as_ref().map(|message| message.id);
        let mentions = message.into_iter().flat_map(|message| message.mentions).filter_map(|user| user.login).collect();
        let url = links.thread(workspace_id, &thread.id);
        Self { thread_id: thread.id, message_id, state: thread.state, mentions, url }
    }
}

/// A draft.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftSummary {
    draft_id: String,
    workspace_id: String,
    title: String,
    state: DraftState,
    is_behind: bool,
    /// Logins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reviewers: Vec<String>,
    /// URL of the draft in the web client.
    url: String,
}

impl DraftSummary {
    pub fn new(draft: Draft, links: &Links) -> Self {
        let Draft { id, workspace_id, title, state, is_behind, reviewers, .. } = draft;
        let reviewers = reviewers.into_iter().map(login).collect();
        let url = links.draft(&workspace_id, &id);
        Self { draft_id: id, workspace_id, title, state, is_behind, reviewers, url }
    }
}

/// The login of a user, which other tools take.
pub fn login(user: Profile) -> String {
    user.login.unwrap_or(user.display_name)
}

/// A page of the comparison of a draft with its workspace.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftComparison {
    pub draft_id: String,
    pub markdown: String,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A page of changes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    #[serde(flatten)]
    pub table: Table,
    /// The oldest revision that the history contains.
    pub oldest_revision: i64,
}

/// The result of an undo.
#[derive(Debug, Serialize)]
pub struct Undone {
    /// Ids of the undone change sets.
    pub undone: Vec<String>,
    /// Number of reverted rows.
    pub rows: usize,
}

/// A saved version.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedVersion {
    pub version_id: i64,
    pub name: String,
    /// Revision of the workspace in the version.
    pub revision: i64,
    /// Whether a version with this name and the current state existed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// URL of the versions in the web client.
    pub url: String,
}

/// A decision with its text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionDetails {
    pub decision_id: String,
    pub number: i64,
    pub title: String,
    pub status: DecisionStatus,
    pub date: String,
    pub authors: Vec<String>,
    pub component_ids: Vec<String>,
    pub supersedes: Vec<String>,
    pub body: String,
    /// Whether the end of the text is omitted.
    pub truncated: bool,
    pub revision: i64,
    pub workspace_revision: i64,
    /// URL of the decision in the web client.
    pub url: String,
}

/// A saved decision.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedDecision {
    pub decision_id: String,
    pub number: i64,
    pub status: DecisionStatus,
    pub created: bool,
}
