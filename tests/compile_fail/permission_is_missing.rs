//! A request without a declared permission opens no transaction.

use planroom::domain::core::{Call, Gate};

fn read(gate: &Gate, call: Call) {
    drop(gate.read(call, (), |_| Ok(())));
}

fn main() {}
