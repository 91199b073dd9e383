//! Compact tables of a workspace, without the other columns.

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

/// Number of relationships that contain components, which are no rows of a table.
pub(in crate::domain) fn contained(conn: &Connection, workspace_pk: i64) -> Result<usize> {
    let sql = "SELECT count(*) FROM relationship WHERE workspace_pk = ? AND type_id = 'contains'";
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
            // The rows of the page first: sorting needs the columns of all rows before it, also those that take a search.
            "WITH page AS (SELECT rowid AS row FROM component WHERE workspace_pk = ? ORDER BY seq, id LIMIT ? OFFSET ?)
             SELECT c.id, c.type_id, c.name,
                 coalesce((SELECT r.source_id FROM relationship r WHERE r.workspace_pk = c.workspace_pk
                           AND r.target_id = c.id AND r.type_id = 'contains'), ''),
                 coalesce(CAST(json_extract(c.properties, '$.lifecycle') AS TEXT), ''),
                 coalesce((SELECT group_concat(coalesce(s.person_id, s.team_id), ', ') FROM stakeholder s
                           WHERE s.workspace_pk = c.workspace_pk AND s.component_id = c.id
                           AND s.link_type = 'owner'), ''),
                 coalesce(CAST(json_extract(c.properties, '$.kind') AS TEXT), ''),
                 c.description
             FROM page JOIN component c ON c.rowid = page.row ORDER BY c.seq, c.id"
        }
        Part::Relationships => {
            "SELECT id, source_id, type_id, target_id, label FROM relationship
             WHERE workspace_pk = ? AND type_id <> 'contains' ORDER BY seq, id LIMIT ? OFFSET ?"
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
