//! The tool that draws a map.

use base64::{Engine, prelude::BASE64_STANDARD};
use drawing::{Detail, Options, Theme};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::{Deserialize, Serialize};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, access::Viewer},
        map::drawing::{
            Content, DrawnView, Format, ImageDirection, ImageRequest, ImageTheme, MapImages, Part, PartRequest,
            map::MAX_DEPTH,
        },
    },
    error::{Error, Result},
    mcp::{escape, links::Links, results::ToolResult, services::Site},
};

/// Longest side of an image in pixels. Clients scale larger ones down for the model.
const MAX_EDGE: u32 = 1_568;
/// Maximum size of an image in bytes. Clients reject results of 1 MiB, and Base64 adds a third.
const MAX_PNG_BYTES: usize = 400 << 10;
/// Maximum size of an SVG in bytes. Clients replace results of 150,000 characters by a file.
const MAX_SVG_BYTES: usize = 130 << 10;
/// The media type of SVG.
const SVG: &str = "image/svg+xml";

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_DEPTH == 10);

/// What to draw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DrawMap {
    /// Id of the workspace.
    workspace_id: String,
    #[schema(nullable = false)]
    view_id: Option<String>,
    /// Components to draw with their neighbors, in a new layout.
    #[schema(nullable = false)]
    around: Option<Vec<String>>,
    /// Default: both.
    #[schema(inline, nullable = false)]
    direction: Option<ImageDirection>,
    /// 0 draws no neighbors. Default: 1.
    #[schema(nullable = false, maximum = 10)]
    depth: Option<u32>,
    /// Only these and their contents, at their places.
    #[schema(nullable = false)]
    components: Option<Vec<String>>,
    /// Id of a process, to draw its participants.
    #[schema(nullable = false)]
    process: Option<String>,
    /// Message to emphasize.
    #[schema(nullable = false, minimum = 1)]
    step: Option<usize>,
    #[schema(inline, nullable = false)]
    theme: Option<ImageTheme>,
    /// svg is for programs. Default: picture.
    #[schema(inline, nullable = false)]
    format: Option<DrawnAs>,
}

/// The form of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DrawnAs {
    /// PNG.
    #[default]
    Picture,
    /// SVG whose elements have the ids of what they show.
    Svg,
}

arguments!(
    DrawMap: "A picture of a map, a view or a part, to see the layout; get_workspace has the facts. Of a large \
            map, draw a part with `around`. Example: \
            {\"workspaceId\": \"web-shop\", \"around\": [\"checkout\"], \"depth\": 2}",
);

/// A drawing, and the URL of the map in the web client.
#[derive(Debug)]
pub struct Drawing {
    bytes: Vec<u8>,
    form: DrawnAs,
    detail: Detail,
    url: String,
}

impl ToolResult for Drawing {
    /// Encoding it takes time.
    fn fits(&self) -> bool {
        false
    }

    /// The drawing is only in the content: clients pass structured content to models as text.
    fn into_result(self, _: bool) -> Result<CallToolResult> {
        let Self { bytes, form, detail, url } = self;
        let description = match detail {
            Detail::Full => "The map",
            Detail::Overview => "An overview of the map, without labels and descriptions",
            Detail::Thumbnail => "The outline of a large map, without names; draw a part with `around` for them",
        };
        let text = ContentBlock::text(format!("{description}. In Planroom: {url}"));
        let drawing = match form {
            DrawnAs::Picture => ContentBlock::image(BASE64_STANDARD.encode(bytes), "image/png"),
            DrawnAs::Svg => {
                let svg = String::from_utf8(bytes).map_err(|error| Error::internal(error.to_string()))?;
                let svg = ResourceContents::text(escape::escaped(&svg), url).with_mime_type(SVG);
                ContentBlock::resource(svg)
            }
        };
        Ok(CallToolResult::success(vec![text, drawing]))
    }
}

/// Draws a map, a view or a part.
pub async fn draw_map((site, images): (Site, MapImages), call: Call<Viewer>, request: DrawMap) -> Result<Drawing> {
    let DrawMap { workspace_id, view_id, around, direction, depth, components, process, step, theme, format } = request;
    let part = PartRequest { components, around, direction, depth, process, step }.part()?;
    let form = format.unwrap_or_default();
    let content = Content { view: view_id.map(DrawnView::Shared), part };
    let url = map_url(&site.links(&call).await?, &workspace_id, &content);
    let options =
        Options { theme: theme.map(Theme::from).unwrap_or_default(), ids: form == DrawnAs::Svg, ..Options::default() };
    let (format, max_bytes) = match form {
        DrawnAs::Picture => (Format::PngWithin(MAX_EDGE), MAX_PNG_BYTES),
        DrawnAs::Svg => (Format::Svg, MAX_SVG_BYTES),
    };
    let image = ImageRequest { content: content.clone(), options, format };
    if let Some((detail, bytes)) = images.read_fitting(&site.gate, call, workspace_id, image, max_bytes).await? {
        return Ok(Drawing { bytes: bytes.to_vec(), form, detail, url });
    }
    let field = if matches!(content.part, Part::Around { .. }) { "depth" } else { "around" };
    let why = format!(
        "the drawing would have more than {} KB; draw a part of the map: give one or a few component ids in `around`, \
         with a small `depth`",
        max_bytes >> 10
    );
    Err(Error::invalid(field, why))
}

/// The URL of the drawn part in the web client.
fn map_url(links: &Links, workspace_id: &str, Content { view, part }: &Content) -> String {
    match (view, part) {
        (None, Part::Process { id, .. }) => links.process(workspace_id, id),
        (None, Part::Around { of, .. }) => match &of[..] {
            [only] => links.component(workspace_id, only),
            _ => links.workspace(workspace_id),
        },
        (Some(DrawnView::Shared(id)), _) => links.view(workspace_id, id),
        (Some(DrawnView::Personal(_)) | None, _) => links.workspace(workspace_id),
    }
}
