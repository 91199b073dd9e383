//! The repository of a run: its id belongs to one place, and its sources keep their rows under other names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::planner::Planner;
use crate::{
    domain::sync::{
        check::CheckedSource,
        fields::untagged,
        model::{
            claims::Claim,
            reading::ReadComponent,
            request::{SyncKind, SyncedSource},
        },
        now::Claims,
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
                let sign = (claim.key.clone(), claim.file.clone(), image_of_claim(claim));
                known.entry(repository).or_default().insert(sign);
            }
        }
        let mut own: BTreeSet<Sign> = BTreeSet::new();
        for (_, source) in self.sources().filter(|(_, source)| !source.format.is_observed()) {
            for row in &source.reading.components {
                let (key, file) = (row.origin.key.as_str().to_owned(), row.origin.file.as_str().to_owned());
                own.insert((key, file, image_of(row)));
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
        let rows: Vec<HashMap<&str, &ReadComponent>> = self.run.sources.iter().map(rows_by_key).collect();
        let (mut successors, mut unsure): (Vec<(String, usize)>, Vec<String>) = Default::default();
        for (id, claims) in left {
            let kind = self.now.sources.get(&id).map(|source| source.kind.clone()).unwrap_or_default();
            let is_gone = gone.contains(id.as_str());
            // Number of components, and of equal names of files and folders in their paths.
            let common = |source: usize| {
                let own = claims.iter().filter_map(|claim| Some((*claim, *rows[source].get(claim.key.as_str())?)));
                let own = own.filter(|(claim, row)| {
                    row.origin.file.as_str() == claim.file || (is_gone && has_same_image(claim, row))
                });
                let paths = own.map(|(claim, row)| common_names(&claim.file, row.origin.file.as_str()));
                paths.fold((0, 0), |(count, names), one| (count + 1, names + one))
            };
            let all = self
                .sources()
                .filter(|(at, source)| {
                    source.source.kind.as_str() == kind
                        && !source.is_gone
                        && self.now.own[*at].is_empty()
                        && !successors.iter().any(|(_, taken)| taken == at)
                })
                .map(|(at, _)| (common(at), at))
                .filter(|((count, _), _)| 2 * count > claims.len());
            let all: Vec<_> = all.collect();
            // Of several that have as much in common, none is taken.
            let best = all.iter().map(|(common, _)| *common).max();
            let best: Vec<usize> = all.iter().filter(|(common, _)| Some(*common) == best).map(|(_, at)| *at).collect();
            match best[..] {
                [at] => successors.push((id, at)),
                [first, second, ..] => {
                    let (first, second) = (self.run.sources[first].id(), self.run.sources[second].id());
                    unsure.push(format!(
                        "`{first}` and `{second}` can both have the components of the source `{id}`, so neither takes its \
                         rows over; give the one that does the same `name`"
                    ));
                }
                [] => {}
            }
        }
        for text in unsure {
            self.lists.warn("", 1, text);
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
            let taken: Claims = taken.map(|claim| ((claim.kind, claim.key.clone()), claim)).collect();
            // Also those that the sync does not write otherwise.
            self.rekeyed.extend(taken.values().map(|claim| (at, claim.clone())));
            self.now.own[at] = taken;
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

/// The components of a source, by key.
fn rows_by_key(source: &CheckedSource) -> HashMap<&str, &ReadComponent> {
    source.reading.components.iter().map(|row| (row.origin.key.as_str(), row)).collect()
}

/// The image of a component of a source without its tag.
pub(super) fn image_of(row: &ReadComponent) -> Option<String> {
    let properties = row.properties.as_ref()?.entries();
    properties.get("image").and_then(|image| image.as_str()).map(untagged)
}

/// The image of a claim without its tag.
fn image_of_claim(claim: &Claim) -> Option<String> {
    claim.base.get("properties.image").and_then(|image| image.as_str()).map(untagged)
}

/// Whether a component of a source has the image that it had under another source, if both have one.
fn has_same_image(claim: &Claim, row: &ReadComponent) -> bool {
    image_of_claim(claim).zip(image_of(row)).is_none_or(|(before, now)| before == now)
}

/// Number of equal names at the ends of two paths.
fn common_names(one: &str, other: &str) -> usize {
    one.rsplit('/').zip(other.rsplit('/')).take_while(|(one, other)| one == other).count()
}
