//! The tool that replaces the whole model of a workspace.

use serde::{Deserialize, Serialize};

use super::{change_set::Done, deletions::revision_required, tool::arguments, upserts::OverlapReport};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::EditorOrCreator},
        history,
        input::optional_at_most,
        map::{
            bulk::{self, Bulk, BulkComponent, BulkOutcome, BulkWorkspace, Condition, IdsByKind},
            consequences::AffectedRow,
            relationships::NewRelationship,
        },
        values::{Id, Name, Text},
    },
    error::{Error, Problem, Result},
    mcp::{
        plans::{MAX_AGE_MINUTES, MAX_PLANS_PER_USER, Plan, PlanOwner},
        services::Site,
    },
};

/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 5_000;
/// Maximum number of relationships of a call.
const MAX_RELATIONSHIPS: usize = 10_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 5_000 && MAX_RELATIONSHIPS == 10_000);

/// A whole model.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReplaceWorkspaceModel {
    /// Id of the workspace; an unused one creates it, with `name`.
    workspace_id: Id,
    /// All components.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(nullable = false, max_items = 5_000)]
    components: Option<Vec<BulkComponent>>,
    /// All relationships.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(nullable = false, max_items = 10_000)]
    relationships: Option<Vec<NewRelationship>>,
    /// Name of the workspace. Default: unchanged.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// Description; requires `name`.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Only return what would be created, updated and deleted, and a `planId`.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
    /// Applies a dry run, instead of the other arguments.
    #[schema(nullable = false)]
    plan_id: Option<String>,
    /// See `delete_components`.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    ReplaceWorkspaceModel: "Replace all components and relationships of a workspace: unlisted ones are DELETED, \
            omitted fields are reset, except position, size, tags, technology and line. Stakeholders, links and \
            processes of components whose id stays are kept. For additions and single changes use the upsert \
            tools. First call it with `dryRun`, show the user what would be deleted, then apply it with \
            {\"workspaceId\", \"planId\"}. Example: {\"workspaceId\": \"web-shop\", \"dryRun\": true, \
            \"components\": [{\"id\": \"web\", \"typeId\": \"web-app\", \"name\": \"Shop\"}], \"relationships\": \
            []}",
);

/// What a replacement did, or would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replaced {
    /// Whether this was a dry run.
    dry_run: bool,
    /// Number of components afterwards; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
    /// Number of relationships afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    relationships: Option<usize>,
    /// Of a dry run: applies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<String>,
    /// Revision of the workspace afterwards; in a dry run, the one that `expectedRevision` expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<i64>,
    #[serde(flatten)]
    overlaps: OverlapReport,
    /// Ids that would be created.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<Ids>,
    /// Ids that would be updated.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<Ids>,
    /// Ids that would be deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<Ids>,
}

/// How many there are, and the ids of the first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ids {
    component_count: usize,
    relationship_count: usize,
    /// Number of listed ids, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<Listed>,
    components: Vec<String>,
    relationships: Vec<String>,
}

/// Numbers of listed ids.
#[derive(Debug, Serialize)]
pub struct Listed {
    components: usize,
    relationships: usize,
}

impl From<IdsByKind> for Ids {
    fn from(ids: IdsByKind) -> Self {
        /// Maximum bytes of ids per kind: a result has six such lists.
        const MAX_ID_BYTES: usize = 5_000;
        let first = |ids: Vec<String>| -> Vec<String> {
            let mut left = MAX_ID_BYTES;
            let fits = move |id: &String| {
                let fits = id.len() + 8 <= left;
                left = left.saturating_sub(id.len() + 8);
                fits
            };
            ids.into_iter().take_while(fits).collect()
        };
        let (component_count, relationship_count) = (ids.components.len(), ids.relationships.len());
        let (components, relationships) = (first(ids.components), first(ids.relationships));
        let is_whole = (components.len(), relationships.len()) == (component_count, relationship_count);
        let listed = (!is_whole).then_some(Listed { components: components.len(), relationships: relationships.len() });
        Self { component_count, relationship_count, listed, components, relationships }
    }
}

/// Replaces the model of a workspace, or applies the plan of a dry run.
pub async fn replace_workspace_model(
    site: Site,
    call: Call<EditorOrCreator>,
    ask: ReplaceWorkspaceModel,
) -> Result<Done<Replaced>> {
    let ReplaceWorkspaceModel { workspace_id, components, relationships, name, description, .. } = ask;
    let caller = site.gate.admit(call.clone()).await?;
    let owner = PlanOwner {
        user: caller.user_id,
        organization: caller.organization.map(|organization| organization.id),
        workspace: workspace_id.as_str().to_owned(),
    };
    if let Some(plan_id) = ask.plan_id {
        let has_others = components.is_some() || relationships.is_some() || name.is_some() || description.is_some();
        if has_others || ask.dry_run.is_some() || ask.expected_revision.is_some() {
            return Err(Error::invalid("planId", "is given alone, with `workspaceId`"));
        }
        // What does not exist for the caller is not found, whether there is a plan or not.
        site.gate.permit(call.clone().without_retry(), Some(owner.workspace.clone())).await?;
        let plan = site.plans.find(&plan_id, &owner, site.gate.now()).ok_or_else(no_plan)?;
        let condition = seen_by_plan(plan.revision);
        return apply(&site, call, workspace_id, plan.model.clone(), condition).await;
    }
    let missing = |field: &str| Error::invalid(field, Problem::required(", unless `planId` is given"));
    let own = |name| BulkWorkspace {
        id: None,
        org_id: None,
        name,
        description,
        visibility: None,
        organization_access: None,
        properties: None,
    };
    let model = Bulk {
        workspace: name.map(own),
        components: components.ok_or_else(|| missing("components"))?,
        relationships: relationships.ok_or_else(|| missing("relationships"))?,
    };
    if ask.dry_run == Some(true) {
        return dry_run(&site, call, owner, workspace_id, model, ask.expected_revision).await;
    }
    apply(&site, call, workspace_id, model, seen(ask.expected_revision)).await
}

