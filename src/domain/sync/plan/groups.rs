//! Which components of the sources of a run are the same: each group of them is one row of the map.
//!
//! Components of one source are never one, unless their source says so. A name is a key only inside its scope, so a name that a
//! source has several times is matched only where the scopes agree. What cannot be decided stays apart, and the report says so.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{
    names::{Nature, code_names, fits, names_of, normalized},
    planner::Planner,
    standing::Standing,
};
use crate::{
    domain::sync::{
        check::Place,
        model::{reading::ReadComponent, request::SyncKind::Component},
    },
    error::Result,
};

/// Maximum number of components with one name that are matched with each other.
const MAX_WITH_NAME: usize = 300;

/// Where the row of a group is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Anchor {
    /// On the map.
    Row(String),
    /// Deleted by hand, to stay deleted.
    Deleted(String),
    /// Not known yet.
    #[default]
    None,
}

/// Components of the sources that are one row.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) members: Vec<Place>,
    pub(super) anchor: Anchor,
    /// Rows that its components are or were, also those that the map lost.
    claimed: BTreeSet<String>,
    /// Rows that the group is not.
    pub(super) separate: BTreeSet<String>,
}

/// The groups of a run, and the group of each component.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    pub(super) of: HashMap<Place, usize>,
}

/// Pairs of rows of the map that look like one component and are two, each with a component of a source that is one of them.
pub(super) type Twins = BTreeMap<(String, String), Place>;

impl Groups {
    fn new_group(&mut self, place: Place, anchor: Anchor, claimed: Option<String>, separate: BTreeSet<String>) {
        self.of.insert(place, self.all.len());
        let mut claimed = BTreeSet::from_iter(claimed);
        if let Anchor::Row(id) | Anchor::Deleted(id) = &anchor {
            claimed.insert(id.clone());
        }
        self.all.push(Group { members: vec![place], anchor, claimed, separate });
    }

    /// Makes two groups one, unless they are different rows, or two components of one source.
    fn join(&mut self, a: usize, b: usize) -> bool {
        if a == b {
            return true;
        }
        let (one, other) = (&self.all[a], &self.all[b]);
        let sources: HashSet<usize> = one.members.iter().map(|place| place.source).collect();
        let is_one_row = one.anchor != Anchor::None && one.anchor == other.anchor;
        if !is_one_row && other.members.iter().any(|place| sources.contains(&place.source)) {
            return false;
        }
        let anchor = match (&one.anchor, &other.anchor) {
            (Anchor::None, anchor) | (anchor, Anchor::None) => anchor.clone(),
            (one, other) if one == other => one.clone(),
            // One of two rows was deleted by hand, and the map has the other one.
            (row @ Anchor::Row(_), Anchor::Deleted(_)) | (Anchor::Deleted(_), row @ Anchor::Row(_)) => row.clone(),
            _ => return false,
        };
        if self.are_split(a, b) {
            return false;
        }
        let moved = std::mem::take(&mut self.all[b]);
        for place in &moved.members {
            self.of.insert(*place, a);
        }
        let group = &mut self.all[a];
        group.members.extend(moved.members);
        group.members.sort();
        group.claimed.extend(moved.claimed);
        group.separate.extend(moved.separate);
        group.anchor = anchor;
        true
    }

    /// Whether someone has decided that two groups are two rows.
    fn are_split(&self, a: usize, b: usize) -> bool {
        let excludes = |group: usize, other: usize| !self.all[group].separate.is_disjoint(&self.all[other].claimed);
        excludes(a, b) || excludes(b, a)
    }

    /// The rows of two groups if they are two, unless someone has decided that they are.
    fn twins(&self, a: usize, b: usize) -> Option<(String, String)> {
        let (one, other) = (&self.all[a], &self.all[b]);
        let (Anchor::Row(first), Anchor::Row(second)) = (&one.anchor, &other.anchor) else { return None };
        let ids = if first < second { (first, second) } else { (second, first) };
        (!self.are_split(a, b) && first != second).then(|| (ids.0.clone(), ids.1.clone()))
    }
}

