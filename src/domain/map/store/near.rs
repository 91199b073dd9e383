//! Ids and names to compare with those that do not exist.

use rusqlite::{Connection, params};

use crate::{db::sql::all, domain::map::model::near::NearKind, error::Result};

/// Ids and names of at most `most` rows, in list order.
pub(in crate::domain) fn ids_and_names(
    conn: &Connection,
    workspace_pk: i64,
    kind: NearKind,
    most: usize,
) -> Result<Vec<(String, String)>> {
    let sql = match kind {
        NearKind::Component => "SELECT id, name FROM component WHERE workspace_pk = ? ORDER BY seq, id LIMIT ?",
        // A label is often empty or common: only ids are compared.
        NearKind::Relationship => "SELECT id, id FROM relationship WHERE workspace_pk = ? ORDER BY seq, id LIMIT ?",
        NearKind::Process => "SELECT id, name FROM process WHERE workspace_pk = ? ORDER BY seq, id LIMIT ?",
    };
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    all(conn, sql, params![workspace_pk, most], |row| Ok((row.get(0)?, row.get(1)?)))
}
