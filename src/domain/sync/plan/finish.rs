//! The end of a plan: the sources as they are stored, and the report.

use std::collections::HashSet;

use super::{planner::Planner, report::Rows, writes::Plan};
use crate::{
    domain::{
        core::Reads,
        sync::{
            check::CheckedSource,
            model::{
                claims::{Claim, Gaps, MAX_CLAIMS, MAX_SOURCES, Source},
                report::SyncReport,
                request::{SyncKind, SyncedSource},
            },
            now::Claims,
        },
    },
    error::{Error, Result},
};

impl Planner<'_, '_> {
    /// Whether the plan changes the sources or their claims, apart from the time and the user of the sync, and what was not
    /// read.
    fn changes_source(&self) -> bool {
        let is_known = |source: &Source| {
            self.now.sources.get(&source.id).is_some_and(|known| {
                let Source { synced_at, synced_by, .. } = *source;
                Source { synced_at, synced_by, not_read: source.not_read.clone(), ..known.clone() } == *source
            })
        };
        let index = |id: &str| self.run.sources.iter().position(|source| source.id() == id);
        let is_known_claim = |claim: &Claim| {
            let known = index(&claim.source_id).and_then(|at| self.claim(at, claim.kind, &claim.key));
            known.is_some_and(|known| Claim { seen_at: claim.seen_at, ..known.clone() } == *claim)
        };
        !self.plan.sources.iter().all(is_known)
            || !self.plan.removed_sources.is_empty()
            || !self.plan.deleted_claims.is_empty()
            || !self.plan.claims.iter().all(is_known_claim)
    }

    /// Removes sources that are gone and have no rows on the map anymore.
    fn remove_empty(&mut self) {
        let ended: HashSet<_> = self.plan.deleted_claims.iter().collect();
        let removed: HashSet<(SyncKind, &str)> = self.plan.removed_rows().collect();
        // Stakeholders and links go with their component.
        let component_of = |kind: SyncKind, id: &str| {
            let number = id.parse::<i64>().unwrap_or_default();
            match kind {
                SyncKind::Stakeholder => self.now.stakeholders.get(&number).map(|row| row.component_id.as_str()),
                SyncKind::Link => self.now.links.get(&number).map(|row| row.component_id.as_str()),
                _ => None,
            }
        };
        let is_removed = |kind: SyncKind, id: &str| {
            removed.contains(&(kind, id))
                || component_of(kind, id).is_some_and(|id| removed.contains(&(SyncKind::Component, id)))
        };
        let mut removed_sources: HashSet<String> = self.plan.removed_sources.iter().cloned().collect();
        for (at, source) in self.sources().filter(|(_, source)| source.is_gone) {
            let is_left = |claim: &Claim| {
                let key = (claim.source_id.clone(), claim.kind, claim.key.clone());
                let id = claim.row_id.as_deref().unwrap_or_default();
                self.now.has(claim.kind, id) && !ended.contains(&key) && !is_removed(claim.kind, id)
            };
            if !self.now.own[at].values().any(is_left) {
                removed_sources.insert(source.id().to_owned());
            }
        }
        self.plan.claims.retain(|claim| !removed_sources.contains(&claim.source_id));
        self.plan.removed_sources = removed_sources.into_iter().collect();
        self.plan.removed_sources.sort();
    }

    /// Ends the plan.
    pub(super) fn finish(mut self) -> Result<Plan> {
        self.keep_rekeyed();
        self.remove_empty();
        let new = self.run.sources.iter().filter(|source| !self.now.sources.contains_key(source.id())).count();
        if new > 0 && self.now.sources.len() - self.plan.removed_sources.len() + new > MAX_SOURCES {
            let text =
                format!("this workspace would have more than {MAX_SOURCES} sources, the maximum; delete one first");
            return Err(Error::Conflict(text));
        }
        let own: usize = self.now.own.iter().map(Claims::len).sum();
        let claims = self.now.others.len() + own.max(self.plan.claims.len());
        if claims > MAX_CLAIMS {
            let text = format!(
                "the sources of this workspace would have {claims} rows, and the limit is {MAX_CLAIMS}; delete a source \
                 or synchronize less"
            );
            return Err(Error::Conflict(text));
        }
        let sources = self.synced_sources();
        let repository = self.run.request.repository.as_ref();
        let stored = |(checked, source): (&CheckedSource, &SyncedSource)| {
            let known = self.now.sources.get(&source.id);
            Source {
                id: source.id.clone(),
                kind: source.kind.clone(),
                name: source.name.clone(),
                repository: match repository {
                    Some(repository) => Some(repository.id.as_str().to_owned()),
                    None => known.and_then(|known| known.repository.clone()),
                },
                origin: match repository.and_then(|repository| repository.origin.as_ref()) {
                    Some(origin) => Some(origin.as_str().to_owned()),
                    None => known.and_then(|known| known.origin.clone()),
                },
                configuration: match repository.and_then(|repository| repository.configuration.as_ref()) {
                    Some(configuration) if !checked.is_gone => Some(configuration.as_str().to_owned()),
                    _ => known.and_then(|known| known.configuration.clone()),
                },
                rank: checked.rank,
                revision: source.revision.clone(),
                url: source.url.clone(),
                synced_at: self.tx.core().now,
                synced_by: self.tx.core().actor(),
                not_read: match known.filter(|_| checked.is_gone) {
                    Some(known) => known.not_read.clone(),
                    None => Gaps(checked.source.not_read.clone()),
                },
            }
        };
        let stays = |(_, source): &(_, &SyncedSource)| !self.plan.removed_sources.contains(&source.id);
        self.plan.sources = self.run.sources.iter().zip(&sources).filter(stays).map(stored).collect();
        self.plan.changes_source = self.changes_source();
        let repository = self.repository().map(str::to_owned);
        let Some(source) = sources.first().cloned() else { return Err(Error::internal("a sync has no source")) };
        let lists = self.lists;
        let (counts, is_in_step) = (lists.counts(), lists.is_in_step());
        let listed = |rows: Rows| rows.listed;
        self.plan.report = Some(SyncReport {
            source,
            repository,
            sources,
            change_set_id: None,
            revision: self.tx.workspace().metadata.revision,
            is_in_step,
            added: listed(lists.added),
            changed: listed(lists.changed),
            conflicts: listed(lists.conflicts),
            vanished: listed(lists.vanished),
            returned: listed(lists.returned),
            removed: listed(lists.removed),
            adopted: listed(lists.adopted),
            deleted_on_map: listed(lists.deleted_on_map),
            rename_candidates: lists.rename_candidates,
            unchanged: lists.unchanged,
            diagnostics: lists.diagnostics,
            mass_removal: lists.mass_removal,
            counts,
        });
        Ok(self.plan)
    }
}
