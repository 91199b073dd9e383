//! Middleware for every request: request id, deadline, log line, and common response headers.

use std::time::{Duration, Instant};

use axum::{
    Extension,
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{
    agent,
    api::Api,
    error::{ApiError, Cause, ErrorBody},
    json::Json,
};
use crate::{auth::RequestInfo, framing::Frameable, metrics::RefusedByStandby};

/// The header with the request id, which is also in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Browsers use only https for this host, for one year. Subdomains are excluded because other services may run there.
const HSTS: &str = "max-age=31536000";

/// Assigns the request id and adds the common response headers. This is the outermost layer, so every response has
/// them.
pub async fn identify(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let request_id = uuid::Uuid::now_v7().simple().to_string();
    request.extensions_mut().insert(RequestInfo::new(request_id.clone()));
    let mut response = next.run(request).await;
    let is_frameable = response.extensions().get::<Frameable>().is_some();
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&request_id) {
        headers.insert(REQUEST_ID, id);
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        // For browsers that do not know `frame-ancestors`.
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if is_frameable {
        headers.remove(header::X_FRAME_OPTIONS);
    }
    if api.settings.cookies.is_secure() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    response
}

/// Enforces the deadline and logs the request. The log line contains no query, header, or body because these can
/// contain secrets.
pub async fn observe(
    State(api): State<Api>,
    Extension(request_info): Extension<RequestInfo>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let request_id = request_info.request_id.clone();
    let method = request.method().clone();
    let path = loggable_path(&request);
    let route = request.extensions().get::<MatchedPath>().cloned();
    let agent = agent::kind(request.headers());

    let deadline = Duration::from_secs(api.settings.request_seconds);
    let mut response = match tokio::time::timeout(deadline, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let text = format!(
                "the request took longer than {} seconds and was canceled; if it was a write, read the data to see whether it was saved",
                api.settings.request_seconds
            );
            ApiError::Http(StatusCode::SERVICE_UNAVAILABLE, text).into_response()
        }
    };

    let status = response.status();
    if let Some(Cause(cause)) = response.extensions_mut().remove::<Cause>() {
        tracing::error!(request_id, cause, "internal error");
        let error = "internal error; find the cause in the server log by this requestId".into();
        let body = ErrorBody { error, request_id: Some(request_id.clone()), ..ErrorBody::default() };
        response = (status, Json(body)).into_response();
    }
    let route = route.as_ref().map(MatchedPath::as_str);
    let refused = response.extensions().get::<RefusedByStandby>().copied();
    api.http_metrics.record(method.as_str(), route, status.as_u16(), refused, started.elapsed());
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let is_expected = !is_failure(status) || refused.is_some();
    let is_frequent = route.is_some_and(|route| FREQUENT_ROUTES.contains(&route)) && is_expected;
    let (status, caller, user) = (status.as_u16(), request_info.caller_kind(), request_info.user_id());
    let client = request_info.client_address().map(tracing::field::display);
    // The level of an event is a constant, and so are its fields.
    if is_frequent {
        tracing::debug!(request_id, %method, path, status, ms, caller, user, client, agent, "request");
    } else {
        tracing::info!(request_id, %method, path, status, ms, caller, user, client, agent, "request");
    }
    response
}

/// Routes that each client requests all the time. Requests that succeed, or that a standby rejects, are only of interest for
/// debugging.
const FREQUENT_ROUTES: [&str; 4] = ["/healthz", "/readyz", "/metrics", "/api/workspaces/{id}/presence"];

fn is_failure(status: StatusCode) -> bool {
    status.is_client_error() || status.is_server_error()
}

/// Minimum length of a path segment that may be a secret, in bytes.
const SECRET: usize = 20;

/// The path without its query, or the pattern if the path of the route contains a secret. In unknown paths, long
/// segments are replaced because the path may be a mistyped route with a secret.
fn loggable_path(request: &Request) -> String {
    let pattern = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    match pattern {
        Some(pattern) if pattern.contains("{token}") => pattern.to_owned(),
        Some(_) => request.uri().path().chars().take(200).collect(),
        None => {
            let short = |part| if str::len(part) < SECRET { part } else { "…" };
            request.uri().path().split('/').map(short).take(10).collect::<Vec<_>>().join("/")
        }
    }
}
