//! The writes that replace decisions by those in a file.

use std::collections::{HashMap, HashSet};

use super::unique_ids::check_unique_ids;
use crate::{
    domain::{
        core::EditTx,
        map::{
            bulk::Difference,
            change_set::ChangeSet,
            decisions::{self, Decision, DocumentDecision, MAX_CONCERNED, MAX_SUPERSEDED},
        },
        values::Id,
    },
    error::{Error, FieldPath, Result},
};

/// The decisions in a file. Unchanged if absent.
#[derive(Default)]
pub(super) struct RequestedDecisions(pub(super) Option<Vec<DocumentDecision>>);

impl RequestedDecisions {
    /// Checks the rules that need no other data than the file, and removes references to components that are not in it.
    pub(super) fn check(&mut self, components: &HashSet<&str>) -> Result<()> {
        check_unique_ids("decisions", self.0.iter().flatten().map(|one| Some(one.id.as_str())))?;
        let mut numbers = HashSet::new();
        for (index, one) in self.0.iter_mut().flatten().enumerate() {
            one.check().map_err(|error| error.within(FieldPath::item("decisions", index)))?;
            if !numbers.insert(one.number) {
                let field = FieldPath::item("decisions", index).field("number");
                return Err(Error::invalid(field, format!("the number {} is repeated", one.number)));
            }
            if let Some(ids) = &mut one.component_ids {
                ids.retain(|id: &Id| components.contains(id.as_str()));
            }
        }
        Ok(())
    }
}

/// The writes for decisions.
pub(super) struct DecisionRows(pub(super) Difference<Decision>);

impl DecisionRows {
    pub(super) fn of(existing: Option<&EditTx<'_>>, workspace_id: &str, wanted: RequestedDecisions) -> Result<Self> {
        let Some(wanted) = wanted.0 else { return Ok(Self(Difference::nothing())) };
        let old = match existing {
            Some(edit) => edit.rows::<Decision>()?,
            None => Vec::new(),
        };
        let stored: HashMap<&str, &Decision> = old.iter().map(|row| (row.id.as_str(), row)).collect();
        let mut rows: Vec<Decision> = wanted.into_iter().map(|one| one.into_row(workspace_id)).collect();
        let ids: HashSet<String> = rows.iter().map(|row| row.id.clone()).collect();
        for row in &mut rows {
            let own = row.id.clone();
            row.supersedes.0.retain(|id| ids.contains(id) && *id != own);
            // As in a workspace, references to rows that are deleted stay.
            let Some(before) = stored.get(row.id.as_str()) else { continue };
            let wanted = std::mem::take(&mut row.component_ids.0);
            let listed: HashSet<String> = wanted.iter().cloned().collect();
            row.component_ids = decisions::references(wanted, &before.component_ids, MAX_CONCERNED, |id| {
                Ok(listed.contains(id) || is_component(existing, id)?)
            })?;
            let wanted = std::mem::take(&mut row.supersedes.0);
            row.supersedes = decisions::references(wanted, &before.supersedes, MAX_SUPERSEDED, |id| {
                Ok(ids.contains(id) || stored.contains_key(id))
            })?;
        }
        Ok(Self(Difference::make_unordered(old.clone(), rows)))
    }

    /// Deletes rows.
    pub(super) fn remove(&self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        self.0.removed.iter().try_for_each(|row| set.remove(row))
    }

    /// Updates and creates rows. Numbers are free for new rows when the existing ones have their new numbers.
    pub(super) fn write(self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        let (updated, created): (Vec<_>, Vec<_>) = self.0.rows.into_iter().partition(|(before, _)| before.is_some());
        for (before, row) in updated.into_iter().chain(created) {
            set.put(before.as_ref(), row)?;
        }
        Ok(())
    }
}

/// Whether the workspace has a component with this id before the import.
fn is_component(existing: Option<&EditTx<'_>>, id: &str) -> Result<bool> {
    existing.map_or(Ok(false), |edit| decisions::is_component(edit, id))
}
