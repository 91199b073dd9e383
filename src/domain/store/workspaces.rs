//! Workspaces.

use rusqlite::{Connection, Row, params};

use super::{all, exists, run};
use crate::{
    domain::access::{Reach, WORKSPACE_COLUMNS as COLUMNS, Workspace, read_workspace as workspace},
    error::Result,
};

pub(in crate::domain) use crate::domain::access::{workspace_by_id as living, workspace_by_pk as by_pk};

/// Workspaces in order of creation, each with the level that `user_id` was given in it.
pub(in crate::domain) fn list(
    conn: &Connection,
    reach: &Reach,
    user_id: i64,
    deleted: bool,
) -> Result<Vec<(Workspace, Option<crate::domain::values::AccessLevel>)>> {
    let sql = |of: &str| {
        let deleted = if deleted { "IS NOT NULL" } else { "IS NULL" };
        format!(
            "SELECT {COLUMNS}, m.role AS level FROM workspace w
             LEFT JOIN workspace_member m ON m.workspace_pk = w.pk AND m.user_id = ?1
             WHERE {of} w.deleted_at {deleted} ORDER BY w.pk"
        )
    };
    let read = |row: &Row<'_>| Ok((workspace(row)?, row.get("level")?));
    match reach {
        Reach::Organization(id) => all(conn, &sql("w.organization_id = ?2 AND"), params![user_id, id], read),
        Reach::Everything => all(conn, &sql(""), [user_id], read),
    }
}

pub(in crate::domain) fn id_taken(conn: &Connection, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM workspace WHERE id = ? AND deleted_at IS NULL)", [id])
}

/// Removes workspaces deleted before `before` with all that is in them. What the log tells of them stays.
pub(in crate::domain) fn purge(conn: &Connection, before: i64) -> Result<usize> {
    const OLD: &str = "workspace_pk IN (SELECT pk FROM workspace WHERE deleted_at < ?)";
    for table in ["version", "stakeholder", "external_link", "relationship", "process", "component", "workspace_member"]
    {
        run(conn, &format!("DELETE FROM {table} WHERE {OLD}"), [before])?;
    }
    run(conn, "DELETE FROM workspace WHERE deleted_at < ?", [before])
}
