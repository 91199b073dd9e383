//! Tours: ordered stops that explain a workspace.

use axum::{extract::State, response::Response};

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, TourList, TourResponse, json, large_read},
    route::IN_TABLE,
};
use crate::domain::{
    core::ViewTx,
    map::tours::{self, NewTour, TourPatch},
    paging::{Page, Paging},
};

/// List the tours of a workspace
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "listTours", params(Paging),
    responses((status = 200, description = "The tours", body = TourList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: tours, next_cursor } = tours::list(tx, &paging)?;
        Ok(TourList { tours, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a tour
#[crate::describe::path(post, path = IN_TABLE, tag = "Views", operation_id = "createTour",
    request_body = NewTour, responses((status = 201, description = "The created tour", body = TourResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewTour>,
) -> Result<Created<TourResponse>> {
    let tour = api.gate.write(call, id, |tx| tours::create(tx, body)).await?;
    Ok(Created(TourResponse { tour }))
}

/// Get a tour
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "getTour",
    responses((status = 200, description = "The tour", body = TourResponse)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, tour_id)): Path<(String, String)>,
) -> Result<Json<TourResponse>> {
    let tour = api.gate.read(call, id, move |tx| tours::find(tx, &tour_id)).await?;
    Ok(Json(TourResponse { tour }))
}

/// Update a tour
#[crate::describe::path(patch, path = IN_TABLE, tag = "Views", operation_id = "updateTour",
    request_body = TourPatch, responses((status = 200, description = "The updated tour", body = TourResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, tour_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, TourPatch>,
) -> Result<Json<TourResponse>> {
    let tour = api.gate.write(call, id, move |tx| tours::update(tx, &tour_id, body)).await?;
    Ok(Json(TourResponse { tour }))
}

/// Delete a tour
#[crate::describe::path(delete, path = IN_TABLE, tag = "Views", operation_id = "deleteTour",
    responses((status = 200, description = "Tour deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, tour_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| tours::delete(tx, &tour_id)).await?;
    Ok(DONE)
}
