//! The dimensions of an image as browsers compute them, since the header of a file may contradict its content.

use imagesize::ImageType;

/// The dimensions that a browser would allocate for an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dimensions {
    pub width: usize,
    pub height: usize,
    /// Whether the image is animated.
    pub is_animated: bool,
}

/// The size of an image of this format; none if it cannot be determined.
pub(super) fn of(kind: ImageType, bytes: &[u8]) -> Option<Dimensions> {
    match kind {
        ImageType::Gif => gif(bytes),
        ImageType::Jpeg => jpeg(bytes),
        _ => {
            let size = imagesize::blob_size(bytes).ok()?;
            let is_animated = match kind {
                ImageType::Png => png_moves(bytes),
                // The second bit of the feature flags in an extended file.
                ImageType::Webp => {
                    bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|bits| bits & 2 != 0)
                }
                _ => bytes.get(8..12) == Some(b"avis"),
            };
            Some(Dimensions { width: size.width, height: size.height, is_animated })
        }
    }
}

fn little(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn big(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

/// Size in bytes of a color table, from the flags that announce it.
fn color_table_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// A GIF is as large as its logical screen or its largest frame, since browsers allocate the larger of the two.
fn gif(bytes: &[u8]) -> Option<Dimensions> {
    let (mut width, mut height) = (little(bytes, 6)?, little(bytes, 8)?);
    let mut at = 13 + color_table_bytes(*bytes.get(10)?);
    let mut frames = 0;
    // Browsers ignore everything after an unknown block.
    while let Some(kind) = bytes.get(at) {
        match kind {
            0x21 => at += 2,
            0x2c => {
                let side = |offset: usize| Some(little(bytes, at + offset)? + little(bytes, at + offset + 4)?);
                let Some((right, bottom)) = side(1).zip(side(3)) else { break };
                (width, height, frames) = (width.max(right), height.max(bottom), frames + 1);
                at += 11 + color_table_bytes(bytes.get(at + 9).copied().unwrap_or_default());
            }
            _ => break,
        }
        while let Some(length) = bytes.get(at) {
            at += 1 + usize::from(*length);
            if *length == 0 {
                break;
            }
        }
    }
    Some(Dimensions { width, height, is_animated: frames > 1 })
}

/// The size of a JPEG is in its first frame header. Fill bytes may precede each marker.
fn jpeg(bytes: &[u8]) -> Option<Dimensions> {
    let mut segments = JpegSegments { bytes, at: 2 };
    let (_, at) =
        segments.find(|(marker, _)| matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc))?;
    let (height, width) = (big(bytes, at + 4)?, big(bytes, at + 6)?);
    Some(Dimensions { width, height, is_animated: false })
}

/// Where the image data of a JPEG begins.
pub(super) fn jpeg_scan(bytes: &[u8]) -> Option<usize> {
    let (_, at) = JpegSegments { bytes, at: 2 }.find(|(marker, _)| *marker == 0xda)?;
    let end = at + 1 + big(bytes, at + 1)?;
    (end <= bytes.len()).then_some(end)
}

/// The segments of a JPEG up to its image data, each with its marker and the position of the marker.
struct JpegSegments<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Iterator for JpegSegments<'_> {
    type Item = (u8, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes;
        if *bytes.get(self.at)? != 0xff {
            return None;
        }
        let at = self.at + bytes[self.at..].iter().position(|byte| *byte != 0xff)?;
        let marker = bytes[at];
        // After these markers, no segment of a known length follows.
        let is_last = matches!(marker, 0x00 | 0x01 | 0xd0..=0xda);
        self.at = if is_last { bytes.len() } else { at + 1 + big(bytes, at + 1)? };
        Some((marker, at))
    }
}

