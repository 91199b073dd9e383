//! The response: the current rows of the change set.

use super::{DeletedRow, OperationKind, OperationsResult, RowId, model::Applied};
use crate::{
    domain::{
        core::{EditTx, Entity, Reads, change_log},
        map::{
            decisions::shown,
            stakeholders::{StakeholderLink, row_by_id},
        },
        state::{ByKind, KindVisitor, MapRow, RowsOf, visit_kind},
    },
    error::{Error, Result},
};

/// Reads the written rows. For a repeated request, the rows are read again and may be newer.
pub(super) fn read(tx: &EditTx<'_>, applied: Applied) -> Result<OperationsResult> {
    let Applied { change_set_id, batch_id, revision, refs } = applied;
    let core = tx.core();
    let mut written = Written { tx, key: String::new(), rows: ByKind::default(), deleted: Vec::new() };
    let mut workspace = None;
    for (entity, key) in change_log::rows_written(core.conn, tx.pk(), core.actor(), &change_set_id)? {
        written.key = key;
        if entity == Entity::Workspace {
            workspace = Some(tx.workspace_now()?);
        } else if !visit_kind(entity, &mut written)? {
            let kind = entity.as_str();
            return Err(Error::internal(format!("a change set of operations has a row of the kind {kind}")));
        }
    }
    let Written { rows, deleted, .. } = written;
    // Without `..`: a new kind must be part of the answer.
    let ByKind {
        components,
        relationships,
        stakeholders,
        links,
        processes,
        notes,
        views,
        view_places,
        view_lines,
        tours,
        decisions,
    } = rows;
    let (conn, key) = (core.conn, tx.key());
    let expand = |link: &StakeholderLink| row_by_id(conn, &key, link.id).transpose();
    Ok(OperationsResult {
        change_set_id,
        batch_id,
        revision,
        workspace,
        components,
        relationships,
        stakeholders: stakeholders.iter().filter_map(expand).collect::<Result<_>>()?,
        links,
        processes,
        notes,
        views,
        view_places,
        view_lines,
        tours,
        decisions: decisions.into_iter().map(|row| shown(tx, row)).collect::<Result<_>>()?,
        deleted,
        refs,
    })
}

/// Rows of a change set, those that exist and those that do not.
struct Written<'t, 'c> {
    tx: &'t EditTx<'c>,
    key: String,
    rows: ByKind<RowsOf>,
    deleted: Vec<DeletedRow>,
}

impl KindVisitor for Written<'_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        if let Some(row) = self.tx.find::<R>(&self.key)? {
            R::of_mut(&mut self.rows).push(row);
            return Ok(());
        }
        let kind = OperationKind::ALL.iter().find(|kind| kind.entity() == R::ENTITY);
        let kind = *kind.ok_or_else(|| Error::internal("operations do not write rows of this kind"))?;
        let id = if R::IS_NUMBERED {
            RowId::Number(self.key.parse().map_err(Error::internal)?)
        } else {
            RowId::Text(self.key.clone())
        };
        self.deleted.push(DeletedRow { kind, id });
        Ok(())
    }
}
