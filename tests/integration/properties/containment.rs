//! Containment remains a forest.

use proptest::prelude::*;
use serde_json::json;

use super::{
    Fixture,
    actions::{Action, send},
    world::{World, forest},
};

#[test]
fn containment_remains_a_forest_and_only_violations_are_rejected() {
    let fixture = Fixture::new();
    let ends = || (0..5_u8, 0..5_u8, prop::bool::weighted(0.9));
    let actions = prop_oneof![
        6 => (0..8_u8, ends()).prop_map(|(id, ends)| Action::Relate { id, ends }),
        4 => (0..8_u8, ends()).prop_map(|(id, ends)| Action::PatchRelationship { id, ends }),
        1 => (0..8_u8).prop_map(|id| Action::Unrelate { id }),
        1 => prop::collection::vec((0..8_u8, ends()), 0..5).prop_map(|relationships| {
            Action::Bulk { components: (0..5).map(|id| (id, 0)).collect(), relationships }
        }),
    ];
    fixture.check(30, prop::collection::vec(actions, 1..25), async |id, actions| {
        let ada = fixture.client(0);
        let mut world = World { name: "W".into(), ..World::default() };
        ada.post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        let all = Action::Bulk { components: (0..5).map(|id| (id, 0)).collect(), relationships: Vec::new() };
        for action in std::iter::once(&all).chain(&actions) {
            let reply = send(&ada, &id, action).await.unwrap();
            reply.expect(world.perform(action));
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
