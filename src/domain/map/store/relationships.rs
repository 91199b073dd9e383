//! Relationships.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::{all, exists, one},
    domain::{
        catalogue::CONTAINS,
        core::{
            Entity, HitKind, Record, RowMetadata, WorkspaceKey, WorkspaceRow, metadata_at, row_columns,
            searched::Affected,
        },
        map::{
            containment::Parent,
            relationships::{End, Relationship},
        },
    },
    error::Result,
};

/// The oldest relationship of a type between two components.
pub(in crate::domain) fn between(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    [source, target]: [&str; 2],
    type_id: &str,
) -> Result<Option<Relationship>> {
    let columns = row_columns::<Relationship>();
    let sql = format!(
        "SELECT {columns} FROM relationship
         WHERE workspace_pk = ? AND source_id = ? AND +target_id = ? AND type_id = ? ORDER BY +seq LIMIT 1"
    );
    one(conn, &sql, params![of.pk, source, target, type_id], |row| Relationship::read(row, of.id))
}

/// Whether a relationship in either direction connects two components on the map. Containment is not drawn as a line.
pub(in crate::domain) fn connect(conn: &Connection, workspace_pk: i64, a: &str, b: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM relationship
                              WHERE workspace_pk = ?1 AND source_id = ?2 AND +target_id = ?3 AND type_id <> ?4)
                   OR EXISTS (SELECT 1 FROM relationship
                              WHERE workspace_pk = ?1 AND source_id = ?3 AND +target_id = ?2 AND type_id <> ?4)";
    exists(conn, sql, params![workspace_pk, a, b, CONTAINS])
}

impl Record for Relationship {
    const ENTITY: Entity = Entity::Relationship;
    const COLUMNS: &'static [&'static str] =
        &["seq", "source_id", "target_id", "type_id", "label", "technology", "line", "properties"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.seq,
            &self.source_id,
            &self.target_id,
            &self.type_id,
            &self.label,
            &self.technology,
            &self.line,
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
        Some(Affected::Row(HitKind::Relationship, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.label, &self.type_id, &self.technology) == (&other.label, &other.type_id, &other.technology)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for Relationship {
    const LIST: &'static str = "relationships";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
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
}

/// Relationships from or to a component.
pub(in crate::domain) fn touching(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Relationship>> {
    all(conn, &touching_sql(), params![of.pk, component_id], |row| Relationship::read(row, of.id))
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
    all(conn, &page_sql(end), params![of.pk, component_id, after.0, after.1, most], |row| {
        Relationship::read(row, of.id)
    })
}

/// Uses the index of the component. Without `+`, SQLite would use the order and read all relationships of the workspace.
fn page_sql(end: End) -> String {
    let columns = row_columns::<Relationship>();
    format!(
        "SELECT {columns} FROM relationship WHERE {} AND (+seq, id) > (?3, ?4) ORDER BY +seq, id LIMIT ?5",
        at_end(end)
    )
}

/// Uses one index per column. With `OR`, SQLite would scan all relationships of the workspace.
fn touching_sql() -> String {
    let columns = row_columns::<Relationship>();
    format!(
        "SELECT {columns} FROM relationship WHERE rowid IN (
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
