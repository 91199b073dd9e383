//! The handle for comments in a workspace.

use std::ops::Deref;

use super::{Reach, Reads, ViewTx};
use crate::{
    domain::core::{state::Core, store},
    error::Result,
};

/// Access of a user to the comments of a workspace that they can read. `comments` checks the setting of the workspace, and
/// who wrote what.
pub struct CommentTx<'c> {
    view: ViewTx<'c>,
}

impl<'c> CommentTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)?;
        Ok(Self { view })
    }

    /// Rejects the request if its `If-Match` does not match the revision of a thread or message by the user `by`, which
    /// clients see as `shown`.
    pub(in crate::domain) fn expect_revision(
        &self,
        revision: i64,
        by: Option<i64>,
        shown: &impl serde::Serialize,
    ) -> Result<()> {
        let core = self.view.core();
        core.expect_tag(|tag| core.is_row_tag(tag, revision), revision, by, shown)
    }
}

impl<'c> Deref for CommentTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}
