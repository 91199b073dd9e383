//! Sessions.

use serde::{Deserialize, Deserializer, Serialize};

use super::current::SessionInfo;
use crate::{
    auth::{TokenHash, refresh::RefreshToken},
    clock::DAY,
    describe::ToSchema,
    domain::users::model::User,
};

/// How long a session lasts without renewal, in milliseconds.
pub const IDLE_LIFETIME: i64 = 14 * DAY;

/// How long a session lasts at most, with renewals, in milliseconds.
pub(in crate::domain) const LIFETIME: i64 = 90 * DAY;

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
    /// URL of a profile image; a path on this server if the user has uploaded it.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Email address.
    #[serde(default)]
    pub email: Option<String>,
    /// Whether the email address is confirmed: the user opened a link that was sent to it, or an administrator or the
    /// identity provider set it.
    #[serde(default)]
    pub email_confirmed: bool,
}

impl From<User> for SignedInUser {
    fn from(user: User) -> Self {
        let User { id, display_name, is_admin, login, avatar_url, email, email_confirmed, .. } = user;
        Self { id, display_name, is_admin, login: Some(login), avatar_url, email, email_confirmed }
    }
}

/// A new session: the response and the cookie values.
#[derive(Debug)]
pub struct NewSession {
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

/// A session of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Id; never reused.
    pub id: i64,
    /// Time when the session began, in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last renewal, in Unix milliseconds.
    pub last_used_at: i64,
    /// Time when the session expires unless it is renewed, in Unix milliseconds.
    pub expires_at: i64,
    /// User agent of the browser.
    #[schema(required, example = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0")]
    pub user_agent: Option<String>,
    /// Whether this session sent the request.
    pub is_current: bool,
}

/// An active session, found by one of its refresh tokens.
#[derive(Debug)]
pub(in crate::domain) struct Renewable {
    pub id: i64,
    pub user_id: i64,
    pub refresh_hash: TokenHash,
    pub previous_hash: Option<TokenHash>,
    pub successor: Option<Vec<u8>>,
    pub rotated_at: Option<i64>,
    /// Time at which the session ends regardless of renewals; none if the session did not start at the identity
    /// provider.
    pub ends_at: Option<i64>,
    pub created_at: i64,
}

/// Result of a renewal.
#[derive(Debug)]
pub enum Renewal {
    /// A new JWT and the next refresh token.
    Renewed(Box<SignedIn>, RefreshToken),
    /// The session is over or never existed.
    Over,
}
