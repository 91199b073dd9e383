//! Components: the nodes of the map.

use std::collections::HashSet;

use rusqlite::Connection;

pub use super::model::components::{Component, ComponentDetails, ComponentPatch, Move, NewComponent};
use super::{places, relationships, store, views::View};
use crate::{
    domain::{
        catalogue,
        core::{EditTx, Reads, RowMetadata, ViewTx, WorkspaceKey, list_rows},
        directory,
        input::{Nullable, same},
        paging::Window,
        slug,
        values::{Coordinate, Id, KebabId, Name, Properties},
    },
    error::{Error, FieldPath, Result},
};

/// Reads a component with its links and stakeholders.
pub fn read(tx: &ViewTx<'_>, id: &str) -> Result<ComponentDetails> {
    let (conn, key) = (tx.core().conn, tx.key());
    Ok(ComponentDetails {
        component: find(tx, id)?,
        links: store::links::of_component(conn, &key, id, &Window::whole())?.items,
        stakeholders: directory::stakeholders::of_component(conn, &key, id, &Window::whole())?.items,
    })
}

/// Creates a component. Several without positions are placed together by `places::fill` first.
pub fn create(tx: &mut EditTx<'_>, mut new: NewComponent) -> Result<Component> {
    new.check()?;
    check_opens(tx, &new.opens, None)?;
    places::fill(tx, &mut [&mut new], &[])?;
    let spot = new.position().unwrap_or_default();
    let taken = |id: &str| tx.has::<Component>(id);
    let id = slug::chosen("component", new.id.clone(), || slug::from_name(new.name.as_str()), taken)?;
    let row = Component { seq: tx.next_position::<Component>()?, ..new.into_row(&tx.workspace().id, id, spot) };
    tx.create(row)
}

/// A free id for a new component of this name, other than those that `is_taken` names.
pub fn free_id(tx: &ViewTx<'_>, name: &Name, is_taken: impl Fn(&str) -> bool) -> Result<Option<Id>> {
    let taken = |id: &str| Ok(is_taken(id) || tx.has::<Component>(id)?);
    Ok(Id::new(&slug::free(&slug::from_name(name.as_str()), taken)?).ok())
}

impl NewComponent {
    /// Checks the rules that need no other row.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        check(&self.type_id, self.properties.as_ref())?;
        let missing = match (self.x, self.y) {
            (Some(_), Some(_)) | (None, None) => return Ok(()),
            (None, Some(_)) => "x",
            (Some(_), None) => "y",
        };
        Err(Error::invalid(missing, "give both x and y, or neither for a free spot"))
    }

    /// The position, if given.
    pub(in crate::domain) fn position(&self) -> Option<(f64, f64)> {
        self.x.zip(self.y).map(|(x, y)| (x.get(), y.get()))
    }

    /// Fills fields that are absent in a bulk request with those of the existing row.
    pub(in crate::domain) fn keep(&mut self, existing: &Component) {
        self.width = self.width.or(existing.width).into();
        self.height = self.height.or(existing.height).into();
        self.tags.get_or_insert_with(|| existing.tags.clone());
        self.technology.get_or_insert_with(|| existing.technology.clone());
        if self.opens == Nullable::Absent {
            // An id in a row is valid.
            self.opens = existing.opens.as_deref().and_then(|id| KebabId::new(id).ok()).into();
        }
    }

    /// Converts the request to a row without an order value.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String, (x, y): (f64, f64)) -> Component {
        Component {
            seq: 0,
            id,
            workspace_id: workspace_id.to_owned(),
            type_id: self.type_id,
            name: self.name.into(),
            description: self.description.map(String::from),
            x,
            y,
            width: self.width.or(None),
            height: self.height.or(None),
            tags: self.tags.unwrap_or_default(),
            technology: self.technology.unwrap_or_default(),
            opens: self.opens.into_or(None),
            properties: self.properties.unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}

