//! Extractors for handlers: credential, preconditions, path, query, and body.

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request, State},
    http::{Extensions, HeaderMap, HeaderName, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::Response,
};
use futures_util::FutureExt;
use serde::de::DeserializeOwned;

use super::{
    access::{Access, Extractor, Need, PathScope, Public},
    api::Api,
    body::{self, BodyType, Parsed},
    conditional::{EntityTag, entity_tags},
    error::ApiError,
};
use crate::{
    auth::{self, Credential, RequestInfo, oidc},
    bodies::ReceivedBody,
    domain::{
        accounts::sign_in::Visitor,
        core::{Call, Precondition, Retry, Via},
        input::{self, Input},
        values::ChangeReason,
    },
    encoding::GZIP_SUFFIX,
    error::{Error, Problem},
    schedule::{self, QueueKey},
};

/// The header with a client's label for the change set of a request.
pub(super) const BATCH_ID: HeaderName = HeaderName::from_static("x-batch-id");
/// The header with the reason for a change.
pub(super) const CHANGE_REASON: HeaderName = HeaderName::from_static("x-change-reason");
/// Maximum length of that header: every character percent-encoded from four bytes.
pub(super) const MAX_REASON_LENGTH: usize = ChangeReason::MAX_CHARS * 12;
/// The header that makes a POST safe to repeat.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A request with a credential, whose caller needs the permission `A`.
pub struct Authenticated<A>(pub Call<A>);

impl<A> FromRequestParts<Api> for Authenticated<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        Ok(Self(authenticate(parts, api).await?.needing()))
    }
}

impl<A: Access> Extractor for Authenticated<A> {
    const NEED: Option<Need> = Some(A::NEED);
}

/// Reads the credential and the conditions of a request.
async fn authenticate(parts: &Parts, api: &Api) -> Result<Call, ApiError> {
    let credential = match parts.extensions.get::<Credential>() {
        Some(credential) => credential.clone(),
        None => read_credential(&parts.headers, &parts.extensions, api).await?,
    };
    let request_info = parts.extensions.get::<RequestInfo>();
    let request_id = request_info.map(|request_info| request_info.request_id.as_str()).unwrap_or_default();
    let mut call = Call::new(Some(credential), Via::Rest, request_id);
    call.client = request_info.and_then(RequestInfo::client_address);
    call.label = single(&parts.headers, &BATCH_ID, 128)?.map(str::to_owned);
    call.reason = reason(&parts.headers)?;
    call.precondition = precondition(&parts.headers)?;
    if parts.method == Method::POST {
        let key = single(&parts.headers, &IDEMPOTENCY_KEY, 255)?.map(str::to_owned);
        call.retry = key.map(|key| Retry { key, fingerprint: body::fingerprint(&body::request_line(parts), b"") });
    }
    Ok(call)
}

/// A request with an optional credential, which needs the permission `A` if it has one. An invalid credential is
/// rejected.
pub struct MaybeAuthenticated<A>(pub Option<Call<A>>);

impl<A> FromRequestParts<Api> for MaybeAuthenticated<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        // Public operations ignore `Idempotency-Key`.
        Ok(Self(Some(authenticate(parts, api).await?.without_retry().needing())))
    }
}

impl<A> Extractor for MaybeAuthenticated<A> {
    const NEED: Option<Need> = Some(Need::Public);
}

/// A request whose credential, if any, is ignored.
pub struct Anonymous(pub Call<Public>);

impl<S: Sync> FromRequestParts<S> for Anonymous {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let request_info = parts.extensions.get::<RequestInfo>();
        let request_id = request_info.map(|request_info| request_info.request_id.as_str()).unwrap_or_default();
        let mut call = Call::new(None, Via::Rest, request_id);
        call.client = request_info.and_then(RequestInfo::client_address);
        Ok(Self(call.needing()))
    }
}

impl Extractor for Anonymous {
    const NEED: Option<Need> = Some(Need::Public);
}

/// A request with a credential and a body, whose caller needs the permission `A`.
pub struct Write<A, T> {
    /// The caller, and the conditions of the request.
    pub call: Call<A>,
    /// The parsed body.
    pub body: T,
    /// Parts of the body that belong to another resource and are ignored.
    pub ignored: Vec<String>,
}

impl<A: PathScope, T: Input> FromRequest<Api> for Write<A, T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let (call, Parsed { body, ignored }) = permitted::<A>(request, BodyType::of::<T>(), api).await?;
        Ok(Self { call: call.needing(), body: body::typed(body)?, ignored })
    }
}

