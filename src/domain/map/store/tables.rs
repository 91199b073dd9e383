//! Compact tables of a workspace, and the searchable texts of its rows, without the other columns.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one},
    domain::map::tables::{Part, Row},
    error::Result,
};

pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64, part: Part) -> Result<usize> {
    let sql = match part {
        Part::Components => "SELECT count(*) FROM component WHERE workspace_pk = ?",
        Part::Relationships => "SELECT count(*) FROM relationship WHERE workspace_pk = ?",
        Part::Processes => "SELECT count(*) FROM process WHERE workspace_pk = ?",
        Part::Notes => "SELECT count(*) FROM note WHERE workspace_pk = ?",
        Part::Stakeholders => "SELECT count(*) FROM stakeholder WHERE workspace_pk = ?",
    };
    let count: i64 = one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(0);
    Ok(usize::try_from(count).unwrap_or_default())
}

pub(in crate::domain) fn rows(
    conn: &Connection,
    workspace_pk: i64,
    part: Part,
    limit: usize,
    offset: usize,
) -> Result<Vec<Row>> {
    let sql = match part {
        Part::Components => {
            "SELECT id, type_id, name, description FROM component WHERE workspace_pk = ?
             ORDER BY seq, id LIMIT ? OFFSET ?"
        }
        Part::Relationships => {
            "SELECT id, source_id, type_id, target_id, label FROM relationship WHERE workspace_pk = ?
             ORDER BY seq, id LIMIT ? OFFSET ?"
        }
        Part::Processes => {
            "SELECT id, name, description FROM process WHERE workspace_pk = ? ORDER BY seq, id LIMIT ? OFFSET ?"
        }
        Part::Notes => "SELECT id, kind, text FROM note WHERE workspace_pk = ? ORDER BY seq, id LIMIT ? OFFSET ?",
        Part::Stakeholders => {
            "SELECT s.component_id, s.link_type, s.person_id, s.team_id, coalesce(p.name, t.name, '')
             FROM stakeholder s
             LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
             LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id
             WHERE s.workspace_pk = ? ORDER BY s.id LIMIT ? OFFSET ?"
        }
    };
    let signed = |number| i64::try_from(number).unwrap_or(i64::MAX);
    let width = part.columns().len();
    all(conn, sql, params![workspace_pk, signed(limit), signed(offset)], |row| {
        (0..width).map(|column| row.get(column)).collect()
    })
}

/// Searchable texts of a row.
pub(in crate::domain) struct Text<'r> {
    pub(in crate::domain) seq: i64,
    pub(in crate::domain) id: &'r str,
    /// Name of a component or process; label of a relationship.
    pub(in crate::domain) name: &'r str,
    pub(in crate::domain) type_id: Option<&'r str>,
    pub(in crate::domain) description: &'r str,
    /// Source text of a process; tags and technologies of a component, technologies of a relationship, one per line.
    pub(in crate::domain) more: &'r str,
}

/// Calls `visit` with the texts of each row of a table, one row at a time.
pub(in crate::domain) fn texts(
    conn: &Connection,
    workspace_pk: i64,
    part: Part,
    mut visit: impl FnMut(&Text<'_>) -> Result<()>,
) -> Result<()> {
    let sql = match part {
        Part::Components => {
            "SELECT seq, id, name, type_id, coalesce(description, ''),
                    iif(tags = '[]', '', (SELECT group_concat(value, char(10)) FROM json_each(tags))) || char(10)
                    || iif(technology = '[]', '', (SELECT group_concat(value, char(10)) FROM json_each(technology)))
             FROM component WHERE workspace_pk = ?"
        }
        Part::Relationships => {
            "SELECT seq, id, coalesce(label, ''), type_id, '',
                    iif(technology = '[]', '', (SELECT group_concat(value, char(10)) FROM json_each(technology)))
             FROM relationship WHERE workspace_pk = ?"
        }
        Part::Processes => {
            "SELECT seq, id, name, NULL, coalesce(description, ''), mermaid FROM process WHERE workspace_pk = ?"
        }
        Part::Stakeholders | Part::Notes => return Ok(()),
    };
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([workspace_pk])?;
    while let Some(row) = rows.next()? {
        let text = |column: usize| -> Result<&str> {
            row.get_ref(column)?.as_str().map_err(|error| crate::Error::internal(format!("column {column}: {error}")))
        };
        let type_id = match row.get_ref(3)? {
            rusqlite::types::ValueRef::Null => None,
            _ => Some(text(3)?),
        };
        let (id, name, description, more) = (text(1)?, text(2)?, text(4)?, text(5)?);
        visit(&Text { seq: row.get(0)?, id, name, type_id, description, more })?;
    }
    Ok(())
}
