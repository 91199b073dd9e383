//! Images of maps and views.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use serde::Deserialize;

use super::{
    access::{PersonalViewer, Viewer},
    api::Api,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path, Query},
    images::respond_cached,
    route::IN_TABLE,
};
use crate::{
    describe::IntoParams,
    domain::{
        core::Call,
        map::{
            drawing::{DrawnView, Format, ImageQuery, ImageRequest},
            personal_views,
        },
    },
    encoding::{self, AcceptsGzip},
};

/// Clients ask each time whether the image has changed, which needs no drawing.
const REVALIDATED: &str = "private, no-cache";

/// Options of an SVG.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SvgQuery {
    /// Whether components, groups and relationships have their ids in `data-id`, and relationships the ids of their ends in
    /// `data-from` and `data-to`. Default: false.
    #[serde(default)]
    ids: bool,
}

/// Options of a PNG.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PngQuery {
    /// Width in pixels: 600, 1200, 1568 or 2400. Default: the width of the map, at most 2400.
    #[param(minimum = 600, maximum = 2400)]
    width: Option<u32>,
}

/// Responds with an image. `known` are the entity tags that the client has, and whether it accepts gzip.
async fn respond(
    api: &Api,
    call: Call<Viewer>,
    id: String,
    request: ImageRequest,
    (known, gzip): (Vec<String>, bool),
) -> Result<Response> {
    let is_compressed = gzip && encoding::is_compressible(request.format.media_type());
    let image = api.map_images.read(&api.gate, call, id, request, known).await?;
    let image = if is_compressed { api.map_images.compressed(&api.gate, image).await? } else { image };
    let mut response = respond_cached(image, REVALIDATED);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("authorization, accept-encoding"));
    Ok(response)
}

/// Get an image of the map as SVG
///
/// Draws the map as the web client shows it when it is opened, without a lens, filters or collapsed groups. Owners and the
/// images of notes are not drawn. At most 5,000 components and 8 MiB. Send the `ETag` in `If-None-Match` to get 304 if the
/// image has not changed. Images show the current state: `at` is rejected, and other unknown parameters are ignored.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsSvg", params(ImageQuery, SvgQuery),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub async fn svg(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    Query(SvgQuery { ids }): Query<SvgQuery>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    let request = ImageRequest::new(&query, None, Format::Svg, ids, api.clock.now())?;
    respond(&api, call, id, request, (known, gzip)).await
}

/// Get an image of the map as PNG
///
/// Like the SVG, with at most 4 million pixels: larger images are scaled down.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsPng", params(ImageQuery, PngQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub async fn png(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    Query(PngQuery { width }): Query<PngQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = ImageRequest::new(&query, None, Format::Png(width), false, api.clock.now())?;
    respond(&api, call, id, request, (known, false)).await
}

/// Get an image of the map as PDF
///
/// Like the SVG, on one page as large as the map.
#[crate::describe::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsPdf", params(ImageQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "application/pdf")))]
pub async fn pdf(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = ImageRequest::new(&query, None, Format::Pdf, false, api.clock.now())?;
    respond(&api, call, id, request, (known, false)).await
}

/// Get an image of a view as SVG
///
/// Like the image of the map, with the contents and the positions of the view.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsSvg", params(ImageQuery, SvgQuery),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub async fn view_svg(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(SvgQuery { ids }): Query<SvgQuery>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    let request = ImageRequest::new(&query, Some(DrawnView::Shared(view_id)), Format::Svg, ids, api.clock.now())?;
    respond(&api, call, id, request, (known, gzip)).await
}

/// Get an image of a view as PNG
///
/// Like the SVG, with at most 4 million pixels: larger images are scaled down.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsPng", params(ImageQuery, PngQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub async fn view_png(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(PngQuery { width }): Query<PngQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request =
        ImageRequest::new(&query, Some(DrawnView::Shared(view_id)), Format::Png(width), false, api.clock.now())?;
    respond(&api, call, id, request, (known, false)).await
}

/// Get an image of a view as PDF
///
/// Like the SVG, on one page as large as the view.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsPdf", params(ImageQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "application/pdf")))]
pub async fn view_pdf(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = ImageRequest::new(&query, Some(DrawnView::Shared(view_id)), Format::Pdf, false, api.clock.now())?;
    respond(&api, call, id, request, (known, false)).await
}

/// Responds with an image of a personal view of the caller.
async fn respond_personal(
    api: &Api,
    call: Call<PersonalViewer>,
    (id, view_id): (String, String),
    (query, format, ids): (ImageQuery, Format, bool),
    known: (Vec<String>, bool),
) -> Result<Response> {
    let view = api.gate.read(call.clone(), id.clone(), move |tx| personal_views::find(tx, &view_id)).await?;
    let view = DrawnView::Personal(Arc::new(view));
    let request = ImageRequest::new(&query, Some(view), format, ids, api.clock.now())?;
    respond(api, call.retyped(), id, request, known).await
}

/// Get an image of a personal view as SVG
///
/// Like the image of a view. Only the user of the view gets it.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawPersonalViewAsSvg", params(ImageQuery, SvgQuery),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub async fn personal_view_svg(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(path): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(SvgQuery { ids }): Query<SvgQuery>,
    IfNoneMatch(known): IfNoneMatch,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Result<Response> {
    respond_personal(&api, call, path, (query, Format::Svg, ids), (known, gzip)).await
}

/// Get an image of a personal view as PNG
///
/// Like the SVG, with at most 4 million pixels: larger images are scaled down.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawPersonalViewAsPng", params(ImageQuery, PngQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub async fn personal_view_png(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(path): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(PngQuery { width }): Query<PngQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    respond_personal(&api, call, path, (query, Format::Png(width), false), (known, false)).await
}

/// Get an image of a personal view as PDF
///
/// Like the SVG, on one page as large as the view.
#[crate::describe::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawPersonalViewAsPdf", params(ImageQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "application/pdf")))]
pub async fn personal_view_pdf(
    State(api): State<Api>,
    Authenticated(call): Authenticated<PersonalViewer>,
    Path(path): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    respond_personal(&api, call, path, (query, Format::Pdf, false), (known, false)).await
}
