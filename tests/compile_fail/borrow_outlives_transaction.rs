//! A handle ends with its transaction, and so do references obtained from it.

use planroom::domain::core::{Call, Gate, access::Viewer};

fn leak(gate: &Gate, call: Call<Viewer>) {
    drop(gate.read(call, "web-shop".into(), |tx| Ok(tx.workspace())));
}

fn main() {}
