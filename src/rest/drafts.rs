//! Drafts of a workspace, and its protection.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};

use super::{
    access::{DraftMerger, DraftReader, Drafter, Owner, Proposer, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, Json, json, large_read, whole_map_read, whole_map_text},
    route::IN_TABLE,
};
use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        core::{DraftTx, ViewTx},
        drafts::{
            self, Draft, DraftComparison, DraftFilter, DraftMerge, DraftMergeResult, DraftPatch, DraftUpdate,
            DraftUpdateResult, NewDraft, NewReview, ProtectionPatch, WorkspaceProtection,
        },
        paging::{Page, Paging},
    },
    error::Error,
};

/// Drafts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftList {
    /// Newest first.
    drafts: Vec<Draft>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftResponse {
    /// The draft.
    draft: Draft,
}

/// List the drafts of a workspace
///
/// For everyone who can view the workspace.
#[crate::describe::path(get, path = IN_TABLE, tag = "Drafts", operation_id = "listDrafts", params(DraftFilter, Paging),
    responses((status = 200, description = "The drafts", body = DraftList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(filter): Query<DraftFilter>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: drafts, next_cursor } = drafts::list(tx, &filter, &paging)?;
        Ok(DraftList { drafts, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Start a draft
///
/// For everyone who can view the workspace. The map of the draft is a copy of the workspace with the id of the draft: every
/// endpoint and tool that takes the id of a workspace accepts it. The draft is in no list of workspaces and is not found by
/// search. Its author and editors of the workspace can edit it until it is merged or closed. A workspace can have 200
/// unfinished drafts, 50 of them by the same user. Followers receive a `drafts` event.
#[crate::describe::path(post, path = IN_TABLE, tag = "Drafts", operation_id = "createDraft", request_body = NewDraft,
    responses((status = 201, description = "The created draft", body = DraftResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Proposer, NewDraft>,
) -> Result<Created<DraftResponse>> {
    Ok(Created(DraftResponse { draft: drafts::create(&api.gate, call, id, body).await? }))
}

/// Get a draft
#[crate::describe::path(get, path = IN_TABLE, tag = "Drafts", operation_id = "getDraft",
    responses((status = 200, description = "The draft", body = DraftResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<DraftReader>,
    Path(id): Path<String>,
) -> Result<Json<DraftResponse>> {
    Ok(Json(DraftResponse { draft: api.gate.read(call, id, drafts::read).await? }))
}

/// Update a draft
///
/// For its author and editors of the workspace. Sets the texts and reviewers, submits the draft for review, or withdraws or
/// reopens it.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Drafts", operation_id = "updateDraft", request_body = DraftPatch,
    responses((status = 200, description = "The updated draft", body = DraftResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Drafter, DraftPatch>,
) -> Result<Json<DraftResponse>> {
    let update = move |tx: &mut DraftTx<'_>| drafts::update(tx, &body);
    Ok(Json(DraftResponse { draft: api.gate.write(call, id, update).await? }))
}

/// How to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ComparisonQuery {
    /// `json` or `markdown`. Default: `json`.
    #[param(pattern = "^(json|markdown)$")]
    format: Option<String>,
}

/// Compare a draft with its workspace
///
/// Compares each row and field in three states: when the draft was started or last updated, in the workspace now, and in the
/// draft. The comparison of a merged or closed draft is that of its end. With `format=markdown`, the response is Markdown,
/// for example for a pull request.
#[crate::describe::path(get, path = IN_TABLE, tag = "Drafts", operation_id = "compareDraft", params(ComparisonQuery),
    responses((status = 200, description = "The comparison", content(
        (DraftComparison = "application/json"),
        (String = "text/markdown"),
    ))))]
pub async fn comparison(
    State(api): State<Api>,
    Authenticated(call): Authenticated<DraftReader>,
    Path(id): Path<String>,
    Query(ComparisonQuery { format }): Query<ComparisonQuery>,
) -> Result<Response> {
    match format.as_deref() {
        None | Some("json") => Ok(json(whole_map_read(&api, call, id, drafts::weigh, drafts::compare).await?)),
        Some("markdown") => {
            let text = whole_map_text(&api, call, id, drafts::weigh, drafts::compare_as_text).await?;
            let markdown = HeaderValue::from_static("text/markdown; charset=utf-8");
            Ok(([(header::CONTENT_TYPE, markdown)], text).into_response())
        }
        Some(_) => Err(Error::invalid("format", "must be `json` or `markdown`"))?,
    }
}

/// Update a draft from its workspace
///
/// For its author and editors of the workspace. Brings the changes of the workspace into the draft, as one change set of the
/// draft, which cannot be undone. 409 with the code `draft_conflicts` if conflicts are not decided.
#[crate::describe::path(post, path = IN_TABLE, tag = "Drafts", operation_id = "updateDraftFromBase", request_body = DraftUpdate,
    responses((status = 200, description = "The updated draft", body = DraftUpdateResult)))]
pub async fn update_from_base(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Drafter, DraftUpdate>,
) -> Result<Json<DraftUpdateResult>> {
    Ok(Json(drafts::update_from_base(&api.gate, call, id, body).await?))
}

/// Review a draft
///
/// Everyone who can view the workspace can comment. Editors of the workspace, except the author of the draft, can approve it
/// and request changes, after it was submitted. Approvals lapse when the map of the draft changes.
#[crate::describe::path(post, path = IN_TABLE, tag = "Drafts", operation_id = "reviewDraft", request_body = NewReview,
    responses((status = 201, description = "The reviewed draft", body = DraftResponse)))]
