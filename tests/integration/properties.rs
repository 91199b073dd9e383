//! What holds of every model and every sequence of requests, tried on random ones.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::atomic::{AtomicUsize, Ordering},
};

use planroom::domain::catalogue::CATALOGUE;
use proptest::{
    prelude::*,
    sample::{Index, select},
};
use serde_json::{Map, Value, json};

use crate::support::{Actor, Reply, Stage, segment};

/// One stage for all cases of a property: each case has workspaces of its own. `ada` and `olga` are of different
/// organizations.
struct Theatre {
    stage: Stage,
    runtime: tokio::runtime::Runtime,
    cases: AtomicUsize,
    scripts: [String; 2],
}

impl Theatre {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (stage, scripts) = runtime.block_on(async {
            let stage = Stage::new().await;
            stage.seed_org("other", "olga");
            let ada = stage.script_of("ada").await.credential().to_owned();
            let olga = stage.script_of("olga").await.credential().to_owned();
            (stage, [ada, olga])
        });
        Self { stage, runtime, cases: AtomicUsize::new(0), scripts }
    }

    /// Tries `property` on some values of `strategy`. It gets an id that no other case has.
    fn try_on<S: Strategy>(&self, cases: u32, strategy: S, property: impl AsyncFn(String, S::Value)) {
        proptest!(ProptestConfig::with_cases(cases), |(value in strategy)| {
            let case = self.cases.fetch_add(1, Ordering::Relaxed);
            self.runtime.block_on(property(format!("case-{case}"), value));
        });
    }

    fn actor(&self, index: usize) -> Actor<'_> {
        self.stage.with(&self.scripts[index])
    }
}

// What is sent ---------------------------------------------------------------------------------------------------------

/// Ids with everything that paths and queries are made of, and letters of many scripts.
fn id() -> impl Strategy<Value = String> {
    let strange = select(vec!['/', '+', '%', ' ', '"', '\'', '?', '#', '&', '=', '\\', ';', ':', '.', '<', '{', '}']);
    let letter = select(vec!['a', 'Z', '0', '-', '_', 'ß', 'ж', '漢', 'ع', 'é', '🚀', '\u{301}', '\u{200d}']);
    prop::collection::vec(prop_oneof![strange, letter], 1..10)
        .prop_map(|chars| chars.into_iter().collect::<String>().trim().to_owned())
        .prop_filter("no URL can name it", |id| !matches!(id.as_str(), "" | "." | ".."))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), any::<String>(), "[a-zж漢🚀 \n\t\"\\\\]{1,20}"]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z]{1,10}", "[ß漢🚀\"'<>&%]{1,10}"]
}

fn number() -> impl Strategy<Value = Value> {
    let float = prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL;
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        float.prop_map(Value::from),
        (-1e3..1e3_f64).prop_map(Value::from),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(("[a-zA-Zж🚀\" ]{0,4}", value), 0..5).prop_map(|entries| entries.into_iter().collect())
}

fn properties() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        any::<String>().prop_map(Value::from)
    ];
    object(leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from)
        ]
    }))
}

fn component_type() -> impl Strategy<Value = &'static str> {
    select(CATALOGUE.component_types.iter().map(|known| known.id).collect::<Vec<_>>())
}

/// Any but containment, which has rules of its own.
fn relation_type() -> impl Strategy<Value = &'static str> {
    let plain = |id: &&str| *id != "contains";
    select(CATALOGUE.relation_types.iter().map(|known| known.id).filter(plain).collect::<Vec<_>>())
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![-1e9..=1e9_f64, -1e3..1e3_f64, (-5_000..5_000_i32).prop_map(f64::from)]
}

/// What a bulk takes, with every field that comes back.
#[derive(Debug, Clone)]
struct Model {
    workspace: Value,
    components: Vec<Value>,
    relationships: Vec<Value>,
}

impl Model {
    fn body(&self) -> Value {
        json!({ "workspace": self.workspace, "components": self.components, "relationships": self.relationships })
    }
}

