//! Images of maps and views.

use axum::{extract::State, response::Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    access::Viewer,
    api::Api,
    error::Result,
    extract::{Authenticated, IfNoneMatch, Path, Query},
    images::respond_cached,
    route::IN_TABLE,
};
use crate::{
    domain::{
        core::Call,
        map::drawing::{
            AroundDirection, Content, Format, ImageDetail, ImageRequest, ImageTheme, PNG_WIDTHS, Part,
            map::{MAX_DEPTH, MAX_NAMED},
        },
    },
    drawing::{Detail, Options, Theme},
    error::Error,
};

/// Clients ask each time whether the image has changed, which needs no drawing.
const REVALIDATED: &str = "private, no-cache";
/// Default distance of the surroundings of a component.
const DEFAULT_DEPTH: u32 = 1;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_DEPTH == 10 && MAX_NAMED == 500);

/// What to draw, and how.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImageQuery {
    /// Ids of at most 500 components to draw with their contents, separated by commas.
    #[param(max_length = 70_000, example = "web,checkout")]
    components: Option<String>,
    /// Ids of components, separated by commas, whose surroundings are drawn in a layout of their own. Not together with
    /// `components`.
    #[param(max_length = 70_000, example = "checkout")]
    around: Option<String>,
    /// Which relationships `around` follows. Default: `both`.
    #[param(inline)]
    direction: Option<AroundDirection>,
    /// Maximum distance from `around`, in relationships, 0 to 10. Default: 1.
    #[param(maximum = 10)]
    depth: Option<u32>,
    /// Id of a process whose participants are drawn in a layout of their own. Not together with `components` or `around`.
    #[param(max_length = 128)]
    process: Option<String>,
    /// Message of the process to emphasize, counted from 1.
    #[param(minimum = 1)]
    step: Option<usize>,
    /// Colors. Default: `light`.
    #[param(inline)]
    theme: Option<ImageTheme>,
    /// How much is drawn. Default: `full` for at most 400 components, otherwise `overview`.
    #[param(inline)]
    detail: Option<ImageDetail>,
    /// Whether to draw a legend of the types. Default: false.
    #[serde(default)]
    legend: bool,
    /// Whether to draw the name of the workspace, the view or the process. Default: false.
    #[serde(default)]
    title: bool,
    /// Whether to draw the current date (UTC). Default: false.
    #[serde(default)]
    date: bool,
}

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

fn list(name: &'static str, text: &str) -> Result<Vec<String>> {
    let ids: Vec<String> = text.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect();
    match ids.len() {
        1..=MAX_NAMED => Ok(ids),
        count => Err(Error::invalid(name, format!("must be 1 to {MAX_NAMED} ids of components, are {count}")))?,
    }
}

impl ImageQuery {
    fn part(&self) -> Result<Part> {
        let Self { components, around, direction, depth, process, step, .. } = self;
        if step.is_some() && process.is_none() {
            Err(Error::invalid("step", "must not be given without `process`"))?;
        }
        if (direction.is_some() || depth.is_some()) && around.is_none() {
            Err(Error::invalid("around", "is required with `direction` and `depth`"))?;
        }
        match (components, around, process) {
            (None, None, None) => Ok(Part::Whole),
            (Some(ids), None, None) => Ok(Part::Components(list("components", ids)?)),
            (None, Some(of), None) => match depth.unwrap_or(DEFAULT_DEPTH) {
                depth @ 0..=MAX_DEPTH => {
                    let direction = direction.unwrap_or(AroundDirection::Both);
                    Ok(Part::Around { of: list("around", of)?, direction, depth })
                }
                _ => Err(Error::invalid("depth", format!("must be from 0 to {MAX_DEPTH}")))?,
            },
            (None, None, Some(id)) => Ok(Part::Process { id: id.clone(), step: *step }),
            _ => Err(Error::invalid("components", "must not be given together with `around` or `process`"))?,
        }
    }

