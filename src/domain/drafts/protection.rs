//! Protection of workspaces.

use serde_json::json;

use super::{
    model::{ProtectionPatch, WorkspaceProtection},
    notify_followers,
};
use crate::{
    domain::{
        core::{OwnTx, Protection, Reads, ViewTx, set_protection},
        values::AccessLevel,
    },
    error::{Error, Problem, Result},
};

/// Maximum number of approvals that a workspace can require.
const MAX_APPROVALS: i64 = 10;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_APPROVALS == 10);

/// The protection that is set without further fields.
const DEFAULT: Protection = Protection { required_approvals: 1, owners_exempt: true };

/// Reads the protection of a workspace. A draft is not protected.
pub fn protection(tx: &ViewTx<'_>) -> Result<WorkspaceProtection> {
    let workspace = tx.workspace();
    let can_bypass = workspace.my_role >= Some(AccessLevel::Editor) && workspace.is_protected != Some(true);
    Ok(state(workspace.protection, can_bypass))
}

fn state(protection: Option<Protection>, can_bypass: bool) -> WorkspaceProtection {
    WorkspaceProtection {
        protected: protection.is_some(),
        required_approvals: protection.map_or(0, |protection| protection.required_approvals),
        owners_exempt: protection.unwrap_or(DEFAULT).owners_exempt,
        can_bypass,
    }
}

/// Sets the protection of a workspace, as an owner. It is not part of the map: undo and restore do not change it.
pub fn protect(tx: &mut OwnTx<'_>, patch: &ProtectionPatch) -> Result<WorkspaceProtection> {
    if let Some(approvals) = patch.required_approvals
        && !(0..=MAX_APPROVALS).contains(&approvals)
    {
        return Err(Error::invalid("requiredApprovals", Problem::range(0, 10)));
    }
    let before = tx.workspace().protection;
    let was = before.unwrap_or(DEFAULT);
    let wanted = Protection {
        required_approvals: patch.required_approvals.unwrap_or(was.required_approvals),
        owners_exempt: patch.owners_exempt.unwrap_or(was.owners_exempt),
    };
    let after = patch.protected.unwrap_or(before.is_some()).then_some(wanted);
    if after.is_none() && (patch.required_approvals.is_some() || patch.owners_exempt.is_some()) {
        let text = "must be true for `requiredApprovals` and `ownersExempt`";
        return Err(Error::invalid("protected", text));
    }
    if after != before {
        let core = tx.core();
        set_protection(core.conn, tx.pk(), after)?;
        let details = json!({
            "workspacePk": tx.pk(),
            "requiredApprovals": after.map(|after| after.required_approvals),
            "ownersExempt": after.map(|after| after.owners_exempt),
        });
        core.audit("workspace.protect", core.actor(), &details)?;
        notify_followers(core, tx.pk(), None, "protection");
    }
    Ok(state(after, after.is_none_or(|after| after.owners_exempt)))
}
