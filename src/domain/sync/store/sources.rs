//! Sources of a workspace.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        paging::{Page, Window},
        sync::model::{claims::Source, request::SyncKind},
    },
    error::Result,
};

const COLUMNS: &str =
    "s.id, s.kind, s.name, s.repository, s.origin, s.rank, s.revision, s.url, s.synced_at, s.synced_by, s.not_read,
     s.configuration";

fn source(row: &Row<'_>) -> rusqlite::Result<Source> {
    Ok(Source {
        id: row.get(0)?,
        kind: row.get(1)?,
        name: row.get(2)?,
        repository: row.get(3)?,
        origin: row.get(4)?,
        rank: row.get(5)?,
        revision: row.get(6)?,
        url: row.get(7)?,
        synced_at: row.get(8)?,
        synced_by: row.get(9)?,
        not_read: row.get(10)?,
        configuration: row.get(11)?,
    })
}

/// All sources of a workspace, by id.
pub(in crate::domain) fn list(conn: &Connection, workspace_pk: i64) -> Result<Vec<Source>> {
    let sql = format!("SELECT {COLUMNS} FROM source s WHERE s.workspace_pk = ? ORDER BY s.id");
    all(conn, &sql, [workspace_pk], source)
}

/// A page of the sources of a workspace, by id, each with the display name of the user of the last sync.
pub(in crate::domain) fn page(
    conn: &Connection,
    workspace_pk: i64,
    window: &Window<(String, i64)>,
) -> Result<Page<(Source, Option<String>)>> {
    let sql = format!(
        "SELECT {COLUMNS}, u.display_name FROM source s LEFT JOIN user u ON u.id = s.synced_by
         WHERE s.workspace_pk = ? AND s.id > ? ORDER BY s.id LIMIT ?"
    );
    crate::domain::paging::page(conn, &sql, params![workspace_pk, window.after.0, window.rows()], window, |row| {
        let found = source(row)?;
        Ok(((found.id.clone(), 0), (found, row.get(12)?)))
    })
}

/// A source, with the display name of the user of the last sync.
pub(in crate::domain) fn find(
    conn: &Connection,
    workspace_pk: i64,
    id: &str,
) -> Result<Option<(Source, Option<String>)>> {
    let sql = format!(
        "SELECT {COLUMNS}, u.display_name FROM source s LEFT JOIN user u ON u.id = s.synced_by
         WHERE s.workspace_pk = ? AND s.id = ?"
    );
    one(conn, &sql, params![workspace_pk, id], |row| Ok((source(row)?, row.get(12)?)))
}

/// Number of claims of a source by kind, and how many of them are missing.
pub(in crate::domain) fn counts(conn: &Connection, workspace_pk: i64, id: &str) -> Result<Vec<(SyncKind, u32, u32)>> {
    let sql = "SELECT kind, count(*), count(missing_since) FROM claim WHERE workspace_pk = ? AND source_id = ?
               GROUP BY kind";
    all(conn, sql, params![workspace_pk, id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// Writes a source over the one with the same id, if any.
pub(in crate::domain) fn put(conn: &Connection, workspace_pk: i64, source: &Source) -> Result<()> {
    let sql = "INSERT INTO source (workspace_pk, id, kind, name, repository, origin, rank, revision, url, synced_at,
                   synced_by, not_read, configuration)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT DO UPDATE SET kind = excluded.kind, name = excluded.name, repository = excluded.repository,
                   origin = excluded.origin, rank = excluded.rank, revision = excluded.revision, url = excluded.url,
                   synced_at = excluded.synced_at, synced_by = excluded.synced_by, not_read = excluded.not_read,
                   configuration = excluded.configuration";
    let params = params![
        workspace_pk,
        source.id,
        source.kind,
        source.name,
        source.repository,
        source.origin,
        source.rank,
        source.revision,
        source.url,
        source.synced_at,
        source.synced_by,
        source.not_read,
        source.configuration,
    ];
    run(conn, sql, params).map(drop)
}

/// Deletes a source without claims. A draft remembers it for its merge.
pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, id: &str, now: i64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO removed_source (workspace_pk, source_id, removed_at)
               SELECT pk, ?2, ?3 FROM workspace WHERE pk = ?1 AND base_pk IS NOT NULL";
    run(conn, sql, params![workspace_pk, id, now])?;
    run(conn, "DELETE FROM source WHERE workspace_pk = ? AND id = ?", params![workspace_pk, id]).map(drop)
}

/// Whether a map has a row with an id of the client, in the table of its kind.
pub(in crate::domain) fn has_id(conn: &Connection, workspace_pk: i64, table: &'static str, id: &str) -> Result<bool> {
    let sql = format!("SELECT 1 FROM {table} WHERE workspace_pk = ? AND id = ?");
    Ok(one(conn, &sql, params![workspace_pk, id], |_| Ok(()))?.is_some())
}

/// When the row with an id of the client was created, if a map has it, in the table of its kind.
pub(in crate::domain) fn created_at(
    conn: &Connection,
    workspace_pk: i64,
    table: &'static str,
    id: &str,
) -> Result<Option<i64>> {
    let sql = format!("SELECT created_at FROM {table} WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![workspace_pk, id], |row| row.get(0))
}

/// Whether a map has a row with a number of the server, in the table of its kind.
pub(in crate::domain) fn has_number(
    conn: &Connection,
    workspace_pk: i64,
    table: &'static str,
    id: i64,
) -> Result<bool> {
    let sql = format!("SELECT 1 FROM {table} WHERE workspace_pk = ? AND id = ?");
    Ok(one(conn, &sql, params![workspace_pk, id], |_| Ok(()))?.is_some())
}
