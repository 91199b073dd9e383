//! Reads the change log of all workspaces, to compare it with their rows.

use rusqlite::Connection;

use crate::{db::sql::all, domain::core::Entity, error::Result};

/// A workspace, and whether old changes were removed from its log.
pub(in crate::domain) struct LoggedWorkspace {
    pub pk: i64,
    pub id: String,
    pub is_log_shortened: bool,
}

/// All workspaces, including deleted ones.
pub(in crate::domain) fn workspaces(conn: &Connection) -> Result<Vec<LoggedWorkspace>> {
    all(conn, "SELECT pk, id, forgotten > 0 FROM workspace ORDER BY pk", [], |row| {
        Ok(LoggedWorkspace { pk: row.get(0)?, id: row.get(1)?, is_log_shortened: row.get(2)? })
    })
}

/// Kind, key and JSON of the last state of each row in the log of a workspace; no JSON if the row was deleted.
pub(in crate::domain) fn last_changes(
    conn: &Connection,
    workspace_pk: i64,
) -> Result<Vec<(Entity, String, Option<String>)>> {
    let sql = "SELECT entity, entity_id, after FROM change
               WHERE id IN (SELECT max(id) FROM change WHERE workspace_pk = ? GROUP BY entity, entity_id)";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}
