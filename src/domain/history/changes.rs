//! The change log of a workspace, as exposed to clients.

use serde_json::{Map, Value};

pub use super::model::{ChangeQuery, ChangedKind, History, MAX_CHANGES_PER_PAGE, MAX_FILTER_CHARS, PastChange};
use super::store::{self, history::ChangeWithBefore};
use crate::{
    domain::core::{Reads, ViewTx, older_rows},
    error::Result,
};

/// Maximum size of the rows in one page, in bytes. A single change may exceed it.
const MAX_PAGE_BYTES: usize = 1 << 20;

/// Fields that change with every write. They are not reported as changed fields.
pub(super) const METADATA_FIELDS: [&str; 3] = ["revision", "updatedAt", "updatedBy"];

/// Lists changes of a workspace, newest first.
pub fn read(tx: &ViewTx<'_>, query: &ChangeQuery) -> Result<History> {
    let (past, more) = store::history::page(tx.core().conn, tx.pk(), query, MAX_PAGE_BYTES)?;
    let changes = past.into_iter().map(past_change).collect::<Result<Vec<_>>>()?;
    let next = changes.last().filter(|_| more).map(|last| last.change.id);
    Ok(History { changes, next, oldest_revision: oldest_revision(tx)? })
}

/// The oldest revision covered by the log.
pub(super) fn oldest_revision(tx: &ViewTx<'_>) -> Result<i64> {
    let first = store::history::first_revision(tx.core().conn, tx.pk())?;
    Ok(first.unwrap_or(tx.workspace().metadata.revision))
}

fn past_change(past: ChangeWithBefore) -> Result<PastChange> {
    let change = past.logged.read()?;
    let mut before = past.before.map(|text| serde_json::from_str::<Map<String, Value>>(&text)).transpose()?;
    if let Some(row) = &mut before {
        older_rows::complete(&change.entity, row)?;
    }
    let seq = before.as_mut().and_then(|row| row.shift_remove("seq")).and_then(|seq| seq.as_i64());
    let fields = match (&before, &change.row) {
        (Some(before), Some(row)) => {
            let moved = (seq != change.seq).then_some("seq");
            differing(before, row).chain(moved).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    Ok(PastChange { change, before, fields })
}

/// The names of the fields in which two rows differ, without revision, update time and author.
pub(super) fn differing<'r>(a: &'r Map<String, Value>, b: &'r Map<String, Value>) -> impl Iterator<Item = &'r str> {
    let of_a = a.iter().filter(|(name, value)| b.get(*name) != Some(value));
    let of_b = b.iter().filter(|(name, _)| !a.contains_key(*name));
    of_a.chain(of_b).map(|(name, _)| name.as_str()).filter(|name| !METADATA_FIELDS.contains(name))
}
