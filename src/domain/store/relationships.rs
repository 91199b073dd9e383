//! Relationships.

use rusqlite::{Connection, params};

use super::{all, columns, exists, one, run};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        relationships::Relationship,
        workspaces::WorkspaceKey,
    },
    error::Result,
};

columns!(fn relationship -> Relationship { seq, id, source_id, target_id, type_id, label, properties });

pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Relationship>> {
    let sql = format!("SELECT {COLUMNS} FROM relationship WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| relationship(row, of.id))
}

/// All relationships, in their order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Relationship>> {
    let sql = format!("SELECT {COLUMNS} FROM relationship WHERE workspace_pk = ? ORDER BY seq");
    all(conn, &sql, [of.pk], |row| relationship(row, of.id))
}

/// The relationships that begin or end at a component.
pub(in crate::domain) fn touching(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Relationship>> {
    // `+seq`, or the index of the order is taken and all relationships of the workspace are looked at.
    let sql = format!(
        "SELECT {COLUMNS} FROM relationship WHERE workspace_pk = ?1 AND (source_id = ?2 OR target_id = ?2)
         ORDER BY +seq"
    );
    all(conn, &sql, params![of.pk, component_id], |row| relationship(row, of.id))
}

/// What a component is part of, by a relationship other than `except`.
pub(in crate::domain) fn parent(
    conn: &Connection,
    workspace_pk: i64,
    component_id: &str,
    except: &str,
) -> Result<Option<String>> {
    one(
        conn,
        "SELECT source_id FROM relationship
         WHERE workspace_pk = ? AND target_id = ? AND type_id = 'contains' AND id <> ? LIMIT 1",
        params![workspace_pk, component_id, except],
        |row| row.get(0),
    )
}

pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM relationship WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// The place behind the last one.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + 1 FROM relationship WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(1))
}

impl Record for Relationship {
    const ENTITY: Entity = Entity::Relationship;

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
            "INSERT INTO relationship (workspace_pk, id, seq, source_id, target_id, type_id, label, properties,
                                       revision, created_at, created_by, updated_at, updated_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                to.scope.workspace_pk(),
                self.id,
                self.seq,
                self.source_id,
                self.target_id,
                self.type_id,
                self.label,
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
            "UPDATE relationship SET seq = ?, source_id = ?, target_id = ?, type_id = ?, label = ?, properties = ?,
                                     revision = ?, updated_at = ?, updated_by = ? WHERE workspace_pk = ? AND id = ?",
            params![
                self.seq,
                self.source_id,
                self.target_id,
                self.type_id,
                self.label,
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
        let sql = "DELETE FROM relationship WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
