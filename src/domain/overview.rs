//! Lists of all organizations and workspaces, for the operator.

use serde::Serialize;

use super::{
    access::{Reads, SystemTx},
    store,
    values::Visibility,
    workspaces::RESTORABLE_FOR,
};
use crate::error::{Error, Result};

/// An organization.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationOverview {
    /// Organization id. It never changes.
    pub id: String,
    /// Name in commands and tokens.
    pub slug: String,
    /// Display name.
    pub name: String,
    /// Number of members.
    pub members: i64,
    /// Number of workspaces that are not deleted.
    pub workspaces: i64,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
}

/// A workspace, deleted or not.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceOverview {
    /// Internal key, used to restore a deleted workspace.
    pub pk: i64,
    /// Workspace id. The id of a deleted workspace may be in use by another workspace.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Slug of the organization.
    pub org: String,
    /// Who can access the workspace besides its members.
    pub visibility: Visibility,
    /// Login of the owner.
    pub owner: String,
    /// Revision, which increases with every write in the workspace.
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    pub created_at: i64,
    /// Time of the last update in Unix milliseconds.
    pub updated_at: i64,
    /// Time of deletion in Unix milliseconds; none if not deleted.
    pub deleted_at: Option<i64>,
}

/// Lists all organizations, in creation order.
pub fn organizations(tx: &SystemTx<'_>) -> Result<Vec<OrganizationOverview>> {
    store::overview::organizations(tx.core().conn)
}

/// Lists workspaces of one organization or of all, in creation order: either those that are not deleted, or the deleted
/// ones that can be restored.
pub fn workspaces(tx: &SystemTx<'_>, slug: Option<&str>, deleted: bool) -> Result<Vec<WorkspaceOverview>> {
    let core = tx.core();
    if let Some(slug) = slug {
        let known = store::organizations::id_by_slug(core.conn, slug)?;
        known.ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
    }
    let deleted_since = deleted.then_some(core.now - RESTORABLE_FOR);
    store::overview::workspaces(core.conn, slug, deleted_since)
}