/// Updates a component.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: ComponentPatch) -> Result<Component> {
    let before: Component = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    if patch.x.is_some() || patch.y.is_some() {
        store::placed::unmark(tx.core().conn, tx.pk(), id)?;
    }
    check(patch.type_id.as_ref().unwrap_or(&before.type_id), patch.properties.as_ref())?;
    check_opens(tx, &patch.opens, before.opens.as_deref())?;
    let old = before.clone();
    let after = Component {
        type_id: patch.type_id.unwrap_or(old.type_id),
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        x: patch.x.map_or(old.x, Coordinate::get),
        y: patch.y.map_or(old.y, Coordinate::get),
        width: patch.width.or(old.width),
        height: patch.height.or(old.height),
        tags: patch.tags.unwrap_or(old.tags),
        technology: patch.technology.unwrap_or(old.technology),
        opens: patch.opens.into_or(old.opens),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    };
    tx.update(&before, after)
}

/// Moves a component.
pub(in crate::domain) fn move_to(
    tx: &mut EditTx<'_>,
    before: &Component,
    (x, y): (Coordinate, Coordinate),
) -> Result<Component> {
    store::placed::unmark(tx.core().conn, tx.pk(), &before.id)?;
    tx.update(before, Component { x: x.get(), y: y.get(), ..before.clone() })
}

/// Moves several components; either all are moved or none.
pub fn relocate(tx: &mut EditTx<'_>, moves: Vec<Move>) -> Result<Vec<Component>> {
    tx.expect_workspace()?;
    let mut seen = HashSet::new();
    let mut rows = Vec::with_capacity(moves.len());
    for (index, to) in moves.iter().enumerate() {
        let field = || FieldPath::default().index(index).field("id");
        if !seen.insert(&to.id) {
            return Err(Error::invalid(field(), format!("the component `{}` is named twice", to.id)));
        }
        let before = tx
            .find::<Component>(&to.id)?
            .ok_or_else(|| Error::invalid(field(), format!("there is no component `{}`", to.id)))?;
        rows.push(move_to(tx, &before, (to.x, to.y))?);
    }
    Ok(rows)
}

/// Deletes a component with its relationships, stakeholders, links and positions in views. Processes keep their text and mapping.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let component: Component = tx.expected(id)?;
    for relationship in store::relationships::touching(tx.core().conn, &tx.key(), id)? {
        relationships::remove(tx, &relationship)?;
    }
    remove(tx, &component)
}

/// Deletes a component without relationships, together with its stakeholders, links and positions in views.
pub(in crate::domain) fn remove(tx: &mut EditTx<'_>, component: &Component) -> Result<()> {
    for stakeholder in
        directory::stakeholders::of_component(tx.core().conn, &tx.key(), &component.id, &Window::whole())?.items
    {
        tx.delete(&stakeholder.link)?;
    }
    for link in store::links::of_component(tx.core().conn, &tx.key(), &component.id, &Window::whole())?.items {
        tx.delete(&link)?;
    }
    for place in store::view_places::of_component(tx.core().conn, &tx.key(), &component.id)? {
        tx.delete(&place)?;
    }
    tx.delete(component)
}

/// Checks that type and lifecycle are in the catalog.
fn check(type_id: &str, properties: Option<&Properties>) -> Result<()> {
    catalogue::component_type("typeId", type_id)?;
    properties.map_or(Ok(()), |properties| catalogue::lifecycle("properties", properties))
}

/// Checks that the view that a component opens exists, unless the component opens it already.
fn check_opens(tx: &ViewTx<'_>, opens: &Nullable<KebabId>, before: Option<&str>) -> Result<()> {
    match opens {
        Nullable::Value(id) if before != Some(id.as_str()) && !tx.has::<View>(id.as_str())? => {
            Err(Error::invalid("opens", format!("there is no view `{}`", id.as_str())))
        }
        _ => Ok(()),
    }
}

/// Id of a component with this name, ignoring the case of the letters a to z.
pub fn named(tx: &ViewTx<'_>, name: &str) -> Result<Option<String>> {
    store::components::named(tx.core().conn, tx.pk(), name)
}

/// Returns a component of the workspace.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Component> {
    tx.existing(id)
}

/// All components of a workspace, in list order.
pub(in crate::domain) fn rows(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Component>> {
    list_rows(conn, of)
}
