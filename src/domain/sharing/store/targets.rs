//! When the rows that share links show were created.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use crate::{db::sql::all, error::Result};

/// A table with rows that a link can name.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum Table {
    View,
    Process,
    Component,
}

/// Times of creation of the rows with these ids that exist, in Unix milliseconds.
pub(in crate::domain) fn created_at(
    conn: &Connection,
    workspace_pk: i64,
    table: Table,
    ids: &[String],
) -> Result<HashMap<String, i64>> {
    let table = match table {
        Table::View => "view",
        Table::Process => "process",
        Table::Component => "component",
    };
    let sql =
        format!("SELECT id, created_at FROM {table} WHERE workspace_pk = ? AND id IN (SELECT value FROM json_each(?))");
    let rows =
        all(conn, &sql, params![workspace_pk, serde_json::to_string(ids)?], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().collect())
}
