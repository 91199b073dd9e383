//! Middleware of a standby, which answers only reads.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};

use super::{api::Api, error::Result};

/// Paths whose requests are POST requests even if they only read. The gate rejects their writes.
const OTHER_PROTOCOLS: [&str; 2] = ["/mcp", "/oauth/"];

/// Rejects writes before anything else happens, such as hashing a password or asking another server.
pub async fn reject_writes(State(api): State<Api>, request: Request, next: Next) -> Result<Response> {
    let path = request.uri().path();
    if !request.method().is_safe() && !OTHER_PROTOCOLS.iter().any(|prefix| path.starts_with(prefix)) {
        api.gate.expect_primary()?;
    }
    Ok(next.run(request).await)
}
