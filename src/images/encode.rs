//! Uploaded images: decoded within limits and encoded again.
//!
//! Uploads come from users and are served to other users, so only pixels are stored: no metadata such as the place where
//! a photo was taken, and no data that another program could read as something else. The result is the same for the
//! same image: encoding a result again does not change it, so an exported image has the same content after an import.

mod metadata;

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops,
};
use imagesize::ImageType;
use sha2::{Digest, Sha256};

use super::{
    MAX_PIXELS, MAX_SIDE, entity_tag,
    size::{self, jpeg_scan},
};
use crate::cancel::Cancel;

/// Maximum size of an uploaded and of a stored image, in bytes.
pub const MAX_UPLOAD_BYTES: usize = 2 << 20;
/// Maximum length of a side of a stored image, in pixels. Larger images are scaled down.
pub const MAX_STORED_SIDE: u32 = 2_048;
/// Maximum memory that a decoder may allocate, in bytes.
const MAX_ALLOCATION: u64 = 160 << 20;
/// Maximum size of the decoded image, in bytes: four for each pixel.
const MAX_DECODED: u64 = (MAX_PIXELS as u64) * 4;
const JPEG_QUALITY: u8 = 85;

/// An image that was encoded by this module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedImage {
    /// Media type for `Content-Type`: `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The content.
    pub bytes: Vec<u8>,
}

impl EncodedImage {
    /// The entity tag of the content, without quotes.
    pub fn tag(&self) -> String {
        entity_tag(&Sha256::digest(&self.bytes))
    }
}

/// Decodes a PNG, JPEG, WebP or GIF image and encodes it as PNG or JPEG, at most [`MAX_STORED_SIDE`] wide and high. Of an
/// animated image, the first frame remains. It can take seconds and 200 MiB of memory: run it one at a time. It
/// returns an error soon after `cancel` is set. Errors complete a sentence that begins with the name of the input.
pub fn encode(bytes: &[u8], cancel: &Cancel) -> Result<EncodedImage, String> {
    let (decoded, format) = read(bytes)?;
    if format == ImageFormat::Jpeg && is_own_jpeg(bytes) {
        let (width, height) = (decoded.width(), decoded.height());
        return Ok(EncodedImage { media_type: JPEG, width, height, bytes: bytes.to_vec() });
    }
    encode_pixels(Pixels::of(decoded), is_photo(format, bytes), cancel)
}

/// Like [`encode()`], but cuts the image to a square around its center, with sides of at most `side` pixels.
pub fn encode_square(bytes: &[u8], side: u32, cancel: &Cancel) -> Result<EncodedImage, String> {
    let (decoded, format) = read(bytes)?;
    let shortest = decoded.width().min(decoded.height());
    let (left, top) = ((decoded.width() - shortest) / 2, (decoded.height() - shortest) / 2);
    let square = decoded.crop_imm(left, top, shortest, shortest);
    // The whole image may be large.
    drop(decoded);
    let reduced = if shortest > side { square.thumbnail_exact(side, side) } else { square };
    encode_pixels(Pixels::of(reduced), is_photo(format, bytes), cancel)
}

/// Whether an image is encoded with loss, as photos are.
fn is_photo(format: ImageFormat, bytes: &[u8]) -> bool {
    format == ImageFormat::Jpeg || format == ImageFormat::WebP && !is_lossless_webp(bytes)
}

/// Decodes an image of a supported format and size.
fn read(bytes: &[u8]) -> Result<(DynamicImage, ImageFormat), String> {
    if bytes.len() > MAX_UPLOAD_BYTES {
        return Err(format!("must have at most {} MiB, has {} KiB", MAX_UPLOAD_BYTES >> 20, bytes.len() >> 10));
    }
    let (format, kind) = match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => (ImageFormat::Png, ImageType::Png),
        Ok(ImageFormat::Jpeg) => (ImageFormat::Jpeg, ImageType::Jpeg),
        Ok(ImageFormat::WebP) => (ImageFormat::WebP, ImageType::Webp),
        Ok(ImageFormat::Gif) => (ImageFormat::Gif, ImageType::Gif),
        _ => return Err("must be a PNG, JPEG, WebP or GIF image".into()),
    };
    let (width, height) = size::of(kind, bytes).map(|size| (size.width, size.height)).unwrap_or_default();
    check_size(width, height)?;
    let decoded = match format {
        ImageFormat::Png => decode(format, &metadata::stripped_png(bytes)),
        _ => decode(format, bytes),
    };
    let decoded = decoded.map_err(|error| format!("is damaged or incomplete: {error}"))?;
    if format == ImageFormat::Jpeg
        && jpeg_scan(bytes).is_none_or(|scan| !bytes[scan..].windows(2).any(|pair| pair == END_OF_JPEG))
    {
        return Err("is damaged or incomplete: the end of the image is missing".into());
    }
    Ok((decoded, format))
}

fn check_size(width: usize, height: usize) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("is damaged or incomplete: it has no size".into());
    }
    if width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS {
        let million = MAX_PIXELS / 1_000_000;
        return Err(format!(
            "must have at most {million} million pixels and sides of at most {MAX_SIDE}, has {width} × {height}"
        ));
    }
    Ok(())
}

/// Decodes an image within limits, turned as its metadata says.
fn decode(format: ImageFormat, bytes: &[u8]) -> Result<DynamicImage, String> {
    let mut limits = Limits::default();
    let side = u32::try_from(MAX_SIDE).ok();
    (limits.max_image_width, limits.max_image_height, limits.max_alloc) = (side, side, Some(MAX_ALLOCATION));
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    // The decoder may see another size than a parser of headers.
    let (width, height) = decoder.dimensions();
    check_size(width as usize, height as usize)?;
    if decoder.total_bytes() > MAX_DECODED {
        return Err("it has too many pixels for its color depth".into());
    }
    let orientation = metadata::has_complete_metadata(format, bytes).then(|| decoder.orientation().ok()).flatten();
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    Ok(image)
}