/// Whether a PNG is animated, which it declares before the image data.
fn png_moves(bytes: &[u8]) -> bool {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        match &head[4..] {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => {}
        }
        let length = u32::from_be_bytes(head[..4].try_into().unwrap_or_default());
        at = at.saturating_add(12).saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        if at > bytes.len() {
            break;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    fn read(bytes: &[u8]) -> Option<(usize, usize, bool)> {
        let kind = imagesize::image_type(bytes).unwrap();
        of(kind, bytes).map(|size| (size.width, size.height, size.is_animated))
    }

    #[test]
    fn the_size_of_a_gif_includes_its_frames() {
        let screen = b"GIF89a\x02\0\x03\0\x80\0\0\xff\0\0\0\0\xff";
        let control = b"!\xf9\x04\0\x32\0\0\0";
        let frame = |left: u16, width: u16| {
            let [a, b] = left.to_le_bytes();
            let [c, d] = width.to_le_bytes();
            [0x2c, a, b, 0, 0, c, d, 3, 0, 0, 2, 2, 0x44, 1, 0]
        };
        assert_eq!(read(&[&screen[..], &control[..], &frame(0, 2), b";"].concat()), Some((2, 3, false)));
        assert_eq!(read(&[&screen[..], &frame(0, 6_000), b";"].concat()), Some((6_000, 3, false)));
        assert_eq!(read(&[&screen[..], &frame(60_000, 60_000), b";"].concat()), Some((120_000, 3, false)));
        let moving = [&screen[..], &control[..], &frame(0, 2), &control[..], &frame(0, 9_000), b";"].concat();
        assert_eq!(read(&moving), Some((9_000, 3, true)));
        for end in 13..moving.len() {
            read(&moving[..end]);
        }
        assert_eq!(gif(&screen[..9]), None);
    }

    #[test]
    fn the_size_of_a_jpeg_is_found_behind_other_segments() {
        let plain = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0";
        assert_eq!(read(plain), Some((3, 2, false)));
        // A parser without support for fill bytes reads `ff c0` as a length and takes the size from a later position.
        let mut hidden = b"\xff\xd8\xff\xff\xff\xc0\0\x0b\x08\xff\xdc\xff\xdc\x01\x01\x11\0".to_vec();
        hidden.resize(2 + 4 + 0xffff, 0);
        hidden.extend(b"\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0");
        assert_eq!(read(&hidden), Some((65_500, 65_500, false)));
        for broken in
            [&b"\xff\xd8\xff\xda\0\x02"[..], b"\xff\xd8\xff\xd8\xff\xd8", b"\xff\xd8\xff\xe0\0\0\0", b"\xff\xd8\xff"]
        {
            assert_eq!(jpeg(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn animated_images_are_detected() {
        let png = |chunk: &[u8]| {
            [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0cccc"[..], chunk].concat()
        };
        assert_eq!(read(&png(b"\0\0\0\x08acTL\0\0\0\x02\0\0\0\0cccc")), Some((1, 1, true)));
        assert_eq!(read(&png(b"\0\0\0\0IDATcccc\0\0\0\x08acTL\0\0\0\x02\0\0\0\0cccc")), Some((1, 1, false)));
        assert_eq!(read(&png(b"\xff\xff\xff\xfftEXt")), Some((1, 1, false)));
        let webp = |bits: u8| [&b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0"[..], &[bits, 0, 0, 0, 8, 0, 0, 9, 0, 0]].concat();
        assert_eq!((read(&webp(2)), read(&webp(0))), (Some((9, 10, true)), Some((9, 10, false))));
    }

    proptest! {
        #[test]
        fn any_bytes_are_handled(
            kind in select(vec![ImageType::Gif, ImageType::Jpeg, ImageType::Png, ImageType::Webp]),
            mut bytes in vec(any::<u8>(), 0..400),
            marks in vec((0_usize..400, select(b"\xff\xc0\x2c\x21\0\xc4".to_vec())), 0..60),
        ) {
            // Format markers inside random bytes, so that parsing gets past the first byte.
            for (at, mark) in marks {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = mark;
                }
            }
            of(kind, &bytes);
            for head in [&b"\xff\xd8"[..], b"GIF89a\x02\0\x03\0\x00\0\0", b"\x89PNG\r\n\x1a\n"] {
                of(kind, &[head, &bytes].concat());
            }
        }
    }
}
