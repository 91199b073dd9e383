//! Rows that are gone from a source: they are marked or, if the request says so, deleted.

use std::collections::HashSet;

use super::planner::Planner;
use crate::domain::{
    catalogue::CONTAINS,
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

impl Planner<'_, '_> {
    /// Marks or removes the rows of keys that the source no longer has.
    pub(super) fn plan_gone(&mut self) {
        let of_map = |kind| !matches!(kind, SyncKind::Stakeholder | SyncKind::Link);
        let own: Vec<Claim> = self.now.own.values().filter(|claim| of_map(claim.kind)).cloned().collect();
        let is_shown = |claim: &Claim| claim.row_id.as_ref().is_some_and(|id| self.now.has(claim.kind, id));
        let claimed = own.iter().filter(|claim| claim.missing_since.is_none() && is_shown(claim)).count();
        let gone: Vec<Claim> = own
            .into_iter()
            .filter(|claim| !self.keys.contains(&(claim.kind, claim.key.clone())))
            .filter(|claim| self.request.selects(claim.kind, &claim.key))
            .collect();
        let vanishing = gone.iter().filter(|claim| claim.missing_since.is_none() && is_shown(claim)).count();
        if vanishing > 0 && 3 * vanishing > claimed && !self.is_evidence() {
            let is_allowed = self.request.request.allow_mass_removal;
            self.lists.mass_removal = Some(MassRemoval { vanishing, claimed, is_allowed });
        }
        let components = gone.iter().filter(|claim| claim.kind == SyncKind::Component);
        let keys: Vec<String> = components.map(|claim| claim.key.clone()).collect();
        self.find_renames(&keys);
        for claim in gone {
            self.plan_missing(claim);
        }
        self.remove_relationships();
        if !self.is_evidence() {
            self.remove_attached();
        }
    }

    fn plan_missing(&mut self, claim: Claim) {
        let now = self.tx.core().now;
        let is_new = claim.missing_since.is_none();
        let since = claim.missing_since.unwrap_or(now);
        let missing = Claim { missing_since: Some(since), ..claim };
        if self.is_evidence() {
            self.plan.claims.push(missing);
            return;
        }
        let shown = missing.row_id.clone().filter(|id| self.now.has(missing.kind, id));
        let Some(id) = shown else {
            // Neither the source nor the map has the row. A row that was deleted by a sync may come back by an undo.
            if since < now - KEPT_MS {
                self.plan.deleted_claims.push((missing.kind, missing.key));
            } else if is_new {
                self.plan.claims.push(missing);
            }
            return;
        };
        let row = SyncRow {
            kind: missing.kind,
            key: missing.key.clone(),
            id: Some(id.clone()),
            name: self.now.name(missing.kind, &id).unwrap_or_default(),
            file: missing.file.clone(),
            line: missing.line,
            missing_since: Some(since),
            fields: Vec::new(),
        };
        // A row may have several keys, and several sources.
        let is_wanted = self.used.contains(&(missing.kind, id.clone()))
            || self.now.claimed_by_others.contains(&(missing.kind, id.clone()));
        if is_wanted {
            self.plan.deleted_claims.push((missing.kind, missing.key));
            return;
        }
        if self.request.request.prune {
            self.lists.removed.push(row);
            self.remove(missing.kind, &id);
        } else {
            self.lists.newly_missing += usize::from(is_new);
            self.lists.vanished.push(row);
        }
        self.plan.claims.push(missing);
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
        let all = self.now.relationships.values().filter(is_removed).cloned().collect();
        self.plan.removed_relationships = all;
    }

    /// Removes stakeholders and links that the source no longer has, as long as it has their component.
    fn remove_attached(&mut self) {
        let drawn: HashSet<&str> = self.rows.iter().flatten().map(String::as_str).collect();
        let gone: Vec<Claim> = self
            .now
            .own
            .values()
            .filter(|claim| matches!(claim.kind, SyncKind::Stakeholder | SyncKind::Link))
            .filter(|claim| !self.keys.contains(&(claim.kind, claim.key.clone())))
            .cloned()
            .collect();
        let mut removed = Vec::new();
        for claim in gone {
            let number = claim.row_id.as_deref().and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
            let component = match claim.kind {
                SyncKind::Stakeholder => self.now.stakeholders.get(&number).map(|row| &row.component_id),
                _ => self.now.links.get(&number).map(|row| &row.component_id),
            };
            match component {
                None => self.plan.deleted_claims.push((claim.kind, claim.key)),
                Some(component) if drawn.contains(component.as_str()) => removed.push((claim, number)),
                Some(_) => {}
            }
        }
        for (claim, number) in removed {
            let id = number.to_string();
            let is_wanted =
                [&self.used, &self.now.claimed_by_others].iter().any(|set| set.contains(&(claim.kind, id.clone())));
            if !is_wanted {
                self.lists.removed.push(SyncRow {
                    kind: claim.kind,
                    key: claim.key.clone(),
                    name: self.now.name(claim.kind, &id).unwrap_or_default(),
                    id: Some(id),
                    file: claim.file,
                    line: claim.line,
                    missing_since: None,
                    fields: Vec::new(),
                });
                match claim.kind {
                    SyncKind::Stakeholder => {
                        self.plan.removed_stakeholders.extend(self.now.stakeholders.get(&number).cloned());
                    }
                    _ => self.plan.removed_links.extend(self.now.links.get(&number).cloned()),
                }
            }
            self.plan.deleted_claims.push((claim.kind, claim.key));
        }
    }
}
