//! Entity tags: answers that need not be sent again.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::error::Result;
use crate::{domain::bundle, error::Error};

/// What tells the tag of the compressed form from that of the plain one: the bytes differ, so the strong tags must.
pub const GZIP_SUFFIX: &str = "-gzip";

/// JSON of which the client may have a copy: 304 when `known` holds its tag, a hash of the text.
pub fn hashed<T: Serialize>(body: &T, known: &[String]) -> Result<Response> {
    let json = serde_json::to_vec(body).map_err(Error::from)?;
    let tag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&json)[..15]);
    Ok(if bundle::is_known(known, &tag) { not_modified(&tag) } else { tagged(json.into(), &tag, None) })
}

/// Nothing has changed.
pub fn not_modified(tag: &str) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    mark(&mut response, tag);
    response
}

/// JSON with its tag, in an encoding or none.
pub fn tagged(json: Body, tag: &str, encoding: Option<&'static str>) -> Response {
    let mut response = Response::new(json);
    mark(&mut response, tag);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn mark(response: &mut Response, tag: &str) {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{tag}\"")) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("authorization, accept-encoding"));
}
