//! Headers of the responses to requests for share links.

use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{
    domain::sharing::{model::origins::EmbedOrigin, service::SharedContent},
    framing::Frameable,
    images::IMAGE_POLICY,
};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Identifies the state that content shows: equal for the image and the model of one state, so that the script of the page
/// can tell whether they belong together.
const SHARE_STATE: HeaderName = HeaderName::from_static("x-share-state");

/// Which sites may show a page in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) enum Framing<'p> {
    /// None.
    Nowhere,
    /// Pages of these origins.
    Origins(&'p [EmbedOrigin]),
}

/// Adds the headers that all responses have. Other headers of all pages of this server are added elsewhere.
pub(in crate::web) async fn add_common(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CROSS_ORIGIN_RESOURCE_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    response
}

/// A page, whose only inline style has this nonce.
pub(super) fn page(status: StatusCode, nonce: &str, framing: Framing<'_>, html: String) -> Response {
    let ancestors = match framing {
        Framing::Nowhere => "'none'".to_owned(),
        Framing::Origins(origins) => origins.iter().map(EmbedOrigin::as_str).collect::<Vec<_>>().join(" "),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
    );
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (header::CONTENT_SECURITY_POLICY, policy)];
    let mut response = (status, headers, html).into_response();
    if matches!(framing, Framing::Origins(_)) {
        response.extensions_mut().insert(Frameable);
    }
    response
}

/// An image, which other sites may show.
pub(super) fn image(content: SharedContent) -> Response {
    let mut response = cached(content);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(IMAGE_POLICY));
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

/// Data for the pages of a link.
pub(super) fn data(content: SharedContent) -> Response {
    cached(content)
}

/// Content that caches may keep and must ask about each time, so that a link ends at once.
fn cached(SharedContent { response, is_private, state }: SharedContent) -> Response {
    let mut response = response.into_response();
    let cache_control = if is_private { "private, no-cache" } else { "public, no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(state) = HeaderValue::try_from(state) {
        headers.insert(SHARE_STATE, state);
    }
    response
}
