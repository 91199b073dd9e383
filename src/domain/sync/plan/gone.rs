//! Rows that are gone from their sources: they are marked or, if the request says so, deleted.

use std::{
    collections::{BTreeSet, HashSet},
    ops::AddAssign,
};

use super::planner::{ClaimAt, Planner};
use crate::domain::{
    catalogue::{self, CONTAINS, DependsOn},
    core::Reads,
    map::relationships::Relationship,
    sync::model::{
        claims::Claim,
        report::{MassRemoval, SyncRow},
        request::SyncKind,
    },
};

/// How long claims of rows are kept that neither the source nor the map has, in milliseconds.
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1_000;
/// Number of rows below which a source is small.
const SMALL: usize = 20;
/// Number of rows that may go from a small source.
const MAX_OF_SMALL: usize = 5;
/// Maximum number of dependents of a component in a report.
const MAX_DEPENDENTS: usize = 20;

/// Rows of a source or run that go.
#[derive(Clone, Copy, Default)]
struct Going {
    /// Rows that are marked as missing.
    vanishing: usize,
    /// Rows that the files had until now.
    claimed: usize,
    /// Rows that are deleted, also those that an earlier sync has marked.
    deleted: usize,
    /// Rows on the map.
    drawn: usize,
}

impl Going {
    /// Whether so many rows are gone that the files may be incomplete.
    fn is_mass(self) -> bool {
        let Self { vanishing, claimed, deleted, drawn } = self;
        let is_few = claimed < SMALL && vanishing <= MAX_OF_SMALL;
        2 * deleted > drawn || (!is_few && 3 * vanishing > claimed)
    }
}

impl AddAssign for Going {
    fn add_assign(&mut self, other: Self) {
        self.vanishing += other.vanishing;
        self.claimed += other.claimed;
        self.deleted += other.deleted;
        self.drawn += other.drawn;
    }
}

impl Planner<'_, '_> {
    /// Marks or removes the rows of keys that the sources no longer have.
    pub(super) fn plan_gone(&mut self) {
        self.has_lines = self.with_lines_by_hand();
        let of_map = |kind| !matches!(kind, SyncKind::Stakeholder | SyncKind::Link);
        // A row that a source has under another key now is not gone.
        let described: HashSet<(String, SyncKind, String)> = self
            .plan
            .claims
            .iter()
            .filter_map(|claim| Some((claim.source_id.clone(), claim.kind, claim.row_id.clone()?)))
            .collect();
        let mut all = Vec::new();
        let mut of_run = Going::default();
        for (source, checked) in self.sources() {
            let own: Vec<&Claim> = self.now.own[source].values().filter(|claim| of_map(claim.kind)).collect();
            let is_shown = |claim: &Claim| claim.row_id.as_ref().is_some_and(|id| self.now.has(claim.kind, id));
            let drawn = own.iter().filter(|claim| is_shown(claim)).count();
            let claimed = own.iter().filter(|claim| claim.missing_since.is_none() && is_shown(claim)).count();
            let is_described = |claim: &Claim| {
                let row = claim.row_id.clone().unwrap_or_default();
                described.contains(&(claim.source_id.clone(), claim.kind, row))
            };
            let gone: Vec<Claim> = own
                .into_iter()
                .filter(|claim| !self.keys[source].contains(&(claim.kind, claim.key.clone())))
                .filter(|claim| self.run.selects(source, claim.kind, &claim.key))
                .cloned()
                .collect();
            // Of a source that is gone, another source may have the rows.
            let is_kept = |claim: &Claim| {
                checked.is_gone && self.is_wanted(claim.kind, claim.row_id.as_deref().unwrap_or_default())
            };
            let goes = gone.iter().filter(|claim| is_shown(claim) && !is_described(claim) && !is_kept(claim));
            let vanishing = goes.clone().filter(|claim| claim.missing_since.is_none()).count();
            let is_deleted = |claim: &&Claim| {
                checked.prune && !self.is_kept(claim.kind, claim.row_id.as_deref().unwrap_or_default())
            };
            let deleted = goes.filter(is_deleted).count();
            let going = Going { vanishing, claimed, deleted, drawn };
            if !checked.is_evidence {
                // Of a source that is gone, all rows are: the run decides.
                if self.lists.mass_removal.is_none() && !checked.is_gone && going.is_mass() {
                    self.lists.mass_removal = Some(self.guard(going, Some(checked.id())));
                }
                of_run += going;
            }
            let is_left = |claim: &&Claim| {
                let id = claim.row_id.as_deref().unwrap_or_default();
                claim.kind == SyncKind::Component && !self.is_wanted(claim.kind, id)
            };
            let components = gone.iter().filter(is_left);
            let keys: Vec<String> = components.map(|claim| claim.key.clone()).collect();
            self.find_renames(source, &keys);
            all.extend(gone.into_iter().map(|claim| (source, claim)));
        }
        if self.lists.mass_removal.is_none() && of_run.is_mass() {
            self.lists.mass_removal = Some(self.guard(of_run, None));
        }
        let leaving: HashSet<String> = all
            .iter()
            .filter(|(_, claim)| claim.kind == SyncKind::Component)
            .filter_map(|(_, claim)| claim.row_id.clone().filter(|id| !self.is_wanted(SyncKind::Component, id)))
            .collect();
        let mut listed = HashSet::new();
        for (source, claim) in all {
            self.plan_missing(source, claim, &leaving, &mut listed);
        }
        self.remove_relationships();
        self.remove_attached();
    }

