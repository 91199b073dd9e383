//! Random edits of a workspace and its draft by several users, merges, undos and updates, compared with what each side did.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::{Value, json};

use super::{compare, patch, start};
use crate::support::{TestClient, TestServer};

/// An edit of one of the two maps.
#[derive(Debug, Clone)]
enum Edit {
    Rename(u8, u8),
    Describe(u8, u8),
    Property(u8, u8),
    Move(u8, u8),
    Create(u8),
    Delete(u8),
    Relate(u8, u8, bool),
    Unrelate(u8, u8),
    Own(u8),
    Disown(u8),
    Process(u8, u8),
    Note(u8, u8),
    Decide(u8, u8),
    Redecide(u8, u8),
    Undecide(u8),
    Undo,
}

/// A step of a history.
#[derive(Debug, Clone)]
enum Step {
    /// By the editor with this index.
    Base(Edit, usize),
    /// By the author, or by an editor.
    Draft(Edit, usize),
    Update(bool),
    Merge(bool, bool),
}

fn edit() -> impl Strategy<Value = Edit> {
    let (one, two) = (0..5_u8, 0..3_u8);
    prop_oneof![
        4 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Rename(at, value)),
        2 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Describe(at, value)),
        2 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Property(at, value)),
        2 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Move(at, value)),
        2 => one.clone().prop_map(Edit::Create),
        2 => one.clone().prop_map(Edit::Delete),
        4 => (one.clone(), one.clone(), any::<bool>()).prop_map(|(a, b, contains)| Edit::Relate(a, b, contains)),
        1 => (one.clone(), one.clone()).prop_map(|(a, b)| Edit::Unrelate(a, b)),
        2 => one.clone().prop_map(Edit::Own),
        1 => one.clone().prop_map(Edit::Disown),
        1 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Process(at, value)),
        1 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Note(at, value)),
        2 => (one.clone(), two.clone()).prop_map(|(at, value)| Edit::Decide(at, value)),
        2 => (one.clone(), two).prop_map(|(at, value)| Edit::Redecide(at, value)),
        1 => one.prop_map(Edit::Undecide),
        1 => Just(Edit::Undo),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (edit(), 0..2_usize).prop_map(|(edit, by)| Step::Base(edit, by)),
        6 => (edit(), 0..2_usize).prop_map(|(edit, by)| Step::Draft(edit, by)),
        1 => any::<bool>().prop_map(Step::Update),
        1 => (any::<bool>(), any::<bool>()).prop_map(|(take, undo)| Step::Merge(take, undo)),
    ]
}

/// Performs an edit. Returns the change set if the edit was accepted.
async fn perform(client: &TestClient<'_>, workspace: &str, edit: &Edit, last: Option<&String>) -> Option<String> {
    let at = |rest: String| format!("/api/workspaces/{workspace}{rest}");
    let component = |id: &u8| at(format!("/components/c{id}"));
    let (method, path, body) = match edit {
        Edit::Rename(id, value) => (Method::PATCH, component(id), json!({ "name": format!("N{value}") })),
        Edit::Describe(id, value) => (Method::PATCH, component(id), json!({ "description": format!("D{value}") })),
        Edit::Property(id, value) => {
            (Method::PATCH, component(id), json!({ "properties": { format!("p{value}"): workspace.len() } }))
        }
        Edit::Move(id, value) => (Method::PATCH, component(id), json!({ "x": 10 * value, "y": 5 })),
        Edit::Create(id) => {
            let new = json!({ "id": format!("c{id}"), "typeId": "service", "name": "New", "x": 1, "y": 1 });
            (Method::POST, at("/components".into()), new)
        }
        Edit::Delete(id) => (Method::DELETE, component(id), Value::Null),
        Edit::Relate(a, b, contains) => {
            let kind = if *contains { "contains" } else { "calls" };
            let new = json!({ "id": format!("r{a}{b}{kind}"), "sourceId": format!("c{a}"), "targetId": format!("c{b}"), "typeId": kind });
            (Method::POST, at("/relationships".into()), new)
        }
        Edit::Unrelate(a, b) => (Method::DELETE, at(format!("/relationships/r{a}{b}calls")), Value::Null),
        Edit::Own(id) => {
            let new = json!({ "personId": "grace", "linkType": "owner" });
            (Method::POST, format!("{}/stakeholders", component(id)), new)
        }
        Edit::Disown(id) => {
            let of = client.get(&format!("{}/stakeholders", component(id))).await;
            let id_of = of.json()["stakeholders"][0]["id"].as_i64()?;
            (Method::DELETE, format!("{}/stakeholders/{id_of}", component(id)), Value::Null)
        }
        Edit::Process(id, value) => {
            let text = format!("sequenceDiagram\n  A->>B: m{value}");
            let new = json!({ "id": format!("p{id}"), "name": format!("P{value}"), "mermaid": text });
            let known = client.get(&at(format!("/processes/p{id}"))).await.status == 200;
            let path = if known { at(format!("/processes/p{id}")) } else { at("/processes".into()) };
            (if known { Method::PATCH } else { Method::POST }, path, new)
        }
        Edit::Note(id, value) => {
            let new = json!({ "id": format!("n{id}"), "text": format!("T{value}"), "x": 0, "y": 0 });
            (Method::POST, at("/notes".into()), new)
        }
        Edit::Decide(id, value) => {
            let new = json!({ "id": format!("d{id}"), "title": format!("T{value}"), "status": "proposed" });
            (Method::POST, at("/decisions".into()), new)
        }
        Edit::Redecide(id, value) => {
            let change = json!({ "title": format!("T{value}"), "body": format!("Because of {value}") });
            (Method::PATCH, at(format!("/decisions/d{id}")), change)
        }
        Edit::Undecide(id) => (Method::DELETE, at(format!("/decisions/d{id}")), Value::Null),
        Edit::Undo => (Method::POST, at("/undo".into()), json!({ "changeSetId": last? })),
    };
    let body = if body.is_null() { None } else { Some(body) };
    let reply = client.send(method, &path, body).await;
    assert!(reply.status.as_u16() < 500, "{reply}");
    reply.status.is_success().then(|| reply.header("x-request-id").to_owned())
}

