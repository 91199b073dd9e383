//! Drafts, as webhooks name them.

use rusqlite::{Connection, params};

use crate::{db::sql::one, error::Result};

/// What a webhook says about a draft: nothing of its map and of what was written about it.
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
