//! Requests that write workspaces, and workspaces in lists.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::Workspace,
        input::{Input, objects, stamped},
        values::{Id, Name, OrganizationAccess, Properties, Text, Visibility, words},
    },
};

/// A workspace in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedWorkspace {
    /// Id of the workspace.
    #[serde(flatten)]
    pub workspace: Workspace,
    /// Key to restore a deleted workspace; absent otherwise. Another workspace may use the id of a deleted one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pk: Option<i64>,
}

/// Fields of a new workspace.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewWorkspace {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Visibility. Default: `org`.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// What members of the organization can do while the visibility is `org`. Default: `view`.
    #[schema(nullable = false)]
    pub organization_access: Option<OrganizationAccess>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Whether to start with the sample system instead of an empty map. Default: false.
    #[serde(default)]
    #[schema(nullable = false)]
    pub sample: Option<bool>,
    /// Template to start with instead of an empty map, without `sample`. Default: `blank`.
    #[schema(nullable = false)]
    pub template: Option<Template>,
}

words! {
    /// What a new workspace contains; see `GET /api/templates`.
    Template {
        /// Nothing.
        Blank = "blank",
        /// A web application in layers.
        LayeredWebApplication = "layered-web-application",
        /// Services that exchange events.
        EventDriven = "event-driven",
        /// A cloud environment with shared services.
        CloudLandingZone = "cloud-landing-zone",
    }
}

/// Fields of a copy of a workspace. Absent fields are as in the original, unless they say otherwise.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewDuplicate {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Name. Default: "Copy of" and the name of the original.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Visibility.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// What members of the organization can do while the visibility is `org`.
    #[schema(nullable = false)]
    pub organization_access: Option<OrganizationAccess>,
}

/// Fields of a workspace to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WorkspacePatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Visibility. Only an owner can change it.
    #[schema(nullable = false)]
    pub visibility: Option<Visibility>,
    /// What members of the organization can do while the visibility is `org`. Only an owner can change it.
    #[schema(nullable = false)]
    pub organization_access: Option<OrganizationAccess>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// The deleted workspace to restore.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WorkspaceRestoreRequest {
    /// Key from the list of deleted workspaces.
    pub pk: i64,
    /// New id. Required if another workspace uses the old one.
    #[schema(nullable = false)]
    pub id: Option<Id>,
}

/// Fields of a workspace in responses that a client cannot write.
const ROW: &[&str] = stamped!("" ["ownerUserId", "myRole", "accessRequests", "accessRequestedAt", "pk", "deletedAt"]);

objects!(NewWorkspace, NewDuplicate, WorkspacePatch, WorkspaceRestoreRequest);
impl Input for NewWorkspace {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for WorkspacePatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for NewDuplicate {}
impl Input for WorkspaceRestoreRequest {}
