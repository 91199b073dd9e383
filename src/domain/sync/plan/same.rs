//! Components that a file or the configuration names by their row on the map: `planroom.id` and `same`.

use std::collections::{BTreeSet, HashSet};

use super::{
    names::normalized,
    planner::{ClaimAt, Planner},
    standing::Standing,
};
use crate::{
    domain::{
        core::Reads,
        sync::{
            check::Place,
            model::{claims::Fields, kinds::RowWas, request::SyncKind::Component},
        },
    },
    error::Result,
};

/// Maximum number of components that a sync merges into others or matches again. The next one continues.
const MAX_MERGED: usize = 300;

/// Why a component is not the one that a file or the configuration names.
const IS_SPLIT: &str = "but it was split off from that, and stays apart";
const IS_UNKNOWN: &str = "which is not on the map";
const IS_TAKEN: &str = "but another component of the same source is that already";

impl<'p> Planner<'p, '_> {
    /// The row of the map that the source or the configuration names for a component. `chosen` are those of each source so far:
    /// components of one source are never one.
    pub(super) fn chosen_row(
        &mut self,
        place: Place,
        separate: &BTreeSet<String>,
        chosen: &mut HashSet<(usize, String)>,
    ) -> Option<String> {
        for (sign, target) in self.signs_of(place) {
            let mut found = self.named_rows(target);
            let problem = match found.pop_first() {
                None => IS_UNKNOWN.to_owned(),
                Some(first) if !found.is_empty() => {
                    let all = std::iter::once(first).chain(found).take(5).map(|id| format!("`{id}`"));
                    let ids: Vec<String> = all.collect();
                    format!("which several components have; name one by its id: {}", ids.join(" or "))
                }
                Some(id) if separate.contains(&id) => IS_SPLIT.to_owned(),
                Some(id) if self.has_key(place.source, &id) || chosen.contains(&(place.source, id.clone())) => {
                    IS_TAKEN.to_owned()
                }
                Some(id) => {
                    chosen.insert((place.source, id.clone()));
                    return Some(id);
                }
            };
            self.warn_about_sign(place, sign, target, &problem);
        }
        None
    }

    fn warn_about_sign(&mut self, place: Place, sign: &str, target: &str, problem: &str) {
        let row = self.component(place);
        let text = format!("`{sign}` names `{target}` for `{}`, {problem}", row.name.as_str());
        self.lists.warn(row.origin.file.as_str(), row.origin.line, text);
    }

    /// What a file and the configuration name for a component, the strongest first. An id that the map does not have is that of
    /// a new component.
    fn signs_of(&self, place: Place) -> Vec<(&'static str, &'p str)> {
        let row = self.component(place);
        let own = Some(row.id.as_str()).filter(|id| row.has_own_id && self.now.components.contains_key(*id));
        own.map(|id| ("planroom.id", id))
            .into_iter()
            .chain(self.same_of(place).map(|target| ("same", target)))
            .collect()
    }

    /// What `same` names for a component.
    fn same_of(&self, place: Place) -> Option<&'p str> {
        let (row, same) = (self.component(place), &self.run.request.same);
        same.get(row.origin.key.as_str()).or_else(|| same.get(row.name.as_str())).map(String::as_str)
    }

    /// The rows that have what `same` names: the one with this id, or those of another repository with a key or name, as in
    /// `bank/frontend`.
    fn named_rows(&self, target: &str) -> BTreeSet<String> {
        if self.now.components.contains_key(target) {
            return BTreeSet::from([target.to_owned()]);
        }
        let mut found = BTreeSet::new();
        for claim in self.now.others.iter().filter(|claim| claim.kind == Component && claim.missing_since.is_none()) {
            let repository = self.repository_of(&claim.source_id).unwrap_or_default();
            let Some(name) = target.strip_prefix(repository).and_then(|rest| rest.strip_prefix('/')) else { continue };
            let Some(row) = claim.row_id.as_ref().and_then(|id| self.now.components.get(id)) else { continue };
            let is_named = claim.key == name
                || normalized(&row.name) == normalized(name)
                || claim.key.rsplit_once(['/', ':']).is_some_and(|(_, last)| last == name);
            if is_named {
                found.insert(row.id.clone());
            }
        }
        found
    }

    /// Matches components that were drawn or matched before the file or the configuration said which ones of the map they are: what
    /// the source drew is merged into the other component, and what it only described is left.
    pub(super) fn merge_same(&mut self) -> Result<()> {
        let mut merged = 0;
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            for row in 0..checked.reading.components.len() {
                let place = Place { source, row };
                let Some((sign, target)) = self.signs_of(place).into_iter().next() else { continue };
                let key = self.component(place).origin.key.as_str();
                let Standing::OnMap(drawn) = self.standing(source, Component, key)? else { continue };
                let mut named = self.named_rows(target);
                if named.is_empty() {
                    self.warn_about_sign(place, sign, target, IS_UNKNOWN);
                }
                let id = named.pop_first().filter(|_| named.is_empty());
                let Some(id) = id.filter(|id| *id != drawn && !self.are_split(id, &drawn)) else { continue };
                let claim = self.claim(source, Component, key);
                let is_split = claim.is_some_and(|claim| claim.separate.0.contains(&id));
                if is_split || !self.run.selects(source, Component, key) {
                    continue;
                }
                let is_described =
                    matches!(claim, Some(claim) if matches!(claim.row_was, Some(was) if was != RowWas::New));
                self.tx.core().check_alive()?;
                if merged == MAX_MERGED {
                    let text = format!("{MAX_MERGED} components were merged or matched again; the next sync continues");
                    self.lists.warn("", 1, text);
                    return Ok(());
                }
                if self.has_key(source, &id) {
                    self.warn_about_sign(place, sign, target, IS_TAKEN);
                } else if is_described {
                    self.describe(source, key, &id);
                    self.note_claims();
                    merged += 1;
                    let origin = &self.component(place).origin;
                    let name = self.component(place).name.as_str();
                    let text = format!("`{name}` is the component {id} now, as `{sign}` says, and no longer {drawn}");
                    self.lists.inform(origin.file.as_str(), origin.line, text);
                } else if self.is_drawn_by_run(&drawn) && self.is_as_drawn(&drawn)? {
                    self.merge_rows(&id, &drawn);
                    self.note_claims();
                    merged += 1;
                } else {
                    let why = if self.is_drawn_by_run(&drawn) {
                        "someone has drawn or edited it, or refers to it"
                    } else {
                        "other sources describe it, too"
                    };
                    let problem = format!(
                        "which is the component {drawn}; {why}, so it was not merged. To make them one, delete it on the map"
                    );
                    self.warn_about_sign(place, sign, target, &problem);
                }
            }
        }
        Ok(())
    }

    /// Makes a component of a source describe another row of the map. What the source says is compared with it for the first time.
    fn describe(&mut self, source: usize, key: &str, id: &str) {
        let row_was = self.row_was(Component, id);
        if let Some(claim) = self.now.own[source].get_mut(&(Component, key.to_owned())) {
            claim.row_id = Some(id.to_owned());
            (claim.base, claim.is_home, claim.merged_from) = (Fields::default(), false, None);
            claim.row_was = Some(row_was);
            self.rekeyed.push((source, claim.clone()));
        }
    }

    /// Whether a row has claims of sources of the run only.
    fn is_drawn_by_run(&self, id: &str) -> bool {
        self.claims_of(Component, id).all(|(at, _)| matches!(at, ClaimAt::Own(..)))
    }

    /// Whether a source has a row under one of its keys.
    fn has_key(&self, source: usize, id: &str) -> bool {
        let is_own = |at: &ClaimAt| match at {
            ClaimAt::Own(of, key) => *of == source && self.keys[source].contains(&(Component, key.clone())),
            ClaimAt::Other(_) => false,
        };
        self.claims_of(Component, id).any(|(at, _)| is_own(at))
    }
}