/// Reads a request with a credential and a body of this type, whose caller needs the permission `A`.
async fn permitted<A: PathScope>(request: Request, body_type: BodyType, api: &Api) -> Result<(Call, Parsed), ApiError> {
    let (mut parts, body) = request.into_parts();
    let call = authenticate(&parts, api).await?;
    let path = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let scope = path.as_ref().and_then(A::scope);
    let permit = api.gate.permit(call.clone().without_retry().needing::<A>(), scope).boxed();
    body::read_permitted(&parts, body, call, permit, body_type, api).await
}

impl<A: Access, T> Extractor for Write<A, T> {
    const NEED: Option<Need> = Some(A::NEED);
}

/// A request with a credential and an image as its body, whose caller needs the permission `A`.
pub struct ImageUpload<A> {
    /// The caller, and the conditions of the request.
    pub call: Call<A>,
    /// The file of the image.
    pub bytes: Vec<u8>,
}

impl<A: PathScope> FromRequest<Api> for ImageUpload<A> {
    type Rejection = ApiError;

    async fn from_request(request: Request, api: &Api) -> Result<Self, ApiError> {
        let (call, Parsed { body, .. }) = permitted::<A>(request, BodyType::image(), api).await?;
        Ok(Self { call: call.needing(), bytes: body::typed(body)? })
    }
}

impl<A: Access> Extractor for ImageUpload<A> {
    const NEED: Option<Need> = Some(A::NEED);
}

/// A request with a body whose credential, if any, is ignored.
pub struct PublicWrite<T> {
    /// The request, without a credential.
    pub call: Call<Public>,
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

impl<T> Extractor for PublicWrite<T> {
    const NEED: Option<Need> = Some(Need::Public);
}

/// Reads the body of a write without a credential.
async fn public_write(mut parts: Parts, body: Body, api: &Api) -> Result<(Call<Public>, ReceivedBody), ApiError> {
    let Anonymous(call) = Anonymous::from_request_parts(&mut parts, api).await?;
    let visitor = Visitor::from_request_parts(&mut parts, api).await?;
    let received = body::read_anonymous(&parts.headers, body, visitor.address, api).await?;
    Ok((call, received))
}

/// Parameters of the path, percent-decoded.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        // Decoders accept a stray `%` literally. `100%` and `100%25` would then identify the same resource, which is
        // ambiguous.
        if !has_no_stray_percent(parts.uri.path()) {
            let text = "invalid path: `%` must be followed by two hexadecimal digits; encode a literal `%` as `%25`";
            return Err(ApiError::Http(StatusCode::BAD_REQUEST, text.into()));
        }
        let axum::extract::Path(parameters) = axum::extract::Path::from_request_parts(parts, state).await?;
        Ok(Self(parameters))
    }
}

impl<T> Extractor for Path<T> {}

impl From<axum::extract::rejection::PathRejection> for ApiError {
    fn from(rejection: axum::extract::rejection::PathRejection) -> Self {
        let text = rejection.body_text();
        let text = text.strip_prefix("Invalid URL: ").unwrap_or(&text);
        Self::Http(rejection.status(), format!("invalid path: {text}"))
    }
}

/// Parameters of the query.
///
/// Parameter types of writes reject unknown names with `deny_unknown_fields`: a mistyped `dryRun` must not write. Reads
/// ignore unknown names.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub struct Query<T>(pub T);

impl<T> Extractor for Query<T> {
    const READS_QUERY: bool = true;
}

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
    if let (Some(request_info), QueueKey::User(id)) = (request.extensions().get::<RequestInfo>(), &key) {
        request_info.user(*id);
    }
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

impl Extractor for IfNoneMatch {}

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

/// The reason for a change: visible ASCII characters, and all others percent-encoded as UTF-8.
fn reason(headers: &HeaderMap) -> Result<Option<ChangeReason>, ApiError> {
    let Some(text) = single(headers, &CHANGE_REASON, MAX_REASON_LENGTH)? else { return Ok(None) };
    let wrong = |problem: Problem| ApiError::from(Error::invalid(CHANGE_REASON.as_str(), problem));
    let is_encoded = has_no_stray_percent(text);
    let text = percent_encoding::percent_decode_str(text).decode_utf8().ok().filter(|_| is_encoded);
    let text = text.ok_or_else(|| {
        wrong("must be UTF-8, with `%` and all characters other than visible ASCII percent-encoded".into())
    })?;
    ChangeReason::new(&text).map(Some).map_err(wrong)
}

/// Whether two hexadecimal digits follow every `%`.
fn has_no_stray_percent(text: &str) -> bool {
    let mut after_percent = text.split('%').skip(1);
    after_percent.all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()))
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
