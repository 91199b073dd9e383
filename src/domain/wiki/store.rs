//! Wiki connections of organizations, and links to the wiki.

use rusqlite::{Connection, Row, params};

use super::ConnectionKind;
use crate::{
    auth::TokenHash,
    db::sql::{all, exists, one, run},
    domain::map::links::LinkKind,
    error::Result,
};

/// A stored connection. Its tokens are encrypted.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredConnection {
    pub organization_id: String,
    pub kind: ConnectionKind,
    pub access_token: Vec<u8>,
    pub refresh_token: Option<Vec<u8>>,
    pub bot_id: Option<String>,
    pub workspace_id: Option<String>,
    pub workspace_name: Option<String>,
    pub workspace_icon: Option<String>,
    pub owner_name: Option<String>,
    pub broken_since: Option<i64>,
    pub connected_by: Option<i64>,
    pub connected_at: i64,
}

/// A link to the wiki.
pub(in crate::domain) struct WikiLink {
    pub workspace_pk: i64,
    pub component_id: String,
    pub id: i64,
    pub kind: LinkKind,
    pub url: String,
    pub target_id: Option<String>,
}

fn stored_connection(row: &Row<'_>) -> rusqlite::Result<StoredConnection> {
    Ok(StoredConnection {
        organization_id: row.get("organization_id")?,
        kind: row.get("kind")?,
        access_token: row.get("access_token")?,
        refresh_token: row.get("refresh_token")?,
        bot_id: row.get("bot_id")?,
        workspace_id: row.get("workspace_id")?,
        workspace_name: row.get("workspace_name")?,
        workspace_icon: row.get("workspace_icon")?,
        owner_name: row.get("owner_name")?,
        broken_since: row.get("broken_since")?,
        connected_by: row.get("connected_by")?,
        connected_at: row.get("connected_at")?,
    })
}

/// The connection of an organization.
pub(in crate::domain) fn find(conn: &Connection, organization_id: &str) -> Result<Option<StoredConnection>> {
    one(conn, "SELECT * FROM wiki_connection WHERE organization_id = ?", [organization_id], stored_connection)
}

/// Inserts or replaces the connection of an organization.
pub(in crate::domain) fn put(conn: &Connection, new: &StoredConnection) -> Result<()> {
    run(
        conn,
        "INSERT OR REPLACE INTO wiki_connection (organization_id, kind, access_token, refresh_token, bot_id, workspace_id,
             workspace_name, workspace_icon, owner_name, broken_since, connected_by, connected_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            new.organization_id,
            new.kind,
            new.access_token,
            new.refresh_token,
            new.bot_id,
            new.workspace_id,
            new.workspace_name,
            new.workspace_icon,
            new.owner_name,
            new.broken_since,
            new.connected_by,
            new.connected_at
        ],
    )?;
    Ok(())
}

/// Replaces the tokens of a connection if its access token is still `from`. Returns whether it was.
pub(in crate::domain) fn rotate(
    conn: &Connection,
    organization_id: &str,
    from: &[u8],
    access: &[u8],
    refresh: Option<&[u8]>,
) -> Result<bool> {
    let sql = "UPDATE wiki_connection SET access_token = ?, refresh_token = ?
               WHERE organization_id = ? AND access_token = ?";
    Ok(run(conn, sql, params![access, refresh, organization_id, from])? > 0)
}

/// Marks a connection as broken or working if it still has this access token. Returns whether the state changed.
pub(in crate::domain) fn mark(
    conn: &Connection,
    organization_id: &str,
    access: &[u8],
    broken_since: Option<i64>,
) -> Result<bool> {
    let sql = "UPDATE wiki_connection SET broken_since = ?1
               WHERE organization_id = ?2 AND access_token = ?3 AND (broken_since IS NULL) <> (?1 IS NULL)";
    Ok(run(conn, sql, params![broken_since, organization_id, access])? > 0)
}

