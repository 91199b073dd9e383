//! Undo and the history of a workspace.

use axum::{Json, extract::State};

use super::{
    Api, IN_TABLE,
    error::Result,
    extract::{Path, Write},
};
use crate::domain::history::{self, Undo, Undone};

/// Take a gesture back
///
/// The batch is what one request wrote (its `x-request-id`), or several requests that sent the same `X-Batch-Id`. Only
/// one's own writes can be taken back, and only while nothing of them was changed since: else the answer is 409, code
/// `changed_since`, and names what stands in the way. What was deleted comes back with the same ids. To redo, undo the
/// `batchId` of the answer. Who has access, and founding and deleting the workspace itself, are not undone.
#[utoipa::path(post, path = IN_TABLE, tag = "History", operation_id = "undo", request_body = Undo,
    responses((status = 200, description = "It is taken back", body = Undone)))]
pub async fn undo(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Undo>,
) -> Result<Json<Undone>> {
    Ok(Json(api.gate.edit(call, id, |tx| history::undo(tx, body)).await?))
}
