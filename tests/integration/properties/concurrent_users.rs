//! Several users write, undo, redo and restore in one workspace: no write is lost, and past states never change.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Fixture;
use crate::{
    notes::images::png,
    support::{TestClient, TestResponse},
};

/// A write of one row.
#[derive(Debug, Clone)]
enum Edit {
    Create(usize),
    Rename(usize, u8),
    Move(usize, i32),
    Delete(usize),
    Relate(usize, usize, usize, bool),
    Turn(usize, usize),
    Part(usize),
    Link(usize),
    Save(usize, u8),
    Forget(usize),
    Annotate(usize, bool),
    Color(usize, u8),
    Erase(usize),
    Title(u8),
}

/// A step of a user.
#[derive(Debug, Clone)]
enum Step {
    /// Edits in one request, with or without a label.
    Write(Vec<Edit>, Option<u8>),
    /// Undoes a change set of a user, and repeats undo and redo this often.
    Undo(prop::sample::Index, u8),
    /// Undoes everything under a label.
    UndoLabel(u8),
    /// Restores a revision.
    Restore(prop::sample::Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let (c, r) = (0..4_usize, 0..4_usize);
    prop_oneof![
        3 => c.clone().prop_map(Edit::Create),
        3 => (c.clone(), 0..3_u8).prop_map(|(id, name)| Edit::Rename(id, name)),
        2 => (c.clone(), 0..3_i32).prop_map(|(id, x)| Edit::Move(id, x)),
        2 => c.clone().prop_map(Edit::Delete),
        3 => (r.clone(), c.clone(), c.clone(), any::<bool>()).prop_map(|(id, a, b, part)| Edit::Relate(id, a, b, part)),
        1 => (r.clone(), c.clone()).prop_map(|(id, b)| Edit::Turn(id, b)),
        1 => r.prop_map(Edit::Part),
        1 => c.clone().prop_map(Edit::Link),
        1 => (0..2_usize, 0..3_u8).prop_map(|(id, name)| Edit::Save(id, name)),
        1 => (0..2_usize).prop_map(Edit::Forget),
        2 => (0..3_usize, any::<bool>()).prop_map(|(id, is_image)| Edit::Annotate(id, is_image)),
        2 => (0..3_usize, 0..3_u8).prop_map(|(id, color)| Edit::Color(id, color)),
        1 => (0..3_usize).prop_map(Edit::Erase),
        1 => (0..3_u8).prop_map(Edit::Title),
    ]
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let write = (prop::collection::vec(edit(), 1..4), prop::option::weighted(0.4, 0..2_u8));
    let step = prop_oneof![
        6 => write.prop_map(|(edits, label)| Step::Write(edits, label)),
        4 => (any::<prop::sample::Index>(), 0..3_u8).prop_map(|(which, times)| Step::Undo(which, times)),
        1 => (0..2_u8).prop_map(Step::UndoLabel),
        1 => any::<prop::sample::Index>().prop_map(Step::Restore),
    ];
    (0..2_usize, step)
}

/// The operations of a request. Processes are created or updated depending on the current state. `image` is the id of an
/// uploaded image.
fn operations(edits: &[Edit], now: &Rows, image: &Value) -> Vec<Value> {
    let create = |kind: &str, row: Value| json!({ "op": "create", "kind": kind, "row": row });
    let update =
        |kind: &str, id: String, fields: Value| json!({ "op": "update", "kind": kind, "id": id, "fields": fields });
    let delete = |kind: &str, id: String| json!({ "op": "delete", "kind": kind, "id": id });
    let one = |edit: &Edit| match *edit {
        Edit::Create(id) => create("component", json!({ "id": format!("c{id}"), "typeId": "service", "name": "New" })),
        Edit::Rename(id, name) => update("component", format!("c{id}"), json!({ "name": format!("N{name}") })),
        Edit::Move(id, x) => json!({ "op": "move", "positions": [{ "id": format!("c{id}"), "x": x, "y": x }] }),
        Edit::Delete(id) => delete("component", format!("c{id}")),
        Edit::Relate(id, a, b, part) => {
            let type_id = if part { "contains" } else { "calls" };
            let (a, b) = (format!("c{a}"), format!("c{b}"));
            create("relationship", json!({ "id": format!("r{id}"), "sourceId": a, "targetId": b, "typeId": type_id }))
        }
        Edit::Turn(id, b) => update("relationship", format!("r{id}"), json!({ "targetId": format!("c{b}") })),
        Edit::Part(id) => delete("relationship", format!("r{id}")),
        Edit::Link(id) => create("link", json!({ "componentId": format!("c{id}"), "url": "https://example.org" })),
        Edit::Save(id, name) if now.contains_key(&format!("processes p-{id}")) => {
            update("process", format!("p-{id}"), json!({ "name": format!("P{name}") }))
        }
        Edit::Save(id, _) => {
            create("process", json!({ "id": format!("p-{id}"), "name": "P", "mermaid": "sequenceDiagram\n  A->>B: x" }))
        }
        Edit::Forget(id) => delete("process", format!("p-{id}")),
        Edit::Annotate(id, is_image) => {
            let mut row = json!({ "id": format!("n{id}"), "text": "N", "x": 0, "y": 0 });
            if is_image {
                (row["kind"], row["imageId"]) = (json!("image"), json!(image));
            }
            create("note", row)
        }
        Edit::Color(id, color) => {
            let color = ["red", "blue", "gray"][usize::from(color)];
            update("note", format!("n{id}"), json!({ "color": color }))
        }
        Edit::Erase(id) => delete("note", format!("n{id}")),
        Edit::Title(name) => json!({ "op": "update", "kind": "workspace", "fields": { "name": format!("W{name}") } }),
    };
    edits.iter().map(one).collect()
}

/// The rows of a state by kind and ID, each with its position and without metadata.
type Rows = BTreeMap<String, Value>;

fn rows(state: &Value) -> Rows {
    let mut rows = Rows::from([("workspace".to_owned(), json!(state["workspace"]["name"]))]);
    for kind in ["components", "relationships", "stakeholders", "links", "processes", "notes"] {
        for (index, row) in state[kind].as_array().unwrap().iter().enumerate() {
            let mut bare = row.as_object().unwrap().clone();
            bare.retain(|name, _| !["revision", "updatedAt", "updatedBy"].contains(&name.as_str()));
            bare.insert("place".into(), state["places"][kind][index].clone());
            let id = row["id"].as_str().map_or_else(|| row["id"].to_string(), str::to_owned);
            rows.insert(format!("{kind} {id}"), bare.into());
        }
    }
    rows
}

/// The same rows without creator and creation time.
fn without_creators(rows: Rows) -> Rows {
    rows.into_iter().map(|(key, row)| (key, without_creator(&row))).collect()
}

/// The same row without creator and creation time.
fn without_creator(row: &Value) -> Value {
    let mut row = row.clone();
    if let Some(fields) = row.as_object_mut() {
        fields.retain(|name, _| !["createdAt", "createdBy"].contains(&name.as_str()));
    }
    row
}

/// The key of the changed row.
fn key(change: &Value) -> String {
    let id = change["entityId"].as_str().unwrap();
    match change["entity"].as_str().unwrap() {
        "workspace" => "workspace".into(),
        "process" => format!("processes {id}"),
        entity => format!("{entity}s {id}"),
    }
}

/// A written change set.
#[derive(Debug, Clone)]
struct Written {
    id: String,
    actor: usize,
    label: Option<String>,
    before: Rows,
    /// The rows that it wrote.
    keys: BTreeSet<String>,
    /// Whether it only updated rows without references.
    is_plain: bool,
}

/// A workspace and its expected history.
struct World<'s> {
    actors: [TestClient<'s>; 2],
    path: String,
    states: BTreeMap<i64, Value>,
    log: Vec<Written>,
    /// Id of an uploaded image.
    image: Value,
}

impl World<'_> {
    /// The current state, with its links.
    async fn read(&self) -> Value {
        let now = self.actors[0].get(&self.path).await.ok();
        let revision = now["workspace"]["revision"].as_i64().unwrap();
        self.actors[0].get(&format!("{}?at={revision}", self.path)).await.ok()
    }

