//! Links in emails to a user. Only their hash is stored.

use rusqlite::{Connection, params};

use crate::{
    auth::TokenHash,
    db::sql::{all, one, run},
    domain::accounts::model::email_links::StoredLink,
    error::Result,
};

/// What a link is for.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum Purpose {
    Confirmation,
    Reset,
}

impl Purpose {
    fn table(self) -> &'static str {
        match self {
            Self::Confirmation => "email_confirmation",
            Self::Reset => "password_reset",
        }
    }
}

/// Stores a link in place of the user's link before.
pub(in crate::domain) fn put(conn: &Connection, purpose: Purpose, link: &StoredLink, token: &TokenHash) -> Result<()> {
    let table = purpose.table();
    let sql = format!("INSERT OR REPLACE INTO {table} (user_id, token_hash, email, expires_at) VALUES (?, ?, ?, ?)");
    run(conn, &sql, params![link.user_id, token, link.email, link.expires_at])?;
    Ok(())
}

/// The link with this secret, if it is valid at `now`.
pub(in crate::domain) fn find(
    conn: &Connection,
    purpose: Purpose,
    token: &TokenHash,
    now: i64,
) -> Result<Option<StoredLink>> {
    let table = purpose.table();
    let sql = format!("SELECT user_id, email, expires_at FROM {table} WHERE token_hash = ? AND expires_at > ?");
    one(conn, &sql, params![token, now], |row| {
        Ok(StoredLink { user_id: row.get(0)?, email: row.get(1)?, expires_at: row.get(2)? })
    })
}

pub(in crate::domain) fn delete(conn: &Connection, purpose: Purpose, user_id: i64) -> Result<()> {
    run(conn, &format!("DELETE FROM {} WHERE user_id = ?", purpose.table()), [user_id])?;
    Ok(())
}

/// Deletes expired links. Returns how many.
pub(in crate::domain) fn delete_expired(conn: &Connection, now: i64) -> Result<usize> {
    let delete = |purpose: Purpose| run(conn, &format!("DELETE FROM {} WHERE expires_at <= ?", purpose.table()), [now]);
    Ok(delete(Purpose::Confirmation)? + delete(Purpose::Reset)?)
}

/// Active accounts with a password and this confirmed email address. Only older data has several.
pub(in crate::domain) fn with_password(conn: &Connection, email: &str) -> Result<Vec<i64>> {
    all(
        conn,
        "SELECT id FROM user WHERE email = ? COLLATE NOCASE AND is_email_confirmed = 1 AND is_suspended = 0
               AND password_hash IS NOT NULL ORDER BY id LIMIT 3",
        [email],
        |row| row.get(0),
    )
}
