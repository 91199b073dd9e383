//! Random repositories whose services are known: each is one component of the map, whatever happens between the runs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use super::{contents, shop, sync};
use crate::support::{TestClient, TestServer};

const NAMES: [&str; 5] = ["web", "pay", "mail", "cart", "db"];
const REPOSITORIES: [&str; 2] = ["shop", "bank"];

/// What happens between runs. Numbers are indexes, modulo what is there.
#[derive(Debug, Clone)]
enum Step {
    /// A service with a name appears in a repository, in one source or in both.
    Add { repository: usize, name: usize, sources: usize },
    /// A service leaves all files of a repository.
    Remove { repository: usize, name: usize },
    /// A service moves to the other repository, with its image.
    Move { repository: usize, name: usize },
    /// A source of a repository gets or loses a service that another one has.
    Toggle { repository: usize, name: usize, source: usize },
    /// Someone describes and moves a component.
    Describe { row: usize },
    /// A repository is synchronized, with its sources in one of two orders.
    Sync { repository: usize, is_reversed: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let (repository, name) = (0..REPOSITORIES.len(), 0..NAMES.len());
    prop_oneof![
        4 => (repository.clone(), name.clone(), 0_usize..3)
            .prop_map(|(repository, name, sources)| Step::Add { repository, name, sources }),
        1 => (repository.clone(), name.clone()).prop_map(|(repository, name)| Step::Remove { repository, name }),
        1 => (repository.clone(), name.clone()).prop_map(|(repository, name)| Step::Move { repository, name }),
        2 => (repository.clone(), name, 0_usize..2)
            .prop_map(|(repository, name, source)| Step::Toggle { repository, name, source }),
        1 => (0_usize..8).prop_map(|row| Step::Describe { row }),
        4 => (repository, any::<bool>()).prop_map(|(repository, is_reversed)| Step::Sync { repository, is_reversed }),
    ]
}

/// A service: which sources of its repository have it, and its image.
#[derive(Debug, Clone)]
struct Service {
    sources: [bool; 2],
    image: String,
}

#[derive(Default)]
struct World {
    services: BTreeMap<(usize, usize), Service>,
    number: usize,
}

impl World {
    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Add { repository, name, sources } => {
                self.number += 1;
                let image = format!("acme/{}-{}", NAMES[name], self.number);
                let sources = [sources != 1, sources != 0];
                self.services.entry((repository, name)).or_insert(Service { sources, image });
            }
            Step::Remove { repository, name } => drop(self.services.remove(&(repository, name))),
            Step::Move { repository, name } => {
                let to = (1 - repository, name);
                if !self.services.contains_key(&to)
                    && let Some(service) = self.services.remove(&(repository, name))
                {
                    self.services.insert(to, service);
                }
            }
            Step::Toggle { repository, name, source } => {
                if let Some(service) = self.services.get_mut(&(repository, name))
                    && service.sources[1 - source]
                {
                    service.sources[source] = !service.sources[source];
                }
            }
            Step::Describe { .. } | Step::Sync { .. } => {}
        }
    }

    /// The sources of a repository that have services: a compose file, and a catalog.
    fn sources(&self, repository: usize) -> Vec<Value> {
        let kinds = [("compose", "compose.yaml", ""), ("backstage", "catalog.yaml", "component:default/")];
        let mut sources = Vec::new();
        for (index, (kind, file, prefix)) in kinds.into_iter().enumerate() {
            let own = self.services.iter().filter(|((of, _), service)| *of == repository && service.sources[index]);
            let mut rows: Vec<Value> = own
                .map(|((_, name), service)| {
                    let name = NAMES[*name];
                    let properties =
                        if index == 0 { json!({ "image": format!("{}:1", service.image) }) } else { json!({}) };
                    json!({ "origin": { "key": format!("{prefix}{name}"), "file": file, "line": 1 }, "id": name,
                            "typeId": "service", "name": name, "inferred": ["name", "type"], "properties": properties })
                })
                .collect();
            // A source without components is an error.
            rows.push(json!({ "origin": { "key": format!("{prefix}base-{}", REPOSITORIES[repository]), "file": file, "line": 1 },
                              "id": format!("base-{}", REPOSITORIES[repository]), "typeId": "service",
                              "name": format!("base {}", REPOSITORIES[repository]) }));
            let id = format!("{}:{file}", REPOSITORIES[repository]);
            sources.push(json!({ "source": { "id": id, "kind": kind }, "reading": { "components": rows } }));
        }
        sources
    }

    fn request(&self, repository: usize, is_reversed: bool) -> Value {
        let mut sources = self.sources(repository);
        if is_reversed {
            sources.reverse();
        }
        json!({ "repository": { "id": REPOSITORIES[repository] }, "sources": sources, "allowMassRemoval": true })
    }
}

