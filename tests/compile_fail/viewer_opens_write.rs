//! A request that needs view access opens no write.

use planroom::domain::core::{Call, Gate, access::Viewer};

fn write(gate: &Gate, call: Call<Viewer>) {
    drop(gate.write(call, "web-shop".into(), |_| Ok(())));
}

fn main() {}
