//! Converts errors to HTTP responses.

use std::{any::Any, mem};

use axum::{
    extract::Request,
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;

use super::{json::Json, problem::ProblemBody, remedy};
use crate::{
    describe::ToSchema,
    domain::drafts::DraftChange,
    error::{
        Author, ChangedSince, DraftRefusal, Error, FieldPath, OperationConflict, OwnedWorkspace, PathStep, Problem,
        Remedy,
    },
    metrics::RefusedByStandby,
};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, ApiError>;

/// An error that is sent to the client.
#[derive(Debug)]
pub enum ApiError {
    /// An error of the domain.
    Domain(Error),
    /// An error of the HTTP layer: status and text.
    Http(StatusCode, String),
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::Domain(error)
    }
}

impl ApiError {
    /// An invalid field.
    pub fn invalid(field: impl Into<FieldPath>, problem: impl Into<Problem>) -> Self {
        Self::Domain(Error::invalid(field, problem))
    }
}

/// The response body of every error.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "error": "components[3].typeId: unknown component type `servce`; GET /api/schema lists them",
                           "field": "components[3].typeId", "remedy": { "kind": "listTypes" } }))]
pub struct ErrorBody {
    /// What is wrong, where, and what to do, for people. Clients branch on `code`, not on this text.
    pub error: String,
    /// What is wrong, without what to do. Present with `remedy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// What to do, for clients that say it in their own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remedy: Option<Remedy>,
    /// Stable code for clients. Present only for errors that clients are expected to handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
    /// Path of the invalid field, if the error is about a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// The same path as a list of field names and positions in lists, which start at 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<Vec<PathStep>>,
    /// What is wrong with the field or the body, if it is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub problem: Option<Box<ProblemBody>>,
    /// With the code `stale`: the current resource. Null if it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// With the code `stale`: the user who last changed the resource. Absent if the system changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
    /// If a user cannot leave an organization: the workspaces that have no other owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspaces: Option<Vec<OwnedWorkspace>>,
    /// With the code `changed_since`: the rows that prevent the undo.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed: Option<Vec<ChangedSince>>,
    /// With the codes `conflict` and `stale`, if several operations were sent: all conflicting operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub conflicts: Option<Vec<OperationConflict>>,
    /// With the code `draft_conflicts`: the first 200 conflicts to decide, as in the comparison of the draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<Vec<DraftChange>>)]
    pub unresolved: Option<Vec<Value>>,
    /// Number of stakeholder links that use the resource to delete. With the code `limit_reached`: the number that
    /// would exceed the quota. With `draft_conflicts`: the number of conflicts. With `approvals_missing`: the number of
    /// approvals.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub count: Option<i64>,
    /// With the code `limit_reached`: the quota. With `approvals_missing`: the number of required approvals.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<i64>,
    /// With status 500: the id of the request, which identifies the cause in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub request_id: Option<String>,
}

/// The cause of a status 500. `observe` takes it from the response extensions and logs it.
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
            | Self::Http(StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS, _) => Some(1),
            _ => None,
        };
        let is_standby = matches!(self, Self::Domain(Error::Standby(_)));
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
        if is_standby {
            response.extensions_mut().insert(RefusedByStandby);
        }
        response
    }
}

