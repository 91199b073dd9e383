//! Current names of what entries are about.

use rusqlite::{Connection, params};

use crate::{
    db::sql::one,
    domain::{inbox::model::NamedRow, notifications::ChangedRow},
    error::Result,
};

/// The rows that exist, with their names.
pub(in crate::domain) fn of_rows(conn: &Connection, workspace_pk: i64, rows: &[ChangedRow]) -> Result<Vec<NamedRow>> {
    let mut named = Vec::new();
    for ChangedRow { kind, id } in rows {
        let sql = match kind.as_str() {
            "component" => "SELECT name FROM component WHERE workspace_pk = ? AND id = ?",
            "process" => "SELECT name FROM process WHERE workspace_pk = ? AND id = ?",
            "view" => "SELECT name FROM view WHERE workspace_pk = ? AND id = ?",
            "tour" => "SELECT name FROM tour WHERE workspace_pk = ? AND id = ?",
            _ => continue,
        };
        if let Some(name) = one(conn, sql, params![workspace_pk, id], |row| row.get(0))? {
            named.push(NamedRow { kind: kind.clone(), id: id.clone(), name });
        }
    }
    Ok(named)
}

/// The title of a draft.
pub(in crate::domain) fn of_draft(conn: &Connection, id: &str) -> Result<Option<String>> {
    one(conn, "SELECT title FROM draft WHERE id = ?", [id], |row| row.get(0))
}
