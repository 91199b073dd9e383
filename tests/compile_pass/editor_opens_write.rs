//! A request that needs edit access opens a write.

use planroom::domain::core::{Call, Gate, access::Editor};

pub fn write(gate: &Gate, call: Call<Editor>) {
    drop(gate.write(call, "web-shop".into(), |_| Ok(())));
}
