//! What a caller can do about an error.

use serde::Serialize;

use crate::describe::ToSchema;

/// What to do about an error. Each transport says it in its own words, with the name of an endpoint, a tool, a command or
/// a button.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Remedy {
    /// Start a draft of the workspace and make the change there.
    StartDraft {
        /// Workspace id.
        #[serde(rename = "workspaceId")]
        workspace_id: String,
    },
    /// Change the role of the team member.
    UpdateTeamMember,
    /// List the types of the catalogue.
    ListTypes,
    /// List the settings.
    ListSettings,
    /// List the views of the workspace.
    ListViews {
        /// Workspace id.
        #[serde(rename = "workspaceId")]
        workspace_id: String,
    },
    /// Read the earlier state of the workspace itself, without an image.
    ReadEarlierState,
    /// Upload the photo.
    UploadPhoto,
    /// Import under another id, or replace the workspace.
    ImportElsewhere,
    /// Select one of the organizations that have such a row.
    SelectOrganization,
    /// Delete it although it is used.
    DeleteAnyway,
    /// List the change sets of the workspace.
    ListChanges,
    /// List the people and teams.
    ListPeopleAndTeams,
}
