//! The queue of emails.

use rusqlite::{Connection, params};

use super::model::{Counts, DueMail, MailKind};
use crate::{
    auth::TokenHash,
    db::sql::{all, one, run},
    domain::core::Core,
    error::Result,
};

/// Counts emails since `since`: by user, by organization, and by kind and recipient. The latter are also counted since
/// `last_hour`. Emails about notifications are not counted.
pub(super) fn counts(
    conn: &Connection,
    recipient: &TokenHash,
    (kind, user_id, organization_id): (MailKind, Option<i64>, Option<&str>),
    (since, last_hour): (i64, i64),
) -> Result<Counts> {
    const SQL: &str = "SELECT
        (SELECT count(*) FROM mail_message WHERE letter IS NOT NULL AND kind <> 'notification') AS waiting,
        (SELECT count(*) FROM mail_message WHERE user_id = ?1 AND created_at > ?4) AS of_user,
        (SELECT count(*) FROM mail_message WHERE organization_id = ?2 AND created_at > ?4) AS of_organization,
        count(*) AS to_recipient, count(*) FILTER (WHERE created_at > ?6) AS in_last_hour,
        count(*) FILTER (WHERE user_id = ?1) AS by_user, count(*) FILTER (WHERE organization_id = ?2) AS by_organization
        FROM mail_message WHERE recipient_hash = ?3 AND created_at > ?4 AND kind = ?5";
    let counts = one(conn, SQL, params![user_id, organization_id, recipient, since, kind, last_hour], |row| {
        Ok(Counts {
            waiting: row.get("waiting")?,
            of_user: row.get("of_user")?,
            of_organization: row.get("of_organization")?,
            to_recipient: row.get("to_recipient")?,
            to_recipient_in_last_hour: row.get("in_last_hour")?,
            to_recipient_of_user: row.get("by_user")?,
            to_recipient_of_organization: row.get("by_organization")?,
        })
    })?;
    Ok(counts.unwrap_or_default())
}

/// Counts emails about notifications: those that wait, and those to a recipient since `since`.
pub(super) fn notification_counts(conn: &Connection, recipient: &TokenHash, since: i64) -> Result<(i64, i64)> {
    const SQL: &str = "SELECT
        (SELECT count(*) FROM mail_message WHERE letter IS NOT NULL AND kind = 'notification'),
        (SELECT count(*) FROM mail_message WHERE recipient_hash = ?1 AND created_at > ?2 AND kind = 'notification')";
    Ok(one(conn, SQL, params![recipient, since], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

pub(super) fn insert(
    core: &Core<'_>,
    (kind, user_id, organization_id): (MailKind, Option<i64>, Option<&str>),
    (recipient, sealed): (&TokenHash, &[u8]),
    expires_at: i64,
) -> Result<()> {
    run(
        core.conn,
        "INSERT INTO mail_message (kind, recipient_hash, user_id, organization_id, letter, incarnation, created_at, due_at,
                                   expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)",
        params![
            kind,
            recipient,
            user_id,
            organization_id,
            sealed,
            core.incarnation().as_str(),
            core.now,
            expires_at
        ],
    )?;
    Ok(())
}

/// Maximum number of emails that [`due`] returns.
pub(super) const MAX_DUE: usize = 10;

/// The emails to send next, the longest due first. Those about notifications come last.
pub(super) fn due(conn: &Connection, now: i64) -> Result<Vec<DueMail>> {
    all(
        conn,
        "SELECT id, kind, letter, incarnation, attempts, expires_at FROM mail_message
         WHERE letter IS NOT NULL AND due_at <= ? ORDER BY kind = 'notification', due_at, id LIMIT 10",
        [now],
        |row| {
            Ok(DueMail {
                id: row.get("id")?,
                kind: row.get("kind")?,
                letter: row.get("letter")?,
                incarnation: row.get("incarnation")?,
                attempts: row.get("attempts")?,
                expires_at: row.get("expires_at")?,
            })
        },
    )
}

/// Number of emails that wait.
pub(super) fn waiting(conn: &Connection) -> Result<i64> {
    let sql = "SELECT count(*) FROM mail_message WHERE letter IS NOT NULL";
    Ok(one(conn, sql, [], |row| row.get(0))?.unwrap_or_default())
}

/// Erases an email that was sent or dropped. The row still counts toward the limits.
pub(super) fn finish(conn: &Connection, id: i64) -> Result<()> {
    run(conn, "UPDATE mail_message SET letter = NULL WHERE id = ?", [id])?;
    Ok(())
}

pub(super) fn postpone(conn: &Connection, id: i64, due_at: i64) -> Result<()> {
    run(conn, "UPDATE mail_message SET attempts = attempts + 1, due_at = ? WHERE id = ?", [due_at, id])?;
    Ok(())
}

/// Deletes rows that no longer count toward the limits. Emails that expired before are left only if no mail server is
/// configured anymore. Returns how many rows were deleted.
pub(in crate::domain) fn delete_old(conn: &Connection, before: i64) -> Result<usize> {
    let sql = "DELETE FROM mail_message WHERE letter IS NULL AND created_at <= ?1 OR expires_at <= ?1";
    run(conn, sql, [before])
}

/// Deletes emails that a user caused, and emails to a recipient.
pub(in crate::domain) fn delete_of_user(conn: &Connection, user_id: i64, recipient: Option<&TokenHash>) -> Result<()> {
    run(conn, "DELETE FROM mail_message WHERE user_id = ? OR recipient_hash = ?", params![user_id, recipient])?;
    Ok(())
}
