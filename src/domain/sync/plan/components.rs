//! Components of a source.

use std::collections::HashMap;

use super::{
    names::{fits, normalized},
    planner::{Planner, Standing},
};
use crate::{
    domain::{
        input::Nullable,
        map::components::NewComponent,
        sync::{
            fields,
            merge::{adopt, merge},
            model::{
                claims::Fields,
                reading::ReadComponent,
                request::SyncKind::{self, Component},
            },
        },
        values::Id,
    },
    error::{Error, Result},
};

impl<'p> Planner<'p, '_> {
    fn read_components(&self) -> &'p [ReadComponent] {
        &self.request.request.reading.components
    }

    /// Finds the component of the map for each component of the source, creates the missing ones, and merges fields.
    pub(super) fn plan_components(&mut self) -> Result<()> {
        let (mut matched, mut open) = (Vec::new(), Vec::new());
        for (at, row) in self.read_components().iter().enumerate() {
            let key = row.origin.key.as_str();
            match self.standing(Component, key)? {
                Standing::OnMap(id) => {
                    self.used.insert((Component, id.clone()));
                    self.rows[at] = Some(id);
                    if self.request.selects(Component, key) {
                        matched.push(at);
                    }
                }
                _ if !self.request.selects(Component, key) => {}
                Standing::Deleted => self.keep_deleted(Component, &row.origin, row.name.as_str()),
                Standing::Unknown => open.push(at),
            }
        }
        let adopted = self.adoptable(&open);
        let has_map = !self.now.components.is_empty();
        for at in open.iter().copied().filter(|at| !adopted.contains_key(at)) {
            let row = &self.read_components()[at];
            let id = self.free_id(Component, row.id.as_str())?;
            self.rows[at] = Some(id.clone());
            self.created.insert(id, row.name.as_str().to_owned());
        }
        for (at, id) in &adopted {
            self.rows[*at] = Some(id.clone());
        }
        for at in matched {
            self.merge_component(at, false)?;
        }
        for at in open {
            if adopted.contains_key(&at) {
                self.merge_component(at, true)?;
            } else {
                self.create_component(at, has_map)?;
            }
        }
        Ok(())
    }

    /// Components of the map that become those of the source: by their id, and by name if the request says so.
    fn adoptable(&mut self, open: &[usize]) -> HashMap<usize, String> {
        let mut found = HashMap::new();
        let rows = self.read_components();
        for at in open.iter().copied().filter(|at| rows[*at].has_own_id) {
            let id = rows[at].id.as_str();
            if self.now.components.contains_key(id) && self.used.insert((Component, id.to_owned())) {
                found.insert(at, id.to_owned());
            }
        }
        if !self.request.request.adopt {
            return found;
        }
        let by_name = self.by_name();
        for at in open {
            let row = &rows[*at];
            if found.contains_key(at) {
                continue;
            }
            let similar = by_name.get(&normalized(row.name.as_str())).into_iter().flatten();
            let similar = similar.filter_map(|id| self.now.components.get(id));
            let mut candidates: Vec<_> = similar
                .filter(|known| !self.used.contains(&(Component, known.id.clone())))
                .filter(|known| fits(&known.type_id, &row.type_id))
                .collect();
            // An exact match of the name takes precedence, then the same type.
            if candidates.iter().any(|known| known.name == row.name.as_str()) {
                candidates.retain(|known| known.name == row.name.as_str());
            }
            if candidates.iter().any(|known| known.type_id == row.type_id) {
                candidates.retain(|known| known.type_id == row.type_id);
            }
            if let [known] = candidates[..] {
                let id = known.id.clone();
                self.used.insert((Component, id.clone()));
                found.insert(*at, id);
            }
        }
        found
    }

    /// Ids of the components of the map by their normalized name.
    pub(super) fn by_name(&self) -> HashMap<String, Vec<String>> {
        let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
        for row in self.now.components.values() {
            by_name.entry(normalized(&row.name)).or_default().push(row.id.clone());
        }
        by_name
    }

    /// The fields of a component of the source. If its parent is not on the map, the parent is that of `base`.
    fn source_fields(&self, at: usize, base: Option<&Fields>) -> Fields {
        let row = &self.read_components()[at];
        let parent = match self.request.parents[at] {
            None => None,
            Some(parent) => match self.rows[parent].as_deref() {
                Some(id) => Some(id.to_owned()),
                None => base.and_then(|base| base.get("parent")?.as_str().map(str::to_owned)),
            },
        };
        fields::of_read_component(row, parent.as_deref())
    }

    fn merge_component(&mut self, at: usize, is_adopted: bool) -> Result<()> {
        let row = &self.read_components()[at];
        let id = self.rows[at].clone().unwrap_or_default();
        let Some(before) = self.now.components.get(&id).cloned() else { return Ok(()) };
        let map = fields::of_component(&before, self.now.parents.get(&id).map(String::as_str));
        let claim = self.claim(Component, row.origin.key.as_str()).filter(|_| !is_adopted);
        let base = claim.map(|claim| claim.base.clone());
        let source = self.source_fields(at, base.as_ref());
        let merged = match &base {
            Some(base) => merge(base, &source, &map, self.rules(Component, row.origin.key.as_str())),
            None => adopt(&source, &map, self.rules(Component, row.origin.key.as_str())),
        };
        let changes = merged.changes(&source);
        if let Some((_, parent)) = changes.iter().find(|(field, _)| field == "parent") {
            let parent = parent.and_then(|id| id.as_str()).map(str::to_owned);
            self.plan.parents.push((at, id.clone(), parent));
        }
        let after = fields::changed_component(&before, &changes)?;
        if after != before {
            self.plan.components.push((before.clone(), after));
        }
        self.report(SyncKind::Component, &row.origin, &id, &before.name, merged, is_adopted);
        Ok(())
    }

    /// Plans a new component. Positions of the source are used only on an empty map, where nothing can be in the way.
    fn create_component(&mut self, at: usize, has_map: bool) -> Result<()> {
        let row = &self.read_components()[at];
        let id = self.rows[at].clone().unwrap_or_default();
        let source = self.source_fields(at, None);
        let has_position = !has_map && row.x.is_some();
        self.plan.new_components.push((
            at,
            NewComponent {
                id: Some(Id::new(&id).map_err(|wrong| Error::invalid("id", wrong))?),
                type_id: row.type_id.clone(),
                name: row.name.clone(),
                description: row.description.clone(),
                x: row.x.filter(|_| has_position),
                y: row.y.filter(|_| has_position),
                width: Nullable::Absent,
                height: Nullable::Absent,
                tags: Some(row.tags.clone()),
                technology: Some(row.technology.clone()),
                opens: Nullable::Absent,
                properties: row.properties.clone(),
            },
        ));
        if let Some(parent) = source.get("parent").and_then(|id| id.as_str()) {
            self.plan.parents.push((at, id.clone(), Some(parent.to_owned())));
        }
        self.lists.added.push(Self::row(Component, &row.origin, Some(&id), row.name.as_str()));
        let claim = self.seen(Component, &row.origin, Some(id), source.base());
        self.plan.claims.push(claim);
        Ok(())
    }
}
