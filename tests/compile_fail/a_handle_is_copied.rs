//! ... and of another handle.

use planroom::domain::access::EditTx;

fn copy<'c>(tx: EditTx<'c>) -> (EditTx<'c>, EditTx<'c>) {
    (tx.clone(), tx)
}

fn main() {}
