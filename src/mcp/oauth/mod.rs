//! The authorization server of the MCP server: OAuth 2.1 for public clients. The rules are in `domain::connectors`.
//!
//! What is served here is for programs that know standards, not our API: forms go in, and errors have the shape of RFC 6749.

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

use self::error::OAuthError;
pub use self::{bearer::admit, state::OAuth};
use crate::{
    bodies::{STRANGERS_BODY, Unread},
    budget::Holder,
    domain::sign_in::Visitor,
};

/// The endpoints.
pub fn router(oauth: OAuth) -> Router {
    Router::new()
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

/// Reads the body, small as those of strangers are, within the memory for them.
async fn body_within_budget(
    State(oauth): State<OAuth>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Result<Response, OAuthError> {
    let (parts, body) = request.into_parts();
    let holder = Holder::stranger(visitor.address);
    let received = oauth.bodies.read(&parts.headers, body, STRANGERS_BODY, holder).await.map_err(|unread| {
        // RFC 7591, 3.2.2 has a code of its own for what a client says about itself.
        let code = if parts.uri.path() == "/oauth/register" { "invalid_client_metadata" } else { "invalid_request" };
        match unread {
            Unread::TooLarge(_) => OAuthError::wrong(code, unread.describe().1),
            unread => OAuthError::from(unread),
        }
    })?;
    Ok(next.run(Request::from_parts(parts, received.bytes.into())).await)
}
