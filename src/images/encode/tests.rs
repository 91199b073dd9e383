//! Tests of encoding images.

use image::{Frame, Rgb, Rgba, codecs::gif::GifEncoder};
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

fn encode(bytes: &[u8]) -> Result<EncodedImage, String> {
    super::encode(bytes, &Cancel::never())
}

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
    let png = encode_pixels(Pixels::Opaque(noise(1_200, 1_000)), false, &Cancel::never()).unwrap();
    assert_eq!((size_of(&png), png.media_type), ((1_200, 1_000), JPEG));
    let mut transparent = DynamicImage::from(noise(1_200, 1_000)).into_rgba8();
    transparent.put_pixel(0, 0, Rgba([0; 4]));
    let png = encode_pixels(Pixels::Transparent(transparent.clone()), false, &Cancel::never()).unwrap();
    assert_eq!(png.media_type, PNG);
    assert!(png.width < 1_200 && png.bytes.len() <= MAX_UPLOAD_BYTES);
    let canceled = Cancel::never();
    canceled.cancel();
    let error = encode_pixels(Pixels::Transparent(transparent), false, &canceled).unwrap_err();
    assert_eq!(error, "was canceled");
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

/// Inserts a chunk before the pixels of a PNG.
fn with_chunk(png: &[u8], name: &[u8], data: &[u8]) -> Vec<u8> {
    // The header is a chunk of 13 bytes.
    let (head, rest) = png.split_at(8 + 12 + 13);
    let mut checksum = flate2::Crc::new();
    checksum.update(name);
    checksum.update(data);
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [head, &length, name, data, &checksum.sum().to_be_bytes(), rest].concat()
}

/// Compresses `length` zero bytes.
fn zeros(length: u64) -> Vec<u8> {
    let mut compressed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), length), &mut compressed).unwrap();
    compressed.finish().unwrap()
}

/// Size of the metadata that the decoder returns after reading the header of a PNG, in bytes.
fn metadata_of(bytes: &[u8]) -> usize {
    let mut decoder = image::codecs::png::PngDecoder::new(Cursor::new(bytes)).unwrap();
    let found = [decoder.icc_profile(), decoder.xmp_metadata(), decoder.iptc_metadata()];
    found.into_iter().map(|found| found.unwrap().map_or(0, |found| found.len())).sum()
}

#[test]
fn profiles_and_texts_of_a_png_are_not_decompressed() {
    let png = written(noise(40, 20), ImageFormat::Png);
    let (plain, inflated) = (encode(&png).unwrap(), 1_500_000);
    let inflating = zeros(inflated);
    for (name, head) in [
        (b"iCCP", &b"ICC Profile\0\0"[..]),
        (b"zTXt", b"Raw profile type iptc\0\0"),
        (b"iTXt", b"XML:com.adobe.xmp\0\x01\0\0\0"),
    ] {
        let hostile = with_chunk(&png, name, &[head, &inflating].concat());
        assert_eq!(metadata_of(&hostile), usize::try_from(inflated).unwrap(), "the decoder would decompress the chunk");
        assert_eq!(metadata_of(&metadata::stripped_png(&hostile)), 0);
        assert_eq!(encode(&hostile).unwrap(), plain);
    }
    // The profile is almost as large as the allocation limit of the decoder, which would leave no memory for the text.
    let text = with_chunk(&png, b"tEXt", &[&b"Comment\0"[..], &b" ".repeat(1_200_000)].concat());
    let largest = with_chunk(&text, b"iCCP", &[&b"ICC Profile\0\0"[..], &zeros(MAX_ALLOCATION - (1 << 20))].concat());
    assert_eq!(encode(&largest).unwrap(), plain);
}

#[test]
fn transparency_and_the_orientation_of_a_png_are_kept() {
    let palette = b"\0\0\0\xff\0\0";
    let exif = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let mut indexed = written(DynamicImage::from(RgbImage::new(4, 2)).into_luma8(), ImageFormat::Png);
    let plain = encode(&indexed).unwrap();
    assert_eq!(size_of(&plain), (4, 2));
    // The color type becomes an index into a palette, whose first color is transparent.
    indexed[25] = 3;
    let mut checksum = flate2::Crc::new();
    checksum.update(&indexed[12..29]);
    indexed[29..33].copy_from_slice(&checksum.sum().to_be_bytes());
    let image = with_chunk(&with_chunk(&with_chunk(&indexed, b"tRNS", &[0]), b"PLTE", palette), b"eXIf", exif);
    let turned = encode(&image).unwrap();
    let pixels = image::load_from_memory(&turned.bytes).unwrap();
    assert_eq!((size_of(&turned), pixels.into_rgba8().get_pixel(0, 0).0[3]), ((2, 4), 0));
}

#[test]
fn declared_lengths_of_metadata_are_not_allocated() {
    let jpeg = written(noise(40, 20), ImageFormat::Jpeg);
    // The first of 255 parts; the others are missing.
    let claimed = with_segment(&jpeg, 0xe2, b"ICC_PROFILE\0\x01\xffprofile");
    assert_eq!(encode(&claimed).unwrap(), encode(&jpeg).unwrap());
    let webp = written(noise(40, 20), ImageFormat::WebP);
    let exif = |length: u32| {
        let extended = b"VP8X\x0a\0\0\0\x08\0\0\0\x27\0\0\x13\0\0";
        let chunk = [b"EXIF", &length.to_le_bytes()[..], b"MM\0\x2a\0\0\0\x08"].concat();
        let mut bytes = [&webp[..12], extended, &webp[12..], &chunk].concat();
        let size = u32::try_from(bytes.len() - 8).unwrap();
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        bytes
    };
    assert!(metadata::has_complete_metadata(ImageFormat::WebP, &exif(8)));
    let claimed = exif(u32::MAX - 9);
    assert!(!metadata::has_complete_metadata(ImageFormat::WebP, &claimed), "4 GB would be allocated");
    assert_eq!(encode(&claimed).unwrap(), encode(&webp).unwrap());
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
