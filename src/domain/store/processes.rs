//! Processes.

use rusqlite::Connection;

use super::{all, written};
use crate::{
    domain::{processes::Process, workspaces::WorkspaceKey},
    error::Result,
};

/// All of a workspace, in their order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Process>> {
    all(
        conn,
        "SELECT id, name, description, mermaid, participants, revision, created_at, created_by, updated_at, updated_by
         FROM process WHERE workspace_pk = ? ORDER BY seq",
        [of.pk],
        |row| {
            Ok(Process {
                id: row.get("id")?,
                workspace_id: of.id.to_owned(),
                name: row.get("name")?,
                description: row.get("description")?,
                mermaid: row.get("mermaid")?,
                participants: row.get("participants")?,
                written: written(row)?,
            })
        },
    )
}
