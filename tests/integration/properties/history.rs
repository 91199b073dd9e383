//! Every state after random requests can be read, compared and restored.

use std::collections::BTreeMap;

use axum::http::Method;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    Fixture,
    actions::{Action, action, send},
    decision_actions::{DecisionAction, decision_action, send_to_decisions},
    requests::links,
    view_actions::{ViewAction, send_to_views, view_action},
};
use crate::support::TestClient;

/// The kinds of rows in a bundle.
const KINDS: [&str; 11] = [
    "components",
    "relationships",
    "stakeholders",
    "links",
    "processes",
    "notes",
    "views",
    "viewPlaces",
    "viewLines",
    "tours",
    "decisions",
];

/// A workspace with its links, notes, views and decisions.
async fn state(client: &TestClient<'_>, path: &str) -> Value {
    let mut bundle = client.get(&format!("{path}?include=notes,views,decisions")).await.ok();
    bundle["links"] = links(client, &bundle).await.into();
    bundle
}

/// Rows by ID, each with its position.
type Rows = BTreeMap<&'static str, BTreeMap<String, (i64, Value)>>;

/// Applies a difference to `rows`.
fn apply(rows: &mut Rows, difference: &Value) {
    for kind in KINDS {
        let (rows, part) = (rows.entry(kind).or_default(), &difference[kind]);
        let list = |name: &str| part[name].as_array().unwrap().clone();
        for gone in list("removed") {
            let (_, row) = rows.remove(&key(&gone["row"])).expect("what goes was there");
            assert_eq!(bare(&row), bare(&gone["row"]));
        }
        for new in list("added") {
            let place = new["seq"].as_i64().or(new["row"]["id"].as_i64()).unwrap_or_default();
            assert!(rows.insert(key(&new["row"]), (place, new["row"].clone())).is_none(), "what comes was not there");
        }
        for changed in list("changed") {
            let (place, row) = rows.get_mut(changed["entityId"].as_str().unwrap()).expect("what changes is there");
            for (name, change) in changed["fields"].as_object().unwrap() {
                assert_ne!(change["from"], change["to"]);
                if name == "seq" {
                    assert_eq!(change["from"], *place);
                    *place = change["to"].as_i64().unwrap();
                } else {
                    assert_eq!(change["from"], row.get(name).cloned().unwrap_or_default());
                    row[name.as_str()] = change["to"].clone();
                }
            }
        }
    }
}

fn key(row: &Value) -> String {
    let text = |name: &str| row[name].as_str().map(str::to_owned);
    // Places of components and lines of relationships in views have no id of their own.
    let part = || Some(format!("{}/{}", text("viewId")?, text("componentId").or(text("relationshipId"))?));
    text("id").or_else(part).unwrap_or_else(|| row["id"].to_string())
}

/// Whether rows of this kind have an order that does not follow from their fields.
fn has_order(kind: &str) -> bool {
    !["views", "viewPlaces", "viewLines", "tours"].contains(&kind)
}

/// A row without metadata, without its person or team, and without what depends on other rows or is in no bundle: the
/// references and the text of a decision.
fn bare(row: &Value) -> Value {
    const LEFT_OUT: [&str; 8] =
        ["revision", "updatedAt", "updatedBy", "person", "team", "body", "componentIds", "supersedes"];
    let mut bare = row.as_object().unwrap().clone();
    bare.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
    bare.into()
}

/// The rows of a state in their order.
fn in_order(state: &Value) -> Vec<Vec<Value>> {
    let listed = |kind: &str| {
        let mut rows: Vec<&Value> = state[kind].as_array().unwrap().iter().collect();
        if !has_order(kind) {
            rows.sort_by_key(|row| key(row));
        }
        rows.into_iter().map(bare).collect()
    };
    KINDS.iter().map(|kind| listed(kind)).collect()
}