/// The error for a plan that is not kept.
fn no_plan() -> Error {
    let text = format!(
        "there is no such plan. A plan is kept for {MAX_AGE_MINUTES} minutes or until the server restarts, at most          {MAX_PLANS_PER_USER} per user, for its user and workspace. Repeat the dry run"
    );
    Error::invalid("planId", text)
}

/// The condition of a call without a plan: what it changes or deletes was not written after the revision `read`.
fn seen(read: Option<i64>) -> Condition {
    Box::new(move |workspace, rows| match (workspace, read) {
        (Some(workspace), Some(read)) => history::expect_seen(workspace, rows, read),
        (Some(_), None) if rows.iter().any(AffectedRow::exists) => Err(revision_required()),
        (None, Some(_)) => Err(Error::StaleItem("the workspace does not exist; nothing was written".into())),
        (_, None) => Ok(()),
    })
}

/// The condition of a plan, which was made at the revision `planned`, or before the workspace was created.
fn seen_by_plan(planned: Option<i64>) -> Condition {
    Box::new(move |workspace, rows| match (workspace, planned) {
        (Some(workspace), Some(planned)) => history::expect_seen(workspace, rows, planned),
        // The plan was applied before, and nothing has changed since.
        (Some(_), None) if rows.is_empty() => Ok(()),
        (Some(_), None) => {
            let text = "the workspace was created after the dry run; nothing was written";
            Err(Error::StaleItem(text.into()))
        }
        (None, Some(_)) => Err(Error::NotFound("workspace")),
        (None, None) => Ok(()),
    })
}

async fn dry_run(
    site: &Site,
    call: Call<EditorOrCreator>,
    owner: PlanOwner,
    workspace_id: Id,
    model: Bulk,
    read: Option<i64>,
) -> Result<Done<Replaced>> {
    let links = site.links(&call).await?;
    let url = Some(links.workspace(workspace_id.as_str()));
    let plan_id = call.change_set.clone();
    // Read before the comparison, so that a write in between is noticed.
    let revision = bulk::revision(&site.gate, call.clone(), &workspace_id).await?;
    let condition = read.map(|read| seen(Some(read)));
    let outcome =
        bulk::replace_if(&site.gate, call, workspace_id, model.clone(), (true, Vec::new()), condition).await?;
    site.plans.keep(plan_id.clone(), owner, Plan { model, revision }, site.gate.now());
    Ok(Done {
        answer: Replaced { plan_id: Some(plan_id), revision, ..outcome.into() },
        change_set_id: None,
        revision: None,
        url,
        links,
    })
}

async fn apply(
    site: &Site,
    call: Call<EditorOrCreator>,
    workspace_id: Id,
    model: Bulk,
    condition: Condition,
) -> Result<Done<Replaced>> {
    let links = site.links(&call).await?;
    let url = Some(links.workspace(workspace_id.as_str()));
    let batch = call.batch().to_owned();
    let before = bulk::revision(&site.gate, call.clone(), &workspace_id).await?;
    let outcome = bulk::replace_if(&site.gate, call, workspace_id, model, (false, Vec::new()), Some(condition)).await?;
    let answer = Replaced::from(outcome);
    // What changed nothing cannot be undone.
    let change_set_id = (answer.revision != before).then_some(batch);
    Ok(Done { answer, change_set_id, revision: None, url, links })
}

impl From<BulkOutcome> for Replaced {
    fn from(outcome: BulkOutcome) -> Self {
        match outcome {
            BulkOutcome::Done(done) => Self {
                dry_run: false,
                components: Some(done.components.len()),
                relationships: Some(done.relationships.len()),
                plan_id: None,
                revision: Some(done.workspace.metadata.revision),
                overlaps: done.overlaps.into(),
                created: None,
                updated: None,
                deleted: None,
            },
            BulkOutcome::Tried(tried) => Self {
                dry_run: true,
                components: None,
                relationships: None,
                plan_id: None,
                revision: None,
                overlaps: tried.overlaps.into(),
                created: Some(tried.created.into()),
                updated: Some(tried.updated.into()),
                deleted: Some(tried.deleted.into()),
            },
        }
    }
}
