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

/// What happened to a row after a revision, as the end of a sentence: who changed which fields, through which interface
/// and how long ago.
pub fn changed_after(tx: &ViewTx<'_>, kind: ChangedKind, id: &str, revision: i64) -> Result<String> {
    const MAX_CHANGES: i64 = 20;
    let query = ChangeQuery::new(Some(MAX_CHANGES), None, (Some(kind), Some(id.to_owned())), None, (None, None))?;
    let found = read(tx, &query.since(Some(revision), None))?;
    let Some(last) = found.changes.first() else { return Ok("has changed since".into()) };
    let who = last.change.actor.as_ref().map_or("the system", |actor| actor.display_name.as_str());
    let mut fields: Vec<&str> = found.changes.iter().flat_map(|past| &past.fields).map(String::as_str).collect();
    fields.sort_unstable();
    fields.dedup();
    let what = if fields.is_empty() { last.change.op.clone() } else { fields.join(", ") };
    let ago = ago(tx.core().now - last.change.ts);
    Ok(format!("was changed by {who} ({}) {ago}: {what}", last.change.via))
}

/// A duration until now.
fn ago(ms: i64) -> String {
    match ms / 1_000 {
        ..=99 => format!("{} s ago", (ms / 1_000).max(0)),
        seconds @ 100..6_000 => format!("{} min ago", seconds / 60),
        seconds @ 6_000..172_800 => format!("{} h ago", seconds / 3_600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}

fn past_change(past: ChangeWithBefore) -> Result<PastChange> {
    let change = past.logged.read()?;
    let mut before = past.before.map(|text| serde_json::from_str::<Map<String, Value>>(&text)).transpose()?;
    if let Some(row) = &mut before {
        older_rows::complete(change.entity, row)?;
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
