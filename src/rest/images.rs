//! Pictures from elsewhere, shown from here.
//!
//! They go the way of everything else: with the caller's credential, which an `<img>` cannot send; our own pages fetch them
//! and show what came. An address that nobody can guess would do without, but whoever once had it would have it for ever.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    api::Api,
    directory::InOrganization,
    error::Result,
    extract::{Asked, IfNoneMatch, Path, Query},
    route::IN_TABLE,
};
use crate::domain::images::Shown;

/// So that nothing runs in it, should it ever be opened by itself: an SVG may have styles, and that is all.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/// For a day it need not be asked for again with the same credential; with another one, whether it may be seen is asked.
const KEPT: &str = "private, max-age=86400";

/// Whose icon.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Whose {
    /// Id of a page or database: 32 hexadecimal digits, with dashes or without. Without it, the icon of the connected wiki.
    #[param(max_length = 36)]
    id: Option<String>,
}

/// The photograph of a person
///
/// What is at their `photoUrl`, fetched once by the server: PNG, JPEG, GIF, WebP, AVIF, or SVG of shapes alone, of at most
/// 1 MiB. What did not come is 404 with the code `no_picture` and the reason; it is tried again later without being asked.
#[utoipa::path(get, path = IN_TABLE, tag = "People", operation_id = "readPhoto", params(InOrganization),
    responses((status = 200, description = "The picture", body = Vec<u8>, content_type = "image/*")))]
pub async fn photo(
    State(api): State<Api>,
    Asked(call): Asked,
    Path(id): Path<String>,
    Query(place): Query<InOrganization>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.photo(call, id, place.org_id, known).await.map(shown).map_err(Into::into)
}

/// The icon of what a link leads to
///
/// What is at the link's `icon`, where that is an address: see the photograph of a person for kinds and failures. An icon
/// that is an emoji is no picture: 404.
///
/// One that begins with `upload:` was uploaded to the wiki, which is asked where it is when somebody first looks. What came
/// stays, whether the wiki is connected or not; until then, 404 with the code `no_picture` says what is in the way.
#[utoipa::path(get, path = IN_TABLE, tag = "Links", operation_id = "readLinkIcon",
    responses((status = 200, description = "The picture", body = Vec<u8>, content_type = "image/*")))]
pub async fn link_icon(
    State(api): State<Api>,
    Asked(call): Asked,
    Path((id, cid, link_id)): Path<(String, String, i64)>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.link_icon(call, id, cid, link_id, known).await.map(shown).map_err(Into::into)
}

/// The icon of a page of the wiki
///
/// Of a page or database that `GET /api/wiki/children` has listed, or of the connected wiki: what is at its address, or was
/// uploaded there.
#[utoipa::path(get, path = IN_TABLE, tag = "Wiki", operation_id = "readWikiIcon", params(Whose),
    responses((status = 200, description = "The picture", body = Vec<u8>, content_type = "image/*")))]
pub async fn wiki_icon(
    State(api): State<Api>,
    Asked(call): Asked,
    Query(whose): Query<Whose>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    api.images.wiki_icon(call, whose.id, known).await.map(shown).map_err(Into::into)
}

fn shown(shown: Shown) -> Response {
    let (mut response, tag) = match shown {
        Shown::Unchanged(tag) => (StatusCode::NOT_MODIFIED.into_response(), tag),
        Shown::Picture { tag, media_type, bytes } => {
            let mut response = Response::new(Body::from(bytes));
            if let Ok(media_type) = HeaderValue::try_from(media_type) {
                response.headers_mut().insert(header::CONTENT_TYPE, media_type);
            }
            (response, tag)
        }
    };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(format!("\"{tag}\"")) {
        headers.insert(header::ETAG, tag);
    }
    for (name, value) in [
        (header::CACHE_CONTROL, KEPT),
        (header::VARY, "authorization"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
