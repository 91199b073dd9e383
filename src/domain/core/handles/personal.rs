//! Handle for the data of a user in a workspace that only this user sees.

use std::ops::Deref;

use super::{Reach, Reads, ViewTx};
use crate::{
    domain::core::{state::Core, store},
    error::Result,
};

/// Access of a user to their own data in a workspace that they can read.
pub struct PersonalTx<'c> {
    view: ViewTx<'c>,
}

impl<'c> PersonalTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)?;
        Ok(Self { view })
    }

    /// Rejects the request if its `If-Match` does not match the revision of a row, which clients see as `shown`.
    pub(in crate::domain) fn expect_revision(&self, revision: i64, shown: &impl serde::Serialize) -> Result<()> {
        let core = self.view.core();
        core.expect_tag(|tag| core.is_row_tag(tag, revision), revision, core.actor(), shown)
    }
}

impl<'c> Deref for PersonalTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}
