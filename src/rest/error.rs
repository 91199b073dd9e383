//! The one mapping from what went wrong to an answer.

use std::any::Any;

use axum::{
    Json,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::error::{Author, ChangedSince, Error, OwnedWorkspace};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, ApiError>;

/// An error on its way to a client.
#[derive(Debug)]
pub enum ApiError {
    /// From the domain.
    Domain(Error),
    /// Of HTTP itself: status and text.
    Http(StatusCode, String),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::Domain(error)
    }
}

impl ApiError {
    /// A field that cannot be right.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Domain(Error::invalid(field, message))
    }
}

/// The body of every error.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "error": "components[3].typeId: unknown component type `servce`; GET /api/schema lists them",
                           "field": "components[3].typeId" }))]
pub struct ErrorBody {
    /// What is wrong, where, and what to do; for people.
    pub error: String,
    /// For programs; only where a caller is expected to branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
    /// Path of the offending field, when one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// With `stale`: the resource as it is now; null when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// With `stale`: who changed it last; absent when that was the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
    /// When a user cannot leave: the workspaces that are theirs alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspaces: Option<Vec<OwnedWorkspace>>,
    /// With `changed_since`: what stands in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed: Option<Vec<ChangedSince>>,
    /// When stakeholder links use what shall be deleted: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count: Option<i64>,
    /// With status 500: what to look for in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_id: Option<String>,
}

/// The cause of a 500, for the log; rides on the response as far as `observe`.
#[derive(Debug, Clone)]
pub(super) struct Cause(pub String);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let retry_after = match &self {
            Self::Domain(Error::RateLimited { retry_after } | Error::WikiUnavailable { retry_after }) => {
                Some(retry_after.as_secs().max(1))
            }
            Self::Domain(Error::NoPicture { retry_after, .. }) => retry_after.map(|wait| wait.as_secs().max(1)),
            Self::Domain(Error::Busy | Error::TooManyRequests | Error::Cancelled | Error::NotCommitted(_))
            | Self::Http(StatusCode::SERVICE_UNAVAILABLE, _) => Some(1),
            _ => None,
        };
        let (status, body, cause) = match self {
            Self::Http(status, error) => (status, ErrorBody { error, ..ErrorBody::default() }, None),
            Self::Domain(error) => describe(error),
        };
        let mut response = (status, Json(body)).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(cause) = cause {
            response.extensions_mut().insert(Cause(cause));
        }
        response
    }
}

fn describe(error: Error) -> (StatusCode, ErrorBody, Option<String>) {
    let mut body = ErrorBody { error: error.to_string(), ..ErrorBody::default() };
    let status = match error {
        Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
        Error::Suspended => {
            body.code = Some("account_suspended");
            StatusCode::FORBIDDEN
        }
        Error::Forbidden(_) => StatusCode::FORBIDDEN,
        Error::NotFound(_) | Error::NoSuchRevision { .. } => StatusCode::NOT_FOUND,
        Error::Invalid { field, .. } => {
            body.field = field;
            StatusCode::BAD_REQUEST
        }
        Error::NoActiveOrganization => {
            body.code = Some("no_active_org");
            StatusCode::BAD_REQUEST
        }
        Error::Conflict(_) => StatusCode::CONFLICT,
        Error::SoleOwner(workspaces) => {
            body.workspaces = Some(workspaces);
            StatusCode::CONFLICT
        }
        Error::ChangedSince(changed) => {
            body.code = Some("changed_since");
            body.changed = Some(changed);
            StatusCode::CONFLICT
        }
        Error::InUse { code, count, .. } => {
            (body.code, body.count) = (Some(code), Some(count));
            StatusCode::CONFLICT
        }
        Error::RateLimited { .. } | Error::TooManyRequests => {
            body.code = Some("rate_limited");
            StatusCode::TOO_MANY_REQUESTS
        }
        Error::Stale { current, changed_by } => {
            body.code = Some("stale");
            body.current = Some(*current);
            body.changed_by = changed_by;
            StatusCode::PRECONDITION_FAILED
        }
        Error::BadWikiUrl => {
            body.code = Some("bad_wiki_url");
            body.field = Some("url".into());
            StatusCode::BAD_REQUEST
        }
        Error::WikiMisconfigured => {
            body.code = Some("wiki_misconfigured");
            StatusCode::SERVICE_UNAVAILABLE
        }
        Error::WikiAccessDenied => {
            body.code = Some("wiki_access_denied");
            StatusCode::FORBIDDEN
        }
        Error::WikiNotFound => {
            body.code = Some("wiki_not_found");
            StatusCode::NOT_FOUND
        }
        Error::WikiUnavailable { .. } => StatusCode::BAD_GATEWAY,
        Error::NoPicture { .. } => {
            body.code = Some("no_picture");
            StatusCode::NOT_FOUND
        }
        Error::Busy | Error::Cancelled | Error::NotCommitted(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        Error::Internal(cause) => {
            body.error = "an internal error; its cause is in the server's log under this requestId".into();
            return (StatusCode::INTERNAL_SERVER_ERROR, body, Some(cause));
        }
    };
    (status, body, None)
}

/// No route has this path.
pub(super) async fn unknown_path(uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    ApiError::Http(StatusCode::NOT_FOUND, format!("there is nothing at {path}; /docs lists what there is"))
}

/// A part of the pages that answers for many paths has nothing at this one.
pub(super) async fn unknown_page(uri: Uri, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let says_so_itself = response.headers().get(header::CONTENT_TYPE).is_some();
    match response.status() {
        StatusCode::NOT_FOUND if !says_so_itself => unknown_path(uri).await.into_response(),
        _ => response,
    }
}

/// The path has routes, but none of this method.
pub(super) async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    let text = format!("{method} is not possible at {path}; the Allow header lists what is");
    ApiError::Http(StatusCode::METHOD_NOT_ALLOWED, text)
}

/// A handler panicked.
#[expect(clippy::needless_pass_by_value, reason = "the signature is tower-http's")]
pub(super) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    ApiError::Domain(crate::lane::panicked(&*panic)).into_response()
}
