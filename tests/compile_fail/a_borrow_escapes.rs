//! A handle ends with its transaction, and so does all that it lends.

use planroom::domain::access::{Call, Gate};

fn keep(gate: &Gate, call: Call) {
    drop(gate.view(call, "web-shop".into(), |tx| Ok(tx.workspace())));
}

fn main() {}