/// A map as kind and key of each row, with its fields. Stakeholders are named by what they say.
type Map = BTreeMap<String, BTreeMap<String, Value>>;

async fn map(client: &TestClient<'_>, workspace: &str) -> Map {
    let mut bundle = client.bundle_with_notes(workspace).await;
    bundle["decisions"] = decisions(client, workspace).await.into();
    let mut map = Map::new();
    for kind in ["components", "relationships", "stakeholders", "processes", "notes", "decisions"] {
        for row in bundle[kind].as_array().unwrap() {
            let key = match kind {
                "stakeholders" => format!("{} {}", row["componentId"], row["personId"]),
                _ => row["id"].to_string(),
            };
            let mut fields = BTreeMap::new();
            for (name, value) in row.as_object().unwrap() {
                let ignored = [
                    "workspaceId",
                    "revision",
                    "createdAt",
                    "createdBy",
                    "updatedAt",
                    "updatedBy",
                    "person",
                    "team",
                    "number",
                ];
                if ignored.contains(&name.as_str()) || kind == "stakeholders" && name == "id" || value.is_null() {
                    continue;
                }
                if name == "properties" {
                    fields.extend(
                        value
                            .as_object()
                            .unwrap()
                            .iter()
                            .map(|(key, value)| (format!("properties.{key}"), value.clone())),
                    );
                } else {
                    fields.insert(name.clone(), value.clone());
                }
            }
            map.insert(format!("{kind} {key}"), fields);
        }
    }
    map
}

/// The decisions of a workspace.
async fn decisions(client: &TestClient<'_>, workspace: &str) -> Vec<Value> {
    let path = format!("/api/workspaces/{workspace}/decisions");
    let mut decisions = Vec::new();
    for row in client.get(&path).await.ok()["decisions"].as_array().unwrap() {
        decisions.push(client.get(&format!("{path}/{}", row["id"].as_str().unwrap())).await.ok()["decision"].clone());
    }
    decisions
}

/// The numbers of the decisions of a workspace, which are unique.
async fn numbers(client: &TestClient<'_>, workspace: &str) -> BTreeMap<String, i64> {
    let decisions = decisions(client, workspace).await;
    let numbers: BTreeMap<String, i64> =
        decisions.iter().map(|row| (row["id"].to_string(), row["number"].as_i64().unwrap())).collect();
    let unique: BTreeSet<&i64> = numbers.values().collect();
    assert_eq!(unique.len(), numbers.len(), "two decisions have the same number: {numbers:?}");
    numbers
}

/// The rows and fields in which both sides have changed the same in different ways.
fn conflicts(branch: &Map, base: &Map, draft: &Map) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let empty = BTreeMap::new();
    for id in base.keys().filter(|id| draft.contains_key(*id)) {
        let (was, ours, theirs) = (branch.get(id).unwrap_or(&empty), &base[id], &draft[id]);
        for field in ours.keys().chain(theirs.keys()) {
            let (was, ours, theirs) = (was.get(field), ours.get(field), theirs.get(field));
            if was != ours && was != theirs && ours != theirs {
                found.insert(format!("{id} {field}"));
            }
        }
    }
    found
}

