//! An owner decides, and writes as an editor does.

use planroom::{
    Error,
    domain::{
        access::OwnTx,
        workspaces::{self, WorkspacePatch},
    },
};

pub fn work(tx: &mut OwnTx<'_>, patch: WorkspacePatch) -> Result<(), Error> {
    workspaces::update(tx, patch)?;
    workspaces::delete(tx)
}
