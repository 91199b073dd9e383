//! Entries of inboxes, settings, followers of threads, and the queue of messages.

use rusqlite::{Connection, params};

use super::model::{
    ChangedRow, KindSetting, MAX_ENTRIES, MAX_ENTRIES_PER_ACTOR, MAX_ITEMS, Notice, NotificationKind, Subject,
};
use crate::{
    db::sql::{exists, one, run},
    domain::core::Core,
    error::Result,
};

/// An entry to add to the inbox of a user.
pub(in crate::domain) struct Entry<'a> {
    pub notice: &'a Notice<'a>,
    pub user_id: i64,
    pub is_listed: bool,
    pub mail_due_at: Option<i64>,
}

/// The columns of a subject: type, id, first and last item, and number of change sets.
fn columns<'a>(subject: &Subject<'a>) -> (&'static str, &'a str, i64, i64, i64) {
    match *subject {
        Subject::Message { thread_id, message_id } => ("message", thread_id, message_id, message_id, 1),
        Subject::Changes(changed) => ("changes", "", changed.first, changed.last, changed.change_sets),
        Subject::Draft(id) => ("draft", id, 0, 0, 1),
        Subject::Review { draft_id, review_id } => ("draft", draft_id, review_id, review_id, 1),
        Subject::Workspace => ("workspace", "", 0, 0, 1),
        Subject::Sources { synced_at } => ("sources", "", synced_at, synced_at, 1),
    }
}

/// Whether the user was notified of this before: of a change that an interrupted job processes again, or of a mention that
/// was removed and added again.
pub(super) fn is_known(conn: &Connection, entry: &Entry<'_>) -> Result<bool> {
    let Notice { kind, workspace_pk, actor, .. } = entry.notice;
    let (subject, subject_id, _, last, _) = columns(&entry.notice.subject);
    let condition = match (kind, subject) {
        (NotificationKind::Mention, _) => "last_item = ?",
        (NotificationKind::Watched, "changes") => "last_item >= ?",
        _ => return Ok(false),
    };
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM notification WHERE user_id = ? AND workspace_pk = ? AND kind = ? AND subject = ?
                        AND subject_id = ? AND actor_id IS ? AND {condition})"
    );
    exists(conn, &sql, params![entry.user_id, workspace_pk, kind, subject, subject_id, actor, last])
}

/// The unread entry that collects this one, if it was created after `since`: replies in the same thread, changes by the same
/// user, requests of the same user to review the same draft, or access levels or stale sources in the same workspace.
pub(super) fn group(conn: &Connection, entry: &Entry<'_>, since: i64) -> Result<Option<i64>> {
    let Notice { kind, workspace_pk, subject, actor } = entry.notice;
    let is_of_one_actor = match (kind, subject) {
        (NotificationKind::Reply, Subject::Message { .. })
        | (NotificationKind::Invitation, Subject::Workspace)
        | (NotificationKind::StaleSource, Subject::Sources { .. }) => false,
        (NotificationKind::Watched, Subject::Changes(_)) | (NotificationKind::ReviewRequest, Subject::Draft(_)) => true,
        _ => return Ok(None),
    };
    let (subject, subject_id, ..) = columns(subject);
    let sql = "SELECT id FROM notification WHERE user_id = ? AND workspace_pk = ? AND kind = ? AND subject_id = ?
               AND subject = ? AND (NOT ? OR actor_id IS ?) AND read_at IS NULL AND created_at > ?
               AND (subject <> 'draft' OR last_item = 0) -- no review
               ORDER BY id DESC LIMIT 1";
    let params = params![entry.user_id, workspace_pk, kind, subject_id, subject, is_of_one_actor, actor, since];
    one(conn, sql, params, |row| row.get(0))
}

/// Adds an item to an entry. A repeated request to review the same draft adds nothing, and no email.
pub(super) fn extend(core: &Core<'_>, id: i64, entry: &Entry<'_>) -> Result<()> {
    let stored = one(core.conn, "SELECT items FROM notification WHERE id = ?", [id], |row| row.get::<_, String>(0))?;
    let mut items: Vec<ChangedRow> = serde_json::from_str(&stored.unwrap_or_default())?;
    if let Subject::Changes(changed) = entry.notice.subject {
        for item in &changed.items {
            if items.len() < MAX_ITEMS && !items.contains(item) {
                items.push(item.clone());
            }
        }
    }
    let (subject, _, _, last, change_sets) = columns(&entry.notice.subject);
    let (change_sets, mail_due_at) = match subject {
        "draft" => (0, None),
        "workspace" => (0, entry.mail_due_at),
        _ => (change_sets, entry.mail_due_at),
    };
    let sql = "UPDATE notification SET last_item = ?, items = ?, count = count + ?, actor_id = ?, updated_at = ?,
                                       is_listed = ?, mail_due_at = coalesce(mail_due_at, ?) WHERE id = ?";
    let items = serde_json::to_string(&items)?;
    let Entry { notice, is_listed, .. } = entry;
    run(core.conn, sql, params![last, items, change_sets, notice.actor, core.now, is_listed, mail_due_at, id])?;
    Ok(())
}

