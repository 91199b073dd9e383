//! Members of organizations.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{exists, one, run},
    domain::{
        organizations::members::OrgMember,
        paging::{Page, Window, page},
        users,
        values::OrgRole,
    },
    error::Result,
};

fn select(which: &str) -> String {
    format!(
        "SELECT m.rowid AS place, m.organization_id, m.role, m.created_at, u.is_suspended, {} FROM organization_member m
         JOIN user u ON u.id = m.user_id WHERE m.organization_id = ? {which}",
        users::PROFILE
    )
}

fn member(row: &Row<'_>) -> rusqlite::Result<OrgMember> {
    let user = users::profile(row)?;
    Ok(OrgMember {
        user_id: user.id,
        org_id: row.get("organization_id")?,
        role: row.get("role")?,
        joined_at: row.get("created_at")?,
        is_suspended: row.get("is_suspended")?,
        user,
    })
}

/// Members, in the order in which they joined.
pub(in crate::domain) fn list(
    conn: &Connection,
    organization_id: &str,
    window: &Window<(i64, i64)>,
) -> Result<Page<OrgMember>> {
    let sql = select("AND (m.created_at, m.rowid) > (?, ?) ORDER BY m.created_at, m.rowid LIMIT ?");
    let params = params![organization_id, window.after.0, window.after.1, window.rows()];
    page(conn, &sql, params, window, |row| {
        let member = member(row)?;
        Ok(((member.joined_at, row.get("place")?), member))
    })
}

pub(in crate::domain) fn by_user(conn: &Connection, organization_id: &str, user_id: i64) -> Result<Option<OrgMember>> {
    one(conn, &select("AND m.user_id = ?"), params![organization_id, user_id], member)
}

/// Whether a user other than `user_id` is an admin and not suspended.
pub(in crate::domain) fn has_admin_but(conn: &Connection, organization_id: &str, user_id: i64) -> Result<bool> {
    exists(
        conn,
        "SELECT EXISTS (SELECT 1 FROM organization_member m JOIN user u ON u.id = m.user_id
         WHERE m.organization_id = ? AND m.user_id <> ? AND m.role = 'org:admin' AND u.is_suspended = 0)",
        params![organization_id, user_id],
    )
}

pub(in crate::domain) fn insert(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    role: OrgRole,
    now: i64,
) -> Result<()> {
    run(
        conn,
        "INSERT INTO organization_member (organization_id, user_id, role, created_at) VALUES (?, ?, ?, ?)",
        params![organization_id, user_id, role, now],
    )?;
    Ok(())
}

pub(in crate::domain) fn set_role(conn: &Connection, organization_id: &str, user_id: i64, role: OrgRole) -> Result<()> {
    run(
        conn,
        "UPDATE organization_member SET role = ? WHERE organization_id = ? AND user_id = ?",
        params![role, organization_id, user_id],
    )?;
    Ok(())
}

pub(in crate::domain) fn delete(conn: &Connection, organization_id: &str, user_id: i64) -> Result<()> {
    run(
        conn,
        "DELETE FROM organization_member WHERE organization_id = ? AND user_id = ?",
        params![organization_id, user_id],
    )?;
    Ok(())
}

/// Records that the membership of a user was ended by another user: existing invitations can no longer restore it.
pub(in crate::domain) fn void_invitations(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    now: i64,
) -> Result<()> {
    // Ids are never reused, so comparing them works even if the clock changes.
    run(
        conn,
        "INSERT INTO ended_membership (organization_id, user_id, last_invitation, ended_at)
         VALUES (?1, ?2, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'invitation'), 0), ?3)
         ON CONFLICT (organization_id, user_id)
         DO UPDATE SET last_invitation = excluded.last_invitation, ended_at = excluded.ended_at",
        params![organization_id, user_id, now],
    )?;
    Ok(())
}

/// Newest invitation that cannot restore a user's membership; none if no membership of the user was ended by another
/// user.
pub(in crate::domain) fn last_void_invitation(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
) -> Result<Option<i64>> {
    let sql = "SELECT last_invitation FROM ended_membership WHERE organization_id = ? AND user_id = ?";
    one(conn, sql, params![organization_id, user_id], |row| row.get(0))
}
