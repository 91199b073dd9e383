//! Components.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::{all, one},
    domain::{
        core::{
            Entity, HitKind, Record, RowMetadata, WorkspaceKey, WorkspaceRow, metadata_at, row_columns,
            searched::Affected,
        },
        map::components::Component,
    },
    error::Result,
};

/// All rows, in list order, with at most the first `characters` of each description.
pub(in crate::domain) fn list_abridged(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    characters: usize,
) -> Result<Vec<Component>> {
    let columns =
        row_columns::<Component>().replace(" description,", &format!(" substr(description, 1, {characters}),"));
    let sql = format!("SELECT {columns} FROM component WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| Component::read(row, of.id))
}

/// Id of a component with this name, ignoring the case of the letters a to z.
pub(in crate::domain) fn named(conn: &Connection, workspace_pk: i64, name: &str) -> Result<Option<String>> {
    let sql = "SELECT id FROM component WHERE workspace_pk = ? AND name = ? COLLATE NOCASE ORDER BY seq, id LIMIT 1";
    one(conn, sql, params![workspace_pk, name], |row| row.get(0))
}

/// Id of the component with this name, ignoring the case of the letters a to z, unless there are several.
pub(in crate::domain) fn only_named(conn: &Connection, workspace_pk: i64, name: &str) -> Result<Option<String>> {
    let sql = "SELECT min(id) FROM component WHERE workspace_pk = ? AND name = ? COLLATE NOCASE HAVING count(*) = 1";
    one(conn, sql, params![workspace_pk, name], |row| row.get(0))
}

impl Record for Component {
    const ENTITY: Entity = Entity::Component;
    const COLUMNS: &'static [&'static str] = &[
        "seq",
        "type_id",
        "name",
        "description",
        "x",
        "y",
        "width",
        "height",
        "tags",
        "technology",
        "opens",
        "properties",
    ];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.seq,
            &self.type_id,
            &self.name,
            &self.description,
            &self.x,
            &self.y,
            &self.width,
            &self.height,
            &self.tags,
            &self.technology,
            &self.opens,
            &self.properties,
        ]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Component, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.name, &self.type_id, &self.description, &self.tags, &self.technology)
            == (&other.name, &other.type_id, &other.description, &other.tags, &other.technology)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for Component {
    const LIST: &'static str = "components";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            seq: row.get(1)?,
            type_id: row.get(2)?,
            name: row.get(3)?,
            description: row.get(4)?,
            x: row.get(5)?,
            y: row.get(6)?,
            width: row.get(7)?,
            height: row.get(8)?,
            tags: row.get(9)?,
            technology: row.get(10)?,
            opens: row.get(11)?,
            properties: row.get(12)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 13)?,
        })
    }
}