/// A model, with ids out of a small pool where two models shall have some in common.
fn model() -> impl Strategy<Value = Model> {
    let some_id = || prop_oneof![2 => "[a-e]", 1 => id()];
    let component = (component_type(), name(), prop::option::of(text()), coordinate(), coordinate(), properties());
    let relationship = (any::<Index>(), any::<Index>(), relation_type(), prop::option::of(text()), properties());
    (
        (name(), prop::option::of(text()), properties()),
        prop::collection::vec((some_id(), component), 0..8),
        prop::collection::vec((some_id(), relationship), 0..8),
    )
        .prop_map(|((name, description, properties), components, relationships)| {
            let mut workspace = json!({ "name": name, "properties": properties });
            optional(&mut workspace, "description", description);
            let mut seen = HashSet::new();
            let components: Vec<Value> = components
                .into_iter()
                .filter(|(id, _)| seen.insert(id.clone()))
                .map(|(id, (type_id, name, description, x, y, properties))| {
                    let mut row = json!({ "id": id, "typeId": type_id, "name": name, "x": x, "y": y,
                                          "properties": properties });
                    optional(&mut row, "description", description);
                    row
                })
                .collect();
            let mut seen = HashSet::new();
            let relationships = relationships
                .into_iter()
                .filter(|(id, _)| !components.is_empty() && seen.insert(id.clone()))
                .map(|(id, (source, target, type_id, label, properties))| {
                    let end = |index: Index| index.get(&components)["id"].clone();
                    let mut row = json!({ "id": id, "sourceId": end(source), "targetId": end(target),
                                          "typeId": type_id, "properties": properties });
                    optional(&mut row, "label", label);
                    row
                })
                .collect();
            Model { workspace, components, relationships }
        })
}

fn optional(row: &mut Value, key: &str, text: Option<String>) {
    if let Some(text) = text {
        row[key] = text.into();
    }
}

// What is seen ---------------------------------------------------------------------------------------------------------

/// Those fields of `read` that were `sent`, and no others that a caller could have sent; as text, so that the order of
/// keys and the form of numbers count.
fn same_fields(sent: &Value, read: &Value) {
    for field in ["id", "typeId", "name", "description", "label", "x", "y", "sourceId", "targetId", "properties"] {
        if let (None, "id") = (sent.get(field), field) {
            continue; // a workspace's own, from the path
        }
        assert_eq!(sent.get(field).map(Value::to_string), read.get(field).map(Value::to_string), "{field}");
    }
}

fn holds(bundle: &Value, model: &Model) {
    same_fields(&model.workspace, &bundle["workspace"]);
    for (sent, read) in [(&model.components, &bundle["components"]), (&model.relationships, &bundle["relationships"])] {
        let read = read.as_array().unwrap();
        assert_eq!(sent.len(), read.len());
        sent.iter().zip(read).for_each(|(sent, read)| same_fields(sent, read));
    }
}

fn ids(rows: &Value) -> Vec<String> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

/// What a dry run has to say about one kind: what came, what changed, what went.
fn difference(before: &Value, after: &Value, kind: &str, revision: &Value) -> [Vec<String>; 3] {
    let (old, new) = (ids(&before[kind]), ids(&after[kind]));
    let written: Vec<String> = after[kind]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["revision"] == *revision)
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    let without = |ids: &[String], others: &[String]| {
        sorted(ids.iter().filter(|id| !others.contains(id)).cloned().collect::<Vec<_>>())
    };
    let created = without(&new, &old);
    [created.clone(), without(&written, &created), without(&old, &new)]
}