fn rows_in_order(rows: &Rows) -> Vec<Vec<Value>> {
    let sorted = |kind| {
        let mut rows: Vec<_> = rows[kind].values().collect();
        // Rows without an order are sorted by key.
        rows.sort_by_key(|(place, _)| *place);
        rows.into_iter().map(|(_, row)| bare(row)).collect()
    };
    KINDS.iter().map(|kind| sorted(*kind)).collect()
}

/// A request to the map, to its views, or to its decisions.
#[derive(Debug, Clone)]
enum Step {
    Map(Action),
    Views(ViewAction),
    Decisions(DecisionAction),
}

#[test]
fn every_state_can_be_read_compared_and_restored() {
    let fixture = Fixture::new();
    let step = prop_oneof![
        3 => action().prop_map(Step::Map),
        2 => view_action().prop_map(Step::Views),
        1 => decision_action().prop_map(Step::Decisions),
    ];
    let actions = prop::collection::vec((step, prop::bool::weighted(0.1)), 1..40);
    fixture.check(16, actions, async |id, actions| {
        let (ada, path) = (fixture.client(0), format!("/api/workspaces/{id}"));
        ada.post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        let mut states = BTreeMap::from([(1, state(&ada, &path).await)]);
        let (mut versions, mut deleted) = (Vec::new(), false);
        for (step, keep) in &actions {
            match step {
                Step::Map(action) if !deleted || *action == Action::RestoreWorkspace => {
                    let done = send(&ada, &id, action).await.is_some_and(|reply| reply.status.is_success());
                    deleted = done && *action == Action::DeleteWorkspace;
                }
                Step::Views(action) if !deleted => {
                    let code = send_to_views(&ada, &id, action).await.status.as_u16();
                    assert!([200, 201, 204, 400, 404, 409].contains(&code), "{code} {action:?}");
                }
                Step::Decisions(action) if !deleted => {
                    let code = send_to_decisions(&ada, &id, action).await.status.as_u16();
                    assert!([200, 201, 204, 400, 404, 409].contains(&code), "{code} {action:?}");
                }
                _ => continue,
            }
            if !deleted {
                let now = state(&ada, &path).await;
                states.insert(now["workspace"]["revision"].as_i64().unwrap(), now.clone());
                if *keep {
                    let kept = ada.post(&format!("{path}/versions"), json!({ "name": "V" })).await.created();
                    versions.push((kept["version"]["id"].clone(), now));
                }
            }
        }
        if deleted {
            send(&ada, &id, &Action::RestoreWorkspace).await.unwrap().ok();
        }
        let mut rows = Rows::new();
        let mut last = 1;
        for (revision, state) in &states {
            let then = ada.get(&format!("{path}?at={revision}")).await.ok();
            assert_eq!(then, *state, "as it was at {revision}");
            let told = ada.get(&format!("{path}/history/difference?from={last}&to={revision}")).await.ok();
            apply(&mut rows, &told);
            assert_eq!(rows_in_order(&rows), in_order(state), "from {last} to {revision}");
            last = *revision;
        }
        let mut at_once = Rows::new();
        apply(&mut at_once, &ada.get(&format!("{path}/history/difference?from=1&to={last}")).await.ok());
        assert_eq!(rows_in_order(&at_once), rows_in_order(&rows));
        let end = state(&ada, &path).await;
        for (version, then) in versions {
            let kept = ada.get(&format!("{path}/versions/{version}")).await.ok();
            assert_eq!(kept, then);
            let restore = format!("{path}/versions/{version}/restore");
            let restored = ada.send(Method::POST, &restore, None).await.ok();
            let now = state(&ada, &path).await;
            assert_eq!((in_order(&now), &now["workspace"]["name"]), (in_order(&then), &then["workspace"]["name"]));
            // And in the other direction.
            if restored["rows"] != 0 {
                ada.post(&format!("{path}/undo"), json!({ "batchId": restored["batchId"] })).await.ok();
            }
            assert_eq!(in_order(&state(&ada, &path).await), in_order(&end));
        }
    });
}
