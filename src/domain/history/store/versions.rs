//! Saved versions of workspaces.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        history::Version,
        paging::{Page, Window, page},
    },
    error::Result,
};

const COLUMNS: &str = "id, name, description, revision, created_at, created_by";

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    Ok(Version {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
    })
}

/// Versions of a workspace, in creation order.
pub(in crate::domain) fn list(conn: &Connection, workspace_pk: i64, window: &Window<i64>) -> Result<Page<Version>> {
    let sql = format!("SELECT {COLUMNS} FROM version WHERE workspace_pk = ? AND id > ? ORDER BY id LIMIT ?");
    let params = [workspace_pk, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, version(row)?)))
}

pub(in crate::domain) fn find(conn: &Connection, workspace_pk: i64, id: i64) -> Result<Option<Version>> {
    let sql = format!("SELECT {COLUMNS} FROM version WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, [workspace_pk, id], version)
}

/// The newest version of this name.
pub(in crate::domain) fn named(conn: &Connection, workspace_pk: i64, name: &str) -> Result<Option<Version>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM version WHERE workspace_pk = ? AND name = ? COLLATE NOCASE ORDER BY id DESC LIMIT 1"
    );
    one(conn, &sql, params![workspace_pk, name], version)
}

/// Names of the newest versions, at most `most`.
pub(in crate::domain) fn newest_names(conn: &Connection, workspace_pk: i64, most: u32) -> Result<Vec<String>> {
    let sql = "SELECT name FROM version WHERE workspace_pk = ? ORDER BY id DESC LIMIT ?";
    all(conn, sql, params![workspace_pk, most], |row| row.get(0))
}

/// All rows of the workspace in a version: gzip-compressed JSON.
pub(in crate::domain) fn snapshot(conn: &Connection, workspace_pk: i64, id: i64) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT snapshot FROM version WHERE workspace_pk = ? AND id = ?";
    one(conn, sql, [workspace_pk, id], |row| row.get(0))
}

/// The last four bytes of the snapshot of a version, which contain its uncompressed size.
pub(in crate::domain) fn snapshot_end(conn: &Connection, workspace_pk: i64, id: i64) -> Result<Option<Vec<u8>>> {
    let sql = "SELECT substr(snapshot, -4) FROM version WHERE workspace_pk = ? AND id = ?";
    one(conn, sql, [workspace_pk, id], |row| row.get(0))
}

pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM version WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(0))
}

/// Inserts a version and returns its id. Ignores the id in `version`.
pub(in crate::domain) fn insert(
    conn: &Connection,
    workspace_pk: i64,
    version: &Version,
    snapshot: &[u8],
) -> Result<i64> {
    run(
        conn,
        "INSERT INTO version (workspace_pk, name, description, revision, snapshot, created_at, created_by)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
        params![
            workspace_pk,
            version.name,
            version.description,
            version.revision,
            snapshot,
            version.created_at,
            version.created_by,
        ],
    )?;
    Ok(conn.last_insert_rowid())
}

pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, id: i64) -> Result<()> {
    run(conn, "DELETE FROM version WHERE workspace_pk = ? AND id = ?", [workspace_pk, id]).map(drop)
}
