//! Validation of a complete model, before any row is read or written.

use std::collections::{HashMap, HashSet};

use super::{Bulk, BulkWorkspace};
use crate::{
    domain::{
        catalogue,
        map::{
            components::NewComponent,
            containment::{self, Containment, Parent},
            relationships::{self, NewRelationship},
        },
        slug::{self, Numbering},
        values::{Id, Properties},
    },
    error::{Error, FieldPath, Result},
};

/// A validated model: every row has an id, and all rules that need no row of the database are satisfied.
pub(in crate::domain) struct Checked {
    /// The workspace's own fields.
    pub(super) workspace: Option<BulkWorkspace>,
    pub(super) components: Vec<NewComponent>,
    pub(super) relationships: Vec<NewRelationship>,
}

impl Checked {
    /// Assigns ids to rows without an id and validates the model.
    pub(in crate::domain) fn new(body: Bulk) -> Result<Self> {
        let Bulk { workspace, components, relationships } = body;
        let components = components.into_iter().map(NewComponent::from).collect();
        let mut model = Self { workspace, components, relationships };
        model.fill_ids();
        model.check()?;
        Ok(model)
    }

    /// The ids of the components.
    pub(in crate::domain) fn component_ids(&self) -> impl Iterator<Item = &str> {
        self.components.iter().filter_map(|item| item.id.as_ref().map(Id::as_str))
    }

    /// The ids of the relationships.
    pub(in crate::domain) fn relationship_ids(&self) -> impl Iterator<Item = &str> {
        self.relationships.iter().filter_map(|item| item.id.as_ref().map(Id::as_str))
    }

    /// The properties of the components.
    pub(in crate::domain) fn properties(&mut self) -> impl Iterator<Item = &mut Properties> {
        self.components.iter_mut().filter_map(|item| item.properties.as_mut())
    }

    /// Assigns ids to rows without an id. The same body always gets the same ids.
    fn fill_ids(&mut self) {
        fn fill<T>(items: &mut [T], id: impl Fn(&mut T) -> &mut Option<Id>, base: impl Fn(&T) -> String) {
            let given = items.iter_mut().filter_map(|item| id(item).clone()).map(String::from);
            let mut numbering = Numbering::beside(given.collect::<Vec<_>>());
            for item in items {
                if id(item).is_none() {
                    *id(item) = Id::new(&numbering.take(base(item))).ok();
                }
            }
        }
        fill(&mut self.components, |item| &mut item.id, |item| slug::from_name(item.name.as_str()));
        fill(&mut self.relationships, |item| &mut item.id, relationships::base_id);
    }

    /// Validates every row like the endpoint that creates it, against the other rows of the model. Error paths contain
    /// the index.
    fn check(&self) -> Result<()> {
        let mut ids = HashSet::with_capacity(self.components.len());
        for (index, item) in self.components.iter().enumerate() {
            let checked = once(&mut ids, item.id.as_ref()).and_then(|()| item.check());
            checked.map_err(|error| error.within(FieldPath::item("components", index)))?;
        }
        let mut seen = HashSet::with_capacity(self.relationships.len());
        for (index, item) in self.relationships.iter().enumerate() {
            let checked = once(&mut seen, item.id.as_ref()).and_then(|()| item.check(|id| Ok(ids.contains(id))));
            checked.map_err(|error| error.within(FieldPath::item("relationships", index)))?;
        }
        forest(&self.relationships)
    }
}

/// Rejects an id that an earlier row of the same kind has.
fn once<'i>(seen: &mut HashSet<&'i str>, id: Option<&'i Id>) -> Result<()> {
    let id = id.map_or("", |id| id.as_str());
    if seen.insert(id) {
        return Ok(());
    }
    Err(Error::invalid("id", format!("the id `{id}` is repeated")))
}

/// Checks that containment is a forest.
fn forest(relationships: &[NewRelationship]) -> Result<()> {
    let id = |item: &NewRelationship| item.id.as_ref().map_or_else(String::new, |id| id.as_str().to_owned());
    let mut parents: HashMap<&str, Vec<Parent>> = HashMap::new();
    let mut placed = Vec::new();
    for (index, item) in relationships.iter().enumerate() {
        if item.type_id == catalogue::CONTAINS {
            let parent = Parent { relationship_id: id(item), component_id: item.source_id.clone() };
            parents.entry(&item.target_id).or_default().push(parent);
            let relationship_id = item.id.as_ref().map_or("", |id| id.as_str());
            placed.push(Containment { index, relationship_id, target_id: &item.target_id });
        }
    }
    let found = containment::check(&placed, |id| Ok(parents.get(id).cloned().unwrap_or_default()))?;
    match found.first() {
        Some((index, violation)) => Err(violation.at(FieldPath::item("relationships", *index).field("targetId"))),
        None => Ok(()),
    }
}
