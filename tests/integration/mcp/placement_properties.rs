//! Random additions by tools, between what people place.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Assistant,
    drawn::{Rect, drawn},
};
use crate::support::{TestClient, TestServer};

/// Number of ids of components, so that steps often name the same.
const IDS: u8 = 14;

#[derive(Debug, Clone)]
enum Step {
    /// A person creates a component at a position, or moves the one with this id.
    Place { id: u8, at: (i16, i16) },
    /// A person puts a component into a group.
    Group { group: u8, part: u8 },
    /// An assistant of one of the two users adds components, some with a group.
    Add { user: bool, components: Vec<(u8, Option<u8>)> },
    /// An assistant adds relationships, some of them containment.
    Relate { user: bool, ends: Vec<(u8, u8, bool)> },
    /// An assistant changes something else.
    Describe { user: bool, id: u8 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = || 0..IDS;
    let place = (id(), (-8..8_i16, -8..8_i16));
    let step = prop_oneof![
        3 => place.prop_map(|(id, (x, y))| Step::Place { id, at: (x * 110, y * 70) }),
        1 => (id(), id()).prop_map(|(group, part)| Step::Group { group, part }),
        4 => (any::<bool>(), prop::collection::vec((id(), prop::option::of(id())), 1..6))
            .prop_map(|(user, components)| Step::Add { user, components }),
        3 => (any::<bool>(), prop::collection::vec((id(), id(), any::<bool>()), 1..5))
            .prop_map(|(user, ends)| Step::Relate { user, ends }),
        1 => (any::<bool>(), id()).prop_map(|(user, id)| Step::Describe { user, id }),
    ];
    prop::collection::vec(step, 4..24)
}

fn name(id: u8) -> String {
    format!("c{id}")
}

/// The state of a map, as far as it counts here.
struct Now {
    positions: BTreeMap<String, (f64, f64)>,
    rects: BTreeMap<String, Rect>,
    parents: BTreeMap<String, String>,
}

impl Now {
    async fn read(client: &TestClient<'_>, workspace: &str) -> Self {
        let bundle = client.bundle(workspace).await;
        let position = |row: &Value| {
            let id = row["id"].as_str().unwrap().to_owned();
            (id, (row["x"].as_f64().unwrap(), row["y"].as_f64().unwrap()))
        };
        let (rects, parents) = drawn(client, workspace).await;
        Self { positions: bundle["components"].as_array().unwrap().iter().map(position).collect(), rects, parents }
    }

    /// A component and the groups that contain it.
    fn with_groups<'n>(&'n self, id: &'n String) -> impl Iterator<Item = &'n String> {
        std::iter::successors(Some(id), |id| self.parents.get(*id))
    }

    fn contains(&self, group: &String, id: &String) -> bool {
        self.with_groups(id).any(|above| above == group)
    }

    /// Pairs of components that are drawn over each other although neither contains the other.
    fn covered(&self) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for (group, frame) in &self.rects {
            for (id, rect) in self.rects.iter().filter(|(id, _)| *id != group) {
                let apart = frame.2 <= rect.0 || rect.2 <= frame.0 || frame.3 <= rect.1 || rect.3 <= frame.1;
                if !apart && !self.contains(group, id) && !self.contains(id, group) {
                    found.insert((group.clone(), id.clone()));
                }
            }
        }
        found
    }

    /// Whether an answer names the pair, or groups that contain them.
    fn is_told(&self, (group, id): &(String, String), told: &[(String, String)]) -> bool {
        let above = |id: &String, other: &String| self.with_groups(id).any(|above| above == other);
        told.iter().any(|(a, b)| (above(group, a) && above(id, b)) || (above(group, b) && above(id, a)))
    }
}

