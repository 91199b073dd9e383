//! Extractors for handlers: credential, preconditions, path, query, and body.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, MatchedPath, RawPathParams, Request, State},
    http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{
    api::Api,
    body::{self, BodyType, Parsed},
    conditional::{EntityTag, GZIP_SUFFIX, entity_tags},
    error::{ApiError, unknown_path},
    need::Need,
};
use crate::{
    auth::{self, Credential, RequestInfo, oidc},
    bodies::ReceivedBody,
    domain::{
        accounts::sign_in::Visitor,
        core::{Call, Permission, Precondition, Retry, Via},
        input::{self, Input},
    },
    schedule,
};

/// The header with a client's label for the change set of a request.
const BATCH_ID: HeaderName = HeaderName::from_static("x-batch-id");
/// The header that makes a POST safe to repeat.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header with the protocol version of an MCP client. Clients also send it to the OAuth discovery endpoints.
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// A request with a credential.
pub struct Authenticated(pub Call);

impl FromRequestParts<Api> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let credential = match parts.extensions.get::<Credential>() {
            Some(credential) => credential.clone(),
            None => read_credential(&parts.headers, &parts.extensions, api).await?,
        };
        let request_info = parts.extensions.get::<RequestInfo>();
        let request_id = request_info.map(|request_info| request_info.request_id.as_str()).unwrap_or_default();
        let mut call = Call::new(Some(credential), Via::Rest, request_id);
        call.label = single(&parts.headers, &BATCH_ID, 128)?.map(str::to_owned);
        call.precondition = precondition(&parts.headers)?;
        if parts.method == Method::POST {
            let key = single(&parts.headers, &IDEMPOTENCY_KEY, 255)?.map(str::to_owned);
            call.retry = key.map(|key| Retry { key, fingerprint: body::fingerprint(&body::request_line(parts), b"") });
        }
        Ok(Self(call))
    }
}

/// A request with an optional credential. An invalid credential is rejected.
pub struct MaybeAuthenticated(pub Option<Call>);

impl FromRequestParts<Api> for MaybeAuthenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        let Authenticated(call) = Authenticated::from_request_parts(parts, api).await?;
        // Public operations ignore `Idempotency-Key`.
        Ok(Self(Some(Call { retry: None, ..call })))
    }
}

/// A request whose credential, if any, is ignored.
pub struct Anonymous(pub Call);

impl<S: Sync> FromRequestParts<S> for Anonymous {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let request_id = parts.extensions.get::<RequestInfo>().map(|request_info| request_info.request_id.clone());
        Ok(Self(Call::new(None, Via::Rest, request_id.unwrap_or_default())))
    }
}

/// A request with a credential and a body.
pub struct Write<T> {
    /// The caller, and the conditions of the request.
    pub call: Call,
    /// The parsed body.
    pub body: T,
    /// Parts of the body that belong to another resource and are ignored.
    pub ignored: Vec<String>,
}

impl<T: Input> FromRequest<Api> for Write<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let permission = permission::<T>(&mut parts).await;
        let (call, Parsed { body, ignored }) = write(parts, body, permission, BodyType::of::<T>(), api).await?;
        Ok(Self { call, body: body::typed(body)?, ignored })
    }
}

/// Reads the credential and the body of a write.
async fn write(
    mut parts: Parts,
    body: Body,
    permission: Permission,
    body_type: BodyType,
    api: &Api,
) -> Result<(Call, Parsed), ApiError> {
    let Authenticated(call) = Authenticated::from_request_parts(&mut parts, api).await?;
    body::read_permitted(&parts, body, call, permission, body_type, api).await
}

/// A request with a body whose credential, if any, is ignored.
pub struct PublicWrite<T> {
    /// The request, without a credential.
    pub call: Call,
    /// The parsed body.
    pub body: T,
}

impl<T: Input> FromRequest<Api> for PublicWrite<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let (call, received) = public_write(parts, body, api).await?;
        let (body, _) = input::parse(&received.bytes)?;
        Ok(Self { call, body })
    }
}

