//! Content encodings that a client accepts.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};

/// Whether the client accepts gzip.
#[derive(Debug)]
pub struct AcceptsGzip(pub bool);

impl<S: Sync> FromRequestParts<S> for AcceptsGzip {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let values = parts.headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
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
        Ok(Self(named.or(any).unwrap_or(false)))
    }
}
