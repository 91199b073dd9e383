//! Connected apps and their OAuth clients.

use serde::{Deserialize, Serialize};

use crate::describe::ToSchema;

/// Maximum number of redirect URIs per client.
pub(in crate::domain::accounts) const MAX_REDIRECT_URIS: usize = 10;
/// Maximum length of a client name, in characters.
pub(in crate::domain::accounts) const MAX_CLIENT_NAME_CHARS: usize = 200;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_CLIENT_NAME_CHARS == 200 && MAX_REDIRECT_URIS == 10);

/// Client metadata for registration. Unknown fields are ignored.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewClient {
    /// Display name of the client.
    #[serde(default)]
    #[schema(nullable = false, max_length = 200, example = "Claude")]
    pub client_name: Option<String>,
    /// Redirect URIs: https, http on the local machine, or an address listed in the server's configuration.
    #[schema(min_items = 1, max_items = 10, example = json!(["http://127.0.0.1:33418/callback"]))]
    pub redirect_uris: Vec<String>,
    /// `none`, the only supported value: clients are public and cannot keep a secret.
    #[serde(default)]
    #[schema(nullable = false, example = "none")]
    pub token_endpoint_auth_method: Option<String>,
}

/// A registered client.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OAuthClient {
    /// Client id.
    #[schema(example = "mcp_0190b1f4c0de7c0f8f6e2a51c3a5d7e1")]
    pub client_id: String,
    /// Registration time in Unix seconds.
    pub client_id_issued_at: i64,
    /// Display name of the client.
    #[schema(example = "Claude")]
    pub client_name: String,
    /// Registered redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Always `none`.
    pub token_endpoint_auth_method: String,
    /// Grant types that the client can use.
    pub grant_types: Vec<String>,
    /// Response types that the client can use.
    pub response_types: Vec<String>,
}

/// A connected app: an app that may act for the user in one organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connector {
    /// Client id of the app.
    #[schema(example = "mcp_0190b1f4c0de7c0f8f6e2a51c3a5d7e1")]
    pub client_id: String,
    /// Display name of the app.
    #[schema(example = "Claude")]
    pub name: String,
    /// Id of the organization in which the app may act.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Whether the app has write access.
    pub can_write: bool,
    /// Time of the first authorization in Unix milliseconds.
    pub created_at: i64,
    /// Time of last use in Unix milliseconds, accurate to one minute.
    #[schema(required)]
    pub last_used_at: Option<i64>,
}
