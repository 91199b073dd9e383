//! Relationships.

use rusqlite::{Connection, params};

use super::{all, rows::rows};
use crate::{
    domain::{access::WorkspaceKey, containment::Parent, relationships::Relationship},
    error::Result,
};

rows!(
    named fn relationship -> Relationship, Relationship in "relationship"
    { source_id, target_id, type_id, label, properties }
);

/// Relationships from or to a component.
pub(in crate::domain) fn touching(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Relationship>> {
    all(conn, &touching_sql(), params![of.pk, component_id], |row| relationship(row, of.id))
}

/// At most `most` relationships from or to a component.
pub(in crate::domain) fn some_touching(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    most: i64,
) -> Result<Vec<Relationship>> {
    let sql = touching_sql() + " LIMIT ?3";
    all(conn, &sql, params![of.pk, component_id, most], |row| relationship(row, of.id))
}

/// Uses one index per column. With `OR`, SQLite would scan all relationships of the workspace.
fn touching_sql() -> String {
    format!(
        "SELECT {COLUMNS} FROM relationship WHERE rowid IN (
             SELECT rowid FROM relationship WHERE workspace_pk = ?1 AND source_id = ?2
             UNION SELECT rowid FROM relationship WHERE workspace_pk = ?1 AND target_id = ?2)
         ORDER BY +seq"
    )
}

/// `contains` relationships whose target is the component. At most one, except in a change set before its containment
/// check.
pub(in crate::domain) fn parents(conn: &Connection, workspace_pk: i64, component_id: &str) -> Result<Vec<Parent>> {
    all(
        conn,
        "SELECT id, source_id FROM relationship
         WHERE workspace_pk = ? AND target_id = ? AND type_id = 'contains' ORDER BY id",
        params![workspace_pk, component_id],
        |row| Ok(Parent { relationship_id: row.get(0)?, component_id: row.get(1)? }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_component_only_its_own_relationships_are_looked_at() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(include_str!("../../../migrations/V1__plan_room.sql")).unwrap();
        let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {}", touching_sql())).unwrap();
        let steps = plan.query_map(params![1, "a"], |row| row.get::<_, String>("detail")).unwrap();
        let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
        let searched: Vec<&str> =
            steps.iter().map(String::as_str).filter(|step| step.contains(" relationship ")).collect();
        assert_eq!(searched.len(), 3, "{steps:?}");
        for index in ["rowid=?", "relationship_source", "relationship_target"] {
            assert!(searched.iter().any(|step| step.contains(index)), "{index}: {searched:?}");
        }
    }
}
