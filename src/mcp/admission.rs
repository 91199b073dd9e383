//! Authentication of MCP requests, before the body is read.

use axum::{
    Json,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    oauth, results,
    state::{BODY_BYTES, Mcp},
};
use crate::{
    auth::{self, RequestInfo},
    bodies::{BodyError, ReceivedBody},
    budget::Holder,
    domain::core::Via,
    error::Error,
    schedule,
};

/// Query parameters in which some clients send tokens. URLs are logged by proxies, so tokens in them are
/// rejected.
const TOKENS: [&str; 3] = ["access_token", "token", "api_key"];

/// Authenticates a request and reads its body. Permissions are checked again in each transaction.
pub async fn admit(State(mcp): State<Mcp>, request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    if url::form_urlencoded::parse(query.as_bytes()).any(|(name, _)| TOKENS.contains(&&*name.to_ascii_lowercase())) {
        let text =
            "a token in the URL ends up in logs: send it as `Authorization: Bearer <token>`, and revoke this one";
        return refusal(StatusCode::BAD_REQUEST, None, text);
    }
    let request_info = request.extensions().get::<RequestInfo>().cloned();
    let request_id = request_info.as_ref().map(|request_info| request_info.request_id.clone()).unwrap_or_default();
    let call = match auth::bearer(request.headers()) {
        Ok(token) => oauth::admit(&mcp.gate, token, request_id.clone()).await,
        Err(error) => Err(error),
    };
    match call {
        Ok((mut call, caller)) => {
            if let (Some(request_info), Some(credential)) = (request_info, &call.credential) {
                request_info.caller(credential);
                request_info.user(caller.user_id);
                call.client = request_info.client_address();
            }
            let key = mcp.gate.key(call.credential.as_ref(), Via::Mcp).await;
            let (mut parts, body) = request.into_parts();
            let received = match mcp.bodies.read(&parts.headers, body, BODY_BYTES, Holder::User(caller.user_id)).await {
                Ok(received) => mcp.bodies.turn(received, caller.user_id).await,
                Err(error) => return body_error(error),
            };
            let ReceivedBody { bytes, reservation } = match received {
                Ok(received) => received,
                Err(error) => return refused(&mcp, &request_id, error),
            };
            call.body_reservation = Some(reservation);
            parts.extensions.insert(call);
            schedule::scope(key, next.run(Request::from_parts(parts, bytes.into()))).await
        }
        Err(error) => refused(&mcp, &request_id, error),
    }
}

/// The response to a request whose body was not read.
fn body_error(error: BodyError) -> Response {
    let (status, text) = error.describe();
    let mut response = refusal(status, None, &text);
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The response to a request that is rejected.
fn refused(mcp: &Mcp, request_id: &str, error: Error) -> Response {
    let error = results::ToolError::new(error, request_id);
    let status = match error.code {
        "unauthenticated" => StatusCode::UNAUTHORIZED,
        "account_suspended" | "forbidden" => StatusCode::FORBIDDEN,
        "rate_limited" => StatusCode::TOO_MANY_REQUESTS,
        "busy" | "standby" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut response = refusal(status, Some(error.code), &error.message);
    if status == StatusCode::UNAUTHORIZED {
        // RFC 9728, section 5.1: the address of the metadata that names the authorization server.
        let challenge = format!(
            "Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\", scope=\"mcp:read mcp:write\"",
            mcp.public_url
        );
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
    }
    response
}

/// An error in the format of the REST API, because it is mostly read by people.
fn refusal(status: StatusCode, code: Option<&str>, text: &str) -> Response {
    let mut body = json!({ "error": text });
    if let Some(code) = code {
        body["code"] = code.into();
    }
    (status, Json(body)).into_response()
}

/// Replaces plain-text HTTP errors of the protocol library with JSON: invalid JSON, a
/// body that is not a JSON-RPC message, or a rejected `Host` or `Origin`.
pub async fn readable(State(mcp): State<Mcp>, request: Request, next: Next) -> Response {
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("application/json")
    });
    let response = next.run(request).await;
    if response.status() == StatusCode::FORBIDDEN {
        let text = format!(
            "this server only accepts requests to the host {} and from its own pages; to allow other origins, add \
             them to `cors.origins` in its configuration",
            mcp.public_url
        );
        return refusal(StatusCode::FORBIDDEN, None, &text);
    }
    if response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE || !is_json {
        return response;
    }
    let text = "the body is not a JSON-RPC message, or is nested more than 128 levels deep";
    let body = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": { "code": -32700, "message": text } });
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::BAD_REQUEST;
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(body.to_string()))
}
