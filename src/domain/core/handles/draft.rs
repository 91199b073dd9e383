//! Handles for drafts of a workspace. What a caller can do with a draft follows from the access to its base, at the time of
//! use.

use std::ops::Deref;

use super::{EditTx, Reach, Reads, ViewTx, forbidden};
use crate::{
    clock::{DAY, HOUR},
    domain::{
        core::{
            state::Core,
            store::{self, drafts::DraftKey},
            workspace::Workspace,
        },
        values::AccessLevel,
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("draft");

/// Access of a user to a draft of a workspace that they can view. Dereferences to its base.
pub struct DraftTx<'c> {
    base: ViewTx<'c>,
    reach: Reach,
    key: DraftKey,
}

impl<'c> DraftTx<'c> {
    /// Opens a draft for reading.
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::within(core, Reach::of(core.caller()?)?, id)
    }

    /// Opens a draft of the active organization, for writing.
    pub(in crate::domain::core) fn open_own(core: &'c Core<'c>, id: &str) -> Result<Self> {
        Self::within(core, Reach::own(core.caller()?)?, id)
    }

    /// Opens a draft of the active organization as an editor of its base.
    pub(in crate::domain::core) fn open_to_merge(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let draft = Self::open_own(core, id)?;
        if draft.is_base_editor() {
            return Ok(draft);
        }
        forbidden(
            "merging a draft needs the access level editor in its workspace; ask an editor to review and merge it",
        )
    }

    fn within(core: &'c Core<'c>, reach: Reach, id: &str) -> Result<Self> {
        let key = store::drafts::by_id(core.conn, id)?.ok_or(NOT_FOUND)?;
        let base = enter(core, &reach, key.base_pk)?.ok_or(NOT_FOUND)?;
        Ok(Self { base, reach, key })
    }

    /// Key of the draft.
    pub(in crate::domain) fn draft_pk(&self) -> i64 {
        self.key.pk
    }

    /// Whether the draft was merged or closed.
    pub(in crate::domain) fn has_ended(&self) -> bool {
        self.key.has_ended
    }

    /// Whether the caller is the author.
    pub(in crate::domain) fn is_author(&self) -> Result<bool> {
        Ok(self.reach != Reach::Everything && self.base.user_id()? == self.key.author_id)
    }

    /// Whether the caller is an editor of the base.
    pub(in crate::domain) fn is_base_editor(&self) -> bool {
        self.base.workspace().my_role >= Some(AccessLevel::Editor)
    }

    /// Fails unless the caller is the author or an editor of the base.
    pub(in crate::domain) fn expect_manager(&self) -> Result<()> {
        if self.is_base_editor() || self.is_author()? {
            return Ok(());
        }
        forbidden("this needs the author of the draft, or the access level editor in its workspace")
    }

    /// The map of the draft, for reading; none if its rows were removed.
    pub(in crate::domain) fn map(&self) -> Result<Option<ViewTx<'c>>> {
        self.key.workspace_pk.map_or(Ok(None), |pk| enter(self.base.core, &self.reach, pk))
    }

    /// The map of the draft, for writing.
    pub(in crate::domain) fn edit_map(&self) -> Result<EditTx<'c>> {
        EditTx::from_view(self.map()?.ok_or(NOT_FOUND)?)
    }

    /// The base, to merge the draft into it. The caller of this function checks the approvals that protection requires.
    pub(in crate::domain) fn edit_base(&self) -> Result<EditTx<'c>> {
        let base = enter(self.base.core, &self.reach, self.key.base_pk)?.ok_or(NOT_FOUND)?;
        EditTx::from_view(base).map(EditTx::merging)
    }
}

/// Opens a workspace by its key; none if it is deleted or the caller cannot view it.
fn enter<'c>(core: &'c Core<'c>, reach: &Reach, pk: i64) -> Result<Option<ViewTx<'c>>> {
    let found = store::scopes::by_pk(core.conn, pk)?.filter(|found| found.workspace.deleted_at.is_none());
    match ViewTx::enter(core, reach, found) {
        Ok(view) => Ok(Some(view)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl<'c> Deref for DraftTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.base
    }
}

/// How long ago a draft whose rows are being copied counts as deleted, in milliseconds. If the copy is interrupted, the job
/// that removes workspaces which were deleted 30 days ago removes it within hours.
const UNFINISHED_SINCE: i64 = 30 * DAY - HOUR;

/// Access of a user to a workspace that they can view, to start a draft of it.
pub struct ProposerTx<'c> {
    view: ViewTx<'c>,
}

impl<'c> ProposerTx<'c> {
    pub(in crate::domain::core) fn open(core: &'c Core<'c>, id: &str) -> Result<Self> {
        let view = ViewTx::enter(core, &Reach::own(core.caller()?)?, store::scopes::living(core.conn, id)?)?;
        Ok(Self { view })
    }

    /// Creates the workspace of a draft, without rows, and returns its key. It is hidden until [`Self::show_map`].
    pub(in crate::domain) fn create_map(&mut self, id: String) -> Result<i64> {
        let core = self.view.core();
        let map = Workspace { pk: 0, id, ..self.view.workspace().clone().stored() };
        // The rows have revisions of the base, which must not be newer than that of the draft.
        let revision = map.metadata.revision;
        let pk = core.create_workspace(map, revision)?.workspace_pk().unwrap_or_default();
        store::drafts::set_base(core.conn, pk, self.view.pk(), core.now - UNFINISHED_SINCE)?;
        Ok(pk)
    }

    /// Shows the workspace of a draft whose rows are complete.
    pub(in crate::domain) fn show_map(&mut self, workspace_pk: i64) -> Result<()> {
        store::drafts::show(self.view.core().conn, workspace_pk)
    }
}

impl<'c> Deref for ProposerTx<'c> {
    type Target = ViewTx<'c>;
    fn deref(&self) -> &ViewTx<'c> {
        &self.view
    }
}
