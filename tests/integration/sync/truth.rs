//! Random repositories whose services are known: each is one component of the map, whatever happens between the runs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use super::{contents, keys, runs::notes, shop, sync};
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
    /// Someone deletes a component.
    Delete { row: usize },
    /// Someone says that a row of a source is another service than the component that it is now.
    Split { repository: usize, name: usize, source: usize },
    /// The last sync is undone, if nothing has changed since.
    Undo,
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
        2 => (repository.clone(), name.clone(), 0_usize..2)
            .prop_map(|(repository, name, source)| Step::Toggle { repository, name, source }),
        1 => (0_usize..8).prop_map(|row| Step::Describe { row }),
        1 => (0_usize..8).prop_map(|row| Step::Delete { row }),
        1 => (repository.clone(), name.clone(), 0_usize..2)
            .prop_map(|(repository, name, source)| Step::Split { repository, name, source }),
        1 => Just(Step::Undo),
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
            _ => {}
        }
    }

    /// The sources of a repository that have services: a compose file, and a catalog.
    fn sources(&self, repository: usize) -> Vec<Value> {
        let mut sources = Vec::new();
        for (index, (kind, file, prefix)) in SOURCES.into_iter().enumerate() {
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

/// The kind of file, the file, and the prefix of the keys of each source of a repository.
const SOURCES: [(&str, &str, &str); 2] =
    [("compose", "compose.yaml", ""), ("backstage", "catalog.yaml", "component:default/")];

fn source_path(repository: usize, source: usize) -> String {
    format!("/api/workspaces/shop/sources/{}%3A{}", REPOSITORIES[repository], SOURCES[source].1)
}

/// A row that a source claims.
struct Claimed {
    source: usize,
    name: String,
    id: Option<String>,
    is_missing: bool,
}

/// The rows that the sources of a repository claim.
async fn claimed(client: &TestClient<'_>, repository: usize) -> Vec<Claimed> {
    let mut rows = Vec::new();
    for (source, (.., prefix)) in SOURCES.into_iter().enumerate() {
        let listed = client.get(&source_path(repository, source)).await.ok();
        rows.extend(listed["claims"].as_array().unwrap().iter().map(|claim| Claimed {
            source,
            name: claim["key"].as_str().unwrap().trim_start_matches(prefix).to_owned(),
            id: claim["id"].as_str().map(str::to_owned),
            is_missing: claim["missingSince"].is_i64(),
        }));
    }
    rows
}

/// What users have said and done.
#[derive(Default)]
struct Said {
    /// Description and position of components.
    described: BTreeMap<String, Value>,
    /// Services of which a component was deleted.
    unwanted: BTreeSet<(usize, String)>,
    /// Those that have not left a source since that had them then, with these sources.
    deleted: BTreeMap<(usize, String), BTreeSet<usize>>,
    /// Rows of sources that were split off, with the components that they are not.
    split: BTreeMap<(usize, String, usize), BTreeSet<String>>,
}

/// A workspace that two repositories feed.
struct Play<'p> {
    ada: TestClient<'p>,
    world: World,
    said: Said,
    /// Change set of the last sync.
    last: Option<Value>,
}

impl Play<'_> {
    async fn ids(&self) -> Vec<String> {
        let all = contents(&self.ada).await;
        let rows = all["components"].as_array().unwrap().iter();
        rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    }

    /// A component of the map, if there is one.
    async fn pick(&self, row: usize) -> Option<String> {
        let ids = self.ids().await;
        ids.get(row % ids.len().max(1)).cloned()
    }

    async fn step(&mut self, step: &Step) {
        self.world.apply(step);
        // A row that leaves its files and comes back may be another one.
        let services = &self.world.services;
        let has = |repository: usize, name: &str, source: usize| {
            let service = NAMES.iter().position(|one| *one == name).map(|name| services.get(&(repository, name)));
            service.is_none_or(|service| service.is_some_and(|service| service.sources[source]))
        };
        self.said.split.retain(|(repository, name, source), _| has(*repository, name, *source));
        self.said.deleted.retain(|(of, name), sources| sources.iter().all(|source| has(*of, name, *source)));
        match *step {
            Step::Sync { repository, is_reversed } => self.sync(repository, is_reversed).await,
            Step::Describe { row } => self.describe(row).await,
            Step::Delete { row } => self.delete(row).await,
            Step::Split { repository, name, source } => self.split(repository, NAMES[name], source).await,
            Step::Undo => self.undo().await,
            Step::Add { .. } | Step::Remove { .. } | Step::Move { .. } | Step::Toggle { .. } => {}
        }
    }

    async fn sync(&mut self, repository: usize, is_reversed: bool) {
        let on_map = self.ids().await;
        let is_drawn = |row: &Claimed| !row.is_missing && row.id.as_ref().is_some_and(|id| on_map.contains(id));
        let others = claimed(&self.ada, 1 - repository).await.into_iter().filter(is_drawn);
        let others: BTreeSet<String> = others.map(|row| row.name).collect();
        let report = sync(&self.ada, &self.world.request(repository, is_reversed)).await;
        for key in keys(&report, "added", "component") {
            let name = key.trim_start_matches(SOURCES[1].2);
            let is_told = notes(&report).contains(&format!("`{name}`"));
            assert!(!others.contains(name) || is_told, "what is ambiguous is told: {report}");
        }
        if report["changeSetId"].is_string() {
            self.last = Some(report["changeSetId"].clone());
        }
    }

    async fn describe(&mut self, row: usize) {
        let Some(id) = self.pick(row).await else { return };
        let change = json!({ "description": format!("By hand {row}"), "x": f64::from(u8::try_from(row).unwrap()) * 10.0, "y": 7.0 });
        self.ada.patch(&format!("/api/workspaces/shop/components/{id}"), change.clone()).await.ok();
        self.said.described.insert(id, json!([change["description"], change["x"], change["y"]]));
    }

    async fn delete(&mut self, row: usize) {
        let Some(id) = self.pick(row).await else { return };
        // What is gone from the files and deleted on the map is drawn again when it is back in the files.
        for repository in 0..REPOSITORIES.len() {
            let rows = claimed(&self.ada, repository).await.into_iter();
            for row in rows.filter(|row| row.id.as_ref() == Some(&id) && !row.is_missing) {
                let service = (repository, row.name);
                self.said.unwanted.insert(service.clone());
                self.said.deleted.entry(service).or_default().insert(row.source);
            }
        }
        self.ada.delete(&format!("/api/workspaces/shop/components/{id}")).await.ok();
        self.said.described.remove(&id);
        self.said.split.values_mut().for_each(|ids| ids.retain(|other| *other != id));
    }

    async fn split(&mut self, repository: usize, name: &str, source: usize) {
        let (on_map, rows) = (self.ids().await, claimed(&self.ada, repository).await);
        let is_it = |row: &&Claimed| row.source == source && row.name == name && !row.is_missing;
        let id = rows.iter().find(is_it).and_then(|row| row.id.clone()).filter(|id| on_map.contains(id));
        let Some(id) = id else { return };
        let key = format!("{}{name}", SOURCES[source].2);
        let split = json!({ "kind": "component", "key": key, "split": true });
        self.ada.patch(&source_path(repository, source), split).await.ok();
        self.said.split.entry((repository, name.to_owned(), source)).or_default().insert(id);
        self.said.deleted.remove(&(repository, name.to_owned()));
    }

    async fn undo(&mut self) {
        let Some(change_set) = self.last.take() else { return };
        let before = contents(&self.ada).await;
        let reply = self.ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": change_set })).await;
        if reply.status != 200 {
            reply.expect(409);
            assert_eq!(contents(&self.ada).await, before);
        }
        // A new component may get the id of one that is no more.
        let on_map = self.ids().await;
        self.said.split.values_mut().for_each(|ids| ids.retain(|id| on_map.contains(id)));
    }

    /// Checks that every service is one component, and that the map has what users said.
    async fn check(&self) {
        let mut owners: BTreeMap<String, (usize, String)> = BTreeMap::new();
        for (repository, id) in REPOSITORIES.iter().enumerate() {
            let before = contents(&self.ada).await;
            let again = sync(&self.ada, &self.world.request(repository, false)).await;
            assert_eq!(again["changeSetId"], Value::Null, "{again}");
            assert_eq!(contents(&self.ada).await, before, "a second run without a change changes nothing");
            let lost = keys(&again, "deletedOnMap", "component");
            assert_eq!(again["isInStep"], lost.is_empty(), "{again}");
            let on_map = self.ids().await;
            let mut services: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
            let claims = claimed(&self.ada, repository).await;
            for claim in claims.iter().filter(|claim| !claim.is_missing) {
                let rows = services.entry(&claim.name).or_default();
                rows.extend(claim.id.as_ref().filter(|id| on_map.contains(id)));
                let others = self.said.split.get(&(repository, claim.name.clone(), claim.source));
                let is_other = claim.id.as_ref().is_some_and(|id| others.is_some_and(|others| others.contains(id)));
                assert!(!is_other, "`{}` of {id} stays apart from {others:?}", claim.name);
            }
            let expected = self.world.services.keys().filter(|(of, _)| *of == repository).map(|(_, name)| NAMES[*name]);
            assert_eq!(
                services.keys().copied().filter(|name| !name.starts_with("base")).collect::<BTreeSet<_>>(),
                expected.collect()
            );
            for (name, rows) in services {
                let is_split = self.said.split.keys().any(|(of, split, _)| (*of, split.as_str()) == (repository, name));
                let service = (repository, name.to_owned());
                let is_deleted = self.said.deleted.contains_key(&service) && !is_split;
                let expected = match (self.said.unwanted.contains(&service), is_split) {
                    _ if is_deleted => 0..=0,
                    (is_unwanted, is_split) => usize::from(!is_unwanted)..=1 + usize::from(is_split),
                };
                assert!(expected.contains(&rows.len()), "`{name}` of {id}: {rows:?} instead of {expected:?}");
                for row in rows {
                    let other = owners.insert(row.clone(), (repository, name.to_owned()));
                    assert_eq!(other, None, "`{row}` is also `{name}` of {id}");
                }
            }
        }
        let all = contents(&self.ada).await;
        for (id, by_hand) in &self.said.described {
            let row =
                all["components"].as_array().unwrap().iter().find(|row| row["id"] == **id).expect("nothing is lost");
            assert_eq!(json!([row["description"], row["x"], row["y"]]), *by_hand);
        }
    }
}

