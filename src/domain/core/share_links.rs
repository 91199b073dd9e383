//! Share links pause in the transaction that takes the permission from their owners.

use serde_json::json;

use super::{
    handles::level_of_member,
    state::Core,
    store::{
        self,
        share_links::{self, RunningLink},
    },
    workspace::Workspace,
};
use crate::{domain::values::AccessLevel, error::Result};

impl Core<'_> {
    /// Whether a user is active and an owner of the workspace. The workspace can be deleted.
    pub(in crate::domain) fn is_owner(&self, workspace: &Workspace, user_id: i64) -> Result<bool> {
        Ok(self.level_of(workspace, user_id)? == Some(AccessLevel::Owner))
    }

    /// The access level of a user in a workspace; none for suspended users.
    pub(in crate::domain) fn level_of(&self, workspace: &Workspace, user_id: i64) -> Result<Option<AccessLevel>> {
        let organization_id = workspace.org_id.as_deref().unwrap_or_default();
        let account = store::callers::account(self.conn, user_id)?.filter(|account| !account.is_suspended);
        let organization = store::callers::active_organization(self.conn, organization_id, user_id)?;
        let Some((_, organization)) = account.zip(organization) else { return Ok(None) };
        let membership = store::scopes::workspace_level(self.conn, workspace.pk, user_id)?;
        Ok(level_of_member(organization.role, membership, workspace))
    }

    /// Pauses the links in a workspace whose owners can no longer share it.
    pub(super) fn pause_links_in(&self, workspace_pk: i64) -> Result<()> {
        self.pause_unowned(share_links::running_in(self.conn, workspace_pk)?)
    }

    /// Pauses the links of a user in workspaces that the user can no longer share.
    pub(super) fn pause_links_of(&self, user_id: i64) -> Result<()> {
        self.pause_unowned(share_links::running_of(self.conn, user_id)?)
    }

    fn pause_unowned(&self, links: Vec<RunningLink>) -> Result<()> {
        for (id, workspace_pk, owner_id) in links {
            let Some(found) = store::scopes::by_pk(self.conn, workspace_pk)? else { continue };
            let workspace = found.workspace;
            if self.is_owner(&workspace, owner_id)? {
                continue;
            }
            share_links::pause(self.conn, &id, self.now)?;
            let details = json!({ "shareId": id, "workspacePk": workspace_pk, "userId": owner_id });
            let organization = workspace.org_id.as_deref();
            store::audit::insert(self.conn, self.origin(), "share.pause", self.actor(), organization, &details)?;
        }
        Ok(())
    }

    /// Ends what depends on who can access a workspace: access requests that are settled, and share links. Every
    /// transaction that changes members or the workspace itself does this.
    pub(super) fn settle_access_in(&self, workspace_pk: i64) -> Result<()> {
        self.end_settled_requests(workspace_pk)?;
        self.pause_links_in(workspace_pk)
    }

    /// Ends what depends on the workspaces that a user can access: access requests that are settled, and share links. Call
    /// this after every change of a membership in an organization, and after a suspension.
    pub(in crate::domain) fn settle_access_of(&self, user_id: i64) -> Result<()> {
        self.end_settled_requests_of(user_id)?;
        self.pause_links_of(user_id)
    }
}
