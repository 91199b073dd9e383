//! The rules of a whole model, checked before anything is written, and before anything is read.

use std::collections::{HashMap, HashSet};

use super::{Bulk, BulkWorkspace};
use crate::{
    domain::{
        catalogue, components,
        containment::{self, Parent, Placed},
        relationships::{self, NewRelationship},
        slug::{self, Numbering},
        values::Id,
    },
    error::{Error, Result},
};

/// A model whose items all have ids, and that keeps every rule that needs nothing but itself.
pub(in crate::domain) struct Checked(Bulk);

impl Checked {
    /// Gives ids to those that came without, and checks the rules.
    pub(in crate::domain) fn new(mut body: Bulk) -> Result<Self> {
        name_the_nameless(&mut body);
        check(&body)?;
        Ok(Self(body))
    }

    /// What it says of the workspace itself.
    pub(super) fn workspace(&self) -> Option<&BulkWorkspace> {
        self.0.workspace.as_ref()
    }

    /// The ids of its components.
    pub(in crate::domain) fn component_ids(&self) -> impl Iterator<Item = &str> {
        self.0.components.iter().filter_map(|item| item.id.as_ref().map(Id::as_str))
    }

    /// The model.
    pub(super) fn into_inner(self) -> Bulk {
        self.0
    }
}

/// Gives ids to those that came without: the same body gets the same ids each time.
fn name_the_nameless(body: &mut Bulk) {
    fn fill<T>(items: &mut [T], id: impl Fn(&mut T) -> &mut Option<Id>, base: impl Fn(&T) -> String) {
        let given = items.iter_mut().filter_map(|item| id(item).clone()).map(String::from);
        let mut numbering = Numbering::beside(given.collect::<Vec<_>>());
        for item in items {
            if id(item).is_none() {
                *id(item) = Id::new(&numbering.take(base(item))).ok();
            }
        }
    }
    fill(&mut body.components, |item| &mut item.id, |item| slug::from_name(item.name.as_str()));
    fill(&mut body.relationships, |item| &mut item.id, relationships::base_id);
}

/// Every id once, every type known, every end there, containment a forest. The answer names the index.
fn check(body: &Bulk) -> Result<()> {
    let mut ids = HashSet::with_capacity(body.components.len());
    for (index, item) in body.components.iter().enumerate() {
        let id = item.id.as_ref().map_or("", |id| id.as_str());
        let at = format!("components[{index}].");
        if !ids.insert(id) {
            return Err(repeated(&at, id));
        }
        components::check(&item.type_id, item.properties.as_ref(), &at)?;
        if item.x.is_some() != item.y.is_some() {
            return Err(Error::invalid(format!("{at}x"), "give both x and y, or neither"));
        }
    }
    let mut seen = HashSet::with_capacity(body.relationships.len());
    for (index, item) in body.relationships.iter().enumerate() {
        let at = format!("relationships[{index}].");
        let id = item.id.as_ref().map_or("", |id| id.as_str());
        if !seen.insert(id) {
            return Err(repeated(&at, id));
        }
        catalogue::relation_type(&format!("{at}typeId"), &item.type_id)?;
        for (field, end) in [("sourceId", &item.source_id), ("targetId", &item.target_id)] {
            if !ids.contains(end.as_str()) {
                return Err(Error::invalid(format!("{at}{field}"), format!("there is no component `{end}`")));
            }
        }
    }
    forest(body)
}

fn repeated(at: &str, id: &str) -> Error {
    Error::invalid(format!("{at}id"), format!("the id `{id}` is repeated"))
}

fn forest(body: &Bulk) -> Result<()> {
    let id = |item: &NewRelationship| item.id.as_ref().map_or_else(String::new, |id| id.as_str().to_owned());
    let mut parents: HashMap<&str, Vec<Parent>> = HashMap::new();
    let mut placed = Vec::new();
    for (index, item) in body.relationships.iter().enumerate() {
        if item.type_id == catalogue::CONTAINS {
            let parent = Parent { relationship_id: id(item), component_id: item.source_id.clone() };
            parents.entry(&item.target_id).or_default().push(parent);
            let relationship_id = item.id.as_ref().map_or("", |id| id.as_str());
            placed.push(Placed { index, relationship_id, target_id: &item.target_id });
        }
    }
    let found = containment::check(&placed, |id| Ok(parents.get(id).cloned().unwrap_or_default()))?;
    match found.first() {
        Some((index, violation)) => Err(violation.at(format!("relationships[{index}].targetId"))),
        None => Ok(()),
    }
}