#[test]
fn a_bulk_is_read_back_as_it_was_sent_and_foretold_by_its_dry_run() {
    let theatre = Theatre::new();
    theatre.try_on(60, (model(), model()), async |id, (first, second)| {
        let ada = theatre.actor(0);
        let path = format!("/api/workspaces/{id}");
        let (bulk, dry) = (format!("{path}/bulk"), format!("{path}/bulk?dryRun=true"));

        ada.put(&dry, first.body()).await.ok();
        ada.get(&path).await.refused(404, "workspace");
        let done = ada.put(&bulk, first.body()).await.ok();
        holds(&done, &first);
        let before = ada.get(&path).await.ok();
        holds(&before, &first);

        ada.put(&bulk, first.body()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "the same again changes nothing, not even a revision");
        ada.put(&bulk, before.clone()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "what was read can be sent back");

        let foretold = ada.put(&dry, second.body()).await.ok();
        assert_eq!(ada.get(&path).await.ok(), before, "a dry run writes nothing");
        ada.put(&bulk, second.body()).await.ok();
        let after = ada.get(&path).await.ok();
        holds(&after, &second);
        let moved = before["workspace"]["revision"] != after["workspace"]["revision"];
        for kind in ["components", "relationships"] {
            let revision = if moved { &after["workspace"]["revision"] } else { &Value::Null };
            let expected = difference(&before, &after, kind, revision);
            for (what, expected) in ["created", "updated", "deleted"].into_iter().zip(expected) {
                let said: Vec<String> = serde_json::from_value(foretold[what][kind].clone()).unwrap();
                assert_eq!(sorted(said), expected, "{what} {kind}");
            }
        }
        assert_eq!(foretold["created"]["workspaces"], json!([]));
        let own =
            |bundle: &Value| ["name", "description", "properties"].map(|key| bundle["workspace"][key].to_string());
        let expected = if own(&before) == own(&after) { json!([]) } else { json!([id]) };
        assert_eq!(foretold["updated"]["workspaces"], expected);
    });
}

#[test]
fn any_id_can_be_named_in_a_path() {
    let theatre = Theatre::new();
    theatre.try_on(60, (id(), id(), id()), async |case, (workspace, component, relationship)| {
        let ada = theatre.actor(0);
        let workspace = format!("{workspace}{case}");
        let path = format!("/api/workspaces/{}", segment(&workspace));
        ada.post("/api/workspaces", json!({ "id": workspace, "name": "W" })).await.created();
        let new = json!({ "id": component, "typeId": "service", "name": "C" });
        ada.post(&format!("{path}/components"), new).await.created();
        let new = json!({ "id": relationship, "sourceId": component, "targetId": component, "typeId": "uses" });
        ada.post(&format!("{path}/relationships"), new).await.created();

        let bundle = ada.get(&path).await.ok();
        assert_eq!(bundle["workspace"]["id"], workspace);
        assert_eq!(bundle["components"][0]["id"], component);
        assert_eq!(bundle["relationships"][0]["id"], relationship);
        let at = format!("{path}/components/{}", segment(&component));
        assert_eq!(ada.get(&at).await.ok()["component"]["id"], component);
        ada.patch(&at, json!({ "id": component, "name": "D" })).await.ok();
        let to = format!("{path}/relationships/{}", segment(&relationship));
        ada.patch(&to, json!({ "label": "L" })).await.ok();
        ada.patch(&format!("{path}/components"), json!([{ "id": component, "x": 1, "y": 2 }])).await.ok();
        ada.put(&format!("{path}/bulk"), bundle).await.ok();
        ada.delete(&to).await.ok();
        ada.delete(&at).await.ok();
        ada.get(&at).await.refused(404, "component");
        ada.patch(&path, json!({ "name": "X" })).await.ok();
        ada.delete(&path).await.ok();
        ada.get(&path).await.refused(404, "workspace");
    });
}

#[tokio::test]
async fn a_workspace_id_that_is_the_name_of_an_endpoint_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.script_of("ada").await;
    // GET /api/workspaces/restore would never reach it.
    ada.post("/api/workspaces", json!({ "id": "restore", "name": "W" })).await.refused(400, "id: `restore`");
    let bulk = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    ada.put("/api/workspaces/restore/bulk", bulk).await.refused(400, "id: `restore`");
    let made = ada.post("/api/workspaces", json!({ "name": "Restore" })).await.created();
    assert_eq!(made["workspace"]["id"], "restore-2");
    ada.get("/api/workspaces/restore-2").await.ok();
    ada.delete("/api/workspaces/restore-2").await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let body = json!({ "pk": pk, "id": "restore" });
    ada.post("/api/workspaces/restore", body).await.refused(400, "id: `restore`");
}

// Random requests, beside a model of what they do ------------------------------------------------------------------------

/// How many workspaces a case has; every second is of the other organization.
const WORKSPACES: usize = 4;

