//! The writes that turn existing rows into a list of wanted rows, including their order.

use std::collections::BTreeMap;

use crate::{
    domain::{
        core::Record,
        map::{change_set::ChangeSet, model::order},
    },
    error::Result,
};

/// The difference for one kind of row: the wanted rows in order, each with the existing row if any, and the rows to
/// delete.
pub(in crate::domain) struct Difference<R> {
    pub(in crate::domain) rows: Vec<(Option<R>, R)>,
    pub(in crate::domain) removed: Vec<R>,
}

/// How a row is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) enum RowWrite {
    Create,
    Update,
    Delete,
}

impl<R: Record> Difference<R> {
    /// A difference without writes.
    pub(in crate::domain) fn nothing() -> Self {
        Self { rows: Vec::new(), removed: Vec::new() }
    }

    /// Compares existing rows with `wanted` by key. As many rows as possible keep their order values, which are in `place`.
    pub(in crate::domain) fn make(existing: Vec<R>, place: fn(&mut R) -> &mut i64, wanted: Vec<R>) -> Self {
        let Self { mut rows, mut removed } = Self::make_unordered(existing, wanted);
        let current: Vec<Option<i64>> =
            rows.iter().map(|(before, _)| before.as_ref().and_then(R::list_position)).collect();
        for ((_, row), new) in rows.iter_mut().zip(order::places(&current)) {
            *place(row) = new;
        }
        removed.sort_by_key(R::list_position);
        Self { rows, removed }
    }

    /// Compares existing rows with `wanted`, in the order of the wanted rows. For kinds without an order.
    pub(in crate::domain) fn make_unordered(existing: Vec<R>, wanted: Vec<R>) -> Self {
        let mut existing: BTreeMap<String, R> = existing.into_iter().map(|row| (row.key(), row)).collect();
        let rows = wanted
            .into_iter()
            .map(|mut row| {
                let before = existing.remove(&row.key());
                *row.metadata() = before.clone().map(|mut row| row.metadata().clone()).unwrap_or_default();
                (before, row)
            })
            .collect();
        Self { rows, removed: existing.into_values().collect() }
    }

    /// Keys of the rows that are written in this way.
    pub(in crate::domain) fn keys(&self, write: RowWrite) -> Vec<String> {
        self.named(write, R::key)
    }

    /// Names of the rows that are written in this way.
    pub(in crate::domain) fn named(&self, write: RowWrite, name: impl Fn(&R) -> String) -> Vec<String> {
        let is_written = |(before, row): &&(Option<R>, R)| match before {
            None => write == RowWrite::Create,
            Some(before) => write == RowWrite::Update && before != row,
        };
        let removed = self.removed.iter().filter(|_| write == RowWrite::Delete);
        self.rows.iter().filter(is_written).map(|(_, row)| row).chain(removed).map(name).collect()
    }

    /// Creates and updates rows, and returns all of them. The caller deletes the rows in `removed`.
    pub(in crate::domain) fn write(self, set: &mut ChangeSet<'_, '_>) -> Result<Vec<R>> {
        self.rows.into_iter().map(|(before, row)| set.put(before.as_ref(), row)).collect()
    }
}
