//! Resolves a credential to a caller, from the database state inside the request's own transaction.

use rusqlite::Connection;

use super::{
    call::Via,
    standing::{ActiveOrganization, GrantScope},
    store::{self},
};
use crate::{
    auth::{Credential, TokenHash},
    clock::MINUTE,
    error::{Error, Result},
};

/// The kind of credential that a caller used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerKind {
    /// A user in a browser, with a session JWT.
    Session,
    /// A script, with a personal access token.
    Token,
    /// A script, with a personal access token from before tokens were bound to organizations.
    LegacyToken,
    /// An assistant, with the access token of an MCP client.
    Mcp,
    /// The operator at the command line.
    Operator,
}

impl CallerKind {
    /// The name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Token => "token",
            Self::LegacyToken => "legacy-token",
            Self::Mcp => "mcp",
            Self::Operator => "operator",
        }
    }
}

/// A user with their credential and active organization, if any.
#[derive(Debug, Clone)]
pub struct Caller {
    /// User id.
    pub user_id: i64,
    /// Whether the user is an instance administrator.
    pub is_admin: bool,
    /// The active organization.
    pub organization: Option<ActiveOrganization>,
    /// Kind of credential.
    pub kind: CallerKind,
    /// The credential's name in the change log, such as `session:7` or `token:3`.
    pub credential: String,
    /// When the credential expires, in Unix milliseconds, if it does.
    pub(super) expires_at: Option<i64>,
    /// Whether the credential is restricted to read access.
    pub(super) is_reader: bool,
    /// The credential, if its stored time of last use is more than a minute old and must be updated.
    pub(super) stale: Option<StaleCredential>,
}

/// A credential with a stored time of last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StaleCredential {
    /// A personal access token, by id.
    Token(i64),
    /// A client's grant, by id.
    Grant(i64),
}

/// Accuracy of the time of last use in milliseconds: at most one write per minute instead of one per request.
const LAST_USED_PRECISION: i64 = MINUTE;

impl Caller {
    /// Resolves `credential` to its current caller. A suspended user gets an error that says so, with any credential.
    pub(super) fn resolve(conn: &Connection, credential: &Credential, via: Via, now: i64) -> Result<Self> {
        match credential {
            Credential::Session(_) | Credential::External(_) if via == Via::Mcp => Err(Error::Unauthenticated(
                "sessions are for browsers; here a token of an MCP client, or a personal access token, is needed",
            )),
            Credential::Session(claims) => {
                const ENDED: Error = Error::Unauthenticated("this session has ended; sign in again");
                let user_id = claims.user_id()?;
                let expires_at = store::callers::session_expiry(conn, claims.sid, user_id, now)?;
                let organization = claims.org_id.as_deref();
                let mut caller = Self::of_user(conn, user_id, organization, CallerKind::Session)?;
                caller.expires_at = Some(expires_at.ok_or(ENDED)?);
                caller.credential = format!("session:{}", claims.sid);
                Ok(caller)
            }
            Credential::External(external) => {
                let organization = external.organization_id.as_deref();
                let mut caller = Self::of_user(conn, external.user_id, organization, CallerKind::Session)?;
                caller.credential = "external".into();
                Ok(caller)
            }
            Credential::Pat(hash) => Self::of_token(conn, hash, now),
            Credential::Mcp(hash) if via == Via::Mcp => Self::of_client(conn, hash, now),
            Credential::Mcp(_) => Err(Error::Unauthenticated("tokens of MCP clients are good for /mcp alone")),
            Credential::Operator { user_id, organization_id } => {
                // The operator needs no membership, because they control the data directory. The action is recorded in
                // the user's name.
                let organization = store::callers::organization_as_admin(conn, organization_id)?;
                Ok(Self {
                    user_id: *user_id,
                    is_admin: true,
                    organization: Some(organization.ok_or(Error::NotFound("organization"))?),
                    kind: CallerKind::Operator,
                    credential: "operator".into(),
                    expires_at: None,
                    is_reader: false,
                    stale: None,
                })
            }
        }
    }

    fn of_token(conn: &Connection, hash: &TokenHash, now: i64) -> Result<Self> {
        let token = store::callers::token(conn, hash)?
            .filter(|token| token.revoked_at.is_none())
            .ok_or(Error::Unauthenticated("this token is unknown or revoked"))?;
        let kind = if token.org_id.is_some() { CallerKind::Token } else { CallerKind::LegacyToken };
        let mut caller = Self::of_user(conn, token.user_id, token.org_id.as_deref(), kind)?;
        caller.credential = format!("token:{}", token.id);
        caller.stale = is_stale(token.last_used_at, now).then_some(StaleCredential::Token(token.id));
        Ok(caller)
    }

    fn of_client(conn: &Connection, hash: &TokenHash, now: i64) -> Result<Self> {
        let grant = store::callers::grant(conn, hash, now)?
            .ok_or(Error::Unauthenticated("this token is unknown or revoked, or has run out"))?;
        let mut caller = Self::of_user(conn, grant.user_id, Some(&grant.organization_id), CallerKind::Mcp)?;
        caller.credential = format!("grant:{}", grant.id);
        caller.expires_at = Some(grant.expires_at);
        caller.is_reader = grant.scope == GrantScope::Read;
        caller.stale = is_stale(grant.last_used_at, now).then_some(StaleCredential::Grant(grant.id));
        Ok(caller)
    }

    /// Rejects a caller whose credential is restricted to read access.
    pub fn may_write(&self) -> Result<()> {
        const READER: Error = Error::Forbidden("this app has read-only access; reconnect it to allow changes");
        if self.is_reader { Err(READER) } else { Ok(()) }
    }

    fn of_user(conn: &Connection, user_id: i64, organization: Option<&str>, kind: CallerKind) -> Result<Self> {
        let user =
            store::callers::account(conn, user_id)?.ok_or(Error::Unauthenticated("this account does not exist"))?;
        if user.is_suspended {
            return Err(Error::Suspended);
        }
        let organization = match organization {
            None => None,
            Some(id) => Some(
                store::callers::active_organization(conn, id, user_id)?
                    .ok_or(Error::Unauthenticated("you are no longer a member of this organization"))?,
            ),
        };
        let credential = kind.as_str().to_owned();
        Ok(Self {
            user_id,
            is_admin: user.is_admin,
            organization,
            kind,
            credential,
            expires_at: None,
            is_reader: false,
            stale: None,
        })
    }
}

fn is_stale(last_used_at: Option<i64>, now: i64) -> bool {
    last_used_at.is_none_or(|used| used + LAST_USED_PRECISION <= now)
}