/// The components and decisions that one side has deleted and the other has changed.
fn removals(branch: &Map, base: &Map, draft: &Map) -> BTreeSet<String> {
    let is_compared = |id: &&String| id.starts_with("components ") || id.starts_with("decisions ");
    let is_conflict = |id: &&String| match (base.get(*id), draft.get(*id)) {
        (Some(left), None) | (None, Some(left)) => *left != branch[*id],
        _ => false,
    };
    branch.keys().filter(is_compared).filter(is_conflict).cloned().collect()
}

/// The same as a comparison lists them.
fn listed_removals(comparison: &Value) -> BTreeSet<String> {
    let rows = comparison["changes"].as_array().unwrap().iter().filter(|row| row["conflict"] == "removed");
    rows.filter(|row| row["kind"] == "component" || row["kind"] == "decision")
        .map(|row| format!("{}s {}", row["kind"].as_str().unwrap(), row["id"]))
        .collect()
}

/// The field conflicts that a comparison lists.
fn listed(comparison: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for row in comparison["changes"].as_array().unwrap().iter().filter(|row| row["conflict"] == "fields") {
        let kind = row["kind"].as_str().unwrap();
        let kind = if kind == "process" { "processes".to_owned() } else { format!("{kind}s") };
        let id = match kind.as_str() {
            "stakeholders" => format!("{} {}", row["row"]["componentId"], row["row"]["personId"]),
            _ => row["id"].to_string(),
        };
        for field in row["fields"].as_array().unwrap().iter().filter(|field| field["conflict"] == true) {
            found.insert(format!("{kind} {id} {}", field["field"].as_str().unwrap()));
        }
    }
    found
}

/// Fails if the result lacks something that neither side has deleted, or has something of no side.
fn assert_nothing_lost(branch: &Map, base: &Map, draft: &Map, after: &Map, story: &[Step]) {
    for id in base.keys().chain(draft.keys()) {
        let was_deleted = branch.contains_key(id) && !(base.contains_key(id) && draft.contains_key(id));
        assert!(after.contains_key(id) || was_deleted, "{id} is lost: {story:?}");
    }
    for (id, row) in after {
        for (field, value) in row {
            let of = |map: &Map| map.get(id).and_then(|row| row.get(field)) == Some(value);
            assert!(of(base) || of(draft), "{id} {field}: {value} is of no side: {story:?}");
            let is = |map: &Map| map.get(id).and_then(|row| row.get(field)).cloned();
            let (was, ours, theirs) = (is(branch), is(base), is(draft));
            if base.contains_key(id) && draft.contains_key(id) && was == ours {
                assert_eq!(Some(value), theirs.as_ref(), "{id} {field}: only the draft has changed it: {story:?}");
            }
        }
    }
}

/// Fails if a decision of the workspace got another number than the draft or the workspace gave it.
fn assert_numbers_kept(was: &BTreeMap<String, i64>, theirs: &BTreeMap<String, i64>, after: &BTreeMap<String, i64>) {
    for (id, number) in was {
        let Some(now) = after.get(id) else { continue };
        let is_kept = now == number || theirs.get(id).is_some_and(|number| was.get(id) != Some(number));
        assert!(is_kept, "the number of {id} is {now} instead of {number}");
    }
}

/// Users who edit a workspace and its drafts, and the last change sets of each of them.
struct Actors<'s> {
    /// Editors of the workspace, and the author of its drafts, who can only view the workspace.
    clients: [TestClient<'s>; 3],
    last: [[Option<String>; 3]; 2],
}

/// Index of the author of the drafts.
const AUTHOR: usize = 2;

impl Actors<'_> {
    async fn perform(&mut self, side: usize, by: usize, workspace: &str, edit: &Edit) {
        let last = &mut self.last[side][by];
        let done = perform(&self.clients[by], workspace, edit, last.as_ref()).await;
        *last = done.or(last.take());
    }

    /// Compares a draft with its workspace, and checks its conflicts. Returns whether there are any.
    async fn has_conflicts(&self, draft: &str, branch: &Map, (ours, theirs): (&Map, &Map), story: &[Step]) -> bool {
        let comparison = compare(&self.clients[AUTHOR], draft).await;
        assert_eq!(listed(&comparison), conflicts(branch, ours, theirs), "{story:?}");
        assert_eq!(listed_removals(&comparison), removals(branch, ours, theirs), "{story:?}");
        comparison["counts"]["conflicting"] != 0
    }
}

