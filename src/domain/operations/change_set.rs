//! The rows of one change set that are written one by one: by operations, and by the tools of assistants.

use crate::{
    domain::{
        access::EditTx,
        catalogue,
        components::{self, Component, NewComponent},
        containment::{self, Violation},
        placement::Placement,
        relationships::{self, NewRelationship, Relationship, RelationshipPatch},
    },
    error::{Error, Result},
};

/// Several writes in a workspace. What concerns all of them is done once: the taken places of the map are read for the
/// first free spot, and containment is checked at the end.
pub struct ChangeSet<'t, 'c> {
    tx: &'t mut EditTx<'c>,
    placement: Option<Placement>,
    /// The relationships of containment that were written, by the index of who wrote them.
    contained: Vec<(usize, Relationship)>,
}

impl<'t, 'c> ChangeSet<'t, 'c> {
    /// A change set without writes.
    pub fn new(tx: &'t mut EditTx<'c>) -> Self {
        Self { tx, placement: None, contained: Vec::new() }
    }

    /// The transaction, for all other writes.
    pub fn tx(&mut self) -> &mut EditTx<'c> {
        self.tx
    }

    /// Creates a component.
    pub fn create_component(&mut self, new: NewComponent) -> Result<Component> {
        components::create_among(self.tx, new, &mut self.placement)
    }

    /// Creates a relationship, the item `index` of what was sent.
    pub fn create_relationship(&mut self, index: usize, new: NewRelationship) -> Result<Relationship> {
        let row = relationships::create_unplaced(self.tx, new)?;
        self.note(index, &row);
        Ok(row)
    }

    /// Changes a relationship, the item `index` of what was sent.
    pub fn update_relationship(&mut self, index: usize, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
        let row = relationships::update_unplaced(self.tx, id, patch)?;
        self.note(index, &row);
        Ok(row)
    }

    fn note(&mut self, index: usize, row: &Relationship) {
        if row.type_id == catalogue::CONTAINS {
            self.contained.push((index, row.clone()));
        }
    }

    /// The relationships that break the rule of containment, with the index of what wrote them.
    pub(in crate::domain) fn violations(&self) -> Result<Vec<(usize, &Relationship, Violation)>> {
        let written = self.contained.iter().enumerate().map(|(at, (_, row))| (at, row));
        let found = containment::violations(self.tx, written)?;
        let named =
            |(at, violation): (usize, Violation)| self.contained.get(at).map(|(index, row)| (*index, row, violation));
        Ok(found.into_iter().filter_map(named).collect())
    }

    /// Refuses the change set when containment is no forest: answers with the index of what broke it, and how.
    pub fn check(&self) -> Result<Option<(usize, Error)>> {
        let first = self.violations()?.into_iter().next();
        Ok(first.map(|(index, _, violation)| (index, violation.at("targetId"))))
    }
}
