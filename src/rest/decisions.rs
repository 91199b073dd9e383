//! Decisions: architecture decision records of a workspace.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_bytes, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{EditTx, ViewTx},
        map::{
            decision_files::{self, ImportedDecisions, NewDecisionFiles},
            decisions::{self, Decision, DecisionFilter, DecisionPatch, DecisionSummary, NewDecision},
        },
        paging::{Page, Paging},
    },
};

/// One decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionResponse {
    /// The decision.
    pub decision: Decision,
}

/// Decisions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionList {
    /// The decisions by number, without their texts.
    pub decisions: Vec<DecisionSummary>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}

/// List the decisions of a workspace
///
/// Without their texts.
#[crate::describe::path(get, path = IN_TABLE, tag = "Decisions", operation_id = "listDecisions", params(DecisionFilter, Paging),
    responses((status = 200, description = "The decisions", body = DecisionList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(filter): Query<DecisionFilter>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: decisions, next_cursor } = decisions::list(tx, &filter, &paging)?;
        Ok(DecisionList { decisions, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a decision
///
/// The server gives it the next number. The state of the decisions that it replaces becomes `superseded` in the same change
/// set.
#[crate::describe::path(post, path = IN_TABLE, tag = "Decisions", operation_id = "createDecision",
    request_body = NewDecision, responses((status = 201, description = "The created decision", body = DecisionResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewDecision>,
) -> Result<Created<DecisionResponse>> {
    let decision = api.gate.write(call, id, |tx| decisions::create(tx, body)).await?;
    Ok(Created(DecisionResponse { decision }))
}

/// Get a decision
#[crate::describe::path(get, path = IN_TABLE, tag = "Decisions", operation_id = "getDecision",
    responses((status = 200, description = "The decision", body = DecisionResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, decision_id)): Path<(String, String)>,
) -> Result<Json<DecisionResponse>> {
    let decision = api.gate.read(call, id, move |tx| decisions::read(tx, &decision_id)).await?;
    Ok(Json(DecisionResponse { decision }))
}

/// Update a decision
#[crate::describe::path(patch, path = IN_TABLE, tag = "Decisions", operation_id = "updateDecision",
    request_body = DecisionPatch,
    responses((status = 200, description = "The updated decision", body = DecisionResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, decision_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, DecisionPatch>,
) -> Result<Json<DecisionResponse>> {
    let update = move |tx: &mut EditTx<'_>| {
        let row = decisions::update(tx, &decision_id, body)?;
        decisions::shown(tx, row)
    };
    let decision = api.gate.write(call, id, update).await?;
    Ok(Json(DecisionResponse { decision }))
}

/// Delete a decision
#[crate::describe::path(delete, path = IN_TABLE, tag = "Decisions", operation_id = "deleteDecision",
    responses((status = 200, description = "Decision deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, decision_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| decisions::delete(tx, &decision_id)).await?;
    Ok(DONE)
}

/// Export the decisions of a workspace
///
/// The archive, `tar` with gzip, contains a file `decisions/NNNN-title.md` in the form of MADR 4 for each decision.
#[crate::describe::path(get, path = IN_TABLE, tag = "Decisions", operation_id = "exportDecisions",
    responses((status = 200, description = "The archive", body = Vec<u8>, content_type = "application/gzip")))]
pub async fn export(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
) -> Result<Response> {
    let bytes = large_bytes(&api, call, id, decision_files::export).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/gzip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"decisions.tar.gz\""),
    ];
    Ok((headers, bytes).into_response())
}

/// Import decisions
///
/// Reads Markdown files whose names begin with a number, as in `0005-title.md`: MADR, and the form of adr-tools. A file
/// updates the decision with its number, or creates one. All writes form one change set. Files that cannot be read, and parts
/// that have no counterpart, are listed in `diagnostics`. Importing exported files changes nothing. `If-Match` takes the entity
/// tag of the workspace.
#[crate::describe::path(post, path = IN_TABLE, tag = "Decisions", operation_id = "importDecisions",
    request_body = NewDecisionFiles,
    responses((status = 200, description = "What was imported", body = ImportedDecisions)))]
pub async fn import(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewDecisionFiles>,
) -> Result<Json<ImportedDecisions>> {
    Ok(Json(decision_files::import(&api.gate, call, id, body).await?))
}
