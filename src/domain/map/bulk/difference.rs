//! The writes that turn existing rows into a list of wanted rows, including their order.

use std::collections::{BTreeMap, HashMap};

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

impl<R: Record> Difference<R> {
    /// A difference without writes.
    pub(in crate::domain) fn nothing() -> Self {
        Self { rows: Vec::new(), removed: Vec::new() }
    }

    /// Compares existing rows with `wanted` by id. As many rows as possible keep their order values.
    pub(in crate::domain) fn make(
        existing: Vec<R>,
        id: fn(&R) -> &String,
        seq: fn(&mut R) -> &mut i64,
        wanted: Vec<R>,
    ) -> Self {
        let mut existing: HashMap<String, R> = existing.into_iter().map(|row| (id(&row).clone(), row)).collect();
        let pairs: Vec<(Option<R>, R)> = wanted.into_iter().map(|row| (existing.remove(id(&row)), row)).collect();
        let current: Vec<Option<i64>> =
            pairs.iter().map(|(before, _)| before.as_ref().and_then(R::list_position)).collect();
        let rows = pairs
            .into_iter()
            .zip(order::places(&current))
            .map(|((before, mut row), place)| {
                *seq(&mut row) = place;
                (before, row)
            })
            .collect();
        let mut removed: Vec<R> = existing.into_values().collect();
        removed.sort_by_key(|row| *seq(&mut row.clone()));
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

    /// Keys of created rows.
    pub(in crate::domain) fn created_keys(&self) -> Vec<String> {
        self.rows.iter().filter(|(before, _)| before.is_none()).map(|(_, row)| row.key()).collect()
    }

    /// Keys of updated rows.
    pub(in crate::domain) fn updated_keys(&self) -> Vec<String> {
        let changed = |(before, row): &&(Option<R>, R)| before.as_ref().is_some_and(|before| before != row);
        self.rows.iter().filter(changed).map(|(_, row)| row.key()).collect()
    }

    /// Keys of deleted rows.
    pub(in crate::domain) fn deleted_keys(&self) -> Vec<String> {
        self.removed.iter().map(R::key).collect()
    }

    pub(in crate::domain) fn created(&self, id: fn(&R) -> &String) -> Vec<String> {
        self.rows.iter().filter(|(before, _)| before.is_none()).map(|(_, row)| id(row).clone()).collect()
    }

    pub(in crate::domain) fn updated(&self, id: fn(&R) -> &String) -> Vec<String> {
        let changed = |(before, row): &&(Option<R>, R)| before.as_ref().is_some_and(|before| before != row);
        self.rows.iter().filter(changed).map(|(_, row)| id(row).clone()).collect()
    }

    pub(in crate::domain) fn deleted(&self, id: fn(&R) -> &String) -> Vec<String> {
        self.removed.iter().map(|row| id(row).clone()).collect()
    }

    /// Creates and updates rows, and returns all of them. The caller deletes the rows in `removed`.
    pub(in crate::domain) fn write(self, set: &mut ChangeSet<'_, '_>) -> Result<Vec<R>> {
        self.rows.into_iter().map(|(before, row)| set.put(before.as_ref(), row)).collect()
    }
}
