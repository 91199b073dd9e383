//! Reads request bodies.
//!
//! The order matters: permission is checked before a body larger than [`MAX_SMALL_BODY`] is read, so that a caller
//! without permission cannot make the server allocate megabytes.
//!
//! Except for parsing, this code exists once for all types of bodies: a [`BodyType`] is what it knows of the type.

use std::{any::Any, net::IpAddr};

use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use futures_util::future::BoxFuture;
use sha2::{Digest, Sha256};

use super::{api::Api, error::ApiError};
use crate::{
    bodies::{BodyError, MAX_ANONYMOUS_BODY, ReceivedBody},
    budget::Holder,
    domain::{
        core::{Call, Caller, Retry},
        input::{self, Input},
    },
    error::{self, Error},
    schedule::{self, QueueKey},
};

/// Maximum size of a body that is read before the caller's permission is checked, in bytes.
const MAX_SMALL_BODY: usize = 16 << 10;

/// How to read the bodies of a type.
#[derive(Clone, Copy)]
pub(super) struct BodyType {
    is_large: bool,
    parse: fn(&[u8]) -> error::Result<Parsed>,
}

impl BodyType {
    pub(super) fn of<T: Input>() -> Self {
        let parse = |bytes: &[u8]| {
            let (body, ignored) = input::parse::<T>(bytes)?;
            Ok(Parsed { body: Box::new(body), ignored })
        };
        Self { is_large: T::LARGE, parse }
    }
}

/// A parsed body.
pub(super) struct Parsed {
    /// The body; see [`typed`].
    pub(super) body: Box<dyn Any + Send>,
    /// Parts of the body that belong to another resource and are ignored.
    pub(super) ignored: Vec<String>,
}

/// The body as the type that it was parsed as.
pub(super) fn typed<T: Input>(body: Box<dyn Any + Send>) -> error::Result<T> {
    body.downcast().map(|body| *body).map_err(|_| Error::internal("the body was parsed as another type"))
}

/// Reads the body of a request. `permit` checks the permission of the caller.
pub(super) async fn read_permitted(
    parts: &Parts,
    body: Body,
    mut call: Call,
    permit: BoxFuture<'_, error::Result<Caller>>,
    BodyType { is_large, parse }: BodyType,
    api: &Api,
) -> Result<(Call, Parsed), ApiError> {
    // A small body is read first: the handler's transaction checks the permission anyway, and an earlier check
    // would cost every small write another database read.
    let (user_id, unchecked) = match schedule::current() {
        QueueKey::User(user_id) if is_small(&parts.headers) => (user_id, Some(permit)),
        _ => (permit.await?.user_id, None),
    };
    let parsed = async {
        let limit = if is_large { api.settings.bulk_body_bytes } else { api.settings.body_bytes };
        let received = read_json(&parts.headers, body, limit, Holder::User(user_id), api).await?;
        let ReceivedBody { bytes, reservation } = api.bodies.turn(received, user_id).await?;
        call.body_reservation = Some(reservation);
        let (retry, request_line) = (call.retry.take(), request_line(parts));
        let read = move || {
            let retry = retry.map(|retry| Retry { fingerprint: fingerprint(&request_line, &bytes), ..retry });
            parse(&bytes).map(|parsed| (retry, parsed))
        };
        Ok::<_, ApiError>(if is_large { api.gate.heavy_work(read).await? } else { read()? })
    };
    let (retry, parsed) = match (parsed.await, unchecked) {
        // Without permission, the caller must not learn what is wrong with the body.
        (Err(error), Some(permit)) => permit.await.map_err(ApiError::from).and(Err(error))?,
        (parsed, _) => parsed?,
    };
    call.retry = retry;
    Ok((call, parsed))
}

/// Reads the body of a request without a credential.
pub(super) async fn read_anonymous(
    headers: &HeaderMap,
    body: Body,
    address: IpAddr,
    api: &Api,
) -> Result<ReceivedBody, ApiError> {
    let limit = api.settings.body_bytes.min(MAX_ANONYMOUS_BODY);
    read_json(headers, body, limit, Holder::anonymous(address), api).await
}

/// Method and URI of a request, for its fingerprint.
pub(super) fn request_line(parts: &Parts) -> String {
    format!("{} {}\n", parts.method, parts.uri)
}

/// Hash of a request, which detects different requests with the same `Idempotency-Key`.
pub(super) fn fingerprint(request_line: &str, body: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(request_line).chain_update(body).finalize().into()
}

/// Whether the declared body size is at most [`MAX_SMALL_BODY`].
fn is_small(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    length.is_some_and(|length| length <= MAX_SMALL_BODY)
}

/// Reads a JSON body of at most `limit` bytes, whose memory counts against the budget of `holder`. Fails if the client
/// stops sending.
async fn read_json(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    holder: Holder,
    api: &Api,
) -> Result<ReceivedBody, ApiError> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json =
        media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"));
    if !is_json {
        let text = "the body must be JSON, with `Content-Type: application/json`";
        return Err(ApiError::Http(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.into()));
    }
    api.bodies.read(headers, body, limit, holder).await.map_err(ApiError::from)
}

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        let (status, text) = error.describe();
        Self::Http(status, text)
    }
}
