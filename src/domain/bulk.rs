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

/// Maximum number of components in a model. A bulk replacement of this size occupies the writer thread for several
/// seconds.
pub(super) const MOST_COMPONENTS: usize = 100_000;
/// Maximum number of relationships in a model.
pub(super) const MOST_RELATIONSHIPS: usize = 200_000;

/// The complete model of a workspace.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Bulk {
    /// The workspace's own fields. May be absent if the workspace exists; its fields are then unchanged.
    #[schema(nullable = false)]
    pub workspace: Option<BulkWorkspace>,
    /// All components, in their new order.
    #[serde(deserialize_with = "at_most::<MOST_COMPONENTS, _, _>")]
    #[schema(max_items = 100_000)]
    pub components: Vec<BulkComponent>,
    /// All relationships, in their new order.
    #[serde(deserialize_with = "at_most::<MOST_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 200_000)]
    pub relationships: Vec<NewRelationship>,
}

/// A workspace's own fields. Absent fields are reset, except `visibility`, which a bulk replacement does not change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkWorkspace {
    /// Workspace id; must equal the id in the path.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Organization id; must equal the id of the workspace's organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Visibility of a workspace that the request creates; defaults to `org`. An existing workspace keeps its
    /// visibility, and a different value is listed in `ignored`.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A component. Absent fields are reset, except the position: an existing component keeps its position and a new
/// component is placed in a free spot.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct BulkComponent {
    /// Component id; derived from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Component type id from the type catalog.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: String,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Horizontal canvas position, increasing to the right.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical canvas position, increasing downward.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

impl From<BulkComponent> for NewComponent {
    fn from(item: BulkComponent) -> Self {
        let BulkComponent { id, type_id, name, description, x, y, properties } = item;
        Self { id, type_id, name, description, x, y, properties }
    }
}

/// The result of a bulk replacement, or the preview from a dry run.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum BulkOutcome {
    /// The bulk replacement was applied; contains the new model.
    Done(BulkResult),
    /// The request was a dry run; contains what would change.
    Tried(BulkPreview),
}

/// The model after a bulk replacement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// Change set id. Undo this change set to undo the bulk replacement.
    pub change_set_id: String,
    /// `X-Batch-Id` of the request; defaults to the change set id.
    pub batch_id: String,
    /// The workspace.
    pub workspace: Workspace,
    /// All components.
    pub components: Vec<Component>,
    /// All relationships.
    pub relationships: Vec<Relationship>,
    /// Parts of the body that a bulk replacement does not write and that were ignored; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// The changes that a bulk replacement would make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    /// Always true: nothing was written.
    pub dry_run: bool,
    /// Ids of rows that would be created.
    pub created: IdsByKind,
    /// Ids of rows that would be updated.
    pub updated: IdsByKind,
    /// Ids of rows that would be deleted.
    pub deleted: IdsByKind,
    /// Parts of the body that a bulk replacement does not write; absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
}

/// Row ids, grouped by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IdsByKind {
    /// Workspace id, if the workspace itself is affected.
    pub workspaces: Vec<String>,
    /// Component ids.
    pub components: Vec<String>,
    /// Relationship ids.
    pub relationships: Vec<String>,
}

/// Replaces the model of the workspace `id`, creating the workspace if the id is free.
///
/// `ignored` lists the parts of the body that were ignored. Work that needs no rows is kept off the writer thread:
/// permission is checked on a reader first, so that validation errors reveal nothing about a model to callers who may
/// not write it. Then the model is validated, and only then does the call wait for the writer thread.
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
    // A dry run is rejected whenever the actual request would be.
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
