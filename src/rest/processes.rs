//! Processes.

use axum::{extract::State, response::Response};

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, ProcessList, ProcessResponse, json, large_read},
    route::IN_TABLE,
};
use crate::domain::{
    core::ViewTx,
    map::processes::{self, NewProcess, ProcessPatch},
    paging::{Page, Paging},
};

/// List the processes of a workspace
///
/// Ordered by creation, each with its parsed text.
#[crate::describe::path(get, path = IN_TABLE, tag = "Processes", operation_id = "listProcesses", params(Paging),
    responses((status = 200, description = "The processes", body = ProcessList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: processes, next_cursor } = processes::list(tx, &paging)?;
        Ok(ProcessList { processes, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a process
///
/// The text must begin as a mermaid sequence diagram. Lines that cannot be parsed are saved and reported in
/// `diagnostics`. Each entry of `participants` maps an alias in the diagram to a component of the workspace.
#[crate::describe::path(post, path = IN_TABLE, tag = "Processes", operation_id = "createProcess",
    request_body = NewProcess, responses((status = 201, description = "The created process", body = ProcessResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewProcess>,
) -> Result<Created<ProcessResponse>> {
    let process = api.gate.write(call, id, |tx| processes::create(tx, body)).await?;
    Ok(Created(ProcessResponse { process }))
}

/// Get a process
///
/// Includes its parsed text: the steps in order, each with the components at both ends.
#[crate::describe::path(get, path = IN_TABLE, tag = "Processes", operation_id = "getProcess",
    responses((status = 200, description = "The process", body = ProcessResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, pid)): Path<(String, String)>,
) -> Result<Json<ProcessResponse>> {
    let process = api.gate.read(call, id, move |tx| processes::read(tx, &pid)).await?;
    Ok(Json(ProcessResponse { process }))
}

/// Update a process
///
/// `participants` replaces the whole mapping. Unchanged entries are accepted even if their alias or component no longer
/// exists. New and changed entries must name an alias in the diagram and a component of the workspace.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Processes", operation_id = "updateProcess",
    request_body = ProcessPatch, responses((status = 200, description = "The updated process", body = ProcessResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, pid)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, ProcessPatch>,
) -> Result<Json<ProcessResponse>> {
    let process = api.gate.write(call, id, move |tx| processes::update(tx, &pid, body)).await?;
    Ok(Json(ProcessResponse { process }))
}

/// Delete a process
#[crate::describe::path(delete, path = IN_TABLE, tag = "Processes", operation_id = "deleteProcess",
    responses((status = 200, description = "Process deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, pid)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| processes::delete(tx, &pid)).await?;
    Ok(DONE)
}
