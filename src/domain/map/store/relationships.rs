//! Relationships.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        catalogue::CONTAINS,
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at, searched::Affected},
        map::{
            containment::Parent,
            model::order::GAP,
            relationships::{End, Relationship},
        },
    },
    error::Result,
};

/// Columns of a row, in the order in which [`relationship`] reads them. Values are read by index: a lookup by name takes longer
/// than reading the value, and a bundle has tens of thousands of values.
const COLUMNS: &str = "id, seq, source_id, target_id, type_id, label, technology, line, properties, revision, created_at, \
     created_by, updated_at, updated_by";

fn relationship(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Relationship> {
    Ok(Relationship {
        id: row.get(0)?,
        seq: row.get(1)?,
        source_id: row.get(2)?,
        target_id: row.get(3)?,
        type_id: row.get(4)?,
        label: row.get(5)?,
        technology: row.get(6)?,
        line: row.get(7)?,
        properties: row.get(8)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 9)?,
    })
}

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Relationship>> {
    let sql = format!("SELECT {COLUMNS} FROM relationship WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| relationship(row, of.id))
}

/// The oldest relationship of a type between two components.
pub(in crate::domain) fn between(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    [source, target]: [&str; 2],
    type_id: &str,
) -> Result<Option<Relationship>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM relationship
         WHERE workspace_pk = ? AND source_id = ? AND +target_id = ? AND type_id = ? ORDER BY +seq LIMIT 1"
    );
    one(conn, &sql, params![of.pk, source, target, type_id], |row| relationship(row, of.id))
}

/// Whether a relationship in either direction connects two components on the map. Containment is not drawn as a line.
pub(in crate::domain) fn connect(conn: &Connection, workspace_pk: i64, a: &str, b: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM relationship
                              WHERE workspace_pk = ?1 AND source_id = ?2 AND +target_id = ?3 AND type_id <> ?4)
                   OR EXISTS (SELECT 1 FROM relationship
                              WHERE workspace_pk = ?1 AND source_id = ?3 AND +target_id = ?2 AND type_id <> ?4)";
    exists(conn, sql, params![workspace_pk, a, b, CONTAINS])
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Relationship>> {
    let sql = format!("SELECT {COLUMNS} FROM relationship WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| relationship(row, of.id))
}

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM relationship WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// Order value after the last row. Order values have gaps between them.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + ? FROM relationship WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

impl Record for Relationship {
    const ENTITY: Entity = Entity::Relationship;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Relationship, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.label, &self.type_id, &self.technology) == (&other.label, &other.type_id, &other.technology)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO relationship (
                       workspace_pk, id, seq, source_id, target_id, type_id, label, technology, line,
                       properties, revision, created_at, created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       seq = excluded.seq, source_id = excluded.source_id, target_id = excluded.target_id,
                       type_id = excluded.type_id, label = excluded.label, technology = excluded.technology,
                       line = excluded.line, properties = excluded.properties, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.seq,
            self.source_id,
            self.target_id,
            self.type_id,
            self.label,
            self.technology,
            self.line,
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
        let sql = "DELETE FROM relationship WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}

/// Relationships from or to a component.
pub(in crate::domain) fn touching(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Relationship>> {
    all(conn, &touching_sql(), params![of.pk, component_id], |row| relationship(row, of.id))
}

/// The condition for a relationship at one end of a component `?2`. A relationship of a component to itself is outgoing.
fn at_end(end: End) -> &'static str {
    match end {
        End::Outgoing => "workspace_pk = ?1 AND source_id = ?2",
        End::Incoming => "workspace_pk = ?1 AND target_id = ?2 AND source_id <> ?2",
    }
}

/// Number of relationships at one end of a component.
pub(in crate::domain) fn count_at(conn: &Connection, workspace_pk: i64, component_id: &str, end: End) -> Result<usize> {
    let sql = format!("SELECT count(*) FROM relationship WHERE {}", at_end(end));
    let count: i64 = one(conn, &sql, params![workspace_pk, component_id], |row| row.get(0))?.unwrap_or(0);
    Ok(usize::try_from(count).unwrap_or_default())
}

/// At most `most` relationships at one end of a component, in list order, after the one with this position and id.
pub(in crate::domain) fn page_at(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    end: End,
    after: (i64, &str),
    most: i64,
) -> Result<Vec<Relationship>> {
    all(conn, &page_sql(end), params![of.pk, component_id, after.0, after.1, most], |row| relationship(row, of.id))
}

/// Uses the index of the component. Without `+`, SQLite would use the order and read all relationships of the workspace.
fn page_sql(end: End) -> String {
    format!(
        "SELECT {COLUMNS} FROM relationship WHERE {} AND (+seq, id) > (?3, ?4) ORDER BY +seq, id LIMIT ?5",
        at_end(end)
    )
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

    /// The steps of a query that read relationships.
    fn searches(sql: &str) -> Vec<String> {
        let conn = crate::db::empty_in_memory();
        let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = plan.raw_query().mapped(|row| row.get::<_, String>("detail")).map(|step| step.unwrap());
        steps.filter(|step| step.contains(" relationship ")).collect()
    }

    #[test]
    fn relationships_of_a_component_are_read_with_an_index() {
        let searched = searches(&touching_sql());
        assert_eq!(searched.len(), 3, "{searched:?}");
        for index in ["rowid=?", "relationship_source", "relationship_target"] {
            assert!(searched.iter().any(|step| step.contains(index)), "{index}: {searched:?}");
        }
    }

    #[test]
    fn pages_of_the_relationships_of_a_component_are_read_with_an_index() {
        for (end, index) in [(End::Outgoing, "relationship_source"), (End::Incoming, "relationship_target")] {
            let searched = searches(&page_sql(end));
            assert!(matches!(&searched[..], [search] if search.contains(index)), "{searched:?}");
        }
    }
}
