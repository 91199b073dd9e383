//! Who calls the MCP server: the one place where its tokens are told from what is none.

use crate::{
    auth::{Credential, MCP_PREFIX, PAT_PREFIX, tokens},
    domain::access::{Call, Caller, Gate, Via},
    error::{Error, Result},
};

/// Lets in who shows `token`, the text behind `Bearer ` in the header `Authorization`: an access token of a program that a
/// user authorized (`svc_mcp_…`), or a personal access token (`svc_pat_…`). `request_id` becomes the id of the change set that
/// their writes belong to.
///
/// Answers with the call to make at the gate, and who it is. Each further use of the call is looked up anew, in its own
/// transaction: what is revoked, suspended or left in between is refused there too, and so is every write of a program that
/// may only read ([`Error::Forbidden`]).
///
/// # Errors
/// [`Error::Unauthenticated`] for anything else, and for a token that is unknown, revoked or has run out, or whose user is no
/// longer a member of its organization; [`Error::Suspended`] when the user is suspended.
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
