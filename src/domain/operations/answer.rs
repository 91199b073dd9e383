//! The response: the current rows of the change set.

use super::{DeletedRow, OperationKind, OperationsResult, RowId, model::Applied};
use crate::{
    domain::{
        core::{EditTx, Reads, change_log},
        map::{components, links, notes, processes, relationships, stakeholders},
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
        deleted: Vec::new(),
        refs,
    };
    for (entity, id) in written {
        let number = || id.parse::<i64>().map_err(Error::internal);
        let deleted = match entity.as_str() {
            "workspace" => {
                answer.workspace = Some(tx.workspace_now()?);
                None
            }
            "component" => match components::find_row(core.conn, &key, &id)? {
                Some(row) => {
                    answer.components.push(row);
                    None
                }
                None => Some((OperationKind::Component, RowId::Text(id))),
            },
            "relationship" => match relationships::find_row(core.conn, &key, &id)? {
                Some(row) => {
                    answer.relationships.push(row);
                    None
                }
                None => Some((OperationKind::Relationship, RowId::Text(id))),
            },
            "stakeholder" => match stakeholders::row_by_id(core.conn, &key, number()?)? {
                Some(row) => {
                    answer.stakeholders.push(row);
                    None
                }
                None => Some((OperationKind::Stakeholder, RowId::Number(number()?))),
            },
            "link" => match links::row_by_id(core.conn, &key, number()?)? {
                Some(row) => {
                    answer.links.push(row);
                    None
                }
                None => Some((OperationKind::Link, RowId::Number(number()?))),
            },
            "process" => match processes::find_row(core.conn, &key, &id)? {
                Some(row) => {
                    answer.processes.push(row);
                    None
                }
                None => Some((OperationKind::Process, RowId::Text(id))),
            },
            "note" => match notes::find_row(core.conn, &key, &id)? {
                Some(row) => {
                    answer.notes.push(row);
                    None
                }
                None => Some((OperationKind::Note, RowId::Text(id))),
            },
            other => return Err(Error::internal(format!("a change set of operations has a row of the kind {other}"))),
        };
        answer.deleted.extend(deleted.map(|(kind, id)| DeletedRow { kind, id }));
    }
    Ok(answer)
}