pub(super) fn insert(core: &Core<'_>, entry: &Entry<'_>) -> Result<()> {
    let Entry { notice, user_id, is_listed, mail_due_at } = entry;
    let (subject, subject_id, first, last, change_sets) = columns(&notice.subject);
    let items = match notice.subject {
        Subject::Changes(changed) => changed.items.iter().take(MAX_ITEMS).collect(),
        _ => Vec::new(),
    };
    let sql =
        "INSERT INTO notification (user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items,
                                         count, actor_id, is_listed, created_at, updated_at, mail_due_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13)";
    let params = params![
        user_id,
        notice.kind,
        notice.workspace_pk,
        subject,
        subject_id,
        first,
        last,
        serde_json::to_string(&items)?,
        change_sets,
        notice.actor,
        is_listed,
        core.now,
        mail_due_at
    ];
    run(core.conn, sql, params)?;
    Ok(())
}

/// Marks unread requests to review a draft as read. Returns whether there were any.
pub(super) fn mark_requests_read(core: &Core<'_>, workspace_pk: i64, draft_id: &str, user_id: i64) -> Result<bool> {
    let sql =
        "UPDATE notification SET read_at = ? WHERE user_id = ? AND workspace_pk = ? AND kind = ? AND subject_id = ?
               AND subject = 'draft' AND last_item = 0 AND read_at IS NULL";
    let params = params![core.now, user_id, workspace_pk, NotificationKind::ReviewRequest, draft_id];
    Ok(run(core.conn, sql, params)? > 0)
}

/// Deletes the entries of an inbox that exceed its limits: the oldest that this user has caused, then the oldest read
/// ones, then the oldest.
pub(super) fn prune(conn: &Connection, user_id: i64, actor: Option<i64>) -> Result<()> {
    let of_actor = "DELETE FROM notification WHERE id IN (
        SELECT id FROM notification WHERE user_id = ?1 AND actor_id IS ?2 ORDER BY newest_first, id DESC
        LIMIT -1 OFFSET ?3)";
    run(conn, of_actor, params![user_id, actor, MAX_ENTRIES_PER_ACTOR])?;
    let count =
        one(conn, "SELECT count(*) FROM notification WHERE user_id = ?", [user_id], |row| row.get::<_, i64>(0))?;
    let excess = count.unwrap_or_default() - MAX_ENTRIES;
    if excess > 0 {
        let oldest = "DELETE FROM notification WHERE id IN (
            SELECT id FROM notification WHERE user_id = ? ORDER BY read_at IS NULL, updated_at, id LIMIT ?)";
        run(conn, oldest, params![user_id, excess])?;
    }
    Ok(())
}

/// The choice of a user for a kind.
pub(super) fn setting(conn: &Connection, user_id: i64, kind: NotificationKind) -> Result<Option<KindSetting>> {
    let sql = "SELECT inbox, email FROM notification_setting WHERE user_id = ? AND kind = ?";
    one(conn, sql, params![user_id, kind], |row| Ok(KindSetting { kind, inbox: row.get(0)?, email: row.get(1)? }))
}

pub(super) fn set_setting(conn: &Connection, user_id: i64, setting: KindSetting) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO notification_setting (user_id, kind, inbox, email) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![user_id, setting.kind, setting.inbox, setting.email]).map(drop)
}

pub(super) fn digest_hour(conn: &Connection, user_id: i64) -> Result<Option<i64>> {
    one(conn, "SELECT digest_hour FROM notification_schedule WHERE user_id = ?", [user_id], |row| row.get(0))
}

pub(super) fn set_digest_hour(conn: &Connection, user_id: i64, hour: i64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO notification_schedule (user_id, digest_hour) VALUES (?, ?)";
    run(conn, sql, params![user_id, hour]).map(drop)
}

/// Changes when the emails about entries of a kind that wait are sent.
pub(super) fn reschedule(conn: &Connection, user_id: i64, kind: NotificationKind, due_at: Option<i64>) -> Result<()> {
    let sql = "UPDATE notification SET mail_due_at = ? WHERE user_id = ? AND kind = ? AND mail_due_at IS NOT NULL";
    run(conn, sql, params![due_at, user_id, kind]).map(drop)
}

/// Sends no emails about entries that exist, for a database that was restored.
pub(in crate::domain) fn drop_mails(conn: &Connection) -> Result<()> {
    run(conn, "UPDATE notification SET mail_due_at = NULL WHERE mail_due_at IS NOT NULL", []).map(drop)
}

/// Whether a user follows a thread.
pub(in crate::domain) fn is_following(conn: &Connection, thread: (i64, &str), user_id: i64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM thread_follow WHERE workspace_pk = ? AND thread_id = ? AND user_id = ?
                              AND is_following)";
    exists(conn, sql, params![thread.0, thread.1, user_id])
}

pub(in crate::domain) fn set_following(
    conn: &Connection,
    thread: (i64, &str),
    user_id: i64,
    is_following: bool,
) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO thread_follow (workspace_pk, thread_id, user_id, is_following)
               VALUES (?, ?, ?, ?)";
    run(conn, sql, params![thread.0, thread.1, user_id, is_following]).map(drop)
}

