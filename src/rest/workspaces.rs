//! Workspaces.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};

use super::{
    access::{Duplicator, Editor, Member, OrgReader, Owner, OwnerOfDeleted, Viewer},
    api::Api,
    conditional,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path, Query, Write},
    responses::{self, Created, DONE, Done, Json, WorkspaceResponse},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        core::{OrgTx, OrgViewTx, ViewTx, WholeMap},
        history,
        map::{
            bundle::{Bundle, Content, Included},
            workspaces::{
                self, ListedWorkspace, NewDuplicate, NewWorkspace, Workspace, WorkspacePatch, WorkspaceRestoreRequest,
            },
        },
        paging::{Page, Paging},
        transfer,
    },
    encoding::AcceptsGzip,
    error::Error,
};

/// Which workspaces to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// List the workspaces that were deleted in the last 30 days and that the caller may restore. Default: `false`,
    /// which lists the existing workspaces.
    #[serde(default)]
    deleted: bool,
}

/// Workspaces, in order of creation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceList {
    /// The workspaces that the caller may see.
    workspaces: Vec<ListedWorkspace>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List workspaces
///
/// Lists the workspaces of the active organization that the caller may see. An instance administrator without an active
/// organization gets all workspaces.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "listWorkspaces", params(ListQuery, Paging),
    responses((status = 200, description = "The workspaces", body = WorkspaceList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Query(which): Query<ListQuery>,
    Query(paging): Query<Paging>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let list = move |tx: &OrgViewTx<'_>| {
        if which.deleted { workspaces::list_deleted(tx, &paging) } else { workspaces::list(tx, &paging) }
    };
    let Page { items: workspaces, next_cursor } = api.gate.read(call, (), list).await?;
    conditional::hashed(&WorkspaceList { workspaces, next_cursor }, &known)
}

/// Create a workspace
///
/// The workspace belongs to the active organization permanently. The caller becomes its owner.
#[crate::describe::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "createWorkspace",
    request_body = NewWorkspace,
    responses((status = 201, description = "The created workspace", body = WorkspaceResponse)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Member, NewWorkspace>,
) -> Result<Created<WorkspaceResponse>> {
    let workspace = api.gate.write(call, (), |tx| transfer::workspaces::create(tx, body)).await?;
    Ok(Created(WorkspaceResponse { workspace }))
}

/// Duplicate a workspace
///
/// Creates a workspace in the active organization with the same model, stakeholders, links, processes, and
/// notes. The caller becomes its owner. Members, access requests, versions, and the history are not copied.
#[crate::describe::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "duplicateWorkspace",
    request_body = NewDuplicate,
    responses((status = 201, description = "The created workspace", body = WorkspaceResponse)))]
pub async fn duplicate(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Duplicator, NewDuplicate>,
) -> Result<Created<WorkspaceResponse>> {
    let source = id.clone();
    let weigh = move |tx: &OrgTx<'_>| transfer::duplicate::weigh(tx, &source);
    let whole = api.gate.whole_map(&call, id.clone(), weigh).await?;
    let source = id.clone();
    let copy = move |tx: &mut OrgTx<'_>| transfer::duplicate::create(tx, &source, body, &whole);
    let workspace = api.gate.write(call.large(), id, copy).await?;
    Ok(Created(WorkspaceResponse { workspace }))
}

/// Restore a deleted workspace
///
/// For owners of the workspace, within 30 days after the deletion.
#[crate::describe::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "restoreWorkspace",
    request_body = WorkspaceRestoreRequest,
    responses((status = 200, description = "The restored workspace", body = WorkspaceResponse)))]
pub async fn restore(
    State(api): State<Api>,
    Write { call, body, .. }: Write<OwnerOfDeleted, WorkspaceRestoreRequest>,
) -> Result<Json<WorkspaceResponse>> {
    let workspace = api.gate.write(call, body.pk, |tx| workspaces::restore(tx, body.id)).await?;
    Ok(Json(WorkspaceResponse { workspace }))
}

/// Which state to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BundleQuery {
    /// Revision to read, with the current people and teams. Default: the current revision.
    #[param(minimum = 1)]
    at: Option<i64>,
    /// Optional contents, separated by commas: `notes` for notes, frames and images, `views` for views with the
    /// positions and lines in them, and tours, `decisions` for decisions without their texts. Past revisions always include
    /// them.
    #[param(pattern = "^(notes|views|decisions)(,(notes|views|decisions))*$", example = "notes,views")]
    include: Option<String>,
}

fn included(list: Option<&str>) -> Result<Included> {
    let mut included = Included::default();
    for name in list.into_iter().flat_map(|list| list.split(',')) {
        match name {
            "notes" => included.notes = true,
            "views" => included.views = true,
            "decisions" => included.decisions = true,
            _ => {
                let text = "must be `notes`, `views` or `decisions`, or several of them, separated by commas";
                Err(Error::invalid("include", text))?;
            }
        }
    }
    Ok(included)
}

/// Get a workspace
///
/// Includes all its contents; notes, frames and images only with `include=notes`, views and tours only with
/// `include=views`, decisions only with `include=decisions`. Send the `ETag` in `If-None-Match` to get 304 if the workspace has not changed, and in `If-Match` to write only if it has not changed. With `at`, returns a
/// past revision: `revision` and the times are the past values, the id and the caller's access level are the current
/// ones. `oldestRevision` in the history is the oldest revision that can be read.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "getWorkspace", params(BundleQuery),
    responses((status = 200, description = "The workspace and its contents", body = Bundle)))]
pub async fn bundle(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(BundleQuery { at, include }): Query<BundleQuery>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    let included = included(include.as_deref())?;
    if let Some(at) = at {
        let weigh = move |tx: &ViewTx<'_>| history::weigh_bundle_at(tx, at);
        let read = move |tx: &ViewTx<'_>, whole: &WholeMap| history::bundle_at(tx, at, whole);
        let bytes = responses::whole_map_read(&api, call, id, weigh, read).await?;
        return Ok(conditional::hashed_text(bytes, &known));
    }
    responses::bundled(&api, call, id, Content::Workspace(included), gzip, known).await
}

/// A workspace after an update.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedWorkspace {
    /// The workspace.
    workspace: Workspace,
    /// Change set of the update, which can be undone. Absent if no field changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    change_set_id: Option<String>,
}

/// Update a workspace
///
/// Only owners can change `visibility` and `organizationAccess`.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Workspaces", operation_id = "updateWorkspace",
    request_body = WorkspacePatch,
    responses((status = 200, description = "The updated workspace", body = UpdatedWorkspace)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, WorkspacePatch>,
) -> Result<Json<UpdatedWorkspace>> {
    let (workspace, change_set_id) =
        api.gate.write(call, id, |tx| workspaces::update_with_change_set(tx, body)).await?;
    Ok(Json(UpdatedWorkspace { workspace, change_set_id }))
}

/// Delete a workspace
///
/// The workspace can be restored for 30 days. Its id can be reused immediately.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Workspaces", operation_id = "deleteWorkspace",
    responses((status = 200, description = "Workspace deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path(id): Path<String>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, workspaces::delete).await?;
    Ok(DONE)
}
