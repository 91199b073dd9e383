//! Images from other servers, served by this server, and the headers of all images.
//!
//! Images require the caller's credential, which an `<img>` element cannot send, so the web client fetches them.
//! Unguessable URLs would work without a credential, but access through them could not be revoked.

use axum::{
    extract::State,
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{
    access::{Member, OrgReader, Viewer},
    api::Api,
    directory::OrganizationQuery,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path, Query},
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    images::{IMAGE_POLICY, ImageResponse},
};

/// Images may be cached for one day. `Vary: authorization` makes requests with another credential check the permission
/// again.
const CACHE_CONTROL: &str = "private, max-age=86400";

/// Selects an icon.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct IconQuery {
    /// Id of a page or database: 32 hexadecimal digits, with or without dashes. Default: the icon of the connected
    /// wiki.
    #[param(max_length = 36)]
    id: Option<String>,
}

/// Get the photo of a person
///
/// Returns the image at `photoUrl`, which the server fetches once. Formats: PNG, JPEG, GIF, WebP, AVIF, and SVG that
/// contains only shapes. Maximum size: 1 MiB. If the image cannot be fetched, the response is 404 with the code
/// `no_picture` and the reason. The server tries again later.
///
/// If the user of this person has uploaded a photo, returns that photo.
#[crate::describe::path(get, path = IN_TABLE, tag = "People", operation_id = "getPhoto", params(OrganizationQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/*")))]
pub async fn photo(
    State(api): State<Api>,
    Authenticated(call): Authenticated<OrgReader>,
    Path(id): Path<String>,
    Query(place): Query<OrganizationQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.photo(call, id, place.org_id, known).await.map(respond).map_err(Into::into)
}

/// Get the icon of a link
///
/// Returns the image at the link's `icon` if that is a URL, with the formats and errors of a person's photo. If the
/// icon is an emoji, the response is 404.
///
/// An icon that begins with `upload:` was uploaded to the wiki. The server gets its URL from the wiki on the first
/// request. A fetched icon is stored even if the wiki is disconnected. Before that, the response is 404 with the code
/// `no_picture` and the reason.
#[crate::describe::path(get, path = IN_TABLE, tag = "Links", operation_id = "getLinkIcon",
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/*")))]
pub async fn link_icon(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.link_icon(call, id, cid, link_id, known).await.map(respond).map_err(Into::into)
}

/// Get the icon of a wiki page
///
/// Returns the icon of a page or database that `GET /api/wiki/children` has listed, or the icon of the connected wiki.
/// The icon can be at a URL or uploaded to the wiki.
#[crate::describe::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "getWikiIcon", params(IconQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/*")))]
pub async fn wiki_icon(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Member>,
    Query(whose): Query<IconQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.wiki_icon(call, whose.id, known).await.map(respond).map_err(Into::into)
}

/// The response with an image of another server.
fn respond(image: ImageResponse) -> Response {
    respond_cached(image, CACHE_CONTROL)
}

/// The response with an image, with a value of `Cache-Control`.
pub(super) fn respond_cached(image: ImageResponse, cache_control: &'static str) -> Response {
    let mut response = image.into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, cache_control),
        (header::VARY, "authorization"),
        (header::CONTENT_SECURITY_POLICY, IMAGE_POLICY),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