    fn request(&self, api: &Api, view: Option<String>, format: Format, ids: bool) -> Result<ImageRequest> {
        let options = Options {
            theme: match self.theme {
                Some(ImageTheme::Dark) => Theme::Dark,
                Some(ImageTheme::Light) | None => Theme::Light,
            },
            detail: self.detail.map(|detail| match detail {
                ImageDetail::Full => Detail::Full,
                ImageDetail::Overview => Detail::Overview,
                ImageDetail::Thumbnail => Detail::Thumbnail,
            }),
            legend: self.legend,
            title: self.title,
            date: self.date.then(|| today(api.clock.now())),
            ids,
        };
        Ok(ImageRequest { content: Content { view, part: self.part()? }, options, format })
    }
}

/// The date (UTC) of a time in milliseconds since 1970, as in 2026-11-24.
fn today(now: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}

fn png_width(width: Option<u32>) -> Result<Option<u32>> {
    match width {
        Some(width) if !PNG_WIDTHS.contains(&width) => {
            Err(Error::invalid("width", "must be 600, 1200, 1568 or 2400 pixels"))?
        }
        width => Ok(width),
    }
}

async fn respond(
    api: &Api,
    call: Call<Viewer>,
    id: String,
    request: ImageRequest,
    known: Vec<String>,
) -> Result<Response> {
    let image = api.map_images.read(&api.gate, call, id, request, known).await?;
    Ok(respond_cached(image, REVALIDATED))
}

/// Get an image of the map as SVG
///
/// Draws the map as the web client shows it when it is opened, without a lens, filters or collapsed groups. Owners and the
/// images of notes are not drawn. At most 5,000 components and 8 MiB. Send the `ETag` in `If-None-Match` to get 304 if the
/// image has not changed.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsSvg", params(ImageQuery, SvgQuery),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub async fn svg(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    Query(SvgQuery { ids }): Query<SvgQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, None, Format::Svg, ids)?;
    respond(&api, call, id, request, known).await
}

/// Get an image of the map as PNG
///
/// Like the SVG, with at most 4 million pixels: larger images are scaled down.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsPng", params(ImageQuery, PngQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub async fn png(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    Query(PngQuery { width }): Query<PngQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, None, Format::Png(png_width(width)?), false)?;
    respond(&api, call, id, request, known).await
}

/// Get an image of the map as PDF
///
/// Like the SVG, on one page as large as the map.
#[utoipa::path(get, path = IN_TABLE, tag = "Workspaces", operation_id = "drawMapAsPdf", params(ImageQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "application/pdf")))]
pub async fn pdf(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path(id): Path<String>,
    Query(query): Query<ImageQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, None, Format::Pdf, false)?;
    respond(&api, call, id, request, known).await
}

/// Get an image of a view as SVG
///
/// Like the image of the map, with the contents and the positions of the view.
#[utoipa::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsSvg", params(ImageQuery, SvgQuery),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub async fn view_svg(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(SvgQuery { ids }): Query<SvgQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, Some(view_id), Format::Svg, ids)?;
    respond(&api, call, id, request, known).await
}

/// Get an image of a view as PNG
///
/// Like the SVG, with at most 4 million pixels: larger images are scaled down.
#[utoipa::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsPng", params(ImageQuery, PngQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub async fn view_png(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    Query(PngQuery { width }): Query<PngQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, Some(view_id), Format::Png(png_width(width)?), false)?;
    respond(&api, call, id, request, known).await
}

/// Get an image of a view as PDF
///
/// Like the SVG, on one page as large as the view.
#[utoipa::path(get, path = IN_TABLE, tag = "Views", operation_id = "drawViewAsPdf", params(ImageQuery),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "application/pdf")))]
pub async fn view_pdf(
    State(api): State<Api>,
    Authenticated(call): Authenticated<Viewer>,
    Path((id, view_id)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
    IfNoneMatch(known): IfNoneMatch,
) -> Result<Response> {
    let request = query.request(&api, Some(view_id), Format::Pdf, false)?;
    respond(&api, call, id, request, known).await
}
