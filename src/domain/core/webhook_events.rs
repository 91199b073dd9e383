//! Events for the webhooks of organizations.
//!
//! Changes of workspaces are read from the change log. Other events are queued in the transaction that causes them, so
//! they are sent exactly if it is committed. A row of the queue says only what an event is about; what is sent is read
//! when it is sent (`domain::webhooks`).

use super::{
    state::Core,
    store::webhooks::{self, NewEvent},
};
use crate::{domain::values::words, error::Result};

words! {
    /// The type of an event.
    WebhookEvent {
        /// Rows of a workspace were written.
        WorkspaceChanged = "workspace.changed",
        /// A comment was written: a new thread, or a reply.
        CommentCreated = "comment.created",
        /// The text of a comment was edited.
        CommentUpdated = "comment.updated",
        /// A comment or a thread was deleted.
        CommentDeleted = "comment.deleted",
        /// A thread was resolved.
        CommentResolved = "comment.resolved",
        /// A resolved thread was opened again.
        CommentReopened = "comment.reopened",
        /// A draft of a workspace was submitted for review.
        DraftSubmitted = "draft.submitted",
        /// An editor has approved a draft.
        DraftApproved = "draft.approved",
        /// An editor has requested changes to a draft.
        DraftChangesRequested = "draft.changes-requested",
        /// A draft was merged into its workspace.
        DraftMerged = "draft.merged",
        /// A draft was closed without a merge.
        DraftClosed = "draft.closed",
        /// A user joined the organization.
        MemberJoined = "member.joined",
        /// The role of a member was changed.
        MemberUpdated = "member.updated",
        /// A user is no longer a member of the organization.
        MemberLeft = "member.left",
    }
}

/// An event that is not in the change log.
pub(in crate::domain) struct WebhookNotice<'a> {
    pub event: WebhookEvent,
    pub organization_id: &'a str,
    /// The workspace; none for an event of the organization.
    pub workspace_pk: Option<i64>,
    /// Id of the thread, draft or user.
    pub subject: String,
    /// Id of the message in the thread.
    pub part: Option<i64>,
}

impl Core<'_> {
    /// Queues an event for the webhooks that report it. Events of private workspaces are not queued.
    pub(in crate::domain) fn queue_webhooks(&self, notice: &WebhookNotice<'_>) -> Result<()> {
        let new = NewEvent {
            message_id: &message_id(),
            event: notice.event.as_str(),
            organization_id: notice.organization_id,
            workspace_pk: notice.workspace_pk,
            subject: &notice.subject,
            part: notice.part,
            actor_id: self.actor(),
        };
        webhooks::queue(self.conn, &new, self.now)
    }
}

/// A new id of a message.
pub(in crate::domain) fn message_id() -> String {
    format!("msg_{}", uuid::Uuid::now_v7().simple())
}
