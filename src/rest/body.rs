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
    images::MAX_UPLOAD_BYTES,
    schedule::{self, QueueKey},
};

/// Maximum size of a body that is read before the caller's permission is checked, in bytes.
const MAX_SMALL_BODY: usize = 16 << 10;

/// How to read the bodies of a type.
#[derive(Clone, Copy)]
pub(super) struct BodyType {
    format: BodyFormat,
    is_large: bool,
    parse: fn(&[u8]) -> error::Result<Parsed>,
}

/// The format of a body, which its `Content-Type` must name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyFormat {
    Json,
    Image,
}

impl BodyFormat {
    fn check(self, headers: &HeaderMap) -> Result<(), ApiError> {
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (is_supported, text) = match self {
            Self::Json => (
                media_type == "application/json"
                    || (media_type.starts_with("application/") && media_type.ends_with("+json")),
                "the body must be JSON, with `Content-Type: application/json`",
            ),
            Self::Image => (
                matches!(&*media_type, "image/png" | "image/jpeg" | "image/webp" | "image/gif"),
                "the body must be an image, with the `Content-Type` `image/png`, `image/jpeg`, `image/webp` or `image/gif`",
            ),
        };
        if is_supported { Ok(()) } else { Err(ApiError::Http(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.into())) }
    }
}

impl BodyType {
    pub(super) fn of<T: Input>() -> Self {
        let parse = |bytes: &[u8]| {
            let (body, ignored) = input::parse::<T>(bytes)?;
            Ok(Parsed { body: Box::new(body), ignored })
        };
        Self { format: BodyFormat::Json, is_large: T::LARGE, parse }
    }

    /// The file of an image. Its content is checked when it is decoded.
    pub(super) fn image() -> Self {
        let parse = |bytes: &[u8]| Ok(Parsed { body: Box::new(bytes.to_vec()), ignored: Vec::new() });
        Self { format: BodyFormat::Image, is_large: false, parse }
    }

    fn max_bytes(self, api: &Api) -> usize {
        match self.format {
            BodyFormat::Image => MAX_UPLOAD_BYTES,
            BodyFormat::Json if self.is_large => api.settings.bulk_body_bytes,
            BodyFormat::Json => api.settings.body_bytes,
        }
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
pub(super) fn typed<T: 'static>(body: Box<dyn Any + Send>) -> error::Result<T> {
    body.downcast().map(|body| *body).map_err(|_| Error::internal("the body was parsed as another type"))
}

/// Reads the body of a request. `permit` checks the permission of the caller.
pub(super) async fn read_permitted(
    parts: &Parts,
    body: Body,
    mut call: Call,
    permit: BoxFuture<'_, error::Result<Caller>>,
    body_type: BodyType,
    api: &Api,
) -> Result<(Call, Parsed), ApiError> {
    let BodyType { format, is_large, parse } = body_type;
    // A small body is read first: the handler's transaction checks the permission anyway, and an earlier check
    // would cost every small write another database read.
    let (user_id, unchecked) = match schedule::current() {
        QueueKey::User(user_id) if is_small(&parts.headers) => (user_id, Some(permit)),
        _ => (permit.await?.user_id, None),
    };
    let parsed = async {
        format.check(&parts.headers)?;
        let read = api.bodies.read(&parts.headers, body, body_type.max_bytes(api), Holder::User(user_id));
        let received = read.await.map_err(ApiError::from)?;
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
    BodyFormat::Json.check(headers)?;
    api.bodies.read(headers, body, limit, Holder::anonymous(address)).await.map_err(ApiError::from)
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

impl From<BodyError> for ApiError {
    fn from(error: BodyError) -> Self {
        let (status, text) = error.describe();
        Self::Http(status, text)
    }
}
