//! Relationships.

use axum::extract::State;

use super::{
    access::Editor,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Write},
    responses::{Created, DONE, Done, Json, RelationshipResponse},
    route::IN_TABLE,
};
use crate::domain::map::relationships::{self, NewRelationship, RelationshipPatch};

/// Create a relationship
///
/// Both components must exist in the workspace. `contains` makes the target a part of the source. A component has at
/// most one parent and cannot contain itself, directly or indirectly.
#[crate::describe::path(post, path = IN_TABLE, tag = "Relationships", operation_id = "createRelationship",
    request_body = NewRelationship,
    responses((status = 201, description = "The created relationship", body = RelationshipResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewRelationship>,
) -> Result<Created<RelationshipResponse>> {
    let relationship = api.gate.write(call, id, |tx| relationships::create(tx, body)).await?;
    Ok(Created(RelationshipResponse { relationship }))
}

/// Update a relationship
#[crate::describe::path(patch, path = IN_TABLE, tag = "Relationships", operation_id = "updateRelationship",
    request_body = RelationshipPatch,
    responses((status = 200, description = "The updated relationship", body = RelationshipResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, rid)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, RelationshipPatch>,
) -> Result<Json<RelationshipResponse>> {
    let relationship = api.gate.write(call, id, move |tx| relationships::update(tx, &rid, body)).await?;
    Ok(Json(RelationshipResponse { relationship }))
}

/// Delete a relationship
#[crate::describe::path(delete, path = IN_TABLE, tag = "Relationships", operation_id = "deleteRelationship",
    responses((status = 200, description = "Relationship deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, rid)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| relationships::delete(tx, &rid)).await?;
    Ok(DONE)
}
