//! Kinds of components, and the components that refer to them.

use rusqlite::{Connection, Row, ToSql};

use super::entries::Entry;
use crate::{
    db::sql::{all, one},
    domain::{
        core::{Entity, Owner, Record, RowMetadata, metadata},
        directory::component_kinds::ComponentKind,
    },
    error::Result,
};

impl Entry for ComponentKind {
    const PLACE: &'static str = "seq";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            org_id: row.get("organization_id")?,
            id: row.get("id")?,
            seq: row.get("seq")?,
            name: row.get("name")?,
            base_type: row.get("base_type")?,
            color: row.get("color")?,
            icon: row.get("icon")?,
            logo: row.get("logo")?,
            description: row.get("description")?,
            fields: row.get("fields")?,
            metadata: metadata(row)?,
        })
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn org_id(&self) -> &str {
        &self.org_id
    }
}

impl Record for ComponentKind {
    const ENTITY: Entity = Entity::Kind;
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const COLUMNS: &'static [&'static str] =
        &["seq", "name", "base_type", "color", "icon", "logo", "description", "fields"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.seq,
            &self.name,
            &self.base_type,
            &self.color,
            &self.icon,
            &self.logo,
            &self.description,
            &self.fields,
        ]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

/// All kinds of an organization, in order.
pub(in crate::domain) fn all_of(conn: &Connection, organization_id: &str) -> Result<Vec<ComponentKind>> {
    let sql = "SELECT * FROM kind WHERE organization_id = ? ORDER BY seq, created_at, rowid";
    all(conn, sql, [organization_id], ComponentKind::read)
}

/// The kind with this name; the case of the letters a to z is ignored.
pub(in crate::domain) fn with_name(
    conn: &Connection,
    organization_id: &str,
    name: &str,
) -> Result<Option<ComponentKind>> {
    let sql = "SELECT * FROM kind WHERE organization_id = ? AND name = ? COLLATE NOCASE";
    one(conn, sql, [organization_id, name], ComponentKind::read)
}

/// A value of the property `kind`, the number of components that have it, and how many of them are in deleted
/// workspaces.
pub(in crate::domain) struct Uses {
    pub kind: String,
    pub count: i64,
    pub of_deleted: i64,
}

/// The values of the property `kind` in the workspaces of an organization.
pub(in crate::domain) fn uses(conn: &Connection, organization_id: &str) -> Result<Vec<Uses>> {
    // The index `component_kind` has the expression and the condition.
    let sql = "SELECT json_extract(c.properties, '$.kind') AS kind, count(*), count(w.deleted_at)
               FROM workspace w JOIN component c INDEXED BY component_kind ON c.workspace_pk = w.pk
               WHERE w.organization_id = ? AND w.base_pk IS NULL AND json_extract(c.properties, '$.kind') IS NOT NULL
                 AND typeof(json_extract(c.properties, '$.kind')) = 'text'
               GROUP BY kind";
    all(conn, sql, [organization_id], |row| Ok(Uses { kind: row.get(0)?, count: row.get(1)?, of_deleted: row.get(2)? }))
}

/// The workspaces of an organization that are protected, with each value of the property `kind` in them.
pub(in crate::domain) fn protected_uses(conn: &Connection, organization_id: &str) -> Result<Vec<(i64, String)>> {
    let sql = "SELECT DISTINCT w.pk, json_extract(c.properties, '$.kind') AS kind
               FROM workspace w JOIN component c INDEXED BY component_kind ON c.workspace_pk = w.pk
               WHERE w.organization_id = ? AND w.base_pk IS NULL AND w.deleted_at IS NULL
                 AND w.required_approvals IS NOT NULL AND json_extract(c.properties, '$.kind') IS NOT NULL
                 AND typeof(json_extract(c.properties, '$.kind')) = 'text'
               ORDER BY w.pk";
    all(conn, sql, [organization_id], |row| Ok((row.get(0)?, row.get(1)?)))
}
