//! Components.

use axum::extract::State;

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Write},
    responses::{ComponentList, ComponentResponse, Created, DONE, Done, Json},
    route::IN_TABLE,
};
use crate::domain::map::components::{self, ComponentDetails, ComponentPatch, Move, NewComponent};

/// Create a component
///
/// If `x` and `y` are not given, the component is placed in a free spot: in its group, beside related components,
/// or at the end of the map.
#[crate::describe::path(post, path = IN_TABLE, tag = "Components", operation_id = "createComponent",
    request_body = NewComponent,
    responses((status = 201, description = "The created component", body = ComponentResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewComponent>,
) -> Result<Created<ComponentResponse>> {
    let component = api.gate.write(call, id, |tx| components::create(tx, body)).await?;
    Ok(Created(ComponentResponse { component }))
}

/// Move components
///
/// Moves all components or none. `If-Match` takes the entity tag of the workspace.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Components", operation_id = "moveComponents",
    request_body = Vec<Move>, responses((status = 200, description = "The moved components", body = ComponentList)))]
pub async fn move_components(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, Vec<Move>>,
) -> Result<Json<ComponentList>> {
    let components = api.gate.write(call, id, |tx| components::relocate(tx, body)).await?;
    Ok(Json(ComponentList { components }))
}

/// Get a component
///
/// Includes its links and stakeholders.
#[crate::describe::path(get, path = IN_TABLE, tag = "Components", operation_id = "getComponent",
    responses((status = 200, description = "The component", body = ComponentDetails)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, cid)): Path<(String, String)>,
) -> Result<Json<ComponentDetails>> {
    Ok(Json(api.gate.read(call, id, move |tx| components::read(tx, &cid)).await?))
}

/// Update a component
#[crate::describe::path(patch, path = IN_TABLE, tag = "Components", operation_id = "updateComponent",
    request_body = ComponentPatch,
    responses((status = 200, description = "The updated component", body = ComponentResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, cid)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, ComponentPatch>,
) -> Result<Json<ComponentResponse>> {
    let component = api.gate.write(call, id, move |tx| components::update(tx, &cid, body)).await?;
    Ok(Json(ComponentResponse { component }))
}

/// Delete a component
///
/// Also deletes its relationships, stakeholders, and links. The text and participant mapping of processes do not
/// change.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Components", operation_id = "deleteComponent",
    responses((status = 200, description = "Component deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, cid)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| components::delete(tx, &cid)).await?;
    Ok(DONE)
}
