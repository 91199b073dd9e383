//! Accounts as administrators and the operator create and change them.

use serde::Deserialize;

use crate::{
    auth::passwords::NewPassword,
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::{ContactEmail, Email, Login, Name, Slug},
    },
};

/// An account to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewAccount {
    /// Login used to sign in.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Email address.
    #[schema(nullable = false)]
    pub email: Option<Email>,
    /// Initial password. Without a password, the user cannot sign in until the operator sets one.
    #[schema(nullable = false)]
    pub password: Option<NewPassword>,
}

/// Account fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct AccountPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Whether the user is an instance administrator.
    #[schema(nullable = false)]
    pub is_admin: Option<bool>,
    /// Whether the account is suspended. A suspended account is rejected with any credential.
    #[schema(nullable = false)]
    pub is_suspended: Option<bool>,
    /// Email address that links the account to an identity provider: a sign-in through the provider with the same,
    /// verified address is matched to this user. An empty string removes the address.
    pub email: Option<ContactEmail>,
}

objects!(NewAccount, AccountPatch);

impl Input for NewAccount {}

impl Input for AccountPatch {
    const READ_ONLY: &'static [&'static str] =
        &["login", "displayName", "emailConfirmed", "avatarUrl", "provider", "createdAt", "lastLoginAt"];
}

/// The first account of an instance, or another administrator created by the operator.
#[derive(Debug, Clone)]
pub struct NewAdmin {
    /// Login name.
    pub login: Login,
    /// Display name.
    pub display_name: Name,
    /// Argon2id hash of the password.
    pub password_hash: String,
    /// Slug of the organization that they administer.
    pub organization_slug: Slug,
    /// Name of that organization, if it does not exist yet.
    pub organization_name: Name,
}
