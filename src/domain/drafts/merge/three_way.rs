//! The merge: what each row becomes, and where that needs a decision. Independent of SQL.
//!
//! A row or field that only one side has changed becomes what that side made of it. A field that both have changed
//! differently, and a row that one side has deleted and the other has changed or needs, are conflicts. Nothing that
//! neither side has deleted is deleted without a decision.

use std::collections::{BTreeMap, HashMap};

use super::{
    merged::{ConflictKind, MergedField, MergedRow},
    rows::{NUMBER, RowId, Side, Triple, Unchanged, never_conflicts, number, references, stakeholder},
    structure::{Contribution, violations},
};
use crate::domain::core::Entity;

/// Decisions about conflicts.
#[derive(Debug, Clone, Default)]
pub(in crate::domain) struct Decisions {
    /// About rows.
    pub(in crate::domain) rows: HashMap<RowId, Side>,
    /// About single fields.
    pub(in crate::domain) fields: HashMap<(RowId, String), Side>,
    /// About everything else.
    pub(in crate::domain) otherwise: Option<Side>,
}

impl Decisions {
    fn row(&self, id: &RowId) -> Option<Side> {
        self.rows.get(id).copied().or(self.otherwise)
    }

    fn field(&self, id: &RowId, field: &str) -> Option<Side> {
        self.fields.get(&(id.clone(), field.to_owned())).copied().or_else(|| self.row(id))
    }
}

/// The outcome of a merge. Rows that are the same in the three states are not contained.
#[derive(Debug, Default)]
pub(in crate::domain) struct Merge {
    pub(in crate::domain) rows: BTreeMap<RowId, MergedRow>,
}

impl Merge {
    /// Merges rows that are not the same in the three states.
    pub(in crate::domain) fn new(
        states: BTreeMap<RowId, Triple>,
        unchanged: &Unchanged,
        decisions: &Decisions,
    ) -> Self {
        let rows = states.into_iter().map(|(id, states)| {
            let row = merge_row(&id, states, decisions);
            (id, row)
        });
        let mut merge = Self { rows: rows.collect() };
        // Each pass decides about at least one more row.
        for _ in 0..merge.rows.len().saturating_mul(2).saturating_add(2) {
            let has_changed = merge.repair_references(unchanged, decisions)
                || merge.restore_dependents(unchanged)
                || merge.repair_structure(unchanged, decisions);
            if !has_changed {
                break;
            }
        }
        merge.remove_repeated_stakeholders(unchanged);
        merge.renumber_decisions(unchanged);
        merge
    }

    /// Rows with a conflict that is not decided.
    pub(in crate::domain) fn open(&self) -> impl Iterator<Item = (&RowId, &MergedRow)> {
        self.rows.iter().filter(|(_, row)| row.is_open)
    }

    /// Whether there are rows with a conflict, decided or not.
    pub(in crate::domain) fn has_conflicts(&self) -> bool {
        self.rows.values().any(|row| row.conflict.is_some())
    }

    fn exists(&self, id: &RowId, unchanged: &Unchanged) -> bool {
        self.rows.get(id).map_or_else(|| unchanged.keys.contains(id), |row| row.result.is_some())
    }

    /// Finds rows that need a row that a side has deleted. Returns whether a result has changed.
    fn repair_references(&mut self, unchanged: &Unchanged, decisions: &Decisions) -> bool {
        let mut missing = Vec::new();
        for (id, row) in &self.rows {
            let needed = row.result.iter().flat_map(|fields| references(id.0, fields));
            missing.extend(needed.filter(|needed| !self.exists(needed, unchanged)).map(|needed| (id.clone(), needed)));
        }
        let mut has_changed = false;
        for (id, needed) in missing {
            let Some(target) = self.rows.get_mut(&needed) else { continue };
            if target.result.is_some() {
                continue;
            }
            if let Some(side) = target.decided {
                if let Some(row) = self.rows.get_mut(&id) {
                    // A row that would follow both sides needs rows that both have deleted.
                    row.result = match row.followed.replace(side) {
                        None => row.states.on(side).cloned(),
                        Some(_) => None,
                    };
                    has_changed = true;
                }
                continue;
            }
            target.conflict = target.conflict.or(Some(ConflictKind::Reference));
            match decisions.row(&needed) {
                Some(side) => {
                    (target.decided, target.result) = (Some(side), target.states.on(side).cloned());
                    has_changed = true;
                }
                None => target.is_open = true,
            }
        }
        has_changed
    }

    /// Restores the rows that were deleted together with a row that a decision keeps, such as the relationships of a
    /// component, as far as everything else that they need exists. Returns whether a result has changed.
    fn restore_dependents(&mut self, unchanged: &Unchanged) -> bool {
        let mut restored = Vec::new();
        for (id, row) in &self.rows {
            let (Some(_), None, None, None) = (&row.states.branch, &row.result, row.decided, row.followed) else {
                continue;
            };
            let side = match (&row.states.base, &row.states.draft) {
                (Some(_), None) => Side::Base,
                (None, Some(_)) => Side::Draft,
                _ => continue,
            };
            let needed = row.states.on(side).map(|fields| references(id.0, fields)).unwrap_or_default();
            let is_kept = |needed: &RowId| {
                self.rows.get(needed).is_some_and(|row| {
                    let is_deleted = row.states.base.is_none() || row.states.draft.is_none();
                    is_deleted && row.result.is_some() && row.decided.or(row.followed) == Some(side)
                })
            };
            if needed.iter().any(is_kept) && needed.iter().all(|needed| self.exists(needed, unchanged)) {
                restored.push((id.clone(), side));
            }
        }
        for (id, side) in &restored {
            if let Some(row) = self.rows.get_mut(id) {
                (row.followed, row.result) = (Some(*side), row.states.on(*side).cloned());
            }
        }
        !restored.is_empty()
    }

