//! Applies several writes as one change set.

use axum::{extract::State, response::Response};

use super::{
    access::Editor,
    api::Api,
    error::Result,
    extract::{Path, Write},
    responses,
    route::IN_TABLE,
};
use crate::domain::operations::{self, Operations, OperationsResult};

/// Apply operations
///
/// Applies up to 10,000 operations in order, in one transaction and under one revision: all or none. They form one
/// change set, which `undo` undoes as a whole. An operation may contain the `revision` of the row that the caller has
/// read. If operations conflict with the current state, no data is written and `conflicts` lists every conflict. The
/// status is 412 if all conflicts are stale revisions, otherwise 409. A repeated request (`Idempotency-Key`) returns
/// the same change set and the current rows.
#[crate::describe::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "applyOperations", request_body = Operations,
    responses((status = 200, description = "The written rows and their change set", body = OperationsResult)))]
pub async fn apply(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, Operations>,
) -> Result<Response> {
    // The reservation lasts until the response is serialized, so that only one large body of a user is processed at a
    // time.
    let body_reservation = call.body_reservation.clone();
    let result = operations::apply(&api.wiki, call, id, body).await?;
    responses::large_result(&api, body_reservation, result).await
}
