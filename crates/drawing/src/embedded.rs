//! Files that are embedded in compressed form; `build.rs` writes them.

use std::io::Read;

use flate2::read::GzDecoder;

/// The logos of technologies, compressed with gzip: a JSON object of technologies by ID, with `title`, `names` and `path`.
pub const TECHNOLOGIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/technologies.json.gz"));

/// The fonts. Whole faces: subsets break the search for a face that has a character.
pub(super) const FACES: [&[u8]; 3] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/BarlowCondensed-Medium.ttf.gz")),
    include_bytes!(concat!(env!("OUT_DIR"), "/BarlowCondensed-SemiBold.ttf.gz")),
    include_bytes!(concat!(env!("OUT_DIR"), "/SourceSans3-Regular.ttf.gz")),
];

/// The content of an embedded file.
pub(super) fn decompressed(compressed: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    GzDecoder::new(compressed).read_to_end(&mut content).expect("the embedded file is valid");
    content
}
