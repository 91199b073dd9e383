//! Deletion of a row by an operation.

use super::{
    ChangeSet, OperationKind, RowId,
    body::path,
    session::{OperationTarget, OperationsRun},
};
use crate::{
    domain::{
        core::{Entity, Reads, Record},
        map::{
            components, decisions, links, notes, processes, relationships, stakeholders, tours, view_lines,
            view_places, views,
        },
    },
    error::{Error, Result},
};

/// Deletes the row that the operation `index` refers to. Deleting a component also deletes the rows that belong to it.
pub(super) fn one(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    kind: OperationKind,
    id: &RowId,
    revision: Option<i64>,
) -> Result<()> {
    let entity = match kind {
        OperationKind::Component => Entity::Component,
        OperationKind::Relationship => Entity::Relationship,
        OperationKind::Process => Entity::Process,
        OperationKind::Note => Entity::Note,
        OperationKind::View => Entity::View,
        OperationKind::ViewPlace => Entity::ViewPlace,
        OperationKind::ViewLine => Entity::ViewLine,
        OperationKind::Tour => Entity::Tour,
        OperationKind::Decision => Entity::Decision,
        OperationKind::Stakeholder => Entity::Stakeholder,
        OperationKind::Link => Entity::Link,
        OperationKind::Workspace => {
            return Err(Error::invalid(path(index, "kind"), "a workspace is not deleted by operations"));
        }
    };
    let id = match (entity, id) {
        (Entity::Stakeholder | Entity::Link, id) => match session.number(index, entity, id)? {
            Some(number) => RowId::Number(number),
            None => return Ok(()),
        },
        (_, id) => id.clone(),
    };
    let at = OperationTarget { index, entity, id: Some(id.clone()) };
    let tx = session.now();
    let (conn, key) = (tx.core().conn, tx.key());
    match (entity, id) {
        (Entity::Component, RowId::Text(id)) => {
            let found = components::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_component(&row.id))
        }
        (Entity::Relationship, RowId::Text(id)) => {
            let found = relationships::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_relationship(&row.id))
        }
        (Entity::Process, RowId::Text(id)) => {
            let found = processes::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_process(&row.id))
        }
        (Entity::Note, RowId::Text(id)) => {
            let found = notes::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_note(&row.id))
        }
        (Entity::View, RowId::Text(id)) => {
            let found = views::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_view(&row.id))
        }
        (Entity::ViewPlace, RowId::Text(id)) => {
            let found = view_places::by_key(conn, &key, &id)?;
            remove(session, &at, found, revision, ChangeSet::remove)
        }
        (Entity::ViewLine, RowId::Text(id)) => {
            let found = view_lines::by_key(conn, &key, &id)?;
            remove(session, &at, found, revision, ChangeSet::remove)
        }
        (Entity::Tour, RowId::Text(id)) => {
            let found = tours::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_tour(&row.id))
        }
        (Entity::Decision, RowId::Text(id)) => {
            let found = decisions::find_row(conn, &key, &id)?;
            remove(session, &at, found, revision, |set, row| set.delete_decision(&row.id))
        }
        (Entity::Stakeholder, RowId::Number(id)) => {
            let found = stakeholders::row_by_id(conn, &key, id)?.map(|row| row.link);
            remove(session, &at, found, revision, |set, row| set.delete_stakeholder(&row.component_id, row.id))
        }
        (Entity::Link, RowId::Number(id)) => {
            let found = links::row_by_id(conn, &key, id)?;
            remove(session, &at, found, revision, |set, row| set.delete_link(&row.component_id, row.id))
        }
        _ => Err(Error::invalid(path(index, "id"), "must be an id of this kind")),
    }
}

fn remove<'t, 'c, R: Record>(
    session: &mut OperationsRun<'t, 'c>,
    at: &OperationTarget,
    found: Option<R>,
    revision: Option<i64>,
    delete: impl FnOnce(&mut ChangeSet<'t, 'c>, &R) -> Result<()>,
) -> Result<()> {
    match found {
        None => session.deleted(at),
        Some(row) if session.is_current(at, &row, revision)? => delete(&mut session.set, &row),
        Some(_) => Ok(()),
    }
}
