//! Writing messages of a thread.

pub use super::model::{NewMessage, ThreadMessage};
use super::{
    MAX_MESSAGES, audit_moderation, expect_may_comment, expect_room, mentions, queue_webhooks, store,
    threads::{self, stored, write},
};
use crate::{
    domain::{
        core::{CommentTx, Core, Reads, WebhookEvent},
        notifications,
        values::AccessLevel,
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("message");

/// Adds a message to a thread. A resolved thread stays resolved.
pub fn create(tx: &mut CommentTx<'_>, thread_id: &str, new: &NewMessage) -> Result<ThreadMessage> {
    expect_may_comment(tx)?;
    let mut thread = stored(tx, thread_id)?;
    let (conn, pk) = (tx.core().conn, tx.pk());
    let actual = store::messages::count(conn, pk, thread_id)? + 1;
    if actual > MAX_MESSAGES {
        let message = format!("a thread can have {MAX_MESSAGES} messages; start another thread");
        return Err(Error::LimitReached { limit: MAX_MESSAGES, actual, message });
    }
    expect_room(tx, new.text.as_str().len())?;
    thread.last_message += 1;
    let message = threads::message(tx, thread.last_message, &new.text)?;
    store::messages::insert(conn, pk, thread_id, &message)?;
    let place = (thread_id, message.id);
    notifications::message_written(tx.core(), pk, place, tx.user_id()?, &threads::mentioned(&message))?;
    write(tx, thread)?;
    queue_webhooks(tx, WebhookEvent::CommentCreated, thread_id, Some(message.id))?;
    find(tx, thread_id, message.id)
}

/// Replaces the text of a message, as its author.
pub fn update(tx: &mut CommentTx<'_>, thread_id: &str, id: i64, new: &NewMessage) -> Result<ThreadMessage> {
    let mut message = expected(tx, thread_id, id)?;
    if author(&message) != Some(tx.user_id()?) {
        return Err(Error::Forbidden("only its author can edit a message"));
    }
    if message.text == new.text.as_str() {
        return Ok(message);
    }
    expect_may_comment(tx)?;
    expect_room(tx, new.text.as_str().len().saturating_sub(message.text.len()))?;
    new.text.as_str().clone_into(&mut message.text);
    let before = threads::mentioned(&message);
    message.mentions = mentions::of(tx, &message.text)?;
    message.edited_at = Some(tx.core().now);
    message.revision += 1;
    store::messages::update(tx.core().conn, tx.pk(), thread_id, &message)?;
    let mut mentioned = threads::mentioned(&message);
    mentioned.retain(|user| !before.contains(user));
    notifications::mentioned_in(tx.core(), tx.pk(), (thread_id, id), tx.user_id()?, &mentioned)?;
    write(tx, stored(tx, thread_id)?)?;
    queue_webhooks(tx, WebhookEvent::CommentUpdated, thread_id, Some(id))?;
    find(tx, thread_id, id)
}

/// Deletes a message, as its author or an owner of the workspace. A thread ends with its last message.
pub fn delete(tx: &mut CommentTx<'_>, thread_id: &str, id: i64) -> Result<()> {
    let message = expected(tx, thread_id, id)?;
    let is_own = author(&message) == Some(tx.user_id()?);
    if !is_own && !tx.is_at_least(AccessLevel::Owner) {
        return Err(Error::Forbidden("only its author and owners of the workspace can delete a message"));
    }
    if store::messages::count(tx.core().conn, tx.pk(), thread_id)? == 1 {
        return threads::remove(tx, thread_id, is_own);
    }
    store::messages::delete(tx.core().conn, tx.pk(), thread_id, id)?;
    if !is_own {
        audit_moderation(tx, "thread-message.delete", thread_id, Some(id))?;
    }
    queue_webhooks(tx, WebhookEvent::CommentDeleted, thread_id, Some(id))?;
    write(tx, stored(tx, thread_id)?)
}

/// The newest messages of a thread from the id `first` on that were not written by `reader`, newest first.
pub(in crate::domain) fn newest_for(
    core: &Core<'_>,
    (workspace_pk, thread_id): (i64, &str),
    (first, last): (i64, i64),
    reader: i64,
    limit: i64,
) -> Result<Vec<ThreadMessage>> {
    store::messages::newest_for(core.conn, (workspace_pk, thread_id), (first, last), reader, limit)
}

fn find(tx: &CommentTx<'_>, thread_id: &str, id: i64) -> Result<ThreadMessage> {
    store::messages::find(tx.core().conn, tx.pk(), thread_id, id)?.ok_or(NOT_FOUND)
}

/// A message that is not changed by a request with an older entity tag.
fn expected(tx: &CommentTx<'_>, thread_id: &str, id: i64) -> Result<ThreadMessage> {
    stored(tx, thread_id)?;
    let message = find(tx, thread_id, id)?;
    tx.expect_revision(message.revision, author(&message), &message)?;
    Ok(message)
}

fn author(message: &ThreadMessage) -> Option<i64> {
    message.author.as_ref().map(|author| author.id)
}
