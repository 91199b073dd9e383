//! Reading across an organization, or across all of them, is no licence to write in one.

use planroom::domain::{
    access::OrgViewTx,
    workspaces::{self, NewWorkspace},
};

fn squat(tx: &mut OrgViewTx<'_>, new: NewWorkspace) {
    drop(workspaces::create(tx, new));
}

fn main() {}
