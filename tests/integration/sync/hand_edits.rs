//! Random edits by hand between two syncs: what belongs to the map stays.

use axum::http::Method;
use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::{Value, json};

use super::{contents, shop, sync};
use crate::support::{TestClient, TestServer};

/// A change of the source or of the map.
#[derive(Debug, Clone)]
enum Edit {
    /// A field of a component in the source.
    Source(usize, &'static str, u8),
    /// A relationship in the source appears or disappears.
    Call(usize, usize),
    /// A component on the map moves.
    Move(usize, i32),
    /// A field of a component on the map.
    Map(usize, &'static str, u8),
    /// A stakeholder is attached by hand.
    Own(usize),
    /// A link is added by hand.
    Link(usize, u8),
    /// A component is added by hand, with a relationship to one of the source.
    Add(usize),
}

const COUNT: usize = 5;
const FIELDS: [&str; 4] = ["name", "description", "typeId", "technology"];

fn edit() -> impl Strategy<Value = Edit> {
    let field = proptest::sample::select(&FIELDS[..]);
    prop_oneof![
        (0..COUNT, field.clone(), 0..3u8).prop_map(|(at, field, value)| Edit::Source(at, field, value)),
        (0..COUNT, 0..COUNT).prop_map(|(from, to)| Edit::Call(from, to)),
        (0..COUNT, -500..500).prop_map(|(at, x)| Edit::Move(at, x)),
        (0..COUNT, field, 0..3u8).prop_map(|(at, field, value)| Edit::Map(at, field, value)),
        (0..COUNT).prop_map(Edit::Own),
        (0..COUNT, 0..3u8).prop_map(|(at, url)| Edit::Link(at, url)),
        (0..COUNT).prop_map(Edit::Add),
    ]
}

/// A value of a field.
fn value(field: &str, number: u8) -> Value {
    match field {
        "typeId" => json!(["service", "job", "web-app"][usize::from(number)]),
        "technology" => json!([format!("T{number}")]),
        _ => json!(format!("{field} {number}")),
    }
}

/// The rows of a source: components `c0` to `c4`.
struct Source {
    components: Vec<Value>,
    calls: Vec<(usize, usize)>,
}

impl Source {
    fn new() -> Self {
        let component = |at: usize| {
            json!({ "origin": { "key": format!("c{at}"), "file": "a.yaml", "line": at + 1 }, "id": format!("c{at}"),
                    "typeId": "service", "name": format!("C{at}") })
        };
        Self { components: (0..COUNT).map(component).collect(), calls: vec![(0, 1), (1, 2), (2, 3)] }
    }

    fn request(&self) -> Value {
        let calls = self.calls.iter().map(|(from, to)| {
            json!({ "origin": { "key": format!("c{from}->c{to}"), "file": "a.yaml", "line": 1 },
                    "id": format!("c{from}-c{to}"), "sourceId": format!("c{from}"), "targetId": format!("c{to}"),
                    "typeId": "calls" })
        });
        json!({ "source": { "id": "s", "kind": "compose" }, "allowMassRemoval": true,
                "reading": { "components": self.components, "relationships": calls.collect::<Vec<_>>() } })
    }
}

async fn apply(client: &TestClient<'_>, source: &mut Source, edit: &Edit, number: usize) {
    let component = |at: &usize| format!("/api/workspaces/shop/components/c{at}");
    match edit {
        Edit::Source(at, field, to) => source.components[*at][*field] = value(field, *to),
        Edit::Call(from, to) => match source.calls.iter().position(|call| call == &(*from, *to)) {
            Some(at) => drop(source.calls.remove(at)),
            None => source.calls.push((*from, *to)),
        },
        Edit::Move(at, x) => drop(client.patch(&component(at), json!({ "x": x, "y": 7 })).await.ok()),
        Edit::Map(at, field, to) => drop(client.patch(&component(at), json!({ *field: value(field, *to) })).await.ok()),
        Edit::Own(at) => {
            // The same person may be attached already.
            let person = json!({ "personId": "grace", "linkType": "support" });
            client.send(Method::POST, &format!("{}/stakeholders", component(at)), Some(person)).await;
        }
        Edit::Link(at, url) => {
            let link = json!({ "url": format!("https://example.org/{url}") });
            client.post(&format!("{}/links", component(at)), link).await.created();
        }
        Edit::Add(at) => {
            let id = format!("own-{number}");
            client.create_components("shop", &[&id]).await;
            client.create_relationship("shop", &format!("r-{number}"), &id, "uses", &format!("c{at}")).await;
        }
    }
}

/// What always belongs to the map.
fn own(all: &Value) -> Vec<String> {
    let part =
        |row: &Value, fields: &[&str]| fields.iter().map(|field| row[*field].to_string()).collect::<Vec<_>>().join(" ");
    let rows = |list: &str| all[list].as_array().unwrap().clone();
    let mut own: Vec<String> =
        rows("components").iter().map(|row| part(row, &["id", "x", "y", "width", "height"])).collect();
    own.extend(rows("stakeholders").iter().map(Value::to_string));
    let by_hand = rows("relationships").into_iter().filter(|row| row["id"].as_str().unwrap().starts_with("r-"));
    own.extend(by_hand.map(|row| row.to_string()));
    own
}

async fn links(client: &TestClient<'_>) -> Vec<Value> {
    let mut all = Vec::new();
    for at in 0..COUNT {
        all.push(client.get(&format!("/api/workspaces/shop/components/c{at}/links")).await.ok());
    }
    all
}

async fn check(edits: &[Edit]) {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    let mut source = Source::new();
    sync(&ada, &source.request()).await;
    for (number, edit) in edits.iter().enumerate() {
        apply(&ada, &mut source, edit, number).await;
    }
    let (before, links_before) = (contents(&ada).await, links(&ada).await);
    let report = sync(&ada, &source.request()).await;
    let after = contents(&ada).await;
    assert_eq!(own(&after), own(&before), "{report}");
    assert_eq!(links(&ada).await, links_before);
    let described = |all: &Value| {
        let rows = all["components"].as_array().unwrap().iter();
        rows.map(|row| (row["id"].clone(), row["description"].clone())).collect::<Vec<_>>()
    };
    let changed_on_map =
        |at: usize| edits.iter().any(|edit| matches!(edit, Edit::Map(of, "description", _) if *of == at));
    for (before, after) in described(&before).iter().zip(described(&after)) {
        let at = (0..COUNT).find(|at| before.0 == format!("c{at}"));
        if at.is_some_and(changed_on_map) {
            assert_eq!(*before, after, "a description that the map has changed stays");
        }
    }
    let again = sync(&ada, &source.request()).await;
    assert_eq!(again["isInStep"], true, "{again}");
    assert_eq!(contents(&ada).await, after, "a second sync changes nothing");
    if let Some(id) = report["changeSetId"].as_str() {
        ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": id })).await.ok();
    }
    assert_eq!(contents(&ada).await, before, "undo restores everything");
}

#[test]
fn a_sync_after_random_edits_keeps_what_is_the_maps_and_can_be_undone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config =
        ProptestConfig { cases: 24, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() };
    let edits = proptest::collection::vec(edit(), 1..10);
    TestRunner::new(config)
        .run(&edits, |edits| {
            runtime.block_on(check(&edits));
            Ok(())
        })
        .unwrap();
}
