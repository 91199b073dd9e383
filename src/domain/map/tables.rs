//! Compact tables of a workspace: a page of rows and the row count, read without the other columns.

pub use super::model::tables::{Part, Row};
use super::store;
use crate::{
    domain::core::{Reads, ViewTx},
    error::Result,
};

/// Number of rows of a table.
pub fn count(tx: &ViewTx<'_>, part: Part) -> Result<usize> {
    store::tables::count(tx.core().conn, tx.pk(), part)
}

/// At most `limit` rows of a table from position `offset`, in map order.
pub fn rows(tx: &ViewTx<'_>, part: Part, limit: usize, offset: usize) -> Result<Vec<Row>> {
    store::tables::rows(tx.core().conn, tx.pk(), part, limit, offset)
}
