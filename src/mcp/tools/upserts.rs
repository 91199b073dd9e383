//! What upserts have in common: they write only differences, merge properties, do not overwrite changes by others, and
//! report all errors of a batch.

use serde::{Deserialize, Serialize};

use super::tool::{Rejected, within};
use crate::{
    domain::{
        core::ViewTx,
        history::{self, ChangedKind},
        input::Nullable,
        values::Properties,
    },
    error::{Error, Result},
};

/// The effect of an upsert on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Effect {
    /// The item was created.
    Created,
    /// The item was changed.
    Updated,
    /// The item already had these values.
    Unchanged,
}

impl Effect {
    /// The effect of an update.
    pub(super) fn of_update(is_equal: bool) -> Self {
        if is_equal { Self::Unchanged } else { Self::Updated }
    }
}

/// The id of an item, and the effect.
pub(super) type Item = (String, Effect);

/// Writes the items of the argument `list`. The error contains the errors of all items.
pub(super) fn write_all<T, R>(
    list: &'static str,
    items: Vec<T>,
    write: impl FnMut(usize, T) -> Result<R>,
) -> Result<Vec<R>> {
    write_others(list, items, Rejected::default(), write)
}

/// Like [`write_all`], for the items that could be parsed. If others were rejected, nothing is written, and the error
/// contains their errors, too.
pub(super) fn write_others<T, R>(
    list: &'static str,
    items: Vec<T>,
    rejected: Rejected,
    mut write: impl FnMut(usize, T) -> Result<R>,
) -> Result<Vec<R>> {
    let (total, rejected) = (items.len(), rejected.in_list(list));
    let places: Vec<usize> = (0..total).map(|index| rejected.place(index)).collect();
    let (mut written, mut errors) = (Vec::with_capacity(total), rejected.with_total(total));
    for (index, (item, place)) in items.into_iter().zip(places).enumerate() {
        match write(index, item) {
            Ok(row) => written.push(row),
            Err(error @ (Error::Invalid { .. } | Error::Conflict(_) | Error::StaleItem(_))) => {
                errors.add(place, within(error, list, place));
            }
            Err(error) => return Err(within(error, list, place)),
        }
    }
    if errors.is_empty() { Ok(written) } else { Err(errors.into_error()) }
}

/// Properties after a write: values in `changes` are set, null removes a property, others are unchanged. `lifecycle` is a
/// property.
pub(super) fn merged(
    stored: &Properties,
    changes: Option<Properties>,
    lifecycle: Nullable<String>,
) -> Result<Option<Properties>> {
    if changes.is_none() && lifecycle == Nullable::Absent {
        return Ok(None);
    }
    let mut changes = changes.map(|changes| changes.entries()).unwrap_or_default();
    match lifecycle {
        Nullable::Absent => {}
        Nullable::Null => drop(changes.insert("lifecycle".into(), serde_json::Value::Null)),
        Nullable::Value(state) => drop(changes.insert("lifecycle".into(), state.into())),
    }
    let merged = stored.merged(changes);
    merged.map(Some).map_err(|problem| Error::invalid("properties", problem))
}

/// Fails if a row with the revision `now` has changed since `expected`, a revision of the row or the workspace.
pub(super) fn expect(tx: &ViewTx<'_>, (kind, id): (ChangedKind, &str), now: i64, expected: Option<i64>) -> Result<()> {
    let newest = tx.workspace().metadata.revision.max(now);
    match expected {
        Some(expected) if expected > newest => {
            let text = format!("was not read: the workspace is at revision {newest}");
            Err(Error::invalid("expectedRevision", text))
        }
        Some(expected) if expected < now => {
            let what = history::changed_after(tx, kind, id, expected)?;
            Err(Error::StaleItem(format!("`{id}` {what} (revision {now}, you have {expected}); nothing was written")))
        }
        _ => Ok(()),
    }
}

/// The error for an item without an id that has the name of the existing row `id`.
pub(super) fn same_name(kind: &str, id: &str, argument: &str) -> Error {
    let text = format!(
        "the {kind} `{id}` has this name; set `{argument}` to its id to change it, or to another id to create a second \
         {kind}"
    );
    Error::invalid("name", text)
}
