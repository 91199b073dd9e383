//! What to do about an error, in the words of the REST API.

use crate::error::Remedy;

/// The instruction for API clients, which completes the text of the error.
pub(super) fn instruction(remedy: &Remedy) -> String {
    match remedy {
        Remedy::StartDraft { workspace_id } => {
            format!(
                "to propose the change, start a draft with POST /api/workspaces/{workspace_id}/drafts and make it there"
            )
        }
        Remedy::UpdateTeamMember => "PATCH changes their role".into(),
        Remedy::ListTypes => "GET /api/schema lists them".into(),
        Remedy::ListSettings => "GET /api/admin/settings lists them".into(),
        Remedy::ListViews { workspace_id } => format!("GET /api/workspaces/{workspace_id}/views lists its views"),
        Remedy::ReadEarlierState => "GET /api/workspaces/{id}?at= returns earlier ones".into(),
        Remedy::UploadPhoto => "upload the image with PUT /api/me/photo".into(),
        Remedy::ImportElsewhere => "import under another with `?id=`, or over it with `?replace=true`".into(),
        Remedy::SelectOrganization => "select one with `?orgId=`".into(),
        Remedy::DeleteAnyway => "`?force=true` deletes it anyway".into(),
        Remedy::ListChanges => "GET /api/workspaces/{id}/history lists them".into(),
        Remedy::ListPeopleAndTeams => "GET /api/people and GET /api/teams list them".into(),
    }
}
