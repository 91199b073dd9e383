//! Workspaces.

use axum::{Json, extract::State, response::Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    answers::{self, Created, DONE, Done, WorkspaceAnswer},
    api::Api,
    conditional,
    error::Result,
    extract::{Asked, IfNoneMatch, Path, Query, Write},
    route::IN_TABLE,
};
use crate::{
    domain::{
        access::{OrgViewTx, ViewTx},
        bundle::{Bundle, Form},
        history,
        paging::{Page, Paging},
        workspaces::{self, ListedWorkspace, NewWorkspace, Restoration, WorkspacePatch},
    },
    encoding::AcceptsGzip,
};

/// Which workspaces to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Those deleted within 30 days that the caller may restore, instead of the living.
    #[serde(default)]
    deleted: bool,
}

/// Workspaces, in order of creation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspacesAnswer {
    /// Those that the caller may see.
    workspaces: Vec<ListedWorkspace>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// List workspaces
///
/// Those that the caller may see in the active organization; an instance administrator with none active sees all.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "listWorkspaces", params(Which, Paging),
    responses((status = 200, description = "The workspaces", body = WorkspacesAnswer)))]
pub async fn list(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(which): Query<Which>,
    Query(paging): Query<Paging>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let list = move |tx: &OrgViewTx<'_>| {
        if which.deleted { workspaces::list_deleted(tx, &paging) } else { workspaces::list(tx, &paging) }
    };
    let Page { items: workspaces, next_cursor } = api.gate.org_view(call, list).await?;
    conditional::hashed(&WorkspacesAnswer { workspaces, next_cursor }, &known)
}

/// Create a workspace
///
/// It belongs to the active organization for good, and the caller becomes its owner.
#[utoipa::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "createWorkspace",
    request_body = NewWorkspace, responses((status = 201, description = "The workspace", body = WorkspaceAnswer)))]
pub async fn create(
    State(api): State<Api>,
    Write { call, body, .. }: Write<NewWorkspace>,
) -> Result<Created<WorkspaceAnswer>> {
    let workspace = api.gate.org(call, |tx| workspaces::create(tx, body)).await?;
    Ok(Created(WorkspaceAnswer { workspace }))
}

/// Restore a deleted workspace
///
/// For those who owned it, within 30 days.
#[utoipa::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "restoreWorkspace",
    request_body = Restoration, responses((status = 200, description = "The workspace", body = WorkspaceAnswer)))]
pub async fn restore(
    State(api): State<Api>,
    Write { call, body, .. }: Write<Restoration>,
) -> Result<Json<WorkspaceAnswer>> {
    let workspace = api.gate.own_by_pk(call, body.pk, |tx| workspaces::restore(tx, body.id)).await?;
    Ok(Json(WorkspaceAnswer { workspace }))
}

/// Which state to read.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct When {
    /// The workspace as it was at this revision, with the people and teams of today; the present state when absent.
    #[param(minimum = 1)]
    at: Option<i64>,
}

/// Read a workspace with all that is in it
///
/// The `ETag` goes into `If-None-Match` to read again only what changed, and into `If-Match` to write only over what
/// was read. With `at`, as it was at a revision: its `revision` and the times are those of then, its id and the caller's
/// access level are those of now. How far back that goes is in the history, `oldestRevision`.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "readWorkspace", params(When),
    responses((status = 200, description = "The bundle", body = Bundle)))]
pub async fn bundle(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(When { at }): Query<When>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    if let Some(at) = at {
        let read = move |tx: &ViewTx<'_>| history::bundle_at(tx, at);
        return Ok(conditional::hashed_text(answers::large_view(&api, call, id, read).await?, &known));
    }
    let (form, encoding, suffix) =
        if gzip { (Form::Gzip, Some("gzip"), conditional::GZIP_SUFFIX) } else { (Form::Json, None, "") };
    let (tag, bytes) = answers::bundle(&api, call, id, known, form).await?;
    // The tag of the form that is, or would have been, sent, so that a cache finds which of its copies is still good.
    let tag = format!("{tag}{suffix}");
    Ok(match bytes {
        None => conditional::not_modified(&tag),
        Some(bytes) => conditional::tagged(bytes.into(), &tag, encoding),
    })
}

/// Change a workspace
///
/// Its visibility is for owners.
#[utoipa::path(patch, path = IN_TABLE, tag = "Workspaces", operation_id = "updateWorkspace",
    request_body = WorkspacePatch, responses((status = 200, description = "The workspace", body = WorkspaceAnswer)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<WorkspacePatch>,
) -> Result<Json<WorkspaceAnswer>> {
    let workspace = api.gate.edit(call, id, |tx| workspaces::update(tx, body)).await?;
    Ok(Json(WorkspaceAnswer { workspace }))
}

/// Delete a workspace
///
/// It can be restored for 30 days; its id is free at once.
#[utoipa::path(delete, path = IN_TABLE, tag = "Workspaces", operation_id = "deleteWorkspace",
    responses((status = 200, description = "It is deleted", body = Done)))]
pub async fn delete(State(api): State<Api>, Asked(call): Asked, Path(id): Path<String>) -> Result<Json<Done>> {
    api.gate.own(call, id, workspaces::delete).await?;
    Ok(DONE)
}
