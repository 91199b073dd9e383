//! Components.

use rusqlite::{Connection, params};

use super::{all, columns, exists, one, run};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        components::Component,
        workspaces::WorkspaceKey,
    },
    error::Result,
};

columns!(fn component -> Component { seq, id, type_id, name, description, x, y, properties });

pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Component>> {
    let sql = format!("SELECT {COLUMNS} FROM component WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| component(row, of.id))
}

/// All components, in their order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Component>> {
    let sql = format!("SELECT {COLUMNS} FROM component WHERE workspace_pk = ? ORDER BY seq");
    all(conn, &sql, [of.pk], |row| component(row, of.id))
}

/// Where the components are, in their order.
pub(in crate::domain) fn positions(conn: &Connection, workspace_pk: i64) -> Result<Vec<(f64, f64)>> {
    let sql = "SELECT x, y FROM component WHERE workspace_pk = ? ORDER BY seq";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM component WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// The place behind the last one.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + 1 FROM component WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(1))
}

impl Record for Component {
    const ENTITY: Entity = Entity::Component;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn insert(&mut self, to: &Logged<'_>) -> Result<()> {
        let written = &self.written;
        run(
            to.conn,
            "INSERT INTO component (workspace_pk, id, seq, type_id, name, description, x, y, properties, revision,
                                    created_at, created_by, updated_at, updated_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                to.scope.workspace_pk(),
                self.id,
                self.seq,
                self.type_id,
                self.name,
                self.description,
                self.x,
                self.y,
                self.properties,
                written.revision,
                written.created_at,
                written.created_by,
                written.updated_at,
                written.updated_by
            ],
        )?;
        Ok(())
    }

    fn update(&self, to: &Logged<'_>) -> Result<()> {
        run(
            to.conn,
            "UPDATE component SET seq = ?, type_id = ?, name = ?, description = ?, x = ?, y = ?, properties = ?,
                                  revision = ?, updated_at = ?, updated_by = ? WHERE workspace_pk = ? AND id = ?",
            params![
                self.seq,
                self.type_id,
                self.name,
                self.description,
                self.x,
                self.y,
                self.properties,
                self.written.revision,
                self.written.updated_at,
                self.written.updated_by,
                to.scope.workspace_pk(),
                self.id
            ],
        )?;
        Ok(())
    }

    fn delete(&self, to: &Logged<'_>) -> Result<()> {
        let sql = "DELETE FROM component WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