    fn now(&self) -> Rows {
        rows(self.states.values().next_back().unwrap())
    }

    /// Records the result of a request. Returns the rows afterwards.
    async fn note(&mut self, actor: usize, label: Option<String>, reply: &TestResponse) -> Rows {
        let before = self.now();
        let state = self.read().await;
        let after = rows(&state);
        let revision = state["workspace"]["revision"].as_i64().unwrap();
        if !reply.status.is_success() {
            assert_eq!(self.states.keys().next_back(), Some(&revision), "nothing is written by {reply}");
            assert_eq!(after, before, "nothing is written by {reply}");
            return after;
        }
        if self.states.insert(revision, state).is_none() {
            let id = reply.json()["changeSetId"].as_str().unwrap().to_owned();
            let path = format!("{}/history?limit=200&changeSetId={id}", self.path);
            let changes = self.actors[0].get(&path).await.ok()["changes"].as_array().unwrap().clone();
            let keys = changes.iter().map(key).collect();
            let is_plain = changes.iter().all(|change| change["op"] == "update" && change["entity"] != "relationship");
            self.log.push(Written { id, actor, label, before, keys, is_plain });
        }
        after
    }

    /// Undoes change sets of a user, selected by `body`; `which` are their indexes in the log.
    async fn undo(&mut self, actor: usize, body: Value, which: &[usize]) -> Option<String> {
        let before = self.now();
        let keys: BTreeSet<String> = which.iter().flat_map(|at| self.log[*at].keys.clone()).collect();
        let reply = self.actors[actor].post(&format!("{}/undo", self.path), body).await;
        let after = self.note(actor, None, &reply).await;
        if reply.status.is_success() {
            for key in before.keys().chain(after.keys()) {
                let first = which.iter().find(|at| self.log[**at].keys.contains(key));
                let expected = first.map_or_else(|| before.get(key), |at| self.log[*at].before.get(key));
                if before.contains_key(key) {
                    // The row may have been deleted and created again. Undo reverts its contents, not who created it.
                    assert_eq!(after.get(key).map(without_creator), expected.map(without_creator), "{key}");
                } else {
                    assert_eq!(after.get(key), expected, "{key}");
                }
            }
            // An undo that changes nothing has no change set.
            return reply.json()["changeSetId"].as_str().map(str::to_owned);
        }
        assert_eq!(reply.status.as_u16(), 409, "{reply}");
        let others: Vec<&Written> = self
            .log
            .iter()
            .enumerate()
            .skip(which[0])
            .filter(|(at, _)| !which.contains(at))
            .map(|(_, one)| one)
            .collect();
        assert!(!others.is_empty(), "nobody has written since: {reply}");
        if which.iter().all(|at| self.log[*at].is_plain) {
            assert!(others.iter().any(|one| !one.keys.is_disjoint(&keys)), "nobody has written these rows: {reply}");
        }
        None
    }

