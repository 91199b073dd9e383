//! Named versions of a workspace.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Editor, EditorBesideMap, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{self, Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{ViewTx, WholeMap},
        history::{self, NewVersion, RestoreResult, Version},
        map::bundle::Bundle,
        paging::{Page, Paging},
    },
};

/// Named versions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionList {
    /// Ordered by creation.
    versions: Vec<Version>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One named version.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionResponse {
    /// The version.
    version: Version,
}

/// List the versions of a workspace
#[crate::describe::path(get, path = IN_TABLE, tag = "History", operation_id = "listVersions", params(Paging),
    responses((status = 200, description = "The versions", body = VersionList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<VersionList>> {
    let list = move |tx: &ViewTx<'_>| history::versions(tx, &paging);
    let Page { items: versions, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(VersionList { versions, next_cursor }))
}

/// Save a version
///
/// Saves the current state of the workspace. The version contains all rows, so it does not depend on how long the
/// history is stored. A workspace can have up to 200 versions.
#[crate::describe::path(post, path = IN_TABLE, tag = "History", operation_id = "createVersion", request_body = NewVersion,
    responses((status = 201, description = "The saved version", body = VersionResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<EditorBesideMap, NewVersion>,
) -> Result<Created<VersionResponse>> {
    Ok(Created(VersionResponse { version: history::save(&api.gate, call, id, body).await? }))
}

/// Get a version
///
/// Returns the workspace in the saved state, with the current people and teams and the current workspace id.
#[crate::describe::path(get, path = IN_TABLE, tag = "History", operation_id = "getVersion",
    responses((status = 200, description = "The workspace and its contents in the version", body = Bundle)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Response> {
    let weigh = move |tx: &ViewTx<'_>| history::weigh_version(tx, version);
    let read = move |tx: &ViewTx<'_>, whole: &WholeMap| history::version(tx, version, whole);
    Ok(responses::json(responses::whole_map_read(&api, call, id, weigh, read).await?))
}

/// Delete a version
///
/// The workspace does not change.
#[crate::describe::path(delete, path = IN_TABLE, tag = "History", operation_id = "deleteVersion",
    responses((status = 200, description = "Version deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<EditorBesideMap>,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| history::delete(tx, version)).await?;
    Ok(DONE)
}

/// Restore a version
///
/// Restores the saved state of the workspace, with the same ids, as one change set: undo `changeSetId` to undo the
/// restore. Later changes are overwritten. Members, `visibility` and `organizationAccess` do not change. Stakeholders
/// whose person, team, or role no longer exists are not restored and are listed in `skipped`.
#[crate::describe::path(post, path = IN_TABLE, tag = "History", operation_id = "restoreVersion",
    responses((status = 200, description = "The outcome of the restore", body = RestoreResult)))]
pub async fn restore(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Json<RestoreResult>> {
    Ok(Json(history::to_version(&api.gate, call.large(), id, version).await?))
}
