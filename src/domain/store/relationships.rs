//! Relationships.

use rusqlite::{Connection, params};

use super::{all, one, rows::rows};
use crate::{
    domain::{relationships::Relationship, workspaces::WorkspaceKey},
    error::Result,
};

rows!(
    named fn relationship -> Relationship, Relationship in "relationship"
    { source_id, target_id, type_id, label, properties }
);

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
