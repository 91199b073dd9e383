//! Messages of threads, and the users that they mention.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        comments::model::ThreadMessage,
        users::{self, Profile},
    },
    error::Result,
};

/// Maximum number of participants that a thread names.
const MAX_PARTICIPANTS: i64 = 20;

fn select() -> String {
    format!(
        "SELECT m.id, m.author_id, m.author_name, m.text, m.created_at, m.edited_at, m.revision, {}
         FROM thread_message m LEFT JOIN user u ON u.id = m.author_id WHERE m.workspace_pk = ? AND m.thread_id = ?",
        users::PROFILE
    )
}

fn message(row: &Row<'_>) -> rusqlite::Result<ThreadMessage> {
    let author: Option<i64> = row.get("author_id")?;
    Ok(ThreadMessage {
        id: row.get("id")?,
        author: author.map(|_| users::profile(row)).transpose()?,
        imported_author: row.get("author_name")?,
        text: row.get("text")?,
        mentions: Vec::new(),
        created_at: row.get("created_at")?,
        edited_at: row.get("edited_at")?,
        revision: row.get("revision")?,
    })
}

/// The messages of a thread, oldest first.
pub(in crate::domain) fn of_thread(conn: &Connection, workspace_pk: i64, thread: &str) -> Result<Vec<ThreadMessage>> {
    let sql = format!("{} ORDER BY m.id", select());
    let mut messages = all(conn, &sql, params![workspace_pk, thread], message)?;
    for message in &mut messages {
        message.mentions = mentions(conn, workspace_pk, thread, message.id)?;
    }
    Ok(messages)
}

/// The newest messages of a thread in a range of ids that were not written by `reader`, newest first, without mentions.
pub(in crate::domain) fn newest_for(
    conn: &Connection,
    (workspace_pk, thread): (i64, &str),
    (first, last): (i64, i64),
    reader: i64,
    limit: i64,
) -> Result<Vec<ThreadMessage>> {
    let sql = format!("{} AND m.id BETWEEN ? AND ? AND m.author_id IS NOT ? ORDER BY m.id DESC LIMIT ?", select());
    all(conn, &sql, params![workspace_pk, thread, first, last, reader, limit], message)
}

/// The first message of a thread.
pub(in crate::domain) fn first(conn: &Connection, workspace_pk: i64, thread: &str) -> Result<Option<ThreadMessage>> {
    let sql = format!("{} ORDER BY m.id LIMIT 1", select());
    with_mentions(conn, workspace_pk, thread, one(conn, &sql, params![workspace_pk, thread], message)?)
}

/// A message.
pub(in crate::domain) fn find(
    conn: &Connection,
    workspace_pk: i64,
    thread: &str,
    id: i64,
) -> Result<Option<ThreadMessage>> {
    let sql = format!("{} AND m.id = ?", select());
    with_mentions(conn, workspace_pk, thread, one(conn, &sql, params![workspace_pk, thread, id], message)?)
}

fn with_mentions(
    conn: &Connection,
    workspace_pk: i64,
    thread: &str,
    found: Option<ThreadMessage>,
) -> Result<Option<ThreadMessage>> {
    let Some(mut message) = found else { return Ok(None) };
    message.mentions = mentions(conn, workspace_pk, thread, message.id)?;
    Ok(Some(message))
}

fn mentions(conn: &Connection, workspace_pk: i64, thread: &str, message: i64) -> Result<Vec<Profile>> {
    let sql = format!(
        "SELECT {} FROM thread_mention m JOIN user u ON u.id = m.user_id
         WHERE m.workspace_pk = ? AND m.thread_id = ? AND m.message_id = ? ORDER BY u.id",
        users::PROFILE
    );
    all(conn, &sql, params![workspace_pk, thread, message], users::profile)
}

/// Users who wrote in a thread, in the order of their first messages.
pub(in crate::domain) fn participants(conn: &Connection, workspace_pk: i64, thread: &str) -> Result<Vec<Profile>> {
    let sql = format!(
        "SELECT {}, min(m.id) AS first FROM thread_message m JOIN user u ON u.id = m.author_id
         WHERE m.workspace_pk = ? AND m.thread_id = ? GROUP BY u.id ORDER BY first LIMIT ?",
        users::PROFILE
    );
    all(conn, &sql, params![workspace_pk, thread, MAX_PARTICIPANTS], users::profile)
}

pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64, thread: &str) -> Result<i64> {
    let sql = "SELECT count(*) FROM thread_message WHERE workspace_pk = ? AND thread_id = ?";
    Ok(one(conn, sql, params![workspace_pk, thread], |row| row.get(0))?.unwrap_or_default())
}

/// Whether a thread has a message by someone other than this user.
pub(in crate::domain) fn has_other_author(
    conn: &Connection,
    workspace_pk: i64,
    thread: &str,
    user_id: i64,
) -> Result<bool> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM thread_message WHERE workspace_pk = ? AND thread_id = ? AND author_id IS NOT ?)";
    crate::db::sql::exists(conn, sql, params![workspace_pk, thread, user_id])
}

/// When a user wrote the message before their last `count - 1` messages, if that was after `since`.
pub(in crate::domain) fn nth_last(conn: &Connection, user_id: i64, since: i64, count: i64) -> Result<Option<i64>> {
    let sql = "SELECT created_at FROM thread_message WHERE author_id = ? AND created_at > ?
               ORDER BY created_at DESC LIMIT 1 OFFSET ?";
    one(conn, sql, params![user_id, since, count - 1], |row| row.get(0))
}

