//! Personal access tokens.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        values::Name,
    },
};

/// A token as its owner sees it. The plaintext is not stored.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Id; never reused.
    pub id: i64,
    /// Name that describes the purpose of the token.
    #[schema(example = "ci")]
    pub name: String,
    /// First characters of the plaintext.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Organization that the token is bound to; null for tokens created before tokens were bound to organizations.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Time of last use, in Unix milliseconds; accurate to one minute.
    #[schema(required)]
    pub last_used_at: Option<i64>,
    /// Time of revocation, in Unix milliseconds; null while the token is active.
    #[schema(required)]
    pub revoked_at: Option<i64>,
}

/// Fields of a new token.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewToken {
    /// Name that describes the purpose of the token.
    pub name: Name,
}

/// A created token. The plaintext is shown only here.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedToken {
    /// Id of the token, to list and revoke it.
    pub id: i64,
    /// Plaintext of the token.
    #[schema(example = "svc_pat_9fK2…")]
    pub token: String,
    /// First characters of the plaintext.
    #[schema(example = "svc_pat_9fK2")]
    pub prefix: String,
    /// Name that describes the purpose of the token.
    pub name: String,
    /// Organization that the token is bound to; null if none.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Human-readable note about that organization.
    #[schema(example = "This token works in the organization Acme (acme) only.")]
    pub hint: String,
}

objects!(NewToken);
impl Input for NewToken {}
