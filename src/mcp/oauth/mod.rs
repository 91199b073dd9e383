//! The authorization server of the MCP server: OAuth 2.1 for public clients. The rules are in `domain::connectors`.
//!
//! What is served here is for programs that know standards, not our API: forms go in, and errors have the shape of RFC 6749.

mod authorize;
mod metadata;
mod token;

use std::sync::Arc;

use axum::{
    Json, Router,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use tower_http::{cors::CorsLayer, set_header::SetResponseHeaderLayer};

use crate::{
    auth::throttle::Throttle,
    domain::{access::Gate, connectors::Refusal},
    error::Error,
};

/// What handlers have at hand.
#[derive(Debug, Clone)]
pub struct OAuth {
    /// The way to data.
    pub gate: Gate,
    /// Counts what must not be tried too often.
    pub throttle: Arc<Throttle>,
    /// Where browsers and clients reach this instance, without a slash at its end.
    pub issuer: Arc<str>,
}

/// The endpoints.
pub fn router(oauth: OAuth) -> Router {
    let for_programs = Router::new()
        .route("/.well-known/oauth-protected-resource", get(metadata::resource))
        .route("/.well-known/oauth-protected-resource/mcp", get(metadata::resource))
        .route("/.well-known/oauth-authorization-server", get(metadata::server))
        .route("/oauth/register", post(token::register))
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(token::revoke))
        // No cookie and no session of ours counts here, so programs that live in pages may ask from wherever they are.
        .layer(CorsLayer::permissive())
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
    for_programs.route("/oauth/authorize", get(authorize::authorize)).with_state(oauth)
}

/// An error in the shape of RFC 6749, 5.2.
struct OAuthError {
    status: StatusCode,
    code: &'static str,
    text: String,
}

impl From<Refusal> for OAuthError {
    fn from(Refusal { code, text }: Refusal) -> Self {
        let status = if code == "invalid_client" { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
        Self { status, code, text: text.to_owned() }
    }
}

impl From<Error> for OAuthError {
    fn from(error: Error) -> Self {
        let (status, code) = match &error {
            Error::RateLimited { .. } => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
            Error::Busy | Error::NotCommitted(_) => (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable"),
            Error::StorageFull => (StatusCode::INSUFFICIENT_STORAGE, "server_error"),
            Error::Internal(cause) => {
                tracing::error!(cause, "an OAuth request failed");
                return Self { status: StatusCode::INTERNAL_SERVER_ERROR, code: "server_error", text: String::new() };
            }
            _ => (StatusCode::BAD_REQUEST, "invalid_request"),
        };
        Self { status, code, text: error.to_string() }
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let Self { status, code, text } = self;
        (status, Json(json!({ "error": code, "error_description": text }))).into_response()
    }
}
