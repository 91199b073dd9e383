//! Creating a workspace, empty or with the sample.

use crate::{
    domain::{
        core::OrgTx,
        map::workspaces::{self, NewWorkspace, Workspace},
        transfer::{import, sample},
    },
    error::Result,
};

/// Creates a workspace in the caller's organization, with the caller as its owner.
pub fn create(tx: &mut OrgTx<'_>, new: NewWorkspace) -> Result<Workspace> {
    if new.sample == Some(true) {
        return import::create(tx, NewWorkspace { sample: None, ..new }, sample::document()?);
    }
    workspaces::create(tx, new)
}
