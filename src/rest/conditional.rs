//! Entity tags and conditional responses (304).

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::error::Result;
use crate::{domain::map::bundle, error::Error};

/// An entity tag as a client sends it, without its quotes.
#[derive(Debug, PartialEq, Eq)]
pub struct EntityTag<'h> {
    /// Whether the tag is weak (`W/`): it identifies equivalent content, not identical bytes.
    pub weak: bool,
    /// The text between the quotes, which may contain commas.
    pub tag: &'h str,
}

/// Parses a comma-separated list of entity tags. Returns `None` if it is malformed.
pub fn entity_tags(list: &str) -> Option<Vec<EntityTag<'_>>> {
    let mut tags = Vec::new();
    let mut rest = list.trim();
    loop {
        let opaque = rest.strip_prefix("W/");
        let (tag, after) = opaque.unwrap_or(rest).strip_prefix('"')?.split_once('"')?;
        tags.push(EntityTag { weak: opaque.is_some(), tag });
        match after.trim_start() {
            "" => return Some(tags),
            more => rest = more.strip_prefix(',')?.trim_start(),
        }
    }
}

/// A JSON response with an entity tag, which is a hash of the text. The status is 304 if `known` contains the tag.
pub fn hashed<T: Serialize>(body: &T, known: &[String]) -> Result<Response> {
    let json = serde_json::to_vec(body).map_err(Error::from)?;
    Ok(hashed_text(json.into(), known))
}

/// Like [`hashed`], for serialized JSON.
pub fn hashed_text(json: Bytes, known: &[String]) -> Response {
    let tag = URL_SAFE_NO_PAD.encode(&Sha256::digest(&json)[..15]);
    if bundle::is_known(known, &tag) { not_modified(&tag) } else { tagged(json.into(), &tag, None) }
}

/// A 304 response.
pub fn not_modified(tag: &str) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    mark(&mut response, tag);
    response
}

/// A JSON response with an entity tag and an optional content encoding.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_can_contain_anything_except_quotes() {
        let read = |list| entity_tags(list).map(|tags| tags.iter().map(|tag| (tag.weak, tag.tag)).collect::<Vec<_>>());
        assert_eq!(read(r#""12""#), Some(vec![(false, "12")]));
        assert_eq!(read(r#" "1,2" ,W/"a b","" "#), Some(vec![(false, "1,2"), (true, "a b"), (false, "")]));
        for wrong in ["", "12", "*", r#""1"#, r#""1" "2""#, r#""1", 2"#, r#""1","#, r#"w/"1""#, r#""1",*"#] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
