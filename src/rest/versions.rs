//! Named versions of a workspace.

use axum::{Json, extract::State, response::Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Api, IN_TABLE,
    answers::{self, Created, DONE, Done},
    error::Result,
    extract::{Asked, Path, Write},
};
use crate::domain::{
    access::ViewTx,
    bundle::Bundle,
    history::{self, NewVersion, Restored, Version},
};

/// Named versions.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionsAnswer {
    /// In order of creation.
    versions: Vec<Version>,
}

/// One named version.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionAnswer {
    /// The version.
    version: Version,
}

/// List the versions of a workspace
#[utoipa::path(get, path = IN_TABLE, tag = "History", operation_id = "listVersions",
    responses((status = 200, description = "The versions", body = VersionsAnswer)))]
pub async fn list(State(api): State<Api>, Asked(call): Asked, Path(id): Path<String>) -> Result<Json<VersionsAnswer>> {
    Ok(Json(VersionsAnswer { versions: api.gate.view(call, id, history::versions).await? }))
}

/// Keep the present state as a version
///
/// It holds all rows, and so stays what it is whatever the history forgets. A workspace has at most 200.
#[utoipa::path(post, path = IN_TABLE, tag = "History", operation_id = "keepVersion", request_body = NewVersion,
    responses((status = 201, description = "The version", body = VersionAnswer)))]
pub async fn keep(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<NewVersion>,
) -> Result<Created<VersionAnswer>> {
    Ok(Created(VersionAnswer { version: history::keep(&api.gate, call, id, body).await? }))
}

/// Read a workspace as it was in a version
///
/// With the people and teams of today, under the workspace's id of today.
#[utoipa::path(get, path = IN_TABLE, tag = "History", operation_id = "readVersion",
    responses((status = 200, description = "The bundle of then", body = Bundle)))]
pub async fn read(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| history::version(tx, version);
    Ok(answers::json(answers::large_view(&api, call, id, read).await?))
}

/// Delete a version
///
/// The workspace stays as it is.
#[utoipa::path(delete, path = IN_TABLE, tag = "History", operation_id = "deleteVersion",
    responses((status = 200, description = "It is deleted", body = Done)))]
pub async fn forget(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Json<Done>> {
    api.gate.edit(call, id, move |tx| history::forget(tx, version)).await?;
    Ok(DONE)
}

/// Restore a version
///
/// The workspace becomes what it was, with the same ids, as one batch: undo `batchId` to take it back. What was written
/// since is overwritten. Members and visibility stay as they are; a stakeholder whose person, team or role is not there any
/// more is left out and named in `skipped`.
#[utoipa::path(post, path = IN_TABLE, tag = "History", operation_id = "restoreVersion",
    responses((status = 200, description = "It is restored", body = Restored)))]
pub async fn restore(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Json<Restored>> {
    Ok(Json(history::to_version(&api.gate, call, id, version).await?))
}
