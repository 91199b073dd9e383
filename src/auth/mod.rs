//! Authentication: parses credentials and verifies them as far as possible without the database.
//!
//! The kind of a credential follows from its form. [`Credential::parse`] checks what needs no database (signature and
//! expiry of a JWT, form of a token). The gate of `domain` checks the rest inside each transaction, so that a revoked
//! token, a suspended user or a removed membership takes effect on the next request.

pub mod device;
pub mod jwt;
pub mod keys;
pub mod oidc;
pub mod passwords;
pub mod refresh;
mod request_info;
pub mod second_factor;
pub mod throttle;
pub mod tokens;

pub use jwt::Claims;
pub use request_info::RequestInfo;
pub use tokens::TokenHash;

use axum::http::{HeaderMap, header};

use crate::error::{Error, Result};

/// Prefix of personal access tokens.
pub const PAT_PREFIX: &str = "svc_pat_";
/// Prefix of access tokens of MCP clients.
pub const MCP_PREFIX: &str = "svc_mcp_";

/// The credential of a caller.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A session JWT issued by this instance, with signature and expiry verified.
    Session(Claims),
    /// A verified JWT of the external identity provider and the account it belongs to. Cannot be produced from a header
    /// alone.
    External(ExternalAccount),
    /// A personal access token, for scripts.
    Pat(TokenHash),
    /// An access token of an MCP client, valid only for `/mcp`.
    Mcp(TokenHash),
    /// The operator at the command line, acting in an organization as one of its users. Cannot be produced from a
    /// header.
    Operator {
        /// The user on whose behalf the operator acts.
        user_id: i64,
        /// Organization id.
        organization_id: String,
    },
}

/// The account behind a verified token of the identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalAccount {
    /// User id.
    pub user_id: i64,
    /// Organization id.
    pub organization_id: Option<String>,
    /// Expiry, Unix seconds.
    pub expires: i64,
}

impl Credential {
    /// Parses a bearer token issued by this instance. `issuer` is the required issuer of a JWT; `now` is in Unix
    /// milliseconds.
    pub fn parse(token: &str, keys: &keys::Keys, issuer: &str, now: i64) -> Result<Self> {
        if token.starts_with(PAT_PREFIX) {
            return Ok(Self::Pat(tokens::hash(token)));
        }
        if token.starts_with(MCP_PREFIX) {
            return Ok(Self::Mcp(tokens::hash(token)));
        }
        jwt::verify(token, keys, issuer, now).map(Self::Session)
    }
}

/// Reads the bearer token from the `Authorization` header, which must occur exactly once.
pub fn bearer(headers: &HeaderMap) -> Result<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(Error::Unauthenticated("send `Authorization: Bearer <credential>`"))?;
    if values.next().is_some() {
        return Err(Error::Unauthenticated("send one Authorization header, not several"));
    }
    let value = value.to_str().map_err(|_| Error::Unauthenticated("the Authorization header is not text"))?;
    let (scheme, token) = value
        .split_once(' ')
        .ok_or(Error::Unauthenticated("the Authorization header must be `Bearer <credential>`"))?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Error::Unauthenticated("the Authorization scheme must be Bearer"));
    }
    Ok(token.trim())
}
