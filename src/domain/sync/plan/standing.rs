//! Where the rows of sources are, and the ids of those that the sync creates.

use std::collections::BTreeSet;

use super::planner::{ClaimAt, Planner};
use crate::{
    domain::{
        slug,
        sync::{model::request::SyncKind, now::was_deleted_by_hand},
    },
    error::Result,
};

/// Where the row of a key is.
pub(super) enum Standing {
    /// On the map, with this id.
    OnMap(String),
    /// Deleted on the map, to stay deleted. The id that it had.
    Deleted(String),
    /// Never synced, or to be created again.
    Unknown,
}

impl Planner<'_, '_> {
    /// Where the row of a key of a source is.
    pub(super) fn standing(&self, source: usize, kind: SyncKind, key: &str) -> Result<Standing> {
        let claim = self.claim(source, kind, key);
        let Some((claim, id)) = claim.and_then(|claim| Some((claim, claim.row_id.as_deref()?))) else {
            return Ok(Standing::Unknown);
        };
        if self.now.has(kind, id) {
            return Ok(Standing::OnMap(id.to_owned()));
        }
        if self.restore.contains(key) || !was_deleted_by_hand(self.tx, claim, id)? {
            return Ok(Standing::Unknown);
        }
        Ok(Standing::Deleted(id.to_owned()))
    }

    /// A free id for a new row, derived from its id in the reading. Ids of deleted rows are not free: their sources would take
    /// the new row for the deleted one. Nor are ids of rows that it is not.
    pub(super) fn free_id(
        &mut self,
        kind: SyncKind,
        base: &str,
        separate: Option<&BTreeSet<String>>,
    ) -> Result<String> {
        let taken = self.taken.get(&kind);
        let is_taken =
            |id: &str| taken.is_some_and(|ids| ids.contains(id)) || separate.is_some_and(|ids| ids.contains(id));
        let id = slug::free(base, |id| Ok(is_taken(id) || self.now.has(kind, id) || self.is_deleted(kind, id)?))?;
        self.taken.entry(kind).or_default().insert(id.clone());
        self.end_missing(kind, &id);
        Ok(id)
    }

    /// Whether a source still has a row that the map lost, which is not created again in this sync.
    fn is_deleted(&self, kind: SyncKind, id: &str) -> Result<bool> {
        for (at, claim) in self.claims_of(kind, id) {
            let is_left = match at {
                ClaimAt::Own(source, key) => matches!(self.standing(*source, kind, key)?, Standing::Deleted(_)),
                ClaimAt::Other(_) => claim.missing_since.is_none(),
            };
            if is_left {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
