//! Connected apps: MCP clients that users have authorized, their grants and their tokens.
//!
//! Planroom is their authorization server (OAuth 2.1, RFC 6749, 7009, 7591, 7636, 8252, 8707, 9207). A *client*
//! registers itself, which grants no access. A *grant* is a user's permission for a client to act for them in one
//! organization; codes and tokens belong to a grant and end with it. Only SHA-256 hashes of requests, codes and tokens
//! are stored, and only in the database.

mod clients;
pub(in crate::domain) mod consent;
mod own;
mod tokens;

pub use self::{
    clients::{NewClient, OAuthClient, register},
    consent::{
        Authorization, AuthorizationOutcome, ConsentDecision, ConsentRequest, ConsentResult, authorize, decide, details,
    },
    own::{Connector, disconnect, list},
    tokens::{CodeExchange, IssuedTokens, TokenRefresh, exchange, refresh, revoke},
};
pub(in crate::domain) use super::store::connectors::delete_unused;
use crate::{
    clock::{DAY, HOUR, MINUTE, SECOND},
    domain::core::Core,
    error::Error,
};

/// Time to decide on an authorization request, in milliseconds.
const CONSENT_LIFETIME: i64 = 15 * MINUTE;
/// Lifetime of an authorization code, in milliseconds.
const CODE_LIFETIME: i64 = 60 * SECOND;
/// Lifetime of an access token, in milliseconds.
const ACCESS_TOKEN_LIFETIME: i64 = HOUR;
/// Lifetime of an unused refresh token, in milliseconds.
const REFRESH_TOKEN_LIFETIME: i64 = 60 * DAY;

/// An OAuth error: its code from RFC 6749 and a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OauthError {
    /// Error code, such as `invalid_grant`.
    pub code: &'static str,
    /// The error message.
    pub text: &'static str,
}

/// The response to a client, or an OAuth error. Writes are committed in both cases: a second use of a code is rejected,
/// but must be recorded.
pub type OauthResult<T> = std::result::Result<T, OauthError>;

const UNKNOWN_CLIENT: OauthError =
    OauthError { code: "invalid_client", text: "no client is registered under this client_id" };
const WRONG_TARGET: OauthError =
    OauthError { code: "invalid_target", text: "resource must be the address of this MCP server" };
const NOT_FOUND: Error = Error::NotFound("connector");

/// The address of the MCP server, the only resource that tokens are valid for.
pub fn resource(issuer: &str) -> String {
    format!("{issuer}/mcp")
}

/// Whether a request is for this server. A request without a resource is.
fn is_this_server(core: &Core<'_>, resource_uri: Option<&str>) -> bool {
    resource_uri.is_none_or(|resource_uri| resource_uri == resource(&core.shared.sessions.issuer))
}
