//! Authentication of callers of the MCP server. This is the only place that validates their tokens.

use crate::{
    auth::{Credential, MCP_PREFIX, PAT_PREFIX, tokens},
    domain::core::{Call, Caller, Gate, Via},
    error::{Error, Result},
};

/// Authenticates the token from the header `Authorization: Bearer …`: an access token of a connector (`svc_mcp_…`), or
/// a personal access token (`svc_pat_…`). `request_id` becomes the id of the change set of its writes.
///
/// Returns the call to pass to the gate, and the caller. The gate checks each use of the call again, in its own
/// transaction: revocation, suspension or a removed membership takes effect immediately, and writes of a read-only
/// connector are rejected ([`Error::Forbidden`]).
///
/// # Errors
/// [`Error::Unauthenticated`] for other credentials, for a token that is unknown, revoked or expired, and for a token
/// whose user is no longer a member of its organization; [`Error::Suspended`] if the user is suspended.
pub async fn admit(gate: &Gate, token: &str, request_id: impl Into<String>) -> Result<(Call, Caller)> {
    let credential = if token.starts_with(MCP_PREFIX) {
        Credential::Mcp(tokens::hash(token))
    } else if token.starts_with(PAT_PREFIX) {
        Credential::Pat(tokens::hash(token))
    } else {
        return Err(Error::Unauthenticated(
            "send `Authorization: Bearer <token>` with a token of an MCP client, or a personal access token",
        ));
    };
    let call = Call::new(Some(credential), Via::Mcp, request_id);
    let caller = gate.admit(call.clone()).await?;
    Ok((call, caller))
}
