//! An edit handle does not permit deleting the workspace.

use planroom::domain::{core::EditTx, map::workspaces};

fn delete(tx: &mut EditTx<'_>) {
    drop(workspaces::delete(tx));
}

fn main() {}
