//! Images of maps: SVG, PNG and PDF.
//!
//! Pure: from a [`map::Map`], which contains no personal data, to the bytes of an image. It reads the same data files as the
//! web client, so that an image looks like the map when it is opened.
//!
//! Work is limited, so that the map of one user does not delay the images of others. It is counted in steps, not in time, so that a
//! map always gives the same image: large maps are refused ([`Refused`]), lines for which the router (`route`) would take too long are
//! straight, cards that would have to be compared with too many others do not grow (`sizes`), and a PNG with too many elements has fewer
//! pixels (`raster`). A drawing ends when its request is canceled ([`Cancellation`]).

mod canvas;
mod card;
mod colors;
mod embedded;
mod fonts;
mod geometry;
mod icons;
mod line_path;
pub mod map;
mod margins;
mod nodes;
mod notes;
mod pdf;
mod png;
mod raster;
#[expect(
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "coordinates on a track are the same number, and coordinates and counts are limited"
)]
mod route;
mod routes;
mod scene;
mod shapes;
mod sizes;
mod styles;
mod svg;
mod svg_card;
mod svg_lines;
mod text;
mod work;
mod xml;

use std::fmt;

pub use self::{
    embedded::TECHNOLOGIES,
    fonts::{Fonts, MAX_CHARACTERS},
    notes::{MAX_NOTE_CHARS, frame_size},
    pdf::pdf,
    png::{png, png_within},
    scene::{MAX_DESCRIPTION_CHARS, rects},
    svg::svg,
    work::Cancellation,
};

/// Increases with every change of the drawing, because entity tags of images contain it.
pub const VERSION: u32 = 6;
/// Maximum number of components in an image.
pub const MAX_COMPONENTS: usize = 5_000;
/// Maximum number of relationships in an image.
pub const MAX_RELATIONSHIPS: usize = 40_000;
/// Maximum number of waypoints of all relationships in an image. An SVG has room for few more.
pub const MAX_POINTS: usize = 400_000;
/// Maximum size of an SVG in bytes.
pub const MAX_SVG_BYTES: usize = 8 * 1024 * 1024;
/// Maximum size of a PDF in bytes.
pub const MAX_PDF_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of pixels of a PNG. Larger ones are scaled down.
pub const MAX_PIXELS: u32 = 4_000_000;
/// Width and height of link previews, in pixels.
pub const CARD_SIZE: (u32, u32) = (1_200, 630);
/// Number of components up to which maps are drawn with all details by default.
pub const MAX_FULL_COMPONENTS: usize = 400;

/// The colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

/// How much of a map is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Detail {
    /// Everything.
    Full,
    /// Cards with names only, and faint lines without labels and arrow heads.
    Overview,
    /// Colored cards and lines without any text.
    Thumbnail,
}

/// How to draw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "independent parts of an image")]
pub struct Options {
    /// The colors.
    pub theme: Theme,
    /// By default, it depends on the number of components: see [`MAX_FULL_COMPONENTS`].
    pub detail: Option<Detail>,
    /// Whether to draw a legend of the types below the map.
    pub legend: bool,
    /// Whether to draw the title above the map.
    pub title: bool,
    /// The date to draw above the map, as it is to be shown.
    pub date: Option<String>,
    /// Whether components, groups and relationships are elements with their keys: `<g data-id="KEY">`, with `data-from` and
    /// `data-to` for relationships.
    pub ids: bool,
    /// Whether the background is extended to the aspect ratio of [`CARD_SIZE`].
    pub is_card: bool,
}

impl Options {
    /// How much of a map is drawn.
    pub fn detail_of(&self, map: &map::Map) -> Detail {
        let is_small = map.components.len() <= MAX_FULL_COMPONENTS;
        self.detail.unwrap_or(if is_small { Detail::Full } else { Detail::Overview })
    }
}

/// Why a map cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It has more components than [`MAX_COMPONENTS`]; contains their number.
    TooManyComponents(usize),
    /// It has more relationships than [`MAX_RELATIONSHIPS`]; contains their number.
    TooManyRelationships(usize),
    /// The file would be larger than this number of bytes, [`MAX_SVG_BYTES`] or [`MAX_PDF_BYTES`].
    TooLarge(usize),
    /// Drawing the pixels or the texts would take too long.
    TooMuchWork,
    /// The request was canceled.
    Canceled,
    /// A format cannot be written; contains the reason.
    Failed(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LESS: &str = "Draw a part of the map instead, with `around` or `components`, or a view";
        match self {
            Self::TooManyComponents(count) => {
                write!(f, "an image can show at most {MAX_COMPONENTS} components, and this map has {count}. {LESS}")
            }
            Self::TooManyRelationships(count) => {
                write!(
                    f,
                    "an image can show at most {MAX_RELATIONSHIPS} relationships, and this map has {count}. {LESS}"
                )
            }
            Self::TooLarge(most) => write!(f, "the image would be larger than {most} bytes. {LESS}"),
            Self::TooMuchWork => {
                write!(
                    f,
                    "the image would take too long: too much of the map is large, long or written on top of each other. {LESS}, or \
                     choose SVG or less `detail`"
                )
            }
            Self::Canceled => write!(f, "the request for the image was canceled"),
            Self::Failed(reason) => write!(f, "the image cannot be written: {reason}"),
        }
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests;
