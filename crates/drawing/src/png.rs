//! Draws a map as PNG.

use image::{
    ExtendedColorType, ImageEncoder,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg,
};

use super::{Fonts, MAX_PIXELS, Options, Refused, map::Map, svg};

/// Largest width of an image without a given width, in pixels.
const DEFAULT_WIDTH: f32 = 2_400.0;

/// Draws a map as PNG, `width` pixels wide. Without a width, one pixel is one map unit, up to a width of 2,400 pixels. Images
/// with more than [`MAX_PIXELS`] pixels are scaled down.
///
/// # Errors
/// If the map is too large.
pub fn png(map: &Map, options: &Options, width: Option<u32>, fonts: &Fonts) -> Result<Vec<u8>, Refused> {
    let tree = tree(map, options, fonts)?;
    render(&tree, scale_to_width(&tree, width))
}

/// Draws a map as PNG with one pixel per map unit, or smaller so that neither side is longer than `edge` pixels.
///
/// # Errors
/// If the map is too large.
pub fn png_within(map: &Map, options: &Options, edge: u32, fonts: &Fonts) -> Result<Vec<u8>, Refused> {
    let tree = tree(map, options, fonts)?;
    let longest = tree.size().width().max(tree.size().height());
    #[expect(clippy::cast_precision_loss, reason = "a few thousand pixels")]
    let scale = (edge as f32 / longest).min(1.0);
    render(&tree, scale)
}

fn tree(map: &Map, options: &Options, fonts: &Fonts) -> Result<usvg::Tree, Refused> {
    let svg = svg(map, options)?;
    fonts.parse(&svg).map_err(|error| Refused::Failed(error.to_string()))
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand pixels")]
fn scale_to_width(tree: &usvg::Tree, width: Option<u32>) -> f32 {
    let natural = tree.size().width();
    width.map_or(natural.min(DEFAULT_WIDTH), |width| width as f32) / natural
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the sizes are limited to a few thousand pixels"
)]
fn render(tree: &usvg::Tree, scale: f32) -> Result<Vec<u8>, Refused> {
    let size = tree.size();
    let pixels = size.width() * size.height() * scale * scale;
    let scale = if pixels > MAX_PIXELS as f32 { scale * (MAX_PIXELS as f32 / pixels).sqrt() } else { scale };
    let edge = |length: f32| ((length * scale).floor() as u32).clamp(1, MAX_PIXELS);
    let (width, height) = (edge(size.width()), edge(size.height()));
    // A very long map is not one of its pixels high.
    let height = height.min(MAX_PIXELS / width);
    let failed = || Refused::Failed("the image has no pixels".to_owned());
    let mut pixmap = Pixmap::new(width, height).ok_or_else(failed)?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    // The background covers everything, so no pixel is transparent.
    let rgb: Vec<u8> = pixmap.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    drop(pixmap);
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&rgb, width, height, ExtendedColorType::Rgb8)
        .map_err(|error| Refused::Failed(error.to_string()))?;
    Ok(out)
}