impl<'p> Planner<'p, '_> {
    pub(super) fn component(&self, place: Place) -> &'p ReadComponent {
        &self.run.sources[place.source].reading.components[place.row]
    }

    /// What a component of a source is.
    pub(super) fn nature(&self, place: Place) -> Nature<'p> {
        let row = self.component(place);
        let has_parts = row.is_box || self.run.sources[place.source].parents.contains(&Some(place.row));
        Nature { type_id: &row.type_id, is_guess: row.inferred.iter().any(|field| field == "type"), has_parts }
    }

    /// The groups of all components that the request selects or the map has.
    pub(super) fn groups(&mut self) -> Result<Groups> {
        let mut groups = Groups::default();
        let mut chosen = HashSet::new();
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            for row in 0..checked.reading.components.len() {
                let place = Place { source, row };
                let key = self.component(place).origin.key.as_str();
                let claim = self.claim(source, Component, key);
                let decided = claim.map(|claim| (claim.row_id.clone(), claim.separate.0.clone()));
                let (claimed, separate) = decided.unwrap_or_default();
                let anchor = match self.standing(source, Component, key)? {
                    Standing::OnMap(id) => Anchor::Row(id),
                    _ if !self.run.selects(source, Component, key) => continue,
                    // Of two components that are one, someone has deleted this one.
                    Standing::Deleted(id) => {
                        self.chosen_row(place, &separate, &mut chosen).map_or(Anchor::Deleted(id), Anchor::Row)
                    }
                    Standing::Unknown => {
                        self.chosen_row(place, &separate, &mut chosen).map_or(Anchor::None, Anchor::Row)
                    }
                };
                groups.new_group(place, anchor, claimed, separate);
            }
        }
        self.join_by_row(&mut groups);
        self.join_by_name(&mut groups);
        for group in &mut groups.all {
            group.members.sort();
            // One key is enough to restore the row.
            let is_restored = |place: &Place| self.restore.contains(self.component(*place).origin.key.as_str());
            if matches!(group.anchor, Anchor::Deleted(_)) && group.members.iter().any(is_restored) {
                group.anchor = Anchor::None;
            }
        }
        Ok(groups)
    }

    /// Joins components that are the same row already, or that name the same new id.
    fn join_by_row(&self, groups: &mut Groups) {
        let mut by_row: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut by_id: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, group) in groups.all.iter().enumerate() {
            let row = self.component(group.members[0]);
            match &group.anchor {
                Anchor::Row(id) => by_row.entry(id.clone()).or_default().push(at),
                Anchor::None if row.has_own_id => by_id.entry(row.id.as_str()).or_default().push(at),
                _ => {}
            }
        }
        for same in by_row.into_values().chain(by_id.into_values()) {
            let mut joined = same[0];
            for at in &same[1..] {
                if groups.join(joined, *at) {
                    continue;
                }
                joined = *at;
            }
        }
    }

    /// Joins components of different sources with equal names, fitting types and scopes that agree. Equal names in files
    /// come first: a display name can be that of another component.
    fn join_by_name(&mut self, groups: &mut Groups) {
        let mut twins = Twins::new();
        for names in [code_names, names_of] {
            let mut by_name: BTreeMap<String, Vec<Place>> = BTreeMap::new();
            for (place, _) in groups.of.iter().filter(|(place, _)| !self.run.sources[place.source].separate) {
                for name in names(self.component(*place)) {
                    by_name.entry(name).or_default().push(*place);
                }
            }
            for (name, mut places) in by_name {
                places.sort();
                let sources: HashSet<usize> = places.iter().map(|place| place.source).collect();
                if sources.len() > 1 && places.len() <= MAX_WITH_NAME {
                    self.join_named(&name, &places, groups, &mut twins);
                }
            }
        }
        self.warn_about_twins(&twins);
    }

    /// Joins components with one name. Those that are two rows of the map already are `twins`.
    fn join_named(&mut self, name: &str, places: &[Place], groups: &mut Groups, twins: &mut Twins) {
        let scopes: HashMap<Place, BTreeSet<String>> =
            places.iter().map(|place| (*place, self.scope_of(*place))).collect();
        let mut told = BTreeSet::new();
        for (at, a) in places.iter().enumerate() {
            for b in &places[at + 1..] {
                let (one, other) = (groups.of[a], groups.of[b]);
                if a.source == b.source || one == other || !fits(self.nature(*a), self.nature(*b)) {
                    continue;
                }
                if groups.are_split(one, other) {
                    continue;
                }
                if self.agree(*a, *b, places, &scopes) {
                    if groups.join(one, other) {
                        continue;
                    }
                    twins.extend(groups.twins(one, other).map(|rows| (rows, *a)));
                }
                told.insert((*a, *b));
            }
        }
        // Of several pairs that stay apart, the report names one.
        let apart = told.into_iter().find(|(a, b)| {
            let (one, other) = (&groups.all[groups.of[a]], &groups.all[groups.of[b]]);
            let has = |group: &Group, place: &Place| group.members.iter().any(|member| member.source == place.source);
            let is_new = one.anchor == Anchor::None || other.anchor == Anchor::None;
            is_new && groups.of[a] != groups.of[b] && !has(one, b) && !has(other, a)
        });
        if let Some((a, b)) = apart {
            let (one, other) = (self.component(a), self.component(b));
            let text = format!(
                "`{name}` can be several components, such as `{}` in {}:{} and `{}` in {}:{}; they were kept apart. If two \
                 are one, set `planroom.id` in both files, or `same`",
                one.origin.key.as_str(),
                one.origin.file.as_str(),
                one.origin.line,
                other.origin.key.as_str(),
                other.origin.file.as_str(),
                other.origin.line,
            );
            self.lists.warn(one.origin.file.as_str(), one.origin.line, text);
        }
    }

    /// Whether two components with the same name are in the same scope: their namespaces do not differ, and each is the only
    /// one in its source, or the only one there that shares a scope with the other.
    fn agree(&self, a: Place, b: Place, places: &[Place], scopes: &HashMap<Place, BTreeSet<String>>) -> bool {
        let namespace = |place: Place| self.component(place).namespace.as_ref().map(|name| normalized(name.as_str()));
        if let (Some(a), Some(b)) = (namespace(a), namespace(b))
            && a != b
        {
            return false;
        }
        let is_only = |one: Place, other: Place| {
            let rivals: Vec<Place> = places
                .iter()
                .copied()
                .filter(|rival| rival.source == one.source && fits(self.nature(*rival), self.nature(other)))
                .collect();
            if rivals.len() < 2 {
                return true;
            }
            // What distinguishes it from the others with the name.
            let shared = |rival: &Place| {
                let own = scopes[rival]
                    .iter()
                    .filter(|scope| rivals.iter().all(|other| other == rival || !scopes[other].contains(*scope)));
                own.filter(|scope| scopes[&other].contains(*scope)).count()
            };
            let sharing: Vec<&Place> = rivals.iter().filter(|rival| shared(rival) > 0).collect();
            sharing == [&one]
        };
        is_only(a, b) && is_only(b, a)
    }

    /// The names around a component: namespaces, the components that contain it, and the folders of its file.
    fn scope_of(&self, place: Place) -> BTreeSet<String> {
        let source = &self.run.sources[place.source];
        let row = self.component(place);
        let mut scopes = BTreeSet::new();
        scopes.extend(row.namespace.as_ref().map(|name| normalized(name.as_str())));
        let mut parent = source.parents[place.row];
        let mut levels = 0;
        while let Some(at) = parent.filter(|_| levels < 64) {
            scopes.insert(normalized(source.reading.components[at].name.as_str()));
            parent = source.parents[at];
            levels += 1;
        }
        let folder = row.origin.file.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        scopes.extend(folder.split('/').map(normalized));
        scopes.remove("");
        scopes
    }
}
