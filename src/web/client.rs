//! The files of the web client, and their content types.

use std::{
    borrow::Cow,
    io::{self, Read},
};

use flate2::read::GzDecoder;
use rust_embed::{Embed, EmbeddedFile};

/// The built web client: `index.html`, and all other files, compressed as `….gz` if that makes them smaller. Debug
/// builds read the directory at run time.
#[derive(Embed)]
#[folder = "assets/dist"]
#[allow_missing = true]
pub(super) struct Client;

/// The file with the logos of technologies, without the hash of its contents. The build leaves it out, because images
/// contain the logos too.
const LOGOS: &str = "assets/technologies-";

/// A file of the web client by its path in the directory.
pub(super) enum File {
    /// As it is.
    Plain(Cow<'static, [u8]>),
    /// Compressed with gzip.
    Compressed(Cow<'static, [u8]>),
}

/// Finds a file of the web client.
pub(super) fn find(path: &str) -> Option<File> {
    if path.strip_prefix(LOGOS).is_some_and(|rest| content_type(rest) == "application/json") {
        return Some(File::Compressed(Cow::Borrowed(drawing::TECHNOLOGIES)));
    }
    if let Some(EmbeddedFile { data, .. }) = Client::get(path) {
        return Some(File::Plain(data));
    }
    Client::get(&format!("{path}.gz")).map(|file| File::Compressed(file.data))
}

/// The contents of a file of the web client.
pub(super) fn read(path: &str) -> Option<Vec<u8>> {
    match find(path)? {
        File::Plain(data) => Some(data.into_owned()),
        File::Compressed(data) => unpack(&data).ok(),
    }
}

/// Decompresses a file.
pub(super) fn unpack(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(compressed).read_to_end(&mut plain)?;
    Ok(plain)
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