/// The rows that the sources of a repository claim now, by the name of the service.
async fn claimed(client: &TestClient<'_>, repository: usize) -> BTreeMap<String, BTreeSet<String>> {
    let mut rows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in ["compose.yaml", "catalog.yaml"] {
        let path = format!("/api/workspaces/shop/sources/{}%3A{file}", REPOSITORIES[repository]);
        let source = client.get(&path).await.ok();
        for claim in source["claims"].as_array().unwrap().iter().filter(|claim| claim["missingSince"].is_null()) {
            let name = claim["key"].as_str().unwrap().trim_start_matches("component:default/").to_owned();
            rows.entry(name).or_default().insert(claim["id"].as_str().unwrap().to_owned());
        }
    }
    rows
}

async fn check(steps: &[Step]) {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut world = World::default();
    let mut described: BTreeMap<String, Value> = BTreeMap::new();
    // Everything is known before random things happen.
    for repository in 0..REPOSITORIES.len() {
        sync(&ada, &world.request(repository, false)).await;
    }
    for step in steps {
        server.clock.advance(1_000);
        world.apply(step);
        match *step {
            Step::Sync { repository, is_reversed } => drop(sync(&ada, &world.request(repository, is_reversed)).await),
            Step::Describe { row } => {
                let all = contents(&ada).await;
                let rows = all["components"].as_array().unwrap();
                let id = rows[row % rows.len()]["id"].as_str().unwrap().to_owned();
                let change = json!({ "description": format!("By hand {row}"), "x": f64::from(u8::try_from(row).unwrap_or_default()) * 10.0, "y": 7.0 });
                ada.patch(&format!("/api/workspaces/shop/components/{id}"), change.clone()).await.ok();
                described.insert(id, json!([change["description"], change["x"], change["y"]]));
            }
            _ => {}
        }
    }
    let mut owner: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for repository in [1, 0, 1] {
        server.clock.advance(1_000);
        sync(&ada, &world.request(repository, true)).await;
    }
    for (repository, id) in REPOSITORIES.iter().enumerate() {
        let before = contents(&ada).await;
        let again = sync(&ada, &world.request(repository, false)).await;
        assert_eq!((&again["isInStep"], &again["changeSetId"]), (&json!(true), &Value::Null), "{again}");
        assert_eq!(contents(&ada).await, before, "a second run without a change changes nothing");
        for (name, rows) in claimed(&ada, repository).await {
            assert_eq!(rows.len(), 1, "`{name}` of {id} is one component: {rows:?}");
            for row in rows {
                let other = owner.insert(row.clone(), (repository, name.clone()));
                assert_eq!(other, None, "`{row}` is also `{name}` of {id}");
            }
        }
    }
    let all = contents(&ada).await;
    for (id, by_hand) in described {
        let row = all["components"].as_array().unwrap().iter().find(|row| row["id"] == *id).expect("nothing is lost");
        assert_eq!(json!([row["description"], row["x"], row["y"]]), by_hand);
    }
}

#[test]
fn a_service_is_one_component_and_two_services_are_never_one() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases: 20, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&proptest::collection::vec(step(), 1..14), |steps| {
            runtime.block_on(check(&steps));
            Ok(())
        })
        .unwrap();
}
