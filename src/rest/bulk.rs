//! Bulk replacement.

use axum::{extract::State, response::Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    answers,
    api::Api,
    error::{ApiError, Result},
    extract::{Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    bulk::{self, Bulk, BulkOutcome},
    values::Id,
};

/// Whether to do it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct How {
    /// Answer what would change, and write nothing.
    #[serde(default)]
    dry_run: bool,
}

/// Replace the whole model
///
/// All components and relationships become those of the body, in one transaction: all or nothing. The workspace is
/// created when its id is free. Stakeholders, links and processes survive for every component that does. A bundle that
/// was read may be sent back.
#[utoipa::path(put, path = IN_TABLE, tag = "Workspaces", operation_id = "replaceModel", params(How),
    request_body = Bulk,
    responses((status = 200, description = "The model, or what would change", body = BulkOutcome)))]
pub async fn replace(
    State(api): State<Api>,
    Path(id): Path<String>,
    Query(how): Query<How>,
    Write { call, body, ignored }: Write<Bulk>,
) -> Result<Response> {
    let id = Id::new(&id).map_err(|wrong| ApiError::invalid("id", wrong))?;
    // Until the answer is written, no further large body of the user is processed.
    let held = call.held.clone();
    let outcome = bulk::replace(&api.gate, call, id, body, how.dry_run, ignored).await?;
    answers::large_result(&api, held, outcome).await
}
