//! Refuses to destroy rows that were written after the state that the caller read.

use std::collections::HashSet;

use super::{changes::changed_after, model::ChangedKind, store::history::written_after};
use crate::{
    domain::{
        core::{Entity, Reads, ViewTx},
        map::consequences::AffectedRow,
    },
    error::{Error, Result},
};

/// Maximum number of changed rows that an error names.
const MAX_NAMED: usize = 5;

/// Fails if one of `rows` was written after the revision `read` of the workspace, and says by whom, when and what.
pub fn expect_seen(tx: &ViewTx<'_>, rows: &[AffectedRow], read: i64) -> Result<()> {
    let now = tx.workspace().metadata.revision;
    if read > now {
        let text = format!("was not read: the workspace is at revision {now}");
        return Err(Error::invalid("expectedRevision", text));
    }
    let mut changed: Vec<&AffectedRow> = rows.iter().filter(|row| row.revision.is_some_and(|at| at > read)).collect();
    // A row that does not exist can have been deleted since. That is not noticed if the log no longer reaches back that far.
    if rows.iter().any(|row| row.revision.is_none()) {
        let written: HashSet<(Entity, String)> = written_after(tx.core().conn, tx.pk(), read)?.into_iter().collect();
        let is_written = |row: &&AffectedRow| written.contains(&(row.entity, row.id.clone()));
        changed.extend(rows.iter().filter(|row| row.revision.is_none()).filter(is_written));
    }
    if changed.is_empty() {
        return Ok(());
    }
    let mut named = Vec::new();
    for row in changed.iter().take(MAX_NAMED) {
        let what = changed_after(tx, ChangedKind::of(row.entity).unwrap_or(ChangedKind::Workspace), &row.id, read)?;
        named.push(format!("{} `{}` {what}", row.entity.as_str(), row.id));
    }
    let more = match changed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let named = named.join("; ");
    Err(Error::StaleItem(format!("{named}{more} (revision {now}, you have {read}); nothing was written")))
}
