//! Entries of inboxes whose reader can see what they are about.

use rusqlite::{Connection, Row, params};

use super::CAN_VIEW;
use crate::{
    db::sql::{all, one, run},
    domain::{
        inbox::model::{InboxFilter, StoredEntry},
        notifications::NotificationKind,
        paging::{self, Page, Window},
    },
    error::Result,
};

/// Entries with their workspace and the membership of their reader. `CROSS JOIN` begins with the entries of the reader.
const FROM: &str = "FROM notification n CROSS JOIN workspace w ON w.pk = n.workspace_pk AND w.deleted_at IS NULL
    JOIN organization_member o ON o.organization_id = w.organization_id AND o.user_id = n.user_id";

/// SQL for whether the subject of the entry `n` exists. A mention ends when the message no longer mentions the user, a
/// request for a review when the draft no longer waits for it, the end of a draft when it is reopened, an approval or a
/// request for changes with the next one by the same user, except for mentions in it, access with the membership, and stale
/// sources with their next sync.
const EXISTS: &str = "CASE
    WHEN n.subject = 'message' AND n.kind = 'mention' THEN EXISTS (SELECT 1 FROM thread_mention m
        WHERE m.workspace_pk = n.workspace_pk AND m.thread_id = n.subject_id AND m.message_id = n.last_item
        AND m.user_id = n.user_id)
    WHEN n.subject = 'message' THEN EXISTS (SELECT 1 FROM thread_message m
        WHERE m.workspace_pk = n.workspace_pk AND m.thread_id = n.subject_id
        AND m.id BETWEEN n.first_item AND n.last_item AND m.author_id IS NOT n.user_id)
    WHEN n.subject = 'draft' AND n.last_item > 0 THEN EXISTS (SELECT 1 FROM draft_review r WHERE r.id = n.last_item
        AND (n.kind = 'mention' OR r.verdict = 'comment' OR NOT EXISTS (SELECT 1 FROM draft_review next WHERE next.draft_pk = r.draft_pk
             AND next.id > r.id AND next.reviewer_id = r.reviewer_id AND next.verdict <> 'comment')))
    WHEN n.subject = 'draft' AND n.kind = 'review-request' THEN EXISTS (SELECT 1 FROM draft d
        WHERE d.id = n.subject_id AND d.submitted_at IS NOT NULL AND d.end_state IS NULL
        AND (EXISTS (SELECT 1 FROM draft_reviewer p WHERE p.draft_pk = d.pk AND p.user_id = n.user_id)
             OR EXISTS (SELECT 1 FROM draft_review r WHERE r.draft_pk = d.pk AND r.reviewer_id = n.user_id)))
    WHEN n.subject = 'draft' THEN EXISTS (SELECT 1 FROM draft d
        WHERE d.id = n.subject_id AND d.end_state IS NOT NULL AND d.ended_at = n.created_at)
    WHEN n.subject = 'workspace' THEN EXISTS (SELECT 1 FROM workspace_member v
        WHERE v.workspace_pk = n.workspace_pk AND v.user_id = n.user_id)
    WHEN n.subject = 'sources' THEN EXISTS (SELECT 1 FROM source s
        WHERE s.workspace_pk = n.workspace_pk AND s.synced_at BETWEEN n.first_item AND n.last_item)
    ELSE 1 END";

fn select() -> String {
    format!(
        "SELECT n.id, n.user_id, n.kind, n.workspace_pk, w.id AS workspace_id, w.name AS workspace_name,
                (SELECT slug FROM organization g WHERE g.id = w.organization_id) AS slug, n.subject,
                n.subject_id, n.first_item, n.last_item, n.items, n.count, n.actor_id, n.created_at, n.updated_at, n.read_at
         {FROM} WHERE {CAN_VIEW} AND {EXISTS}"
    )
}

fn entry(row: &Row<'_>) -> rusqlite::Result<StoredEntry> {
    Ok(StoredEntry {
        id: row.get("id")?,
        user_id: row.get("user_id")?,
        kind: row.get("kind")?,
        workspace_pk: row.get("workspace_pk")?,
        workspace_id: row.get("workspace_id")?,
        workspace_name: row.get("workspace_name")?,
        organization_slug: row.get("slug")?,
        subject: row.get("subject")?,
        subject_id: row.get("subject_id")?,
        first_item: row.get("first_item")?,
        last_item: row.get("last_item")?,
        items: row.get("items")?,
        count: row.get("count")?,
        actor_id: row.get("actor_id")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        read_at: row.get("read_at")?,
    })
}

