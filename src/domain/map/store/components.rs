//! Components.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at, searched::Affected},
        map::{components::Component, model::order::GAP},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`component`] reads them. Values are read by index: a lookup by name takes longer
/// than reading the value, and a bundle has tens of thousands of values.
const COLUMNS: &str = "id, seq, type_id, name, description, x, y, width, height, tags, technology, opens, properties, revision, \
     created_at, created_by, updated_at, updated_by";

fn component(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Component> {
    Ok(Component {
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

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Component>> {
    let sql = format!("SELECT {COLUMNS} FROM component WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| component(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Component>> {
    let sql = format!("SELECT {COLUMNS} FROM component WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| component(row, of.id))
}

/// Like [`list`], with at most the first `characters` of each description.
pub(in crate::domain) fn list_abridged(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    characters: usize,
) -> Result<Vec<Component>> {
    let columns = COLUMNS.replace(" description,", &format!(" substr(description, 1, {characters}),"));
    let sql = format!("SELECT {columns} FROM component WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| component(row, of.id))
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

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM component WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// Order value after the last row. Order values have gaps between them.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + ? FROM component WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

impl Record for Component {
    const ENTITY: Entity = Entity::Component;

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

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO component (
                       workspace_pk, id, seq, type_id, name, description, x, y, width, height, tags, technology,
                       opens, properties, revision, created_at, created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       seq = excluded.seq, type_id = excluded.type_id, name = excluded.name,
                       description = excluded.description, x = excluded.x, y = excluded.y,
                       width = excluded.width, height = excluded.height, tags = excluded.tags,
                       technology = excluded.technology, opens = excluded.opens,
                       properties = excluded.properties, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.seq,
            self.type_id,
            self.name,
            self.description,
            self.x,
            self.y,
            self.width,
            self.height,
            self.tags,
            self.technology,
            self.opens,
            self.properties,
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
        let sql = "DELETE FROM component WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
