//! What a request for a share link contains.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
};

use axum::{
    extract::{FromRequestParts, Path},
    http::{HeaderMap, header, request::Parts},
    response::Response,
};
use cookie::{Cookie, SameSite, time::Duration};
use url::form_urlencoded;

use super::page;
use crate::{
    auth::RequestInfo,
    clock::SECOND,
    domain::{
        core::{Call, Via},
        sharing::{opening::UnlockProof, service::ShareRequest},
    },
    encoding::{AcceptsGzip, GZIP_SUFFIX},
};

/// The cookie of a browser that has given the password of a link. Its path is that of the link.
const COOKIE: &str = "planroom_share";
/// The same over https.
const SECURE_COOKIE: &str = "__Secure-planroom_share";

/// A request for a share link.
pub(super) struct Incoming(pub(super) ShareRequest);

impl<S: Send + Sync> FromRequestParts<S> for Incoming {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let Ok(Path(token)) = Path::<String>::from_request_parts(parts, state).await else {
            return Err(page::not_found());
        };
        Ok(Self(request(parts, token)))
    }
}

/// A request for the link with the address `token`.
pub(super) fn request(parts: &Parts, token: String) -> ShareRequest {
    let info = parts.extensions.get::<RequestInfo>();
    let request_id = info.map(|info| info.request_id.as_str()).unwrap_or_default();
    let mut call = Call::new(None, Via::Rest, request_id);
    call.client = info.and_then(RequestInfo::client_address);
    let AcceptsGzip(accepts_gzip) = AcceptsGzip::of(&parts.headers);
    let address = call.client.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    // Browsers say so for requests of the pages of a link. Others do not send the header.
    let is_own = parts.headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin");
    ShareRequest {
        call: call.needing(),
        token,
        proof: proof(&parts.headers),
        known: known(&parts.headers),
        accepts_gzip,
        address,
        is_use: !is_own,
    }
}

/// The query of a request. Of repeated parameters, the first is used.
pub(super) struct Options(Vec<(String, String)>);

impl Options {
    pub(super) fn of(query: &str) -> Self {
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Options {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

/// The entity tags in `If-None-Match`, without quotes and encodings.
fn known(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let tags = values.flat_map(|value| value.split(','));
    let tags = tags.map(|tag| tag.trim().trim_start_matches("W/").trim_matches('"'));
    tags.map(|tag| tag.strip_suffix(GZIP_SUFFIX).unwrap_or(tag).to_owned()).take(100).collect()
}

fn proof(headers: &HeaderMap) -> Option<UnlockProof> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = values.flat_map(Cookie::split_parse).filter_map(Result::ok);
    let own = cookies.find(|cookie| matches!(cookie.name(), COOKIE | SECURE_COOKIE))?;
    Some(UnlockProof(own.value().to_owned()))
}

/// The cookie with a proof, for `lifetime` milliseconds. `SameSite=Lax`, so that links in other sites open the page.
pub(super) fn cookie(is_secure: bool, path: &str, UnlockProof(value): UnlockProof, lifetime: i64) -> String {
    let name = if is_secure { SECURE_COOKIE } else { COOKIE };
    let cookie = Cookie::build((name, value)).path(path.to_owned()).http_only(true).secure(is_secure);
    cookie.same_site(SameSite::Lax).max_age(Duration::seconds(lifetime / SECOND)).build().to_string()
}
