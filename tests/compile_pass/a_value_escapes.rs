//! What was read in a transaction may leave it.

use planroom::domain::access::{Call, Gate};

pub fn work(gate: &Gate, call: Call) {
    drop(gate.view(call, "web-shop".into(), |tx| Ok(tx.workspace().clone())));
}