async fn check(steps: &[Step]) {
    let server = TestServer::new().await;
    let mut play = Play { ada: shop(&server).await, world: World::default(), said: Said::default(), last: None };
    // Everything is known before random things happen.
    for repository in 0..REPOSITORIES.len() {
        sync(&play.ada, &play.world.request(repository, false)).await;
    }
    for step in steps {
        server.clock.advance(1_000);
        play.step(step).await;
    }
    for repository in [1, 0, 1] {
        server.clock.advance(1_000);
        play.sync(repository, true).await;
    }
    play.check().await;
}

#[tokio::test]
async fn a_split_lasts_when_the_sync_that_drew_the_component_is_undone() {
    check(&[
        Step::Add { repository: 0, name: 3, sources: 2 },
        Step::Sync { repository: 0, is_reversed: false },
        Step::Split { repository: 0, name: 3, source: 0 },
        Step::Undo,
    ])
    .await;
}

#[tokio::test]
async fn a_service_can_get_the_name_of_one_that_moved_before() {
    check(&[
        Step::Add { repository: 0, name: 0, sources: 0 },
        Step::Sync { repository: 0, is_reversed: false },
        Step::Move { repository: 0, name: 0 },
        Step::Add { repository: 0, name: 0, sources: 1 },
    ])
    .await;
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
