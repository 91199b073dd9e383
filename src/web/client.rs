//! The files of the web client, and their content types.

use rust_embed::Embed;

/// The built web client: `index.html`, and all other files, compressed as `….gz` if that makes them smaller. Debug
/// builds read the directory at run time.
#[derive(Embed)]
#[folder = "assets/dist"]
#[allow_missing = true]
pub(super) struct Client;

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
