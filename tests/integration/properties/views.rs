//! Views contain what matches, and never move what has a place in them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Fixture;
use crate::support::TestClient;

/// A random edit by one of two users.
#[derive(Debug, Clone)]
enum Edit {
    Create {
        id: u8,
        tagged: bool,
    },
    Delete {
        id: u8,
    },
    Tag {
        id: u8,
        tagged: bool,
    },
    /// Moves the component on the map.
    Move {
        id: u8,
        x: i16,
    },
    /// Moves the component in the view.
    Place {
        id: u8,
        x: i16,
    },
    Relate {
        from: u8,
        to: u8,
        contains: bool,
    },
}

const COMPONENTS: u8 = 7;

fn edits() -> impl Strategy<Value = Vec<(bool, Edit)>> {
    let id = || 0..COMPONENTS;
    let edit = prop_oneof![
        4 => (id(), any::<bool>()).prop_map(|(id, tagged)| Edit::Create { id, tagged }),
        1 => id().prop_map(|id| Edit::Delete { id }),
        2 => (id(), any::<bool>()).prop_map(|(id, tagged)| Edit::Tag { id, tagged }),
        2 => (id(), -900..900_i16).prop_map(|(id, x)| Edit::Move { id, x }),
        4 => (id(), -900..900_i16).prop_map(|(id, x)| Edit::Place { id, x }),
        3 => (id(), id(), prop::bool::weighted(0.4)).prop_map(|(from, to, contains)| Edit::Relate { from, to, contains }),
    ];
    prop::collection::vec((any::<bool>(), edit), 1..30)
}

fn tags(tagged: bool) -> Value {
    if tagged { json!(["PCI"]) } else { json!(["other"]) }
}

impl Edit {
    fn operation(&self) -> Value {
        let name = |id: &u8| format!("c{id}");
        match self {
            Self::Create { id, tagged } => {
                let row = json!({ "id": name(id), "typeId": "service", "name": "C", "tags": tags(*tagged) });
                json!({ "op": "create", "kind": "component", "row": row })
            }
            Self::Delete { id } => json!({ "op": "delete", "kind": "component", "id": name(id) }),
            Self::Tag { id, tagged } => {
                json!({ "op": "update", "kind": "component", "id": name(id), "fields": { "tags": tags(*tagged) } })
            }
            Self::Move { id, x } => json!({ "op": "move", "positions": [{ "id": name(id), "x": x, "y": 0 }] }),
            Self::Place { id, x } => {
                json!({ "op": "move", "viewId": "vv", "positions": [{ "id": name(id), "x": x, "y": x }] })
            }
            Self::Relate { from, to, contains } => {
                let kind = if *contains { "contains" } else { "calls" };
                let row = json!({ "sourceId": name(from), "targetId": name(to), "typeId": kind });
                json!({ "op": "create", "kind": "relationship", "row": row })
            }
        }
    }
}

/// Compares the resolved view with the rows of the bundle.
async fn check(client: &TestClient<'_>, workspace: &str) {
    let bundle = client.get(&format!("/api/workspaces/{workspace}?include=views")).await.ok();
    let view = client.get(&format!("/api/workspaces/{workspace}/views/vv?resolved=true")).await.ok();
    let components = bundle["components"].as_array().unwrap().iter();
    let tagged = components.filter(|row| row["tags"] == json!(["PCI"])).map(|row| row["id"].clone());
    let tagged: Vec<Value> = tagged.collect();
    assert_eq!(view["componentIds"], json!(tagged), "every component that matches is in the view");
    let positions = view["positions"].as_array().unwrap();
    assert_eq!(positions.iter().map(|at| at["componentId"].clone()).collect::<Vec<_>>(), tagged);
    let places = bundle["viewPlaces"].as_array().unwrap();
    let place_of = |id: &Value| places.iter().find(|place| place["componentId"] == *id);
    let is_arranged = tagged.iter().any(|id| place_of(id).is_some());
    for at in positions {
        let place = place_of(&at["componentId"]);
        assert_eq!(at["new"], is_arranged && place.is_none(), "{at}");
        if let Some(place) = place {
            assert_eq!((&at["x"], &at["y"]), (&place["x"], &place["y"]), "what has a place does not move");
        }
    }
}

#[test]
fn a_view_contains_what_matches_and_keeps_its_layout() {
    let fixture = Fixture::new();
    fixture.check(25, edits(), async |id, edits| {
        let ada = fixture.client(0);
        ada.post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        let grace = fixture.server.seed_member(&format!("grace-{id}"), "acme", "org:member");
        fixture.server.grant(&id, grace, "editor");
        let grace = fixture.server.sign_in(&format!("grace-{id}")).await;
        let definition = json!({ "include": [{ "tags": ["pci"] }], "outside": "stubs" });
        let view = json!({ "id": "vv", "name": "V", "definition": definition, "layout": "own" });
        ada.post(&format!("/api/workspaces/{id}/views"), view).await.created();
        for (is_ada, edit) in &edits {
            let client = if *is_ada { &ada } else { &grace };
            let body = json!({ "operations": [edit.operation()] });
            let status = client.post(&format!("/api/workspaces/{id}/operations"), body).await.status.as_u16();
            assert!([200, 400, 409].contains(&status), "{status} {edit:?}");
            check(&ada, &id).await;
        }
    });
}