#[tokio::test]
async fn merges_of_random_histories_lose_nothing_and_are_undone() {
    const CASES: usize = 14;
    let server = TestServer::new().await;
    server.seed_member("ben", "acme", "org:admin");
    server.seed_member("cy", "acme", "org:member");
    let clients =
        [server.script_client("ada").await, server.script_client("ben").await, server.script_client("cy").await];
    clients[0].post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    let mut actors = Actors { clients, last: Default::default() };
    let mut runner = TestRunner::deterministic();
    let stories = prop::collection::vec(step(), 5..40);
    for case in 0..CASES {
        let story = stories.new_tree(&mut runner).unwrap().current();
        let base = format!("w{case}");
        actors.last = Default::default();
        let ada = &actors.clients[0];
        ada.create_workspace(&base).await;
        let access = json!({ "organizationAccess": "view" });
        ada.patch(&format!("/api/workspaces/{base}"), access).await.ok();
        ada.create_components(&base, &["c0", "c1", "c2"]).await;
        ada.post(&format!("/api/workspaces/{base}/decisions"), json!({ "id": "d0", "title": "T0" })).await.created();
        let mut draft = start(&actors.clients[AUTHOR], &base, "T").await;
        let mut branch = map(&actors.clients[0], &base).await;
        for (at, step) in story.iter().enumerate() {
            let (merger, author) = (&actors.clients[at % 2], &actors.clients[AUTHOR]);
            match step {
                Step::Base(edit, by) => actors.perform(0, *by, &base, edit).await,
                Step::Draft(edit, by) => actors.perform(1, AUTHOR - by, &draft, edit).await,
                Step::Update(take) => {
                    let (ours, theirs) = (map(author, &base).await, map(author, &draft).await);
                    let (given, proposed) = (numbers(author, &base).await, numbers(author, &draft).await);
                    let has_conflicts = actors.has_conflicts(&draft, &branch, (&ours, &theirs), &story).await;
                    let path = format!("/api/drafts/{draft}/update");
                    let plain = author.post(&path, json!({})).await;
                    assert_eq!(plain.status.as_u16(), if has_conflicts { 409 } else { 200 }, "{plain}: {story:?}");
                    if has_conflicts {
                        author.post(&path, json!({ "otherwise": if *take { "draft" } else { "base" } })).await.ok();
                    } else {
                        assert_nothing_lost(&branch, &ours, &theirs, &map(author, &draft).await, &story);
                    }
                    assert_eq!(map(author, &base).await, ours, "an update leaves the workspace as it is: {story:?}");
                    assert_numbers_kept(&given, &proposed, &numbers(author, &draft).await);
                    branch = ours;
                    assert_eq!(compare(author, &draft).await["counts"]["conflicting"], 0, "{story:?}");
                    actors.last[1] = Default::default();
                }
                Step::Merge(take, undo) => {
                    let (ours, theirs) = (map(author, &base).await, map(author, &draft).await);
                    let (given, proposed) = (numbers(author, &base).await, numbers(author, &draft).await);
                    let has_conflicts = actors.has_conflicts(&draft, &branch, (&ours, &theirs), &story).await;
                    patch(author, &draft, json!({ "state": "open" })).await;
                    let path = format!("/api/drafts/{draft}/merge");
                    let plain = merger.post(&path, json!({})).await;
                    assert_eq!(plain.status.as_u16(), if has_conflicts { 409 } else { 200 }, "{plain}: {story:?}");
                    let result = if has_conflicts {
                        merger.post(&path, json!({ "otherwise": if *take { "draft" } else { "base" } })).await.ok()
                    } else {
                        assert_nothing_lost(&branch, &ours, &theirs, &map(author, &base).await, &story);
                        plain.json()
                    };
                    assert_numbers_kept(&given, &proposed, &numbers(author, &base).await);
                    if *undo && result["changeSetId"].is_string() {
                        let undo = json!({ "changeSetId": result["changeSetId"] });
                        merger.post(&format!("/api/workspaces/{base}/undo"), undo).await.ok();
                        assert_eq!(map(author, &base).await, ours, "the undo restores the workspace: {story:?}");
                        assert_eq!(numbers(author, &base).await, given, "{story:?}");
                    }
                    author.get(&format!("/api/drafts/{draft}/comparison")).await.ok();
                    draft = start(author, &base, "Next").await;
                    branch = map(author, &base).await;
                    assert_eq!(map(author, &draft).await, branch, "a new draft is a copy: {story:?}");
                    actors.last = Default::default();
                }
            }
        }
    }
    let differences = server.sql(|conn| planroom::domain::history::compare_with_log(conn).unwrap());
    assert_eq!(differences, Vec::<String>::new());
}
