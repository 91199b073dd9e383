//! A change set in progress. Operations, MCP tools, bulk replacement and import all write the map through this type.
//!
//! `create_…`, `update_…` and `delete_…` write one row with every check of its kind, like the endpoint for a single
//! row. `put` and `remove` write a row of a complete model, which was checked by the same functions for all rows
//! together, before the writer thread was used.

use super::{
    components::{self, Component, ComponentPatch, NewComponent},
    containment::{self, Violation},
    links::{self, Link, NewLink},
    notes::{self, NewNote, Note, NotePatch},
    placement::Placement,
    processes::{self, NewProcess, ProcessPatch, ProcessReading},
    relationships::{self, NewRelationship, Relationship, RelationshipPatch},
    stakeholders::{self, NewStakeholder, Stakeholder, StakeholderPatch},
    workspaces::{self, Workspace, WorkspacePatch},
};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Record},
        values::Coordinate,
    },
    error::{Error, Result},
    wiki::Resolved,
};

/// Several writes in a workspace. Shared work is done once: occupied positions of the map are read for the first free
/// spot, and containment is checked at the end.
pub struct ChangeSet<'t, 'c> {
    tx: &'t mut EditTx<'c>,
    placement: Option<Placement>,
    /// Written containment relationships, each with the index of the request item that wrote it.
    contained: Vec<(usize, Relationship)>,
}

impl<'t, 'c> ChangeSet<'t, 'c> {
    /// Creates a change set without writes.
    pub fn new(tx: &'t mut EditTx<'c>) -> Self {
        Self { tx, placement: None, contained: Vec::new() }
    }

    /// The workspace including the writes so far, for reading.
    pub fn now(&self) -> &EditTx<'c> {
        self.tx
    }

    /// Updates the workspace's own fields.
    pub fn update_workspace(&mut self, patch: WorkspacePatch) -> Result<Workspace> {
        workspaces::update(self.tx, patch)
    }

    /// Creates a component.
    pub fn create_component(&mut self, new: NewComponent) -> Result<Component> {
        components::create_among(self.tx, new, &mut self.placement)
    }

    /// Updates a component.
    pub fn update_component(&mut self, id: &str, patch: ComponentPatch) -> Result<Component> {
        components::update(self.tx, id, patch)
    }

    /// Moves a component.
    pub(in crate::domain) fn move_component(
        &mut self,
        component: &Component,
        to: (Coordinate, Coordinate),
    ) -> Result<Component> {
        components::move_to(self.tx, component, to)
    }

    /// Deletes a component with its relationships, stakeholders and links.
    pub fn delete_component(&mut self, id: &str) -> Result<()> {
        components::delete(self.tx, id)
    }

    /// Creates a relationship, the item `index` of the request.
    pub fn create_relationship(&mut self, index: usize, new: NewRelationship) -> Result<Relationship> {
        let row = relationships::create_unplaced(self.tx, new)?;
        self.remember_containment(index, &row);
        Ok(row)
    }

    /// Updates a relationship, the item `index` of the request.
    pub fn update_relationship(&mut self, index: usize, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
        let row = relationships::update_unplaced(self.tx, id, patch)?;
        self.remember_containment(index, &row);
        Ok(row)
    }

    /// Deletes a relationship.
    pub fn delete_relationship(&mut self, id: &str) -> Result<()> {
        relationships::delete(self.tx, id)
    }

    /// Creates a stakeholder of a component.
    pub fn create_stakeholder(&mut self, component_id: &str, new: NewStakeholder) -> Result<Stakeholder> {
        stakeholders::create(self.tx, component_id, new)
    }

    /// Updates a stakeholder of a component.
    pub fn update_stakeholder(&mut self, component_id: &str, id: i64, patch: StakeholderPatch) -> Result<Stakeholder> {
        stakeholders::update(self.tx, component_id, id, patch)
    }

    /// Deletes a stakeholder of a component.
    pub fn delete_stakeholder(&mut self, component_id: &str, id: i64) -> Result<()> {
        stakeholders::delete(self.tx, component_id, id)
    }

    /// Creates a link of a component; `page` is the wiki page that its address refers to.
    pub fn create_link(&mut self, component_id: &str, new: NewLink, page: Option<Resolved>) -> Result<Link> {
        links::create_resolved(self.tx, component_id, new, page)
    }

    /// Deletes a link of a component.
    pub fn delete_link(&mut self, component_id: &str, id: i64) -> Result<()> {
        links::delete(self.tx, component_id, id)
    }

    /// Creates a process.
    pub fn create_process(&mut self, new: NewProcess) -> Result<ProcessReading> {
        processes::create(self.tx, new)
    }

    /// Updates a process.
    pub fn update_process(&mut self, id: &str, patch: ProcessPatch) -> Result<ProcessReading> {
        processes::update(self.tx, id, patch)
    }

    /// Deletes a process.
    pub fn delete_process(&mut self, id: &str) -> Result<()> {
        processes::delete(self.tx, id)
    }

    /// Creates a note.
    pub fn create_note(&mut self, new: NewNote) -> Result<Note> {
        notes::create(self.tx, new)
    }

    /// Updates a note.
    pub fn update_note(&mut self, id: &str, patch: NotePatch) -> Result<Note> {
        notes::update(self.tx, id, patch)
    }

    /// Deletes a note.
    pub fn delete_note(&mut self, id: &str) -> Result<()> {
        notes::delete(self.tx, id)
    }

    /// Writes a row of a model over the existing row, if any. Writes nothing if both are equal.
    pub(in crate::domain) fn put<R: Record>(&mut self, before: Option<&R>, row: R) -> Result<R> {
        match before {
            Some(before) => self.tx.update(before, row),
            None => self.tx.create(row),
        }
    }

    /// Replaces the workspace's own fields by those of a model.
    pub(in crate::domain) fn put_workspace(&mut self, workspace: Workspace) -> Result<Workspace> {
        self.tx.update_workspace(workspace)
    }

    /// Deletes a row that is not in the model.
    pub(in crate::domain) fn remove<R: Record>(&mut self, row: &R) -> Result<()> {
        self.tx.delete(row)
    }

    /// Deletes a component that is not in the model, with its stakeholders and links. Its relationships must already be
    /// deleted.
    pub(in crate::domain) fn remove_component(&mut self, component: &Component) -> Result<()> {
        components::remove(self.tx, component)
    }

    fn remember_containment(&mut self, index: usize, row: &Relationship) {
        if row.type_id == catalogue::CONTAINS {
            self.contained.push((index, row.clone()));
        }
    }

    /// The relationships that violate the containment rule, each with the index of the request item that wrote it.
    pub(in crate::domain) fn violations(&self) -> Result<Vec<(usize, &Relationship, Violation)>> {
        let written = self.contained.iter().enumerate().map(|(at, (_, row))| (at, row));
        let found = containment::violations(self.tx, written)?;
        let named =
            |(at, violation): (usize, Violation)| self.contained.get(at).map(|(index, row)| (*index, row, violation));
        Ok(found.into_iter().filter_map(named).collect())
    }

    /// Ends the change set. If relationships violate the containment rule, returns the index of the first one and an
    /// error for its field.
    pub fn check(&self) -> Result<Option<(usize, Error)>> {
        let first = self.violations()?.into_iter().next();
        Ok(first.map(|(index, _, violation)| (index, violation.at("targetId"))))
    }
}
