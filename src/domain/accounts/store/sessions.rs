//! Sessions of signed-in users.

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    db::sql::{one, run},
    domain::{
        accounts::sessions::{Renewable, Session},
        paging::{Page, Window, page},
    },
    error::Result,
};

/// The active session that a refresh token belongs to, even if the token has been used.
pub(in crate::domain) fn by_family(conn: &Connection, family: &TokenHash, now: i64) -> Result<Option<Renewable>> {
    one(
        conn,
        "SELECT id, user_id, refresh_hash, previous_hash, successor, rotated_at, created_at, ends_at FROM session
         WHERE family_hash = ? AND ended_at IS NULL AND expires_at > ?",
        params![family, now],
        |row| {
            Ok(Renewable {
                id: row.get(0)?,
                user_id: row.get(1)?,
                refresh_hash: row.get(2)?,
                previous_hash: row.get(3)?,
                successor: row.get(4)?,
                rotated_at: row.get(5)?,
                created_at: row.get(6)?,
                ends_at: row.get(7)?,
            })
        },
    )
}

/// A user's active sessions, most recently used first.
pub(in crate::domain) fn of_user(
    conn: &Connection,
    user_id: i64,
    current: i64,
    now: i64,
    window: &Window<(i64, i64)>,
) -> Result<Page<Session>> {
    let sql = "SELECT id, created_at, last_used_at, expires_at, user_agent FROM session
               WHERE user_id = ? AND ended_at IS NULL AND expires_at > ? AND (-last_used_at, -id) > (?, ?)
               ORDER BY last_used_at DESC, id DESC LIMIT ?";
    let params = params![user_id, now, window.after.0, window.after.1, window.rows()];
    page(conn, sql, params, window, |row| {
        let session = Session {
            id: row.get(0)?,
            created_at: row.get(1)?,
            last_used_at: row.get(2)?,
            expires_at: row.get(3)?,
            user_agent: row.get(4)?,
            is_current: row.get::<_, i64>(0)? == current,
        };
        Ok(((-session.last_used_at, -session.id), session))
    })
}

/// Returns the id of the new session.
pub(in crate::domain) fn insert(
    conn: &Connection,
    user_id: i64,
    (family, refresh): (&TokenHash, &TokenHash),
    user_agent: Option<&str>,
    now: i64,
    expires_at: i64,
) -> Result<i64> {
    run(
        conn,
        "INSERT INTO session (user_id, family_hash, refresh_hash, user_agent, created_at, last_used_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
        params![user_id, family, refresh, user_agent, now, now, expires_at],
    )?;
    Ok(conn.last_insert_rowid())
}

/// Sets the time at which a session ends at the latest.
pub(in crate::domain) fn limit(conn: &Connection, id: i64, ends_at: i64) -> Result<()> {
    let sql = "UPDATE session SET ends_at = ?1, expires_at = min(expires_at, ?1) WHERE id = ?2";
    run(conn, sql, params![ends_at, id])?;
    Ok(())
}

/// Replaces the valid refresh token of a session.
pub(in crate::domain) fn rotate(
    conn: &Connection,
    id: i64,
    refresh: &TokenHash,
    successor: &[u8],
    now: i64,
    expires_at: i64,
) -> Result<()> {
    run(
        conn,
        "UPDATE session SET previous_hash = refresh_hash, refresh_hash = ?, successor = ?, rotated_at = ?,
                            last_used_at = ?, expires_at = ? WHERE id = ?",
        params![refresh, successor, now, now, expires_at, id],
    )?;
    Ok(())
}

/// Ends a user's active session. Returns whether there was one.
pub(in crate::domain) fn end(conn: &Connection, user_id: i64, id: i64, now: i64) -> Result<bool> {
    let rows = run(
        conn,
        "UPDATE session SET ended_at = ?1, successor = NULL
         WHERE id = ?2 AND user_id = ?3 AND ended_at IS NULL AND expires_at > ?1",
        params![now, id, user_id],
    )?;
    Ok(rows > 0)
}

/// Number of a user's active sessions.
pub(in crate::domain) fn count_active(conn: &Connection, user_id: i64, now: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM session WHERE user_id = ? AND ended_at IS NULL AND expires_at > ?";
    Ok(one(conn, sql, params![user_id, now], |row| row.get(0))?.unwrap_or_default())
}

/// Ends all active sessions of a user except `except`. Returns how many ended.
pub(in crate::domain) fn end_all(conn: &Connection, user_id: i64, except: Option<i64>, now: i64) -> Result<usize> {
    run(
        conn,
        "UPDATE session SET ended_at = ?1, successor = NULL
         WHERE user_id = ?2 AND id IS NOT ?3 AND ended_at IS NULL AND expires_at > ?1",
        params![now, user_id, except],
    )
}

/// Ends all active sessions of all users. Returns how many ended.
pub(in crate::domain) fn end_of_all_users(conn: &Connection, now: i64) -> Result<usize> {
    let sql = "UPDATE session SET ended_at = ?1, successor = NULL WHERE ended_at IS NULL AND expires_at > ?1";
    run(conn, sql, [now])
}

/// Ends all active sessions that started with a password, except sessions of users whose password is accepted at `now`
/// anyway. Those are limited to the time at which that ends. Returns how many ended.
pub(in crate::domain) fn end_by_password(conn: &Connection, now: i64) -> Result<usize> {
    let ended = run(
        conn,
        "UPDATE session SET ended_at = ?1, successor = NULL
         WHERE ends_at IS NULL AND ended_at IS NULL AND expires_at > ?1
               AND NOT EXISTS (SELECT 1 FROM user WHERE user.id = session.user_id AND password_open_until > ?1)",
        [now],
    )?;
    run(
        conn,
        "UPDATE session SET expires_at = min(expires_at, (SELECT password_open_until FROM user WHERE user.id = user_id))
         WHERE ends_at IS NULL AND ended_at IS NULL AND expires_at > ?1",
        [now],
    )?;
    Ok(ended)
}

/// Deletes sessions that expired before `before`.
pub(in crate::domain) fn delete_expired(conn: &Connection, before: i64) -> Result<usize> {
    run(conn, "DELETE FROM session WHERE expires_at < ?", [before])
}

/// Ends the least recently used sessions of a user, beyond `most`.
pub(in crate::domain) fn end_oldest(conn: &Connection, user_id: i64, most: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE session SET ended_at = ?1, successor = NULL
               WHERE id IN (SELECT id FROM session WHERE user_id = ?2 AND ended_at IS NULL AND expires_at > ?1
                            ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?3)";
    run(conn, sql, params![now, user_id, most])
}
