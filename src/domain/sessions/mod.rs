//! Sessions: started at sign-in and renewed with a refresh token. A session ends when its user ends it, when a refresh
//! token is reused, or when it expires.

mod own;
mod passwords_refused;
mod renewal;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::ToSchema;

pub(in crate::domain) use self::renewal::Renewable;
pub use self::{
    own::{Session, activate, end, end_current, end_others, list},
    passwords_refused::{SSO_ONLY, end_password_sessions},
    renewal::{Renewal, end_by_token, renew},
};
use super::{
    access::{ActiveOrganization, Core, PublicTx, Reads, active_organization},
    invitations, store,
    users::{SessionInfo, User},
};
use crate::{
    auth::{Claims, device, jwt, refresh::RefreshToken},
    clock::{DAY, SECOND},
    error::{Error, Result},
};

/// How long a session lasts without renewal, in milliseconds.
pub const IDLE: i64 = 14 * DAY;
/// How long a session lasts at most, with renewals, in milliseconds.
const LIFETIME: i64 = 90 * DAY;
/// Maximum length of a stored user agent, in characters. The rest is cut off.
const USER_AGENT: usize = 200;

/// Response to a sign-in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Session JWT. Send it as `Authorization: Bearer …`.
    #[schema(example = "eyJhbGciOiJFZERTQSJ9…")]
    pub token: String,
    /// Time when the token expires, in Unix milliseconds.
    pub expires_at: i64,
    /// The signed-in user.
    pub user: SignedInUser,
    /// The active organization of the token.
    pub session: SessionInfo,
}

/// The signed-in user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedInUser {
    /// Id of the user.
    pub id: i64,
    /// Display name.
    pub display_name: String,
    /// Whether the user is an administrator of the instance.
    pub is_admin: bool,
    /// Login name.
    #[schema(required)]
    pub login: Option<String>,
    /// URL of a profile image.
    #[schema(required)]
    pub avatar_url: Option<String>,
}

impl From<User> for SignedInUser {
    fn from(user: User) -> Self {
        let User { id, display_name, is_admin, login, avatar_url, .. } = user;
        Self { id, display_name, is_admin, login: Some(login), avatar_url }
    }
}

/// A new session: the response and the cookie values.
#[derive(Debug)]
pub struct Begun {
    /// Response to the sign-in.
    pub signed_in: SignedIn,
    /// Refresh token of the session.
    pub refresh: RefreshToken,
    /// Cookie by which the browser is recognized at the next sign-in.
    pub device: String,
}

/// The organization to make active.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OrgChoice {
    /// The organization that the user joined first, if any.
    #[default]
    First,
    /// No organization.
    None,
    /// The organization with this id.
    One(String),
}

impl From<Option<String>> for OrgChoice {
    /// `null` means no organization.
    fn from(id: Option<String>) -> Self {
        id.map_or(Self::None, Self::One)
    }
}

impl<'de> Deserialize<'de> for OrgChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

/// Starts a session for an authenticated user. `user_agent` is the user agent of their browser.
pub fn begin(tx: &mut PublicTx<'_>, user_id: i64, choice: &OrgChoice, user_agent: Option<&str>) -> Result<Begun> {
    begin_until(tx.core(), user_id, choice, user_agent, None)
}

/// Starts a session that ends at `ends_at` at the latest, in Unix milliseconds. Renewals do not extend it.
pub(super) fn begin_until(
    core: &Core<'_>,
    user_id: i64,
    choice: &OrgChoice,
    user_agent: Option<&str>,
    ends_at: Option<i64>,
) -> Result<Begun> {
    let user = active_user(core, user_id)?;
    let organization = chosen(core, user_id, choice)?;
    let refresh = RefreshToken::first();
    // A session without a fixed end was started with a password.
    let expires_at = match ends_at {
        Some(ends_at) => ends_at.min(core.now + IDLE),
        None => passwords_refused::limited(core, user_id, core.now + IDLE)?.ok_or(SSO_ONLY)?,
    };
    let hashes = (&refresh.family_hash(), &refresh.hash());
    let user_agent = user_agent.map(|text| text.chars().take(USER_AGENT).collect::<String>());
    let sid = store::sessions::insert(core.conn, user_id, hashes, user_agent.as_deref(), core.now, expires_at)?;
    if let Some(ends_at) = ends_at {
        store::sessions::limit(core.conn, sid, ends_at)?;
    }
    if core.shared.quotas.sessions > 0 {
        store::sessions::end_oldest(core.conn, user_id, core.shared.quotas.sessions, core.now)?;
    }
    store::users::signed_in(core.conn, user_id, core.now)?;
    core.audit("session.begin", Some(user_id), &json!({ "sessionId": sid }))?;
    let device = device_cookie(core, user_id)?;
    Ok(Begun { signed_in: issue(core, sid, user, organization)?, refresh, device })
}

/// Creates the cookie by which a browser of the user is recognized, until the password or two-factor authentication
/// changes.
pub(super) fn device_cookie(core: &Core<'_>, user_id: i64) -> Result<String> {
    device::cookie(&core.shared.keys, &device_account(core, user_id)?, core.now)
}

/// State of the account that a device cookie is bound to.
pub(super) fn device_account(core: &Core<'_>, user_id: i64) -> Result<device::Account> {
    let hash = store::users::password_hash(core.conn, user_id)?;
    let factor = store::second_factors::of_user(core.conn, user_id)?;
    let since = factor.and_then(|factor| factor.confirmed_at);
    Ok(device::Account::new(user_id, hash.as_deref(), since))
}

/// Ends all sessions of a user except `kept`, because another person may have used them. Also deletes the open
/// invitations that were created in a session other than `kept`. Returns how many sessions ended.
pub(super) fn end_for_safety(core: &Core<'_>, user_id: i64, kept: Option<i64>) -> Result<usize> {
    invitations::end_of_sessions(core, user_id, kept)?;
    store::sessions::end_all(core.conn, user_id, kept, core.now)
}

/// Reads the user. Fails if the user is suspended.
fn active_user(core: &Core<'_>, user_id: i64) -> Result<User> {
    let user = store::users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if user.is_suspended { Err(Error::Suspended) } else { Ok(user) }
}

fn chosen(core: &Core<'_>, user_id: i64, choice: &OrgChoice) -> Result<Option<ActiveOrganization>> {
    match choice {
        OrgChoice::First => store::organizations::first_of(core.conn, user_id),
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
