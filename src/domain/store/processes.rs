//! Processes.

use rusqlite::Connection;

use super::{all, columns};
use crate::{
    domain::{access::Written, processes::Process, workspaces::WorkspaceKey},
    error::Result,
};

columns!(fn process -> Process { id, name, description, mermaid, participants });

/// All of a workspace, in their order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Process>> {
    let sql = format!("SELECT {COLUMNS} FROM process WHERE workspace_pk = ? ORDER BY seq");
    all(conn, &sql, [of.pk], |row| process(row, of.id))
}
