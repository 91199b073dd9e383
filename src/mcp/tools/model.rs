//! The tool that replaces the whole model of a workspace.

use serde::Deserialize;

use super::{
    deletions::revision_required,
    results::writes::{ReplacedModel, WriteResult},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::EditorOrCreator},
        history,
        input::optional_at_most,
        map::{
            bulk::{self, Bulk, BulkComponent, BulkWorkspace, Condition},
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

/// The new model.
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

/// Replaces the model of a workspace, or applies the plan of a dry run.
pub async fn replace_workspace_model(
    site: Site,
    call: Call<EditorOrCreator>,
    request: ReplaceWorkspaceModel,
) -> Result<WriteResult<ReplacedModel>> {
    let ReplaceWorkspaceModel { workspace_id, components, relationships, name, description, .. } = request;
    let caller = site.gate.admit(call.clone()).await?;
    let owner = PlanOwner {
        user: caller.user_id,
        organization: caller.organization.map(|organization| organization.id),
        workspace: workspace_id.as_str().to_owned(),
    };
    if let Some(plan_id) = request.plan_id {
        let has_others = components.is_some() || relationships.is_some() || name.is_some() || description.is_some();
        if has_others || request.dry_run.is_some() || request.expected_revision.is_some() {
            return Err(Error::invalid("planId", "must be sent with `workspaceId` only"));
        }
        // A workspace that the caller cannot see is not found, whether there is a plan or not.
        site.gate.permit(call.clone().without_retry(), Some(owner.workspace.clone())).await?;
        let plan = site.plans.find(&plan_id, &owner, site.gate.now()).ok_or_else(no_plan)?;
        let condition = seen_by_plan(plan.revision);
        return apply(&site, call, workspace_id, plan.model.clone(), condition).await;
    }
    let required = |field: &str| Error::invalid(field, Problem::required(" without `planId`"));
    let workspace = |name| BulkWorkspace {
        id: None,
        org_id: None,
        name,
        description,
        visibility: None,
        organization_access: None,
        properties: None,
    };
    let model = Bulk {
        workspace: name.map(workspace),
        components: components.ok_or_else(|| required("components"))?,
        relationships: relationships.ok_or_else(|| required("relationships"))?,
    };
    if request.dry_run == Some(true) {
        return dry_run(&site, call, owner, workspace_id, model, request.expected_revision).await;
    }
    apply(&site, call, workspace_id, model, seen(request.expected_revision)).await
}

/// The error for an unknown plan.
fn no_plan() -> Error {
    let text = format!(
        "there is no such plan. A plan is stored for {MAX_AGE_MINUTES} minutes or until the server restarts, at most \
         {MAX_PLANS_PER_USER} per user, for its user and workspace. Repeat the dry run"
    );
    Error::invalid("planId", text)
}

/// The condition of a call without a plan: the rows that it changes or deletes were not written after the revision `read`.
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
) -> Result<WriteResult<ReplacedModel>> {
    let links = site.links(&call).await?;
    let url = Some(links.workspace(workspace_id.as_str()));
    let plan_id = call.change_set.clone();
    // Read before the comparison, so that a write in between is noticed.
    let revision = bulk::revision(&site.gate, call.clone(), &workspace_id).await?;
    let condition = read.map(|read| seen(Some(read)));
    let outcome =
        bulk::replace_if(&site.gate, call, workspace_id, model.clone(), (true, Vec::new()), condition).await?;
    site.plans.insert(plan_id.clone(), owner, Plan { model, revision }, site.gate.now());
    let mut result = ReplacedModel::from(outcome);
    (result.plan_id, result.revision) = (Some(plan_id), revision);
    Ok(WriteResult { result, change_set_id: None, revision: None, url, links })
}

async fn apply(
    site: &Site,
    call: Call<EditorOrCreator>,
    workspace_id: Id,
    model: Bulk,
    condition: Condition,
) -> Result<WriteResult<ReplacedModel>> {
    let links = site.links(&call).await?;
    let url = Some(links.workspace(workspace_id.as_str()));
    let batch = call.batch().to_owned();
    let before = bulk::revision(&site.gate, call.clone(), &workspace_id).await?;
    let outcome = bulk::replace_if(&site.gate, call, workspace_id, model, (false, Vec::new()), Some(condition)).await?;
    let result = ReplacedModel::from(outcome);
    // There is nothing to undo if nothing has changed.
    let change_set_id = (result.revision != before).then_some(batch);
    Ok(WriteResult { result, change_set_id, revision: None, url, links })
}