pub async fn review(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Drafter, NewReview>,
) -> Result<Created<DraftResponse>> {
    let review = move |tx: &mut DraftTx<'_>| drafts::review(tx, &body);
    Ok(Created(DraftResponse { draft: api.gate.write(call, id, review).await? }))
}

/// Merge a draft
///
/// For editors of the workspace, after the draft was submitted. Writes the changes of the draft into the workspace as one
/// change set, which can be undone. 409 with the code `draft_conflicts` if conflicts are not decided, with
/// `approvals_missing` if the workspace is protected and approvals are missing, and with `draft_update_required` if it is
/// protected and the draft conflicts with it: then update the draft first.
#[crate::describe::path(post, path = IN_TABLE, tag = "Drafts", operation_id = "mergeDraft", request_body = DraftMerge,
    responses((status = 200, description = "The outcome of the merge", body = DraftMergeResult)))]
pub async fn merge(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<DraftMerger, DraftMerge>,
) -> Result<Json<DraftMergeResult>> {
    Ok(Json(drafts::merge(&api.gate, call, id, body).await?))
}

/// Close a draft
///
/// Closes it without a merge, for its author and editors of the workspace. It can be reopened for 30 days.
#[crate::describe::path(post, path = IN_TABLE, tag = "Drafts", operation_id = "closeDraft",
    responses((status = 200, description = "The closed draft", body = DraftResponse)))]
pub async fn close(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Drafter>,
    Path(id): Path<String>,
) -> Result<Json<DraftResponse>> {
    Ok(Json(DraftResponse { draft: drafts::close(&api.gate, call, id).await? }))
}

/// Get the protection of a workspace
#[crate::describe::path(get, path = IN_TABLE, tag = "Drafts", operation_id = "getProtection",
    responses((status = 200, description = "The protection", body = WorkspaceProtection)))]
pub async fn get_protection(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
) -> Result<Json<WorkspaceProtection>> {
    Ok(Json(api.gate.read(call, id, drafts::protection).await?))
}

/// Protect a workspace
///
/// The map of a protected workspace changes only when drafts are merged: other writes get 403 with the code `protected`.
/// Members and settings are not part of the map.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Drafts", operation_id = "updateProtection", request_body = ProtectionPatch,
    responses((status = 200, description = "The updated protection", body = WorkspaceProtection)))]
pub async fn update_protection(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Owner, ProtectionPatch>,
) -> Result<Json<WorkspaceProtection>> {
    Ok(Json(api.gate.write(call, id, move |tx| drafts::protect(tx, &body)).await?))
}
