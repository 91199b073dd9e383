//! How relationships are drawn in views.

use rusqlite::Connection;

use super::model::views::{NewViewLine, ViewLine, key_parts};
pub(in crate::domain) use super::store::view_lines::{find as find_row, list as rows, of_relationship, of_view};
use crate::{
    domain::core::{EditTx, Reads, RowMetadata, WorkspaceKey},
    error::Result,
};

/// Sets how a relationship is drawn in a view, whether or not it is set. The view and the relationship must exist.
pub(in crate::domain) fn put(tx: &mut EditTx<'_>, new: NewViewLine) -> Result<ViewLine> {
    match find_row(tx.core().conn, &tx.key(), &new.view_id, new.relationship_id.as_str())? {
        Some(before) => tx.update(&before, ViewLine { line: new.line, ..before.clone() }),
        None => tx.create(new.into_row(&tx.workspace().id)),
    }
}

/// Finds a row by its key; none if the text is not a key.
pub(in crate::domain) fn by_key(conn: &Connection, of: &WorkspaceKey<'_>, key: &str) -> Result<Option<ViewLine>> {
    let Some((view_id, relationship_id)) = key_parts(key) else { return Ok(None) };
    find_row(conn, of, view_id, relationship_id)
}

impl NewViewLine {
    /// Converts the request to a row.
    pub(in crate::domain) fn into_row(self, workspace_id: &str) -> ViewLine {
        ViewLine {
            view_id: self.view_id,
            relationship_id: self.relationship_id.into(),
            workspace_id: workspace_id.to_owned(),
            line: self.line,
            metadata: RowMetadata::default(),
        }
    }
}
