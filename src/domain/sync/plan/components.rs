//! Components of the sources.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{
    groups::{Anchor, Groups},
    planner::{ClaimAt, Match, Planner},
    precedence::effective,
    statement::{Statement, name_set},
};
use crate::{
    domain::{
        core::Reads,
        sync::{
            check::Place,
            fields,
            merge::{Merged, Sources, adopt, is_packed, merge},
            model::{
                claims::{Claim, Source},
                report::SyncRow,
                request::SyncKind::Component,
            },
        },
        values::Id,
    },
    error::Result,
};

/// Maximum number of components above another one.
const MAX_NESTING: usize = 64;

/// The components that get another parent or none, by id, each with its place in the request, if it is there.
type Parents = BTreeMap<String, (Option<Place>, Option<String>)>;

impl<'p> Planner<'p, '_> {
    /// Finds the component of the map for each component of the sources, creates the missing ones, and merges fields.
    pub(super) fn plan_components(&mut self) -> Result<()> {
        let (groups, found) = self.match_components()?;
        let has_map = !self.now.components.is_empty();
        let mut order: Vec<usize> = (0..groups.all.len()).filter(|at| !groups.all[*at].members.is_empty()).collect();
        order.sort_by_key(|at| groups.all[*at].members[0]);
        for at in &order {
            let group = &groups.all[*at];
            let id = match &group.anchor {
                Anchor::Row(id) => id.clone(),
                Anchor::Deleted(_) => continue,
                Anchor::None => {
                    let row = self.component(self.namesake(&group.members));
                    let id = self.free_id(Component, row.id.as_str(), Some(&group.separate))?;
                    self.created.insert(id.clone(), row.name.as_str().to_owned());
                    id
                }
            };
            self.used.insert((Component, id.clone()));
            for place in &group.members {
                self.rows[place.source][place.row] = Some(id.clone());
            }
        }
        let mut parents = Parents::new();
        for at in order {
            self.tx_alive(at)?;
            self.plan_group(&groups, at, found.get(&at), has_map, &mut parents)?;
        }
        self.plan_rows_of_others(&mut parents)?;
        self.put_into_group(&mut parents);
        self.plan_parents(parents);
        Ok(())
    }

    /// Puts new components of which no source states a parent into the group of the repository, unless they contain it.
    fn put_into_group(&self, parents: &mut Parents) {
        let Some(group) = self.run.request.group.as_ref().map(Id::as_str) else { return };
        let mut above = HashSet::new();
        let mut next = Some(group.to_owned());
        while let Some(id) = next.filter(|id| above.insert(id.clone())) {
            next = match parents.get(&id) {
                Some((_, parent)) => parent.clone(),
                None => self.now.parents.get(&id).cloned(),
            };
        }
        for (place, new) in &self.plan.new_components {
            let Some(id) = new.id.as_ref().map(Id::as_str).filter(|id| !above.contains(*id)) else { continue };
            parents.entry(id.to_owned()).or_insert_with(|| (Some(*place), Some(group.to_owned())));
        }
    }

    fn tx_alive(&self, at: usize) -> Result<()> {
        if at.is_multiple_of(100) { self.tx.core().check_alive() } else { Ok(()) }
    }

    /// The member of a new group whose id and place it gets: the first one whose name is stated.
    fn namesake(&self, members: &[Place]) -> Place {
        let states = |place: &&Place| !self.component(**place).inferred.iter().any(|field| field == "name");
        members.iter().find(states).or(members.first()).copied().unwrap_or(Place { source: 0, row: 0 })
    }

    fn plan_group(
        &mut self,
        groups: &Groups,
        at: usize,
        how: Option<&Match>,
        has_map: bool,
        parents: &mut Parents,
    ) -> Result<()> {
        let group = &groups.all[at];
        let selected: Vec<Place> = group
            .members
            .iter()
            .copied()
            .filter(|place| self.run.selects(place.source, Component, self.component(*place).origin.key.as_str()))
            .collect();
        if selected.is_empty() {
            return Ok(());
        }
        if let Anchor::Deleted(id) = &group.anchor {
            for place in selected {
                let row = self.component(place);
                self.keep_deleted(place.source, Component, &row.origin, id, row.name.as_str());
            }
            return Ok(());
        }
        let statements: Vec<Statement<'p>> = selected.iter().map(|place| self.statement(*place)).collect();
        let Some(id) = self.rows[selected[0].source][selected[0].row].clone() else { return Ok(()) };
        if self.now.components.contains_key(&id) {
            self.merge_component(&id, &statements, how, parents)
        } else {
            self.create_component(&id, &statements, has_map, parents)
        }
    }

    /// What a source says of a component. If its parent is not on the map, the parent is that of its claim.
    fn statement(&self, place: Place) -> Statement<'p> {
        let source = &self.run.sources[place.source];
        let row = self.component(place);
        let claimed = || {
            let claim = self.claim(place.source, Component, row.origin.key.as_str())?;
            claim.base.get("parent")?.as_str().map(str::to_owned)
        };
        let parent = source.parents[place.row].and_then(|at| self.rows[place.source][at].clone().or_else(claimed));
        let mut fields = fields::of_read_component(row, parent.as_deref());
        let volatile = fields::take_volatile(&mut fields, &self.run.request.volatile);
        let inferred = name_set(row.inferred.iter());
        Statement { place, origin: &row.origin, fields, volatile, inferred }
    }

    fn merge_component(
        &mut self,
        id: &str,
        statements: &[Statement<'p>],
        how: Option<&Match>,
        parents: &mut Parents,
    ) -> Result<()> {
        let how = how.cloned().unwrap_or_default();
        let (merged, is_home) = self.merge_fields(id, statements, parents)?;
        let name = self.now.component_name(id);
        if !how.is_adopted {
            self.inform_about_match(id, &name, statements);
        }
        self.report(Component, statements, (id, &name), &merged, &how, is_home);
        Ok(())
    }

    /// Says from which other sources a component is already on the map that the sources describe for the first time.
    fn inform_about_match(&mut self, id: &str, name: &str, statements: &[Statement<'p>]) {
        let is_known = |one: &Statement<'_>| self.claim(one.place.source, Component, one.origin.key.as_str()).is_some();
        let Some(first) = statements.first().filter(|_| !statements.iter().any(is_known)) else { return };
        let others = self.claims_of(Component, id).filter_map(|(at, claim)| match at {
            ClaimAt::Other(_) if claim.missing_since.is_none() => self.now.sources.get(&claim.source_id),
            _ => None,
        });
        let named = |source: &Source| {
            let name = source.name.as_deref().unwrap_or(&source.id);
            match source.repository.as_deref().filter(|of| Some(*of) != self.repository()) {
                Some(repository) => format!("`{name}` in `{repository}`"),
                None => format!("`{name}`"),
            }
        };
        let others: BTreeSet<String> = others.filter(|source| !source.is_observed()).map(named).collect();
        if others.is_empty() {
            return;
        }
        let sources = others.into_iter().take(5).collect::<Vec<_>>().join(", ");
        let key = first.origin.key.as_str();
        let text = format!("`{name}` is already on the map from {sources}; if it is another one, split off `{key}`");
        self.lists.inform(first.origin.file.as_str(), first.origin.line, text);
    }

    /// Merges what all sources say of a component of the map. Returns what was decided, and whether the component runs in this
    /// repository.
    fn merge_fields(
        &mut self,
        id: &str,
        statements: &[Statement<'p>],
        parents: &mut Parents,
    ) -> Result<(Merged, bool)> {
        let Some(before) = self.now.components.get(id).cloned() else { return Ok((Merged::default(), true)) };
        let map = fields::of_component(&before, self.now.parents.get(id).map(String::as_str));
        let (said, says, is_home) = self.source_values(Component, id, statements);
        let (is_new, base, source) = (said.is_empty(), effective(&said), effective(&says));
        let rules = self.rules(Component, statements);
        let mut merged = if is_new { adopt(&source, &map, rules) } else { merge(&base.fields, &source, &map, rules) };
        // Of long values of other sources, only their hash is known.
        merged.retain(|field| !source.fields.get(field).is_some_and(is_packed));
        let changes = merged.changes(&source.fields);
        if let Some((_, parent)) = changes.iter().find(|(field, _)| field == "parent") {
            let parent = parent.and_then(|id| id.as_str()).map(str::to_owned);
            parents.insert(id.to_owned(), (statements.first().map(|one| one.place), parent));
        }
        let after = fields::changed_component(&before, &changes)?;
        if after != before {
            self.plan.components.push((before, after));
        }
        Ok((merged, is_home))
    }

    /// Merges components that a source of the run has lost, and other sources still have: their values count now.
    fn plan_rows_of_others(&mut self, parents: &mut Parents) -> Result<()> {
        let lost = self.gone.keys().filter(|(kind, id)| {
            *kind == Component
                && !self.used.contains(&(Component, id.clone()))
                && self.now.claimed_by_others.contains(&(Component, id.clone()))
        });
        let mut lost: Vec<String> = lost.map(|(_, id)| id.clone()).collect();
        lost.sort();
        for id in lost {
            let (merged, _) = self.merge_fields(&id, &[], parents)?;
            let taken: Vec<_> = merged.taken.iter().chain(&merged.conflicts).cloned().collect();
            let key = self.gone[&(Component, id.clone())].first().cloned();
            if let Some((source, key)) = key.filter(|_| !taken.is_empty())
                && let Some(claim) = self.claim(source, Component, &key).cloned()
            {
                let mut row = self.row_of_claim(source, &claim);
                row.fields = taken;
                self.lists.changed.push(row);
            }
        }
        Ok(())
    }

    /// Plans a new component. Positions of the source are used only on an empty map, where nothing can be in the way.
    fn create_component(
        &mut self,
        id: &str,
        statements: &[Statement<'p>],
        has_map: bool,
        parents: &mut Parents,
    ) -> Result<()> {
        let (_, says, is_home) = self.source_values(Component, id, statements);
        let Sources { fields: source, .. } = effective(&says);
        let members: Vec<Place> = statements.iter().map(|one| one.place).collect();
        let namesake = self.namesake(&members);
        let row = self.component(namesake);
        let positioned = members.iter().map(|place| self.component(*place)).find(|row| row.x.is_some() && !has_map);
        let position = positioned.and_then(|row| row.x.zip(row.y));
        let new = fields::new_component(id, &source, position)?;
        let name = new.name.as_str().to_owned();
        self.created.insert(id.to_owned(), name.clone());
        self.plan.new_components.push((namesake, new));
        if let Some(parent) = source.get("parent").and_then(|id| id.as_str()) {
            parents.insert(id.to_owned(), (Some(namesake), Some(parent.to_owned())));
        }
        let row = self.row(namesake.source, Component, &row.origin, Some(id), name);
        let also_in = self.also_in(namesake, statements);
        self.lists.added.push(SyncRow { also_in, ..row });
        for one in statements {
            self.claim_row(Component, one, id, one.fields.base(), is_home);
        }
        Ok(())
    }

    /// Plans the new parents. A component that would contain itself, because sources disagree, keeps its parent.
    fn plan_parents(&mut self, parents: Parents) {
        let mut after: HashMap<String, String> = self.now.parents.clone();
        for (id, (_, parent)) in &parents {
            match parent {
                Some(parent) => drop(after.insert(id.clone(), parent.clone())),
                None => drop(after.remove(id)),
            }
        }
        for (id, (place, parent)) in parents {
            let is_cycle = {
                let (mut above, mut seen) = (after.get(&id), HashSet::new());
                while let Some(one) = above.filter(|one| **one != id && seen.insert((*one).clone())) {
                    above = after.get(one);
                }
                above.is_some() || seen.len() > MAX_NESTING
            };
            if !is_cycle {
                self.plan.parents.push((place, id, parent));
                continue;
            }
            match self.now.parents.get(&id) {
                Some(parent) => drop(after.insert(id.clone(), parent.clone())),
                None => drop(after.remove(&id)),
            }
            let name = self.drawn_name(&id);
            let text = format!("sources put `{name}` into each other's parts, so it keeps its place");
            let (file, line) = place.map_or((String::new(), 1), |place| {
                let origin = &self.component(place).origin;
                (origin.file.as_str().to_owned(), origin.line)
            });
            self.lists.warn(&file, line, text);
        }
    }

    /// A row of a claim for the report.
    pub(super) fn row_of_claim(&self, source: usize, claim: &Claim) -> SyncRow {
        let name = claim.row_id.as_deref().and_then(|id| self.now.name(claim.kind, id)).unwrap_or_default();
        SyncRow {
            file: claim.file.clone(),
            line: claim.line,
            missing_since: claim.missing_since,
            source: self.run.has_several().then(|| self.run.sources[source].id().to_owned()),
            ..SyncRow::new(claim.kind, &claim.key, claim.row_id.as_deref(), name)
        }
    }
}
