//! Uploaded images: decoded within limits and encoded again.
//!
//! Uploads come from users and are served to other users, so only pixels are stored: no metadata such as the place where
//! a photo was taken, and no data that another program could read as something else. The result is the same for the
//! same image: encoding a result again does not change it, so an exported image has the same content after an import.

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

use super::{
    MAX_PIXELS, MAX_SIDE,
    size::{self, jpeg_scan},
};

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

/// Decodes a PNG, JPEG, WebP or GIF image and encodes it as PNG or JPEG, at most [`MAX_STORED_SIDE`] wide and high. Of an
/// animated image, the first frame remains. It can take seconds and 200 MiB of memory: run it one at a time. The error completes a sentence that begins with the name of the input.
pub fn encode(bytes: &[u8]) -> Result<EncodedImage, String> {
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
    let decoded = decode(format, bytes).map_err(|error| format!("is damaged or incomplete: {error}"))?;
    if format == ImageFormat::Jpeg {
        if jpeg_scan(bytes).is_none_or(|scan| !bytes[scan..].windows(2).any(|pair| pair == END_OF_JPEG)) {
            return Err("is damaged or incomplete: the end of the image is missing".into());
        }
        if is_own_jpeg(bytes) {
            let (width, height) = (decoded.width(), decoded.height());
            return Ok(EncodedImage { media_type: JPEG, width, height, bytes: bytes.to_vec() });
        }
    }
    let is_photo = format == ImageFormat::Jpeg || format == ImageFormat::WebP && !is_lossless_webp(bytes);
    encode_pixels(Pixels::of(decoded), is_photo).map_err(|error| format!("cannot be encoded: {error}"))
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
    let orientation = decoder.orientation().ok();
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
fn encode_pixels(mut pixels: Pixels, is_photo: bool) -> image::ImageResult<EncodedImage> {
    let mut is_jpeg = is_photo;
    loop {
        let (width, height) = pixels.size();
        let mut bytes = Vec::new();
        let media_type = match &pixels {
            Pixels::Opaque(pixels) if is_jpeg => {
                jpeg_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgb8)?;
                JPEG
            }
            Pixels::Opaque(pixels) => {
                png_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgb8)?;
                PNG
            }
            Pixels::Transparent(pixels) => {
                png_encoder(&mut bytes).write_image(pixels, width, height, ExtendedColorType::Rgba8)?;
                PNG
            }
        };
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
    let mut at = 12;
    while let Some(head) = bytes.get(at..at + 8) {
        match &head[..4] {
            b"VP8L" => return true,
            b"VP8 " | b"ANMF" => return false,
            _ => {}
        }
        let length = u32::from_le_bytes(head[4..].try_into().unwrap_or_default()) as usize;
        at = at.saturating_add(8).saturating_add(length).saturating_add(length % 2);
    }
    false
}

