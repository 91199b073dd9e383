//! The past state of a workspace is read after the gate has reserved memory for it.

use planroom::{
    domain::{
        core::{Call, Gate, access::Viewer},
        history,
        map::bundle::Bundle,
    },
    error::Result,
};

pub async fn read(gate: &Gate, call: Call<Viewer>) -> Result<Bundle> {
    let whole = gate.whole_map(&call, "web-shop".into(), |tx| history::weigh_bundle_at(tx, 1)).await?;
    gate.read(call, "web-shop".into(), move |tx| history::bundle_at(tx, 1, &whole)).await
}
