//! Bulk replacement: replaces the model of a workspace in one transaction, by comparing ids.
//!
//! Stakeholders, external links and processes are not part of the body. They are preserved for every component that
//! remains.
//!
//! Rows are checked by the functions that check a single new row, and written through a
//! [`ChangeSet`]. A bulk replacement is not a list of operations, for these reasons:
//!
//! - A dry run is answered by a reader, which cannot write. Its answer must not depend on writing the rows first, so
//!   the ends and the containment of relationships are checked against the body: the same check with a different
//!   lookup.
//! - The body is checked before the writer thread is used. Operations look up every row in the database, one by one, on
//!   the thread that all writers share: too slow for 100,000 components.
//! - The order of the lists is the order of the rows. Operations append rows and cannot express an order.
//! - Absent fields are reset and unlisted rows are deleted; an update operation leaves both unchanged.

mod check;
mod difference;
mod plan;

pub(in crate::domain) use self::{
    check::Checked,
    difference::{Difference, RowWrite},
    plan::{BulkPlan, ORGANIZATION_ACCESS},
};
pub use super::model::bulk::{Bulk, BulkComponent, BulkOutcome, BulkPreview, BulkResult, BulkWorkspace, IdsByKind};
pub(in crate::domain) use super::model::bulk::{MAX_COMPONENTS, MAX_RELATIONSHIPS};
use super::workspaces::{self};
use crate::{
    domain::{
        core::{Call, Gate, OrgTx, Reads, Via, ViewTx, WholeMap, access::EditorOrCreator},
        input,
        map::{change_set::ChangeSet, consequences::AffectedRow, placement::Overlaps},
        values::Id,
    },
    error::{Error, Result},
};

/// Replaces the model of the workspace `id`, creating the workspace if the id is free.
///
/// `ignored` lists the parts of the body that were ignored. Work that needs no rows is kept off the writer thread:
/// permission is checked on a reader first, so that validation errors reveal nothing about a model to callers who may
/// not write it. Then the model is validated, and only then does the call wait for the writer thread.
pub async fn replace(
    gate: &Gate,
    call: Call<EditorOrCreator>,
    id: Id,
    body: Bulk,
    dry_run: bool,
    ignored: Vec<String>,
) -> Result<BulkOutcome> {
    replace_if(gate, call, id, body, (dry_run, ignored), None).await
}

/// Decides whether a replacement may be made, given the workspace if it exists and the rows that would be created, changed
/// or deleted.
pub type Condition = Box<dyn FnOnce(Option<&ViewTx<'_>>, &[AffectedRow]) -> Result<()> + Send>;

/// Like [`replace`], if `condition` holds in the same transaction.
pub async fn replace_if(
    gate: &Gate,
    call: Call<EditorOrCreator>,
    id: Id,
    body: Bulk,
    (dry_run, ignored): (bool, Vec<String>),
    condition: Option<Condition>,
) -> Result<BulkOutcome> {
    let scope = id.as_str().to_owned();
    gate.permit(call.clone().without_retry(), Some(scope.clone())).await?;
    let model = gate.heavy_work(move || Checked::new(body)).await?;
    let weighed = scope.clone();
    let weigh = move |tx: &OrgTx<'_>| BulkPlan::weigh(tx, &weighed);
    let whole = gate.whole_map(&call, scope.clone(), weigh).await?;
    if dry_run {
        return gate.dry_run(call, scope, move |tx| put(tx, &id, model, (true, ignored), condition, &whole)).await;
    }
    gate.write(call.large(), scope, move |tx| put(tx, &id, model, (false, ignored), condition, &whole)).await
}

/// The revision of the workspace that a replacement would change; none if it would create one.
pub async fn revision(gate: &Gate, call: Call<EditorOrCreator>, id: &Id) -> Result<Option<i64>> {
    let id = id.as_str().to_owned();
    let revision = |tx: &OrgTx<'_>, id: &str| Ok(tx.edit(id)?.map(|edit| edit.workspace().metadata.revision));
    gate.read(call, id.clone(), move |tx| revision(tx, &id)).await
}

fn put(
    tx: &mut OrgTx<'_>,
    id: &Id,
    model: Checked,
    (dry_run, mut ignored): (bool, Vec<String>),
    condition: Option<Condition>,
    whole: &WholeMap,
) -> Result<BulkOutcome> {
    let own = model.workspace.as_ref();
    input::same("workspace.id", own.and_then(|own| own.id.as_deref()), id.as_str())?;
    let org_id = tx.caller()?.organization.as_ref().map(|organization| organization.id.as_str());
    input::same("workspace.orgId", own.and_then(|own| own.org_id.as_deref()), org_id.unwrap_or_default())?;
    let existing = tx.edit(id.as_str())?;
    let plan = BulkPlan::make(existing.as_ref(), id, model, whole)?;
    ignored.splice(0..0, plan.kept_fields());
    // A dry run is rejected whenever the actual request would be.
    let new_workspace = match &existing {
        Some(edit) => edit.expect_workspace().map(|()| None)?,
        None => Some(plan.new_workspace(tx, id)?),
    };
    if let Some(condition) = condition {
        condition(existing.as_deref(), &plan.affected(existing.as_deref())?)?;
    }
    // Only tools answer with overlaps.
    let is_tool = tx.core().call.via == Via::Mcp;
    let overlaps = if is_tool { plan.overlaps() } else { Overlaps::default() };
    if dry_run {
        let preview = plan.preview(id, existing.is_some(), ignored);
        return Ok(BulkOutcome::Tried(BulkPreview { overlaps, ..preview }));
    }
    if let Some(new) = new_workspace {
        workspaces::create(tx, new)?;
    }
    let mut edit = match existing {
        Some(edit) => edit,
        None => tx.edit(id.as_str())?.ok_or(Error::NotFound("workspace"))?,
    };
    let (workspace, components, relationships) = plan.apply(&mut ChangeSet::new(&mut edit))?;
    let call = edit.core().call;
    let (change_set_id, batch_id) = (call.change_set.clone(), call.batch().to_owned());
    let done = BulkResult { change_set_id, batch_id, workspace, components, relationships, ignored, overlaps };
    Ok(BulkOutcome::Done(done))
}
