//! Processes.

use rusqlite::{Connection, params};

use super::rows::rows;
use crate::{
    domain::{
        access::WorkspaceKey,
        paging::{Page, Window},
        processes::Process,
    },
    error::Result,
};

rows!(named fn process -> Process, Process in "process" { name, description, mermaid, participants });

/// Processes of a workspace, in creation order.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<Process>> {
    let sql =
        format!("SELECT {COLUMNS} FROM process WHERE workspace_pk = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?");
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    super::page(conn, &sql, params, window, |row| {
        let process = process(row, of.id)?;
        Ok(((process.seq, process.id.clone()), process))
    })
}