/// One request. Ids come from small pools, so that they collide.
#[derive(Debug, Clone)]
enum Act {
    Create { id: u8, name: u8 },
    Patch { id: u8, name: Option<u8>, x: Option<i16> },
    Move(Vec<(u8, i16)>),
    Delete { id: u8 },
    Relate { id: u8, ends: Ends },
    PatchRelationship { id: u8, ends: Ends },
    Unrelate { id: u8 },
    Bulk { components: Vec<(u8, u8)>, relationships: Vec<(u8, Ends)> },
    Rename { name: u8 },
    DeleteWorkspace,
    RestoreWorkspace,
}

/// Source, target, and whether the one contains the other.
type Ends = (u8, u8, bool);

fn act() -> impl Strategy<Value = Act> {
    let (c, r, name) = (|| 0..6_u8, || 0..5_u8, || 0..3_u8);
    let ends = || (0..6_u8, 0..6_u8, prop::bool::weighted(0.6));
    prop_oneof![
        8 => (c(), name()).prop_map(|(id, name)| Act::Create { id, name }),
        4 => (c(), prop::option::of(name()), prop::option::of(-99..99_i16))
            .prop_map(|(id, name, x)| Act::Patch { id, name, x }),
        2 => prop::collection::vec((c(), -99..99_i16), 0..3).prop_map(Act::Move),
        3 => c().prop_map(|id| Act::Delete { id }),
        8 => (r(), ends()).prop_map(|(id, ends)| Act::Relate { id, ends }),
        4 => (r(), ends()).prop_map(|(id, ends)| Act::PatchRelationship { id, ends }),
        2 => r().prop_map(|id| Act::Unrelate { id }),
        3 => (prop::collection::vec((c(), name()), 0..6), prop::collection::vec((r(), ends()), 0..4))
            .prop_map(|(components, relationships)| Act::Bulk { components, relationships }),
        1 => name().prop_map(|name| Act::Rename { name }),
        1 => Just(Act::DeleteWorkspace),
        2 => Just(Act::RestoreWorkspace),
    ]
}

/// What a workspace should be.
#[derive(Debug, Clone, Default)]
struct World {
    name: String,
    deleted: bool,
    /// Id, name, x.
    components: Vec<(String, String, i16)>,
    /// Id and ends.
    relationships: Vec<(String, (String, String, bool))>,
}

/// Parents by child, when containment is a forest.
fn forest<'a>(contains: impl Iterator<Item = (&'a str, &'a str)>) -> Option<HashMap<&'a str, &'a str>> {
    let mut parents = HashMap::new();
    for (parent, child) in contains {
        if parents.insert(child, parent).is_some() {
            return None;
        }
    }
    let rooted = |mut at: &'a str| {
        let mut steps = 0;
        while let Some(parent) = parents.get(at) {
            at = parent;
            steps += 1;
            if steps > parents.len() {
                return false;
            }
        }
        true
    };
    parents.keys().all(|child| rooted(child)).then_some(parents)
}

fn c(id: u8) -> String {
    format!("c{id}")
}

fn r(id: u8) -> String {
    format!("r{id}")
}

fn named((source, target, contains): Ends) -> (String, String, bool) {
    (c(source), c(target), contains)
}

fn fields((source, target, contains): &(String, String, bool)) -> Value {
    json!({ "sourceId": source, "targetId": target, "typeId": if *contains { "contains" } else { "uses" } })
}

impl World {
    fn component(&mut self, id: &str) -> Option<&mut (String, String, i16)> {
        self.components.iter_mut().find(|row| row.0 == id)
    }

    /// Whether all ends are there, and containment is a forest.
    fn is_sound(&self) -> bool {
        let there = |id: &String| self.components.iter().any(|row| row.0 == *id);
        let contains = self.relationships.iter().filter(|(_, ends)| ends.2);
        self.relationships.iter().all(|(_, ends)| there(&ends.0) && there(&ends.1))
            && forest(contains.map(|(_, ends)| (ends.0.as_str(), ends.1.as_str()))).is_some()
    }

    /// Becomes what `act` makes of it and answers with the status that it should have.
    fn perform(&mut self, act: &Act) -> u16 {
        let mut then = self.clone();
        let status = then.change(act);
        if status < 300 {
            if !then.is_sound() {
                return 400;
            }
            *self = then;
        }
        status
    }

