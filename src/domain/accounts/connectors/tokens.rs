//! The token endpoint: exchanges authorization codes and refresh tokens, and detects reuse.
//!
//! A code or refresh token that is used a second time has been copied, so its grant is revoked.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{
    ACCESS_TOKEN_LIFETIME, OauthError, OauthResult, REFRESH_TOKEN_LIFETIME, UNKNOWN_CLIENT, WRONG_TARGET,
    is_this_server,
};
use crate::{
    auth::{MCP_PREFIX, tokens},
    domain::{
        accounts::store,
        core::{Core, GrantScope, PublicTx, Reads, active_organization},
        users,
    },
    error::Result,
};

/// Prefix of refresh tokens, so that leaked tokens can be recognized. Refresh tokens are accepted only by the token
/// endpoint.
const REFRESH_PREFIX: &str = "svc_mcr_";

/// A request to exchange an authorization code.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct CodeExchange {
    /// Client id.
    pub client_id: String,
    /// The authorization code.
    pub code: String,
    /// Redirect URI to which the code was sent.
    pub redirect_uri: Option<String>,
    /// PKCE code verifier, whose SHA-256 hash is the challenge.
    pub code_verifier: Option<String>,
    /// Requested resource.
    pub resource: Option<String>,
}

/// A request to exchange a refresh token.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TokenRefresh {
    /// Client id.
    pub client_id: String,
    /// The refresh token.
    pub refresh_token: String,
    /// Requested scope, at most the granted scope.
    pub scope: Option<String>,
    /// Requested resource.
    pub resource: Option<String>,
}

/// New tokens. They are returned only once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct IssuedTokens {
    /// Access token for the MCP server.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
    /// Refresh token for the next exchange. It can be used once.
    pub refresh_token: String,
    /// Scope of the access token.
    pub scope: String,
}

const fn grant(text: &'static str) -> OauthError {
    OauthError { code: "invalid_grant", text }
}

const SPENT_CODE: OauthError = grant("this code is unknown, was used, or is older than a minute");
const SPENT_TOKEN: OauthError = grant("this refresh token is unknown, was used or revoked, or has expired");

/// Exchanges an authorization code. If the code was already used, revokes its grant and all tokens of the grant.
pub fn exchange(tx: &mut PublicTx<'_>, request: &CodeExchange) -> Result<OauthResult<IssuedTokens>> {
    let core = tx.core();
    if store::connectors::client(core.conn, &request.client_id)?.is_none() {
        return Ok(Err(UNKNOWN_CLIENT));
    }
    let hash = tokens::hash(&request.code);
    let Some(found) = store::connectors::code(core.conn, &hash)? else { return Ok(Err(SPENT_CODE)) };
    if found.client_id != request.client_id {
        return Ok(Err(SPENT_CODE));
    }
    if found.used {
        end(core, found.grant_id, found.user_id, "a code was used twice")?;
        return Ok(Err(SPENT_CODE));
    }
    if found.expires_at <= core.now || !may_go_on(core, found.grant_id, found.user_id)? {
        return Ok(Err(SPENT_CODE));
    }
    if request.redirect_uri.as_deref() != Some(found.redirect_uri.as_str()) {
        return Ok(Err(grant("redirect_uri must be the one that the code was sent to")));
    }
    if !request.code_verifier.as_deref().is_some_and(|verifier| proves(verifier, &found.challenge)) {
        return Ok(Err(grant("code_verifier does not fit the code_challenge")));
    }
    if !is_this_server(core, request.resource.as_deref()) {
        return Ok(Err(WRONG_TARGET));
    }
    store::connectors::use_code(core.conn, &hash, core.now)?;
    core.audit(
        "connector.begin",
        Some(found.user_id),
        &json!({ "grantId": found.grant_id, "scope": found.scope.as_str() }),
    )?;
    issue(core, found.grant_id, found.scope, found.scope).map(Ok)
}