    async fn step(&mut self, actor: usize, step: &Step) {
        let (who, path) = (self.actors[actor].clone(), self.path.clone());
        match step {
            Step::Write(edits, label) => {
                let label = label.map(|label| format!("label {label}"));
                let who = label.as_ref().map_or_else(|| who.clone(), |label| who.header("x-batch-id", label));
                let operations = operations(edits, &self.now(), &self.image);
                let reply = who.post(&format!("{path}/operations"), json!({ "operations": operations })).await;
                assert!([200, 409].contains(&reply.status.as_u16()), "{reply}");
                self.note(actor, label, &reply).await;
            }
            Step::Undo(which, times) => {
                let own: Vec<usize> = (0..self.log.len()).filter(|at| self.log[*at].actor == actor).collect();
                if own.is_empty() {
                    return;
                }
                let at = *which.get(&own);
                let (before, id) = (self.now(), self.log[at].id.clone());
                let Some(mut last) = self.undo(actor, json!({ "changeSetId": id }), &[at]).await else { return };
                let undone = self.now();
                for time in 0..*times {
                    if undone == before {
                        return;
                    }
                    let at = self.log.len() - 1;
                    last = self.undo(actor, json!({ "batchId": last }), &[at]).await.expect("an undo can be undone");
                    assert_eq!(self.now(), if time % 2 == 0 { before.clone() } else { undone.clone() });
                }
            }
            Step::UndoLabel(label) => {
                let label = format!("label {label}");
                let is = |one: &Written| one.actor == actor && one.label.as_ref() == Some(&label);
                let which: Vec<usize> = (0..self.log.len()).filter(|at| is(&self.log[*at])).collect();
                if !which.is_empty() {
                    self.undo(actor, json!({ "batchId": label }), &which).await;
                }
            }
            Step::Restore(which) => {
                let revisions: Vec<i64> = self.states.keys().copied().collect();
                let revision = *which.get(&revisions);
                let reply = who.post(&format!("{path}/history/restore"), json!({ "revision": revision })).await;
                reply.ok();
                let now = self.note(actor, None, &reply).await;
                // A row that another user has deleted and created again keeps its new creator.
                let then = rows(&self.states[&revision]);
                assert_eq!(without_creators(now), without_creators(then), "as it was at {revision}");
            }
        }
    }
}

