//! Components.

use axum::{Json, extract::State};

use super::{
    answers::{ComponentAnswer, ComponentsAnswer, Created, DONE, Done},
    api::Api,
    error::Result,
    extract::{Asked, Path, Write},
    route::IN_TABLE,
};
use crate::domain::components::{self, ComponentDetails, ComponentPatch, Move, NewComponent};

/// Create a component
///
/// Without `x` and `y` it is placed on a free spot near the map's end.
#[utoipa::path(post, path = IN_TABLE, tag = "Components", operation_id = "createComponent",
    request_body = NewComponent, responses((status = 201, description = "The component", body = ComponentAnswer)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<NewComponent>,
) -> Result<Created<ComponentAnswer>> {
    let component = api.gate.edit(call, id, |tx| components::create(tx, body)).await?;
    Ok(Created(ComponentAnswer { component }))
}

/// Move many components
///
/// All or none. `If-Match` takes the workspace's tag.
#[utoipa::path(patch, path = IN_TABLE, tag = "Components", operation_id = "moveComponents",
    request_body = Vec<Move>, responses((status = 200, description = "The components", body = ComponentsAnswer)))]
pub async fn relocate(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Vec<Move>>,
) -> Result<Json<ComponentsAnswer>> {
    let components = api.gate.edit(call, id, |tx| components::relocate(tx, body)).await?;
    Ok(Json(ComponentsAnswer { components }))
}

/// Read a component with its links and stakeholders
#[utoipa::path(get, path = IN_TABLE, tag = "Components", operation_id = "readComponent",
    responses((status = 200, description = "The component", body = ComponentDetails)))]
pub async fn read(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid)): Path<(String, String)>,
) -> Result<Json<ComponentDetails>> {
    Ok(Json(api.gate.view(call, id, move |tx| components::read(tx, &cid)).await?))
}

/// Change a component
#[utoipa::path(patch, path = IN_TABLE, tag = "Components", operation_id = "updateComponent",
    request_body = ComponentPatch, responses((status = 200, description = "The component", body = ComponentAnswer)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, cid)): Path<(String, String)>,
    Write { call, body, .. }: Write<ComponentPatch>,
) -> Result<Json<ComponentAnswer>> {
    let component = api.gate.edit(call, id, move |tx| components::update(tx, &cid, body)).await?;
    Ok(Json(ComponentAnswer { component }))
}

/// Delete a component
///
/// Its relationships, stakeholders and links go with it. Processes keep their text and their mapping.
#[utoipa::path(delete, path = IN_TABLE, tag = "Components", operation_id = "deleteComponent",
    responses((status = 200, description = "It is deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.edit(call, id, move |tx| components::delete(tx, &cid)).await?;
    Ok(DONE)
}
