//! A handle cannot be created from another handle.

use planroom::domain::core::EditTx;

fn duplicate<'c>(tx: EditTx<'c>) -> (EditTx<'c>, EditTx<'c>) {
    (tx.clone(), tx)
}

fn main() {}