/// Calls a tool. Groups and the ends of relationships are components of `now`. None if the call was refused.
async fn tool_call(assistant: &Assistant<'_>, workspace: &str, step: &Step, now: &Now) -> Option<Value> {
    let known: Vec<&String> = now.positions.keys().collect();
    let existing =
        |id: u8| known.get(usize::from(id) % known.len().max(1)).map_or_else(|| name(id), |id| (*id).clone());
    match step {
        Step::Add { components, .. } => {
            let ids: BTreeMap<u8, Option<u8>> = components.iter().copied().collect();
            let rows = ids.into_iter().map(|(id, group)| {
                let mut row = json!({ "id": name(id), "typeId": "service", "name": format!("Service {id}") });
                if let Some(group) = group {
                    row["parentId"] = json!(existing(group));
                }
                row
            });
            let ask = json!({ "workspaceId": workspace, "components": rows.collect::<Vec<_>>() });
            assistant.call("upsert_components", ask).await.ok()
        }
        Step::Relate { ends, .. } => {
            let rows = ends.iter().map(|(from, to, contains)| {
                let kind = if *contains { "contains" } else { "calls" };
                json!({ "sourceId": existing(*from), "typeId": kind, "targetId": existing(*to) })
            });
            let ask = json!({ "workspaceId": workspace, "relationships": rows.collect::<Vec<_>>() });
            assistant.call("upsert_relationships", ask).await.ok()
        }
        Step::Describe { id, .. } => {
            let row = json!({ "id": existing(*id), "description": "Again" });
            let ask = json!({ "workspaceId": workspace, "components": [row] });
            assistant.call("upsert_components", ask).await.ok()
        }
        Step::Place { .. } | Step::Group { .. } => None,
    }
}

#[test]
fn additions_move_nothing_that_a_person_placed_and_tell_what_they_cover() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = runtime.block_on(TestServer::new());
    let (ada, bob, assistants) = runtime.block_on(async {
        let ada = server.sign_in("ada").await;
        let bob = server.seed_member("bob", "acme", "org:member");
        (ada, bob, [server.assistant_of("ada").await, server.assistant_of("bob").await])
    });
    let cases = std::cell::Cell::new(0);
    let writes = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(24), |(steps in steps())| {
        cases.set(cases.get() + 1);
        let id = format!("w{}", cases.get());
        runtime.block_on(async {
            ada.create_workspace(&id).await;
            server.grant(&id, bob, "editor");
            let components = format!("/api/workspaces/{id}/components");
            let mut by_person: BTreeMap<String, (f64, f64)> = BTreeMap::new();
            for step in &steps {
                let before = Now::read(&ada, &id).await;
                let user = match step {
                    Step::Place { id, at: (x, y) } => {
                        let (id, at) = (name(*id), json!({ "x": x, "y": y }));
                        if before.positions.contains_key(&id) {
                            ada.patch(&format!("{components}/{id}"), at).await.ok();
                        } else {
                            let row = json!({ "id": id, "typeId": "service", "name": id, "x": x, "y": y });
                            ada.post(&components, row).await.created();
                        }
                        by_person.insert(id, (f64::from(*x), f64::from(*y)));
                        continue;
                    }
                    Step::Group { group, part } => {
                        let row = json!({ "sourceId": name(*group), "typeId": "contains", "targetId": name(*part) });
                        // Refused if one does not exist, or has a group.
                        ada.post(&format!("/api/workspaces/{id}/relationships"), row).await;
                        continue;
                    }
                    Step::Add { user, .. } | Step::Relate { user, .. } | Step::Describe { user, .. } => usize::from(*user),
                };
                let Some(answer) = tool_call(&assistants[user], &id, step, &before).await else { continue };
                writes.set(writes.get() + 1);
                let now = Now::read(&ada, &id).await;
                for (id, at) in &by_person {
                    assert_eq!(now.positions[id], *at, "{id} was moved by {step:?}");
                }
                if answer.get("overlapCount").is_some() {
                    continue;
                }
                let told: Vec<(String, String)> =
                    serde_json::from_value(answer.get("overlaps").cloned().unwrap_or(json!([]))).unwrap();
                // What was drawn over each other before may stay so.
                let groups: BTreeSet<&String> = now.parents.values().collect();
                for pair in now.covered().difference(&before.covered()).filter(|(group, _)| groups.contains(group)) {
                    assert!(now.is_told(pair, &told), "{pair:?} is not in {told:?} after {step:?}");
                }
            }
        });
    });
    assert!(writes.get() > 80, "{} calls were checked", writes.get());
}
