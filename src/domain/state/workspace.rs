//! All rows of a workspace.

use std::ops::{Deref, DerefMut};

use super::kinds::{ByKind, KindVisitor, MapRow, RowsOf, each_kind};
use crate::{
    domain::{
        core::{Reads, ViewTx, WholeMap, WorkspaceKey, list_rows},
        map::workspaces::Workspace,
    },
    error::{Error, Result},
};

/// All rows of a workspace except members, each kind in its order.
pub(in crate::domain) struct WorkspaceState {
    pub(in crate::domain) workspace: Workspace,
    pub(in crate::domain) rows: ByKind<RowsOf>,
}

impl Deref for WorkspaceState {
    type Target = ByKind<RowsOf>;

    fn deref(&self) -> &Self::Target {
        &self.rows
    }
}

impl DerefMut for WorkspaceState {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.rows
    }
}

impl WorkspaceState {
    /// The current rows.
    pub(in crate::domain) fn now(tx: &ViewTx<'_>, whole: &WholeMap) -> Result<Self> {
        Self::read(tx, &tx.workspace().id, whole)
    }

    /// The current rows, with this id of the workspace.
    pub(in crate::domain) fn read(tx: &ViewTx<'_>, id: &str, _: &WholeMap) -> Result<Self> {
        let mut reader = Reader { tx, id, rows: ByKind::default() };
        each_kind(&mut reader)?;
        Ok(Self { workspace: tx.workspace().clone(), rows: reader.rows })
    }
}

struct Reader<'t, 'c> {
    tx: &'t ViewTx<'c>,
    id: &'t str,
    rows: ByKind<RowsOf>,
}

impl KindVisitor for Reader<'_, '_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let key = WorkspaceKey { pk: self.tx.pk(), id: self.id };
        *R::of_mut(&mut self.rows) = list_rows(self.tx.core().conn, &key)?;
        Ok(())
    }
}
