//! External links of components.

use axum::extract::State;

use super::{
    access::{Editor, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, Path, Query, Write},
    responses::{Created, DONE, Done, Json, LinkList, LinkResponse, RefreshedLink},
    route::IN_TABLE,
};
use crate::domain::{
    core::ViewTx,
    map::links::{self, NewLink},
    paging::{Page, Paging},
};

/// List the links of a component
#[crate::describe::path(get, path = IN_TABLE, tag = "Links", operation_id = "listLinks", params(Paging),
    responses((status = 200, description = "The links", body = LinkList)))]
pub async fn list(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, cid)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Json<LinkList>> {
    let list = move |tx: &ViewTx<'_>| links::list(tx, &cid, &paging);
    let Page { items: links, next_cursor } = api.gate.read(call, id, list).await?;
    Ok(Json(LinkList { links, next_cursor }))
}

/// Create a link
///
/// Links the component to a URL. Pages and databases of the wiki are looked up in the wiki, unless `kind` is `url`. All
/// other URLs are stored unchanged.
#[crate::describe::path(post, path = IN_TABLE, tag = "Links", operation_id = "createLink",
    request_body = NewLink, responses((status = 201, description = "The created link", body = LinkResponse)))]
pub async fn create(
    State(api): State<Api>,
    Path((id, cid)): Path<(String, String)>,
    Write { call, body, .. }: Write<Editor, NewLink>,
) -> Result<Created<LinkResponse>> {
    let link = api.wiki.link(call, id, cid, body).await?;
    Ok(Created(LinkResponse { link }))
}

/// Delete a link
#[crate::describe::path(delete, path = IN_TABLE, tag = "Links", operation_id = "deleteLink",
    responses((status = 200, description = "Link deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
) -> Result<Json<Done>> {
    api.gate.write(call, id, move |tx| links::delete(tx, &cid, link_id)).await?;
    Ok(DONE)
}

/// Refresh a link
///
/// Fetches the title and icon of a wiki page or database again. A plain link is returned unchanged, without a request
/// to another server.
#[crate::describe::path(post, path = IN_TABLE, tag = "Links", operation_id = "refreshLink",
    responses((status = 200, description = "The link, and whether it is unchanged", body = RefreshedLink)))]
pub async fn refresh(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Editor>,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
) -> Result<Json<RefreshedLink>> {
    let (link, unchanged) = api.wiki.refresh_link(call, id, cid, link_id).await?;
    Ok(Json(RefreshedLink { link, unchanged }))
}
