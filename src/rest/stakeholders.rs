//! Stakeholders: people and teams attached to components.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::ViewTx,
        map::stakeholders::{self, NewStakeholder, Stakeholder, StakeholderPatch},
        paging::{Page, Paging},
    },
};

/// Stakeholders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderList {
    /// In order of creation.
    stakeholders: Vec<Stakeholder>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One stakeholder.
#[derive(Debug, Serialize, ToSchema)]
pub struct StakeholderResponse {
    /// The stakeholder.
    stakeholder: Stakeholder,
}

/// List the stakeholders of a workspace
#[crate::describe::path(get, path = IN_TABLE, tag = "Stakeholders", operation_id = "listStakeholders", params(Paging),
    responses((status = 200, description = "The stakeholders", body = StakeholderList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let list = move |tx: &ViewTx<'_>| {
        let Page { items: stakeholders, next_cursor } = stakeholders::list(tx, &paging)?;
        Ok(StakeholderList { stakeholders, next_cursor })
    };
    Ok(json(large_read(&api, call, id, list).await?))
}

/// List the stakeholders of a component
#[crate::describe::path(get, path = IN_TABLE, tag = "Stakeholders", operation_id = "listComponentStakeholders", params(Paging),
    responses((status = 200, description = "The stakeholders", body = StakeholderList)))]
pub async fn of_component(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, cid)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Json<StakeholderList>> {
    let list = move |tx: &ViewTx<'_>| stakeholders::of_component(tx, &cid, &paging);
    let Page { items: stakeholders, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(StakeholderList { stakeholders, next_cursor }))
}

/// Add a stakeholder to a component
///
/// Requires exactly one of `personId` and `teamId`, and a role of the organization. A person or team can have several
/// roles on a component.
#[crate::describe::path(post, path = IN_TABLE, tag = "Stakeholders", operation_id = "createStakeholder",
    request_body = NewStakeholder,
    responses((status = 201, description = "The created stakeholder", body = StakeholderResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path((id, cid)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, NewStakeholder>,
) -> Result<Created<StakeholderResponse>> {
    let stakeholder = api.gate.write(call, id, move |tx| stakeholders::create(tx, &cid, body)).await?;
    Ok(Created(StakeholderResponse { stakeholder }))
}

/// Update the role of a stakeholder
#[crate::describe::path(patch, path = IN_TABLE, tag = "Stakeholders", operation_id = "updateStakeholder",
    request_body = StakeholderPatch,
    responses((status = 200, description = "The updated stakeholder", body = StakeholderResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, cid, sid)): Path<(String, String, i64)>,
    Write { call, body, .. }: Write<Editor, StakeholderPatch>,
) -> Result<Json<StakeholderResponse>> {
    let stakeholder = api.gate.write(call, id, move |tx| stakeholders::update(tx, &cid, sid, body)).await?;
    Ok(Json(StakeholderResponse { stakeholder }))
}

/// Remove a stakeholder from a component
#[crate::describe::path(delete, path = IN_TABLE, tag = "Stakeholders", operation_id = "deleteStakeholder",
    responses((status = 200, description = "Stakeholder removed", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, cid, sid)): Path<(String, String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| stakeholders::delete(tx, &cid, sid)).await?;
    Ok(DONE)
}
