//! Bulk replacement.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    access::EditorOrCreator,
    api::Api,
    error::{ApiError, Result},
    extract::{Path, Query, Write},
    responses,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        map::bulk::{self, Bulk, BulkOutcome},
        values::Id,
    },
};

/// Options of a bulk replacement.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BulkQuery {
    /// Return what would change, without writing. Default: `false`.
    #[serde(default)]
    dry_run: bool,
}

/// Replace the whole model
///
/// Replaces all components and relationships with those in the body, in one transaction. If the workspace does not
/// exist, it is created. Stakeholders, links, and processes are preserved for components that are in the body. The
/// response of `GET /api/workspaces/{id}` can be sent as the body.
#[crate::describe::path(put, path = IN_TABLE, tag = "Workspaces", operation_id = "replaceModel", params(BulkQuery),
    request_body = Bulk,
    responses((status = 200, description = "The new model or, with `dryRun`, what would change", body = BulkOutcome)))]
pub async fn replace(
    State(api): State<Api>,
    Path(id): Path<String>,
    Query(query): Query<BulkQuery>,
    Write { call, body, ignored }: Write<EditorOrCreator, Bulk>,
) -> Result<Response> {
    let id = Id::new(&id).map_err(|wrong| ApiError::invalid("id", wrong))?;
    // The reservation lasts until the response is serialized, so that only one large body of a user is processed at a
    // time.
    let body_reservation = call.body_reservation.clone();
    let outcome = bulk::replace(&api.gate, call, id, body, query.dry_run, ignored).await?;
    responses::large_result(&api, body_reservation, outcome).await
}
