//! Relationships between components, and the containment rule.

use rusqlite::Connection;

pub use super::model::relationships::{End, NewRelationship, Relationship, RelationshipPatch};
pub(in crate::domain) use super::store::relationships::touching;
use super::{components::Component, containment, store};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Reads, RowMetadata, ViewTx, WorkspaceKey, list_rows},
        input::{Nullable, same},
        slug,
    },
    error::{Error, Result},
};

/// Creates a relationship.
pub fn create(tx: &mut EditTx<'_>, new: NewRelationship) -> Result<Relationship> {
    let created = create_unplaced(tx, new)?;
    contained(tx, &created)?;
    Ok(created)
}

/// Creates a relationship without checking the containment rule. The change set checks it.
pub(super) fn create_unplaced(tx: &mut EditTx<'_>, new: NewRelationship) -> Result<Relationship> {
    let taken = |id: &str| tx.has::<Relationship>(id);
    let id = slug::chosen("relationship", new.id.clone(), || base_id(&new), taken)?;
    new.check(|id| tx.has::<Component>(id))?;
    let row = Relationship { seq: tx.next_position::<Relationship>()?, ..new.into_row(&tx.workspace().id, id) };
    tx.create(row)
}

impl NewRelationship {
    /// The relationship that puts a component into a group.
    pub(in crate::domain) fn contains(group: &str, part: &str) -> Self {
        Self {
            id: None,
            source_id: group.to_owned(),
            target_id: part.to_owned(),
            type_id: catalogue::CONTAINS.to_owned(),
            label: None,
            technology: None,
            line: Nullable::Absent,
            properties: None,
        }
    }

    /// Checks all rules except containment. `has` returns whether a component with the given id exists.
    pub(in crate::domain) fn check(&self, has: impl FnMut(&str) -> Result<bool>) -> Result<()> {
        check(&self.type_id, [&self.source_id, &self.target_id], has)
    }

    /// Fills fields that are absent in a bulk request with those of the existing row.
    pub(in crate::domain) fn keep(&mut self, existing: &Relationship) {
        self.technology.get_or_insert_with(|| existing.technology.clone());
        if self.line == Nullable::Absent {
            self.line = existing.line.clone().into();
        }
    }

    /// Builds the row. Its position is not set yet.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String) -> Relationship {
        Relationship {
            seq: 0,
            id,
            workspace_id: workspace_id.to_owned(),
            source_id: self.source_id,
            target_id: self.target_id,
            type_id: self.type_id,
            label: self.label.map(String::from),
            technology: self.technology.unwrap_or_default(),
            line: self.line.or(None),
            properties: self.properties.unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}

/// Updates a relationship.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
    let updated = update_unplaced(tx, id, patch)?;
    contained(tx, &updated)?;
    Ok(updated)
}

/// Updates a relationship without checking the containment rule. The change set checks it.
pub(super) fn update_unplaced(tx: &mut EditTx<'_>, id: &str, patch: RelationshipPatch) -> Result<Relationship> {
    let before: Relationship = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    let old = before.clone();
    let after = Relationship {
        source_id: patch.source_id.unwrap_or(old.source_id),
        target_id: patch.target_id.unwrap_or(old.target_id),
        type_id: patch.type_id.unwrap_or(old.type_id),
        label: patch.label.map(String::from).or(old.label),
        technology: patch.technology.unwrap_or(old.technology),
        line: patch.line.or(old.line),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    };
    let has = |id: &str| tx.has::<Component>(id);
    check(&after.type_id, [&after.source_id, &after.target_id], has)?;
    tx.update(&before, after)
}

/// Deletes a relationship with its lines in views.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let relationship: Relationship = tx.expected(id)?;
    remove(tx, &relationship)
}

/// Deletes a relationship together with its lines in views.
pub(in crate::domain) fn remove(tx: &mut EditTx<'_>, relationship: &Relationship) -> Result<()> {
    for line in store::view_lines::of_relationship(tx.core().conn, &tx.key(), &relationship.id)? {
        tx.delete(&line)?;
    }
    tx.delete(relationship)
}

/// Derives an id for a relationship that was created without an id. The id is not unique yet.
pub(in crate::domain) fn base_id(new: &NewRelationship) -> String {
    slug::from_name(&format!("{} {} {}", new.source_id, new.type_id, new.target_id))
}

/// Number of relationships at one end of a component.
pub fn count_at(tx: &ViewTx<'_>, component_id: &str, end: End) -> Result<usize> {
    store::relationships::count_at(tx.core().conn, tx.pk(), component_id, end)
}

/// Lists at most `most` relationships at one end of a component, in list order, after the one with this position and id.
pub fn page_at(
    tx: &ViewTx<'_>,
    component_id: &str,
    end: End,
    after: (i64, &str),
    most: i64,
) -> Result<Vec<Relationship>> {
    store::relationships::page_at(tx.core().conn, &tx.key(), component_id, end, after, most)
}

/// Finds the relationship of a type between two components, the oldest if there are several.
pub fn between(tx: &ViewTx<'_>, ends: [&str; 2], type_id: &str) -> Result<Option<Relationship>> {
    store::relationships::between(tx.core().conn, &tx.key(), ends, type_id)
}

/// Finds a relationship of the workspace.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Relationship> {
    tx.existing(id)
}

/// Checks that the type is in the catalog and that both components exist.
fn check(type_id: &str, ends: [&str; 2], mut has: impl FnMut(&str) -> Result<bool>) -> Result<()> {
    catalogue::relation_type("typeId", type_id)?;
    for (field, id) in ["sourceId", "targetId"].into_iter().zip(ends) {
        if !has(id)? {
            return Err(Error::invalid(field, format!("there is no component `{id}`")));
        }
    }
    Ok(())
}

/// Checks that containment is still a forest after `relationship` was written.
fn contained(tx: &EditTx<'_>, relationship: &Relationship) -> Result<()> {
    match containment::violations(tx, [(0, relationship)])?.first() {
        Some((_, violation)) => Err(violation.at("targetId")),
        None => Ok(()),
    }
}

/// All relationships of a workspace, in list order.
pub(in crate::domain) fn rows(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Relationship>> {
    list_rows(conn, of)
}

/// The relationship with this id, if there is one.
pub(in crate::domain) fn find_row(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Relationship>> {
    crate::domain::core::find_row(conn, of, id)
}
