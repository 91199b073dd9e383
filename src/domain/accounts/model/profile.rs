//! The profile of an account, as its user changes it.

use serde::Deserialize;

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::{ContactEmail, Name, PhotoPatch},
    },
};

/// Fields of the caller's account to update. Absent fields stay unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ProfilePatch {
    /// Display name.
    #[schema(nullable = false)]
    pub display_name: Option<Name>,
    /// URL of a profile image; `""` removes it. Upload an image with `PUT /api/me/photo`.
    #[schema(nullable = false)]
    pub avatar_url: Option<PhotoPatch>,
    /// Email address; `""` removes it. It does not link the account to an identity provider.
    #[schema(nullable = false)]
    pub email: Option<ContactEmail>,
    /// Current password. Required to change the email address if the account has a password.
    #[schema(nullable = false, format = Password, max_length = 1_000)]
    pub password: Option<String>,
}

objects!(ProfilePatch);

impl Input for ProfilePatch {
    const READ_ONLY: &'static [&'static str] = &["id", "isAdmin", "login", "emailConfirmed"];
}
