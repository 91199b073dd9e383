//! Current names of the objects that audit events refer to.

use rusqlite::{Connection, Row, ToSql};

use crate::{db::sql::one, domain::instance::audit::AuditEventObject, error::Result};

fn find(conn: &Connection, kind: &str, sql: &str, params: &[&dyn ToSql]) -> Result<Option<AuditEventObject>> {
    let read = |row: &Row<'_>| {
        Ok(AuditEventObject {
            kind: kind.to_owned(),
            id: row.get(0)?,
            name: row.get(1)?,
            org_slug: row.get(2)?,
            workspace_id: row.get(3)?,
        })
    };
    one(conn, sql, params, read)
}

pub(in crate::domain) fn user(conn: &Connection, id: i64) -> Result<Option<AuditEventObject>> {
    const SQL: &str = "SELECT CAST(id AS TEXT), display_name, NULL, NULL FROM user WHERE id = ?";
    find(conn, "user", SQL, &[&id])
}

pub(in crate::domain) fn organization(conn: &Connection, id: &str) -> Result<Option<AuditEventObject>> {
    find(conn, "organization", "SELECT id, name, slug, NULL FROM organization WHERE id = ?", &[&id])
}

/// A workspace that is not deleted, by its key.
pub(in crate::domain) fn workspace(conn: &Connection, pk: i64) -> Result<Option<AuditEventObject>> {
    let sql = "SELECT w.id, w.name, o.slug, w.id FROM workspace w JOIN organization o ON o.id = w.organization_id
               WHERE w.pk = ? AND w.deleted_at IS NULL";
    find(conn, "workspace", sql, &[&pk])
}

/// The key of a workspace that is not deleted.
pub(in crate::domain) fn workspace_key(conn: &Connection, id: &str) -> Result<Option<i64>> {
    one(conn, "SELECT pk FROM workspace WHERE id = ? AND deleted_at IS NULL", [id], |row| row.get(0))
}

/// A component or process of a workspace that is not deleted.
pub(in crate::domain) fn workspace_row(
    conn: &Connection,
    kind: &str,
    pk: i64,
    id: &str,
) -> Result<Option<AuditEventObject>> {
    let table = match kind {
        "component" => "component",
        "process" => "process",
        _ => return Ok(None),
    };
    let sql = format!(
        "SELECT r.id, r.name, o.slug, w.id FROM {table} r JOIN workspace w ON w.pk = r.workspace_pk
         JOIN organization o ON o.id = w.organization_id WHERE r.workspace_pk = ? AND r.id = ? AND w.deleted_at IS NULL"
    );
    find(conn, kind, &sql, &[&pk, &id])
}

/// A person, team or role of an organization.
pub(in crate::domain) fn entry(
    conn: &Connection,
    kind: &str,
    organization_id: &str,
    id: &str,
) -> Result<Option<AuditEventObject>> {
    let table = match kind {
        "person" => "person",
        "team" => "team",
        "role" => "role",
        _ => return Ok(None),
    };
    let sql = format!(
        "SELECT r.id, r.name, o.slug, NULL FROM {table} r JOIN organization o ON o.id = r.organization_id
         WHERE r.organization_id = ? AND r.id = ?"
    );
    find(conn, kind, &sql, &[&organization_id, &id])
}

pub(in crate::domain) fn token(conn: &Connection, id: i64) -> Result<Option<AuditEventObject>> {
    find(conn, "token", "SELECT CAST(id AS TEXT), name, NULL, NULL FROM api_token WHERE id = ?", &[&id])
}

pub(in crate::domain) fn app(conn: &Connection, id: &str) -> Result<Option<AuditEventObject>> {
    find(conn, "app", "SELECT id, name, NULL, NULL FROM oauth_client WHERE id = ?", &[&id])
}

/// An invitation, by the email address that it is for, if any.
pub(in crate::domain) fn invitation(conn: &Connection, id: i64) -> Result<Option<AuditEventObject>> {
    let sql = "SELECT CAST(i.id AS TEXT), i.email, o.slug, NULL FROM invitation i
               JOIN organization o ON o.id = i.organization_id WHERE i.id = ? AND i.email IS NOT NULL";
    find(conn, "invitation", sql, &[&id])
}
