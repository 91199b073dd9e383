//! Resources of a user in an organization that are affected when the user leaves.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, run},
    error::{OwnedWorkspace, Result},
};

/// Workspaces whose only owner is the user, in creation order. Includes private workspaces deleted after `since`,
/// because no other user could restore them.
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

/// Credentials of a user that are bound to an organization.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum CredentialKind {
    Tokens,
    Grants,
}

/// Revokes all credentials of this kind. Returns how many were revoked.
pub(in crate::domain) fn revoke(
    conn: &Connection,
    what: CredentialKind,
    organization_id: &str,
    user_id: i64,
    now: i64,
) -> Result<usize> {
    let table = match what {
        CredentialKind::Tokens => "api_token",
        CredentialKind::Grants => "oauth_grant",
    };
    let sql =
        format!("UPDATE {table} SET revoked_at = ? WHERE organization_id = ? AND user_id = ? AND revoked_at IS NULL");
    run(conn, &sql, params![now, organization_id, user_id])
}