#[cfg(test)]
mod tests {
    use image::{Frame, Rgb, Rgba, codecs::gif::GifEncoder};
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    fn written(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.into().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// Pixels that do not compress.
    fn noise(width: u32, height: u32) -> RgbImage {
        let mut state = 7_u32;
        RgbImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, r, g, b] = state.to_le_bytes();
            Rgb([r, g, b])
        })
    }

    /// A JPEG with this segment after its start.
    fn with_segment(jpeg: &[u8], marker: u8, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
        [&jpeg[..2], &[0xff, marker], &length, data, &jpeg[2..]].concat()
    }

    fn size_of(image: &EncodedImage) -> (u32, u32) {
        (image.width, image.height)
    }

    #[test]
    fn metadata_is_removed_after_the_image_is_turned() {
        let jpeg = written(noise(40, 20), ImageFormat::Jpeg);
        // Exif with the orientation 6: turn right by 90 degrees.
        let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0SECRET";
        let turned = encode(&with_segment(&jpeg, 0xe1, exif)).unwrap();
        assert_eq!((size_of(&turned), turned.media_type), ((20, 40), JPEG));
        let comment = encode(&with_segment(&jpeg, 0xfe, b"SECRET")).unwrap();
        assert_eq!(size_of(&comment), (40, 20));
        let trailing = encode(&[&jpeg[..], b"SECRET"].concat()).unwrap();
        let png = written(noise(40, 20), ImageFormat::Png);
        let png = encode(&[&png[..], b"SECRET"].concat()).unwrap();
        for image in [turned, comment, trailing, png] {
            assert!(!image.bytes.windows(6).any(|part| part == b"SECRET"));
            assert_eq!(encode(&image.bytes).unwrap(), image, "encoding again changes nothing");
        }
    }

    #[test]
    fn an_encoded_image_stays_as_it_is() {
        let opaque = noise(60, 50);
        let transparent = RgbaImage::from_fn(60, 50, |x, y| Rgba([1, 2, 3, if x > y { 255 } else { 9 }]));
        for bytes in [
            written(opaque.clone(), ImageFormat::Jpeg),
            written(opaque.clone(), ImageFormat::Png),
            written(opaque.clone(), ImageFormat::WebP),
            written(opaque.clone(), ImageFormat::Gif),
            written(transparent.clone(), ImageFormat::Png),
            written(transparent, ImageFormat::WebP),
            written(DynamicImage::from(opaque.clone()).into_rgba16(), ImageFormat::Png),
            written(DynamicImage::from(opaque.clone()).into_luma8(), ImageFormat::Jpeg),
            written(DynamicImage::from(opaque).into_luma_alpha16(), ImageFormat::Png),
        ] {
            let image = encode(&bytes).unwrap();
            assert_eq!(size_of(&image), (60, 50));
            assert_eq!(encode(&image.bytes).unwrap(), image);
        }
    }

    #[test]
    fn only_a_jpeg_of_this_encoder_is_stored_unchanged() {
        let own = encode(&written(noise(60, 50), ImageFormat::Jpeg)).unwrap().bytes;
        assert!(is_own_jpeg(&own));
        let mut hidden = own.clone();
        let end = hidden.len() - 2;
        hidden.splice(end..end, *b"\xff\xfe\0\x08SECRET");
        let mut other_quality = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut other_quality, 30);
        encoder.write_image(&noise(60, 50), 60, 50, ExtendedColorType::Rgb8).unwrap();
        let appended = [&own[..], b"PK\x03\x04"].concat();
        for foreign in [with_segment(&own, 0xfe, b"SECRET"), hidden, other_quality, appended, own[..end].to_vec()] {
            assert!(!is_own_jpeg(&foreign));
        }
    }

    #[test]
    fn a_large_image_is_scaled_down() {
        let wide = encode(&written(RgbImage::new(6_000, 30), ImageFormat::Png)).unwrap();
        assert_eq!((size_of(&wide), wide.media_type), ((2_048, 10), PNG));
        let line = encode(&written(RgbImage::new(5_000, 1), ImageFormat::Png)).unwrap();
        assert_eq!(size_of(&line), (2_048, 1));
        // Noise is too large as a PNG: it becomes a JPEG, or smaller if it is transparent.
        let png = encode_pixels(Pixels::Opaque(noise(1_200, 1_000)), false).unwrap();
        assert_eq!((size_of(&png), png.media_type), ((1_200, 1_000), JPEG));
        let mut transparent = DynamicImage::from(noise(1_200, 1_000)).into_rgba8();
        transparent.put_pixel(0, 0, Rgba([0; 4]));
        let png = encode_pixels(Pixels::Transparent(transparent), false).unwrap();
        assert_eq!(png.media_type, PNG);
        assert!(png.width < 1_200 && png.bytes.len() <= MAX_UPLOAD_BYTES);
    }

    #[test]
    fn the_first_frame_of_an_animation_remains() {
        let mut gif = Vec::new();
        let mut encoder = GifEncoder::new(&mut gif);
        for color in [[255, 0, 0, 255], [0, 0, 255, 255]] {
            encoder.encode_frame(Frame::new(RgbaImage::from_pixel(9, 8, Rgba(color)))).unwrap();
        }
        drop(encoder);
        let image = encode(&gif).unwrap();
        let decoded = image::load_from_memory(&image.bytes).unwrap().into_rgb8();
        assert_eq!((size_of(&image), decoded.get_pixel(4, 4)), ((9, 8), &Rgb([255, 0, 0])));
    }

    /// A PNG that declares this size, with the compressed data of few pixels.
    fn bomb(width: u32, height: u32) -> Vec<u8> {
        let mut png = written(RgbImage::new(4, 4), ImageFormat::Png);
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        png
    }

    #[test]
    fn other_content_is_rejected() {
        let jpeg = written(noise(40, 20), ImageFormat::Jpeg);
        let png = written(noise(40, 20), ImageFormat::Png);
        let gif = written(noise(40, 20), ImageFormat::Gif);
        let webp = written(noise(40, 20), ImageFormat::WebP);
        let deep = written(DynamicImage::ImageRgba16(image::ImageBuffer::new(3_000, 3_000)), ImageFormat::Png);
        for (bytes, text) in [
            (Vec::new(), "must be a PNG, JPEG, WebP or GIF image"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "must be a PNG, JPEG, WebP or GIF image"),
            (b"BM\0\0\0\0".to_vec(), "must be a PNG, JPEG, WebP or GIF image"),
            (b"\0\0\0\x1cftypavif\0\0\0\0".to_vec(), "must be a PNG, JPEG, WebP or GIF image"),
            (vec![0xff, 0xd8, 0xff], "it has no size"),
            (b"GIF89a".to_vec(), "it has no size"),
            (vec![0; MAX_UPLOAD_BYTES + 1], "must have at most 2 MiB, has 2048 KiB"),
            (bomb(60_000, 60_000), "must have at most 16 million pixels and sides of at most 8192, has 60000 × 60000"),
            (bomb(8_192, 8_192), "must have at most 16 million pixels"),
            (bomb(0, 9), "it has no size"),
            (bomb(4_000, 4_000), "is damaged or incomplete"),
            (deep, "too many pixels for its color depth"),
            (png[..png.len() / 2].to_vec(), "is damaged or incomplete"),
            (gif[..gif.len() / 2].to_vec(), "is damaged or incomplete"),
            (webp[..webp.len() / 2].to_vec(), "is damaged or incomplete"),
            (jpeg[..jpeg.len() / 2].to_vec(), "is damaged or incomplete"),
            (jpeg[..jpeg.len() - 2].to_vec(), "the end of the image is missing"),
        ] {
            let error = encode(&bytes).expect_err(text);
            assert!(error.contains(text), "{error}, expected {text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn damaged_images_are_handled(
            format in select(vec![ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif]),
            changes in vec((0_usize..2_000, any::<u8>()), 0..8),
            cut in 0_usize..400,
        ) {
            let mut bytes = written(noise(16, 12), format);
            bytes.truncate(bytes.len().saturating_sub(cut / 10));
            for (at, byte) in changes {
                if let Some(old) = bytes.get_mut(at) {
                    *old = byte;
                }
            }
            if let Ok(image) = encode(&bytes) {
                prop_assert!(image.bytes.len() <= MAX_UPLOAD_BYTES && image.width.max(image.height) <= MAX_STORED_SIDE);
                prop_assert_eq!(encode(&image.bytes).unwrap(), image);
            }
        }
    }
}
