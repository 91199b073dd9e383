//! Links in emails to a user: to confirm an email address, and to set a new password.

use serde::{Deserialize, Serialize};

use crate::{
    auth::passwords::NewPassword,
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::Email,
    },
};

/// A link that confirms an email address, for its holder.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailConfirmation {
    /// The email address to confirm.
    #[schema(example = "ada@example.org")]
    pub email: String,
    /// Login name of the account.
    #[schema(example = "ada")]
    pub login: String,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
}

/// A link that sets a new password, for its holder.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordReset {
    /// Login name of the account.
    #[schema(example = "ada")]
    pub login: String,
    /// Display name of the account.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Expiration time in Unix milliseconds.
    pub expires_at: i64,
}

/// A request for a link that sets a new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PasswordResetRequest {
    /// Confirmed email address of the account.
    pub email: Email,
}

/// The new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ForgottenPassword {
    /// New password.
    pub password: NewPassword,
}

/// Nothing: the link in the path is sufficient.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct EmptyBody {}

objects!(PasswordResetRequest, ForgottenPassword, EmptyBody);
impl Input for PasswordResetRequest {}
impl Input for ForgottenPassword {}
impl Input for EmptyBody {}

/// A stored link and its account.
pub(in crate::domain) struct StoredLink {
    pub user_id: i64,
    pub email: String,
    pub expires_at: i64,
}
