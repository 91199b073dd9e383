//! Followers converge to the state of the server: several users write, undo and redo; followers fall behind, disconnect
//! and resume; the server restarts and deletes old changes.

use std::cell::{Cell, RefCell};

use planroom::clock::DAY;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    actions::{Action, SOMEBODY, action, send},
    replica::differences,
    subscriber::{Seen, Subscriber, count},
};
use crate::support::{TestClient, TestResponse, TestServer};

/// The users. The first is the owner and has a relation to the others.
const ACTORS: [&str; 3] = ["ada", "bob", "cyn"];
/// The followers, by index of their user.
const FOLLOWERS: [usize; 4] = [0, 1, 2, 0];

#[derive(Debug, Clone)]
enum Step {
    /// A request, optionally under a label of the user.
    Write {
        by: usize,
        action: Action,
        gesture: Option<u8>,
    },
    /// Replaces all components by this many: more than are sent individually, or than fit into a reader's queue.
    Flood(u16),
    /// One of the last change sets, usually one's own.
    Undo {
        by: usize,
        nth: usize,
        anybodys: bool,
    },
    Directory(Directory),
    Promote {
        who: usize,
        level: &'static str,
    },
    KeepVersion,
    RestoreVersion,
    /// Resuming, or starting again: from a bundle, or with the stream first.
    Connect {
        who: usize,
        anew: Option<bool>,
    },
    Listen {
        who: usize,
        events: usize,
    },
    Leave {
        who: usize,
    },
    /// Followers that listen read everything sent before the shutdown.
    Restart {
        listens: [bool; FOLLOWERS.len()],
    },
    /// Two days pass; the log keeps one.
    Age,
}

/// A change of people or teams.
#[derive(Debug, Clone)]
enum Directory {
    Rename(u8),
    RenameTeam(u8),
    AttachTeam(u8),
    Join,
    Attach(u8),
    Part,
}

fn step() -> impl Strategy<Value = Step> {
    let (by, who) = (|| 0..ACTORS.len(), || 0..FOLLOWERS.len());
    let directory = prop_oneof![
        (0..3_u8).prop_map(Directory::Rename),
        (0..3_u8).prop_map(Directory::RenameTeam),
        (0..6_u8).prop_map(Directory::AttachTeam),
        Just(Directory::Join),
        (0..6_u8).prop_map(Directory::Attach),
        Just(Directory::Part),
    ];
    let level = prop::sample::select(vec!["viewer", "editor", "owner"]);
    prop_oneof![
        30 => (by(), action(), prop::option::weighted(0.3, 0..2_u8))
            .prop_map(|(by, action, gesture)| Step::Write { by, action, gesture }),
        1 => prop::sample::select(vec![120, 150, 250]).prop_map(Step::Flood),
        8 => (by(), 0..3_usize, prop::bool::weighted(0.1))
            .prop_map(|(by, nth, anybodys)| Step::Undo { by, nth, anybodys }),
        3 => directory.prop_map(Step::Directory),
        1 => (1..ACTORS.len(), level).prop_map(|(who, level)| Step::Promote { who, level }),
        1 => Just(Step::KeepVersion),
        1 => Just(Step::RestoreVersion),
        8 => (who(), prop::option::weighted(0.2, any::<bool>())).prop_map(|(who, anew)| Step::Connect { who, anew }),
        6 => (who(), 1..20_usize).prop_map(|(who, events)| Step::Listen { who, events }),
        3 => who().prop_map(|who| Step::Leave { who }),
        2 => any::<[bool; FOLLOWERS.len()]>().prop_map(|listens| Step::Restart { listens }),
        1 => Just(Step::Age),
    ]
}

/// One case: a workspace with its users and followers.
struct Case<'t> {
    server: Option<TestServer>,
    scripts: &'t [String],
    id: String,
    watchers: [Subscriber; FOLLOWERS.len()],
    /// Change sets by user and name.
    gestures: Vec<(usize, String)>,
    requests: usize,
    version: Option<Value>,
    seen: &'t Seen,
}

