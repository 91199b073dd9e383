//! Requests and responses of the sign-in steps.

use serde::{Deserialize, Serialize};

use crate::{
    auth::passwords::NewPassword,
    describe::ToSchema,
    domain::{
        accounts::{identity::EarlierAccess, two_factor::Method},
        values::{Login, Name},
    },
};

/// Maximum length of a password that is hashed, in bytes.
pub(super) const MAX_PASSWORD_BYTES: usize = 1_000;
/// Maximum length of a code, in characters.
pub(super) const MAX_CODE_CHARS: usize = 100;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_CODE_CHARS == 100 && MAX_PASSWORD_BYTES == 1_000);

/// A challenge to answer before a session starts.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Challenge {
    /// Id of the challenge, for `challengeId` in the answer; valid for five minutes.
    pub id: String,
    /// Accepted kinds of codes.
    pub methods: Vec<Method>,
}

/// Answer to a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ChallengeVerification {
    /// `id` of the challenge.
    #[schema(max_length = 2000)]
    pub challenge_id: String,
    /// Kind of the code.
    pub method: Method,
    /// The code. Spaces and dashes are ignored.
    #[schema(example = "287082", max_length = 100)]
    pub code: String,
}

/// A decision about linking an account to the identity provider.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct LinkDecision {
    /// Id of the pending link.
    #[schema(example = "k3J0mXw2Z1qYb7Tt", max_length = 100)]
    pub id: String,
    /// What happens to existing access. `keep`: the account keeps its password, sessions, tokens, and connected apps.
    /// `end`: they end.
    pub access: EarlierAccess,
    /// Password of the account. Required for `keep`.
    #[schema(format = Password, max_length = 1_000, nullable = false)]
    pub password: Option<String>,
    /// Code from the authenticator app, or a recovery code. Required for `keep` if the account has two-factor
    /// authentication. Spaces and dashes are ignored.
    #[schema(example = "287082", max_length = 100, nullable = false)]
    pub code: Option<String>,
}

/// Fields of the first account of an instance.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct InstanceSetup {
    /// Token from the link that the server printed at startup.
    pub(super) token: String,
    /// Login name.
    pub(super) login: Login,
    /// Display name.
    pub(super) display_name: Name,
    /// Password.
    pub(super) password: NewPassword,
    /// Name of the first organization.
    pub(super) organization: Name,
}
