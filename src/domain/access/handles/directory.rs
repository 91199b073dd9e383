//! The handle on an organization's directory: its people, teams and roles.

use super::{
    super::{core::Core, record::Record, scope::Scope},
    Reads,
};
use crate::error::Result;

/// Writes in the directory of an organization. Whoever holds it got it from a handle on that organization, or does what
/// follows from founding or joining it.
pub(in crate::domain) struct Directory<'c> {
    core: &'c Core<'c>,
    scope: Scope,
}

impl<'c> Directory<'c> {
    /// The directory of an organization. The caller has a handle on it, or has just created or joined it.
    pub(in crate::domain) fn new(core: &'c Core<'c>, organization_id: String) -> Self {
        Self { core, scope: Scope::Directory { organization_id } }
    }

    /// Whose directory it is.
    pub(in crate::domain) fn organization_id(&self) -> &str {
        self.scope.organization_id()
    }

    /// Refuses the request when its `If-Match` names another state of `row`.
    pub(in crate::domain) fn expect<R: Record>(&self, row: &R) -> Result<()> {
        self.core.expect(row, row)
    }

    /// The same for a row that is read in another shape than it is written in.
    pub(in crate::domain) fn expect_as<R: Record>(&self, row: &R, shown: &impl serde::Serialize) -> Result<()> {
        self.core.expect(row, shown)
    }

    /// Writes a new row.
    pub(in crate::domain) fn create<R: Record>(&mut self, row: R) -> Result<R> {
        self.core.create(&self.scope, row)
    }

    /// Writes a row over another; when they are equal, nothing.
    pub(in crate::domain) fn update<R: Record>(&mut self, before: &R, after: R) -> Result<R> {
        self.core.update(&self.scope, before, after)
    }

    /// Removes a row.
    pub(in crate::domain) fn delete<R: Record>(&mut self, row: &R) -> Result<()> {
        self.core.delete(&self.scope, row)
    }
}

impl Reads for Directory<'_> {
    fn core(&self) -> &Core<'_> {
        self.core
    }
}
