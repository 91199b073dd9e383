//! Who is calling: what a credential says, before anybody has asked the database.
//!
//! A credential is told by its shape. [`Credential::parse`] checks what can be checked without a database (a JWT's
//! signature and age, a token's form); the gate of `domain` looks up the rest inside each transaction, so that a
//! revoked token, a suspended user or a lost membership bites on the very next request.

pub mod device;
pub mod jwt;
pub mod keys;
mod observed;
pub mod oidc;
pub mod passwords;
pub mod refresh;
pub mod second_factor;
pub mod throttle;
pub mod tokens;

pub use jwt::Claims;
pub use observed::Observed;
pub use tokens::TokenHash;

use axum::http::{HeaderMap, header};

use crate::error::{Error, Result};

/// Prefix of personal access tokens.
pub const PAT_PREFIX: &str = "svc_pat_";
/// Prefix of access tokens of MCP clients.
pub const MCP_PREFIX: &str = "svc_mcp_";

/// What a caller showed.
#[derive(Debug, Clone)]
pub enum Credential {
    /// A session JWT of ours, its signature and age verified.
    Session(Claims),
    /// A session JWT of the identity provider outside, verified, and whom it turned out to be. No header alone can
    /// produce this.
    External(External),
    /// A personal access token, for scripts.
    Pat(TokenHash),
    /// An access token of an MCP client: good for `/mcp` alone.
    Mcp(TokenHash),
    /// The operator at the command line, acting in an organization as one of its users. No header can produce this.
    Operator {
        /// On whose behalf.
        user_id: i64,
        /// Organization id.
        organization_id: String,
    },
}

/// Whom a verified token of the identity provider stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct External {
    /// The account.
    pub user_id: i64,
    /// Organization id.
    pub organization_id: Option<String>,
    /// Good until, Unix seconds.
    pub expires: i64,
}

impl Credential {
    /// Reads what stands behind `Bearer`: what is ours. `issuer` is who must have issued a JWT; `now` is in Unix
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

/// What stands behind `Bearer` in the one `Authorization` header of a request.
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
