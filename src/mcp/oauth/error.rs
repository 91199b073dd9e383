//! Errors in the format of OAuth.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{bodies::BodyError, domain::accounts::connectors::OauthError, error::Error, metrics::RefusedByStandby};

/// An error in the format of RFC 6749, section 5.2.
#[derive(Debug)]
pub(super) struct OauthErrorResponse {
    status: StatusCode,
    code: &'static str,
    text: String,
    /// In seconds.
    retry_after: Option<u64>,
    refused: Option<RefusedByStandby>,
}

impl OauthErrorResponse {
    /// An invalid request.
    pub(super) fn invalid(code: &'static str, text: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, text: text.into(), retry_after: None, refused: None }
    }
}

impl From<OauthError> for OauthErrorResponse {
    fn from(OauthError { code, text }: OauthError) -> Self {
        let status = if code == "invalid_client" { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
        Self { status, ..Self::invalid(code, text) }
    }
}

impl From<Error> for OauthErrorResponse {
    fn from(error: Error) -> Self {
        let refused = matches!(error, Error::Standby(_)).then_some(RefusedByStandby);
        let (status, code, retry_after) = match &error {
            Error::RateLimited { retry_after } => {
                (StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable", Some(retry_after.as_secs().max(1)))
            }
            Error::Busy | Error::NotCommitted(_) | Error::Standby(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", Some(1))
            }
            Error::StorageFull => (StatusCode::INSUFFICIENT_STORAGE, "server_error", None),
            Error::Internal(cause) => {
                tracing::error!(cause, "OAuth request failed");
                let text = "internal error; the cause is in the server log".into();
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                return Self { status, code: "server_error", text, retry_after: None, refused };
            }
            _ => (StatusCode::BAD_REQUEST, "invalid_request", None),
        };
        Self { status, code, text: error.to_string(), retry_after, refused }
    }
}

impl From<BodyError> for OauthErrorResponse {
    fn from(error: BodyError) -> Self {
        let (status, text) = error.describe();
        let busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let code = if busy { "temporarily_unavailable" } else { "invalid_request" };
        Self { status, code, text, retry_after: busy.then_some(1), refused: None }
    }
}

impl IntoResponse for OauthErrorResponse {
    fn into_response(self) -> Response {
        let Self { status, code, text, retry_after, refused } = self;
        let mut response = (status, Json(json!({ "error": code, "error_description": text }))).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(refused) = refused {
            response.extensions_mut().insert(refused);
        }
        response
    }
}
