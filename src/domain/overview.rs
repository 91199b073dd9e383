//! All organizations and all workspaces, as the operator sees them.

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
    /// Never changes.
    pub id: String,
    /// Its name in commands and tokens.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// How many members it has.
    pub members: i64,
    /// How many living workspaces it has.
    pub workspaces: i64,
    /// Unix milliseconds.
    pub created_at: i64,
}

/// A workspace, living or deleted.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceOverview {
    /// What a deleted one is restored by.
    pub pk: i64,
    /// Its id; that of a deleted one may be another's by now.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Slug of its organization.
    pub org: String,
    /// Who sees it beside its members.
    pub visibility: Visibility,
    /// Login of the user who counts as its owner.
    pub owner: String,
    /// Moves with every write in it.
    pub revision: i64,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
    /// Unix milliseconds; none while it lives.
    pub deleted_at: Option<i64>,
}

/// All organizations, in order of creation.
pub fn organizations(tx: &SystemTx<'_>) -> Result<Vec<OrganizationOverview>> {
    store::overview::organizations(tx.core().conn)
}

/// All living workspaces, or all that can be restored, of one organization or of all; in order of creation.
pub fn workspaces(tx: &SystemTx<'_>, slug: Option<&str>, deleted: bool) -> Result<Vec<WorkspaceOverview>> {
    let core = tx.core();
    if let Some(slug) = slug {
        let known = store::organizations::id_by_slug(core.conn, slug)?;
        known.ok_or_else(|| Error::invalid("org", format!("there is no organization `{slug}`")))?;
    }
    let deleted_since = deleted.then_some(core.now - RESTORABLE_FOR);
    store::overview::workspaces(core.conn, slug, deleted_since)
}
