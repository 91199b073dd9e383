//! Organizations, as their members see them.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{ActiveOrganization, active_organization_row},
        paging::{Page, Window, page},
    },
    error::Result,
};

const OF_USER: &str = "SELECT o.id, o.slug, o.name, m.role, m.created_at, m.rowid FROM organization o
    JOIN organization_member m ON m.organization_id = o.id WHERE m.user_id = ? AND (m.created_at, m.rowid) > (?, ?)
    ORDER BY m.created_at, m.rowid LIMIT ?";

/// Organizations of a user, in the order in which the user joined them.
pub(in crate::domain) fn of_user(
    conn: &Connection,
    user_id: i64,
    window: &Window<(i64, i64)>,
) -> Result<Page<ActiveOrganization>> {
    page(conn, OF_USER, params![user_id, window.after.0, window.after.1, window.rows()], window, |row| {
        Ok(((row.get(4)?, row.get(5)?), active_organization_row(row)?))
    })
}

/// The organization that a user joined first.
pub(in crate::domain) fn first_of(conn: &Connection, user_id: i64) -> Result<Option<ActiveOrganization>> {
    one(conn, OF_USER, params![user_id, i64::MIN, i64::MIN, 1], active_organization_row)
}

pub(in crate::domain) fn rename(conn: &Connection, id: &str, name: &str) -> Result<()> {
    run(conn, "UPDATE organization SET name = ? WHERE id = ?", params![name, id])?;
    Ok(())
}

/// Id of the organization with this slug.
pub(in crate::domain) fn id_by_slug(conn: &Connection, slug: &str) -> Result<Option<String>> {
    one(conn, "SELECT id FROM organization WHERE slug = ?", [slug], |row| row.get(0))
}

/// The admin who joined the organization first and is not suspended.
pub(in crate::domain) fn first_admin(conn: &Connection, id: &str) -> Result<Option<i64>> {
    first_admin_but(conn, id, None)
}

/// Like [`first_admin`], excluding one user.
pub(in crate::domain) fn first_admin_but(conn: &Connection, id: &str, but: Option<i64>) -> Result<Option<i64>> {
    one(
        conn,
        "SELECT m.user_id FROM organization_member m JOIN user u ON u.id = m.user_id
         WHERE m.organization_id = ? AND m.role = 'org:admin' AND u.is_suspended = 0 AND u.id IS NOT ?
         ORDER BY m.created_at, m.rowid LIMIT 1",
        params![id, but],
        |row| row.get(0),
    )
}

pub(in crate::domain) fn insert(conn: &Connection, id: &str, slug: &str, name: &str, now: i64) -> Result<()> {
    run(
        conn,
        "INSERT INTO organization (id, slug, name, created_at) VALUES (?, ?, ?, ?)",
        params![id, slug, name, now],
    )?;
    Ok(())
}

/// Marks an organization as managed by an identity provider.
pub(in crate::domain) fn mirror(conn: &Connection, id: &str, issuer: &str) -> Result<()> {
    run(conn, "UPDATE organization SET issuer = ? WHERE id = ?", [issuer, id])?;
    Ok(())
}

/// Organizations whose directory was never written, in creation order.
pub(in crate::domain) fn without_directory(conn: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT id FROM organization WHERE directory_revision = 0 ORDER BY created_at, rowid";
    all(conn, sql, [], |row| row.get(0))
}
