//! Bundles copy unchanged rows from earlier ones, and are the same as without copying.

use planroom::{
    domain::{
        core::access::Viewer,
        map::bundle::{Included, assemble},
    },
    mcp::oauth::admit,
};
use proptest::prelude::*;
use serde_json::json;

use super::{
    Fixture,
    actions::{action, send},
    decision_actions::{decision_action, send_to_decisions},
};

#[test]
fn bundles_with_copied_rows_equal_bundles_that_are_read_anew() {
    let fixture = Fixture::new();
    let steps = prop::collection::vec(((action(), decision_action(), 0..4), any::<bool>(), any::<bool>(), 0..4), 1..40);
    fixture.check(24, steps, async |id, steps| {
        let (ada, path) = (fixture.client(0), format!("/api/workspaces/{id}"));
        ada.post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        for ((action, decision, decides), notes, views, unread) in steps {
            if decides == 0 {
                send_to_decisions(&ada, &id, &decision).await;
            } else {
                send(&ada, &id, &action).await;
            }
            if unread == 0 {
                continue; // The next bundle copies from one that is several changes older.
            }
            // All combinations with and without decisions.
            let decisions = unread % 2 == 0;
            let include = match (notes, views) {
                (false, false) => "",
                (true, false) => "?include=notes",
                (false, true) => "?include=views",
                (true, true) => "?include=notes,views",
            };
            let include = match (include, decisions) {
                (include, false) => include.to_owned(),
                ("", true) => "?include=decisions".to_owned(),
                (include, true) => format!("{include},decisions"),
            };
            let read = ada.get(&format!("{path}{include}")).await;
            if !read.status.is_success() {
                continue; // The workspace is deleted.
            }
            let (call, _) = admit(&fixture.server.app.gate, ada.credential(), "").await.unwrap();
            let anew = fixture.server.app.gate.read(call.needing::<Viewer>(), id.clone(), move |tx| {
                Ok(serde_json::to_string(&assemble(tx, Included { notes, views, decisions })?)?)
            });
            let cached = String::from_utf8(read.bytes).unwrap();
            assert_eq!(cached, anew.await.unwrap(), "after {action:?} or {decision:?}");
        }
    });
}
