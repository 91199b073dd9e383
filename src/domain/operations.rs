//! Operations: several writes in one workspace as one change set.
//!
//! All operations of a request are applied in order in one transaction and under one revision, or none is. Conflicts
//! with the current state do not stop processing: all of them are collected, each with the current row, so that a
//! client can rebase its edit in a single step.

mod answer;
mod apply;
mod body;
mod change_set;
mod delete;
mod schema;
mod session;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::{body::Operation, schema::row_id, session::Session};
pub use self::{
    body::{Operations, Position, WorkspaceFields},
    change_set::ChangeSet,
};
use super::{
    access::{Call, EditTx, Precondition, Reads},
    components::Component,
    links::Link,
    processes::Process,
    relationships::Relationship,
    stakeholders::Stakeholder,
    values::words,
    wiki::Wiki,
    workspaces::Workspace,
};
use crate::error::{Error, Result};

/// Maximum number of operations per request.
pub const MAX_OPERATIONS: usize = 10_000;
/// Maximum total number of positions in the `move` operations of one request.
pub const MAX_POSITIONS: usize = 100_000;

/// Operations that write more rows than this are committed in their own transaction.
const LARGE_CHANGE_SET: usize = 1_000;

words! {
    /// A kind of row that operations write.
    OperationKind {
        /// The workspace's own fields.
        Workspace = "workspace",
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A stakeholder.
        Stakeholder = "stakeholder",
        /// An external link.
        Link = "link",
        /// A process.
        Process = "process",
    }
}

/// The rows that a change set wrote, in their final state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationsResult {
    /// Change set id. Undo this change set to undo all operations at once.
    #[schema(example = "0193a1f0c7d87c3e9a3c5c1c2b6a7f10")]
    pub change_set_id: String,
    /// `X-Batch-Id` of the request; defaults to the change set id.
    pub batch_id: String,
    /// Workspace revision after the operations. Unchanged if no operation changed anything.
    #[schema(example = 12)]
    pub revision: i64,
    /// The workspace; present if its own fields were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspace: Option<Workspace>,
    /// Components that were created or updated.
    pub components: Vec<Component>,
    /// Relationships that were created or updated.
    pub relationships: Vec<Relationship>,
    /// Stakeholders that were created or updated.
    pub stakeholders: Vec<Stakeholder>,
    /// Links that were created.
    pub links: Vec<Link>,
    /// Processes that were created or updated.
    pub processes: Vec<Process>,
    /// Rows that were deleted, including rows deleted together with their component.
    pub deleted: Vec<DeletedRow>,
    /// Ids assigned by the server, by the `ref` of the operation that created the row.
    pub refs: BTreeMap<String, i64>,
}

/// A deleted row.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedRow {
    /// Kind of row.
    pub kind: OperationKind,
    /// Row id: an integer for stakeholders and links, otherwise a string.
    #[schema(schema_with = row_id)]
    pub id: RowId,
}

/// The id of a row: an integer for stakeholders and links, otherwise a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum RowId {
    /// An id assigned by the server.
    Number(i64),
    /// An id chosen by the client, or the `ref` of a row that the same request creates.
    Text(String),
}

/// The value stored under an `Idempotency-Key`: enough to read the rows again.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Applied {
    change_set_id: String,
    batch_id: String,
    revision: i64,
    refs: BTreeMap<String, i64>,
}

/// Applies the operations in order, all or none.
///
/// The body is validated completely before the writer thread is used, and wiki pages are looked up before the
/// transaction begins.
pub async fn apply(wiki: &Wiki, mut call: Call, workspace_id: String, body: Operations) -> Result<OperationsResult> {
    call.precondition = Precondition::None;
    let gate = wiki.gate().clone();
    let (incarnation, operations) = gate.heavy_work(move || body::read(body)).await?;
    if is_large(&operations) {
        call = call.large();
    }
    let pages = wiki.resolve_new_links(&call, &workspace_id, new_links(&operations)).await?;
    let write = move |tx: &mut EditTx<'_>| {
        check_incarnation(tx, incarnation.as_deref())?;
        let mut session = Session::new(tx, pages);
        for (index, operation) in operations.into_iter().enumerate() {
            apply::one(&mut session, index, operation)?;
        }
        let refs = session.finish()?;
        let core = tx.core();
        Ok(Applied {
            change_set_id: core.call.change_set.clone(),
            batch_id: core.call.batch().to_owned(),
            revision: tx.workspace_now()?.written.revision,
            refs,
        })
    };
    gate.edit_and_read(call, workspace_id, write, answer::read).await
}

/// Rejects operations that were made against another incarnation of the database.
fn check_incarnation(tx: &EditTx<'_>, given: Option<&str>) -> Result<()> {
    match given {
        Some(given) if !tx.core().incarnation().is_named_by(given) => Err(Error::OtherIncarnation),
        _ => Ok(()),
    }
}

/// Whether the operations may write so many rows that they should not share a commit with other writes.
fn is_large(operations: &[Operation]) -> bool {
    let rows = operations.iter().map(|operation| match operation {
        Operation::Move(positions) => positions.len(),
        _ => 1,
    });
    rows.sum::<usize>() > LARGE_CHANGE_SET
}

/// The links that the operations create, by the index of the operation.
fn new_links(operations: &[Operation]) -> Vec<(usize, super::links::NewLink)> {
    let link = |(index, operation): (usize, &Operation)| match operation {
        Operation::CreateLink { new, .. } => Some((index, new.clone())),
        _ => None,
    };
    operations.iter().enumerate().filter_map(link).collect()
}
