//! Signing in: from a login and a password to a session and its JWT.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{
    access::{PublicTx, Reads},
    store,
    users::SessionInfo,
};
use crate::{
    auth::{Claims, jwt},
    clock::{DAY, SECOND},
    error::{Error, Result},
};

/// How long a session lasts at the most, however often it is renewed.
const SESSION_LIFETIME: i64 = 90 * DAY;

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

/// A user who may turn out to be who they say, and the hash to hold their password against.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// User id.
    pub user_id: i64,
    /// Argon2id hash; none for accounts without a password.
    pub password_hash: Option<String>,
}

/// Looks up a login.
pub fn candidate(tx: &PublicTx<'_>, login: &str) -> Result<Option<Candidate>> {
    let found = store::users::by_login(tx.core().conn, login)?;
    Ok(found.map(|(user, password_hash)| Candidate { user_id: user.id, password_hash }))
}

/// Notes that somebody failed to sign in.
pub fn refused(tx: &mut PublicTx<'_>, user_id: Option<i64>) -> Result<()> {
    tx.core().audit("session.refuse", None, &json!({ "userId": user_id }))
}

/// Begins a session for a user whose password was right. Without `organization_id`, the one they joined first is active.
pub fn begin(tx: &mut PublicTx<'_>, user_id: i64, organization_id: Option<&str>) -> Result<SignedIn> {
    let core = tx.core();
    let user = store::users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if user.is_suspended {
        return Err(Error::Suspended);
    }
    let organization = match organization_id {
        None => store::organizations::first_of(core.conn, user_id)?,
        Some(id) => {
            let active = store::organizations::active(core.conn, id, user_id)?;
            Some(active.ok_or(Error::NotFound("organization"))?)
        }
    };
    let sid = store::sessions::insert(core.conn, user_id, core.now, core.now + SESSION_LIFETIME)?;
    store::users::signed_in(core.conn, user_id, core.now)?;
    core.audit("session.begin", Some(user_id), &json!({ "sessionId": sid }))?;
    let session = SessionInfo {
        org_id: organization.as_ref().map(|o| o.id.clone()),
        org_role: organization.as_ref().map(|o| o.role.as_str().to_owned()),
        org_slug: organization.as_ref().map(|o| o.slug.clone()),
        is_api_token: false,
    };
    let settings = &core.shared.sessions;
    let issued = core.now / SECOND;
    let expires = issued + settings.token_lifetime / SECOND;
    let claims = Claims {
        iss: settings.issuer.clone(),
        sub: user_id.to_string(),
        sid,
        org_id: session.org_id.clone(),
        org_role: session.org_role.clone(),
        org_slug: session.org_slug.clone(),
        iat: issued,
        exp: expires,
    };
    Ok(SignedIn {
        token: jwt::sign(&claims, &core.shared.keys)?,
        expires_at: expires * SECOND,
        user: SignedInUser {
            id: user.id,
            display_name: user.display_name,
            is_admin: user.is_admin,
            login: Some(user.login),
            avatar_url: user.avatar_url,
        },
        session,
    })
}
