//! Requests for edit access to a workspace.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects},
        users::model::Profile,
        values::{Message, RequestedLevel},
    },
};

/// A request for edit access to a workspace, by a user who can only view it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessRequest {
    /// User who requests access.
    pub user_id: i64,
    /// Workspace id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Requested access level.
    pub role: RequestedLevel,
    /// Message to the owners; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "I maintain the checkout service.")]
    pub message: Option<String>,
    /// Time of the request in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub requested_at: i64,
    /// Profile of the user.
    pub user: Profile,
}

/// An access request to make.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewAccessRequest {
    /// Requested access level. Default: `editor`.
    #[schema(nullable = false)]
    pub role: Option<RequestedLevel>,
    /// Message to the owners.
    #[schema(nullable = false)]
    pub message: Option<Message>,
}

objects!(NewAccessRequest);

impl Input for NewAccessRequest {
    const READ_ONLY: &'static [&'static str] = &["userId", "workspaceId", "requestedAt", "user"];
}

/// The caller's access request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MadeRequest {
    /// The request.
    pub request: AccessRequest,
    /// Whether the request was made now, and not earlier.
    pub is_new: bool,
}
