//! Sessions: begun at sign-in, renewed with a refresh token, ended by their user, by reuse or by time.

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

/// How long a session lasts without being renewed, in milliseconds.
pub const IDLE: i64 = 14 * DAY;
/// How long a session lasts at the most, however often it is renewed, in milliseconds.
const LIFETIME: i64 = 90 * DAY;
/// How much is kept of what a browser says it is, in characters.
const USER_AGENT: usize = 200;

/// The answer to signing in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The session JWT: send it as `Authorization: Bearer …`.
    #[schema(example = "eyJhbGciOiJFZERTQSJ9…")]
    pub token: String,
    /// When it runs out, Unix milliseconds.
    pub expires_at: i64,
    /// Who signed in.
    pub user: SignedInUser,
    /// The organization the token is for.
    pub session: SessionInfo,
}

/// Who signed in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedInUser {
    /// User id.
    pub id: i64,
    /// Name for display.
    pub display_name: String,
    /// Administers the instance.
    pub is_admin: bool,
    /// What they sign in with.
    #[schema(required)]
    pub login: Option<String>,
    /// Address of a picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
}

impl From<User> for SignedInUser {
    fn from(user: User) -> Self {
        let User { id, display_name, is_admin, login, avatar_url, .. } = user;
        Self { id, display_name, is_admin, login: Some(login), avatar_url }
    }
}

/// A session that has just begun: the answer, and what goes into cookies.
#[derive(Debug)]
pub struct Begun {
    /// The answer.
    pub signed_in: SignedIn,
    /// What renews the session.
    pub refresh: RefreshToken,
    /// What the browser is known by from now on.
    pub device: String,
}

/// The organization to be active.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum OrgChoice {
    /// The one that the user joined first, if any.
    #[default]
    First,
    /// None.
    None,
    /// This one.
    One(String),
}

impl From<Option<String>> for OrgChoice {
    /// `null` is none.
    fn from(id: Option<String>) -> Self {
        id.map_or(Self::None, Self::One)
    }
}

impl<'de> Deserialize<'de> for OrgChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}

/// Begins a session for a user who has shown who they are. `user_agent` is what their browser says it is.
pub fn begin(tx: &mut PublicTx<'_>, user_id: i64, choice: &OrgChoice, user_agent: Option<&str>) -> Result<Begun> {
    begin_until(tx.core(), user_id, choice, user_agent, None)
}

/// The same for a session that ends at `ends_at`, Unix milliseconds, however often it is renewed.
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
    // Without a fixed end it began with a password.
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

/// The cookie by which a browser of the user is known again, as long as password and second factor stay as they are.
pub(super) fn device_cookie(core: &Core<'_>, user_id: i64) -> Result<String> {
    device::cookie(&core.shared.keys, &device_account(core, user_id)?, core.now)
}

/// The state of an account that such cookies are of.
pub(super) fn device_account(core: &Core<'_>, user_id: i64) -> Result<device::Account> {
    let hash = store::users::password_hash(core.conn, user_id)?;
    let factor = store::second_factors::of_user(core.conn, user_id)?;
    let since = factor.and_then(|factor| factor.confirmed_at);
    Ok(device::Account::new(user_id, hash.as_deref(), since))
}

/// Ends all sessions of a user except `kept`, because somebody else may have used them, and with them the open
/// invitations that were created in a session other than `kept`. Returns how many sessions ended.
pub(super) fn end_for_safety(core: &Core<'_>, user_id: i64, kept: Option<i64>) -> Result<usize> {
    invitations::end_of_sessions(core, user_id, kept)?;
    store::sessions::end_all(core.conn, user_id, kept, core.now)
}

/// The user, unless they may do nothing.
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

/// A session JWT, and what goes with it.
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