    fn change(&mut self, act: &Act) -> u16 {
        match act {
            Act::RestoreWorkspace => self.deleted = false, // its status depends on the list of deleted ones
            _ if self.deleted => return 404,
            Act::DeleteWorkspace => self.deleted = true,
            Act::Rename { name } => self.name = format!("Name {name}"),
            Act::Create { id, .. } if self.component(&c(*id)).is_some() => return 409,
            Act::Create { id, name } => {
                self.components.push((c(*id), format!("Name {name}"), 0));
                return 201;
            }
            Act::Patch { id, name, x } => {
                let Some(row) = self.component(&c(*id)) else { return 404 };
                row.1 = name.map_or_else(|| row.1.clone(), |name| format!("Name {name}"));
                row.2 = x.unwrap_or(row.2);
            }
            Act::Move(moves) => {
                let mut seen = HashSet::new();
                for (id, x) in moves {
                    let Some(row) = self.component(&c(*id)) else { return 400 };
                    row.2 = *x;
                    if !seen.insert(id) {
                        return 400;
                    }
                }
            }
            Act::Delete { id } => {
                let id = c(*id);
                if self.component(&id).is_none() {
                    return 404;
                }
                self.components.retain(|row| row.0 != id);
                self.relationships.retain(|(_, ends)| ends.0 != id && ends.1 != id);
            }
            Act::Relate { id, .. } if self.relationships.iter().any(|row| row.0 == r(*id)) => return 409,
            Act::Relate { id, ends } => {
                self.relationships.push((r(*id), named(*ends)));
                return 201;
            }
            Act::PatchRelationship { id, ends } => {
                let Some(row) = self.relationships.iter_mut().find(|row| row.0 == r(*id)) else { return 404 };
                row.1 = named(*ends);
            }
            Act::Unrelate { id } => {
                let before = self.relationships.len();
                self.relationships.retain(|row| row.0 != r(*id));
                if self.relationships.len() == before {
                    return 404;
                }
            }
            Act::Bulk { components, relationships } => {
                self.components = components.iter().map(|(id, name)| (c(*id), format!("Name {name}"), 7)).collect();
                self.relationships = relationships.iter().map(|(id, ends)| (r(*id), named(*ends))).collect();
                let repeated = |ids: Vec<&String>| ids.iter().collect::<HashSet<_>>().len() != ids.len();
                if repeated(self.components.iter().map(|row| &row.0).collect())
                    || repeated(self.relationships.iter().map(|row| &row.0).collect())
                {
                    return 400;
                }
            }
        }
        200
    }

    /// Whether a bundle is what this is.
    fn is(&self, bundle: &Value) {
        assert_eq!(bundle["workspace"]["name"], self.name);
        let components: Vec<_> = self.components.iter().map(|(id, name, x)| json!([id, name, f64::from(*x)])).collect();
        let read = |kind: &str, row: fn(&Value) -> Value| -> Vec<Value> {
            bundle[kind].as_array().unwrap().iter().map(row).collect()
        };
        assert_eq!(read("components", |row| json!([row["id"], row["name"], row["x"]])), components);
        let relationships: Vec<_> = self.relationships.iter().map(|(id, ends)| json!([id, fields(ends)])).collect();
        let row = |row: &Value| json!([row["id"], { "sourceId": row["sourceId"], "targetId": row["targetId"], "typeId": row["typeId"] }]);
        assert_eq!(read("relationships", row), relationships);
    }
}

