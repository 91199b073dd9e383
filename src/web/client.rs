//! The files of the web client, and their content types.

use std::io::Read;

use flate2::read::GzDecoder;
use rust_embed::{Embed, EmbeddedFile};

/// The built web client: `index.html`, and all other files, compressed as `….gz` if that makes them smaller. Debug
/// builds read the directory at run time.
#[derive(Embed)]
#[folder = "assets/dist"]
#[allow_missing = true]
pub(super) struct Client;

/// The contents of a file of the web client.
pub(super) fn read(path: &str) -> Option<Vec<u8>> {
    if let Some(EmbeddedFile { data, .. }) = Client::get(path) {
        return Some(data.into_owned());
    }
    let packed = Client::get(&format!("{path}.gz"))?;
    let mut plain = Vec::new();
    GzDecoder::new(&*packed.data).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// Content types of the files of the web client.
pub(super) fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("woff") => "font/woff",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
