//! Images of other servers, and uploaded images.
//!
//! Remote images are downloaded with the protections of [`outbound`](crate::outbound) and validated before they are
//! stored; uploaded images are encoded again ([`encode()`]).
//!
//! The type of a remote image is determined from the content, not from the file name or the `Content-Type` header. Remote
//! images are passed on unchanged and not decoded here: an image of at most 1 MiB and 16 million pixels does not harm a
//! browser, and decoders for six formats would be the larger risk. SVG, the format of the wiki's own icons, can contain
//! scripts; it is accepted only if it contains nothing but shapes (`svg`).

mod encode;
mod response;
mod size;
mod svg;

use std::time::{Duration, Instant};

use imagesize::{Compression, ImageType};
use url::Url;

pub use self::{
    encode::{EncodedImage, MAX_STORED_SIDE, MAX_UPLOAD_BYTES, encode, encode_square},
    response::{IMAGE_POLICY, ImageResponse},
};
use crate::{
    outbound::{Method, Outbound, OutboundError, OutboundRequest, Rules},
    secret::Secret,
};

/// Maximum size of an image, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;
/// Timeout of a download.
pub const TIMEOUT: Duration = Duration::from_secs(6);
/// Maximum number of pixels, in total and per side. A browser needs four bytes for each.
const MAX_PIXELS: usize = 1 << 24;
const MAX_SIDE: usize = 8_192;
/// Maximum number of pixels of an animated image, which browsers draw repeatedly.
const MAX_ANIMATED_PIXELS: usize = 1 << 20;
/// The `Accept` header.
const ACCEPT: &str = "image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml";

/// An image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Media type for `Content-Type`.
    pub media_type: &'static str,
    /// The unchanged content.
    pub bytes: Vec<u8>,
}

/// Why an image could not be loaded: the end of a sentence, for users. It does not reveal the URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The server responded with this status.
    #[error("its server responded {0}")]
    Status(u16),
    /// Any other reason.
    #[error("{0}")]
    Otherwise(String),
}

impl From<String> for ImageError {
    fn from(why: String) -> Self {
        Self::Otherwise(why)
    }
}

/// Downloads images.
#[derive(Debug, Clone)]
pub struct ImageClient {
    /// The client for public addresses.
    open: Outbound,
    /// The client for base URLs that the operator has configured.
    own: Outbound,
    bases: Vec<Url>,
}

impl ImageClient {
    /// Creates a client for public https URLs and for URLs below `bases`, which may use plain http and private
    /// networks.
    pub fn new(bases: Vec<Url>) -> Self {
        let own = Rules { allow_private: true, trusted: bases.clone() };
        Self { open: Outbound::new(Rules::default()), own: Outbound::new(own), bases }
    }

    /// Downloads an image. Blocks.
    pub fn fetch(&self, address: &str) -> Result<Image, ImageError> {
        self.fetch_with(address, redirect_hint)
    }

    /// Downloads an image from a secret URL. Errors contain neither the URL nor the target of a redirect.
    pub fn fetch_secret(&self, address: &Secret) -> Result<Image, ImageError> {
        self.fetch_with(address.reveal(), |_, _| String::new())
    }

    fn fetch_with(
        &self,
        address: &str,
        redirect_hint: impl Fn(&Url, Option<&str>) -> String,
    ) -> Result<Image, ImageError> {
        let url = Url::parse(address).map_err(|error| format!("the URL is invalid: {error}"))?;
        let deadline = Instant::now() + TIMEOUT;
        let headers = [("Accept", ACCEPT)];
        let request = OutboundRequest {
            method: Method::Get,
            url: &url,
            headers: &headers,
            body: None,
            deadline,
            max_bytes: MAX_BYTES,
        };
        let client =
            if self.bases.iter().any(|base| crate::outbound::begins_with(&url, base)) { &self.own } else { &self.open };
        let answer = client.send(&request).map_err(|error| describe(&url, &error))?;
        match answer.status {
            200 => Ok(validate(answer.body)?),
            300..400 => {
                let redirect_hint = redirect_hint(&url, answer.header("location"));
                Err(format!("the URL redirects, and redirects are not followed{redirect_hint}").into())
            }
            status => Err(ImageError::Status(status)),
        }
    }
}

/// The target of a redirect, as a suggestion for the user.
fn redirect_hint(url: &Url, location: Option<&str>) -> String {
    let to = location.and_then(|to| url.join(to).ok()).filter(|to| to.scheme() == "https" && to.as_str().len() <= 200);
    to.map_or_else(String::new, |to| format!("; use the target instead: {to}"))
}

