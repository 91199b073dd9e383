//! The repository of a run: its id belongs to one place, and its sources keep their rows under other names.

use std::collections::{BTreeMap, HashSet};

use super::planner::Planner;
use crate::{
    domain::sync::{
        model::{
            claims::Claim,
            request::{SyncKind, SyncedSource},
        },
        now::Claims,
    },
    error::{Error, FieldPath, Result},
};

impl Planner<'_, '_> {
    /// Rejects a repository that is in another place than before.
    pub(super) fn check_repository(&self) -> Result<()> {
        let Some(repository) = &self.run.request.repository else { return Ok(()) };
        let Some(origin) = repository.origin.as_ref().filter(|_| !repository.moved) else { return Ok(()) };
        let id = repository.id.as_str();
        let known = self.now.sources.values().filter(|source| source.repository.as_deref() == Some(id));
        match known.filter_map(|source| source.origin.as_deref()).find(|known| *known != origin.as_str()) {
            None => Ok(()),
            Some(known) => Err(Error::Conflict(format!(
                "the repository `{id}` is at {known}, and this sync comes from {}; choose another id for this repository, \
                 or say that it has moved",
                origin.as_str()
            ))),
        }
    }

    /// Takes over the rows of sources that are called otherwise now: sources without a repository, and sources of this
    /// repository that the request no longer has, if a source of the request has most of their components in the same files.
    pub(super) fn take_over_sources(&mut self) {
        let Some(repository) = self.run.request.repository.as_ref().map(|repository| repository.id.as_str()) else {
            return;
        };
        let named: HashSet<&str> = self.run.sources.iter().map(|source| source.id()).collect();
        let is_left = |id: &str| {
            !named.contains(id)
                && self.now.sources.get(id).is_some_and(|source| {
                    source.repository.is_none() || source.repository.as_deref() == Some(repository)
                })
        };
        let mut left: BTreeMap<String, Vec<&Claim>> = BTreeMap::new();
        for claim in &self.now.others {
            if claim.kind == SyncKind::Component && is_left(&claim.source_id) {
                left.entry(claim.source_id.clone()).or_default().push(claim);
            }
        }
        let mut successors: Vec<(String, usize)> = Vec::new();
        for (id, claims) in left {
            let kind = self.now.sources.get(&id).map(|source| source.kind.clone()).unwrap_or_default();
            let has = |source: usize, claim: &&&Claim| {
                self.components_in(source).contains(&(claim.key.as_str(), claim.file.as_str()))
            };
            let successor = self
                .sources()
                .filter(|(at, source)| {
                    source.source.kind.as_str() == kind
                        && self.now.own[*at].is_empty()
                        && !successors.iter().any(|(_, taken)| taken == at)
                })
                .map(|(at, _)| (claims.iter().filter(|claim| has(at, claim)).count(), at))
                .max();
            if let Some((count, at)) = successor
                && 2 * count > claims.len()
            {
                successors.push((id, at));
            }
        }
        for (id, at) in successors {
            let (taken, others): (Vec<Claim>, Vec<Claim>) =
                std::mem::take(&mut self.now.others).into_iter().partition(|claim| claim.source_id == id);
            self.now.others = others;
            let source_id = self.run.sources[at].id().to_owned();
            let taken = taken.into_iter().map(|claim| Claim { source_id: source_id.clone(), ..claim });
            self.now.own[at] = taken.map(|claim| ((claim.kind, claim.key.clone()), claim)).collect::<Claims>();
            self.plan.replaced_sources.push(id);
        }
    }

    /// Keys and files of the components of a source.
    fn components_in(&self, source: usize) -> HashSet<(&str, &str)> {
        let rows = self.run.sources[source].reading.components.iter();
        rows.map(|row| (row.origin.key.as_str(), row.origin.file.as_str())).collect()
    }

    /// The sources of the request for the report.
    pub(super) fn synced_sources(&self) -> Vec<SyncedSource> {
        self.run.sources.iter().map(|source| SyncedSource::from(&source.source)).collect()
    }

    /// Checks that the group of the repository is on the map.
    pub(super) fn check_group(&self) -> Result<()> {
        match &self.run.request.group {
            Some(group) if !self.now.components.contains_key(group.as_str()) => {
                let text = format!("there is no component `{}` on the map", group.as_str());
                Err(Error::invalid(FieldPath::from("group"), text))
            }
            _ => Ok(()),
        }
    }
}
