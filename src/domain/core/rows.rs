//! Rows of a workspace, read by their keys.

use rusqlite::Row;

use super::{
    handles::{EditTx, Reads, ViewTx},
    record::Record,
    store,
};
use crate::{
    domain::paging::{Page, Paging},
    error::{Error, Result},
};

/// Distance between the order values of rows appended at an end, so that rows can later be inserted between them
/// without updating other rows.
pub(in crate::domain) const GAP: i64 = 1 << 20;

/// A row of a workspace whose key is its id, or two ids.
pub(in crate::domain) trait WorkspaceRow: Record {
    /// Name of the list of these rows.
    const LIST: &'static str;
    /// The columns by which lists are ordered: the order value and the id, for kinds that have an order.
    const ORDER: &'static str = "seq, id";

    /// Reads the columns of the key, those of the record, and the metadata. Values are read by index: a lookup by name takes
    /// longer than reading the value, and a bundle has tens of thousands of values.
    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self>;
}

impl ViewTx<'_> {
    /// The row with this key, if there is one.
    pub(in crate::domain) fn find<R: WorkspaceRow>(&self, key: &str) -> Result<Option<R>> {
        store::rows::find(self.core().conn, &self.key(), key)
    }

    /// The row with this id, which must exist.
    pub(in crate::domain) fn existing<R: WorkspaceRow>(&self, id: &str) -> Result<R> {
        self.find(id)?.ok_or(Error::NotFound(R::ENTITY.as_str()))
    }

    /// Whether there is a row with this id.
    pub(in crate::domain) fn has<R: WorkspaceRow>(&self, id: &str) -> Result<bool> {
        store::rows::has::<R>(self.core().conn, self.pk(), id)
    }

    /// All rows of a kind, in list order.
    pub(in crate::domain) fn rows<R: WorkspaceRow>(&self) -> Result<Vec<R>> {
        store::rows::list(self.core().conn, &self.key())
    }

    /// A page of the rows of a kind that has an order.
    pub(in crate::domain) fn page<R: WorkspaceRow>(&self, paging: &Paging) -> Result<Page<R>> {
        store::rows::page(self.core().conn, &self.key(), &paging.window(R::LIST)?)
    }

    /// The order value after the last row of a kind.
    pub(in crate::domain) fn next_position<R: WorkspaceRow>(&self) -> Result<i64> {
        store::rows::next_position::<R>(self.core().conn, self.pk())
    }
}

impl EditTx<'_> {
    /// The row with this id. Fails if the request's `If-Match` does not match it.
    pub(in crate::domain) fn expected<R: WorkspaceRow>(&self, id: &str) -> Result<R> {
        let row = self.existing(id)?;
        self.expect(&row)?;
        Ok(row)
    }
}
