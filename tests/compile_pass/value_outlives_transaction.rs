//! Values read in a transaction can be returned from it.

use planroom::domain::core::{Call, Gate};

pub fn work(gate: &Gate, call: Call) {
    drop(gate.view(call, "web-shop".into(), |tx| Ok(tx.workspace().clone())));
}
