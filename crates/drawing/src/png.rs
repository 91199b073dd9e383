//! Draws a map as PNG.

use image::{
    ExtendedColorType, ImageEncoder,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use resvg::{tiny_skia::Pixmap, usvg};

use super::{Cancellation, Fonts, Options, Refused, map::Map, raster, svg};

/// Largest width of an image without a given width, in pixels.
const DEFAULT_WIDTH: f32 = 2_400.0;

/// Draws a map as PNG, `width` pixels wide. Without a width, one pixel is one map unit, up to a width of 2,400 pixels. Images
/// with more than [`MAX_PIXELS`](super::MAX_PIXELS) pixels are scaled down, and so are images that would take too long.
///
/// # Errors
/// If the map is too large, or the request is canceled.
pub fn png(
    map: &Map,
    options: &Options,
    width: Option<u32>,
    fonts: &Fonts,
    cancellation: &Cancellation,
) -> Result<Vec<u8>, Refused> {
    let (tree, steps) = fonts.tree(&svg(map, options, cancellation)?, cancellation)?;
    let scale = scale_to_width(&tree, width);
    encoded(&raster::rendered(&tree, scale, steps, cancellation)?)
}

/// Draws a map as PNG with one pixel per map unit, or smaller so that neither side is longer than `edge` pixels.
///
/// # Errors
/// If the map is too large, or the request is canceled.
pub fn png_within(
    map: &Map,
    options: &Options,
    edge: u32,
    fonts: &Fonts,
    cancellation: &Cancellation,
) -> Result<Vec<u8>, Refused> {
    let (tree, steps) = fonts.tree(&svg(map, options, cancellation)?, cancellation)?;
    let longest = tree.size().width().max(tree.size().height());
    #[expect(clippy::cast_precision_loss, reason = "a few thousand pixels")]
    let scale = (edge as f32 / longest).min(1.0);
    encoded(&raster::rendered(&tree, scale, steps, cancellation)?)
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand pixels")]
fn scale_to_width(tree: &usvg::Tree, width: Option<u32>) -> f32 {
    let natural = tree.size().width();
    width.map_or(natural.min(DEFAULT_WIDTH), |width| width as f32) / natural
}

fn encoded(pixmap: &Pixmap) -> Result<Vec<u8>, Refused> {
    // The background covers everything, so no pixel is transparent.
    let rgb: Vec<u8> = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&rgb, pixmap.width(), pixmap.height(), ExtendedColorType::Rgb8)
        .map_err(|error| Refused::Failed(error.to_string()))?;
    Ok(out)
}
