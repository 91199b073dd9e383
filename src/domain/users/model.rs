//! User accounts.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::values::{Login, Name},
};

/// A user account.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Id; never reused.
    pub id: i64,
    /// Login name.
    #[schema(example = "ada")]
    pub login: String,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Email address.
    #[schema(required)]
    pub email: Option<String>,
    /// Whether the email address is confirmed: the user opened a link that was sent to it, or an administrator or the
    /// identity provider set it. An address that is not confirmed does not link the account to an identity provider.
    pub email_confirmed: bool,
    /// URL of a profile image; a path on this server if the user has uploaded it.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
    /// Whether the user is an administrator of the instance.
    pub is_admin: bool,
    /// Whether the account is suspended. A suspended user has no access, with any credential.
    pub is_suspended: bool,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last sign-in, in Unix milliseconds; null if the user never signed in.
    #[schema(required)]
    pub last_login_at: Option<i64>,
}

/// A user account as other users see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Id of the user.
    pub id: i64,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Login name.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// URL of a profile image; a path on this server if the user has uploaded it.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
}

/// A new user with a password.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Login name.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Argon2id hash of the password.
    pub password_hash: String,
}

/// The fields of an account that its user controls.
pub(in crate::domain) struct OwnFields<'a> {
    pub display_name: &'a str,
    pub avatar_url: Option<&'a str>,
    pub email: Option<&'a str>,
    pub is_email_confirmed: bool,
}

/// A user account to insert.
pub(in crate::domain) struct NewUserRow<'a> {
    pub login: &'a str,
    pub display_name: &'a str,
    pub email: Option<&'a str>,
    /// Argon2id hash; none for an account without a password.
    pub password_hash: Option<&'a str>,
    pub is_admin: bool,
}
