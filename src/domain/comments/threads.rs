//! Reading and writing threads.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

pub use super::model::{Anchor, AnchorType, NewThread, Thread, ThreadFilter, ThreadKind, ThreadPatch, ThreadState};
use super::{
    audit_moderation, expect_may_comment, expect_room, expect_threads, mentions,
    model::{NewAnchor, ThreadMessage},
    notify_followers, queue_webhooks,
    steps::{Steps, stored_text},
    store::{self, threads::StoredThread},
};
use crate::{
    domain::{
        core::{CommentTx, Core, Reads, ViewTx, WebhookEvent},
        map::processes,
        notifications,
        paging::{Page, Paging},
        users,
        values::{AccessLevel, CommentText, Coordinate},
    },
    error::{Error, Problem, Result},
};

const NOT_FOUND: Error = Error::NotFound("thread");

/// Lists threads, newest first.
pub fn list(tx: &ViewTx<'_>, filter: &ThreadFilter, paging: &Paging) -> Result<Page<Thread>> {
    if filter.anchor_id.is_some() && filter.anchor_type.is_none() {
        return Err(Error::invalid("anchorType", Problem::required(" with `anchorId`")));
    }
    let steps = Steps::new(tx);
    store::threads::page(tx.core().conn, &tx.key(), filter, &paging.window("threads")?, |thread| {
        tx.core().check_alive()?;
        let thread = steps.locate(thread)?;
        let is_listed = filter.detached.is_none_or(|detached| detached == thread.detached);
        is_listed.then(|| located(tx, thread)).transpose()
    })
}

/// Reads a thread with its messages.
pub fn read(tx: &ViewTx<'_>, id: &str) -> Result<Thread> {
    let thread = shown(tx, stored(tx, id)?)?;
    let messages = store::messages::of_thread(tx.core().conn, tx.pk(), id)?;
    Ok(Thread { messages: Some(messages), ..thread })
}

/// A thread without its messages, and one of them, as they are now. None if they do not exist.
pub(in crate::domain) fn now(
    tx: &ViewTx<'_>,
    id: &str,
    message: Option<i64>,
) -> Result<Option<(Thread, Option<ThreadMessage>)>> {
    let conn = tx.core().conn;
    let Some(thread) = store::threads::find(conn, tx.pk(), id)? else { return Ok(None) };
    let found = message.map(|message| store::messages::find(conn, tx.pk(), id, message)).transpose()?.flatten();
    if message.is_some() && found.is_none() {
        return Ok(None);
    }
    Ok(Some((shown(tx, thread)?, found)))
}

/// Creates a thread with its first message.
pub fn create(tx: &mut CommentTx<'_>, new: NewThread) -> Result<Thread> {
    expect_may_comment(tx)?;
    expect_room(tx, new.text.as_str().len())?;
    expect_threads(tx.core(), tx.pk(), 1)?;
    let (now, user_id) = (tx.core().now, tx.user_id()?);
    let thread = StoredThread {
        id: URL_SAFE_NO_PAD.encode(uuid::Uuid::now_v7().as_bytes()),
        anchor: checked_anchor(tx, new.anchor)?,
        detached: false,
        kind: new.kind.unwrap_or_default(),
        resolved_at: None,
        resolved_by: None,
        resolver: None,
        last_message: 1,
        revision: 1,
        created_at: now,
        created_by: Some(user_id),
        updated_at: now,
    };
    store::threads::insert(tx.core().conn, tx.pk(), &thread)?;
    let first = message(tx, 1, &new.text)?;
    store::messages::insert(tx.core().conn, tx.pk(), &thread.id, &first)?;
    notifications::message_written(tx.core(), tx.pk(), (&thread.id, 1), user_id, &mentioned(&first))?;
    notify_followers(tx, "create", Some(&thread.id));
    queue_webhooks(tx, WebhookEvent::CommentCreated, &thread.id, Some(1))?;
    read(tx, &thread.id)
}

