//! Counts that quotas are compared with.

use rusqlite::{Connection, params};

use super::{one, run};
use crate::{
    domain::access::{Entity, Scope},
    error::Result,
};

/// How many rows of a kind there are in a scope.
pub(in crate::domain) fn count(conn: &Connection, entity: Entity, scope: &Scope) -> Result<i64> {
    let sql = match entity {
        Entity::Component => "SELECT count(*) FROM component WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Relationship => "SELECT count(*) FROM relationship WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Stakeholder => "SELECT count(*) FROM stakeholder WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Link => "SELECT count(*) FROM external_link WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Process => "SELECT count(*) FROM process WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Member => "SELECT count(*) FROM workspace_member WHERE workspace_pk = ?1 AND ?2 IS NOT NULL",
        Entity::Workspace => {
            "SELECT count(*) FROM workspace WHERE organization_id = ?2 AND deleted_at IS NULL AND ?1 IS NOT NULL"
        }
        Entity::Person => "SELECT count(*) FROM person WHERE organization_id = ?2 AND ?1 IS NOT NULL",
        Entity::Team => "SELECT count(*) FROM team WHERE organization_id = ?2 AND ?1 IS NOT NULL",
        Entity::TeamMember => "SELECT count(*) FROM team_member WHERE organization_id = ?2 AND ?1 IS NOT NULL",
        Entity::Role => "SELECT count(*) FROM role WHERE organization_id = ?2 AND ?1 IS NOT NULL",
    };
    let of = params![scope.workspace_pk().unwrap_or_default(), scope.organization_id()];
    Ok(one(conn, sql, of, |row| row.get(0))?.unwrap_or_default())
}

/// The size of all process texts of a workspace.
pub(in crate::domain) fn process_bytes(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(sum(octet_length(mermaid)), 0) FROM process WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or_default())
}

/// Adds to the bytes that an organization keeps in its history, and answers with how many those and its versions are.
/// What is removed is taken off by triggers.
pub(in crate::domain) fn add(conn: &Connection, organization_id: &str, bytes: i64) -> Result<i64> {
    let sql = "INSERT INTO stored_bytes (organization_id, bytes) VALUES (?, ?)
               ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes RETURNING bytes";
    Ok(one(conn, sql, params![organization_id, bytes], |row| row.get(0))?.unwrap_or_default())
}

/// How many waitlist entries nobody has invited yet.
pub(in crate::domain) fn open_waitlist(conn: &Connection) -> Result<i64> {
    Ok(one(conn, "SELECT count(*) FROM waitlist WHERE invited_at IS NULL", [], |row| row.get(0))?.unwrap_or_default())
}

/// How many tokens of a user are not revoked.
pub(in crate::domain) fn living_tokens(conn: &Connection, user_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM api_token WHERE user_id = ? AND revoked_at IS NULL";
    Ok(one(conn, sql, [user_id], |row| row.get(0))?.unwrap_or_default())
}

/// Ends the sessions of a user that were used least recently, beyond `most`.
pub(in crate::domain) fn end_oldest_sessions(conn: &Connection, user_id: i64, most: i64, now: i64) -> Result<usize> {
    let sql = "UPDATE session SET ended_at = ?1, successor = NULL
               WHERE id IN (SELECT id FROM session WHERE user_id = ?2 AND ended_at IS NULL AND expires_at > ?1
                            ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?3)";
    run(conn, sql, params![now, user_id, most])
}

/// Removes the oldest registered apps that no user has connected or is asked about, beyond `most`.
pub(in crate::domain) fn remove_oldest_registrations(conn: &Connection, most: i64) -> Result<usize> {
    let sql = "DELETE FROM oauth_client WHERE id IN (
                   SELECT id FROM oauth_client
                   WHERE NOT EXISTS (SELECT 1 FROM oauth_grant WHERE client_id = oauth_client.id)
                     AND NOT EXISTS (SELECT 1 FROM oauth_request WHERE client_id = oauth_client.id)
                   ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?)";
    run(conn, sql, [most])
}
