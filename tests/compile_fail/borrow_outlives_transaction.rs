//! A handle ends with its transaction, and so do references obtained from it.

use planroom::domain::core::{Call, Gate};

fn leak(gate: &Gate, call: Call) {
    drop(gate.view(call, "web-shop".into(), |tx| Ok(tx.workspace())));
}

fn main() {}