/// Updates a thread, as its author or an editor.
pub fn update(tx: &mut CommentTx<'_>, id: &str, patch: &ThreadPatch) -> Result<Thread> {
    let mut thread = expected(tx, id)?;
    expect_manager(tx, &thread)?;
    if patch.x.is_some() != patch.y.is_some() {
        return Err(Error::invalid(
            if patch.x.is_some() { "y" } else { "x" },
            Problem::required(" with the other one"),
        ));
    }
    if patch.x.is_some() && thread.anchor.x.is_none() {
        return Err(Error::invalid("x", "must not be given: the thread is not at a point"));
    }
    let before = (thread.kind, thread.anchor.x, thread.anchor.y);
    thread.kind = patch.kind.unwrap_or(thread.kind);
    thread.anchor.x = patch.x.map(Coordinate::get).or(thread.anchor.x);
    thread.anchor.y = patch.y.map(Coordinate::get).or(thread.anchor.y);
    if before != (thread.kind, thread.anchor.x, thread.anchor.y) {
        write(tx, thread)?;
    }
    read(tx, id)
}

/// Resolves a thread, or opens it again, as its author or an editor.
pub fn set_state(tx: &mut CommentTx<'_>, id: &str, state: ThreadState) -> Result<Thread> {
    let mut thread = stored(tx, id)?;
    expect_manager(tx, &thread)?;
    let is_resolved = state == ThreadState::Resolved;
    if thread.resolved_at.is_some() != is_resolved {
        let by = (tx.core().now, tx.user_id()?);
        (thread.resolved_at, thread.resolved_by) = is_resolved.then_some(by).unzip();
        write(tx, thread)?;
        let event = if is_resolved { WebhookEvent::CommentResolved } else { WebhookEvent::CommentReopened };
        queue_webhooks(tx, event, id, None)?;
    }
    read(tx, id)
}

/// Deletes a thread: as an owner of the workspace, or as its author if no other user has written in it.
pub fn delete(tx: &mut CommentTx<'_>, id: &str) -> Result<()> {
    let thread = expected(tx, id)?;
    let user_id = tx.user_id()?;
    let others = store::messages::has_other_author(tx.core().conn, tx.pk(), id, user_id)?;
    let is_own = thread.created_by == Some(user_id) && !others;
    if !is_own && !tx.is_at_least(AccessLevel::Owner) {
        return Err(Error::Forbidden("only owners of the workspace can delete a thread in which others have written"));
    }
    remove(tx, id, is_own)
}

/// Deletes a thread. `is_own` is whether the caller is the only author.
pub(super) fn remove(tx: &CommentTx<'_>, id: &str, is_own: bool) -> Result<()> {
    store::threads::delete(tx.core().conn, tx.pk(), id)?;
    notifications::forget_thread(tx.core().conn, tx.pk(), id)?;
    if !is_own {
        audit_moderation(tx, "thread.delete", id, None)?;
    }
    notify_followers(tx, "delete", Some(id));
    queue_webhooks(tx, WebhookEvent::CommentDeleted, id, None)
}

/// A thread that is not changed by a request with an older entity tag.
fn expected(tx: &CommentTx<'_>, id: &str) -> Result<StoredThread> {
    let thread = stored(tx, id)?;
    let current = shown(tx, thread.clone())?;
    tx.expect_revision(thread.revision, thread.created_by, &current)?;
    Ok(thread)
}

pub(super) fn stored(tx: &ViewTx<'_>, id: &str) -> Result<StoredThread> {
    store::threads::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)
}

/// Writes a changed thread, with a new revision.
pub(super) fn write(tx: &CommentTx<'_>, mut thread: StoredThread) -> Result<()> {
    thread.revision += 1;
    thread.updated_at = tx.core().now;
    store::threads::update(tx.core().conn, tx.pk(), &thread)?;
    notify_followers(tx, "update", Some(&thread.id));
    Ok(())
}

/// Fails unless the caller is the author of a thread or can edit the workspace.
fn expect_manager(tx: &CommentTx<'_>, thread: &StoredThread) -> Result<()> {
    if thread.created_by == Some(tx.user_id()?) || tx.is_at_least(AccessLevel::Editor) {
        return Ok(());
    }
    Err(Error::Forbidden("only the author of a thread and editors of the workspace can change or resolve it"))
}

