//! Health checks and the OpenAPI document.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{api::Api, error::Result, extract::Anonymous, responses::Json, route::IN_TABLE};
use crate::{contracts, domain::instance::maintenance, encoding::AcceptsGzip, error::Error};

/// The health of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Check liveness
#[utoipa::path(get, path = IN_TABLE, tag = "System", operation_id = "healthz",
    responses((status = 200, description = "The process is running", body = Health)))]
pub async fn healthz(_: Anonymous) -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Check readiness
///
/// Reads from the database.
#[utoipa::path(get, path = IN_TABLE, tag = "System", operation_id = "readyz",
    responses((status = 200, description = "The server is ready", body = Health)))]
pub async fn readyz(State(api): State<Api>, Anonymous(call): Anonymous) -> Result<Json<Health>> {
    api.gate.read(call, (), maintenance::answer).await?;
    Ok(Json(Health { status: "ok" }))
}

/// Get the OpenAPI document
#[utoipa::path(get, path = IN_TABLE, tag = "System", operation_id = "readOpenApi",
    responses((status = 200, description = "The OpenAPI 3.1 document", body = Object)))]
pub async fn openapi_json(_: Anonymous, AcceptsGzip(gzip): AcceptsGzip) -> Result<Response> {
    let json = (header::CONTENT_TYPE, "application/json");
    let vary = (header::VARY, "accept-encoding");
    if gzip {
        return Ok(([json, vary, (header::CONTENT_ENCODING, "gzip")], contracts::OPENAPI).into_response());
    }
    let text = contracts::text(contracts::OPENAPI).map_err(Error::internal)?;
    Ok(([json, vary], text).into_response())
}
