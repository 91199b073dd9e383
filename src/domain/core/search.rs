//! Fills the search index, and removes workspaces from it.

use rusqlite::Connection;

pub(in crate::domain) use super::store::documents::{Document, Texts, find_texts, folded, word_starts};
use super::{
    handles::{Reads, SystemTx},
    searched::HitKind,
    store::documents,
};
use crate::{
    db::sql::{all, run},
    error::Result,
};

/// Creates the index. The texts are not stored a second time, and positions are, so that a match of several trigrams in
/// a row is exact. Texts are already in lowercase, as defined by Rust.
const CREATE: &str = "
    DROP TABLE IF EXISTS search_term;
    DROP TABLE IF EXISTS search_index;
    DELETE FROM search_document;
    CREATE VIRTUAL TABLE search_index USING fts5 (
        name, words, rest, minor, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
    CREATE VIRTUAL TABLE search_term USING fts5vocab (search_index, row);";

/// Number of indexed documents between two messages.
const REPORTED: usize = 100_000;

/// Fills the index if it is empty, of another version, or damaged. Returns the number of documents if it was filled.
pub(in crate::domain) fn ensure(tx: &SystemTx<'_>) -> Result<Option<usize>> {
    let conn = tx.core().conn;
    if documents::are_complete(conn)? { Ok(None) } else { rebuild(tx).map(Some) }
}

/// Empties the index and fills it again. Searches find what they found before until the transaction ends. Returns the
/// number of documents.
pub(in crate::domain) fn rebuild(tx: &SystemTx<'_>) -> Result<usize> {
    let conn = tx.core().conn;
    conn.execute_batch(CREATE)?;
    let mut documents = 0;
    for workspace_pk in
        all(conn, "SELECT pk FROM workspace WHERE base_pk IS NULL ORDER BY pk", [], |row| row.get::<_, i64>(0))?
    {
        for kind in HitKind::ALL {
            let before = documents;
            documents += fill(conn, workspace_pk, kind)?;
            if documents / REPORTED > before / REPORTED {
                tracing::info!(documents, "filling the search index");
            }
        }
    }
    documents::mark_complete(conn)?;
    Ok(documents)
}

fn fill(conn: &Connection, workspace_pk: i64, kind: HitKind) -> Result<usize> {
    let sql = match kind {
        HitKind::Workspace => "SELECT '' FROM workspace WHERE pk = ?",
        HitKind::Component => "SELECT id FROM component WHERE workspace_pk = ? ORDER BY seq, id",
        HitKind::Relationship => "SELECT id FROM relationship WHERE workspace_pk = ? ORDER BY seq, id",
        HitKind::Process => "SELECT id FROM process WHERE workspace_pk = ? ORDER BY seq, id",
        HitKind::Note => "SELECT id FROM note WHERE workspace_pk = ? ORDER BY seq, id",
        HitKind::Decision => "SELECT id FROM decision WHERE workspace_pk = ? ORDER BY number, id",
    };
    let rows: Vec<documents::RowKey> =
        all(conn, sql, [workspace_pk], |row| Ok((workspace_pk, kind, row.get::<_, String>(0)?)))?;
    let count = rows.len();
    documents::index(conn, rows, || Ok(()))?;
    Ok(count)
}

/// Removes the documents of the workspaces that were deleted before `before`.
pub(in crate::domain) fn remove_workspaces(conn: &Connection, before: i64) -> Result<()> {
    let pks = all(conn, "SELECT pk FROM workspace WHERE deleted_at < ? ORDER BY pk", [before], |row| row.get(0))?;
    for pk in pks {
        let (first, last) = documents::range(pk);
        run(
            conn,
            "DELETE FROM search_index WHERE rowid IN (SELECT document FROM search_document WHERE document BETWEEN ? AND ?)",
            [first, last],
        )?;
        run(conn, "DELETE FROM search_document WHERE document BETWEEN ? AND ?", [first, last])?;
    }
    Ok(())
}
