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

/// Revokes the user's tokens that are bound to the organization. Answers how many there were.
pub(in crate::domain) fn revoke_tokens(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    now: i64,
) -> Result<usize> {
    run(
        conn,
        "UPDATE api_token SET revoked_at = ? WHERE organization_id = ? AND user_id = ? AND revoked_at IS NULL",
        params![now, organization_id, user_id],
    )
}

/// Revokes what the user has granted to clients in the organization. Answers how many grants there were.
pub(in crate::domain) fn revoke_grants(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    now: i64,
) -> Result<usize> {
    run(
        conn,
        "UPDATE oauth_grant SET revoked_at = ? WHERE organization_id = ? AND user_id = ? AND revoked_at IS NULL",
        params![now, organization_id, user_id],
    )
}
