//! Rows of a workspace, read by their keys.

use super::{
    handles::{EditTx, Reads, ViewTx},
    record::WorkspaceRow,
    store,
};
use crate::{
    domain::paging::{Page, Paging},
    error::{Error, Result},
};

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