/// Sends what `act` says. A restoration needs the key of the workspace, which the list of deleted ones has.
async fn send(actor: &Actor<'_>, id: &str, act: &Act) -> Option<Reply> {
    let path = format!("/api/workspaces/{id}");
    let (components, relationships) = (format!("{path}/components"), format!("{path}/relationships"));
    Some(match act {
        Act::Create { id, name } => {
            let new = json!({ "id": c(*id), "typeId": "service", "name": format!("Name {name}"), "x": 0, "y": 0 });
            actor.post(&components, new).await
        }
        Act::Patch { id, name, x } => {
            let mut change = Map::new();
            name.map(|name| change.insert("name".into(), format!("Name {name}").into()));
            x.map(|x| change.insert("x".into(), x.into()));
            actor.patch(&format!("{components}/{}", c(*id)), change.into()).await
        }
        Act::Move(moves) => {
            let moves = moves.iter().map(|(id, x)| json!({ "id": c(*id), "x": x, "y": 0 })).collect();
            actor.patch(&components, moves).await
        }
        Act::Delete { id } => actor.delete(&format!("{components}/{}", c(*id))).await,
        Act::Relate { id, ends } => {
            let mut new = fields(&named(*ends));
            new["id"] = r(*id).into();
            actor.post(&relationships, new).await
        }
        Act::PatchRelationship { id, ends } => {
            actor.patch(&format!("{relationships}/{}", r(*id)), fields(&named(*ends))).await
        }
        Act::Unrelate { id } => actor.delete(&format!("{relationships}/{}", r(*id))).await,
        Act::Bulk { components, relationships } => {
            let components: Vec<_> = components
                .iter()
                .map(|(id, name)| {
                    json!({ "id": c(*id), "typeId": "service", "name": format!("Name {name}"), "x": 7, "y": 0 })
                })
                .collect();
            let relationships: Vec<_> = relationships
                .iter()
                .map(|(id, ends)| {
                    let mut row = fields(&named(*ends));
                    row["id"] = r(*id).into();
                    row
                })
                .collect();
            let body = json!({ "components": components, "relationships": relationships });
            actor.put(&format!("{path}/bulk"), body).await
        }
        Act::Rename { name } => actor.patch(&path, json!({ "name": format!("Name {name}") })).await,
        Act::DeleteWorkspace => actor.delete(&path).await,
        Act::RestoreWorkspace => {
            let deleted = actor.get("/api/workspaces?deleted=true").await.ok();
            let pk = deleted["workspaces"].as_array().unwrap().iter().find(|row| row["id"] == id)?["pk"].clone();
            actor.post("/api/workspaces/restore", json!({ "pk": pk })).await
        }
    })
}

#[test]
fn random_requests_of_two_organizations_do_what_they_should_and_no_more_and_are_logged() {
    let theatre = Theatre::new();
    // Mostly by those who may.
    let acts = prop::collection::vec((0..WORKSPACES, prop::bool::weighted(0.1), act()), 1..50);
    theatre.try_on(30, acts, async |case, acts| {
        let ids: Vec<String> = (0..WORKSPACES).map(|n| format!("{case}-{n}")).collect();
        let mut worlds = vec![World { name: "W".into(), ..World::default() }; WORKSPACES];
        for (n, id) in ids.iter().enumerate() {
            // Of members alone: the other organization's admins have no say either.
            let visibility = if n < 2 { "org" } else { "private" };
            let new = json!({ "id": id, "name": "W", "visibility": visibility });
            theatre.actor(n % 2).post("/api/workspaces", new).await.created();
        }
        for (n, stranger, act) in &acts {
            let (world, actor) = (&mut worlds[*n], theatre.actor((n + usize::from(*stranger)) % 2));
            if world.deleted && matches!(act, Act::Bulk { .. }) {
                continue; // it would found another workspace under the id, which is free
            }
            let reply = send(&actor, &ids[*n], act).await;
            match (act, reply) {
                (Act::RestoreWorkspace, reply) if *stranger || !world.deleted => {
                    assert!(reply.is_none(), "{reply:?} was not to be restored");
                }
                (_, reply) if *stranger => {
                    // A model that cannot be right anywhere is refused as such, before it is asked where it shall go.
                    let nonsense = matches!(act, Act::Bulk { .. }) && World::default().perform(act) == 400;
                    reply.unwrap().expect(if nonsense { 400 } else { 404 });
                }
                (_, reply) => {
                    let expected = world.perform(act);
                    reply.unwrap().expect(expected);
                }
            }
        }
        for (n, id) in ids.iter().enumerate() {
            let (owner, stranger) = (theatre.actor(n % 2), theatre.actor((n + 1) % 2));
            let path = format!("/api/workspaces/{id}");
            stranger.get(&path).await.refused(404, "workspace");
            let listed = |list: Value| list["workspaces"].as_array().unwrap().iter().any(|row| row["id"] == **id);
            assert!(!listed(stranger.get("/api/workspaces").await.ok()));
            assert_eq!(listed(owner.get("/api/workspaces").await.ok()), !worlds[n].deleted);
            if worlds[n].deleted {
                owner.get(&path).await.refused(404, "workspace");
                send(&owner, id, &Act::RestoreWorkspace).await.unwrap().ok();
            }
            let bundle = owner.get(&path).await.ok();
            worlds[n].is(&bundle);
            assert_eq!(replay(&theatre.stage, id), Replayed::of(&bundle));
        }
    });
}