impl Case<'_> {
    fn server(&self) -> &TestServer {
        self.server.as_ref().unwrap()
    }

    fn client(&self, index: usize) -> TestClient<'_> {
        self.server().with(&self.scripts[index])
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/workspaces/{}{rest}", self.id)
    }

    /// The last change of the workspace and its directory: a stream is read up to it.
    fn head(&self) -> i64 {
        let sql = format!(
            "SELECT coalesce(max(id), 0) FROM change WHERE workspace_pk IS NULL
             OR workspace_pk = (SELECT pk FROM workspace WHERE id = '{}' AND deleted_at IS NULL)",
            self.id
        );
        self.server().count(&sql)
    }

    async fn apply(&mut self, step: &Step) {
        match step {
            Step::Write { by, action, gesture } => {
                let name = match gesture {
                    Some(gesture) => format!("{}-{by}-{gesture}", self.id),
                    None => self.new_name(),
                };
                let client = self.client(*by).header("x-batch-id", &name);
                let done = send(&client, &self.id, action).await;
                self.record(*by, name, done);
            }
            Step::Flood(count) => {
                let name = self.new_name();
                let component = |n: u16| json!({ "id": format!("c{n}"), "typeId": "service", "name": "N" });
                let model = json!({ "workspace": { "name": "Flooded" }, "components": (0..*count).map(component).collect::<Vec<_>>(),
                            "relationships": [] });
                let done = self.client(0).header("x-batch-id", &name).put(&self.path("/bulk"), model).await;
                self.record(0, name, Some(done));
            }
            Step::Undo { by, nth, anybodys } => {
                let of = |gesture: &&(usize, String)| *anybodys || gesture.0 == *by;
                let Some((_, batch)) = self.gestures.iter().rev().filter(of).nth(*nth).cloned() else { return };
                let name = self.new_name();
                let body = json!({ "batchId": batch });
                let done = self.client(*by).header("x-batch-id", &name).post(&self.path("/undo"), body).await;
                if done.status.is_success() {
                    count(&self.seen.undone);
                }
                self.record(*by, name, Some(done));
            }
            Step::Directory(action) => self.change_directory(action).await,
            Step::Promote { who, level } => {
                let user = self.client(*who).get("/api/me").await.ok()["id"].clone();
                self.client(0).post(&self.path("/members"), json!({ "userId": user, "role": level })).await;
            }
            Step::KeepVersion => {
                let kept = self.client(0).post(&self.path("/versions"), json!({ "name": "V" })).await;
                if kept.status.is_success() {
                    self.version = Some(kept.json()["version"]["id"].clone());
                }
            }
            Step::RestoreVersion => {
                let Some(version) = self.version.clone() else { return };
                let (name, path) = (self.new_name(), self.path(&format!("/versions/{version}/restore")));
                let client = self.client(0).header("x-batch-id", &name);
                let done = client.send(axum::http::Method::POST, &path, None).await;
                self.record(0, name, Some(done));
            }
            Step::Connect { who, anew } => self.connect(*who, *anew).await,
            Step::Listen { who, events } => self.listen(*who, *events).await,
            Step::Leave { who } => self.watchers[*who].stream = None,
            Step::Restart { listens } => self.restart(listens).await,
            Step::Age => {
                self.server().clock.advance(2 * DAY);
                self.server().clean_up().await;
            }
        }
    }

    fn new_name(&mut self) -> String {
        self.requests += 1;
        format!("{}-request-{}", self.id, self.requests)
    }

    fn record(&mut self, by: usize, name: String, done: Option<TestResponse>) {
        let Some(done) = done else { return };
        assert!(done.status.as_u16() < 500, "{done}");
        if done.status.is_success() && !self.gestures.contains(&(by, name.clone())) {
            self.gestures.push((by, name));
        }
    }

    async fn change_directory(&self, action: &Directory) {
        let ada = self.client(0);
        let attach = async |component: u8, key: &str, id: &str| {
            let path = self.path(&format!("/components/c{component}/stakeholders"));
            ada.post(&path, json!({ key: id, "linkType": "owner" })).await
        };
        let done = match action {
            Directory::Rename(name) => {
                ada.patch(&format!("/api/people/{SOMEBODY}"), json!({ "name": format!("Name {name}") })).await
            }
            Directory::RenameTeam(name) => {
                ada.patch("/api/teams/crew", json!({ "name": format!("Name {name}") })).await
            }
            Directory::AttachTeam(to) => attach(*to, "teamId", "crew").await,
            Directory::Join => ada.post("/api/people", json!({ "id": "guest", "name": "Guest", "title": "T" })).await,
            Directory::Attach(to) => attach(*to, "personId", "guest").await,
            Directory::Part => ada.delete("/api/people/guest?force=true").await,
        };
        assert!(done.status.as_u16() < 500, "{done}");
    }

    async fn connect(&mut self, who: usize, anew: Option<bool>) {
        let mut subscriber = std::mem::take(&mut self.watchers[who]);
        if subscriber.stream.is_none() || anew.is_some() {
            subscriber.connect(&self.client(FOLLOWERS[who]), &self.id, anew, self.seen).await;
        }
        self.watchers[who] = subscriber;
    }

    /// Reads up to this many events that are certain to arrive.
    async fn listen(&mut self, who: usize, events: usize) {
        let (mut subscriber, head) = (std::mem::take(&mut self.watchers[who]), self.head());
        let client = self.client(FOLLOWERS[who]);
        for _ in 0..events {
            if subscriber.last.is_some_and(|last| last >= head)
                || !subscriber.receive(&client, &self.id, self.seen).await
            {
                break;
            }
        }
        self.watchers[who] = subscriber;
    }

    async fn restart(&mut self, listens: &[bool]) {
        self.server().app.live().close();
        for (who, listens) in listens.iter().enumerate() {
            let mut subscriber = std::mem::take(&mut self.watchers[who]);
            let client = self.client(FOLLOWERS[who]);
            while *listens && subscriber.receive(&client, &self.id, self.seen).await {}
            subscriber.stream = None;
            self.watchers[who] = subscriber;
        }
        self.server = self.server.take().map(TestServer::restart);
    }

    /// Reconnects all followers, reads all events, and compares them with the server.
    async fn assert_converged(&mut self) {
        let ada = self.client(0);
        if ada.get(&self.path("")).await.status.as_u16() == 404 {
            send(&ada, &self.id, &Action::RestoreWorkspace).await.unwrap().ok();
        }
        ada.patch(&self.path(""), json!({ "description": format!("The end, after {}", self.requests) })).await.ok();
        let head = self.head();
        for (who, client) in FOLLOWERS.into_iter().enumerate() {
            while self.watchers[who].last.is_none_or(|last| last < head) {
                self.connect(who, None).await;
                self.listen(who, 1).await;
            }
            let mut bundle = self.client(client).bundle_with_notes(&self.id).await;
            // Events do not repeat the incarnation, which is sent when the stream starts.
            bundle.as_object_mut().unwrap().remove("incarnation");
            let replica = self.watchers[who].replica.as_ref().expect("something was read").bundle();
            let wrong = differences(&replica, &bundle);
            assert!(wrong.is_empty(), "follower {who} of {} has, and the server: {wrong:#?}", self.id);
        }
    }
}

