//! Writing is no licence to decide.

use planroom::domain::{access::EditTx, workspaces};

fn overreach(tx: &mut EditTx<'_>) {
    drop(workspaces::delete(tx));
}

fn main() {}
