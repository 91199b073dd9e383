//! The handle for an organization's directory: its people, teams, roles and kinds.

use super::Reads;
use crate::{
    domain::core::{record::Record, scope::Scope, state::Core},
    error::Result,
};

/// Write access to the directory of an organization. Obtained from a handle for the organization, or while creating or
/// joining it.
pub(in crate::domain) struct Directory<'c> {
    core: &'c Core<'c>,
    scope: Scope,
}

impl<'c> Directory<'c> {
    /// Creates the handle. The caller must hold a handle for the organization, or have just created or joined it.
    pub(in crate::domain) fn new(core: &'c Core<'c>, organization_id: String) -> Self {
        Self { core, scope: Scope::Directory { organization_id } }
    }

    /// Id of the organization.
    pub(in crate::domain) fn organization_id(&self) -> &str {
        self.scope.organization_id()
    }

    /// Rejects the request if its `If-Match` does not match `row`.
    pub(in crate::domain) fn expect<R: Record>(&self, row: &R) -> Result<()> {
        self.core.expect(row, row)
    }

    /// Like [`Self::expect`], for a row that is read in a different shape than it is written in.
    pub(in crate::domain) fn expect_as<R: Record>(&self, row: &R, shown: &impl serde::Serialize) -> Result<()> {
        self.core.expect(row, shown)
    }

    /// Writes a new row.
    pub(in crate::domain) fn create<R: Record>(&mut self, row: R) -> Result<R> {
        self.core.create(&self.scope, row)
    }

    /// Updates a row; writes nothing if both are equal.
    pub(in crate::domain) fn update<R: Record>(&mut self, before: &R, after: R) -> Result<R> {
        self.core.update(&self.scope, before, after)
    }

    /// Deletes a row.
    pub(in crate::domain) fn delete<R: Record>(&mut self, row: &R) -> Result<()> {
        self.core.delete(&self.scope, row)
    }
}

impl Reads for Directory<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}
