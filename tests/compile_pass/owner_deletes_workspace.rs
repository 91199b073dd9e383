//! An owner can delete the workspace and edit it.

use planroom::{
    Error,
    domain::{
        core::OwnTx,
        map::workspaces::{self, WorkspacePatch},
    },
};

pub fn work(tx: &mut OwnTx<'_>, patch: WorkspacePatch) -> Result<(), Error> {
    workspaces::update(tx, patch)?;
    workspaces::delete(tx)
}
