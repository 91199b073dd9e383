//! Draws a map as PDF.

use krilla::{Document, geom::Size, metadata::Metadata, page::PageSettings};
use krilla_svg::{SurfaceExt, SvgSettings};

use super::{Cancellation, Fonts, MAX_PDF_BYTES, Options, Refused, map::Map, svg};

/// Points of a page per map unit, as in other programs: 96 units are an inch.
const POINTS: f32 = 0.75;
/// Largest side of a page in points, which is the limit of PDF viewers.
const MAX_SIDE: f32 = 14_400.0;

/// Draws a map as PDF with one page as large as the map, with text that can be selected.
///
/// # Errors
/// If the map is too large, or the request is canceled.
pub fn pdf(map: &Map, options: &Options, fonts: &Fonts, cancellation: &Cancellation) -> Result<Vec<u8>, Refused> {
    let failed = |reason: &str| Refused::Failed(reason.to_owned());
    let (tree, _) = fonts.tree(&svg(map, options, cancellation)?, cancellation)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = POINTS.min(MAX_SIDE / width.max(height));
    let (width, height) = ((width * scale).max(1.0), (height * scale).max(1.0));
    let no_size = || failed("the map has no size");
    let mut document = Document::new();
    document.set_metadata(Metadata::new().title(map.title.clone()));
    let mut page = document.start_page_with(PageSettings::from_wh(width, height).ok_or_else(no_size)?);
    let mut surface = page.surface();
    let size = Size::from_wh(width, height).ok_or_else(no_size)?;
    surface.draw_svg(&tree, size, SvgSettings::default()).ok_or_else(|| failed("the map cannot be drawn"))?;
    surface.finish();
    page.finish();
    cancellation.check()?;
    let bytes = document.finish().map_err(|error| failed(&format!("{error:?}")))?;
    if bytes.len() > MAX_PDF_BYTES { Err(Refused::TooLarge(MAX_PDF_BYTES)) } else { Ok(bytes) }
}
