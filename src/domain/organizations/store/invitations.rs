//! Invitations to organizations.

use rusqlite::{Connection, Row, params};

use crate::{
    auth::TokenHash,
    db::sql::{all, one, run},
    domain::{
        organizations::invitations::{Authority, Invitation},
        paging::{Page, Window, page},
        values::OrgRole,
    },
    error::Result,
};

/// An invitation to insert.
pub(in crate::domain) struct NewInvitationRow<'a> {
    pub organization_id: &'a str,
    pub token_hash: TokenHash,
    pub email: Option<String>,
    pub role: OrgRole,
    pub created_by: Option<i64>,
    pub credential: Option<String>,
    pub authority: Authority,
    pub expires_at: i64,
}

/// Author of an invitation, and the permission that it was created with.
pub(in crate::domain) struct Authorship {
    pub organization_id: String,
    pub role: OrgRole,
    pub created_by: Option<i64>,
    /// Credential as in the change log: `session:7`, `token:3`. None if the operator created the invitation, or if it
    /// is older than this column.
    pub credential: Option<String>,
    /// None if the invitation is older than this column.
    pub authority: Option<Authority>,
}

fn authorship_row(row: &Row<'_>) -> rusqlite::Result<Authorship> {
    Ok(Authorship {
        organization_id: row.get("organization_id")?,
        role: row.get("role")?,
        created_by: row.get("created_by")?,
        credential: row.get("credential")?,
        authority: row.get("authority")?,
    })
}

const COLUMNS: &str = "id, organization_id, email, role, created_at, created_by, expires_at, accepted_at, accepted_by";

fn invitation(row: &Row<'_>) -> rusqlite::Result<Invitation> {
    Ok(Invitation {
        id: row.get("id")?,
        org_id: row.get("organization_id")?,
        email: row.get("email")?,
        role: row.get("role")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        expires_at: row.get("expires_at")?,
        accepted_at: row.get("accepted_at")?,
        accepted_by: row.get("accepted_by")?,
    })
}

/// Invitations that can be accepted at `now` or were accepted.
pub(in crate::domain) fn list(
    conn: &Connection,
    organization_id: &str,
    now: i64,
    window: &Window<i64>,
) -> Result<Page<Invitation>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM invitation WHERE organization_id = ? AND (accepted_at IS NOT NULL OR expires_at > ?)
         AND id > ? ORDER BY id LIMIT ?"
    );
    let params = params![organization_id, now, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, invitation(row)?)))
}

/// Number of invitations that can be accepted at `now`.
pub(in crate::domain) fn open(conn: &Connection, organization_id: &str, now: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM invitation WHERE organization_id = ? AND accepted_at IS NULL AND expires_at > ?";
    Ok(one(conn, sql, params![organization_id, now], |row| row.get(0))?.unwrap_or_default())
}

pub(in crate::domain) fn by_id(conn: &Connection, organization_id: &str, id: i64) -> Result<Option<Invitation>> {
    let sql = format!("SELECT {COLUMNS} FROM invitation WHERE organization_id = ? AND id = ?");
    one(conn, &sql, params![organization_id, id], invitation)
}

pub(in crate::domain) fn by_token(conn: &Connection, token: &TokenHash) -> Result<Option<Invitation>> {
    one(conn, &format!("SELECT {COLUMNS} FROM invitation WHERE token_hash = ?"), [token], invitation)
}

/// Returns the id of the new invitation.
pub(in crate::domain) fn insert(conn: &Connection, new: &NewInvitationRow<'_>, now: i64) -> Result<i64> {
    run(
        conn,
        "INSERT INTO invitation (organization_id, token_hash, email, role, created_by, credential, authority, created_at,
                                 expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            new.organization_id,
            new.token_hash,
            new.email,
            new.role,
            new.created_by,
            new.credential,
            new.authority,
            now,
            new.expires_at
        ],
    )?;
    Ok(conn.last_insert_rowid())
}

/// Records who accepted an invitation.
pub(in crate::domain) fn accept(conn: &Connection, id: i64, user_id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE invitation SET accepted_by = ?, accepted_at = ? WHERE id = ?", params![user_id, now, id])?;
    Ok(())
}

/// Returns whether a row was deleted.
pub(in crate::domain) fn delete(conn: &Connection, organization_id: &str, id: i64) -> Result<bool> {
    let sql = "DELETE FROM invitation WHERE organization_id = ? AND id = ?";
    Ok(run(conn, sql, params![organization_id, id])? > 0)
}

/// Author of the invitation with this id.
pub(in crate::domain) fn authorship(conn: &Connection, id: i64) -> Result<Option<Authorship>> {
    let sql = "SELECT organization_id, role, created_by, credential, authority FROM invitation WHERE id = ?";
    one(conn, sql, [id], authorship_row)
}

/// The user's invitations that can be accepted at `now`, by id.
pub(in crate::domain) fn open_of(conn: &Connection, user_id: i64, now: i64) -> Result<Vec<(i64, Authorship)>> {
    all(
        conn,
        "SELECT id, organization_id, role, created_by, credential, authority FROM invitation
         WHERE created_by = ? AND accepted_at IS NULL AND expires_at > ? ORDER BY id",
        params![user_id, now],
        |row| Ok((row.get("id")?, authorship_row(row)?)),
    )
}

/// Deletes an invitation of any organization.
pub(in crate::domain) fn delete_by_id(conn: &Connection, id: i64) -> Result<()> {
    run(conn, "DELETE FROM invitation WHERE id = ?", [id])?;
    Ok(())
}
