//! The caller's own account.

pub use super::model::current::{CurrentUser, SessionInfo};
use crate::{
    domain::{
        accounts::sessions::SignedInUser,
        core::{CallerKind, Reads, SelfTx},
        organizations, users,
    },
    error::{Error, Result},
};

/// Reads the account and the session of the caller.
pub fn current(tx: &SelfTx<'_>) -> Result<CurrentUser> {
    let caller = tx.caller();
    let user = users::by_id(tx.core().conn, caller.user_id)?.ok_or(Error::NotFound("user"))?;
    let organization = caller.organization.as_ref();
    Ok(CurrentUser {
        id: user.id,
        display_name: user.display_name,
        is_admin: user.is_admin,
        provider: user.provider,
        created_at: user.created_at,
        login: Some(user.login),
        avatar_url: user.avatar_url,
        email: user.email,
        email_confirmed: user.email_confirmed,
        last_login_at: user.last_login_at,
        may_create_organizations: organizations::may_create(tx.core(), caller)?,
        session: SessionInfo {
            org_id: organization.map(|o| o.id.clone()),
            org_role: organization.map(|o| o.role.as_str().to_owned()),
            org_slug: organization.map(|o| o.slug.clone()),
            is_api_token: matches!(caller.kind, CallerKind::Token | CallerKind::LegacyToken),
        },
    })
}

/// Reads the caller's account as shown after sign-in.
pub fn signed_in(tx: &SelfTx<'_>) -> Result<SignedInUser> {
    let user = users::by_id(tx.core().conn, tx.caller().user_id)?.ok_or(Error::NotFound("user"))?;
    Ok(user.into())
}
