//! Operations: several writes in one workspace as one change set.
//!
//! All operations of a request are applied in order in one transaction and under one revision, or none is. Conflicts
//! with the current state do not stop processing: all of them are collected, each with the current row, so that a
//! client can rebase its edit in a single step.

mod answer;
mod apply;
mod body;
mod model;
mod rows;
#[cfg(feature = "contracts")]
mod schema;
mod session;

use self::{apply::Operation, model::Applied, rows::Planned, session::OperationsRun};
pub use self::{
    body::Operations,
    model::{
        DeletedRow, MAX_OPERATIONS, MAX_POSITIONS, OperationKind, OperationsResult, Position, RowId, WorkspaceFields,
    },
};
pub use super::map::change_set::ChangeSet;
use super::{
    core::{Call, EditTx, Precondition, Reads, access::Editor},
    map::{links::NewLink, places},
    wiki::Wiki,
};
use crate::error::{Error, Result};

/// Operations that write more rows than this are committed in their own transaction.
const LARGE_CHANGE_SET: usize = 1_000;

/// Applies the operations in order, all or none.
///
/// The body is validated completely before the writer thread is used, and wiki pages are looked up before the
/// transaction begins.
pub async fn apply(
    wiki: &Wiki,
    mut call: Call<Editor>,
    workspace_id: String,
    body: Operations,
) -> Result<OperationsResult> {
    call.precondition = Precondition::None;
    let gate = wiki.gate().clone();
    let (incarnation, operations) = gate.heavy_work(move || body::read(body)).await?;
    if is_large(&operations) {
        call = call.large();
    }
    let pages = wiki.resolve_new_links(&call, &workspace_id, new_links(&operations)).await?;
    let write = move |tx: &mut EditTx<'_>| {
        check_incarnation(tx, incarnation.as_deref())?;
        let mut operations = operations;
        place_new(tx, &mut operations)?;
        let mut session = OperationsRun::new(tx, pages);
        for (index, operation) in operations.into_iter().enumerate() {
            operation.apply(&mut session, index)?;
        }
        let refs = session.finish()?;
        let core = tx.core();
        Ok(Applied {
            change_set_id: core.call.change_set.clone(),
            batch_id: core.call.batch().to_owned(),
            revision: tx.workspace_now()?.metadata.revision,
            refs,
        })
    };
    gate.write_and_read(call, workspace_id, write, answer::read).await
}

/// Places the new components without a position, with regard to the relationships that the operations create.
fn place_new(tx: &EditTx<'_>, operations: &mut [Box<dyn Operation>]) -> Result<()> {
    let mut planned = Planned::default();
    for operation in operations {
        operation.plan(&mut planned);
    }
    places::fill(tx, &mut planned.components, &planned.relationships)
}

/// Rejects operations that were made against another incarnation of the database.
fn check_incarnation(tx: &EditTx<'_>, given: Option<&str>) -> Result<()> {
    match given {
        Some(given) if !tx.core().incarnation().is_named_by(given) => Err(Error::OtherIncarnation),
        _ => Ok(()),
    }
}

/// Whether the operations may write so many rows that they should not share a commit with other writes.
fn is_large(operations: &[Box<dyn Operation>]) -> bool {
    operations.iter().map(|operation| operation.rows()).sum::<usize>() > LARGE_CHANGE_SET
}

/// The links that the operations create, by the index of the operation.
fn new_links(operations: &[Box<dyn Operation>]) -> Vec<(usize, NewLink)> {
    let indexed = operations.iter().enumerate();
    indexed.filter_map(|(index, operation)| Some((index, operation.new_link()?.clone()))).collect()
}