    fn guard(&self, going: Going, source: Option<&str>) -> MassRemoval {
        let is_marking = going.vanishing >= going.deleted;
        let (vanishing, claimed) =
            if is_marking { (going.vanishing, going.claimed) } else { (going.deleted, going.drawn) };
        let source = source.filter(|_| self.run.has_several()).map(str::to_owned);
        MassRemoval { vanishing, claimed, is_allowed: self.run.request.allow_mass_removal, source }
    }

    /// Whether a source of the run or another one declares a row.
    fn is_wanted(&self, kind: SyncKind, id: &str) -> bool {
        let row = (kind, id.to_owned());
        self.used.contains(&row) || self.now.claimed_by_others.contains(&row)
    }

    fn plan_missing(
        &mut self,
        source: usize,
        claim: Claim,
        leaving: &HashSet<String>,
        listed: &mut HashSet<(SyncKind, String)>,
    ) {
        let now = self.tx.core().now;
        let is_new = claim.missing_since.is_none();
        let since = claim.missing_since.unwrap_or(now);
        let missing = Claim { missing_since: Some(since), ..claim };
        if self.run.sources[source].is_evidence {
            self.plan.claims.push(missing);
            return;
        }
        let shown = missing.row_id.clone().filter(|id| self.now.has(missing.kind, id));
        let Some(id) = shown else {
            // Neither the source nor the map has the row. A row that was deleted by a sync may come back by an undo.
            if since < now - KEPT_MS {
                self.plan.deleted_claims.push((missing.source_id, missing.kind, missing.key));
            } else if is_new {
                // What was accepted is that the map lacks what the files have.
                self.plan.claims.push(Claim { accepted: None, ..missing });
            }
            return;
        };
        // A row may have several keys, and several sources.
        if self.is_wanted(missing.kind, &id) {
            self.plan.deleted_claims.push((missing.source_id, missing.kind, missing.key));
            return;
        }
        if listed.insert((missing.kind, id.clone())) {
            let mut row = self.row_of_claim(source, &missing);
            if missing.kind == SyncKind::Component {
                row.dependents = self.dependents(&id, leaving);
            }
            let is_pruned = self.prunes(missing.kind, &id);
            if is_pruned && !self.is_kept(missing.kind, &id) {
                self.lists.removed.push(row);
                self.remove(missing.kind, &id);
            } else {
                if is_pruned && is_new {
                    let what = if self.is_by_hand(missing.kind, &id) { "it" } else { "a relationship of it" };
                    let text = format!(
                        "`{}` is gone from its sources, but {what} was drawn by hand, so it is marked and not deleted",
                        row.name
                    );
                    self.lists.inform(&missing.file, missing.line, text);
                }
                self.lists.newly_missing += usize::from(is_new);
                self.lists.vanished.push(row);
            }
        }
        self.plan.claims.push(missing);
    }

    /// Whether a source that had a row deletes what is gone.
    fn prunes(&self, kind: SyncKind, id: &str) -> bool {
        self.claims_of(kind, id).any(|(at, _)| match at {
            ClaimAt::Own(source, _) => self.run.sources[*source].prune,
            ClaimAt::Other(_) => false,
        })
    }

    /// Whether a row that is gone is kept, because a person drew it, or relationships that would go with it.
    fn is_kept(&self, kind: SyncKind, id: &str) -> bool {
        self.is_by_hand(kind, id) || (kind == SyncKind::Component && self.has_lines.contains(id))
    }

    /// The components that have a relationship which a person drew.
    fn with_lines_by_hand(&self) -> HashSet<String> {
        let is_drawn = |row: &&Relationship| {
            let is_declared = self.claims_of(SyncKind::Relationship, &row.id).any(|(_, claim)| self.declares(claim));
            row.type_id != CONTAINS && (!is_declared || self.is_by_hand(SyncKind::Relationship, &row.id))
        };
        let drawn = self.now.relationships.values().filter(is_drawn);
        drawn.flat_map(|row| [row.source_id.clone(), row.target_id.clone()]).collect()
    }

    /// Ends the claims of other sources that no longer have a row.
    pub(super) fn end_missing(&mut self, kind: SyncKind, id: &str) {
        let ended: Vec<_> = self
            .claims_of(kind, id)
            .filter(|(at, claim)| matches!(at, ClaimAt::Other(_)) && claim.missing_since.is_some())
            .map(|(_, claim)| (claim.source_id.clone(), claim.kind, claim.key.clone()))
            .collect();
        self.plan.deleted_claims.extend(ended);
    }

