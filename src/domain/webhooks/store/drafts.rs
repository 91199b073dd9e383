//! Reads the fields of drafts that webhooks report.

use rusqlite::{Connection, params};

use crate::{db::sql::one, error::Result};

/// The fields of a draft that webhooks report. They contain no part of the map, the description or the reviews.
pub(in crate::domain) struct NamedDraft {
    pub number: i64,
    pub title: String,
    pub author_id: i64,
    /// Change set of its merge in the workspace.
    pub change_set: Option<String>,
}

/// A draft of this workspace.
pub(in crate::domain) fn find(conn: &Connection, base_pk: i64, id: &str) -> Result<Option<NamedDraft>> {
    let sql = "SELECT number, title, author_id, change_set FROM draft WHERE base_pk = ? AND id = ?";
    one(conn, sql, params![base_pk, id], |row| {
        Ok(NamedDraft {
            number: row.get("number")?,
            title: row.get("title")?,
            author_id: row.get("author_id")?,
            change_set: row.get("change_set")?,
        })
    })
}
