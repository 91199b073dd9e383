//! Prepares what the binary embeds: the web client, and compressed copies of the documentation, of the documents in
//! `assets/contracts` and `assets/templates`.

use std::{env, fs, io::Write, path::Path, process::Command};

use flate2::{Compression, write::GzEncoder};

/// Embedded under their file names.
const DOCUMENTS: [&str; 5] = [
    "assets/contracts/openapi.json",
    "assets/contracts/mcp-tools.json",
    "assets/templates/layered-web-application.json",
    "assets/templates/event-driven.json",
    "assets/templates/cloud-landing-zone.json",
];

fn main() {
    println!("cargo:rerun-if-changed=assets/dist");
    for path in DOCUMENTS {
        let name = path.rsplit('/').next().expect("paths have a last part");
        embed(path, name);
    }
    for path in ["README.md", "CHANGELOG.md", "config.example.toml"] {
        embed(path, path);
    }
    println!("cargo:rerun-if-changed=docs");
    for entry in fs::read_dir("docs").expect("docs is a folder") {
        let path = entry.expect("docs can be listed").path();
        if path.is_file() {
            let path = path.to_str().expect("file names are text");
            embed(path, path);
        }
    }
    shorten_relocations();
}

/// Writes a compressed copy of `source` to `OUT_DIR/{target}.gz`.
fn embed(source: &str, target: &str) {
    println!("cargo:rerun-if-changed={source}");
    let content = fs::read(source).unwrap_or_else(|error| panic!("cannot read {source}: {error}"));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&content).expect("writing to memory");
    let compressed = gzip.finish().expect("writing to memory");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let copy = Path::new(&folder).join(format!("{target}.gz"));
    fs::create_dir_all(copy.parent().expect("files are in a folder")).expect("OUT_DIR can be written");
    fs::write(copy, compressed).expect("OUT_DIR can be written");
}

/// Stores the relative relocations of the executable in the compact form (RELR), which saves more than 1 MB. Programs in
/// this form need glibc 2.36 or newer, so it is used only if this machine has it, and not with a
/// custom linker, as in builds for older systems.
fn shorten_relocations() {
    println!("cargo:rerun-if-env-changed=RUSTC_LINKER");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let here = variable("TARGET") == variable("HOST") && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if here && variable("RUSTC_LINKER").is_empty() && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of the C library of this machine, such as (2, 36).
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
