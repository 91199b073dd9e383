//! A change set in progress. Operations, MCP tools, bulk replacement and import all write the map through this type.
//!
//! Rows are written through [`ChangeSet::tx`], by the functions of their kinds. Only relationships are written here, because
//! their containment is checked at the end. `put` and `remove` write a row of a complete model, which was checked by the same
//! functions for all rows together, before the writer thread was used.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    arrangement::{self, Arranged},
    components::{Component, NewComponent},
    containment::{self, Violation},
    near,
    placement::{self, Map, Overlaps},
    places::{self, Ends},
    relationships::{self, NewRelationship, Relationship, RelationshipPatch},
    workspaces::Workspace,
};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Reads, Record, Via},
    },
    error::{Error, Result},
};

/// What a change set did.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// Label or id under which the change set is undone; none if nothing was written.
    pub change_set_id: Option<String>,
    /// Revision of the workspace afterward.
    pub revision: i64,
}

/// Several writes in a workspace. Shared work is done once: containment is checked at the end, and tools place components
/// with regard to all relationships.
pub struct ChangeSet<'t, 'c> {
    tx: &'t mut EditTx<'c>,
    /// Written containment relationships, each with the index of the request item that wrote it.
    contained: Vec<(usize, Relationship)>,
    /// Source, target and type of the relationships that a tool created or gave other ends.
    new_ends: Vec<(String, String, String)>,
    /// The components that a tool created without a position.
    placed: HashSet<String>,
}

impl<'t, 'c> ChangeSet<'t, 'c> {
    /// Creates a change set without writes.
    pub fn new(tx: &'t mut EditTx<'c>) -> Self {
        Self { tx, contained: Vec::new(), new_ends: Vec::new(), placed: HashSet::new() }
    }

    /// The workspace including the writes so far, for reading.
    pub fn now(&self) -> &EditTx<'c> {
        self.tx
    }

    /// For writes of rows other than relationships.
    pub fn tx(&mut self) -> &mut EditTx<'c> {
        self.tx
    }

    /// Creates a relationship, the item `index` of the request.
    pub fn create_relationship(&mut self, index: usize, new: NewRelationship) -> Result<Relationship> {
        let row = relationships::create_unplaced(self.tx, new)?;
        self.remember_containment(index, &row);
        self.remember_ends(&row);
        Ok(row)
    }

    /// Updates a relationship, the item `index` of the request.
    pub fn update_relationship(&mut self, index: usize, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
        let before = relationships::find(self.tx, id)?;
        let row = relationships::update_unplaced(self.tx, id, patch)?;
        self.remember_containment(index, &row);
        if (&before.source_id, &before.target_id, &before.type_id) != (&row.source_id, &row.target_id, &row.type_id) {
            self.remember_ends(&row);
        }
        Ok(row)
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

    /// Deletes a row on which no other row depends.
    pub(in crate::domain) fn remove<R: Record>(&mut self, row: &R) -> Result<()> {
        self.tx.delete(row)
    }

    /// Gives new components of a tool call a place if they have no position, with regard to the relationships that the call
    /// will create.
    pub fn place_new(&mut self, new: &mut [&mut NewComponent], planned: &[Ends<'_>]) -> Result<()> {
        let without = |new: &&mut NewComponent| new.x.is_none() && new.y.is_none();
        let ids =
            new.iter().filter(|new| without(new)).filter_map(|new| new.id.as_ref().map(|id| id.as_str().to_owned()));
        self.placed.extend(ids);
        places::fill(self.tx, new, planned)
    }

    /// Remembers that these new components had no position.
    pub(in crate::domain) fn remember_placed(&mut self, ids: impl IntoIterator<Item = String>) {
        self.placed.extend(ids);
    }

    /// Where components are drawn, for [`Self::settle`].
    pub fn map(&self) -> Result<Map> {
        places::read(self.tx, false)
    }

    /// Ends the placement of a tool call: components that the user's earlier calls placed are placed again if their group or
    /// their first relationships are new. Returns the overlaps that were not there `before` the call.
    pub fn settle(&mut self, before: &Map) -> Result<Overlaps> {
        self.mark_placed()?;
        arrangement::place_again(self.tx, &self.new_ends, &self.placed)?;
        Ok(placement::caused(before, &self.map()?))
    }

    /// Ends the placement of a sync: components that earlier syncs of the user placed are placed again if they are in another
    /// group now, unless someone has moved them.
    pub(in crate::domain) fn settle_groups(&mut self) -> Result<()> {
        places::mark(self.tx, self.placed.iter().map(String::as_str))?;
        let ends = |row: &Relationship| (row.source_id.clone(), row.target_id.clone(), row.type_id.clone());
        let contained: Vec<_> = self.contained.iter().map(|(_, row)| ends(row)).collect();
        arrangement::place_again(self.tx, &contained, &self.placed).map(drop)
    }

    /// Records which components a tool placed.
    pub(in crate::domain) fn mark_placed(&self) -> Result<()> {
        if self.is_tool() { places::mark(self.tx, self.placed.iter().map(String::as_str)) } else { Ok(()) }
    }

    /// Arranges components in layers.
    pub fn arrange(&mut self, ids: &[String], dry_run: bool) -> Result<Arranged> {
        arrangement::arrange(self.tx, ids, dry_run)
    }

    /// Puts a component, the item `index` of the request, into a group and out of its current one, or only out of it. Returns
    /// whether this is a change.
    pub fn set_parent(&mut self, index: usize, id: &str, parent: Option<&str>) -> Result<bool> {
        let now = containment::parents(self.tx, id)?;
        if now.iter().map(|parent| parent.component_id.as_str()).eq(parent) {
            return Ok(false);
        }
        for parent in now {
            relationships::delete(self.tx, &parent.relationship_id)?;
        }
        let Some(parent) = parent else { return Ok(true) };
        if !self.tx.has::<Component>(parent)? {
            return Err(Error::invalid("parentId", near::no_component(self.tx, parent)?));
        }
        self.create_relationship(index, NewRelationship::contains(parent, id))?;
        Ok(true)
    }

    fn is_tool(&self) -> bool {
        self.tx.core().call.via == Via::Mcp
    }

    fn remember_ends(&mut self, row: &Relationship) {
        if self.is_tool() {
            self.new_ends.push((row.source_id.clone(), row.target_id.clone(), row.type_id.clone()));
        }
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
        self.check_as("targetId")
    }

    /// Like [`Self::check`], for another field.
    pub fn check_as(&self, field: &'static str) -> Result<Option<(usize, Error)>> {
        let first = self.violations()?.into_iter().next();
        Ok(first.map(|(index, _, violation)| (index, violation.at(field))))
    }

    /// What was written so far.
    pub fn outcome(&self) -> Result<Outcome> {
        let (before, revision) = (self.tx.workspace().metadata.revision, self.tx.workspace_now()?.metadata.revision);
        let change_set_id = (revision > before).then(|| self.tx.core().call.batch().to_owned());
        Ok(Outcome { change_set_id, revision })
    }
}
