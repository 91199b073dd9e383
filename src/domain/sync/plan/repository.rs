//! The repository of a run: its id belongs to one place, and its sources keep their rows under other names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::planner::Planner;
use crate::{
    domain::{
        sync::{
            check::CheckedSource,
            fields::untagged,
            model::{
                claims::Claim,
                request::{SyncKind, SyncedSource},
            },
            now::Claims,
        },
        values::Properties,
    },
    error::{Error, FieldPath, Result},
};

/// What tells that a component is the same: its key, its file, and its image without a tag.
type Sign = (String, String, Option<String>);

impl Planner<'_, '_> {
    /// Rejects a repository that is in another place than before, and names of sources that another one uses.
    pub(super) fn check_repository(&self) -> Result<()> {
        let Some(repository) = &self.run.request.repository else { return Ok(()) };
        for source in self.run.sources.iter().filter_map(|source| self.now.sources.get(source.id())) {
            let is_same_place =
                repository.origin.as_ref().is_some_and(|origin| source.origin.as_deref() == Some(origin.as_str()));
            match source.repository.as_deref().filter(|known| *known != repository.id.as_str()) {
                // The repository has another id now.
                Some(_) if is_same_place || repository.moved => {}
                Some(known) => {
                    return Err(Error::Conflict(format!(
                        "the source `{}` belongs to the repository `{known}`; give that of `{}` another name",
                        source.id,
                        repository.id.as_str()
                    )));
                }
                None => {}
            }
        }
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

    /// Rejects a new repository that has the components of a known one, in the same files and with the same images: it is the
    /// same one under another id, and all its components would be drawn a second time. If it has most of them, the report says so.
    pub(super) fn check_copy(&mut self) -> Result<()> {
        let Some(repository) = self.run.request.repository.as_ref().filter(|repository| !repository.copy) else {
            return Ok(());
        };
        let id = repository.id.as_str();
        if self.now.sources.values().any(|source| source.repository.as_deref() == Some(id)) {
            return Ok(());
        }
        let mut known: BTreeMap<&str, BTreeSet<Sign>> = BTreeMap::new();
        for claim in self.now.others.iter().filter(|claim| claim.kind == SyncKind::Component) {
            let source = self.now.sources.get(&claim.source_id).filter(|source| !source.is_observed());
            let Some(repository) = source.and_then(|source| source.repository.as_deref()) else { continue };
            if claim.missing_since.is_none() {
                let image = claim.base.get("properties.image").and_then(|image| image.as_str());
                let sign = (claim.key.clone(), claim.file.clone(), image.map(untagged));
                known.entry(repository).or_default().insert(sign);
            }
        }
        let mut own: BTreeSet<Sign> = BTreeSet::new();
        for (_, source) in self.sources().filter(|(_, source)| !source.format.is_observed()) {
            for row in &source.reading.components {
                let properties = row.properties.as_ref().map(Properties::entries).unwrap_or_default();
                let image = properties.get("image").and_then(|image| image.as_str()).map(untagged);
                own.insert((row.origin.key.as_str().to_owned(), row.origin.file.as_str().to_owned(), image));
            }
        }
        let has_images = own.iter().any(|(_, _, image)| image.is_some());
        let common = |signs: &BTreeSet<Sign>| signs.intersection(&own).count();
        let most = known.iter().filter(|(_, signs)| has_images && 2 * common(signs) > own.len().max(signs.len()));
        let most = most.max_by_key(|(_, signs)| common(signs)).map(|(id, signs)| ((*id).to_owned(), common(signs)));
        match known.into_iter().find(|(_, signs)| has_images && *signs == own) {
            None => {
                if let Some((known, count)) = most {
                    let text = format!(
                        "{count} of {} components are those of the repository `{known}`, in the same files; if it is the same \
                         repository, give it the same id, `repository: {known}`, before you synchronize it",
                        own.len()
                    );
                    self.lists.warn("", 1, text);
                }
                Ok(())
            }
            Some((known, _)) => Err(Error::Conflict(format!(
                "all {} components are those of the repository `{known}`, in the same files; if it has moved or is called \
                 otherwise now, use its id: `repository: {known}`, and say that it has moved. If it is another repository, \
                 say that it is a copy",
                own.len()
            ))),
        }
    }

    /// Takes over the rows of sources that are called otherwise now: sources without a repository, and sources of this
    /// repository that the request no longer has, if a source of the request has most of their components in the same files. If
    /// the repository no longer has the source, the keys decide.
    pub(super) fn take_over_sources(&mut self) {
        let Some(repository) = self.run.request.repository.as_ref().map(|repository| repository.id.as_str()) else {
            return;
        };
        let named: HashSet<&str> = self.run.sources.iter().map(CheckedSource::id).collect();
        let is_left = |id: &str| {
            !named.contains(id)
                && self.now.sources.get(id).is_some_and(|source| {
                    source.repository.is_none() || source.repository.as_deref() == Some(repository)
                })
        };
        let gone: HashSet<&str> =
            self.run.sources.iter().filter(|source| source.is_gone).map(CheckedSource::id).collect();
        let mut left: BTreeMap<String, Vec<&Claim>> = BTreeMap::new();
        for claim in self.now.others.iter().chain(self.now.own.iter().flat_map(BTreeMap::values)) {
            let is_left = is_left(&claim.source_id) || gone.contains(claim.source_id.as_str());
            if claim.kind == SyncKind::Component && is_left {
                left.entry(claim.source_id.clone()).or_default().push(claim);
            }
        }
        let files: Vec<HashMap<&str, &str>> = self.run.sources.iter().map(files_by_key).collect();
        let mut successors: Vec<(String, usize)> = Vec::new();
        for (id, claims) in left {
            let kind = self.now.sources.get(&id).map(|source| source.kind.clone()).unwrap_or_default();
            let has = |source: usize, claim: &&&Claim| {
                let file = files[source].get(claim.key.as_str());
                file.is_some_and(|file| *file == claim.file || gone.contains(claim.source_id.as_str()))
            };
            let successor = self
                .sources()
                .filter(|(at, source)| {
                    source.source.kind.as_str() == kind
                        && !source.is_gone
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
            let (mut taken, others): (Vec<Claim>, Vec<Claim>) =
                std::mem::take(&mut self.now.others).into_iter().partition(|claim| claim.source_id == id);
            self.now.others = others;
            if let Some(gone) = self.run.sources.iter().position(|source| source.id() == id) {
                taken.extend(std::mem::take(&mut self.now.own[gone]).into_values());
            }
            let source_id = self.run.sources[at].id().to_owned();
            let taken = taken.into_iter().map(|claim| Claim { source_id: source_id.clone(), ..claim });
            self.now.own[at] = taken.map(|claim| ((claim.kind, claim.key.clone()), claim)).collect::<Claims>();
            self.plan.removed_sources.push(id);
        }
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

/// The files of the components of a source, by key.
fn files_by_key(source: &CheckedSource) -> HashMap<&str, &str> {
    let rows = source.reading.components.iter();
    rows.map(|row| (row.origin.key.as_str(), row.origin.file.as_str())).collect()
}