/// Makes a user follow a thread that the user has not left.
pub(super) fn follow_unless_left(conn: &Connection, thread: (i64, &str), user_id: i64) -> Result<()> {
    let sql =
        "INSERT OR IGNORE INTO thread_follow (workspace_pk, thread_id, user_id, is_following) VALUES (?, ?, ?, 1)";
    run(conn, sql, params![thread.0, thread.1, user_id]).map(drop)
}

/// The author of the draft that has this workspace as its map.
pub(in crate::domain) fn draft_author(conn: &Connection, workspace_pk: i64) -> Result<Option<i64>> {
    one(conn, "SELECT author_id FROM draft WHERE workspace_pk = ?", [workspace_pk], |row| row.get(0))
}

/// Deletes the followers of a deleted thread.
pub(in crate::domain) fn forget_thread(conn: &Connection, workspace_pk: i64, thread_id: &str) -> Result<()> {
    let sql = "DELETE FROM thread_follow WHERE workspace_pk = ? AND thread_id = ?";
    run(conn, sql, params![workspace_pk, thread_id]).map(drop)
}

/// A message whose followers and watchers are not notified yet.
pub(in crate::domain) struct QueuedMessage {
    pub id: i64,
    pub workspace_pk: i64,
    pub thread_id: String,
    pub message_id: i64,
    pub actor_id: i64,
    /// Users up to this id are notified.
    pub after_user: i64,
}

pub(super) fn queue_message(
    conn: &Connection,
    workspace_pk: i64,
    (thread_id, message_id): (&str, i64),
    actor: i64,
) -> Result<()> {
    let sql = "INSERT INTO notification_message (workspace_pk, thread_id, message_id, actor_id) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![workspace_pk, thread_id, message_id, actor]).map(drop)
}

/// The message that waits the longest.
pub(in crate::domain) fn next_message(conn: &Connection) -> Result<Option<QueuedMessage>> {
    let sql = "SELECT id, workspace_pk, thread_id, message_id, actor_id, after_user FROM notification_message
               ORDER BY id LIMIT 1";
    one(conn, sql, [], |row| {
        Ok(QueuedMessage {
            id: row.get("id")?,
            workspace_pk: row.get("workspace_pk")?,
            thread_id: row.get("thread_id")?,
            message_id: row.get("message_id")?,
            actor_id: row.get("actor_id")?,
            after_user: row.get("after_user")?,
        })
    })
}

pub(in crate::domain) fn advance_message(conn: &Connection, id: i64, after_user: i64) -> Result<()> {
    run(conn, "UPDATE notification_message SET after_user = ? WHERE id = ?", [after_user, id]).map(drop)
}

pub(in crate::domain) fn finish_message(conn: &Connection, id: i64) -> Result<()> {
    run(conn, "DELETE FROM notification_message WHERE id = ?", [id]).map(drop)
}

/// The last change whose watchers are notified.
pub(in crate::domain) fn cursor(conn: &Connection) -> Result<i64> {
    Ok(one(conn, "SELECT change_id FROM notification_cursor", [], |row| row.get(0))?.unwrap_or_default())
}

pub(in crate::domain) fn set_cursor(conn: &Connection, change_id: i64) -> Result<()> {
    run(conn, "UPDATE notification_cursor SET change_id = ?", [change_id]).map(drop)
}

/// The last sources of which owners are notified: the time of their last sync, and their workspace.
pub(in crate::domain) fn source_cursor(conn: &Connection) -> Result<(i64, i64)> {
    let sql = "SELECT synced_at, synced_workspace_pk FROM notification_cursor";
    Ok(one(conn, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

pub(in crate::domain) fn set_source_cursor(conn: &Connection, (synced_at, workspace_pk): (i64, i64)) -> Result<()> {
    let sql = "UPDATE notification_cursor SET synced_at = ?, synced_workspace_pk = ?";
    run(conn, sql, [synced_at, workspace_pk]).map(drop)
}

/// Deletes entries that were read before `read_before`, and expired links. Returns how many.
pub(in crate::domain) fn delete_old(conn: &Connection, read_before: i64, now: i64, limit: usize) -> Result<usize> {
    let sql = "DELETE FROM notification WHERE id IN (SELECT id FROM notification WHERE read_at < ? LIMIT ?)";
    let entries = run(conn, sql, params![read_before, i64::try_from(limit).unwrap_or(i64::MAX)])?;
    Ok(entries + run(conn, "DELETE FROM unsubscribe_link WHERE expires_at <= ?", [now])?)
}

/// Deletes everything of a user who is erased. What the user caused in other inboxes shows the anonymous account.
pub(in crate::domain) fn delete_of_user(conn: &Connection, user_id: i64) -> Result<()> {
    for table in
        ["watch", "thread_follow", "notification", "notification_setting", "notification_schedule", "unsubscribe_link"]
    {
        run(conn, &format!("DELETE FROM {table} WHERE user_id = ?"), [user_id])?;
    }
    Ok(())
}
