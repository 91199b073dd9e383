//! Bulk replacement: the whole model of a workspace in one transaction, by difference on ids.
//!
//! Stakeholders, external links and processes, which the body does not have, survive for every component that does.
//!
//! Rows are checked by the functions that check a single new row, and written through a
//! [`ChangeSet`](super::operations::ChangeSet). A bulk is not a list of operations, for these reasons:
//!
//! - A dry run is answered by a reader, which cannot write. Its answer must not depend on writing the rows first, and so
//!   the ends and the containment of relationships are checked against the body: the same check, with another look-up.
//! - The body is checked before the writer thread is asked for anything. Operations look every row up in the database,
//!   one by one, on the thread that all writers share: too slow for 100,000 components.
//! - The order of the lists is the order of the rows. Operations add rows at the end and cannot express an order.
//! - Absent fields are reset, and rows that are not listed are deleted; an update of an operation leaves both as they are.

mod check;
mod difference;
mod order;
mod plan;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(in crate::domain) use self::{check::Checked, difference::Difference, order::GAP, plan::Plan};
use super::{
    access::{Call, Gate, OrgTx, Reads},
    catalogue,
    components::{Component, NewComponent},
    input::at_most,
    operations::ChangeSet,
    relationships::{NewRelationship, Relationship},
    values::{Coordinate, Id, Name, Properties, Text, Visibility},
    workspaces::{self, Workspace},
};
use crate::error::{Error, Result};

/// The largest model: a bulk of so many components takes the one thread that writes some seconds.
pub(super) const MOST_COMPONENTS: usize = 100_000;
/// The same of relationships.
pub(super) const MOST_RELATIONSHIPS: usize = 200_000;

/// The whole model of a workspace.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Bulk {
    /// The workspace's own fields; may be absent when the workspace exists, which leaves them as they are.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// All components, in the order they shall have.
    #[serde(deserialize_with = "at_most::<MOST_COMPONENTS, _, _>")]
    #[schema(max_items = 100_000)]
    pub components: Vec<BulkComponent>,
    /// All relationships, in the order they shall have.
    #[serde(deserialize_with = "at_most::<MOST_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 200_000)]
    pub relationships: Vec<NewRelationship>,
}

/// A workspace's own fields. What is absent is reset, but for visibility, which a bulk does not change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkWorkspace {
    /// Must equal the id in the path.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Must equal the organization's.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Of a workspace that the bulk creates; `org` when absent. One that exists keeps its own, and this is named in
    /// `ignored` when it says something else.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A component. What is absent is reset, but for the position: that stays, or becomes a free spot.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkComponent {
    /// Made from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// From the type catalogue.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: String,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Canvas position.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

impl From<BulkComponent> for NewComponent {
    fn from(item: BulkComponent) -> Self {
        let BulkComponent { id, type_id, name, description, x, y, properties } = item;
        Self { id, type_id, name, description, x, y, properties }
    }
}

/// What a bulk did, or would do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum BulkOutcome {
    /// It was done; this is the model now.
    Done(BulkResult),
    /// It was only tried.
    Tried(BulkPreview),
}

/// The model after a bulk.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// Id of the change set: undo it to undo the bulk.
    pub change_set_id: String,
    /// The `X-Batch-Id` of the request; without one, the change set's id.
    pub batch_id: String,
    /// The workspace.
    pub workspace: Workspace,
    /// All components.
    pub components: Vec<Component>,
    /// All relationships.
    pub relationships: Vec<Relationship>,
    /// Parts of the body that a bulk does not replace and that were passed over; absent when there were none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// What a bulk would change.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    /// Always true: nothing was written.
    pub dry_run: bool,
    /// Ids that would come into being.
    pub created: IdsByKind,
    /// Ids that would change.
    pub updated: IdsByKind,
    /// Ids that would go.
    pub deleted: IdsByKind,
    /// Parts of the body that a bulk does not replace; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// Ids, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdsByKind {
    /// The workspace itself.
    pub workspaces: Vec<String>,
    /// Components.
    pub components: Vec<String>,
    /// Relationships.
    pub relationships: Vec<String>,
}

/// Replaces the model of the workspace `id`, founding it when the id is free. `ignored` names the parts of the body
/// that were passed over.
///
/// The one thread that writes is not held up by what needs no rows: permission is asked for on a reader, so that nobody
/// is told about a model they may not write, then the model is checked by itself, and only then its turn is waited for.
pub async fn replace(
    gate: &Gate,
    call: Call,
    id: Id,
    body: Bulk,
    dry_run: bool,
    ignored: Vec<String>,
) -> Result<BulkOutcome> {
    let at = id.clone();
    gate.org_check(call.clone(), move |tx| tx.edit(at.as_str()).map(drop)).await?;
    let model = gate.heavy_work(move || Checked::new(body)).await?;
    if dry_run {
        return gate.org_dry_run(call, move |tx| put(tx, &id, model, true, ignored)).await;
    }
    gate.org(call.large(), move |tx| put(tx, &id, model, false, ignored)).await
}

fn put(tx: &mut OrgTx<'_>, id: &Id, model: Checked, dry_run: bool, mut ignored: Vec<String>) -> Result<BulkOutcome> {
    let own = model.workspace.as_ref();
    workspaces::same("workspace.id", own.and_then(|own| own.id.as_deref()), id.as_str())?;
    let org_id = tx.caller()?.organization.as_ref().map(|organization| organization.id.as_str());
    workspaces::same("workspace.orgId", own.and_then(|own| own.org_id.as_deref()), org_id.unwrap_or_default())?;
    let existing = tx.edit(id.as_str())?;
    let plan = Plan::make(existing.as_ref(), id, model)?;
    if plan.keeps_another_visibility() {
        ignored.insert(0, "workspace.visibility".into());
    }
    // A dry run is refused where the deed would be: it must not promise too much.
    let founding = match &existing {
        Some(edit) => edit.expect_workspace().map(|()| None)?,
        None => Some(plan.founding(tx, id)?),
    };
    if dry_run {
        return Ok(BulkOutcome::Tried(plan.preview(id, existing.is_some(), ignored)));
    }
    if let Some(new) = founding {
        workspaces::create(tx, new)?;
    }
    let mut edit = match existing {
        Some(edit) => edit,
        None => tx.edit(id.as_str())?.ok_or(Error::NotFound("workspace"))?,
    };
    let (workspace, components, relationships) = plan.apply(&mut ChangeSet::new(&mut edit))?;
    let call = edit.core().call;
    let (change_set_id, batch_id) = (call.change_set.clone(), call.batch().to_owned());
    let done = BulkResult { change_set_id, batch_id, workspace, components, relationships, ignored };
    Ok(BulkOutcome::Done(done))
}
