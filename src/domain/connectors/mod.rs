//! Programs that a user has let in by consent: MCP clients. Who they are, what they were granted, and the tokens they hold.
//!
//! Planroom is their authorization server (OAuth 2.1, RFC 6749, 7009, 7591, 7636, 8252, 8707, 9207). A *client* registers
//! itself and is nobody yet. A *grant* is one user's word that it may act for them in one organization; codes and tokens hang
//! on a grant, and end with it. Of requests, codes and tokens the SHA-256 alone is kept, and nothing outside the database.

mod clients;
mod consent;
mod own;
mod tokens;

pub use self::{
    clients::{Client, NewClient, register},
    consent::{Asked, Authorization, ConsentRequest, Consented, Decision, ask, decide, look},
    own::{Connector, disconnect, list},
    tokens::{Exchange, IssuedTokens, Refreshing, exchange, refresh, revoke},
};
use super::access::Core;
use crate::{
    clock::{DAY, HOUR, MINUTE, SECOND},
    error::Error,
};

/// How long there is to consent, in milliseconds.
const CONSENT: i64 = 15 * MINUTE;
/// How long a code is good, in milliseconds.
const CODE: i64 = 60 * SECOND;
/// How long an access token is good, in milliseconds.
const ACCESS: i64 = HOUR;
/// How long a refresh token is good when nobody uses it, in milliseconds.
const REFRESH: i64 = 60 * DAY;

/// Why a client is refused, as RFC 6749 names it, and for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// `invalid_grant` and the like.
    pub code: &'static str,
    /// What is wrong.
    pub text: &'static str,
}

/// What a client gets, or why it does not. Either way what was written stays written: that a code was used twice must be
/// remembered although the second time is refused.
pub type Outcome<T> = std::result::Result<T, Refusal>;

const UNKNOWN_CLIENT: Refusal =
    Refusal { code: "invalid_client", text: "no client is registered under this client_id" };
const WRONG_TARGET: Refusal =
    Refusal { code: "invalid_target", text: "resource must be the address of this MCP server" };
const HIDDEN: Error = Error::NotFound("connector");

/// The address of the MCP server, for which alone tokens are good.
pub fn resource(issuer: &str) -> String {
    format!("{issuer}/mcp")
}

/// Whether a client means this server. One that says nothing does.
fn is_ours(core: &Core<'_>, named: Option<&str>) -> bool {
    named.is_none_or(|named| named == resource(&core.shared.sessions.issuer))
}
