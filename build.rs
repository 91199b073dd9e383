//! Prepares what the binary embeds: the web client, and compressed copies of the documents in `assets/contracts` and
//! `assets/templates`, of the fonts of images, and of the logos of technologies.

use std::{env, fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};

const DOCUMENTS: [&str; 9] = [
    "contracts/openapi.json",
    "contracts/mcp-tools.json",
    "templates/layered-web-application.json",
    "templates/event-driven.json",
    "templates/cloud-landing-zone.json",
    "web/src/core/drawing/technologies.json",
    "fonts/BarlowCondensed-Medium.ttf",
    "fonts/BarlowCondensed-SemiBold.ttf",
    "fonts/SourceSans3-Regular.ttf",
];

fn main() {
    println!("cargo:rerun-if-changed=assets/dist");
    let target = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for path in DOCUMENTS {
        let source = Path::new("assets").join(path);
        let name = source.file_name().and_then(|name| name.to_str()).expect("paths end with a name");
        println!("cargo:rerun-if-changed={}", source.display());
        let text = fs::read(&source).unwrap_or_else(|error| panic!("cannot read {}: {error}", source.display()));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&text).expect("writing to memory");
        let compressed = gzip.finish().expect("writing to memory");
        fs::write(Path::new(&target).join(format!("{name}.gz")), compressed).expect("OUT_DIR can be written");
    }
}
