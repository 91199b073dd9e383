//! Views: saved selections of the components of a workspace.

pub(in crate::domain) mod contents;
pub mod implied;
pub mod positions;
pub mod reading;
pub mod resolve;
pub mod resolved;
mod selectors;
#[cfg(test)]
mod tests;
mod text;

use rusqlite::Connection;

pub use super::model::views::{
    AroundDirection, Depth, MAX_DEPTH, MAX_LISTED, MAX_SELECTORS, NewView, NewViewCopy, NewViewLine, NewViewPlace,
    OutsideComponents, PropertyValues, View, ViewAround, ViewDefinition, ViewLayout, ViewLine, ViewPatch, ViewPlace,
    ViewSelector, ViewShow,
};
use super::{
    model::{
        order::GAP,
        views::{ListPosition, check_id, is_reserved},
    },
    store, view_lines, view_places,
};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx, WorkspaceKey, list_rows},
        input::same,
        paging::{Page, Paging},
        slug,
        values::{KebabId, Name},
    },
    error::{Error, Result},
};

/// Lists the views of a workspace, in their order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<View>> {
    tx.page(paging)
}

/// Reads a view.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<View> {
    tx.existing(id)
}

/// Id of a view with this name, in any case.
pub fn named(tx: &ViewTx<'_>, name: &str) -> Result<Option<String>> {
    let name = name.to_lowercase();
    let known = tx.rows::<View>()?.into_iter().find(|view| view.name.to_lowercase() == name);
    Ok(known.map(|view| view.id))
}

/// Creates a view.
pub fn create(tx: &mut EditTx<'_>, new: NewView) -> Result<View> {
    new.check()?;
    let id = new_id(tx, new.id.as_ref(), new.name.as_str())?;
    let row = View { position: position(tx, new.position)?, ..new.into_row(&tx.workspace().id, id) };
    tx.create(row)
}

/// Updates a view.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: ViewPatch) -> Result<View> {
    let before: View = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    check_definition(patch.definition.as_ref())?;
    let old = before.clone();
    let after = View {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        position: patch.position.map_or(old.position, ListPosition::get),
        definition: patch.definition.unwrap_or(old.definition),
        layout: patch.layout.unwrap_or(old.layout),
        ..old
    };
    tx.update(&before, after)
}

/// Deletes a view with its positions and lines. Components and tours that refer to it are unchanged.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let view: View = tx.expected(id)?;
    for line in view_lines::of_view(tx.core().conn, &tx.key(), id)? {
        tx.delete(&line)?;
    }
    for place in view_places::of_view(tx.core().conn, &tx.key(), id)? {
        tx.delete(&place)?;
    }
    tx.delete(&view)
}

/// Copies a view with its positions and lines.
pub fn copy(tx: &mut EditTx<'_>, id: &str, new: NewViewCopy) -> Result<View> {
    let original = find(tx, id)?;
    check_id(new.id.as_ref())?;
    let name = match new.name {
        Some(name) => name,
        None => Name::copy_of(&original.name).map_err(Error::internal)?,
    };
    let position = match new.position {
        Some(position) => position.get(),
        None => position_after(tx, &original)?,
    };
    let id = new_id(tx, new.id.as_ref(), name.as_str())?;
    let view =
        tx.create(View { id, name: name.into(), position, metadata: RowMetadata::default(), ..original.clone() })?;
    for place in view_places::of_view(tx.core().conn, &tx.key(), &original.id)? {
        tx.create(ViewPlace { view_id: view.id.clone(), metadata: RowMetadata::default(), ..place })?;
    }
    for line in view_lines::of_view(tx.core().conn, &tx.key(), &original.id)? {
        tx.create(ViewLine { view_id: view.id.clone(), metadata: RowMetadata::default(), ..line })?;
    }
    Ok(view)
}

/// The id of a new view: the given one, or a free one derived from its name.
fn new_id(tx: &EditTx<'_>, given: Option<&KebabId>, name: &str) -> Result<String> {
    let taken = |id: &str| tx.has::<View>(id);
    // A reserved id that is derived from a name gets a number.
    let not_free = |id: &str| Ok(is_reserved(id) || taken(id)?);
    match given {
        Some(id) => slug::chosen("view", Some(id.as_str()), String::new, taken),
        None => slug::free(&slug::strict(name, "view"), not_free),
    }
}

/// The position of a new view: the given one, or the one at the end.
fn position(tx: &EditTx<'_>, given: Option<ListPosition>) -> Result<i64> {
    match given {
        Some(position) => Ok(position.get()),
        None => tx.next_position::<View>(),
    }
}

/// A position between a view and the one after it.
fn position_after(tx: &EditTx<'_>, view: &View) -> Result<i64> {
    let next = store::views::position_after(tx.core().conn, tx.pk(), view)?;
    Ok(next.map_or(view.position + GAP, |next| i64::midpoint(view.position, next)))
}

/// Checks the rules of a definition that need no other row.
pub(in crate::domain) fn check_definition(definition: Option<&ViewDefinition>) -> Result<()> {
    let Some(definition) = definition else { return Ok(()) };
    let first = definition.problems().and_then(|problems| problems.into_iter().next().map_or(Ok(()), Err));
    first.map_err(|error| error.within("definition"))
}

impl NewView {
    /// Checks the rules that need no other row.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        check_id(self.id.as_ref())?;
        check_definition(self.definition.as_ref())
    }

    /// Converts the request to a row without a position.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String) -> View {
        View {
            id,
            workspace_id: workspace_id.to_owned(),
            name: self.name.into(),
            description: self.description.map(String::from),
            position: 0,
            definition: self.definition.unwrap_or_default(),
            layout: self.layout.unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}

/// All views of a workspace, in list order.
pub(in crate::domain) fn rows(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<View>> {
    list_rows(conn, of)
}
