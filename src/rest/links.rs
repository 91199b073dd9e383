//! External links of components.

use axum::{Json, extract::State};

use super::{
    answers::{Created, DONE, Done, LinkAnswer, LinksAnswer, RefreshedLink},
    api::Api,
    error::Result,
    extract::{Asked, Path, Query, Write},
    route::IN_TABLE,
};
use crate::domain::{
    access::ViewTx,
    links::{self, NewLink},
    paging::{Page, Paging},
};

/// List the external links of a component
#[utoipa::path(get, path = IN_TABLE, tag = "Links", operation_id = "listLinks", params(Paging),
    responses((status = 200, description = "The links", body = LinksAnswer)))]
pub async fn list(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid)): Path<(String, String)>,
    Query(paging): Query<Paging>,
) -> Result<Json<LinksAnswer>> {
    let list = move |tx: &ViewTx<'_>| links::list(tx, &cid, &paging);
    let Page { items: links, next_cursor } = api.gate.view(call, id, list).await?;
    Ok(Json(LinksAnswer { links, next_cursor }))
}

/// Link a component to an address
///
/// Pages and databases of the wiki are looked up there, unless `kind` is `url`. All other addresses are kept as they
/// are given.
#[utoipa::path(post, path = IN_TABLE, tag = "Links", operation_id = "createLink",
    request_body = NewLink, responses((status = 201, description = "The link", body = LinkAnswer)))]
pub async fn create(
    State(api): State<Api>,
    Path((id, cid)): Path<(String, String)>,
    Write { call, body, .. }: Write<NewLink>,
) -> Result<Created<LinkAnswer>> {
    let link = api.wiki.link(call, id, cid, body).await?;
    Ok(Created(LinkAnswer { link }))
}

/// Delete an external link
#[utoipa::path(delete, path = IN_TABLE, tag = "Links", operation_id = "deleteLink",
    responses((status = 200, description = "It is deleted", body = Done)))]
pub async fn delete(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
) -> Result<Json<Done>> {
    api.gate.edit(call, id, move |tx| links::delete(tx, &cid, link_id)).await?;
    Ok(DONE)
}

/// Look up again what a link leads to
///
/// Fetches title and icon of a page or database of the wiki. A plain link is answered as it is, and nobody is asked.
#[utoipa::path(post, path = IN_TABLE, tag = "Links", operation_id = "refreshLink",
    responses((status = 200, description = "The link, and whether it is as it was", body = RefreshedLink)))]
pub async fn refresh(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
) -> Result<Json<RefreshedLink>> {
    let (link, unchanged) = api.wiki.refresh_link(call, id, cid, link_id).await?;
    Ok(Json(RefreshedLink { link, unchanged }))
}
