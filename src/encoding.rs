//! Content encodings: those that a client accepts, and how they appear in entity tags.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};

/// Suffix of the entity tag of a compressed response. Strong tags must differ because the bytes differ.
pub const GZIP_SUFFIX: &str = "-gzip";

/// The entity tag of a response with this encoding.
pub fn tag_of(tag: &str, is_gzip: bool) -> String {
    format!("{tag}{}", if is_gzip { GZIP_SUFFIX } else { "" })
}

/// Whether content of this type becomes smaller. Compressed regardless of its size, so that the tag in a 304 is known
/// without the content.
pub fn is_compressible(media_type: &str) -> bool {
    matches!(media_type, "image/svg+xml" | "application/json")
}

/// Whether the client accepts gzip.
#[derive(Debug)]
pub struct AcceptsGzip(pub bool);

impl<S: Sync> FromRequestParts<S> for AcceptsGzip {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl AcceptsGzip {
    /// Whether the client that sent these headers accepts gzip.
    pub fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let (mut named, mut any) = (None, None);
        for coding in values.flat_map(|value| value.split(',')) {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let weight = weight.replace(' ', "").to_ascii_lowercase();
            let accepted = !matches!(weight.as_str(), "q=0" | "q=0." | "q=0.0" | "q=0.00" | "q=0.000");
            match name.trim().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => named = Some(accepted),
                "*" => any = Some(accepted),
                _ => {}
            }
        }
        Self(named.or(any).unwrap_or(false))
    }
}
