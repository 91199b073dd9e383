//! Views: saved selections of the components of a workspace.

use axum::{extract::State, response::Response};
use serde::Deserialize;

use super::{
    access::{Editor, Viewer},
    api::Api,
    conditional,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path, Query, Write},
    responses::{self, Created, DONE, Done, Json, ViewList, ViewResponse, json, large_read},
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        core::ViewTx,
        map::{
            bundle::Content,
            views::{self, NewView, NewViewCopy, ViewPatch, resolved::ResolvedView},
        },
        paging::{Page, Paging},
    },
    encoding::AcceptsGzip,
};

/// List the views of a workspace
///
/// Lists views by `position`. The whole map is not a view.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "listViews", params(Paging),
    responses((status = 200, description = "The views", body = ViewList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(paging): Query<Paging>,
) -> Result<Response> {
    let read = move |tx: &ViewTx<'_>| {
        let Page { items: views, next_cursor } = views::list(tx, &paging)?;
        Ok(ViewList { views, next_cursor })
    };
    Ok(json(large_read(&api, call, id, read).await?))
}

/// Create a view
///
/// The positions of components in a view whose layout is `own` are written by operations.
#[crate::describe::path(post, path = IN_TABLE, tag = "Views", operation_id = "createView",
    request_body = NewView, responses((status = 201, description = "The created view", body = ViewResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path(id): Path<String>,
    Write { call, body, .. }: Write<Editor, NewView>,
) -> Result<Created<ViewResponse>> {
    let view = api.gate.write(call, id, |tx| views::create(tx, body)).await?;
    Ok(Created(ViewResponse { view }))
}

/// How to read a view.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ViewQuery {
    /// Whether to evaluate the definition of the view and return its contents too. Default: false.
    #[serde(default)]
    resolved: bool,
}

/// Get a view
///
/// With `resolved`, returns also which components and relationships are in the view, and where they are drawn. Send the
/// `ETag` of that response in `If-None-Match` to get 304 if neither the workspace nor its people and teams have changed.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "getView", params(ViewQuery),
    responses((status = 200, description = "The view", body = ResolvedView)))]
pub async fn get(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(ViewQuery { resolved }): Query<ViewQuery>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    if resolved {
        return responses::bundled(&api, call, id, Content::View(view_id), gzip, known).await;
    }
    let view = api.gate.read(call, id, move |tx| views::find(tx, &view_id)).await?;
    conditional::hashed(&ResolvedView::unresolved(view), &known)
}

/// Update a view
///
/// The definition is replaced as a whole.
#[crate::describe::path(patch, path = IN_TABLE, tag = "Views", operation_id = "updateView",
    request_body = ViewPatch, responses((status = 200, description = "The updated view", body = ViewResponse)))]
pub async fn update(
    State(api): State<Api>,
    Path((id, view_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, ViewPatch>,
) -> Result<Json<ViewResponse>> {
    let view = api.gate.write(call, id, move |tx| views::update(tx, &view_id, body)).await?;
    Ok(Json(ViewResponse { view }))
}

/// Delete a view
///
/// Deletes the view with its positions and lines. Components are not deleted. Components that open the view and tours that
/// show it are not changed.
#[crate::describe::path(delete, path = IN_TABLE, tag = "Views", operation_id = "deleteView",
    responses((status = 200, description = "View deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, view_id)): Path<(String, String)>,
) -> Result<Json<Done>> {
    api.gate.write(call.large(), id, move |tx| views::delete(tx, &view_id)).await?;
    Ok(DONE)
}

/// Copy a view
///
/// Copies the view with its positions and lines.
#[crate::describe::path(post, path = IN_TABLE, tag = "Views", operation_id = "copyView",
    request_body = NewViewCopy, responses((status = 201, description = "The copy", body = ViewResponse)))]
pub async fn copy(
    State(api): State<Api>,
    Path((id, view_id)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, NewViewCopy>,
) -> Result<Created<ViewResponse>> {
    let view = api.gate.write(call.large(), id, move |tx| views::copy(tx, &view_id, body)).await?;
    Ok(Created(ViewResponse { view }))
}
