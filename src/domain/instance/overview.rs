//! Lists of all organizations and workspaces, for the operator.

pub use super::model::{OrganizationOverview, WorkspaceOverview};
use super::store;
use crate::{
    domain::{
        core::{Reads, SystemTx},
        map::workspaces::RESTORABLE_FOR,
        organizations,
    },
    error::{Error, Result},
};

/// Lists all organizations, in creation order.
pub fn organizations(tx: &SystemTx<'_>) -> Result<Vec<OrganizationOverview>> {
    store::overview::organizations(tx.core().conn)
}

/// Lists workspaces of one organization or of all, in creation order: either those that are not deleted, or the deleted
/// ones that can be restored.
pub fn workspaces(tx: &SystemTx<'_>, slug: Option<&str>, deleted: bool) -> Result<Vec<WorkspaceOverview>> {
    let core = tx.core();
    if let Some(slug) = slug {
        let known = organizations::id_by_slug(core.conn, slug)?;
        known.ok_or_else(|| {
            Error::invalid("org", format!("there is no organization `{slug}`; `planroom org list` lists all"))
        })?;
    }
    let deleted_since = deleted.then_some(core.now - RESTORABLE_FOR);
    store::overview::workspaces(core.conn, slug, deleted_since)
}
