//! Personal access tokens: bound to the organization that was active at creation. The plaintext is shown once.

use serde_json::json;

pub use super::model::tokens::{CreatedToken, NewToken, Token};
use super::store;
use crate::{
    auth::{PAT_PREFIX, tokens},
    domain::{
        core::{Reads, SelfTx, SessionTx, one_more},
        organizations::invitations,
        paging::{Page, Paging},
    },
    error::{Error, Result},
};

/// Lists the caller's tokens, including revoked ones.
pub fn list(tx: &SelfTx<'_>, paging: &Paging) -> Result<Page<Token>> {
    store::tokens::of_user(tx.core().conn, tx.caller().user_id, &paging.window("tokens")?)
}

/// Creates a token for the active organization.
pub fn mint(tx: &mut SessionTx<'_>, new: NewToken) -> Result<CreatedToken> {
    tx.caller().organization.as_ref().ok_or(Error::NoActiveOrganization)?;
    mint_anywhere(tx, new)
}

/// Creates a token for the active organization, or a token without an organization if none is active. For
/// administrators of the instance: a token without an organization accesses only resources outside of organizations.
pub fn mint_anywhere(tx: &mut SessionTx<'_>, new: NewToken) -> Result<CreatedToken> {
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
        None => {
            "belongs to no organization: it works for your account, the catalog of types and administration only".into()
        }
    };
    let hint = format!("This token {place}. Keep it now: it is not shown again.");
    Ok(CreatedToken { id, token, prefix, name, org_id, hint })
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