    /// Names of the components that depend on one that is gone, and are not gone themselves.
    fn dependents(&self, id: &str, leaving: &HashSet<String>) -> Vec<String> {
        let dependent = |row: &Relationship| match catalogue::known_relation_type(&row.type_id).depends_on {
            DependsOn::Target if row.target_id == id => Some(row.source_id.clone()),
            DependsOn::Source if row.source_id == id => Some(row.target_id.clone()),
            _ => None,
        };
        let found = self.now.relationships.values().filter_map(dependent).filter(|id| !leaving.contains(id));
        let names: BTreeSet<String> = found.map(|id| self.now.component_name(&id)).collect();
        names.into_iter().take(MAX_DEPENDENTS).collect()
    }

    fn remove(&mut self, kind: SyncKind, id: &str) {
        match kind {
            SyncKind::Component => self.plan.removed_components.extend(self.now.components.get(id).cloned()),
            SyncKind::Relationship => self.plan.removed_relationships.extend(self.now.relationships.get(id).cloned()),
            SyncKind::Process => self.plan.removed_processes.extend(self.now.processes.get(id).cloned()),
            SyncKind::View => self.plan.removed_views.extend(self.now.views.get(id).cloned()),
            SyncKind::Stakeholder | SyncKind::Link => {}
        }
    }

    /// Removes all relationships of the components that are removed, and each relationship once. Components that move leave
    /// their groups before.
    fn remove_relationships(&mut self) {
        let moved: HashSet<&str> = self.plan.parents.iter().map(|(_, id, _)| id.as_str()).collect();
        let has_left = |row: &Relationship| row.type_id == CONTAINS && moved.contains(row.target_id.as_str());
        let components: HashSet<&str> = self.plan.removed_components.iter().map(|row| row.id.as_str()).collect();
        let removed: HashSet<&str> = self.plan.removed_relationships.iter().map(|row| row.id.as_str()).collect();
        let is_removed = |row: &&Relationship| {
            let is_gone = removed.contains(row.id.as_str())
                || components.contains(row.source_id.as_str())
                || components.contains(row.target_id.as_str());
            is_gone && !has_left(row)
        };
        let all: Vec<Relationship> = self.now.relationships.values().filter(is_removed).cloned().collect();
        // Those of merged components have moved in this plan only.
        let stored = |row: Relationship| self.plan.relationships.remove(&row.id).map_or(row, |(before, _)| before);
        self.plan.removed_relationships = all.into_iter().map(stored).collect();
    }

    /// Removes stakeholders and links that the sources no longer have, as long as something declares their component.
    fn remove_attached(&mut self) {
        let mut gone = Vec::new();
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            let attached = self.now.own[source]
                .values()
                .filter(|claim| matches!(claim.kind, SyncKind::Stakeholder | SyncKind::Link))
                .filter(|claim| !self.keys[source].contains(&(claim.kind, claim.key.clone())));
            gone.extend(attached.map(|claim| (source, checked.id(), claim.clone())));
        }
        let mut listed = HashSet::new();
        for (source, source_id, claim) in gone {
            let number = claim.row_id.as_deref().and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
            let component = match claim.kind {
                SyncKind::Stakeholder => self.now.stakeholders.get(&number).map(|row| row.component_id.clone()),
                _ => self.now.links.get(&number).map(|row| row.component_id.clone()),
            };
            let ended = (source_id.to_owned(), claim.kind, claim.key.clone());
            let Some(component) = component else {
                self.plan.deleted_claims.push(ended);
                continue;
            };
            if !self.is_wanted(SyncKind::Component, &component) {
                continue;
            }
            let id = number.to_string();
            if !self.is_wanted(claim.kind, &id) && listed.insert((claim.kind, number)) {
                let row = SyncRow { missing_since: None, ..self.row_of_claim(source, &claim) };
                self.lists.removed.push(row);
                match claim.kind {
                    SyncKind::Stakeholder => {
                        self.plan.removed_stakeholders.extend(self.now.stakeholders.get(&number).cloned());
                    }
                    _ => self.plan.removed_links.extend(self.now.links.get(&number).cloned()),
                }
            }
            self.plan.deleted_claims.push(ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Going;

    /// Of `claimed` rows, this many go, and are deleted with `prune`.
    fn is_mass(vanishing: usize, claimed: usize, prune: bool) -> bool {
        Going { vanishing, claimed, deleted: if prune { vanishing } else { 0 }, drawn: claimed }.is_mass()
    }

    #[test]
    fn a_third_of_a_source_does_not_vanish_unasked() {
        assert!(is_mass(21, 60, false) && !is_mass(20, 60, false));
        assert!(!is_mass(2, 5, false) && !is_mass(5, 8, false) && is_mass(6, 17, false));
        assert!(is_mass(3, 5, true) && !is_mass(2, 5, true) && !is_mass(0, 0, true));
    }
}
