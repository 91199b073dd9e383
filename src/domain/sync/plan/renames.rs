//! Renamed components: those that the request names, and candidates.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::planner::Planner;
use crate::{
    domain::sync::model::{
        report::RenameCandidate,
        request::SyncKind::{Component, Relationship},
    },
    error::{Error, FieldPath, Result},
};

/// Maximum number of components that are gone, and of components that are new, among which candidates are looked for.
const MAX_COMPARED: usize = 300;
/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 100;

impl Planner<'_, '_> {
    /// Gives the claims of renamed components their new keys. One entry serves all sources of the request that have the new key.
    pub(super) fn apply_renames(&mut self) -> Result<()> {
        for (old, new) in &self.run.request.renames {
            let field = || FieldPath::from(["renames", old.as_str()]);
            if old == new {
                continue;
            }
            let having: Vec<usize> =
                (0..self.keys.len()).filter(|source| self.keys[*source].contains(&(Component, new.clone()))).collect();
            if having.is_empty() {
                return Err(Error::invalid(field(), format!("the source has no component `{new}`")));
            }
            for source in having {
                if self.keys[source].contains(&(Component, old.clone())) {
                    return Err(Error::invalid(field(), "the source still has this key"));
                }
                // The same request may be sent after the rename.
                let Some(mut claim) = self.now.own[source].remove(&(Component, old.clone())) else { continue };
                let taken = self.claim(source, Component, new).is_some_and(|claim| claim.missing_since.is_none());
                if taken {
                    return Err(Error::invalid(field(), format!("`{new}` is another component of the source already")));
                }
                claim.key.clone_from(new);
                self.now.own[source].insert((Component, new.clone()), claim);
                self.end_claim(source, Component, old);
            }
        }
        Ok(())
    }

    /// Finds components that may have been renamed: one key is gone, another one is new, and both have the same type and
    /// mostly the same neighbors.
    pub(super) fn find_renames(&mut self, source: usize, gone: &[String]) {
        let reading = &self.run.sources[source].reading;
        let is_new = |at: &usize| self.rows[source][*at].as_ref().is_some_and(|id| self.created.contains_key(id));
        let new: Vec<usize> = (0..reading.components.len()).filter(is_new).collect();
        if gone.is_empty() || new.is_empty() || gone.len() > MAX_COMPARED || new.len() > MAX_COMPARED {
            return;
        }
        let before = self.neighbors_on_map(source, gone);
        let after = self.neighbors_in_reading(source, &new);
        let (nothing, mut found, mut taken) = (HashSet::new(), Vec::new(), BTreeSet::new());
        for key in gone {
            let Some(row) =
                self.claim(source, Component, key).and_then(|claim| self.now.components.get(claim.row_id.as_ref()?))
            else {
                continue;
            };
            let old = before.get(&row.id).unwrap_or(&nothing);
            let score = |at: usize| {
                let new = after.get(&at).unwrap_or(&nothing);
                let (common, all) = (old.intersection(new).count(), old.union(new).count());
                let is_same = reading.components[at].type_id == row.type_id && common > 0 && 2 * common >= all;
                is_same.then_some(common)
            };
            let best = new.iter().copied().filter(|at| !taken.contains(at)).filter_map(|at| Some((score(at)?, at)));
            if let Some((_, at)) = best.max_by_key(|(score, at)| (*score, std::cmp::Reverse(*at))) {
                taken.insert(at);
                let new = &reading.components[at];
                found.push(RenameCandidate {
                    from: key.clone(),
                    to: new.origin.key.as_str().to_owned(),
                    name: row.name.clone(),
                    new_name: new.name.as_str().to_owned(),
                });
            }
        }
        self.lists.rename_candidates.extend(found);
        self.lists.rename_candidates.truncate(MAX_CANDIDATES);
    }

    /// Components of the map that are connected to those with these keys, by a relationship of the source or containment.
    fn neighbors_on_map(&self, source: usize, gone: &[String]) -> HashMap<String, HashSet<String>> {
        let row = |key: &String| self.claim(source, Component, key).and_then(|claim| claim.row_id.clone());
        let mut neighbors: HashMap<String, HashSet<String>> =
            gone.iter().filter_map(row).map(|id| (id, HashSet::new())).collect();
        let own = self.now.own[source].values().filter(|claim| claim.kind == Relationship);
        let rows = own.filter_map(|claim| self.now.relationships.get(claim.row_id.as_ref()?));
        let ends = rows.map(|row| (row.source_id.as_str(), row.target_id.as_str()));
        let contained = self.now.parents.iter().map(|(part, whole)| (part.as_str(), whole.as_str()));
        for (a, b) in ends.chain(contained) {
            for (one, other) in [(a, b), (b, a)] {
                if let Some(found) = neighbors.get_mut(one) {
                    found.insert(other.to_owned());
                }
            }
        }
        neighbors
    }

    /// Components of the map that the reading connects to these new components.
    fn neighbors_in_reading(&self, source: usize, new: &[usize]) -> HashMap<usize, HashSet<String>> {
        let mut neighbors: HashMap<usize, HashSet<String>> = new.iter().map(|at| (*at, HashSet::new())).collect();
        for row in &self.run.sources[source].reading.relationships {
            let find = |id: &str| self.run.sources[source].components.get(id).copied();
            let Some((from, to)) = find(row.source_id.as_str()).zip(find(row.target_id.as_str())) else {
                continue;
            };
            for (one, other) in [(from, to), (to, from)] {
                if let (Some(found), Some(id)) = (neighbors.get_mut(&one), &self.rows[source][other]) {
                    found.insert(id.clone());
                }
            }
        }
        neighbors
    }
}
