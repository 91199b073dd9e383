//! Health checks and the OpenAPI document.

use std::sync::OnceLock;

use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{api::Api, error::Result, extract::Anonymous, responses::Json, route::IN_TABLE};
use crate::{domain::instance::maintenance, error::Error};

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
pub async fn healthz() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Check readiness
///
/// Reads from the database.
#[utoipa::path(get, path = IN_TABLE, tag = "System", operation_id = "readyz",
    responses((status = 200, description = "The server is ready", body = Health)))]
pub async fn readyz(State(api): State<Api>, Anonymous(call): Anonymous) -> Result<Json<Health>> {
    api.gate.public_view(call, maintenance::answer).await?;
    Ok(Json(Health { status: "ok" }))
}

/// Get the OpenAPI document
#[utoipa::path(get, path = IN_TABLE, tag = "System", operation_id = "readOpenApi",
    responses((status = 200, description = "The OpenAPI 3.1 document", body = Object)))]
pub async fn openapi_json() -> Result<Response> {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = match DOCUMENT.get() {
        Some(document) => document.clone(),
        None => {
            let json = serde_json::to_vec(&super::openapi()).map_err(Error::from)?;
            DOCUMENT.get_or_init(|| json.into()).clone()
        }
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], document).into_response())
}
