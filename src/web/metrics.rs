//! `GET /metrics`, for monitoring systems.

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use crate::{
    auth::{TokenHash, bearer, tokens},
    metrics::{CONTENT_TYPE, Metrics},
    secret::Secret,
};

/// The path of the metrics.
const PATH: &str = "/metrics";
/// Tells clients without the right token what to send.
const UNAUTHORIZED: &str = "send the token of `metrics.token` as `Authorization: Bearer <token>`\n";

#[derive(Debug, Clone)]
struct Served {
    metrics: Metrics,
    /// Hash of the token that requests need, so that the comparison takes the same time for all tokens.
    token: Option<TokenHash>,
}

/// The route of the metrics. Without a token, all who reach it can read them.
pub fn router(metrics: Metrics, token: &Secret) -> Router {
    let token = Some(token.reveal()).filter(|token| !token.is_empty()).map(tokens::hash);
    Router::new().route(PATH, get(read)).with_state(Served { metrics, token })
}

async fn read(State(served): State<Served>, headers: HeaderMap) -> Response {
    let given = bearer(&headers).ok().map(tokens::hash);
    if served.token.is_some() && served.token != given {
        return (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], UNAUTHORIZED).into_response();
    }
    match served.metrics.text() {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "cannot write the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
