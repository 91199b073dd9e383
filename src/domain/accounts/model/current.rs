//! The signed-in user.

use serde::{Deserialize, Serialize};

use crate::describe::ToSchema;

/// The signed-in user.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentUser {
    /// Id of the user.
    pub id: i64,
    /// Display name.
    #[schema(example = "Ada Lovelace")]
    pub display_name: String,
    /// Whether the user is an administrator of the instance.
    pub is_admin: bool,
    /// Where the account is managed: `local`, or by an external identity provider (`oidc`, `clerk`).
    #[schema(example = "local")]
    pub provider: String,
    /// Time of creation, in Unix milliseconds.
    pub created_at: i64,
    /// Login name.
    #[schema(required, example = "ada")]
    pub login: Option<String>,
    /// URL of a profile image; a path on this server if the user has uploaded it.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Email address.
    #[schema(required)]
    pub email: Option<String>,
    /// Whether the email address is confirmed: the user opened a link that was sent to it, or an administrator or the
    /// identity provider set it.
    pub email_confirmed: bool,
    /// Time of the last sign-in, in Unix milliseconds.
    #[schema(required)]
    pub last_login_at: Option<i64>,
    /// Whether the user can create organizations with this credential; always false for a token.
    #[serde(rename = "mayFoundOrganizations")]
    pub may_create_organizations: bool,
    /// The active organization and the kind of credential.
    pub session: SessionInfo,
}

/// The organization that a request acts in, and the kind of its credential.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    /// Id of the active organization.
    #[schema(required, example = "org_2x7Yk")]
    pub org_id: Option<String>,
    /// The caller's role in the active organization: `org:admin` or `org:member`.
    #[schema(required, example = "org:admin")]
    pub org_role: Option<String>,
    /// Slug of the active organization.
    #[schema(required, example = "acme")]
    pub org_slug: Option<String>,
    /// Whether the request was authenticated with an API token.
    pub is_api_token: bool,
}
