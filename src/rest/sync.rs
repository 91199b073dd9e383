//! Synchronization with files in other places, sources, and the drift report.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Editor, EditorBesideMap, EditorOrCreator, Member, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{self, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{ViewTx, WholeMap},
        paging::{Page, Paging},
        sync::{
            self, ConvertedFiles, Drift, ListedClaim, ListedSource, NewReading, SourceRowPatch, SyncReport,
            SyncRequest,
            drift::{self, DriftQuery},
            readings, sources,
        },
    },
};

/// Sources of a workspace.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceList {
    /// The sources, ordered by id.
    sources: Vec<ListedSource>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A source, and the rows that it claims.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceResponse {
    /// The source.
    source: ListedSource,
    /// Its rows, ordered by kind and key.
    claims: Vec<ListedClaim>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Convert files of other tools
///
/// Converts architecture models, deployment files, diagrams, tables, and service graphs to rows with stable keys, which a
/// sync takes. No data is stored. Files that are not in the request are not read, and nothing is downloaded. If the format
/// needs the exporter of another tool, the error names its command.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sources", operation_id = "convertFiles", request_body = NewReading,
    responses((status = 200, description = "The rows, and what was not converted", body = ConvertedFiles)))]
pub async fn convert(State(api): State<Api>, Write { call, body, .. }: Write<Member, NewReading>) -> Result<Response> {
    let body_reservation = call.body_reservation.clone();
    let converted = readings::convert(&api.gate, call, body).await?;
    responses::large_result(&api, body_reservation, converted).await
}

/// Synchronize a workspace with the sources of a repository
///
/// Takes all sources of a repository, or one source. Rows of different sources with the same name, a fitting type and the same
/// scope are one row of the map. Compares each field in three states: as last synced, in the sources now, and on the map now. A
/// field that only one side has changed takes that value; if both have, `policy` decides. Positions, sizes, rows that were
/// created by hand and properties that the source does not have are not changed. Rows that are gone from the source are
/// marked, and deleted only with `prune`. All writes form one change set, which `undo` undoes as a whole. If too
/// many rows of a source are gone, the response is 409, unless `allowMassRemoval` is set. `If-Match` takes the
/// entity tag of the workspace.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sources", operation_id = "synchronize", request_body = SyncRequest,
    responses((status = 200, description = "What was written", body = SyncReport)))]
pub async fn synchronize(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<EditorOrCreator, SyncRequest>,
) -> Result<Response> {
    let body_reservation = call.body_reservation.clone();
    let report = sync::synchronize(&api.gate, call, id, body).await?;
    responses::large_result(&api, body_reservation, report).await
}

/// Preview a synchronization
///
/// Returns what a sync with the same request would write. No data is written.
#[crate::describe::path(post, path = IN_TABLE, tag = "Sources", operation_id = "previewSynchronization",
    request_body = SyncRequest,
    responses((status = 200, description = "What a sync would write", body = SyncReport)))]
pub async fn preview(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Viewer, SyncRequest>,
) -> Result<Response> {
    let body_reservation = call.body_reservation.clone();
    let report = sync::preview(&api.gate, call, id, body).await?;
    responses::large_result(&api, body_reservation, report).await
}

/// List the sources of a workspace
#[crate::describe::path(get, path = IN_TABLE, tag = "Sources", operation_id = "listSources", params(Paging),
    responses((status = 200, description = "The sources", body = SourceList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Json<SourceList>> {
    let list = move |tx: &ViewTx<'_>| sources::list(tx, &paging);
    let Page { items: sources, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(SourceList { sources, next_cursor }))
}

/// Get a source
///
/// Returns a source with the rows that it claims. Percent-encode its id, including slashes.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sources", operation_id = "getSource", params(Paging),
    responses((status = 200, description = "The source and its rows", body = SourceResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, source)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let (source, Page { items: claims, next_cursor }) = sources::read(tx, &source, &paging)?;
        Ok(SourceResponse { source, claims, next_cursor })
    };
    Ok(responses::json(responses::large_read(&api, call, id, read).await?))
}

/// Decide about a row of a source
///
/// Accepts that the map does not have a row that was deleted on it, so that checks no longer count it, or splits a component off
/// the row of the map that it was matched with.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Sources", operation_id = "updateSourceRow",
    request_body = SourceRowPatch, responses((status = 200, description = "The row of the source", body = ListedClaim)))]
pub async fn update_row(
    State(api): State<Api>,
    Path((id, source)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, SourceRowPatch>,
) -> Result<Json<ListedClaim>> {
    Ok(Json(api.gate.write(call, id, move |tx| sources::decide(tx, &source, body)).await?))
}

/// Delete a source
///
/// The rows of the source stay on the map, as the map's own. This cannot be undone; a sync with `adopt` finds them again.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Sources", operation_id = "deleteSource",
    responses((status = 200, description = "Source deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<EditorBesideMap>,
    Path((id, source)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call.large(), id, move |tx| sources::delete(tx, &source)).await?;
    Ok(DONE)
}

/// Get the drift report
///
/// Reports where the map differs from what its sources contained at their last sync, where sources differ from each other, what
/// was seen in operation but is not on the map, what is on the map but was not seen, and which components have no owner.
#[crate::describe::path(get, path = IN_TABLE, tag = "Sources", operation_id = "getDrift", params(DriftQuery, Paging),
    responses((status = 200, description = "The differences", body = Drift)))]
pub async fn drift(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<DriftQuery>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>, whole: &WholeMap| drift::report(tx, &query, &paging, whole);
    Ok(responses::json(responses::whole_map_read(&api, call, id, drift::weigh, read).await?))
}
