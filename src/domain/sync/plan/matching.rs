//! The row of the map of each component of the sources.
//!
//! The first sign that fits counts: the claim of the same key, the id that the source names, `same` of the configuration, the
//! same component in another source of the repository, a row of the map that no source has, and a row that has just gone from
//! its source. A row of another repository is never taken by its name. The report names what is not sure, and the sync draws it apart.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{
    groups::{Anchor, Group, Groups},
    names::{Nature, fits, names_of, normalized},
    planner::{ClaimAt, Match, Planner},
};
use crate::{
    domain::{
        map::components::Component,
        sync::{
            check::Place,
            model::{
                claims::{Claim, Source},
                reading::ReadComponent,
                request::SyncKind::Component as ComponentKind,
            },
        },
    },
    error::Result,
};

/// Maximum number of rounds in which matched neighbors are a sign for others.
pub(super) const MAX_ROUNDS: usize = 20;

/// Who has a row of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// No source.
    Unclaimed,
    /// A source of this repository that is not in the run.
    Repository,
    /// Only sources of another repository.
    Other,
    /// Only sources that no longer have it.
    Gone,
    /// A source of the run.
    Run,
}

/// What the map offers.
pub(super) struct Offers {
    /// Ids of components by their normalized name.
    pub(super) by_name: HashMap<String, Vec<String>>,
    pub(super) holders: HashMap<String, Holder>,
    pub(super) neighbors: HashMap<String, HashSet<String>>,
    parts: HashSet<String>,
    /// Rows whose type the sources only guess.
    guesses: HashSet<String>,
    /// Neighbors of each group: other groups.
    around: Vec<BTreeSet<usize>>,
    /// Rows that groups have.
    pub(super) taken: HashSet<String>,
    has_other_repositories: bool,
}

impl Planner<'_, '_> {
    /// Finds the row of each group of components, and how.
    pub(super) fn match_components(&mut self) -> Result<(Groups, HashMap<usize, Match>)> {
        let mut groups = self.groups()?;
        let mut offers = self.offers(&groups);
        let mut found = HashMap::new();
        self.match_in_repository(&mut groups, &mut offers);
        self.match_by_id(&mut groups, &mut offers, &mut found);
        self.match_by_name(&mut groups, &mut offers, &mut found);
        self.match_moves(&mut groups, &mut offers, &mut found)?;
        self.merge_moved(&offers)?;
        self.warn_about_unmatched(&groups, &offers);
        Ok((groups, found))
    }

    fn offers(&self, groups: &Groups) -> Offers {
        let mut neighbors: HashMap<String, HashSet<String>> = HashMap::new();
        let mut connect = |a: &str, b: &str| {
            neighbors.entry(a.to_owned()).or_default().insert(b.to_owned());
            neighbors.entry(b.to_owned()).or_default().insert(a.to_owned());
        };
        self.now.relationships.values().for_each(|row| connect(&row.source_id, &row.target_id));
        let mut around = vec![BTreeSet::new(); groups.all.len()];
        for (source, checked) in self.sources() {
            for row in &checked.reading.relationships {
                let group = |id: &str| groups.of.get(&Place { source, row: *checked.components.get(id)? }).copied();
                if let Some((a, b)) = group(row.source_id.as_str()).zip(group(row.target_id.as_str())) {
                    around[a].insert(b);
                    around[b].insert(a);
                }
            }
        }
        let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
        for row in self.now.components.values() {
            by_name.entry(normalized(&row.name)).or_default().push(row.id.clone());
        }
        by_name.remove("");
        let taken = groups.all.iter().filter_map(|group| match &group.anchor {
            Anchor::Row(id) => Some(id.clone()),
            _ => None,
        });
        let repository = self.repository();
        Offers {
            by_name,
            holders: self.now.components.keys().map(|id| (id.clone(), self.holder_of(id))).collect(),
            neighbors,
            parts: self.now.parents.values().cloned().collect(),
            guesses: self.now.components.values().filter(|row| self.is_guess(row)).map(|row| row.id.clone()).collect(),
            around,
            taken: taken.collect(),
            has_other_repositories: self.now.sources.values().any(|source| {
                !source.is_observed()
                    && source.repository.as_deref() != repository
                    && !self.run.sources.iter().any(|own| own.id() == source.id)
            }),
        }
    }