pub(in crate::domain) fn insert(conn: &Connection, workspace_pk: i64, thread: &str, row: &ThreadMessage) -> Result<()> {
    let sql = "INSERT INTO thread_message (workspace_pk, thread_id, id, author_id, author_name, text, created_at,
                                           edited_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let author = row.author.as_ref().map(|author| author.id);
    let params = params![
        workspace_pk,
        thread,
        row.id,
        author,
        row.imported_author,
        row.text,
        row.created_at,
        row.edited_at,
        row.revision,
    ];
    run(conn, sql, params)?;
    insert_mentions(conn, workspace_pk, thread, row)
}

/// Updates the text of a message, and whom it mentions.
pub(in crate::domain) fn update(conn: &Connection, workspace_pk: i64, thread: &str, row: &ThreadMessage) -> Result<()> {
    let sql = "UPDATE thread_message SET text = ?, edited_at = ?, revision = ?
               WHERE workspace_pk = ? AND thread_id = ? AND id = ?";
    run(conn, sql, params![row.text, row.edited_at, row.revision, workspace_pk, thread, row.id])?;
    delete_mentions(conn, workspace_pk, thread, row.id)?;
    insert_mentions(conn, workspace_pk, thread, row)
}

pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, thread: &str, id: i64) -> Result<()> {
    delete_mentions(conn, workspace_pk, thread, id)?;
    let sql = "DELETE FROM thread_message WHERE workspace_pk = ? AND thread_id = ? AND id = ?";
    run(conn, sql, params![workspace_pk, thread, id]).map(drop)
}

fn insert_mentions(conn: &Connection, workspace_pk: i64, thread: &str, row: &ThreadMessage) -> Result<()> {
    let sql = "INSERT INTO thread_mention (workspace_pk, thread_id, message_id, user_id) VALUES (?, ?, ?, ?)";
    row.mentions.iter().try_for_each(|user| run(conn, sql, params![workspace_pk, thread, row.id, user.id]).map(drop))
}

fn delete_mentions(conn: &Connection, workspace_pk: i64, thread: &str, id: i64) -> Result<()> {
    let sql = "DELETE FROM thread_mention WHERE workspace_pk = ? AND thread_id = ? AND message_id = ?";
    run(conn, sql, params![workspace_pk, thread, id]).map(drop)
}

/// Messages with this text that mention a user, or that are in a workspace of the user's organizations: workspace, thread, id
/// and text.
pub(in crate::domain) fn containing(
    conn: &Connection,
    user_id: i64,
    text: &str,
) -> Result<Vec<(i64, String, i64, String)>> {
    let sql = "SELECT m.workspace_pk, m.thread_id, m.id, m.text FROM thread_message m
               WHERE instr(lower(m.text), lower(?2)) > 0
               AND (m.workspace_pk IN (SELECT w.pk FROM workspace w JOIN organization_member o
                                           ON o.organization_id = w.organization_id WHERE o.user_id = ?1)
                    OR EXISTS (SELECT 1 FROM thread_mention n WHERE n.workspace_pk = m.workspace_pk
                               AND n.thread_id = m.thread_id AND n.message_id = m.id AND n.user_id = ?1))";
    all(conn, sql, params![user_id, text], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}

/// Replaces the text of a message, without a trace of the edit.
pub(in crate::domain) fn rewrite(
    conn: &Connection,
    (workspace_pk, thread, id): (i64, &str, i64),
    text: &str,
) -> Result<()> {
    let sql = "UPDATE thread_message SET text = ? WHERE workspace_pk = ? AND thread_id = ? AND id = ?";
    run(conn, sql, params![text, workspace_pk, thread, id]).map(drop)
}

/// Reviews of drafts with this text, in the user's organizations: id and text.
pub(in crate::domain) fn reviews_containing(conn: &Connection, user_id: i64, text: &str) -> Result<Vec<(i64, String)>> {
    let sql =
        "SELECT r.id, r.text FROM draft_review r JOIN draft d ON d.pk = r.draft_pk JOIN workspace w ON w.pk = d.base_pk
               JOIN organization_member o ON o.organization_id = w.organization_id AND o.user_id = ?1
               WHERE instr(lower(r.text), lower(?2)) > 0";
    all(conn, sql, params![user_id, text], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Replaces the text of a review.
pub(in crate::domain) fn rewrite_review(conn: &Connection, id: i64, text: &str) -> Result<()> {
    run(conn, "UPDATE draft_review SET text = ? WHERE id = ?", params![text, id]).map(drop)
}

/// Replaces the name of imported authors in the workspaces of a user's organizations.
pub(in crate::domain) fn rename_imported(conn: &Connection, user_id: i64, old: &str, new: &str) -> Result<()> {
    const WORKSPACES: &str = "workspace_pk IN (SELECT w.pk FROM workspace w JOIN organization_member m
        ON m.organization_id = w.organization_id WHERE m.user_id = ?)";
    let sql = format!("UPDATE thread_message SET author_name = ? WHERE author_name = ? AND {WORKSPACES}");
    run(conn, &sql, params![new, old, user_id])?;
    let sql = format!("UPDATE thread SET resolver_name = ? WHERE resolver_name = ? AND {WORKSPACES}");
    run(conn, &sql, params![new, old, user_id]).map(drop)
}
