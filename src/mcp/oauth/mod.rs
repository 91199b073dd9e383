//! The OAuth 2.1 authorization server for MCP clients, which are public clients. The rules are in `domain::connectors`.
//!
//! Requests and responses follow the OAuth standards instead of the REST API: bodies are forms, and errors have the
//! format of RFC 6749.

mod authorize;
mod bearer;
mod error;
mod metadata;
mod page;
mod request;
mod state;
mod token;

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::{get, post},
};
use tower_http::set_header::SetResponseHeaderLayer;

use self::error::OauthErrorResponse;
pub use self::{bearer::admit, state::OAuth};
use crate::{
    base_path::BasePath,
    bodies::{BodyError, MAX_ANONYMOUS_BODY},
    budget::Holder,
    domain::accounts::sign_in::Visitor,
};

/// The endpoints.
pub fn router(oauth: OAuth) -> Router {
    let base = BasePath::of(&oauth.issuer);
    // RFC 8414, section 3.1, and RFC 9728, section 3.1: the path of an identifier is appended to the well-known path. A
    // reverse proxy has to forward these paths of the host.
    let well_known = match base.as_str() {
        "" => Router::new(),
        base => Router::new()
            .route(&format!("/.well-known/oauth-protected-resource{base}"), get(metadata::resource))
            .route(&format!("/.well-known/oauth-protected-resource{base}/mcp"), get(metadata::resource))
            .route(&format!("/.well-known/oauth-authorization-server{base}"), get(metadata::server)),
    };
    well_known
        .route("/.well-known/oauth-protected-resource", get(metadata::resource))
        .route("/.well-known/oauth-protected-resource/mcp", get(metadata::resource))
        .route("/.well-known/oauth-authorization-server", get(metadata::server))
        .route("/oauth/register", post(token::register))
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(token::revoke))
        .route("/oauth/authorize", get(authorize::authorize))
        .layer(from_fn_with_state(oauth.clone(), body_within_budget))
        .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .with_state(oauth)
}

/// Reads the body within the memory budget for unauthenticated requests.
async fn body_within_budget(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Result<Response, OauthErrorResponse> {
    let (parts, body) = request.into_parts();
    let holder = Holder::anonymous(visitor.address);
    let received = oauth.bodies.read(&parts.headers, body, MAX_ANONYMOUS_BODY, holder).await.map_err(|error| {
        // RFC 7591, section 3.2.2, defines its own error code for client metadata.
        let code = if parts.uri.path() == "/oauth/register" { "invalid_client_metadata" } else { "invalid_request" };
        match error {
            BodyError::TooLarge(_) => OauthErrorResponse::invalid(code, error.describe().1),
            error => OauthErrorResponse::from(error),
        }
    })?;
    Ok(next.run(Request::from_parts(parts, received.bytes.into())).await)
}
