//! Values read in a transaction can be returned from it.

use planroom::domain::core::{Call, Gate, access::Viewer};

pub fn work(gate: &Gate, call: Call<Viewer>) {
    drop(gate.read(call, "web-shop".into(), |tx| Ok(tx.workspace().clone())));
}