fn describe(url: &Url, error: &OutboundError) -> String {
    tracing::info!(host = url.host_str(), %error, "image download failed");
    match error {
        OutboundError::Refused(why) => why.clone(),
        OutboundError::TimedOut => format!("its server did not respond within {} s", TIMEOUT.as_secs()),
        OutboundError::TooLarge(most) => format!("the image is larger than {} KiB", most >> 10),
        // Details about a connection between two servers belong in the log.
        OutboundError::Failed(_) => "its server cannot be reached".into(),
    }
}

/// The entity tag of content with this hash, without quotes: its first half in hexadecimal digits.
pub fn entity_tag(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::with_capacity(32), |tag, byte| tag + &format!("{byte:02x}"))
}

/// The media type of an image format; none if the format is not supported.
fn media_type(kind: ImageType) -> Option<&'static str> {
    match kind {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        ImageType::Heif(Compression::Av1) => Some("image/avif"),
        _ => None,
    }
}

/// Number of pixels that an image claims to have; 0 if it has no size.
pub fn pixels(bytes: &[u8]) -> usize {
    let size = imagesize::image_type(bytes).ok().and_then(|kind| size::of(kind, bytes));
    size.map_or(0, |size| size.width.saturating_mul(size.height))
}

/// Validates the content and determines its type.
fn validate(bytes: Vec<u8>) -> Result<Image, String> {
    let kind = imagesize::image_type(&bytes).ok();
    let (Some(kind), Some(media_type)) = (kind, kind.and_then(media_type)) else {
        svg::check(&bytes)?;
        return Ok(Image { media_type: "image/svg+xml; charset=utf-8", bytes });
    };
    let size = size::of(kind, &bytes).ok_or_else(|| "the image is damaged: its size is missing".to_owned())?;
    let (pixels, what) = if size.is_animated { (MAX_ANIMATED_PIXELS, ", animated") } else { (MAX_PIXELS, "") };
    if size.width > MAX_SIDE || size.height > MAX_SIDE || size.width.saturating_mul(size.height) > pixels {
        return Err(format!("the image has too many pixels: {} × {}{what}", size.width, size.height));
    }
    Ok(Image { media_type, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a PNG of this size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0]);
        bytes
    }

    fn media_type_of(bytes: &[u8]) -> Result<&'static str, String> {
        validate(bytes.to_vec()).map(|image| image.media_type)
    }

    #[test]
    fn the_image_type_is_detected_from_the_bytes() {
        let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x01\x40\0\0\0\0\0\0\0\0\0\0\0";
        let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xd9";
        for (bytes, kind) in [
            (&png(3, 2)[..], "image/png"),
            (jpeg, "image/jpeg"),
            (b"GIF89a\x03\0\x02\0\0\0\0", "image/gif"),
            (webp, "image/webp"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml; charset=utf-8"),
        ] {
            assert_eq!(media_type_of(bytes), Ok(kind));
        }
    }

    #[test]
    fn unsupported_and_huge_images_are_rejected() {
        for (bytes, why) in [
            (&b"<!doctype html><img src=x onerror=alert(1)>"[..], "not a supported image"),
            (b"", "not a supported image"),
            (b"%PDF-1.7", "not a supported image"),
            (b"BM\x1e\0\0\0", "not a supported image"),
            (&png(3, 2)[..20], "damaged"),
            (&png(8_193, 1), "too many pixels"),
            (&png(8_000, 8_000), "too many pixels"),
            (&png(u32::MAX, u32::MAX), "too many pixels"),
            (b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x70\x17\x70\x17\0", "too many pixels: 6000 × 6000"),
            (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\0\0\0\0\x16\0\0\0", "not a supported image"),
            (&[&png(2_000, 2_000)[..], b"cccc\0\0\0\x08acTL"].concat(), "too many pixels: 2000 × 2000, animated"),
        ] {
            let error = media_type_of(bytes).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_usable_redirect_target_is_suggested() {
        let url = Url::parse("https://a.org/x").unwrap();
        assert_eq!(redirect_hint(&url, Some("/y.png")), "; use the target instead: https://a.org/y.png");
        for useless in [None, Some("http://a.org/"), Some("javascript:alert(1)"), Some(&*"x".repeat(300))] {
            assert_eq!(redirect_hint(&url, useless), "");
        }
    }
}
