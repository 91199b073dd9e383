//! What upserts have in common: they change nothing where nothing differs, merge properties, refuse to overwrite what
//! someone else changed, and tell everything that is wrong with a batch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tool::{Rejected, within};
use crate::{
    domain::{
        core::ViewTx,
        history::{self, ChangedKind},
        input::Nullable,
        map::placement::Overlaps,
        values::Properties,
    },
    error::{Error, Result},
};

/// What an upsert did with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Effect {
    /// Created it.
    Created,
    /// Changed it.
    Updated,
    /// Found it as it should be.
    Unchanged,
}

impl Effect {
    /// The effect of an update.
    pub(super) fn of_update(is_equal: bool) -> Self {
        if is_equal { Self::Unchanged } else { Self::Updated }
    }
}

/// Overlaps in an answer; nothing if there are none.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverlapReport {
    /// The first pairs of components that are drawn over each other because of the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overlaps: Vec<(String, String)>,
    /// The number of all pairs, if not all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    overlap_count: Option<usize>,
}

impl From<Overlaps> for OverlapReport {
    fn from(Overlaps { pairs, count }: Overlaps) -> Self {
        let overlap_count = (count > pairs.len()).then_some(count);
        Self { overlaps: pairs, overlap_count }
    }
}

/// For renamed components: processes whose text still has the old name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NamedIn {
    /// Ids of the first processes, by id of the component.
    #[serde(rename = "namedIn", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) processes: BTreeMap<String, Vec<String>>,
    /// Ids of the components with more processes; search finds them.
    #[serde(rename = "namedInMore", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) more: Vec<String>,
}

/// What was written.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// Ids of the created ones, in the order of the call.
    created: Vec<String>,
    /// Ids of the updated ones.
    updated: Vec<String>,
    /// Ids of those that were already as they should be.
    unchanged: Vec<String>,
    #[serde(flatten)]
    named_in: NamedIn,
    #[serde(flatten)]
    overlaps: OverlapReport,
}

/// An item that was written: its id, and what was done.
pub(super) type Item = (String, Effect);

impl Written {
    /// Lists the ids by effect, and the overlaps that the call caused.
    pub(super) fn of(items: Vec<Item>, overlaps: OverlapReport) -> Self {
        let mut written = Self { overlaps, ..Self::default() };
        for (id, effect) in items {
            match effect {
                Effect::Created => written.created.push(id),
                Effect::Updated => written.updated.push(id),
                Effect::Unchanged => written.unchanged.push(id),
            }
        }
        written
    }

    /// The same with processes that have the old names of components.
    pub(super) fn with_names(self, named_in: NamedIn) -> Self {
        Self { named_in, ..self }
    }
}

/// Writes the items of the argument `list`. If some are wrong, the error tells what is wrong with each.
pub(super) fn write_all<T, R>(
    list: &'static str,
    items: Vec<T>,
    write: impl FnMut(usize, T) -> Result<R>,
) -> Result<Vec<R>> {
    write_others(list, items, Rejected::default(), write)
}

/// Like [`write_all`], for the items that could be parsed. If others could not, nothing is written, and the error tells what
/// is wrong with each of either.
pub(super) fn write_others<T, R>(
    list: &'static str,
    items: Vec<T>,
    rejected: Rejected,
    mut write: impl FnMut(usize, T) -> Result<R>,
) -> Result<Vec<R>> {
    let (total, rejected) = (items.len(), rejected.in_list(list));
    let places: Vec<usize> = (0..total).map(|at| rejected.place(at)).collect();
    let (mut written, mut wrong) = (Vec::with_capacity(total), rejected.of(total));
    for (at, (item, place)) in items.into_iter().zip(places).enumerate() {
        match write(at, item) {
            Ok(one) => written.push(one),
            Err(error @ (Error::Invalid { .. } | Error::Conflict(_) | Error::StaleItem(_))) => {
                wrong.add(place, within(error, list, place));
            }
            Err(error) => return Err(within(error, list, place)),
        }
    }
    if wrong.is_empty() { Ok(written) } else { Err(wrong.into_error()) }
}

/// Properties after a write: those given are set, null removes one, others stay. `lifecycle` is one of them.
pub(super) fn merged(
    stored: &Properties,
    given: Option<Properties>,
    lifecycle: Nullable<String>,
) -> Result<Option<Properties>> {
    if given.is_none() && lifecycle == Nullable::Absent {
        return Ok(None);
    }
    let mut changes = given.map(|given| given.entries()).unwrap_or_default();
    match lifecycle {
        Nullable::Absent => {}
        Nullable::Null => drop(changes.insert("lifecycle".into(), serde_json::Value::Null)),
        Nullable::Value(state) => drop(changes.insert("lifecycle".into(), state.into())),
    }
    let merged = stored.merged(changes);
    merged.map(Some).map_err(|problem| Error::invalid("properties", problem))
}

/// Refuses to write a row that was read at the revision `expected`, of the row or of the workspace, and has the revision
/// `now`.
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

/// The error of an item without `id` that has the name of another row, whose id is `id`.
pub(super) fn same_name(kind: &str, id: &str, argument: &str) -> Error {
    let text = format!(
        "there is a {kind} `{id}` of this name already; give its `{argument}` to change it, or another `{argument}` to \
         add a second"
    );
    Error::invalid("name", text)
}
