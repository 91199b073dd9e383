//! Undo and the history of a workspace.

use axum::{Json, extract::State, response::Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    answers,
    api::Api,
    error::Result,
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    access::ViewTx,
    history::{self, ChangedKind, History, Moment, Page, Restored, Undo, Undone, WorkspaceDifference},
};

/// Which changes to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// How many at the most; 50 when absent. Large changes come in smaller pages.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<i64>,
    /// Those older than the change with this id: `next` of the page before.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Those of one kind of row.
    #[param(inline, example = "component")]
    entity: Option<ChangedKind>,
    /// Those of rows with this id; with `entity`, of one row.
    #[param(min_length = 1, max_length = 128, example = "checkout")]
    entity_id: Option<String>,
    /// Those by one user.
    #[param(minimum = 1)]
    actor: Option<i64>,
    /// Changes with this `batch`: a label, or the id of a change set.
    #[param(min_length = 1, max_length = 128)]
    batch: Option<String>,
    /// Changes of one change set.
    #[param(min_length = 1, max_length = 128)]
    change_set_id: Option<String>,
}

/// Read the history of a workspace
///
/// Every write in the workspace, the newest first, each with the row before and after. How long changes are kept is a
/// setting of the instance (`history.days`).
#[utoipa::path(get, path = IN_TABLE, tag = "History", operation_id = "readHistory", params(Which),
    responses((status = 200, description = "A page of it", body = History)))]
pub async fn read(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Response> {
    let Which { limit, before, entity, entity_id, actor, batch, change_set_id } = which;
    let read = move |tx: &ViewTx<'_>| {
        let batch = (batch.clone(), change_set_id.clone());
        let page = Page::new(limit, before, (entity, entity_id.clone()), actor, batch)?;
        history::read(tx, &page)
    };
    Ok(answers::json(answers::large_view(&api, call, id, read).await?))
}

/// Undo a change set
///
/// A change set is all that one request has written; its id is the request's `x-request-id`. `batchId` may also be a label
/// that the caller sent as `X-Batch-Id`: all of the caller's change sets under it are undone in one write. You can undo your
/// own changes only, and only while nobody else has written the same rows: otherwise the answer is 409, code
/// `changed_since`, `changed` lists the rows in the way, and nothing is written. Deleted rows come back with the same ids. To
/// redo, undo the `changeSetId` of the answer. Members, and creating and deleting the workspace, are not undone.
#[utoipa::path(post, path = IN_TABLE, tag = "History", operation_id = "undo", request_body = Undo,
    responses((status = 200, description = "The change set of the undo", body = Undone)))]
pub async fn undo(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Undo>,
) -> Result<Json<Undone>> {
    Ok(Json(api.gate.edit(call.large(), id, |tx| history::undo(tx, body)).await?))
}

/// Which revisions to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Between {
    /// The revision to begin with.
    #[param(minimum = 1)]
    from: i64,
    /// The revision to lead to; the present one when absent.
    #[param(minimum = 1)]
    to: Option<i64>,
}

/// Compare two revisions of a workspace
///
/// What was added, changed and removed from the one to the other, by kind of row. What only moved forth and back between
/// them is not told. Members are not compared.
#[utoipa::path(get, path = IN_TABLE, tag = "History", operation_id = "compareRevisions", params(Between),
    responses((status = 200, description = "The difference", body = WorkspaceDifference)))]
pub async fn difference(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(Between { from, to }): Query<Between>,
) -> Result<Response> {
    let compare = move |tx: &ViewTx<'_>| history::difference(tx, from, to);
    Ok(answers::json(answers::large_view(&api, call, id, compare).await?))
}

/// Go back to a revision
///
/// The workspace becomes what it was at the revision, with the same ids, as one change set: undo `changeSetId` to undo it.
/// What was written since is overwritten. Members and visibility stay as they are; a stakeholder whose person, team or role is not
/// there any more is left out and named in `skipped`. What the history has forgotten is 404; a named version is not forgotten.
#[utoipa::path(post, path = IN_TABLE, tag = "History", operation_id = "restoreRevision", request_body = Moment,
    responses((status = 200, description = "It is as it was", body = Restored)))]
pub async fn restore(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Moment>,
) -> Result<Json<Restored>> {
    Ok(Json(history::to_revision(&api.gate, call.large(), id, body).await?))
}
