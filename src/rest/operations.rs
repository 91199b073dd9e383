//! Several writes as one change set.

use axum::{extract::State, response::Response};

use super::{
    answers,
    api::Api,
    error::Result,
    extract::{Path, Write},
    route::IN_TABLE,
};
use crate::domain::operations::{self, Operations, OperationsResult};

/// Apply operations
///
/// Applies up to 10,000 operations in order, in one transaction and under one revision: all or none. They form one change
/// set, which `undo` undoes as a whole. An operation may carry the `revision` of the row that the caller has read. When
/// operations conflict with the present state, nothing is written and every conflict is listed in `conflicts`: 412 when all
/// of them are about stale revisions, else 409. A repeated request (`Idempotency-Key`) is answered with the same change set
/// and the rows as they are now.
#[utoipa::path(post, path = IN_TABLE, tag = "Workspaces", operation_id = "applyOperations", request_body = Operations,
    responses((status = 200, description = "The rows that were written", body = OperationsResult)))]
pub async fn apply(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Operations>,
) -> Result<Response> {
    // Until the answer is written, no further large body of the user is processed.
    let held = call.held.clone();
    let result = operations::apply(&api.wiki, call, id, body).await?;
    answers::large_result(&api, held, result).await
}