fn describe(error: Error) -> (StatusCode, ErrorBody, Option<String>) {
    let mut body = ErrorBody { error: error.to_string(), ..ErrorBody::default() };
    if let Some(remedy) = error.remedy() {
        let text = format!("{}; {}", body.error, remedy::instruction(&remedy));
        body.reason = Some(mem::replace(&mut body.error, text));
        body.remedy = Some(remedy);
    }
    let status = match error {
        Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
        Error::Suspended => coded(&mut body, "account_suspended", StatusCode::FORBIDDEN),
        Error::Forbidden(_) | Error::ViewOnly(_) => StatusCode::FORBIDDEN,
        Error::NotFound(_) | Error::NotProvided(_) | Error::NoSuchRevision { .. } | Error::NoSuchView { .. } => {
            StatusCode::NOT_FOUND
        }
        Error::Invalid { field, problem, position } => {
            body.problem = Some(Box::new(ProblemBody::new(&problem, position)));
            if !field.is_root() {
                body.field = Some(field.to_string());
                body.path = Some(field.into_steps());
            }
            if problem == Problem::NotAWikiUrl {
                body.code = Some("bad_wiki_url");
            }
            StatusCode::BAD_REQUEST
        }
        Error::NoActiveOrganization => coded(&mut body, "no_active_org", StatusCode::BAD_REQUEST),
        Error::Conflict(_) | Error::TeamMemberExists(_) | Error::WorkspaceExists(_) => StatusCode::CONFLICT,
        Error::SoleOwner(workspaces) => {
            body.workspaces = Some(workspaces);
            StatusCode::CONFLICT
        }
        Error::ChangedSince(changed) => {
            body.code = Some("changed_since");
            body.changed = Some(changed);
            StatusCode::CONFLICT
        }
        Error::OperationConflicts(conflicts) => {
            let only_stale = conflicts.iter().all(|conflict| conflict.why == OperationConflict::STALE);
            body.conflicts = Some(conflicts);
            body.code = Some(if only_stale { "stale" } else { "conflict" });
            if only_stale { StatusCode::PRECONDITION_FAILED } else { StatusCode::CONFLICT }
        }
        Error::OtherIncarnation => coded(&mut body, "other_incarnation", StatusCode::CONFLICT),
        Error::InUse { code, count, .. } => {
            (body.code, body.count) = (Some(code), Some(count));
            StatusCode::CONFLICT
        }
        Error::LimitReached { limit, actual, .. } => {
            (body.code, body.limit, body.count) = (Some("limit_reached"), Some(limit), Some(actual));
            StatusCode::CONFLICT
        }
        Error::Protected(_) => coded(&mut body, "protected", StatusCode::FORBIDDEN),
        Error::Draft(refusal) => {
            let DraftRefusal { code, count, limit, unresolved, .. } = *refusal;
            (body.code, body.count, body.limit, body.unresolved) = (Some(code), count, limit, unresolved);
            StatusCode::CONFLICT
        }
        Error::RateLimited { .. } | Error::TooManyRequests => {
            coded(&mut body, "rate_limited", StatusCode::TOO_MANY_REQUESTS)
        }
        Error::Stale { current, changed_by } => {
            body.code = Some("stale");
            body.current = Some(*current);
            body.changed_by = changed_by;
            StatusCode::PRECONDITION_FAILED
        }
        Error::StaleItem(_) => coded(&mut body, "stale", StatusCode::PRECONDITION_FAILED),
        Error::WrongItems { .. } => StatusCode::BAD_REQUEST,
        Error::WikiMisconfigured => coded(&mut body, "wiki_misconfigured", StatusCode::SERVICE_UNAVAILABLE),
        Error::WikiAccessDenied => coded(&mut body, "wiki_access_denied", StatusCode::FORBIDDEN),
        Error::WikiNotFound => coded(&mut body, "wiki_not_found", StatusCode::NOT_FOUND),
        Error::WikiUnavailable { .. } => StatusCode::BAD_GATEWAY,
        Error::NoPicture { .. } => coded(&mut body, "no_picture", StatusCode::NOT_FOUND),
        Error::Busy | Error::Cancelled | Error::NotCommitted(_) => StatusCode::SERVICE_UNAVAILABLE,
        Error::Standby(_) => coded(&mut body, "standby", StatusCode::SERVICE_UNAVAILABLE),
        Error::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        Error::Internal(cause) => {
            body.error = "internal error; find the cause in the server log by this requestId".into();
            return (StatusCode::INTERNAL_SERVER_ERROR, body, Some(cause));
        }
    };
    (status, body, None)
}

/// Sets the code of an error.
fn coded(body: &mut ErrorBody, code: &'static str, status: StatusCode) -> StatusCode {
    body.code = Some(code);
    status
}

/// The error for a path without a route.
pub(super) async fn unknown_path(uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    ApiError::Http(StatusCode::NOT_FOUND, format!("there is no endpoint at {path}; see /docs"))
}

/// Replaces a 404 without a content type with the error for unknown paths.
///
/// Page handlers that serve many paths return such a response if they have no content at a path.
pub(super) async fn unknown_page(uri: Uri, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let says_so_itself = response.headers().get(header::CONTENT_TYPE).is_some();
    match response.status() {
        StatusCode::NOT_FOUND if !says_so_itself => unknown_path(uri).await.into_response(),
        _ => response,
    }
}

/// The error for a path that has routes, but not for the method.
pub(super) async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    let text = format!("{method} is not supported at {path}; the Allow header lists the supported methods");
    ApiError::Http(StatusCode::METHOD_NOT_ALLOWED, text)
}

/// The response if a handler panics.
#[expect(clippy::needless_pass_by_value, reason = "the signature is tower-http's")]
pub(super) fn panic_error(panic: Box<dyn Any + Send>) -> Response {
    ApiError::Domain(crate::blocking::panic_error(&*panic)).into_response()
}