/// Reads the body of a write without a credential.
async fn public_write(mut parts: Parts, body: Body, api: &Api) -> Result<(Call, ReceivedBody), ApiError> {
    let Anonymous(call) = Anonymous::from_request_parts(&mut parts, api).await?;
    let visitor = Visitor::from_request_parts(&mut parts, api).await?;
    let received = body::read_anonymous(&parts.headers, body, visitor.address, api).await?;
    Ok((call, received))
}

/// The permission that the route requires for the ids in its path and the body type `T`.
async fn permission<T: Input>(parts: &mut Parts) -> Permission {
    let ids = RawPathParams::from_request_parts(parts, &()).await.ok();
    let id = |name| ids.iter().flatten().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned());
    let need = parts.extensions.get().copied().unwrap_or(Need::Me);
    match (need, id("id")) {
        (Need::View, Some(id)) => Permission::View(id),
        (Need::Edit, Some(id)) if T::CREATES_WORKSPACE => Permission::EditOrCreate(id),
        (Need::Edit, Some(id)) => Permission::Edit(id),
        (Need::Own, Some(id)) => Permission::Own(id),
        // The body identifies the workspace, so the handler checks the permission.
        (Need::Public | Need::Me | Need::View | Need::Edit | Need::Own, _) => Permission::Caller,
        (Need::Session, _) => Permission::Session,
        (Need::OrgView, _) => Permission::OrganizationView,
        (Need::Org, _) => Permission::Organization,
        (Need::OrgAdmin, _) => Permission::OrganizationAdmin(id("orgId")),
        (Need::OrgConnection, _) => Permission::OrganizationConnection,
        (Need::Admin, _) => Permission::Instance,
    }
}

/// Parameters of the path, percent-decoded.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // Decoders accept a stray `%` literally. `100%` and `100%25` would then identify the same resource, which is
        // ambiguous.
        let mut after_percent = parts.uri.path().split('%').skip(1);
        if !after_percent.all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit())) {
            let text = "invalid path: `%` must be followed by two hexadecimal digits; encode a literal `%` as `%25`";
            return Err(ApiError::Http(StatusCode::BAD_REQUEST, text.into()));
        }
        let axum::extract::Path(parameters) = axum::extract::Path::from_request_parts(parts, state).await?;
        Ok(Self(parameters))
    }
}

impl From<axum::extract::rejection::PathRejection> for ApiError {
    fn from(rejection: axum::extract::rejection::PathRejection) -> Self {
        Self::Http(rejection.status(), format!("invalid path: {}", rejection.body_text()))
    }
}

/// Parameters of the query.
///
/// Parameter types of writes reject unknown names with `deny_unknown_fields`: a mistyped `dryRun` must not write. Reads
/// ignore unknown names.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub struct Query<T>(pub T);

impl From<axum::extract::rejection::QueryRejection> for ApiError {
    fn from(rejection: axum::extract::rejection::QueryRejection) -> Self {
        // The text contains parameter names, which the caller can make arbitrarily long.
        let why: String = rejection.body_text().chars().take(300).collect();
        Self::Http(rejection.status(), format!("invalid query: {why}"))
    }
}

/// Reads the credential before path and query are validated, so that callers without one learn nothing about them.
pub async fn credential(State(api): State<Api>, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let credential = read_credential(request.headers(), request.extensions(), &api).await?;
    let key = api.gate.key(Some(&credential), Via::Rest).await;
    request.extensions_mut().insert(credential);
    Ok(schedule::scope(key, next.run(request)).await)
}

async fn read_credential(headers: &HeaderMap, extensions: &Extensions, api: &Api) -> Result<Credential, ApiError> {
    let token = auth::bearer(headers)?;
    // The unverified issuer only selects the keys that verify the token.
    let credential = match oidc::claimed_issuer(token) {
        Some(issuer) if api.identity.knows(&issuer) => api.identity.bearer(token).await?,
        _ => Credential::parse(token, &api.keys, &api.settings.issuer, api.clock.now())?,
    };
    if let Some(request_info) = extensions.get::<RequestInfo>() {
        request_info.caller(&credential);
    }
    Ok(credential)
}