    /// Finds components that would be in two others or in themselves. Returns whether a result has changed.
    fn repair_structure(&mut self, unchanged: &Unchanged, decisions: &Decisions) -> bool {
        let mut has_changed = false;
        for group in violations(&self.rows, unchanged) {
            let mut is_taken_from_draft = true;
            for (id, _) in group.iter().filter(|(_, from)| *from == Contribution::Draft) {
                let Some(row) = self.rows.get_mut(id) else { continue };
                row.conflict = row.conflict.or(Some(ConflictKind::Structure));
                let decision = decisions.row(id);
                is_taken_from_draft &= decision == Some(Side::Draft);
                has_changed |= match decision {
                    Some(side) => row.decide(side),
                    None => !std::mem::replace(&mut row.is_open, true),
                };
            }
            // The base's part stays unless all of the draft's part is taken: a row that gives way can be enough.
            for (id, _) in group.iter().filter(|(_, from)| is_taken_from_draft && *from == Contribution::Base) {
                if let Some(row) = self.rows.get_mut(id) {
                    has_changed |= row.decide(Side::Draft);
                }
            }
        }
        has_changed
    }

    /// Gives decisions of the draft the next number if a decision of the base has theirs. Those of the base keep their numbers.
    fn renumber_decisions(&mut self, unchanged: &Unchanged) {
        let mut taken = unchanged.numbers.clone();
        let keeps_its_number = |row: &MergedRow| {
            let given = row.result.as_ref().and_then(number);
            given.filter(|given| row.states.base.as_ref().and_then(number) == Some(*given))
        };
        let is_decision = |id: &RowId| id.0 == Entity::Decision;
        taken.extend(self.rows.iter().filter(|(id, _)| is_decision(id)).filter_map(|(_, row)| keeps_its_number(row)));
        let mut repeated = Vec::new();
        for (_, row) in self.rows.iter_mut().filter(|(id, row)| is_decision(id) && keeps_its_number(row).is_none()) {
            let Some(fields) = &mut row.result else { continue };
            if number(fields).is_some_and(|given| !taken.insert(given)) {
                repeated.push(fields);
            }
        }
        for fields in repeated {
            let next = taken.last().map_or(1, |last| last + 1);
            taken.insert(next);
            fields.insert(NUMBER.into(), next.into());
        }
    }

    /// Removes stakeholders that the draft has added or changed and that would exist twice.
    fn remove_repeated_stakeholders(&mut self, unchanged: &Unchanged) {
        // Twice: what a stakeholder of the base becomes can be the same as another one.
        for _ in 0..2 {
            let mut known = unchanged.stakeholders.clone();
            let is_stakeholder = |id: &RowId| id.0 == Entity::Stakeholder;
            let from_base = |row: &MergedRow| row.result == row.states.base;
            for (_, row) in self.rows.iter().filter(|(id, row)| is_stakeholder(id) && from_base(row)) {
                known.extend(row.result.as_ref().map(stakeholder));
            }
            for (_, row) in self.rows.iter_mut().filter(|(id, row)| is_stakeholder(id) && !from_base(row)) {
                let Some(key) = row.result.as_ref().map(stakeholder) else { continue };
                if !known.insert(key) {
                    row.result.clone_from(&row.states.base);
                }
            }
        }
    }
}

fn merge_row(id: &RowId, states: Triple, decisions: &Decisions) -> MergedRow {
    let mut row = MergedRow {
        result: None,
        fields: fields(id, &states),
        conflict: None,
        is_open: false,
        decided: None,
        followed: None,
        states,
    };
    let Triple { branch, base, draft } = &row.states;
    if base == draft || branch == draft {
        row.result.clone_from(base);
    } else if branch == base {
        row.result.clone_from(draft);
    } else if let (Some(base), Some(_)) = (base, draft) {
        let mut merged = base.clone();
        for field in &row.fields {
            let [was, ours, theirs] = row.states.values(&field.name);
            let side = if field.is_conflict {
                row.conflict = Some(ConflictKind::Fields);
                let decision = decisions.field(id, &field.name);
                row.is_open |= decision.is_none();
                decision.unwrap_or(Side::Base)
            } else if ours == was {
                Side::Draft
            } else {
                Side::Base
            };
            if side == Side::Draft {
                match theirs {
                    Some(value) => drop(merged.insert(field.name.clone(), value.clone())),
                    None => drop(merged.remove(&*field.name)),
                }
            }
        }
        row.result = Some(merged);
    } else {
        row.conflict = Some(ConflictKind::Removed);
        row.decided = decisions.row(id);
        row.is_open = row.decided.is_none();
        row.result = match row.decided {
            Some(side) => row.states.on(side).cloned(),
            // Until it is decided, the row is not missing.
            None => base.clone().or_else(|| draft.clone()),
        };
    }
    row
}

/// The fields that are not the same in the three states.
fn fields(id: &RowId, states: &Triple) -> Box<[MergedField]> {
    let rows = [&states.branch, &states.base, &states.draft];
    let mut names: Vec<&Box<str>> = rows.into_iter().flatten().flat_map(|fields| fields.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let is_on_both = states.base.is_some() && states.draft.is_some();
    let different = names.into_iter().filter_map(|name| {
        let [branch, base, draft] = states.values(name);
        let is_conflict =
            is_on_both && branch != base && branch != draft && base != draft && !never_conflicts(id.0, name);
        (branch != base || branch != draft).then(|| MergedField { name: name.clone(), is_conflict })
    });
    different.collect()
}
