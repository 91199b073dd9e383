//! The workspace row, which determines who has access to the workspace's contents.

use serde::{Deserialize, Serialize};

use super::record::RowMetadata;
use crate::{
    describe::ToSchema,
    domain::values::{AccessLevel, OrganizationAccess, Properties, Visibility},
};

/// A workspace: a map and everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Internal key of the workspace. If an id is deleted and used again, the new workspace has another key.
    #[serde(skip)]
    pub pk: i64,
    /// Key of the workspace that this is a draft of. Who can access a draft depends on that workspace.
    #[serde(skip)]
    pub base_pk: Option<i64>,
    /// How the workspace is protected; none if editors can change it directly.
    #[serde(skip)]
    pub protection: Option<Protection>,
    /// Workspace id, chosen by the caller and unique in the instance among workspaces that are not deleted.
    #[schema(example = "web-shop")]
    pub id: String,
    /// Display name.
    #[schema(example = "Web shop")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// User id of the owner: the creator, a user that an owner appointed, or the longest-standing remaining owner.
    pub owner_user_id: i64,
    /// Organization id. It never changes.
    #[schema(required)]
    pub org_id: Option<String>,
    /// Who can access the workspace besides its members.
    pub visibility: Visibility,
    /// What members of the organization can do in the workspace while its visibility is `org`. Without effect for other
    /// visibilities.
    #[schema(required)]
    pub organization_access: OrganizationAccess,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps and authors. The revision increases with every write in the workspace.
    #[serde(flatten)]
    pub metadata: RowMetadata,
    /// Access level of the caller; null for an instance administrator with read access only.
    #[schema(required)]
    pub my_role: Option<AccessLevel>,
    /// Number of open access requests; absent unless the caller is an owner.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub access_requests: Option<i64>,
    /// Time at which the caller requested edit access, in Unix milliseconds; absent without an open request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub access_requested_at: Option<i64>,
    /// Id of the workspace that this is a draft of; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub base_id: Option<String>,
    /// Whether the caller can change the map only by a draft; absent if not.
    #[serde(rename = "protected", skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub is_protected: Option<bool>,
    /// Time of deletion in Unix milliseconds; absent if not deleted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub deleted_at: Option<i64>,
}

impl Workspace {
    /// Names of the fields that depend on the reader.
    pub(in crate::domain) const READER_FIELDS: [&str; 5] =
        ["myRole", "accessRequests", "accessRequestedAt", "baseId", "protected"];

    /// The workspace without the fields that depend on the reader, as it is stored.
    pub(in crate::domain) fn stored(self) -> Self {
        Self {
            my_role: None,
            access_requests: None,
            access_requested_at: None,
            base_id: None,
            is_protected: None,
            ..self
        }
    }

    /// The workspace with the fields that depend on the reader from `seen`.
    pub(in crate::domain) fn seen_like(self, seen: &Self) -> Self {
        let Self { base_pk, protection, my_role, access_requests, access_requested_at, is_protected, .. } = *seen;
        let base_id = seen.base_id.clone();
        Self { base_pk, protection, my_role, access_requests, access_requested_at, base_id, is_protected, ..self }
    }

    /// The key of the workspace whose members and settings apply: its base, if this is a draft.
    pub(in crate::domain) fn access_pk(&self) -> i64 {
        self.base_pk.unwrap_or(self.pk)
    }

    /// Whether a user with this access level can change the map only by a draft.
    pub(in crate::domain) fn is_protected_from(&self, level: AccessLevel) -> bool {
        self.protection.is_some_and(|protection| !(protection.owners_exempt && level == AccessLevel::Owner))
    }

    /// Who can access the workspace besides its members, and how. Only owners change it.
    pub(in crate::domain) fn sharing(&self) -> (Visibility, OrganizationAccess) {
        (self.visibility, self.organization_access)
    }
}

/// How a workspace is protected: it changes only when drafts are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protection {
    /// Number of approvals that a draft needs.
    pub required_approvals: i64,
    /// Whether owners can change the workspace directly, and merge drafts without approvals.
    pub owners_exempt: bool,
}

/// Identifies a workspace: by its key in SQL and by its id in responses.
pub(in crate::domain) struct WorkspaceKey<'a> {
    pub pk: i64,
    pub id: &'a str,
}
