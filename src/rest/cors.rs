//! Cross-origin requests: the pages of which origins may call the API.

use std::time::Duration;

use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{
    error::{ApiError, unknown_path},
    extract::{BATCH_ID, CHANGE_REASON, IDEMPOTENCY_KEY},
};

/// The header with the protocol version of an MCP client. Clients also send it to the OAuth discovery endpoints.
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// Path prefixes that pages of any origin may call. Browser-based OAuth clients use them, and they ignore sessions.
const ANY_ORIGIN_PATHS: &[&str] = &["/.well-known/oauth-", "/oauth/register", "/oauth/token", "/oauth/revoke"];

/// The CORS layer. `origins` are the origins whose pages may call the API.
pub fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    let is_allowed = move |origin: &HeaderValue, parts: &Parts| {
        ANY_ORIGIN_PATHS.iter().any(|path| parts.uri.path().starts_with(path)) || origins.contains(origin)
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(is_allowed))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            BATCH_ID,
            CHANGE_REASON,
            IDEMPOTENCY_KEY,
            PROTOCOL_VERSION,
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
        ])
        .expose_headers([header::ETAG, header::RETRY_AFTER, header::WWW_AUTHENTICATE, super::observe::REQUEST_ID])
        .max_age(Duration::from_hours(1))
}

/// Answers preflights with 204 and rejects other OPTIONS requests, which the CORS layer would treat as preflights too.
pub async fn reject_plain_options(request: Request, next: Next) -> Response {
    let preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        && request.headers().contains_key(header::ORIGIN);
    if request.method() == Method::OPTIONS && !preflight {
        if request.extensions().get::<MatchedPath>().is_none() {
            return unknown_path(request.uri().clone()).await.into_response();
        }
        let text = "OPTIONS is only supported for CORS preflights; see /docs";
        return ApiError::Http(StatusCode::METHOD_NOT_ALLOWED, text.into()).into_response();
    }
    let mut response = next.run(request).await;
    if preflight && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}