/// Rejects a query on a route without parameters: `dryRun` on a route that does not support it must not write.
pub async fn no_query(request: Request, next: Next) -> Result<Response, ApiError> {
    match request.uri().query() {
        None | Some("") => Ok(next.run(request).await),
        Some(_) => {
            let text = "invalid query: this method has no parameters at this path";
            Err(ApiError::Http(StatusCode::BAD_REQUEST, text.into()))
        }
    }
}

/// The entity tags in `If-None-Match`, without quotes, `W/` prefix, and encoding suffix. May contain `*`.
pub struct IfNoneMatch(pub Vec<String>);

impl<S: Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let values = parts.headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let tags = values.flat_map(|value| match value.trim() {
            "*" => vec!["*"],
            list => entity_tags(list).unwrap_or_default().into_iter().map(|EntityTag { tag, .. }| tag).collect(),
        });
        Ok(Self(tags.map(|tag| tag.strip_suffix(GZIP_SUFFIX).unwrap_or(tag).to_owned()).collect()))
    }
}

/// The value of a header that may occur once, with 1 to `longest` visible ASCII characters.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName, max_length: usize) -> Result<Option<&'h str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    match value.to_str() {
        // `to_str` accepts tabs.
        Ok(text) if (1..=max_length).contains(&text.len()) && !text.contains('\t') && values.next().is_none() => {
            Ok(Some(text))
        }
        _ => Err(ApiError::invalid(
            name.as_str(),
            format!("must be sent once, with 1 to {max_length} visible ASCII characters"),
        )),
    }
}

/// Parses `If-Match`. Weak tags never match, so they are dropped; a list of only weak tags matches no state.
fn precondition(headers: &HeaderMap) -> Result<Precondition, ApiError> {
    let mut tags = Vec::new();
    let mut given = false;
    for value in headers.get_all(header::IF_MATCH) {
        given = true;
        let wrong = || ApiError::invalid("if-match", "must be `*` or a list of quoted entity tags, as in \"12\"");
        let value = value.to_str().map_err(|_| wrong())?;
        if value.trim() == "*" {
            return Ok(Precondition::Exists);
        }
        let listed = entity_tags(value).ok_or_else(wrong)?;
        tags.extend(listed.into_iter().filter(|tag| !tag.weak).map(|EntityTag { tag, .. }| tag.to_owned()));
    }
    Ok(if given { Precondition::OneOf(tags) } else { Precondition::None })
}

/// Path prefixes that pages of any origin may call. Browser-based OAuth clients use them, and they ignore sessions.
const ANY_ORIGIN_PATHS: &[&str] = &["/.well-known/oauth-", "/oauth/register", "/oauth/token", "/oauth/revoke"];

/// The CORS layer. `origins` are the origins whose pages may call the API.
pub fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    let is_allowed = move |origin: &HeaderValue, parts: &Parts| {
        ANY_ORIGIN_PATHS.iter().any(|path| parts.uri.path().starts_with(path)) || origins.contains(origin)
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(is_allowed))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            BATCH_ID,
            IDEMPOTENCY_KEY,
            PROTOCOL_VERSION,
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
        ])
        .expose_headers([header::ETAG, header::RETRY_AFTER, header::WWW_AUTHENTICATE, super::observe::REQUEST_ID])
        .max_age(Duration::from_hours(1))
}

/// Answers preflights with 204 and rejects other OPTIONS requests, which the CORS layer would treat as preflights too.
pub async fn reject_plain_options(request: Request, next: Next) -> Response {
    let preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        && request.headers().contains_key(header::ORIGIN);
    if request.method() == Method::OPTIONS && !preflight {
        if request.extensions().get::<MatchedPath>().is_none() {
            return unknown_path(request.uri().clone()).await.into_response();
        }
        let text = "OPTIONS is only supported for CORS preflights; see /docs";
        return ApiError::Http(StatusCode::METHOD_NOT_ALLOWED, text.into()).into_response();
    }
    let mut response = next.run(request).await;
    if preflight && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}
