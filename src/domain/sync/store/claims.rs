//! Claims: which rows of the map a source describes.

use import::Format;
use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        paging::{Page, Window},
        sync::model::{
            claims::{Acceptance, Claim, MergedRow},
            request::SyncKind,
        },
    },
    error::Result,
};

const COLUMNS: &str = "source_id, kind, key, row_id, base, inferred, volatile, is_home, separate, row_was,
    merged_from, merged_at, accepted_at, accepted_by, accepted_reason, file, line, seen_at, missing_since";

fn claim(row: &Row<'_>) -> rusqlite::Result<Claim> {
    Ok(Claim {
        source_id: row.get(0)?,
        kind: row.get(1)?,
        key: row.get(2)?,
        row_id: row.get(3)?,
        base: row.get(4)?,
        inferred: row.get(5)?,
        volatile: row.get(6)?,
        is_home: row.get(7)?,
        separate: row.get(8)?,
        row_was: row.get(9)?,
        merged_from: match row.get(10)? {
            Some(id) => Some(MergedRow { id, at: row.get(11)? }),
            None => None,
        },
        accepted: match row.get(12)? {
            Some(at) => Some(Acceptance { at, by: row.get(13)?, reason: row.get(14)? }),
            None => None,
        },
        file: row.get(15)?,
        line: row.get(16)?,
        seen_at: row.get(17)?,
        missing_since: row.get(18)?,
    })
}

/// All claims of a workspace, by source, kind and key.
pub(in crate::domain) fn list(conn: &Connection, workspace_pk: i64) -> Result<Vec<Claim>> {
    let sql = format!("SELECT {COLUMNS} FROM claim WHERE workspace_pk = ? ORDER BY source_id, kind, key");
    all(conn, &sql, [workspace_pk], claim)
}

/// A page of the claims of a source, by kind and key, each with the display name of the user who accepted it.
pub(in crate::domain) fn page(
    conn: &Connection,
    workspace_pk: i64,
    source_id: &str,
    window: &Window<(String, String)>,
) -> Result<Page<(Claim, Option<String>)>> {
    let sql = format!(
        "SELECT {COLUMNS}, (SELECT display_name FROM user WHERE id = accepted_by) FROM claim
         WHERE workspace_pk = ? AND source_id = ? AND (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?"
    );
    let params = params![workspace_pk, source_id, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let found = claim(row)?;
        Ok(((found.kind.as_str().to_owned(), found.key.clone()), (found, row.get(19)?)))
    })
}

/// Writes a claim over the one with the same key, if any.
pub(in crate::domain) fn put(conn: &Connection, workspace_pk: i64, claim: &Claim) -> Result<()> {
    let sql =
        "INSERT INTO claim (workspace_pk, source_id, kind, key, row_id, base, inferred, volatile, is_home, separate,
                   row_was, merged_from, merged_at, accepted_at, accepted_by, accepted_reason, file, line, seen_at,
                   missing_since)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT DO UPDATE SET row_id = excluded.row_id, base = excluded.base, inferred = excluded.inferred,
                   volatile = excluded.volatile, is_home = excluded.is_home, separate = excluded.separate,
                   row_was = excluded.row_was, merged_from = excluded.merged_from,
                   merged_at = excluded.merged_at,
                   accepted_at = excluded.accepted_at, accepted_by = excluded.accepted_by,
                   accepted_reason = excluded.accepted_reason, file = excluded.file, line = excluded.line,
                   seen_at = excluded.seen_at, missing_since = excluded.missing_since";
    let params = params![
        workspace_pk,
        claim.source_id,
        claim.kind,
        claim.key,
        claim.row_id,
        claim.base,
        claim.inferred,
        claim.volatile,
        claim.is_home,
        claim.separate,
        claim.row_was,
        claim.merged_from.as_ref().map(|merged| &merged.id),
        claim.merged_from.as_ref().map(|merged| merged.at),
        claim.accepted.as_ref().map(|accepted| accepted.at),
        claim.accepted.as_ref().and_then(|accepted| accepted.by),
        claim.accepted.as_ref().and_then(|accepted| accepted.reason.as_deref()),
        claim.file,
        claim.line,
        claim.seen_at,
        claim.missing_since,
    ];
    run(conn, sql, params).map(drop)
}

/// A claim of a source.
pub(in crate::domain) fn find(
    conn: &Connection,
    workspace_pk: i64,
    source_id: &str,
    (kind, key): (SyncKind, &str),
) -> Result<Option<Claim>> {
    let sql = format!("SELECT {COLUMNS} FROM claim WHERE workspace_pk = ? AND source_id = ? AND kind = ? AND key = ?");
    one(conn, &sql, params![workspace_pk, source_id, kind, key], claim)
}

/// Whether another source declares the row of a claim.
pub(in crate::domain) fn has_others(conn: &Connection, workspace_pk: i64, claim: &Claim, id: &str) -> Result<bool> {
    let sql = "SELECT source.kind, claim.row_was IS NOT NULL FROM claim
               JOIN source ON source.workspace_pk = claim.workspace_pk AND source.id = claim.source_id
               WHERE claim.workspace_pk = ? AND claim.kind = ? AND row_id = ? AND (source_id, key) <> (?, ?)";
    let params = params![workspace_pk, claim.kind, id, claim.source_id, claim.key];
    let others = all(conn, sql, params, |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))?;
    let is_observed = |kind: &str| Format::of_id(kind).is_some_and(Format::is_observed);
    Ok(others.iter().any(|(kind, is_drawn)| *is_drawn || !is_observed(kind)))
}

/// Deletes a claim.
pub(in crate::domain) fn delete(
    conn: &Connection,
    workspace_pk: i64,
    source_id: &str,
    (kind, key): (SyncKind, &str),
) -> Result<()> {
    let sql = "DELETE FROM claim WHERE workspace_pk = ? AND source_id = ? AND kind = ? AND key = ?";
    run(conn, sql, params![workspace_pk, source_id, kind, key]).map(drop)
}

/// Deletes all claims of a source.
pub(in crate::domain) fn delete_of_source(conn: &Connection, workspace_pk: i64, source_id: &str) -> Result<()> {
    let sql = "DELETE FROM claim WHERE workspace_pk = ? AND source_id = ?";
    run(conn, sql, params![workspace_pk, source_id]).map(drop)
}
