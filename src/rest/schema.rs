//! The type catalog.

use axum::extract::State;

use super::{access::User, api::Api, error::Result, extract::Authenticated, responses::Json, route::IN_TABLE};
use crate::domain::catalogue::{CATALOGUE, Catalogue};

/// Get the type catalog
///
/// Returns component types, relationship types, lifecycle states, and built-in roles, with names, colors, and icons.
#[crate::describe::path(get, path = IN_TABLE, tag = "Schema", operation_id = "getSchema",
    responses((status = 200, description = "The type catalog", body = Catalogue)))]
pub async fn get(State(api): State<Api>, Authenticated(call): Authenticated<User>) -> Result<Json<Catalogue>> {
    api.gate.admit(call).await?;
    Ok(Json(CATALOGUE))
}