/// The number of cases: more with `PLANROOM_CASES`.
fn cases() -> u32 {
    env::var("PLANROOM_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(16)
}

#[test]
fn concurrent_writes_are_never_lost_and_past_states_never_change() {
    let fixture = Fixture::new();
    let scripts = fixture.runtime.block_on(async {
        fixture.server.seed_member("bob", "acme", "org:admin");
        let bob = fixture.server.script_client("bob").await.credential().to_owned();
        [fixture.scripts[0].clone(), bob]
    });
    fixture.check(cases(), prop::collection::vec(step(), 1..40), async |id, steps| {
        let actors = [fixture.server.with(&scripts[0]), fixture.server.with(&scripts[1])];
        actors[0].post("/api/workspaces", json!({ "id": id, "name": "W" })).await.created();
        let path = format!("/api/workspaces/{id}");
        let image = actors[1].upload_image(&id, &png(4, 3)).await.created()["id"].clone();
        let mut world = World { actors, path, states: BTreeMap::new(), log: Vec::new(), image };
        let first = world.read().await;
        world.states.insert(first["workspace"]["revision"].as_i64().unwrap(), first);
        for (actor, step) in &steps {
            world.step(*actor, step).await;
        }
        for (revision, state) in &world.states {
            let then = world.actors[1].get(&format!("{}?at={revision}", world.path)).await.ok();
            assert_eq!(then, *state, "as it was at {revision}");
        }
        let [ada, bob] = &world.actors;
        let file = ada.get(&format!("{}/export", world.path)).await.ok();
        let copy = format!("{id}-copy");
        bob.post(&format!("/api/import?id={copy}"), file.clone()).await.created();
        let mut imported = ada.get(&format!("/api/workspaces/{copy}/export")).await.ok();
        imported["workspace"]["id"] = file["workspace"]["id"].clone();
        assert_eq!(imported, file);
        let again = bob.post(&format!("/api/import?id={copy}&replace=true"), file).await.ok();
        for part in ["created", "updated", "deleted"] {
            assert_eq!(again[part]["notes"], json!([]), "{part}");
        }
    });
}