/// Pixels with eight bits for each channel.
enum Pixels {
    Opaque(RgbImage),
    Transparent(RgbaImage),
}

impl Pixels {
    /// The pixels of an image, scaled down if it is too large.
    fn of(image: DynamicImage) -> Self {
        let longest = image.width().max(image.height());
        let pixels = if image.color().has_alpha() {
            let pixels = image.into_rgba8();
            if pixels.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
                Self::Opaque(DynamicImage::from(pixels).into_rgb8())
            } else {
                Self::Transparent(pixels)
            }
        } else {
            Self::Opaque(image.into_rgb8())
        };
        if longest > MAX_STORED_SIDE { pixels.scaled(MAX_STORED_SIDE, longest) } else { pixels }
    }

    fn size(&self) -> (u32, u32) {
        match self {
            Self::Opaque(pixels) => pixels.dimensions(),
            Self::Transparent(pixels) => pixels.dimensions(),
        }
    }

    /// The pixels scaled by `numerator / denominator`. The filter needs no memory besides the result.
    fn scaled(&self, numerator: u32, denominator: u32) -> Self {
        let scale = |side: u32| {
            let side = u64::from(side) * u64::from(numerator) / u64::from(denominator);
            u32::try_from(side).unwrap_or(MAX_STORED_SIDE).max(1)
        };
        let (width, height) = self.size();
        let (width, height) = (scale(width), scale(height));
        match self {
            Self::Opaque(pixels) => Self::Opaque(imageops::thumbnail(pixels, width, height)),
            Self::Transparent(pixels) => Self::Transparent(imageops::thumbnail(pixels, width, height)),
        }
    }
}

const JPEG: &str = "image/jpeg";
const PNG: &str = "image/png";

/// Encodes a photo as JPEG, and other images as PNG, which loses nothing. An image that does not fit is encoded as JPEG
/// if it is opaque, and scaled down until it fits.
fn encode_pixels(mut pixels: Pixels, is_photo: bool, cancel: &Cancel) -> Result<EncodedImage, String> {
    let mut is_jpeg = is_photo;
    loop {
        cancel.check().map_err(|_| "was canceled")?;
        let (width, height) = pixels.size();
        let mut bytes = Vec::new();
        let (media_type, written) = match &pixels {
            Pixels::Opaque(pixels) if is_jpeg => {
                (JPEG, jpeg_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgb8))
            }
            Pixels::Opaque(pixels) => {
                (PNG, png_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgb8))
            }
            Pixels::Transparent(pixels) => {
                (PNG, png_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgba8))
            }
        };
        written.map_err(|error| format!("cannot be encoded: {error}"))?;
        if bytes.len() <= MAX_UPLOAD_BYTES {
            return Ok(EncodedImage { media_type, width, height, bytes });
        }
        if media_type == PNG && matches!(pixels, Pixels::Opaque(_)) {
            is_jpeg = true;
        } else {
            pixels = pixels.scaled(3, 4);
        }
    }
}

fn jpeg_encoder(to: &mut Vec<u8>) -> JpegEncoder<&mut Vec<u8>> {
    JpegEncoder::new_with_quality(to, JPEG_QUALITY)
}

fn png_encoder(to: &mut Vec<u8>) -> PngEncoder<&mut Vec<u8>> {
    PngEncoder::new_with_quality(to, CompressionType::Default, FilterType::Adaptive)
}

const END_OF_JPEG: [u8; 2] = [0xff, 0xd9];

/// Whether this is a JPEG as [`jpeg_encoder`] writes it: the same segments for an image of this size, then only image
/// data. JPEG loses quality each time it is encoded, so such an image is stored unchanged.
fn is_own_jpeg(bytes: &[u8]) -> bool {
    let Some(dimensions) = size::of(ImageType::Jpeg, bytes) else { return false };
    let fits = |side: usize| side <= MAX_STORED_SIDE as usize;
    let (Ok(width), Ok(height)) = (u16::try_from(dimensions.width), u16::try_from(dimensions.height)) else {
        return false;
    };
    let mut smallest = Vec::new();
    if jpeg_encoder(&mut smallest).write_image(&[0; 3], 1, 1, ExtendedColorType::Rgb8).is_err() {
        return false;
    }
    let Some(scan) = jpeg_scan(&smallest) else { return false };
    let mut header = smallest[..scan].to_vec();
    let Some(frame) = header.windows(2).position(|pair| pair == [0xff, 0xc0]) else { return false };
    header[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    header[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    let Some(data) = bytes.strip_prefix(&*header).and_then(|rest| rest.strip_suffix(&END_OF_JPEG)) else {
        return false;
    };
    let has_marker = data.windows(2).any(|pair| pair[0] == 0xff && pair[1] != 0) || data.ends_with(&[0xff]);
    fits(dimensions.width) && fits(dimensions.height) && !has_marker
}

/// Whether the first frame of a WebP image is encoded without loss.
fn is_lossless_webp(bytes: &[u8]) -> bool {
    let mut names = metadata::webp_chunks(bytes).map(|(name, _)| name);
    names.find(|name| matches!(*name, b"VP8L" | b"VP8 " | b"ANMF")) == Some(b"VP8L")
}

#[cfg(test)]
mod tests;