/// Exchanges a refresh token. If the token was already exchanged, revokes its grant and all tokens of the grant.
pub fn refresh(tx: &mut PublicTx<'_>, request: &TokenRefresh) -> Result<OauthResult<IssuedTokens>> {
    let core = tx.core();
    if store::connectors::client(core.conn, &request.client_id)?.is_none() {
        return Ok(Err(UNKNOWN_CLIENT));
    }
    let hash = tokens::hash(&request.refresh_token);
    let found = store::connectors::refresh_token(core.conn, &hash)?;
    let Some(token) = found.filter(|token| token.client_id == request.client_id) else { return Ok(Err(SPENT_TOKEN)) };
    if token.rotated {
        end(core, token.grant_id, token.user_id, "a refresh token was used twice")?;
        return Ok(Err(SPENT_TOKEN));
    }
    if token.revoked || token.expires_at <= core.now || !may_go_on(core, token.grant_id, token.user_id)? {
        return Ok(Err(SPENT_TOKEN));
    }
    if !is_this_server(core, request.resource.as_deref()) {
        return Ok(Err(WRONG_TARGET));
    }
    let scope = match request.scope.as_deref() {
        None => Some(token.scope),
        words => GrantScope::parse(words).filter(|scope| *scope <= token.scope),
    };
    let Some(scope) = scope else {
        return Ok(Err(OauthError { code: "invalid_scope", text: "scope can be no more than was granted" }));
    };
    store::connectors::rotate(core.conn, &hash, core.now)?;
    core.audit("connector.refresh", Some(token.user_id), &json!({ "grantId": token.grant_id }))?;
    // A narrower scope applies only to this access token: the next refresh may request the full granted scope again
    // (RFC 6749, 6).
    issue(core, token.grant_id, scope, token.scope).map(Ok)
}

/// Revokes a token (RFC 7009): a refresh token with its whole grant, an access token alone. Unknown tokens and tokens
/// of other clients are ignored without an error.
pub fn revoke(tx: &mut PublicTx<'_>, client_id: &str, token: &str) -> Result<OauthResult<()>> {
    let core = tx.core();
    if store::connectors::client(core.conn, client_id)?.is_none() {
        return Ok(Err(UNKNOWN_CLIENT));
    }
    let hash = tokens::hash(token);
    if let Some(found) = store::connectors::refresh_token(core.conn, &hash)?.filter(|one| one.client_id == client_id) {
        end(core, found.grant_id, found.user_id, "the program ended it")?;
    } else if store::connectors::revoke_access(core.conn, client_id, &hash, core.now)? {
        core.audit("connector.revoke", None, &json!({ "clientId": client_id }))?;
    }
    Ok(Ok(()))
}

fn issue(core: &Core<'_>, grant_id: i64, scope: GrantScope, granted: GrantScope) -> Result<IssuedTokens> {
    let access_token = tokens::generate(MCP_PREFIX);
    let refresh_token = tokens::generate(REFRESH_PREFIX);
    for (kind, token, scope, lifetime) in [
        ("access", &access_token, scope, ACCESS_TOKEN_LIFETIME),
        ("refresh", &refresh_token, granted, REFRESH_TOKEN_LIFETIME),
    ] {
        let hash = tokens::hash(token);
        store::connectors::insert_token(core.conn, grant_id, kind, &hash, scope, core.now, core.now + lifetime)?;
    }
    Ok(IssuedTokens {
        access_token,
        token_type: "Bearer".into(),
        expires_in: ACCESS_TOKEN_LIFETIME / 1_000,
        refresh_token,
        scope: scope.as_str().into(),
    })
}

/// Whether a grant is still valid and its user is still an active member of the organization.
fn may_go_on(core: &Core<'_>, grant_id: i64, user_id: i64) -> Result<bool> {
    let Some(organization_id) = store::connectors::standing(core.conn, grant_id)? else { return Ok(false) };
    let user = users::by_id(core.conn, user_id)?;
    let active = active_organization(core.conn, &organization_id, user_id)?;
    Ok(user.is_some_and(|user| !user.is_suspended) && active.is_some())
}

fn end(core: &Core<'_>, grant_id: i64, user_id: i64, why: &str) -> Result<()> {
    if store::connectors::revoke_grant(core.conn, grant_id, core.now)? {
        core.audit("connector.end", None, &json!({ "grantId": grant_id, "userId": user_id, "why": why }))?;
    }
    Ok(())
}

/// Whether the challenge was derived from the verifier (RFC 7636, 4.6).
fn proves(verifier: &str, challenge: &str) -> bool {
    (43..=128).contains(&verifier.len()) && URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verifier_matches_only_its_own_challenge() {
        // The example from RFC 7636, appendix B.
        let (verifier, challenge) =
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert!(proves(verifier, challenge));
        assert!(!proves(challenge, challenge), "as plain would have it");
        assert!(!proves(&verifier[1..], challenge) && !proves("", challenge));
        assert!(!proves(&"x".repeat(129), &URL_SAFE_NO_PAD.encode(Sha256::digest("x".repeat(129)))));
    }

    #[test]
    fn unknown_scopes_are_ignored() {
        assert_eq!(GrantScope::parse(None), Some(GrantScope::Write));
        assert_eq!(GrantScope::parse(Some("mcp:read")), Some(GrantScope::Read));
        assert_eq!(GrantScope::parse(Some("offline_access mcp:read mcp:write")), Some(GrantScope::Write));
        assert_eq!(GrantScope::parse(Some("openid")), None);
        assert!(GrantScope::Read < GrantScope::Write);
    }
}