    fn holder_of(&self, id: &str) -> Holder {
        let mut holder = Holder::Unclaimed;
        for (at, claim) in self.claims_of(ComponentKind, id) {
            let is_observed = self.now.sources.get(&claim.source_id).is_some_and(Source::is_observed);
            let is_there = match at {
                ClaimAt::Own(source, key) => self.keys[*source].contains(&(ComponentKind, key.clone())),
                ClaimAt::Other(_) => claim.missing_since.is_none(),
            };
            if matches!(at, ClaimAt::Own(source, _) if self.run.sources[*source].is_evidence) {
                continue;
            }
            let one = match at {
                _ if is_observed && matches!(at, ClaimAt::Other(_)) => continue,
                ClaimAt::Own(..) if is_there => Holder::Run,
                _ if !is_there => Holder::Gone,
                _ if self.repository_of(&claim.source_id) == self.repository() => Holder::Repository,
                _ => Holder::Other,
            };
            let order = |holder: Holder| match holder {
                Holder::Unclaimed => 0,
                Holder::Gone => 1,
                Holder::Other => 2,
                Holder::Repository => 3,
                Holder::Run => 4,
            };
            if order(one) > order(holder) {
                holder = one;
            }
        }
        holder
    }

    fn nature_of_row<'r>(row: &'r Component, offers: &Offers) -> Nature<'r> {
        Nature {
            type_id: &row.type_id,
            is_guess: offers.guesses.contains(&row.id),
            has_parts: offers.parts.contains(&row.id),
        }
    }

    /// Whether the type of a row is what its sources concluded, and no source or person states it.
    fn is_guess(&self, row: &Component) -> bool {
        let is_type = |claim: &Claim| claim.base.get("type").and_then(|id| id.as_str()) == Some(&row.type_id);
        let mut all = self.claims_of(ComponentKind, &row.id).filter(|(_, claim)| is_type(claim)).peekable();
        all.peek().is_some() && all.all(|(_, claim)| claim.inferred.0.contains("type"))
    }

    /// The rows that could be a group: equal name, fitting type, free, with one of these holders.
    pub(super) fn fitting(&self, group: &Group, offers: &Offers, holders: &[Holder]) -> Vec<String> {
        let names: BTreeSet<String> = group.members.iter().flat_map(|place| names_of(self.component(*place))).collect();
        let rows = names.iter().filter_map(|name| offers.by_name.get(name)).flatten();
        let mut found: Vec<&Component> = rows
            .filter(|id| !offers.taken.contains(*id) && !group.separate.contains(*id))
            .filter(|id| offers.holders.get(*id).is_some_and(|holder| holders.contains(holder)))
            .filter_map(|id| self.now.components.get(id))
            .filter(|row| {
                let nature = Self::nature_of_row(row, offers);
                group.members.iter().all(|place| fits(self.nature(*place), nature))
            })
            .collect();
        // An exact match of the name takes precedence, then the same type.
        let own: Vec<&ReadComponent> = group.members.iter().map(|place| self.component(*place)).collect();
        let exact = |row: &Component| own.iter().any(|one| one.name.as_str() == row.name);
        if found.iter().any(|row| exact(row)) {
            found.retain(|row| exact(row));
        }
        let typed = |row: &Component| own.iter().any(|one| one.type_id == row.type_id);
        if found.iter().any(|row| typed(row)) {
            found.retain(|row| typed(row));
        }
        let mut ids: Vec<String> = found.into_iter().map(|row| row.id.clone()).collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// The groups without a row that could be one row each, with that row. A row that fits several is none of theirs.
    pub(super) fn unique(&self, groups: &Groups, offers: &Offers, holders: &[Holder]) -> BTreeMap<usize, String> {
        let mut wanted: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, group) in groups.all.iter().enumerate() {
            if group.members.is_empty() || group.anchor != Anchor::None {
                continue;
            }
            if let [id] = &self.fitting(group, offers, holders)[..] {
                wanted.entry(id.clone()).or_default().push(at);
            }
        }
        wanted.into_iter().filter_map(|(id, by)| Some((*by.first().filter(|_| by.len() == 1)?, id))).collect()
    }

    pub(super) fn take(groups: &mut Groups, offers: &mut Offers, at: usize, id: String) {
        offers.taken.insert(id.clone());
        groups.all[at].anchor = Anchor::Row(id);
    }

    /// Rows of sources of this repository that are not in the run.
    fn match_in_repository(&self, groups: &mut Groups, offers: &mut Offers) {
        for (at, id) in self.unique(groups, offers, &[Holder::Repository]) {
            if groups.all[at].members.iter().all(|place| !self.run.sources[place.source].separate) {
                Self::take(groups, offers, at, id);
            }
        }
    }

    fn adopts(&self, group: &Group) -> Option<bool> {
        let of = |place: &Place| self.run.sources[place.source].adopt;
        let all: Vec<Option<bool>> = group.members.iter().map(of).collect();
        if all.contains(&Some(false)) { Some(false) } else { all.into_iter().flatten().next() }
    }

    /// Rows that no source has and that have the id which a new row would get.
    fn match_by_id(&self, groups: &mut Groups, offers: &mut Offers, found: &mut HashMap<usize, Match>) {
        for at in 0..groups.all.len() {
            let group = &groups.all[at];
            if group.members.is_empty() || group.anchor != Anchor::None || self.adopts(group) == Some(false) {
                continue;
            }
            let ids = group.members.iter().map(|place| self.component(*place).id.as_str());
            let is_free = |id: &&str| {
                offers.holders.get(*id) == Some(&Holder::Unclaimed)
                    && !offers.taken.contains(*id)
                    && !group.separate.contains(*id)
            };
            if let Some(id) = ids.into_iter().find(is_free).map(str::to_owned) {
                Self::take(groups, offers, at, id);
                found.insert(at, Match { is_adopted: true, moved_from: None });
            }
        }
        for (at, group) in groups.all.iter().enumerate() {
            // Rows of another repository have the same `planroom.id`, or the configuration names them.
            if let Anchor::Row(id) = &group.anchor
                && matches!(offers.holders.get(id), Some(Holder::Unclaimed | Holder::Other))
            {
                found.insert(at, Match { is_adopted: true, moved_from: None });
            }
        }
    }

    /// Rows that no source has and that have the same name: in the group of this repository, if no other repository feeds the
    /// workspace, or beside a component that is matched too.
    fn match_by_name(&self, groups: &mut Groups, offers: &mut Offers, found: &mut HashMap<usize, Match>) {
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            let insides = self.insides(groups);
            for (holders, is_wide) in [(&[Holder::Unclaimed][..], false), (&[Holder::Unclaimed, Holder::Gone], true)] {
                for (at, id) in self.unique(groups, offers, holders) {
                    let may = match self.adopts(&groups.all[at]) {
                        Some(false) => false,
                        Some(true) => is_wide,
                        None => {
                            !is_wide
                                && (!offers.has_other_repositories
                                    || self.is_inside(&id, &insides)
                                    || Self::shares_neighbor(groups, offers, at, &id))
                        }
                    };
                    if may {
                        Self::take(groups, offers, at, id);
                        found.insert(at, Match { is_adopted: true, moved_from: None });
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The components of the map that contain what belongs to this repository: the chosen one, and those around its rows that
    /// none of its sources has.
    fn insides(&self, groups: &Groups) -> HashSet<String> {
        let mut insides: HashSet<String> = self.run.request.group.iter().map(|id| id.as_str().to_owned()).collect();
        for group in &groups.all {
            let Anchor::Row(id) = &group.anchor else { continue };
            insides.insert(id.clone());
            let parent = self.now.parents.get(id).filter(|parent| self.holder_of(parent) != Holder::Other);
            insides.extend(parent.cloned());
        }
        insides
    }

    fn is_inside(&self, id: &str, insides: &HashSet<String>) -> bool {
        let (mut parent, mut levels) = (self.now.parents.get(id), 0);
        while let Some(id) = parent.filter(|_| levels < 64) {
            if insides.contains(id) {
                return true;
            }
            (parent, levels) = (self.now.parents.get(id), levels + 1);
        }
        false
    }

    /// Whether a neighbor of a group is a neighbor of a row of the map.
    pub(super) fn shares_neighbor(groups: &Groups, offers: &Offers, at: usize, id: &str) -> bool {
        let Some(neighbors) = offers.neighbors.get(id) else { return false };
        offers.around[at].iter().any(|other| match &groups.all[*other].anchor {
            Anchor::Row(id) => neighbors.contains(id),
            _ => false,
        })
    }
}
