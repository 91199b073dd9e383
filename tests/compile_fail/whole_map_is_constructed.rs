//! Only the gate creates a `WholeMap`, after it has waited for memory.

use planroom::domain::{
    core::{ViewTx, WholeMap},
    map::bundle::Bundle,
};

fn read(tx: &ViewTx<'_>) -> planroom::error::Result<Bundle> {
    planroom::domain::history::bundle_at(tx, 1, &WholeMap {})
}

fn main() {}
