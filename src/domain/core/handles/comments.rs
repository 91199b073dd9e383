//! The handle for comments in a workspace.

use std::ops::Deref;

use super::{Reach, Reads, ViewTx};
use crate::{
    domain::{
        core::{state::Core, store},
        values::AccessLevel,
    },
    error::Result,
};

/// Access of a user to the comments of a workspace that they can read. `comments` checks the setting of the workspace, and
/// who wrote what.
pub struct CommentTx<'c> {
    view: ViewTx<'c>,
    /// The access level in the base, if this is a draft.
    base_level: Option<AccessLevel>,
}

impl<'c> CommentTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let reach = Reach::own(core.caller()?)?;
        let view = ViewTx::enter(core, &reach, store::scopes::living(core.conn, id)?)?;
        let base_level = match view.workspace().base_pk {
            Some(base) => ViewTx::enter(core, &reach, store::scopes::by_pk(core.conn, base)?)?.workspace().my_role,
            None => None,
        };
        Ok(Self { view, base_level })
    }

    /// Whether the caller has at least this access level. A draft has no owner, and is read-only after its end: editors
    /// and owners of its base moderate the comments in it.
    pub(in crate::domain) fn is_at_least(&self, level: AccessLevel) -> bool {
        self.view.workspace().my_role.max(self.base_level) >= Some(level)
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
