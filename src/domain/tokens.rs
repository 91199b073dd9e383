//! Personal access tokens: minted by a person, bound to the organization active then, shown once.

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

/// A token as its owner sees it. The plaintext is not kept.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Never used again.
    pub id: i64,
    /// What it is for.
    #[schema(example = "ci")]
    pub name: String,
    /// How the plaintext begins.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The organization it is bound to; null for tokens from before binding.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Unix milliseconds, exact to a minute.
    #[schema(required)]
    pub last_used_at: Option<i64>,
    /// Unix milliseconds; set when it is good for nothing any more.
    #[schema(required)]
    pub revoked_at: Option<i64>,
}

/// A token to be minted.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewToken {
    /// What it is for.
    pub name: Name,
}

/// A minted token: the only time that its plaintext is shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MintedToken {
    /// For the list and for revoking.
    pub id: i64,
    /// The plaintext.
    #[schema(example = "svc_pat_9fK2…")]
    pub token: String,
    /// How it begins.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// What it is for.
    pub name: String,
    /// The organization it is bound to; null for one that belongs to none.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Names that organization, for people.
    #[schema(example = "This token works in the organization Acme (acme) only.")]
    pub hint: String,
}

/// Tokens of the caller, revoked ones too.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Token>> {
    store::tokens::of_user(tx.core().conn, tx.caller().user_id, &paging.window("tokens")?)
}

/// Mints a token for the active organization.
pub fn mint(tx: &mut SessionTx<'_>, new: NewToken) -> Result<MintedToken> {
    tx.caller().organization.as_ref().ok_or(Error::NoActiveOrganization)?;
    mint_anywhere(tx, new)
}

/// Mints a token for the active organization, or with none active one that belongs to none. For administrators of the
/// instance: it reaches what belongs to no organization either.
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

/// Revokes a token of the caller's. Revoking it again changes nothing.
pub fn revoke(tx: &mut SelfTx<'_>, id: i64) -> Result<()> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    if !store::tokens::revoke(core.conn, user_id, id, core.now)? {
        return Err(Error::NotFound("token"));
    }
    core.audit("token.revoke", Some(user_id), &json!({ "tokenId": id }))?;
    invitations::end_unauthorized(core, user_id).map(drop)
}
