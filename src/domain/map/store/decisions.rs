//! Decisions.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::{all, exists, one},
    domain::{
        core::{
            Entity, HitKind, Record, RowMetadata, WorkspaceKey, WorkspaceRow, WriteToken, metadata_at,
            searched::Affected,
        },
        map::decisions::{Decision, DecisionFilter, DecisionStatus, DecisionSummary},
        paging::{Page, Window},
        values::Id,
    },
    error::Result,
};

/// Columns of a row as it is read by clients, in the order in which [`summary`] reads them: without references to rows
/// that do not exist.
const SUMMARY: &str = "id, number, title, status, date, authors,
    CASE component_ids WHEN '[]' THEN '[]' ELSE (SELECT json_group_array(value) FROM json_each(component_ids)
        WHERE EXISTS (SELECT 1 FROM component c WHERE c.workspace_pk = d.workspace_pk AND c.id = value)) END,
    CASE supersedes WHEN '[]' THEN '[]' ELSE (SELECT json_group_array(value) FROM json_each(d.supersedes)
        WHERE EXISTS (SELECT 1 FROM decision o WHERE o.workspace_pk = d.workspace_pk AND o.id = value)) END,
    revision, created_at, created_by, updated_at, updated_by";

fn summary(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<DecisionSummary> {
    Ok(DecisionSummary {
        id: row.get(0)?,
        number: row.get(1)?,
        title: row.get(2)?,
        status: row.get(3)?,
        date: row.get(4)?,
        authors: row.get(5)?,
        component_ids: row.get(6)?,
        supersedes: row.get(7)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 8)?,
    })
}

/// All rows without their texts, by number.
pub(in crate::domain) fn summaries(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<DecisionSummary>> {
    let sql = format!("SELECT {SUMMARY} FROM decision d WHERE workspace_pk = ? ORDER BY number, id");
    all(conn, &sql, [of.pk], |row| summary(row, of.id))
}

/// One row without its text.
pub(in crate::domain) fn find_summary(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    id: &str,
) -> Result<Option<DecisionSummary>> {
    let sql = format!("SELECT {SUMMARY} FROM decision d WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| summary(row, of.id))
}

/// A page of the rows without their texts, by number.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    filter: &DecisionFilter,
    window: &Window<(i64, String)>,
) -> Result<Page<DecisionSummary>> {
    let sql = format!(
        "SELECT {SUMMARY} FROM decision d WHERE workspace_pk = ?1 AND (number, id) > (?2, ?3)
         AND (?4 IS NULL OR status = ?4)
         AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(component_ids) WHERE value = ?5))
         ORDER BY number, id LIMIT ?6"
    );
    let status = filter.status.map(DecisionStatus::as_str);
    let params = params![
        of.pk,
        window.after.0,
        window.after.1,
        status,
        filter.component_id.as_ref().map(Id::as_str),
        window.rows()
    ];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let row = summary(row, of.id)?;
        Ok(((row.number, row.id.clone()), row))
    })
}

/// The id of a row with this title, in any case of its ASCII letters.
pub(in crate::domain) fn titled(conn: &Connection, workspace_pk: i64, title: &str) -> Result<Option<String>> {
    let sql = "SELECT id FROM decision WHERE workspace_pk = ? AND title = ? COLLATE NOCASE ORDER BY number LIMIT 1";
    one(conn, sql, params![workspace_pk, title], |row| row.get(0))
}

/// Whether another row has the number.
fn number_taken(conn: &Connection, workspace_pk: i64, number: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM decision WHERE workspace_pk = ? AND number = ? AND id <> ?)";
    exists(conn, sql, params![workspace_pk, number, id])
}

/// Id and number of each row.
pub(in crate::domain) fn numbers(conn: &Connection, workspace_pk: i64) -> Result<Vec<(String, i64)>> {
    let sql = "SELECT id, number FROM decision WHERE workspace_pk = ?";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The number after the highest one.
pub(in crate::domain) fn next_number(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(number), 0) + 1 FROM decision WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(1))
}

impl Record for Decision {
    const ENTITY: Entity = Entity::Decision;
    const COLUMNS: &'static [&'static str] =
        &["number", "title", "status", "date", "authors", "component_ids", "supersedes", "body"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.number,
            &self.title,
            &self.status,
            &self.date,
            &self.authors,
            &self.component_ids,
            &self.supersedes,
            &self.body,
        ]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn list_position(&self) -> Option<i64> {
        Some(self.number)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Decision, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        self.title == other.title && self.body == other.body
    }

    /// A new row without a number, or whose number another row got since it was deleted, gets the next one.
    fn prepare(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let pk = to.scope.workspace_pk().unwrap_or_default();
        if to.is_new && (self.number < 1 || number_taken(to.conn, pk, self.number, &self.id)?) {
            self.number = next_number(to.conn, pk)?;
        }
        Ok(())
    }
}

impl WorkspaceRow for Decision {
    const LIST: &'static str = "decisions";
    const ORDER: &'static str = "number, id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            number: row.get(1)?,
            title: row.get(2)?,
            status: row.get(3)?,
            date: row.get(4)?,
            authors: row.get(5)?,
            component_ids: row.get(6)?,
            supersedes: row.get(7)?,
            body: row.get(8)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 9)?,
        })
    }
}
