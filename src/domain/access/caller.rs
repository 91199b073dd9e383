//! From a credential to a caller: what the database says, read inside the request's own transaction.

use rusqlite::Connection;

use crate::{
    auth::{Credential, TokenHash},
    clock::MINUTE,
    domain::{store, values::OrgRole},
    error::{Error, Result},
};

/// How a caller came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerKind {
    /// A person in a browser: session JWT.
    Session,
    /// A script: personal access token.
    Token,
    /// A script with a token from before tokens were bound to organizations.
    LegacyToken,
    /// An assistant: access token of an MCP client.
    Mcp,
    /// The operator at the command line.
    Operator,
}

impl CallerKind {
    /// The word in logs.
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

/// The organization a caller acts in.
#[derive(Debug, Clone)]
pub struct ActiveOrganization {
    /// Its id, `org_…`.
    pub id: String,
    /// Its slug.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// What the caller is in it.
    pub role: OrgRole,
}

/// A user, plus an active organization or none, plus how they came.
#[derive(Debug, Clone)]
pub struct Caller {
    /// User id.
    pub user_id: i64,
    /// Whether the user administers the instance.
    pub is_admin: bool,
    /// The active organization.
    pub organization: Option<ActiveOrganization>,
    /// How they came.
    pub kind: CallerKind,
    /// The credential's name in the change log: `session:7`, `token:3`.
    pub credential: String,
    /// A token whose time of last use is more than a minute old, to be brought up to date.
    pub(super) stale_token: Option<i64>,
}

/// A token's time of last use is exact to this many milliseconds: a write a minute, not one a request.
const LAST_USED_EXACT_TO: i64 = MINUTE;

impl Caller {
    /// Looks up what `credential` stands for now. A suspended user is told so whatever they show.
    pub(super) fn resolve(conn: &Connection, credential: &Credential, now: i64) -> Result<Self> {
        match credential {
            Credential::Session(claims) => {
                const ENDED: Error = Error::Unauthenticated("this session has ended; sign in again");
                let user_id = claims.user_id()?;
                let session = store::sessions::living(conn, claims.sid, user_id, now)?;
                let organization = claims.org_id.as_deref();
                let mut caller = Self::of_user(conn, user_id, organization, CallerKind::Session)?;
                if !session {
                    return Err(ENDED);
                }
                caller.credential = format!("session:{}", claims.sid);
                Ok(caller)
            }
            Credential::Pat(hash) => Self::of_token(conn, hash, now),
            Credential::Mcp(_) => Err(Error::Unauthenticated("tokens of MCP clients are good for /mcp alone")),
            Credential::Operator { user_id, organization_id } => {
                // Whoever holds the data directory needs nobody's membership; the user is whose name it is done in.
                let organization = store::organizations::as_admin(conn, organization_id)?;
                Ok(Self {
                    user_id: *user_id,
                    is_admin: true,
                    organization: Some(organization.ok_or(Error::NotFound("organization"))?),
                    kind: CallerKind::Operator,
                    credential: "operator".into(),
                    stale_token: None,
                })
            }
        }
    }

    fn of_token(conn: &Connection, hash: &TokenHash, now: i64) -> Result<Self> {
        let token = store::tokens::by_hash(conn, hash)?
            .filter(|token| token.revoked_at.is_none())
            .ok_or(Error::Unauthenticated("this token is unknown or revoked"))?;
        let kind = if token.org_id.is_some() { CallerKind::Token } else { CallerKind::LegacyToken };
        let mut caller = Self::of_user(conn, token.user_id, token.org_id.as_deref(), kind)?;
        caller.credential = format!("token:{}", token.id);
        caller.stale_token = token.last_used_at.is_none_or(|used| used + LAST_USED_EXACT_TO <= now).then_some(token.id);
        Ok(caller)
    }

    fn of_user(conn: &Connection, user_id: i64, organization: Option<&str>, kind: CallerKind) -> Result<Self> {
        let user = store::users::by_id(conn, user_id)?.ok_or(Error::Unauthenticated("this account does not exist"))?;
        if user.is_suspended {
            return Err(Error::Suspended);
        }
        let organization = match organization {
            None => None,
            Some(id) => Some(
                store::organizations::active(conn, id, user_id)?
                    .ok_or(Error::Unauthenticated("you are no longer a member of this organization"))?,
            ),
        };
        let credential = kind.as_str().to_owned();
        Ok(Self { user_id, is_admin: user.is_admin, organization, kind, credential, stale_token: None })
    }
}