fn shown(tx: &ViewTx<'_>, thread: StoredThread) -> Result<Thread> {
    located(tx, Steps::new(tx).locate(thread)?)
}

/// A thread whose message of a process is located.
fn located(tx: &ViewTx<'_>, thread: StoredThread) -> Result<Thread> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let first = store::messages::first(conn, pk, &thread.id)?;
    Ok(Thread {
        workspace_id: tx.workspace().id.clone(),
        detached: thread.detached,
        kind: thread.kind,
        state: if thread.resolved_at.is_some() { ThreadState::Resolved } else { ThreadState::Open },
        resolved_at: thread.resolved_at,
        resolved_by: thread.resolver.filter(|_| thread.resolved_at.is_some()),
        message_count: store::messages::count(conn, pk, &thread.id)?,
        participants: store::messages::participants(conn, pk, &thread.id)?,
        first_message: first.ok_or_else(|| Error::internal("a thread has no message"))?,
        messages: None,
        revision: thread.revision,
        created_at: thread.created_at,
        created_by: thread.created_by,
        updated_at: thread.updated_at,
        anchor: thread.anchor,
        id: thread.id,
    })
}

/// What a thread is about, and whether that is deleted; none if there is no such thread.
pub(in crate::domain) fn anchor(core: &Core<'_>, workspace_pk: i64, id: &str) -> Result<Option<(Anchor, bool)>> {
    let thread = store::threads::find(core.conn, workspace_pk, id)?;
    Ok(thread.map(|thread| (thread.anchor, thread.detached)))
}

/// Users that a message mentions.
pub(super) fn mentioned(message: &ThreadMessage) -> Vec<i64> {
    message.mentions.iter().map(|user| user.id).collect()
}

/// A new message of the caller.
pub(super) fn message(tx: &CommentTx<'_>, id: i64, text: &CommentText) -> Result<ThreadMessage> {
    let author = users::profile_of(tx.core(), tx.user_id()?)?;
    Ok(ThreadMessage {
        id,
        author: Some(author),
        imported_author: None,
        text: text.as_str().to_owned(),
        mentions: mentions::of(tx, text.as_str())?,
        created_at: tx.core().now,
        edited_at: None,
        revision: 1,
    })
}

/// What a new thread is about, if it exists.
fn checked_anchor(tx: &CommentTx<'_>, new: NewAnchor) -> Result<Anchor> {
    let wrong = |field: &str, text: &str| Err(Error::invalid(["anchor", field], text));
    let (is_workspace, is_process) = (new.anchor_type == AnchorType::Workspace, new.anchor_type == AnchorType::Process);
    let id = match (&new.id, is_workspace) {
        (Some(_), true) => return wrong("id", "must not be given for a workspace"),
        (None, false) => return Err(Error::invalid(["anchor", "id"], Problem::required(""))),
        (id, _) => id.clone().unwrap_or_default(),
    };
    let Some(name) = store::anchors::name(tx.core().conn, tx.pk(), new.anchor_type, &id)? else {
        return wrong("id", "does not exist in this workspace");
    };
    if new.x.is_some() != new.y.is_some() {
        return wrong(if new.x.is_some() { "y" } else { "x" }, "is required with the other one");
    }
    if new.x.is_some() && !is_workspace && new.anchor_type != AnchorType::View {
        return wrong("x", "must not be given: only views and the workspace have points");
    }
    let step_text = match new.step {
        None => None,
        Some(_) if !is_process => return wrong("step", "must not be given: only processes have messages"),
        Some(step) => {
            let reading = processes::read(tx, &id)?;
            let found = usize::try_from(step).ok().and_then(|at| reading.steps.get(at));
            match found {
                Some(found) => Some(stored_text(&found.text)),
                None => return wrong("step", "is not the index of a message of this process"),
            }
        }
    };
    Ok(Anchor {
        anchor_type: new.anchor_type,
        id: new.id,
        name,
        step: new.step,
        step_text,
        x: new.x.map(Coordinate::get),
        y: new.y.map(Coordinate::get),
    })
}
