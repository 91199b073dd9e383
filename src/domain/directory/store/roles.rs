//! Stakeholder roles.

use rusqlite::{Row, ToSql};

use super::entries::{Entry, LinkedEntry};
use crate::domain::{
    core::{Entity, Owner, Record, RowMetadata, metadata},
    directory::roles::Role,
};

impl Entry for Role {
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
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const COLUMNS: &'static [&'static str] = &["name", "color", "sort_order", "icon", "icon_name"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.name, &self.color, &self.sort_order, &self.icon, &self.icon_name]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.sort_order)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}
