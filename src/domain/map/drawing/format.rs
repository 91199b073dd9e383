//! The file formats of images.

use serde::{Deserialize, Serialize};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// SVG.
    Svg,
    /// PNG, with its width in pixels if one is given.
    Png(Option<u32>),
    /// PNG, with the maximum of its width and height in pixels.
    PngWithin(u32),
    /// PDF.
    Pdf,
}

impl Format {
    /// The media type of the file.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png(_) | Self::PngWithin(_) => "image/png",
            Self::Pdf => "application/pdf",
        }
    }
}
