//! Operations on views, on positions and lines in them, and on tours.

use super::{
    body::Position,
    parts::{at, check_unique, has_component, located},
    session::{OperationTarget, OperationsRun},
};
use crate::{
    domain::{
        core::{Entity, Reads, Record},
        map::{
            relationships,
            tours::{self, NewTour, TourPatch},
            view_lines, view_places,
            views::{self, NewView, NewViewLine, ViewLine, ViewPatch, ViewPlace},
        },
        values::KebabId,
    },
    error::Result,
};

pub(super) fn create_view(session: &mut OperationsRun<'_, '_>, index: usize, new: NewView) -> Result<()> {
    if let Some(id) = new.id.as_ref().map(KebabId::as_str) {
        let tx = session.now();
        if let Some(row) = views::find_row(tx.core().conn, &tx.key(), id)? {
            return session.taken(&at(index, Entity::View, Some(id)), &row);
        }
    }
    let created = session.set.create_view(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::View, row.id);
    }
    Ok(())
}

pub(super) fn update_view(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: ViewPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::View, Some(id));
    let tx = session.now();
    match views::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let updated = session.set.update_view(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

pub(super) fn create_tour(session: &mut OperationsRun<'_, '_>, index: usize, new: NewTour) -> Result<()> {
    if let Some(id) = new.id.as_ref().map(KebabId::as_str) {
        let tx = session.now();
        if let Some(row) = tours::find_row(tx.core().conn, &tx.key(), id)? {
            return session.taken(&at(index, Entity::Tour, Some(id)), &row);
        }
    }
    let created = session.set.create_tour(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Tour, row.id);
    }
    Ok(())
}

pub(super) fn update_tour(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: TourPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Tour, Some(id));
    let tx = session.now();
    match tours::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let updated = session.set.update_tour(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}

/// Moves components in a view.
pub(super) fn relocate(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    view_id: &str,
    positions: Vec<Position>,
) -> Result<()> {
    check_unique(index, &positions)?;
    if !has_view(session, &at(index, Entity::View, Some(view_id)), view_id)? {
        return Ok(());
    }
    for to in positions {
        let key = ViewPlace::key_of(view_id, &to.id);
        let at = at(index, Entity::ViewPlace, Some(&key));
        if !has_component(session, &to.id)? {
            session.missing(&at, Entity::Component, &to.id)?;
            continue;
        }
        let tx = session.now();
        let row = view_places::find_row(tx.core().conn, &tx.key(), view_id, &to.id)?;
        if can_put(session, &at, row.as_ref(), to.revision)? {
            session.set.put_view_place(view_id, &to.id, (to.x, to.y))?;
            if row.is_none() {
                session.created(Entity::ViewPlace, key);
            }
        }
    }
    Ok(())
}

/// Sets how a relationship is drawn in a view.
pub(super) fn put_line(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    new: NewViewLine,
    revision: Option<i64>,
) -> Result<()> {
    let key = ViewLine::key_of(&new.view_id, new.relationship_id.as_str());
    let at = at(index, Entity::ViewLine, Some(&key));
    if !has_view(session, &at, &new.view_id)? {
        return Ok(());
    }
    let tx = session.now();
    if relationships::find_row(tx.core().conn, &tx.key(), new.relationship_id.as_str())?.is_none() {
        return session.missing(&at, Entity::Relationship, new.relationship_id.as_str());
    }
    let row = view_lines::find_row(tx.core().conn, &tx.key(), &new.view_id, new.relationship_id.as_str())?;
    if can_put(session, &at, row.as_ref(), revision)? {
        session.set.put_view_line(new)?;
        if row.is_none() {
            session.created(Entity::ViewLine, key);
        }
    }
    Ok(())
}

/// Whether the view exists; otherwise records a conflict.
fn has_view(session: &mut OperationsRun<'_, '_>, at: &OperationTarget, id: &str) -> Result<bool> {
    let tx = session.now();
    let exists = views::id_taken(tx.core().conn, tx.pk(), id)?;
    if !exists {
        session.missing(at, Entity::View, id)?;
    }
    Ok(exists)
}

/// Whether a row that need not exist can be written; otherwise records a conflict. With a revision, it must exist.
fn can_put<R: Record>(
    session: &mut OperationsRun<'_, '_>,
    at: &OperationTarget,
    row: Option<&R>,
    revision: Option<i64>,
) -> Result<bool> {
    match (row, revision) {
        (Some(row), _) => session.is_current(at, row, revision),
        (None, Some(_)) => session.deleted(at).map(|()| false),
        (None, None) => Ok(true),
    }
}
