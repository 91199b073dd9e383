//! How relationships are drawn in views.

use super::model::views::{NewViewLine, ViewLine};
pub(in crate::domain) use super::store::view_lines::{of_relationship, of_view};
use crate::{
    domain::core::{EditTx, RowMetadata},
    error::Result,
};

/// Sets how a relationship is drawn in a view, whether or not it is set. The view and the relationship must exist.
pub(in crate::domain) fn put(tx: &mut EditTx<'_>, new: NewViewLine) -> Result<ViewLine> {
    match tx.find::<ViewLine>(&ViewLine::key_of(&new.view_id, new.relationship_id.as_str()))? {
        Some(before) => tx.update(&before, ViewLine { line: new.line, ..before.clone() }),
        None => tx.create(new.into_row(&tx.workspace().id)),
    }
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
