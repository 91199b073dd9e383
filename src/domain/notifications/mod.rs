//! Notifications: entries in the inboxes of users, and who follows which thread.
//!
//! `notify` stores references only. `domain::inbox` reads what an entry says, and whether its reader may see it, when
//! the entry is shown or sent by email. A transaction notifies a limited number of users; those who follow a thread or
//! watch something are notified by a job, which reads the queue of messages and the change log.

mod model;
mod preferences;
mod store;

pub use self::model::{EmailChoice, KindSetting, NotificationKind, NotificationSettings, NotificationSettingsPatch};
pub use self::preferences::{read, update};
pub(in crate::domain) use self::{
    model::{ChangedRow, ChangedRows, MAX_ITEMS, Notice, Subject},
    preferences::{email_choice, next_digest_of, unsubscribe},
    store::{
        QueuedMessage, advance_message, cursor, delete_of_user, delete_old, draft_author, drop_mails, finish_message,
        forget_thread, is_following, next_message, set_cursor, set_following, set_source_cursor, source_cursor,
    },
};

use super::core::Core;
use crate::{domain::mail, error::Result};

/// Maximum number of users that one call of [`notify`] notifies.
pub(in crate::domain) const MAX_RECIPIENTS: usize = 200;

/// Adds an entry to the inboxes of `recipients`, as far as their settings say so, and schedules emails.
///
/// Recipients need no permission: an entry is shown only to a user who can view its workspace, and while its subject
/// exists. The actor and further recipients after [`MAX_RECIPIENTS`] are skipped. An unread entry about the same
/// thread, or about changes by the same actor, is extended instead of adding another one.
///
/// For drafts, `workspace_pk` is that of the workspace that the draft changes. An entry about the end of a draft is shown
/// as long as the draft has not been reopened since, so it is added in the transaction that ends the draft.
pub(in crate::domain) fn notify(core: &Core<'_>, notice: &Notice<'_>, recipients: &[i64]) -> Result<()> {
    let mut notified = Vec::new();
    for user_id in recipients.iter().copied().filter(|user_id| notice.actor != Some(*user_id)).take(MAX_RECIPIENTS) {
        core.check_alive()?;
        if !notified.contains(&user_id) && add(core, notice, user_id)? {
            notified.push(user_id);
        }
    }
    core.tell_inboxes(notified);
    Ok(())
}

/// Adds an entry to the inbox of a user. Returns whether the inbox has changed.
fn add(core: &Core<'_>, notice: &Notice<'_>, user_id: i64) -> Result<bool> {
    let preference = preferences::of(core.conn, user_id, notice.kind)?;
    let mail_due_at = match preference.email {
        _ if !mail::is_on(core) => None,
        EmailChoice::Immediate => Some(core.now + model::MAIL_DELAY),
        EmailChoice::Digest => Some(preferences::next_digest(core.now, preference.digest_hour)),
        EmailChoice::Off => None,
    };
    if !preference.inbox && mail_due_at.is_none() {
        return Ok(false);
    }
    let new = store::Entry { notice, user_id, is_listed: preference.inbox, mail_due_at };
    if store::is_known(core.conn, &new)? {
        return Ok(false);
    }
    match store::group(core.conn, &new, core.now - model::GROUPED_FOR)? {
        Some(id) => store::extend(core, id, &new)?,
        None => {
            store::insert(core, &new)?;
            store::prune(core.conn, user_id, notice.actor)?;
        }
    }
    Ok(preference.inbox)
}

/// Marks the requests to review a draft as read, because the user has reviewed it.
pub(in crate::domain) fn review_written(
    core: &Core<'_>,
    workspace_pk: i64,
    draft_id: &str,
    user_id: i64,
) -> Result<()> {
    if store::mark_requests_read(core, workspace_pk, draft_id, user_id)? {
        core.tell_inboxes(vec![user_id]);
    }
    Ok(())
}

/// Queues a message of a thread, whose followers and watchers are notified by a job. Its author follows the thread from
/// now on, and so does the author of a draft that it is about. Users that it mentions are notified at once, and follow the
/// thread unless they have left it.
pub(in crate::domain) fn message_written(
    core: &Core<'_>,
    workspace_pk: i64,
    (thread_id, message_id): (&str, i64),
    author: i64,
    mentioned: &[i64],
) -> Result<()> {
    store::set_following(core.conn, (workspace_pk, thread_id), author, true)?;
    if let Some(draft_author) = store::draft_author(core.conn, workspace_pk)? {
        store::follow_unless_left(core.conn, (workspace_pk, thread_id), draft_author)?;
    }
    mentioned_in(core, workspace_pk, (thread_id, message_id), author, mentioned)?;
    store::queue_message(core.conn, workspace_pk, (thread_id, message_id), author)
}

/// Notifies users whom a message mentions.
pub(in crate::domain) fn mentioned_in(
    core: &Core<'_>,
    workspace_pk: i64,
    (thread_id, message_id): (&str, i64),
    author: i64,
    mentioned: &[i64],
) -> Result<()> {
    for user_id in mentioned {
        store::follow_unless_left(core.conn, (workspace_pk, thread_id), *user_id)?;
    }
    let subject = Subject::Message { thread_id, message_id };
    notify(core, &Notice { kind: NotificationKind::Mention, workspace_pk, subject, actor: Some(author) }, mentioned)
}