#[test]
fn every_follower_converges_to_the_state_of_the_server() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (first, scripts) = runtime.block_on(start_server());
    // A failing case leaves no server; the next one, when shrinking, must start with the same state.
    let (server, scripts) = (RefCell::new(Some(first)), RefCell::new(scripts));
    let (seen, cases) = (Seen::default(), Cell::new(0));
    // Every shrinking attempt would wait for the timeout.
    let config = ProptestConfig { cases: 16, max_shrink_time: 40_000, ..ProptestConfig::default() };
    proptest!(config, |(steps in prop::collection::vec(step(), 1..100))| {
        runtime.block_on(async {
            count(&cases);
            let stage_now = server.take();
            let stage_now = match stage_now {
                Some(server) => server,
                None => {
                    let (anew, its_scripts) = start_server().await;
                    scripts.replace(its_scripts);
                    anew
                }
            };
            let its_scripts = scripts.borrow().clone();
            let id = format!("case-{}", cases.get());
            let mut case = Case {
                server: Some(stage_now), scripts: &its_scripts, id, watchers: Default::default(), gestures: Vec::new(),
                requests: 0, version: None, seen: &seen,
            };
            case.begin().await;
            for step in &steps {
                case.apply(step).await;
            }
            case.assert_converged().await;
            drop(case.watchers);
            server.replace(case.server);
        });
    });
    for counted in [&seen.changes, &seen.reloads, &seen.resumed, &seen.ended, &seen.undone] {
        assert!(counted.get() > 0, "{seen:?}");
    }
}

impl Case<'_> {
    /// The owner creates the workspace; the others are its editors. All of them follow it.
    async fn begin(&mut self) {
        self.client(0).create_workspace(&self.id).await;
        for who in 1..ACTORS.len() {
            self.apply(&Step::Promote { who, level: "editor" }).await;
        }
        for who in 0..FOLLOWERS.len() {
            self.connect(who, Some(who % 2 == 0)).await;
        }
    }
}

async fn start_server() -> (TestServer, Vec<String>) {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/people", json!({ "id": SOMEBODY, "name": "Somebody" })).await.created();
    ada.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await.created();
    ada.patch("/api/admin/settings", json!({ "history.days": 1 })).await.ok();
    let mut scripts = Vec::new();
    for login in ACTORS {
        if login != "ada" {
            server.seed_member(login, "acme", "org:member");
        }
        scripts.push(server.script_client(login).await.credential().to_owned());
    }
    drop(ada);
    (server, scripts)
}
