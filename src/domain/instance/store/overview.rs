//! All organizations and workspaces of the instance.

use rusqlite::{Connection, params};

use crate::{
    db::sql::all,
    domain::instance::overview::{OrganizationOverview, WorkspaceOverview},
    error::Result,
};

pub(in crate::domain) fn organizations(conn: &Connection) -> Result<Vec<OrganizationOverview>> {
    all(
        conn,
        "SELECT o.id, o.slug, o.name, o.created_at,
                (SELECT count(*) FROM organization_member m WHERE m.organization_id = o.id) AS members,
                (SELECT count(*) FROM workspace w WHERE w.organization_id = o.id AND w.base_pk IS NULL
                 AND w.deleted_at IS NULL) AS workspaces
         FROM organization o ORDER BY o.created_at, o.rowid",
        [],
        |row| {
            Ok(OrganizationOverview {
                id: row.get("id")?,
                slug: row.get("slug")?,
                name: row.get("name")?,
                members: row.get("members")?,
                workspaces: row.get("workspaces")?,
                created_at: row.get("created_at")?,
            })
        },
    )
}

/// Existing workspaces, or workspaces deleted since a time, without drafts.
pub(in crate::domain) fn workspaces(
    conn: &Connection,
    slug: Option<&str>,
    deleted_since: Option<i64>,
) -> Result<Vec<WorkspaceOverview>> {
    all(
        conn,
        "SELECT w.pk, w.id, w.name, o.slug AS org, w.visibility, w.organization_access, u.login AS owner,
                w.revision, w.created_at, w.updated_at, w.deleted_at
         FROM workspace w JOIN organization o ON o.id = w.organization_id JOIN user u ON u.id = w.owner_user_id
         WHERE (?1 IS NULL OR o.slug = ?1) AND w.base_pk IS NULL AND CASE WHEN ?2 IS NULL THEN w.deleted_at IS NULL ELSE w.deleted_at >= ?2 END
         ORDER BY w.pk",
        params![slug, deleted_since],
        |row| {
            Ok(WorkspaceOverview {
                pk: row.get("pk")?,
                id: row.get("id")?,
                name: row.get("name")?,
                org: row.get("org")?,
                visibility: row.get("visibility")?,
                organization_access: row.get("organization_access")?,
                owner: row.get("owner")?,
                revision: row.get("revision")?,
                created_at: row.get("created_at")?,
                updated_at: row.get("updated_at")?,
                deleted_at: row.get("deleted_at")?,
            })
        },
    )
}
