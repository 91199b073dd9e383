//! Sessions: started at sign-in and renewed with a refresh token. A session ends when its user ends it, when a refresh
//! token is reused, or when it expires.

mod own;
mod passwords_refused;
mod renewal;

use serde_json::json;

pub(in crate::domain) use self::renewal::Renewable;
pub use self::{
    own::{Session, activate, end, end_current, end_others, list},
    passwords_refused::{SSO_ONLY, end_password_sessions},
    renewal::{Renewal, end_by_token, renew},
};
pub use super::model::sessions::{IDLE_LIFETIME, NewSession, OrgChoice, SignedIn, SignedInUser};
use super::store;
pub(in crate::domain) use super::store::sessions::delete_expired;
use crate::{
    auth::{Claims, device, jwt, refresh::RefreshToken},
    clock::SECOND,
    domain::{
        accounts::current::SessionInfo,
        core::{ActiveOrganization, Core, PublicTx, Reads, active_organization},
        organizations::{self, invitations},
        users::{self, User},
    },
    error::{Error, Result},
};

/// Maximum length of a stored user agent, in characters. The rest is cut off.
const MAX_USER_AGENT_CHARS: usize = 200;

/// Starts a session for an authenticated user. `user_agent` is the user agent of their browser.
pub fn start(tx: &mut PublicTx<'_>, user_id: i64, choice: &OrgChoice, user_agent: Option<&str>) -> Result<NewSession> {
    start_until(tx.core(), user_id, choice, user_agent, None)
}

/// Starts a session that ends at `ends_at` at the latest, in Unix milliseconds. Renewals do not extend it.
pub(in crate::domain) fn start_until(
    core: &Core<'_>,
    user_id: i64,
    choice: &OrgChoice,
    user_agent: Option<&str>,
    ends_at: Option<i64>,
) -> Result<NewSession> {
    let user = active_user(core, user_id)?;
    let organization = chosen(core, user_id, choice)?;
    let refresh = RefreshToken::first();
    // A session without a fixed end was started with a password.
    let expires_at = match ends_at {
        Some(ends_at) => ends_at.min(core.now + IDLE_LIFETIME),
        None => passwords_refused::limited(core, user_id, core.now + IDLE_LIFETIME)?.ok_or(SSO_ONLY)?,
    };
    let hashes = (&refresh.family_hash(), &refresh.hash());
    let user_agent = user_agent.map(|text| text.chars().take(MAX_USER_AGENT_CHARS).collect::<String>());
    let sid = store::sessions::insert(core.conn, user_id, hashes, user_agent.as_deref(), core.now, expires_at)?;
    if let Some(ends_at) = ends_at {
        store::sessions::limit(core.conn, sid, ends_at)?;
    }
    if core.shared.quotas.sessions > 0 {
        store::sessions::end_oldest(core.conn, user_id, core.shared.quotas.sessions, core.now)?;
    }
    users::signed_in(core.conn, user_id, core.now)?;
    core.audit("session.begin", Some(user_id), &json!({ "sessionId": sid }))?;
    let device = device_cookie(core, user_id)?;
    Ok(NewSession { signed_in: issue(core, sid, user, organization)?, refresh, device })
}

/// Creates the cookie by which a browser of the user is recognized, until the password or two-factor authentication
/// changes.
pub(in crate::domain) fn device_cookie(core: &Core<'_>, user_id: i64) -> Result<String> {
    device::cookie(&core.shared.keys, &device_account(core, user_id)?, core.now)
}

/// State of the account that a device cookie is bound to.
pub(in crate::domain) fn device_account(core: &Core<'_>, user_id: i64) -> Result<device::DeviceAccount> {
    let hash = users::password_hash(core.conn, user_id)?;
    let factor = store::two_factor::of_user(core.conn, user_id)?;
    let since = factor.and_then(|factor| factor.confirmed_at);
    Ok(device::DeviceAccount::new(user_id, hash.as_deref(), since))
}

/// Ends all sessions of a user except `except`, because another person may have used them. Also deletes the open
/// invitations that were created in a session other than `except`, and the link that resets the password. Returns how
/// many sessions ended.
pub(in crate::domain) fn end_for_safety(core: &Core<'_>, user_id: i64, except: Option<i64>) -> Result<usize> {
    store::email_links::delete(core.conn, store::email_links::Purpose::Reset, user_id)?;
    invitations::end_of_sessions(core, user_id, except)?;
    store::sessions::end_all(core.conn, user_id, except, core.now)
}

/// Reads the user. Fails if the user is suspended.
fn active_user(core: &Core<'_>, user_id: i64) -> Result<User> {
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if user.is_suspended { Err(Error::Suspended) } else { Ok(user) }
}

fn chosen(core: &Core<'_>, user_id: i64, choice: &OrgChoice) -> Result<Option<ActiveOrganization>> {
    match choice {
        OrgChoice::First => organizations::first_of(core.conn, user_id),
        OrgChoice::None => Ok(None),
        OrgChoice::One(id) => {
            let active = active_organization(core.conn, id, user_id)?;
            active.ok_or(Error::NotFound("organization")).map(Some)
        }
    }
}

/// Issues a session JWT, with the response that contains it.
fn issue(core: &Core<'_>, sid: i64, user: User, organization: Option<ActiveOrganization>) -> Result<SignedIn> {
    let session = SessionInfo {
        org_id: organization.as_ref().map(|o| o.id.clone()),
        org_role: organization.as_ref().map(|o| o.role.as_str().to_owned()),
        org_slug: organization.map(|o| o.slug),
        is_api_token: false,
    };
    let settings = &core.shared.sessions;
    let issued = core.now / SECOND;
    let expires = issued + settings.token_lifetime / SECOND;
    let claims = Claims {
        iss: settings.issuer.clone(),
        sub: user.id.to_string(),
        sid,
        org_id: session.org_id.clone(),
        org_role: session.org_role.clone(),
        org_slug: session.org_slug.clone(),
        iat: issued,
        exp: expires,
    };
    let token = jwt::sign(&claims, &core.shared.keys)?;
    Ok(SignedIn { token, expires_at: expires * SECOND, user: user.into(), session })
}
