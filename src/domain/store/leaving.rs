//! What a user has in an organization and loses with it.

use rusqlite::{Connection, params};

use super::{all, run};
use crate::error::{OwnedWorkspace, Result};

/// Workspaces that have the user as their one owner, in order of creation. Of those deleted after `since` the private
/// ones: nobody else could restore them.
pub(in crate::domain) fn owned_alone(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    since: i64,
) -> Result<Vec<OwnedWorkspace>> {
    all(
        conn,
        "SELECT w.id, w.name FROM workspace w JOIN workspace_member m ON m.workspace_pk = w.pk
         WHERE w.organization_id = ?1 AND m.role = 'owner'
               AND (w.deleted_at IS NULL OR w.visibility = 'private' AND w.deleted_at > ?3)
         GROUP BY w.pk HAVING count(*) = 1 AND max(m.user_id) = ?2 ORDER BY w.pk",
        params![organization_id, user_id, since],
        |row| Ok(OwnedWorkspace { id: row.get(0)?, name: row.get(1)? }),
    )
}

/// What a user has that is bound to an organization: tokens of theirs, and what they granted to clients.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum Bound {
    Tokens,
    Grants,
}

/// Revokes all of it. Answers how many there were.
pub(in crate::domain) fn revoke(
    conn: &Connection,
    what: Bound,
    organization_id: &str,
    user_id: i64,
    now: i64,
) -> Result<usize> {
    let table = match what {
        Bound::Tokens => "api_token",
        Bound::Grants => "oauth_grant",
    };
    let sql =
        format!("UPDATE {table} SET revoked_at = ? WHERE organization_id = ? AND user_id = ? AND revoked_at IS NULL");
    run(conn, &sql, params![now, organization_id, user_id])
}