// The change log ---------------------------------------------------------------------------------------------------------

/// What a replay of the log, or a look at the bundle, shows.
#[derive(Debug, PartialEq)]
struct Replayed {
    revision: i64,
    workspace: [String; 4],
    components: Vec<String>,
    relationships: Vec<String>,
}

impl Replayed {
    fn of(bundle: &Value) -> Self {
        let rows = |kind: &str| bundle[kind].as_array().unwrap().iter().map(Value::to_string).collect();
        Self {
            revision: bundle["workspace"]["revision"].as_i64().unwrap(),
            workspace: own(&bundle["workspace"]),
            components: rows("components"),
            relationships: rows("relationships"),
        }
    }
}

/// A workspace's own fields: its revision and author move with every write inside, without a change of its own.
fn own(workspace: &Value) -> [String; 4] {
    ["id", "name", "visibility", "properties"].map(|key| workspace[key].to_string())
}

/// Rebuilds a workspace from its changes alone. Each must begin where the one before ended.
fn replay(stage: &Stage, id: &str) -> Replayed {
    type Row = (String, String, String, Option<String>, Option<String>, i64);
    let changes: Vec<Row> = stage.sql(|conn| {
        let sql = "SELECT entity, entity_id, op, before, after, revision FROM change
                   WHERE workspace_pk = (SELECT pk FROM workspace WHERE id = ?) ORDER BY id";
        let mut rows = conn.prepare(sql).unwrap();
        let read = |row: &rusqlite::Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        };
        rows.query_map([id], read).unwrap().map(Result::unwrap).collect()
    });
    let mut replayed: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut revision = 0;
    for (entity, key, op, before, after, at) in changes {
        let parse = |image: Option<String>| image.map(|image| serde_json::from_str::<Value>(&image).unwrap());
        let (before, after) = (parse(before), parse(after));
        assert!(at >= revision, "revisions only grow");
        revision = at;
        assert_eq!((op.as_str() == "create", op.as_str() == "delete"), (before.is_none(), after.is_none()));
        let known = replayed.remove(&(entity.clone(), key.clone()));
        if entity == "workspace" {
            assert_eq!(before.as_ref().map(own), known.as_ref().map(own));
        } else {
            assert_eq!(before.map(|v| v.to_string()), known.map(|v| v.to_string()), "{op} of {entity} {key}");
        }
        if let Some(after) = after {
            assert!(entity == "workspace" || after["revision"] == at);
            replayed.insert((entity, key), after);
        }
    }
    let of = |kind: &'static str| replayed.iter().filter(move |((entity, _), _)| entity == kind).map(|(_, row)| row);
    let in_order = |kind: &'static str| {
        let mut rows: Vec<Value> = of(kind).cloned().collect();
        rows.sort_by_key(|row| row["seq"].as_i64().unwrap());
        let places: HashSet<i64> = rows.iter().map(|row| row["seq"].as_i64().unwrap()).collect();
        assert_eq!(places.len(), rows.len(), "two {kind}s have the same place");
        rows.into_iter()
            .map(|mut row| {
                row.as_object_mut().unwrap().shift_remove("seq");
                row.to_string()
            })
            .collect()
    };
    assert_eq!((of("workspace").count(), of("member").count()), (1, 1));
    Replayed {
        revision,
        workspace: own(of("workspace").next().unwrap()),
        components: in_order("component"),
        relationships: in_order("relationship"),
    }
}

// Containment ------------------------------------------------------------------------------------------------------------

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
