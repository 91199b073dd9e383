//! Comments: threads of messages about components, relationships, processes, views and the workspace.
//!
//! Threads are not rows of the map: they are not in the change log, in the history and in undo, and the revision of the
//! workspace does not count them. An anchor is an id and no foreign key, so a thread stays when what it is about is deleted,
//! and has its anchor again after an undo.

pub mod file;
mod mentions;
pub mod messages;
pub mod model;
pub mod overview;
mod steps;
mod store;
pub mod threads;

pub(in crate::domain) use self::mentions::erase_user;

use serde_json::json;

use self::model::Commenters;
use super::{
    core::{Audience, CommentTx, Core, Reads, ViewTx, WebhookEvent, WebhookNotice},
    values::AccessLevel,
};
use crate::{
    clock::MINUTE,
    error::{Error, Result},
};

/// Maximum number of threads of a workspace.
pub const MAX_THREADS: i64 = 10_000;
/// Maximum number of messages of a thread.
pub const MAX_MESSAGES: i64 = 200;
/// Maximum length of all messages of a workspace, in bytes.
pub const MAX_BYTES: i64 = 32 << 20;
/// Maximum number of messages that a user can write in a minute.
pub const MAX_MESSAGES_PER_MINUTE: i64 = 30;

/// Maximum length of the stored text of a message of a process, in characters.
const MAX_STEP_CHARS: usize = 500;

/// Whether the setting of a workspace lets a user with this access level comment.
fn may_comment(commenters: Commenters, level: Option<AccessLevel>) -> bool {
    match commenters {
        Commenters::Viewers => level.is_some(),
        Commenters::Editors => level >= Some(AccessLevel::Editor),
    }
}

/// Fails if the caller cannot comment in a workspace.
pub(in crate::domain) fn expect_may_comment(tx: &ViewTx<'_>) -> Result<()> {
    let (commenters, _) = store::overview::settings(tx.core().conn, tx.access_pk())?;
    if may_comment(commenters, tx.workspace().my_role) {
        return Ok(());
    }
    Err(Error::Forbidden("only editors can comment in this workspace; ask one of its owners for edit access"))
}

/// Ids of the users whom a text mentions and who can view the workspace.
pub(in crate::domain) fn mentioned_in(tx: &ViewTx<'_>, text: &str) -> Result<Vec<i64>> {
    Ok(mentions::of(tx, text)?.iter().map(|user| user.id).collect())
}

/// Fails if the caller writes too fast, or if the workspace has no room for `bytes` more.
fn expect_room(tx: &CommentTx<'_>, bytes: usize) -> Result<()> {
    let core = tx.core();
    let nth_last = store::messages::nth_last(core.conn, tx.user_id()?, core.now - MINUTE, MAX_MESSAGES_PER_MINUTE)?;
    if let Some(at) = nth_last {
        let wait = u64::try_from(at + MINUTE - core.now).unwrap_or_default();
        return Err(Error::RateLimited { retry_after: std::time::Duration::from_millis(wait) });
    }
    expect_bytes(core, tx.pk(), bytes)
}

/// Fails if the messages of a workspace would be longer than [`MAX_BYTES`] with `bytes` more.
fn expect_bytes(core: &Core<'_>, workspace_pk: i64, bytes: usize) -> Result<()> {
    let (_, stored) = store::overview::settings(core.conn, workspace_pk)?;
    let all = stored + i64::try_from(bytes).unwrap_or(i64::MAX >> 1);
    if all <= MAX_BYTES {
        return Ok(());
    }
    let (limit, actual) = (MAX_BYTES >> 20, (all >> 20) + 1);
    let message = format!("the comments of this workspace take {limit} MiB, which is the limit; delete threads first");
    Err(Error::LimitReached { limit, actual, message })
}

/// Fails if a workspace would have more than [`MAX_THREADS`] threads.
fn expect_threads(core: &Core<'_>, workspace_pk: i64, more: usize) -> Result<()> {
    let actual =
        store::threads::count(core.conn, workspace_pk)?.saturating_add(i64::try_from(more).unwrap_or(i64::MAX));
    if actual <= MAX_THREADS {
        return Ok(());
    }
    let message = format!(
        "this workspace would have {actual} comment threads, and the limit is {MAX_THREADS}; delete resolved ones first"
    );
    Err(Error::LimitReached { limit: MAX_THREADS, actual, message })
}

/// Sends an event about a changed thread, or about changed settings if there is none, to followers of the workspace.
/// Followers of a base receive an event about its draft.
fn notify_followers(tx: &ViewTx<'_>, op: &str, thread: Option<&str>) {
    let event = json!({ "op": op, "threadId": thread });
    tx.core().notify_after_commit(tx.pk(), Audience::Everyone, "comments", event.to_string());
    if let Some(base_pk) = tx.workspace().base_pk {
        let event = json!({ "op": "comments", "draftId": tx.workspace().id });
        tx.core().notify_after_commit(base_pk, Audience::Everyone, "drafts", event.to_string());
    }
}

/// Queues an event about a thread, or about a message in it, for the webhooks of the organization.
fn queue_webhooks(tx: &ViewTx<'_>, event: WebhookEvent, thread: &str, message: Option<i64>) -> Result<()> {
    tx.core().queue_webhooks(&WebhookNotice {
        event,
        organization_id: tx.workspace().org_id.as_deref().unwrap_or_default(),
        workspace_pk: Some(tx.pk()),
        subject: thread.to_owned(),
        part: message,
    })
}

/// Records that an owner has deleted what others wrote.
fn audit_moderation(tx: &CommentTx<'_>, kind: &str, thread: &str, message: Option<i64>) -> Result<()> {
    let core = tx.core();
    let details = json!({ "workspacePk": tx.pk(), "threadId": thread, "messageId": message });
    core.audit(kind, core.actor(), &details)
}