/// Entries of a user in an organization, newest first.
pub(in crate::domain) fn page(
    conn: &Connection,
    (user_id, organization_id): (i64, &str),
    filter: InboxFilter,
    window: &Window<(i64, i64)>,
) -> Result<Page<StoredEntry>> {
    let sql = format!(
        "{} AND n.user_id = ?1 AND (n.newest_first, n.newest_id) > (?2, ?3) AND w.organization_id = ?5 AND n.is_listed
         AND (NOT ?6 OR n.read_at IS NULL) AND (?7 IS NULL OR n.kind = ?7) ORDER BY n.newest_first, n.newest_id LIMIT ?4",
        select()
    );
    let params = params![
        user_id,
        window.after.0,
        window.after.1,
        window.rows(),
        organization_id,
        filter.unread.unwrap_or(false),
        filter.kind
    ];
    paging::page(conn, &sql, params, window, |row| {
        let entry = entry(row)?;
        Ok(((-entry.updated_at, -entry.id), entry))
    })
}

/// Number of unread entries of a user in an organization.
pub(in crate::domain) fn unread(conn: &Connection, user_id: i64, organization_id: &str) -> Result<i64> {
    let sql = format!(
        "SELECT count(*) {FROM} WHERE {CAN_VIEW} AND {EXISTS} AND n.user_id = ? AND w.organization_id = ? AND n.is_listed
         AND n.read_at IS NULL"
    );
    Ok(one(conn, &sql, params![user_id, organization_id], |row| row.get(0))?.unwrap_or_default())
}

/// Marks entries of a user in an organization as read: those with these ids, or those up to a time.
pub(in crate::domain) fn mark_read(
    conn: &Connection,
    (user_id, organization_id): (i64, &str),
    (ids, until): (Option<&[i64]>, Option<i64>),
    now: i64,
) -> Result<()> {
    let sql = "UPDATE notification SET read_at = ?1 WHERE user_id = ?2 AND read_at IS NULL
               AND workspace_pk IN (SELECT pk FROM workspace WHERE organization_id = ?3)
               AND (id IN (SELECT value FROM json_each(?4)) OR updated_at <= ?5)";
    let ids = serde_json::to_string(ids.unwrap_or_default())?;
    run(conn, sql, params![now, user_id, organization_id, ids, until.unwrap_or(i64::MIN)]).map(drop)
}

/// Number of messages that an entry is about.
pub(in crate::domain) fn message_count(conn: &Connection, entry: &StoredEntry) -> Result<i64> {
    let sql = "SELECT count(*) FROM thread_message WHERE workspace_pk = ? AND thread_id = ? AND id BETWEEN ? AND ?
               AND author_id IS NOT ?";
    let StoredEntry { workspace_pk, subject_id, first_item, last_item, user_id, .. } = entry;
    let params = params![workspace_pk, subject_id, first_item, last_item, user_id];
    Ok(one(conn, sql, params, |row| row.get(0))?.unwrap_or_default())
}

/// Users with entries that are due to be sent by email.
pub(in crate::domain) fn users_with_due_mail(conn: &Connection, now: i64, limit: i64) -> Result<Vec<i64>> {
    let sql = "SELECT DISTINCT user_id FROM notification WHERE mail_due_at <= ? LIMIT ?";
    all(conn, sql, [now, limit], |row| row.get(0))
}

/// An entry that is due to be sent by email.
pub(in crate::domain) struct DueEntry {
    pub id: i64,
    pub kind: NotificationKind,
    /// The first item that was not sent before.
    pub first_new: i64,
}

/// Takes the unread entries of a user that are due to be sent by email, oldest first. Those that were read are not sent.
pub(in crate::domain) fn take_due(conn: &Connection, user_id: i64, now: i64, limit: i64) -> Result<Vec<DueEntry>> {
    let sql = "UPDATE notification SET mail_due_at = NULL
               WHERE user_id = ? AND mail_due_at IS NOT NULL AND read_at IS NOT NULL";
    run(conn, sql, [user_id])?;
    let sql = "SELECT id, kind, max(first_item, mailed_item + 1) AS first_new FROM notification
               WHERE user_id = ? AND mail_due_at <= ? ORDER BY updated_at, id LIMIT ?";
    let due = all(conn, sql, [user_id, now, limit], |row| {
        Ok(DueEntry { id: row.get("id")?, kind: row.get("kind")?, first_new: row.get("first_new")? })
    })?;
    for entry in &due {
        let sql = "UPDATE notification SET mail_due_at = NULL, mailed_item = last_item WHERE id = ?";
        run(conn, sql, [entry.id])?;
    }
    Ok(due)
}

/// Sends an entry by email later, with its items from `first_new` on.
pub(in crate::domain) fn postpone(conn: &Connection, id: i64, first_new: i64, due_at: i64) -> Result<()> {
    let sql = "UPDATE notification SET mail_due_at = ?, mailed_item = ? - 1 WHERE id = ?";
    run(conn, sql, params![due_at, first_new, id]).map(drop)
}

/// An unread entry that its reader can see now, for an email.
pub(in crate::domain) fn to_mail(conn: &Connection, user_id: i64, id: i64) -> Result<Option<StoredEntry>> {
    let sql = format!("{} AND n.user_id = ? AND n.id = ? AND n.read_at IS NULL", select());
    one(conn, &sql, [user_id, id], entry)
}
