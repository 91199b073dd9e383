//! Stakeholder roles.

use rusqlite::{Row, params};

use super::entries::{Entry, LinkedEntry};
use crate::{
    db::sql::run,
    domain::{
        core::{Entity, Record, RowMetadata, WriteToken, metadata},
        directory::roles::Role,
    },
    error::Result,
};

impl Entry for Role {
    const TABLE: &'static str = "role";
    const PLACE: &'static str = "sort_order";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            org_id: row.get("organization_id")?,
            id: row.get("id")?,
            name: row.get("name")?,
            color: row.get("color")?,
            sort_order: row.get("sort_order")?,
            icon: row.get("icon")?,
            icon_name: row.get("icon_name")?,
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

impl LinkedEntry for Role {
    const LINKED_BY: &'static str = "link_type";
}

impl Record for Role {
    const ENTITY: Entity = Entity::Role;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.sort_order)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO role (
                       organization_id, id, name, color, sort_order, icon, icon_name, revision, created_at,
                       created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (organization_id, id) DO UPDATE SET
                       name = excluded.name, color = excluded.color, sort_order = excluded.sort_order,
                       icon = excluded.icon, icon_name = excluded.icon_name, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.organization_id(),
            self.id,
            self.name,
            self.color,
            self.sort_order,
            self.icon,
            self.icon_name,
            self.metadata.revision,
            self.metadata.created_at,
            self.metadata.created_by,
            self.metadata.updated_at,
            self.metadata.updated_by,
            to.replaces,
        ];
        run(to.conn, sql, params)?;
        Ok(())
    }

    fn delete(&self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "DELETE FROM role WHERE organization_id = ? AND id = ?";
        run(to.conn, sql, params![to.scope.organization_id(), self.id])?;
        Ok(())
    }
}
