//! The instance as a whole: the progress of retention, and the number of active credentials.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    domain::instance::{AccessList, CredentialCounts},
    error::Result,
};

/// Time up to which retention has run, and the clock at that run; none before the first run. Unix milliseconds.
pub(in crate::domain) fn last_sweep(conn: &Connection) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT swept_to, swept_at FROM instance WHERE swept_to IS NOT NULL AND swept_at IS NOT NULL";
    one(conn, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(in crate::domain) fn note_sweep(conn: &Connection, swept_to: i64, swept_at: i64) -> Result<()> {
    run(conn, "UPDATE instance SET swept_to = ?, swept_at = ?", params![swept_to, swept_at])?;
    Ok(())
}

/// Time of the last logged change, if any, in Unix milliseconds.
pub(in crate::domain) fn last_change_at(conn: &Connection) -> Result<Option<i64>> {
    one(conn, "SELECT ts FROM change ORDER BY id DESC LIMIT 1", [], |row| row.get(0))
}

/// Counts the credentials that are accepted at `now`.
pub(in crate::domain) fn credential_counts(conn: &Connection, now: i64) -> Result<CredentialCounts> {
    let sql = "SELECT (SELECT count(*) FROM session WHERE ended_at IS NULL AND expires_at > ?),
                      (SELECT count(*) FROM api_token WHERE revoked_at IS NULL),
                      (SELECT count(*) FROM oauth_grant WHERE revoked_at IS NULL)";
    let counts = one(conn, sql, [now], |row| {
        Ok(CredentialCounts { sessions: row.get(0)?, tokens: row.get(1)?, connected_apps: row.get(2)? })
    })?;
    Ok(counts.unwrap_or_default())
}

/// Lists who has access. The key in each entry tells apart objects of the same name, and ids are never reused.
pub(in crate::domain) fn access_list(conn: &Connection) -> Result<AccessList> {
    let names = |sql: &str| all(conn, sql, [], |row| row.get(0)).map(|names| names.into_iter().collect());
    Ok(AccessList {
        tokens: names(
            "SELECT 'token ' || t.id || ' (' || t.name || ') of ' || u.login FROM api_token t
             JOIN user u ON u.id = t.user_id WHERE t.revoked_at IS NULL",
        )?,
        members: names(
            "SELECT u.login || ' in ' || o.slug FROM organization_member m JOIN user u ON u.id = m.user_id
             JOIN organization o ON o.id = m.organization_id",
        )?,
        users: names("SELECT login FROM user WHERE is_suspended = 0")?,
        administrators: names("SELECT login FROM user WHERE is_admin = 1")?,
    })
}

/// Time and reason of the last failed backup, unless one succeeded since.
pub(in crate::domain) fn last_backup_failure(conn: &Connection) -> Result<Option<(i64, String)>> {
    let sql = "SELECT ts, coalesce(details ->> '$.reason', '') FROM audit WHERE kind = 'backup.fail'
               AND id > coalesce((SELECT max(id) FROM audit WHERE kind = 'backup.create'), 0) ORDER BY id DESC LIMIT 1";
    one(conn, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
}