pub(in crate::domain) fn delete(conn: &Connection, organization_id: &str) -> Result<()> {
    run(conn, "DELETE FROM wiki_connection WHERE organization_id = ?", [organization_id])?;
    Ok(())
}

/// Organizations with a connection that is not marked as broken.
pub(in crate::domain) fn working(conn: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT organization_id FROM wiki_connection WHERE broken_since IS NULL ORDER BY connected_at";
    all(conn, sql, [], |row| row.get(0))
}

/// All connections with the slugs of their organizations, sorted by slug.
pub(in crate::domain) fn by_slug(conn: &Connection) -> Result<Vec<(String, StoredConnection)>> {
    let sql =
        "SELECT o.slug, c.* FROM wiki_connection c JOIN organization o ON o.id = c.organization_id ORDER BY o.slug";
    all(conn, sql, [], |row| Ok((row.get("slug")?, stored_connection(row)?)))
}

/// At most `limit` links to the wiki in the workspaces of an organization. Excludes drafts and deleted workspaces.
pub(in crate::domain) fn links_to_wiki(
    conn: &Connection,
    organization_id: &str,
    limit: usize,
) -> Result<Vec<WikiLink>> {
    let sql = "SELECT l.workspace_pk, l.component_id, l.id, l.kind, l.url, l.target_id
               FROM workspace w JOIN external_link l ON l.workspace_pk = w.pk
               WHERE w.organization_id = ? AND w.base_pk IS NULL AND w.deleted_at IS NULL AND l.kind <> 'url' ORDER BY l.id LIMIT ?";
    let read = |row: &Row<'_>| {
        Ok(WikiLink {
            workspace_pk: row.get(0)?,
            component_id: row.get(1)?,
            id: row.get(2)?,
            kind: row.get(3)?,
            url: row.get(4)?,
            target_id: row.get(5)?,
        })
    };
    all(conn, sql, params![organization_id, i64::try_from(limit).unwrap_or(i64::MAX)], read)
}

/// A pending authorization request.
#[derive(Debug)]
pub(in crate::domain) struct PendingRequest {
    pub user_id: i64,
    pub organization_id: String,
    /// Time of expiry, in Unix milliseconds.
    pub expires_at: i64,
}

/// Stores a pending authorization request. If the organization has more than `limit`, deletes the oldest.
pub(in crate::domain) fn insert_pending(
    conn: &Connection,
    state: &TokenHash,
    pending: &PendingRequest,
    limit: i64,
) -> Result<()> {
    let PendingRequest { user_id, organization_id, expires_at } = pending;
    let sql = "DELETE FROM wiki_pending WHERE state_hash IN
                   (SELECT state_hash FROM wiki_pending WHERE organization_id = ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)";
    run(conn, sql, params![organization_id, limit - 1])?;
    let sql = "INSERT INTO wiki_pending (state_hash, user_id, organization_id, expires_at) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![state, user_id, organization_id, expires_at]).map(drop)
}

/// Whether an authorization request with this state is pending.
pub(in crate::domain) fn is_pending(conn: &Connection, state: &TokenHash) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM wiki_pending WHERE state_hash = ?)", [state])
}

/// Reads and deletes the pending request with this state, so that the state cannot be used again.
pub(in crate::domain) fn take_pending(conn: &Connection, state: &TokenHash) -> Result<Option<PendingRequest>> {
    let sql = "DELETE FROM wiki_pending WHERE state_hash = ? RETURNING user_id, organization_id, expires_at";
    let read = |row: &Row<'_>| {
        Ok(PendingRequest { user_id: row.get(0)?, organization_id: row.get(1)?, expires_at: row.get(2)? })
    };
    one(conn, sql, [state], read)
}

/// Deletes expired authorization requests. Returns how many were deleted.
pub(in crate::domain) fn delete_expired(conn: &Connection, now: i64) -> Result<usize> {
    run(conn, "DELETE FROM wiki_pending WHERE expires_at <= ?", [now])
}
