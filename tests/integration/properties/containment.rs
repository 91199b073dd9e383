//! Containment is a forest, whatever is tried.

use proptest::prelude::*;
use serde_json::json;

use super::{
    Theatre,
    acts::{Act, send},
    world::{World, forest},
};

#[test]
fn containment_stays_a_forest_and_every_refusal_was_needed() {
    let theatre = Theatre::new();
    let ends = || (0..5_u8, 0..5_u8, prop::bool::weighted(0.9));
    let acts = prop_oneof![
        6 => (0..8_u8, ends()).prop_map(|(id, ends)| Act::Relate { id, ends }),
        4 => (0..8_u8, ends()).prop_map(|(id, ends)| Act::PatchRelationship { id, ends }),
        1 => (0..8_u8).prop_map(|id| Act::Unrelate { id }),
        1 => prop::collection::vec((0..8_u8, ends()), 0..5).prop_map(|relationships| {
            Act::Bulk { components: (0..5).map(|id| (id, 0)).collect(), relationships }
        }),
    ];
    theatre.try_on(30, prop::collection::vec(acts, 1..25), async |id, acts| {
        let ada = theatre.actor(0);
        let mut world = World { name: "W".into(), ..World::default() };
        ada.post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        let all = Act::Bulk { components: (0..5).map(|id| (id, 0)).collect(), relationships: Vec::new() };
        for act in std::iter::once(&all).chain(&acts) {
            let reply = send(&ada, &id, act).await.unwrap();
            reply.expect(world.perform(act));
            let bundle = ada.get(&format!("/api/workspaces/{id}")).await.ok();
            let contains: Vec<_> = bundle["relationships"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|row| row["typeId"] == "contains")
                .map(|row| (row["sourceId"].as_str().unwrap(), row["targetId"].as_str().unwrap()))
                .collect();
            assert!(forest(contains.iter().copied()).is_some(), "{contains:?}");
        }
    });
}
