//! Access requests of a workspace.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::{AccessRequestManager, AccessRequestScope, AccessRequester, Owner},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::OwnTx,
        map::access_requests::{self, AccessRequest, NewAccessRequest},
        paging::{Page, Paging},
    },
};

/// Open access requests.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequestList {
    /// Oldest first.
    access_requests: Vec<AccessRequest>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One access request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequestResponse {
    /// The access request.
    access_request: AccessRequest,
}

/// List access requests
///
/// Lists the users who can view the workspace and have requested edit access. To accept a request, add its user as a
/// member: the request ends as soon as the user can edit the workspace.
#[crate::describe::path(get, path = IN_TABLE, tag = "Members", operation_id = "listAccessRequests", params(Paging),
    responses((status = 200, description = "The open access requests", body = AccessRequestList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Owner>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<AccessRequestList>> {
    let list = move |tx: &OwnTx<'_>| access_requests::list(tx, &paging);
    let Page { items: access_requests, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(AccessRequestList { access_requests, next_cursor }))
}

/// Request edit access
///
/// For users who signed in and can view the workspace, but not edit it. Owners see the request; it ends when the user
/// can edit the workspace or can no longer view it. A workspace can have up to 200 open requests, one for each user:
/// repeating a request returns the first one unchanged.
#[crate::describe::path(post, path = IN_TABLE, tag = "Members", operation_id = "requestAccess",
    request_body = NewAccessRequest, responses(
        (status = 201, description = "The new access request", body = AccessRequestResponse),
        (status = 200, description = "The caller's open access request", body = AccessRequestResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<AccessRequester, NewAccessRequest>,
) -> Result<Response> {
    let made = api.gate.write(call, id, move |tx| access_requests::create(tx, &body)).await?;
    let status = if made.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(AccessRequestResponse { access_request: made.request })).into_response())
}

/// Delete an access request
///
/// Declines the request as an owner, or withdraws the caller's own request.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Members", operation_id = "deleteAccessRequest",
    responses((status = 200, description = "Access request deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<AccessRequestManager>,
    Path((workspace_id, user_id)): Path<(String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, AccessRequestScope { workspace_id, user_id }, access_requests::delete).await?;
    Ok(DONE)
}
