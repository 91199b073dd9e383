//! The response: the current rows of the change set.

use super::{DeletedRow, OperationKind, OperationsResult, RowId, model::Applied};
use crate::{
    domain::{
        core::{EditTx, Reads, change_log},
        map::{
            components, decisions, links, notes, processes, relationships, stakeholders, tours, view_lines,
            view_places, views,
        },
    },
    error::{Error, Result},
};

/// Reads the written rows. For a repeated request, the rows are read again and may be newer.
pub(super) fn read(tx: &EditTx<'_>, applied: Applied) -> Result<OperationsResult> {
    let Applied { change_set_id, batch_id, revision, refs } = applied;
    let (core, key) = (tx.core(), tx.key());
    let written = change_log::rows_written(core.conn, tx.pk(), core.actor(), &change_set_id)?;
    let mut answer = OperationsResult {
        change_set_id,
        batch_id,
        revision,
        workspace: None,
        components: Vec::new(),
        relationships: Vec::new(),
        stakeholders: Vec::new(),
        links: Vec::new(),
        processes: Vec::new(),
        notes: Vec::new(),
        views: Vec::new(),
        view_places: Vec::new(),
        view_lines: Vec::new(),
        tours: Vec::new(),
        decisions: Vec::new(),
        deleted: Vec::new(),
        refs,
    };
    for (entity, id) in written {
        let known = OperationKind::ALL.iter().find(|kind| kind.as_str() == entity);
        let kind = *known
            .ok_or_else(|| Error::internal(format!("a change set of operations has a row of the kind {entity}")))?;
        let number = || id.parse::<i64>().map_err(Error::internal);
        let conn = core.conn;
        let exists = match kind {
            OperationKind::Workspace => {
                answer.workspace = Some(tx.workspace_now()?);
                true
            }
            OperationKind::Component => keep(components::find_row(conn, &key, &id)?, &mut answer.components),
            OperationKind::Relationship => keep(relationships::find_row(conn, &key, &id)?, &mut answer.relationships),
            OperationKind::Stakeholder => {
                keep(stakeholders::row_by_id(conn, &key, number()?)?, &mut answer.stakeholders)
            }
            OperationKind::Link => keep(links::row_by_id(conn, &key, number()?)?, &mut answer.links),
            OperationKind::Process => keep(processes::find_row(conn, &key, &id)?, &mut answer.processes),
            OperationKind::Note => keep(notes::find_row(conn, &key, &id)?, &mut answer.notes),
            OperationKind::View => keep(views::find_row(conn, &key, &id)?, &mut answer.views),
            OperationKind::ViewPlace => keep(view_places::by_key(conn, &key, &id)?, &mut answer.view_places),
            OperationKind::ViewLine => keep(view_lines::by_key(conn, &key, &id)?, &mut answer.view_lines),
            OperationKind::Tour => keep(tours::find_row(conn, &key, &id)?, &mut answer.tours),
            OperationKind::Decision => {
                let found = decisions::find_row(conn, &key, &id)?.map(|row| decisions::shown(tx, row));
                keep(found.transpose()?, &mut answer.decisions)
            }
        };
        if !exists {
            let id = match kind {
                OperationKind::Stakeholder | OperationKind::Link => RowId::Number(number()?),
                _ => RowId::Text(id),
            };
            answer.deleted.push(DeletedRow { kind, id });
        }
    }
    Ok(answer)
}

/// Adds a row that exists to the rows of its kind. Returns whether it exists.
fn keep<R>(found: Option<R>, rows: &mut Vec<R>) -> bool {
    let exists = found.is_some();
    rows.extend(found);
    exists
}
