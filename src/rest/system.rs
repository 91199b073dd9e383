//! Health checks and the OpenAPI document.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use super::{api::Api, error::Result, extract::Anonymous, responses::Json, route::IN_TABLE};
use crate::{contracts, describe::ToSchema, domain::instance::maintenance, encoding::AcceptsGzip, error::Error};

/// The health of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// `true` if this server is a standby, which answers only reads. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    standby: Option<bool>,
}

/// Check liveness
#[crate::describe::path(get, path = IN_TABLE, tag = "System", operation_id = "getHealth",
    responses((status = 200, description = "The process is running", body = Health)))]
pub async fn health(_: Anonymous) -> Json<Health> {
    Json(Health { status: "ok", standby: None })
}

/// Check readiness
///
/// Reads from the database, and checks that its file was not deleted or replaced, and that no damage was found in it.
#[crate::describe::path(get, path = IN_TABLE, tag = "System", operation_id = "getReadiness",
    responses((status = 200, description = "The server is ready", body = Health)))]
pub async fn readiness(State(api): State<Api>, Anonymous(call): Anonymous) -> Result<Json<Health>> {
    api.gate.read(call, (), maintenance::answer).await?;
    if !api.gate.is_database_in_place() {
        let text = if api.gate.is_standby() {
            "the database file was replaced, and the new one cannot be used; an earlier log line has the reason"
        } else {
            "the database file was deleted or replaced while the server runs; stop the server and restore it"
        };
        return Err(Error::internal(std::io::Error::other(text)).into());
    }
    if api.gate.is_database_damaged() {
        let text = "the database is damaged; an earlier log line has the reason; stop the server and restore a backup";
        return Err(Error::internal(std::io::Error::other(text)).into());
    }
    Ok(Json(Health { status: "ok", standby: api.gate.is_standby().then_some(true) }))
}

/// The server in the OpenAPI document.
const SERVER: &str = "\"url\": \"/\"";

/// Get the OpenAPI document
#[crate::describe::path(get, path = IN_TABLE, tag = "System", operation_id = "getOpenApi",
    responses((status = 200, description = "The OpenAPI 3.1 document", body = Object)))]
pub async fn openapi_json(State(api): State<Api>, _: Anonymous, AcceptsGzip(gzip): AcceptsGzip) -> Result<Response> {
    let json = (header::CONTENT_TYPE, "application/json");
    let vary = (header::VARY, "accept-encoding");
    let server = api.settings.cookies.page("/");
    if gzip && server == "/" {
        return Ok(([json, vary, (header::CONTENT_ENCODING, "gzip")], contracts::OPENAPI).into_response());
    }
    let text = contracts::text(contracts::OPENAPI).map_err(Error::internal)?;
    // Paths in the document are relative to this URL. A test requires that the embedded document contains it.
    let text = match server.strip_suffix('/') {
        Some(base) if !base.is_empty() => text.replacen(SERVER, &format!("\"url\": \"{base}\""), 1),
        _ => text,
    };
    Ok(([json, vary], text).into_response())
}
