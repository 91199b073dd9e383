//! What impact analysis reads of processes and stakeholders.

use rusqlite::Connection;

use crate::{db::sql::all, domain::values::Properties, error::Result};

/// Id, name and participants of all processes, in list order.
pub(in crate::domain) fn participants(
    conn: &Connection,
    workspace_pk: i64,
) -> Result<Vec<(String, String, Properties)>> {
    let sql = "SELECT id, name, participants FROM process WHERE workspace_pk = ? ORDER BY seq, id";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// Component id, person id, team id and name of an owner.
pub(in crate::domain) type Owner = (String, Option<String>, Option<String>, String);

/// All owners of components.
pub(in crate::domain) fn owners(conn: &Connection, workspace_pk: i64) -> Result<Vec<Owner>> {
    let sql = "SELECT s.component_id, s.person_id, s.team_id, coalesce(p.name, t.name, '')
         FROM stakeholder s
         LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
         LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id
         WHERE s.workspace_pk = ? AND s.link_type = 'owner' ORDER BY s.id";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}
