//! Writes compressed copies of the fonts of images and of the logos of technologies, which the crate embeds.

use std::{env, fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};

/// Embedded under their file names.
const FILES: [&str; 4] = [
    "../../assets/web/src/core/drawing/technologies.json",
    "fonts/BarlowCondensed-Medium.ttf",
    "fonts/BarlowCondensed-SemiBold.ttf",
    "fonts/SourceSans3-Regular.ttf",
];

fn main() {
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for path in FILES {
        println!("cargo:rerun-if-changed={path}");
        let name = path.rsplit('/').next().expect("paths have a last part");
        let content = fs::read(path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&content).expect("writing to memory");
        let compressed = gzip.finish().expect("writing to memory");
        fs::write(Path::new(&folder).join(format!("{name}.gz")), compressed).expect("OUT_DIR can be written");
    }
}
