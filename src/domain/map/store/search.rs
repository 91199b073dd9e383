//! Reading the search index.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one},
    domain::core::search::Document,
    error::Result,
};

/// Matches outside of the ranges that are read before the index is asked again for those after them, which takes as long
/// as reading about this many.
const MAX_SKIPPED: usize = 64;

/// Ranges of documents, in ascending order, without overlaps.
#[derive(Debug, Default)]
pub(in crate::domain) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    /// Adds a range after all others.
    pub(in crate::domain) fn push(&mut self, range: &RangeInclusive<Document>) {
        let (first, last) = (range.start().0, range.end().0);
        match self.0.last_mut() {
            Some(before) if before.1 + 1 >= first => before.1 = before.1.max(last),
            _ => self.0.push((first, last)),
        }
    }

    pub(in crate::domain) fn contains(&self, document: Document) -> bool {
        self.next(document.0) == Some(document.0)
    }

    /// The first document from `from` that is in a range.
    fn next(&self, from: i64) -> Option<i64> {
        let at = self.0.partition_point(|(_, last)| *last < from);
        self.0.get(at).map(|(first, _)| from.max(*first))
    }
}

/// Calls `visit` with the documents in `ranges` after `after` that match `expression`, in ascending order, until it
/// returns false.
pub(in crate::domain) fn scan(
    conn: &Connection,
    expression: &str,
    ranges: &Ranges,
    after: Option<Document>,
    mut visit: impl FnMut(Document) -> Result<bool>,
) -> Result<()> {
    let sql = "SELECT rowid FROM search_index
               WHERE search_index MATCH ?1 AND rowid >= ?2 AND rowid <= ?3 ORDER BY rowid";
    let mut statement = conn.prepare_cached(sql)?;
    let Some((_, last)) = ranges.0.last() else { return Ok(()) };
    let mut from = ranges.next(after.map_or(i64::MIN, |after| after.0.saturating_add(1)));
    while let Some(first) = from {
        let mut rows = statement.query(params![expression, first, last])?;
        let mut skipped = 0;
        from = loop {
            let Some(row) = rows.next()? else { break None };
            let document = Document(row.get(0)?);
            if ranges.contains(document) {
                if !visit(document)? {
                    break None;
                }
            } else {
                skipped += 1;
                if skipped > MAX_SKIPPED {
                    break ranges.next(document.0);
                }
            }
        };
    }
    Ok(())
}

/// Calls `visit` with all documents in `ranges`, in ascending order, until it returns false.
pub(in crate::domain) fn scan_all(
    conn: &Connection,
    ranges: &Ranges,
    mut visit: impl FnMut(Document) -> Result<bool>,
) -> Result<()> {
    let mut statement = conn.prepare_cached("SELECT document FROM search_document WHERE document BETWEEN ? AND ?")?;
    for range in &ranges.0 {
        let mut rows = statement.query([range.0, range.1])?;
        while let Some(row) = rows.next()? {
            if !visit(Document(row.get(0)?))? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Up to `limit` terms of the index that begin with `prefix`.
pub(in crate::domain) fn terms(conn: &Connection, prefix: &str, limit: u32) -> Result<Vec<String>> {
    let sql = "SELECT term FROM search_term WHERE term >= ?1 AND term < ?1 || char(1114111) LIMIT ?2";
    all(conn, sql, params![prefix, limit], |row| row.get(0))
}

/// Row id and name, in lowercase, of a document.
pub(in crate::domain) fn document(conn: &Connection, document: Document) -> Result<Option<(String, String)>> {
    let sql = "SELECT row_id, name FROM search_document WHERE document = ?";
    one(conn, sql, [document.0], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The documents of rows with this id.
pub(in crate::domain) fn with_id(conn: &Connection, id: &str) -> Result<Vec<Document>> {
    let sql = "SELECT document FROM search_document WHERE row_id = ?";
    all(conn, sql, [id], |row| row.get(0).map(Document))
}

/// The documents of a workspace whose name, in lowercase, begins with `start`.
pub(in crate::domain) fn with_name_start(conn: &Connection, workspace_pk: i64, start: &str) -> Result<Vec<Document>> {
    let sql = "SELECT document FROM search_document
               WHERE workspace_pk = ?1 AND name >= ?2 AND name < ?2 || char(1114111)";
    all(conn, sql, params![workspace_pk, start], |row| row.get(0).map(Document))
}

/// The documents of a workspace with this name, in lowercase.
pub(in crate::domain) fn with_name(conn: &Connection, workspace_pk: i64, name: &str) -> Result<Vec<Document>> {
    let sql = "SELECT document FROM search_document WHERE workspace_pk = ? AND name = ?";
    all(conn, sql, params![workspace_pk, name], |row| row.get(0).map(Document))
}

/// Slug of the organization of a workspace.
pub(in crate::domain) fn organization_slug(conn: &Connection, workspace_pk: i64) -> Result<Option<String>> {
    let sql = "SELECT o.slug FROM workspace w JOIN organization o ON o.id = w.organization_id WHERE w.pk = ?";
    one(conn, sql, [workspace_pk], |row| row.get(0))
}

/// Ids of the source and target of a relationship.
pub(in crate::domain) fn ends(conn: &Connection, workspace_pk: i64, id: &str) -> Result<Option<(String, String)>> {
    let sql = "SELECT source_id, target_id FROM relationship WHERE workspace_pk = ? AND id = ?";
    one(conn, sql, params![workspace_pk, id], |row| Ok((row.get(0)?, row.get(1)?)))
}
