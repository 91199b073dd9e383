//! What decides who can access a draft.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{exists, one, run},
    error::Result,
};

/// The permissions of a draft follow from these fields and from the access to its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) struct DraftKey {
    /// Key of the draft.
    pub pk: i64,
    /// Key of its base.
    pub base_pk: i64,
    /// Key of its rows; none if they were removed.
    pub workspace_pk: Option<i64>,
    pub author_id: i64,
    /// Whether it was merged or closed.
    pub has_ended: bool,
}

const COLUMNS: &str = "pk, base_pk, workspace_pk, author_id, end_state IS NOT NULL";

fn key(row: &Row<'_>) -> rusqlite::Result<DraftKey> {
    Ok(DraftKey {
        pk: row.get(0)?,
        base_pk: row.get(1)?,
        workspace_pk: row.get(2)?,
        author_id: row.get(3)?,
        has_ended: row.get(4)?,
    })
}

/// The draft whose rows are in this workspace.
pub(in crate::domain) fn of_workspace(conn: &Connection, workspace_pk: i64) -> Result<Option<DraftKey>> {
    one(conn, &format!("SELECT {COLUMNS} FROM draft WHERE workspace_pk = ?"), [workspace_pk], key)
}

/// The draft with this id.
pub(in crate::domain) fn by_id(conn: &Connection, id: &str) -> Result<Option<DraftKey>> {
    one(conn, &format!("SELECT {COLUMNS} FROM draft WHERE id = ?"), [id], key)
}

/// Makes a new workspace a draft of another one, and hides it until its rows are complete. If that is interrupted, it is
/// removed like a deleted workspace. Its log begins with its creation, and its rows are not in it.
pub(in crate::domain) fn set_base(conn: &Connection, workspace_pk: i64, base_pk: i64, deleted_at: i64) -> Result<()> {
    let sql = "UPDATE workspace SET base_pk = ?2, deleted_at = ?3,
                   forgotten = (SELECT min(id) - 1 FROM change WHERE workspace_pk = ?1)
               WHERE pk = ?1";
    run(conn, sql, params![workspace_pk, base_pk, deleted_at]).map(drop)
}

/// The revision of a draft after its last update from its base.
pub(in crate::domain) fn updated_revision(conn: &Connection, workspace_pk: i64) -> Result<Option<i64>> {
    one(conn, "SELECT updated_revision FROM draft WHERE workspace_pk = ?", [workspace_pk], |row| row.get(0))
}

/// Whether a change set brought changes of the base into a draft.
pub(in crate::domain) fn is_update(conn: &Connection, workspace_pk: i64, change_set: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM draft_update WHERE workspace_pk = ? AND change_set = ?)";
    exists(conn, sql, params![workspace_pk, change_set])
}

/// Shows a draft whose rows are complete.
pub(in crate::domain) fn show(conn: &Connection, workspace_pk: i64) -> Result<()> {
    run(conn, "UPDATE workspace SET deleted_at = NULL WHERE pk = ?", [workspace_pk]).map(drop)
}
