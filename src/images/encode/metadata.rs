//! Limits the memory for the metadata of uploaded images.
//!
//! Of the metadata, only the orientation is used. Color profiles and texts of a PNG are compressed, and the decoder would
//! decompress or keep them beyond its limits. A WebP declares the length of its metadata, and the decoder allocates that
//! length before reading. The metadata of JPEG and GIF images is neither compressed nor longer than the file.

use image::ImageFormat;

const PNG_SIGNATURE: usize = 8;
/// Length, name and checksum of a chunk of a PNG.
const PNG_FRAME: usize = 12;

/// Removes all chunks of a PNG except those for pixels and orientation. Color profiles, texts and further frames are removed.
pub(super) fn stripped_png(bytes: &[u8]) -> Vec<u8> {
    let (signature, mut rest) = bytes.split_at(bytes.len().min(PNG_SIGNATURE));
    let mut kept = signature.to_vec();
    while let Some((length, _)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let (chunk, after) = rest.split_at(length.saturating_add(PNG_FRAME).min(rest.len()));
        let name = chunk.get(4..8).unwrap_or_default();
        // Names of chunks that are required for decoding begin with a capital letter.
        if name.first().is_some_and(u8::is_ascii_uppercase) || matches!(name, b"tRNS" | b"eXIf") {
            kept.extend_from_slice(chunk);
        }
        rest = after;
    }
    kept
}

/// Whether the metadata of an image ends within the file. Otherwise, the decoder would allocate the declared length.
pub(super) fn has_complete_metadata(format: ImageFormat, bytes: &[u8]) -> bool {
    format != ImageFormat::WebP || webp_chunks(bytes).all(|(name, end)| name != b"EXIF" || end <= bytes.len())
}

/// The chunks of a WebP: their names and declared ends, in bytes from the start of the file.
pub(super) fn webp_chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], usize)> {
    let mut at = 12_usize;
    std::iter::from_fn(move || {
        let (name, rest) = bytes.get(at..)?.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).unwrap_or(usize::MAX);
        let end = at.saturating_add(8).saturating_add(length);
        at = end.saturating_add(length % 2);
        Some((name, end))
    })
}
