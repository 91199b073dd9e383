//! Access requests end with the transaction that changes the access of their user.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    change::Audience,
    state::Core,
    store::{self, access_requests},
    workspace::Workspace,
};
use crate::{domain::values::AccessLevel, error::Result};

/// Name of the event about access requests.
const EVENT: &str = "accessRequests";

/// Why an access request ended, for the audit log.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) enum RequestEnd {
    /// An owner declined it.
    Declined,
    /// The user withdrew it.
    Withdrawn,
    /// The user can edit the workspace now, or can no longer read it.
    AccessChanged,
}

impl RequestEnd {
    fn as_str(self) -> &'static str {
        match self {
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::AccessChanged => "access changed",
        }
    }
}

impl Core<'_> {
    /// Ends the requests in a workspace whose users can edit it now, or can no longer read it.
    pub(super) fn end_settled_requests(&self, workspace_pk: i64) -> Result<()> {
        self.end_settled(access_requests::users(self.conn, workspace_pk)?.into_iter().map(|user| (workspace_pk, user)))
    }

    /// Ends a user's requests in workspaces that they can edit now, or can no longer read.
    pub(super) fn end_settled_requests_of(&self, user_id: i64) -> Result<()> {
        self.end_settled(access_requests::workspaces(self.conn, user_id)?.into_iter().map(|pk| (pk, user_id)))
    }

    fn end_settled(&self, requests: impl Iterator<Item = (i64, i64)>) -> Result<()> {
        let mut affected = BTreeSet::new();
        for (workspace_pk, user_id) in requests {
            let Some(found) = store::scopes::by_pk(self.conn, workspace_pk)? else { continue };
            if !self.is_viewer(&found.workspace, user_id)? {
                self.delete_request(&found.workspace, user_id, RequestEnd::AccessChanged)?;
                affected.insert(workspace_pk);
            }
        }
        affected.into_iter().try_for_each(|workspace_pk| self.notify_owners(workspace_pk))
    }

    /// Whether a user can read the workspace and cannot edit it.
    fn is_viewer(&self, workspace: &Workspace, user_id: i64) -> Result<bool> {
        Ok(self.level_of(workspace, user_id)? == Some(AccessLevel::Viewer))
    }

    /// Records a new request, and notifies the owners and its user.
    pub(in crate::domain) fn announce_access_request(&self, workspace: &Workspace, user_id: i64) -> Result<()> {
        let details = json!({ "workspacePk": workspace.pk, "userId": user_id });
        self.record_request("access-request.create", workspace, user_id, &details)?;
        self.notify_owners(workspace.pk)
    }

    /// Deletes a request, and notifies the owners and its user. Returns whether there was one.
    pub(in crate::domain) fn end_access_request(
        &self,
        workspace: &Workspace,
        user_id: i64,
        why: RequestEnd,
    ) -> Result<bool> {
        let is_deleted = self.delete_request(workspace, user_id, why)?;
        if is_deleted {
            self.notify_owners(workspace.pk)?;
        }
        Ok(is_deleted)
    }

    fn delete_request(&self, workspace: &Workspace, user_id: i64, why: RequestEnd) -> Result<bool> {
        if !access_requests::delete(self.conn, workspace.pk, user_id)? {
            return Ok(false);
        }
        let details = json!({ "workspacePk": workspace.pk, "userId": user_id, "why": why.as_str() });
        self.record_request("access-request.delete", workspace, user_id, &details)?;
        Ok(true)
    }

    /// Records an audit event about a user's request, and notifies the user.
    fn record_request(&self, kind: &str, workspace: &Workspace, user_id: i64, details: &Value) -> Result<()> {
        store::audit::insert(self.conn, self.origin(), kind, self.actor(), workspace.org_id.as_deref(), details)?;
        let requested_at = access_requests::requested_at(self.conn, workspace.pk, user_id)?;
        let data = json!({ "accessRequestedAt": requested_at }).to_string();
        self.notify_after_commit(workspace.pk, Audience::User(user_id), EVENT, data);
        Ok(())
    }

    fn notify_owners(&self, workspace_pk: i64) -> Result<()> {
        let data = json!({ "accessRequests": access_requests::count(self.conn, workspace_pk)? }).to_string();
        self.notify_after_commit(workspace_pk, Audience::Owners, EVENT, data);
        Ok(())
    }
}

impl Workspace {
    /// Sets the caller's access level, and what the caller learns about access requests: owners their number, others
    /// the time of their own.
    pub(super) fn seen_by(mut self, core: &Core<'_>, level: AccessLevel) -> Result<Self> {
        self.my_role = Some(level);
        self.is_protected = self.is_protected_from(level).then_some(true);
        match level {
            AccessLevel::Owner => self.access_requests = Some(access_requests::count(core.conn, self.pk)?),
            AccessLevel::Viewer if self.base_pk.is_none() => {
                let user_id = core.caller()?.user_id;
                self.access_requested_at = access_requests::requested_at(core.conn, self.pk, user_id)?;
            }
            AccessLevel::Viewer | AccessLevel::Editor => {}
        }
        Ok(self)
    }
}
