//! Undo and the history of a workspace.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses,
    responses::Json,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        core::{EditTx, ViewTx, WholeMap},
        history::{
            self, ChangeQuery, ChangedKind, History, MAX_CHANGES_PER_PAGE, MAX_FILTER_CHARS, RestoreRequest,
            RestoreResult, Undo, UndoResult, WorkspaceDifference,
        },
    },
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_CHANGES_PER_PAGE == 200 && MAX_FILTER_CHARS == 128);

/// Which changes to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// Maximum number of changes, 1 to 200. Default: 50. Pages with large changes contain fewer.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<i64>,
    /// Return changes older than the change with this id: `next` of the previous page.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Return changes of this kind of row.
    #[param(inline, example = "component")]
    entity: Option<ChangedKind>,
    /// Return changes of rows with this id. With `entity`, it identifies a single row.
    #[param(min_length = 1, max_length = 128, example = "checkout")]
    entity_id: Option<String>,
    /// Return changes by the user with this id.
    #[param(minimum = 1)]
    actor: Option<i64>,
    /// Return changes with this `batch`: a label or the id of a change set.
    #[param(min_length = 1, max_length = 128)]
    batch: Option<String>,
    /// Return changes of the change set with this id.
    #[param(min_length = 1, max_length = 128)]
    change_set_id: Option<String>,
}

/// List the changes of a workspace
///
/// Lists every write in the workspace, newest first, each with the row before and after the change. The instance
/// setting `history.days` limits for how long changes are stored.
#[crate::describe::path(get, path = IN_TABLE, tag = "History", operation_id = "getHistory", params(HistoryQuery),
    responses((status = 200, description = "A page of changes", body = History)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> Result<Response> {
    let HistoryQuery { limit, before, entity, entity_id, actor, batch, change_set_id } = query;
    let read = move |tx: &ViewTx<'_>| {
        let batch = (batch.clone(), change_set_id.clone());
        let query = ChangeQuery::new(limit, before, (entity, entity_id.clone()), actor, batch)?;
        history::read(tx, &query)
    };
    Ok(responses::json(responses::large_read(&api, call, id, read).await?))
}

/// Undo a change set
///
/// A change set contains all writes of one request. Its id is the `x-request-id` of that request. `batchId` instead of
/// `changeSetId` can also be a label that the caller sent as `X-Batch-Id`: it stands for all change sets of the caller with
/// this label, which are undone in one write.
/// Callers can undo only their own changes, and only if no other user has written the same rows since. Otherwise the
/// response is 409 with the code `changed_since`, `changed` lists the conflicting rows, and no data is written. Deleted
/// rows are restored with the same ids. To redo, undo the `changeSetId` of the response. Changes of members, and the
/// creation and deletion of the workspace, cannot be undone.
#[crate::describe::path(post, path = IN_TABLE, tag = "History", operation_id = "undo", request_body = Undo,
    responses((status = 200, description = "The change set of the undo", body = UndoResult)))]
pub async fn undo(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, Undo>,
) -> Result<Json<UndoResult>> {
    let request = body.clone();
    let weigh = move |tx: &EditTx<'_>| history::weigh_undo(tx, &request);
    let whole = api.gate.whole_map(&call, id.clone(), weigh).await?;
    Ok(Json(api.gate.write(call.large(), id, move |tx| history::undo(tx, &body, &whole)).await?))
}

/// Which revisions to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DifferenceQuery {
    /// First revision.
    #[param(minimum = 1)]
    from: i64,
    /// Second revision. Default: the current revision.
    #[param(minimum = 1)]
    to: Option<i64>,
}

/// Compare two revisions of a workspace
///
/// Returns what was added, changed, and removed between the first and the second revision, by kind of row. Changes that
/// were reverted in between are not included. Members are not compared.
#[crate::describe::path(get, path = IN_TABLE, tag = "History", operation_id = "compareRevisions", params(DifferenceQuery),
    responses((status = 200, description = "The differences", body = WorkspaceDifference)))]
pub async fn difference(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(DifferenceQuery { from, to }): Query<DifferenceQuery>,
) -> Result<Response> {
    let weigh = move |tx: &ViewTx<'_>| history::weigh_difference(tx, from, to);
    let compare = move |tx: &ViewTx<'_>, whole: &WholeMap| history::difference(tx, from, to, whole);
    Ok(responses::json(responses::whole_map_read(&api, call, id, weigh, compare).await?))
}

/// Restore a revision
///
/// Restores the state of the workspace at the revision, with the same ids, as one change set: undo `changeSetId` to
/// undo the restore. Later changes are overwritten. Members, `visibility` and `organizationAccess` do not change.
/// Stakeholders whose person, team, or role no longer exists are not restored and are listed in `skipped`. 404 if the
/// revision is no longer in the history. Named versions do not depend on the history.
#[crate::describe::path(post, path = IN_TABLE, tag = "History", operation_id = "restoreRevision", request_body = RestoreRequest,
    responses((status = 200, description = "The outcome of the restore", body = RestoreResult)))]
pub async fn restore(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, RestoreRequest>,
) -> Result<Json<RestoreResult>> {
    Ok(Json(history::to_revision(&api.gate, call.large(), id, body).await?))
}
