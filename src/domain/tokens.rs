//! Personal access tokens: bound to the organization that was active at creation. The plaintext is shown once.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{Reads, SelfTx, SessionTx, one_more},
    invitations,
    paging::{Page, Paging},
    store,
    values::Name,
};
use crate::{
    auth::{PAT_PREFIX, tokens},
    error::{Error, Result},
};

/// A token as its owner sees it. The plaintext is not stored.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Id; never reused.
    pub id: i64,
    /// Name that describes the purpose of the token.
    #[schema(example = "ci")]
    pub name: String,
    /// First characters of the plaintext.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Organization that the token is bound to; null for tokens created before tokens were bound to organizations.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Time of last use, in Unix milliseconds; accurate to one minute.
    #[schema(required)]
    pub last_used_at: Option<i64>,
    /// Time of revocation, in Unix milliseconds; null while the token is active.
    #[schema(required)]
    pub revoked_at: Option<i64>,
}

/// Fields of a new token.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewToken {
    /// Name that describes the purpose of the token.
    pub name: Name,
}

/// A created token. The plaintext is shown only here.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MintedToken {
    /// Id of the token, to list and revoke it.
    pub id: i64,
    /// Plaintext of the token.
    #[schema(example = "svc_pat_9fK2…")]
    pub token: String,
    /// First characters of the plaintext.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// Name that describes the purpose of the token.
    pub name: String,
    /// Organization that the token is bound to; null if none.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Human-readable note about that organization.
    #[schema(example = "This token works in the organization Acme (acme) only.")]
    pub hint: String,
}

/// Lists the caller's tokens, including revoked ones.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Token>> {
    store::tokens::of_user(tx.core().conn, tx.caller().user_id, &paging.window("tokens")?)
}

/// Creates a token for the active organization.
pub fn mint(tx: &mut SessionTx<'_>, new: NewToken) -> Result<MintedToken> {
    tx.caller().organization.as_ref().ok_or(Error::NoActiveOrganization)?;
    mint_anywhere(tx, new)
}

/// Creates a token for the active organization, or a token without an organization if none is active. For
/// administrators of the instance: a token without an organization accesses only resources outside of organizations.
pub fn mint_anywhere(tx: &mut SessionTx<'_>, new: NewToken) -> Result<MintedToken> {
    let caller = tx.caller();
    let organization = caller.organization.as_ref();
    let token = tokens::generate(PAT_PREFIX);
    let prefix = tokens::shown_prefix(&token).to_owned();
    let (core, name) = (tx.core(), String::from(new.name));
    let (hash, org_id) = (tokens::hash(&token), organization.map(|organization| organization.id.clone()));
    let living = store::tokens::count_active(core.conn, caller.user_id)?;
    one_more("tokens", "personal access tokens", core.shared.quotas.tokens, living)?;
    let id = store::tokens::insert(core.conn, caller.user_id, org_id.as_deref(), &name, &prefix, &hash, core.now)?;
    core.audit("token.create", Some(caller.user_id), &json!({ "tokenId": id, "name": name, "prefix": prefix }))?;
    let place = match organization {
        Some(organization) => format!("works in the organization {} ({}) only", organization.name, organization.slug),
        None => "belongs to no organization: it reaches /api/me, /api/schema and /api/admin only".into(),
    };
    let hint = format!("This token {place}. Keep it now: it is not shown again.");
    Ok(MintedToken { id, token, prefix, name, org_id, hint })
}

/// Revokes a token of the caller. Has no effect if it is already revoked.
pub fn revoke(tx: &mut SelfTx<'_>, id: i64) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    if !store::tokens::revoke(core.conn, user_id, id, core.now)? {
        return Err(Error::NotFound("token"));
    }
    core.audit("token.revoke", Some(user_id), &json!({ "tokenId": id }))?;
    invitations::end_unauthorized(core, user_id).map(drop)
}
