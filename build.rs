//! Prepares what the binary embeds: the web client, and compressed copies of the documents in `assets/contracts`.

use std::{env, fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};

const CONTRACTS: [&str; 2] = ["openapi.json", "mcp-tools.json"];

fn main() {
    println!("cargo:rerun-if-changed=assets/dist");
    let target = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in CONTRACTS {
        let source = Path::new("assets/contracts").join(name);
        println!("cargo:rerun-if-changed={}", source.display());
        let text = fs::read(&source).unwrap_or_else(|error| panic!("cannot read {}: {error}", source.display()));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&text).expect("writing to memory");
        let compressed = gzip.finish().expect("writing to memory");
        fs::write(Path::new(&target).join(format!("{name}.gz")), compressed).expect("OUT_DIR can be written");
    }
}
