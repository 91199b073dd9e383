//! A read-only handle of an organization, or of all organizations, does not permit writes.

use planroom::domain::{
    core::OrgViewTx,
    map::workspaces::{self, NewWorkspace},
};

fn create(tx: &mut OrgViewTx<'_>, new: NewWorkspace) {
    drop(workspaces::create(tx, new));
}

fn main() {}
