//! Views that only their user sees.

use axum::{extract::State, response::Response};

use super::{
    access::PersonalViewer,
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, PersonalViewList, PersonalViewResponse, json, large_read},
    route::IN_TABLE,
};
use crate::domain::{
    core::PersonalTx,
    map::personal_views::{self, NewPersonalView, PersonalViewPatch},
    paging::{Page, Paging},
};

/// List personal views
///
/// Lists the caller's own views of the workspace by `position`, without their positions and lines.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "listPersonalViews", params(Paging),
    responses((status = 200, description = "The personal views", body = PersonalViewList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &PersonalTx<'_>| {
        let Page { items: views, next_cursor } = personal_views::list(tx, &paging)?;
        Ok(PersonalViewList { views, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a personal view
///
/// Creates a view that only the caller sees. For everyone who can read the workspace; a user can have 50 personal views of
/// a workspace. Personal views are not part of the history, of exports and of the event stream.
#[crate::describe::path(post, path = IN_TABLE, tag = "Views", operation_id = "createPersonalView",
    request_body = NewPersonalView,
    responses((status = 201, description = "The created view", body = PersonalViewResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<PersonalViewer, NewPersonalView>,
) -> Result<Created<PersonalViewResponse>> {
    let view = api.gate.write(call, id, |tx| personal_views::create(tx, body)).await?;
    Ok(Created(PersonalViewResponse { view }))
}

/// Get a personal view
///
/// Includes its positions and lines.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "getPersonalView",
    responses((status = 200, description = "The personal view", body = PersonalViewResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, view_id)): Path<(String, String)>,
) -> Result<Json<PersonalViewResponse>> {
    let view = api.gate.read(call, id, move |tx| personal_views::find(tx, &view_id)).await?;
    Ok(Json(PersonalViewResponse { view }))
}

/// Update a personal view
///
/// The definition, the positions and the lines are each replaced as a whole.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Views", operation_id = "updatePersonalView",
    request_body = PersonalViewPatch,
    responses((status = 200, description = "The updated view", body = PersonalViewResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, view_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<PersonalViewer, PersonalViewPatch>,
) -> Result<Json<PersonalViewResponse>> {
    let view = api.gate.write(call, id, move |tx| personal_views::update(tx, &view_id, body)).await?;
    Ok(Json(PersonalViewResponse { view }))
}

/// Delete a personal view
#[crate::describe::path(delete, path = IN_TABLE, tag = "Views", operation_id = "deletePersonalView",
    responses((status = 200, description = "View deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path((id, view_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| personal_views::delete(tx, &view_id)).await?;
    Ok(DONE)
}
