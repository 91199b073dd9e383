//! Performance targets, measured in one run: `make bench` prints ratios of two measurements, which are comparable
//! across machines, unlike absolute times. Requests go over loopback to the real router, with real credentials, roles,
//! audit log, change log and `synchronous=FULL`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and stops where it cannot go on")]
#![allow(clippy::disallowed_methods, reason = "clients that block have threads of their own")]

mod capacity;
mod changes;
mod client;
mod delays;
mod drafts;
mod drawings;
mod fairness;
mod live;
mod peer;
mod runs;
mod search;
mod server;
mod tools;
mod views;

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::Bytes,
    http::{Method, Request, Response, StatusCode},
    routing::get,
};
use planroom::{
    app::App,
    clock::Clock,
    config::{Flags, load},
    operator::AdminOperation,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

use self::{
    changes::rate_after_writes,
    client::{Address, Client},
};

/// Duration of each side of a comparison, and number of rounds; the median is reported.
const SLICE: Duration = Duration::from_millis(400);
const ROUNDS: usize = 5;
const PASSWORD: &str = "correct horse";

fn main() {
    // `cargo bench -- live` runs only that benchmark.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_selected = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        if wanted.as_deref() == Some("capacity") {
            return capacity::simulated_users().await;
        }
        println!("{:62} {:>9} {:>9}   least and most of {ROUNDS} rounds", "name", "target", "measured");
        if is_selected("bundles") {
            bundles().await;
        }
        if is_selected("peer") {
            peer::compared_with_pocketbase().await;
        }
        if is_selected("writes") {
            writes().await;
        }
        if is_selected("bulk") {
            bulk().await;
        }
        if is_selected("reads") {
            small_reads_during_bundles().await;
        }
        if is_selected("tools") {
            tools::compared_with_rest().await;
        }
        if is_selected("fairness") {
            fairness::slowdown_by_other_users().await;
        }
        if is_selected("delays") {
            delays::delay_by_large_writes().await;
        }
        if is_selected("drawings") {
            drawings::slowdown_by_large_images().await;
        }
        if is_selected("drafts") {
            drafts::started_during_writes().await;
        }
        if is_selected("live") {
            live::many_followers_and_writers().await;
        }
        if is_selected("search") {
            search::many_workspaces().await;
        }
        if is_selected("runs") {
            runs::of_sixty_services().await;
        }
        if is_selected("views") {
            views::resolved().await;
        }
    });
}

fn report(name: &str, target: &str, measured: f64) {
    println!("{name:62} {target:>9} {measured:>9.2}");
}

/// Reports the median of several rounds, with the lowest and highest value.
fn report_rounds(name: &str, target: &str, mut rounds: Vec<f64>) {
    rounds.sort_by(f64::total_cmp);
    let (least, most) = (rounds[0], rounds[rounds.len() - 1]);
    println!("{name:62} {target:>9} {:>9.2}   {least:.2}–{most:.2}", rounds[rounds.len() / 2]);
}

/// An instance with an administrator and their token, served on loopback.
#[derive(Clone)]
struct Instance {
    url: String,
    token: String,
    agent: ureq::Agent,
    /// Values that must live as long as the instance.
    _kept: Arc<Option<(App, TempDir)>>,
}

/// Optional header and body of a request.
#[derive(Clone, Default)]
struct TestRequest {
    header: Option<(&'static str, String)>,
    body: Option<Arc<str>>,
}

impl Instance {
    /// Starts an instance that also serves `fixed` as a static response at `/static`.
    async fn new(fixed: Bytes) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
        let config = load(&flags, &BTreeMap::new()).unwrap().config;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = App::open(&config, &url, Clock::default()).unwrap();
        let (login, name, org, password) = ("ada".into(), "Ada".into(), "acme".into(), PASSWORD.into());
        AdminOperation::CreateAdmin { login, name, org, password }.perform(&app).await.unwrap();
        let router = app.router().route("/static", get(move || std::future::ready(fixed.clone())));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self::at(url, Some((app, dir))).signed_in("ada").await
    }

    /// A client of the server at `url`, in this process or another one, without a session.
    fn at(url: String, kept: Option<(App, TempDir)>) -> Self {
        let agent = ureq::Agent::config_builder()
            .accept_encoding(ureq::config::AutoHeaderValue::None)
            .max_idle_connections_per_host(128)
            .build()
            .into();
        Self { url, token: String::new(), agent, _kept: Arc::new(kept) }
    }

    fn with_token(&self, token: &Value) -> Self {
        Self { token: token.as_str().unwrap_or_default().to_owned(), ..self.clone() }
    }

    /// The same instance with a personal access token of a user.
    async fn signed_in(&self, login: &str) -> Self {
        let body = json!({ "login": login, "password": PASSWORD });
        let session = self.with_token(&Value::Null).json(Method::POST, "/api/auth/login", &body).await;
        self.with_token(&session["token"]).with_personal_token().await
    }

    /// The same instance with a personal access token of a new user, a member of the organization.
    async fn invited(&self, login: &str) -> Self {
        let me = self.json(Method::GET, "/api/me", &Value::Null).await;
        let path = format!("/api/orgs/{}/invitations", me["session"]["orgId"].as_str().unwrap_or_default());
        let invitation = self.json(Method::POST, &path, &json!({ "role": "org:member" })).await;
        let link = invitation["url"].as_str().unwrap_or_default();
        let path = format!("/api/auth/invitations/{}", link.rsplit(['/', '#', '=']).next().unwrap_or_default());
        let body = json!({ "login": login, "displayName": login, "password": PASSWORD });
        let session = self.with_token(&Value::Null).json(Method::POST, &path, &body).await;
        self.with_token(&session["token"]).with_personal_token().await
    }

    async fn with_personal_token(&self) -> Self {
        let minted = self.json(Method::POST, "/api/me/tokens", &json!({ "name": "bench" })).await;
        self.with_token(&minted["token"])
    }

    /// Sends a request and reads the whole response. Blocks.
    fn send(&self, method: &Method, path: &str, options: &TestRequest) -> Response<Vec<u8>> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        if let Some((name, value)) = &options.header {
            request = request.header(*name, value);
        }
        let response = match &options.body {
            None => self.agent.run(request.body(()).unwrap()),
            Some(body) => {
                self.agent.run(request.header("content-type", "application/json").body(body.as_bytes()).unwrap())
            }
        };
        let (parts, mut body) = response.unwrap().into_parts();
        Response::from_parts(parts, body.with_config().limit(u64::MAX).read_to_vec().unwrap())
    }

    /// Creates components from `clients` concurrent clients. Returns how many per second.
    async fn creates(&self, clients: usize, path: &str) -> f64 {
        let (started, mut tasks) = (Instant::now(), JoinSet::new());
        for _ in 0..clients {
            let (mut client, path) = (self.client(), path.to_owned());
            tasks.spawn(async move {
                let mut done = 0_u32;
                while started.elapsed() < SLICE {
                    let name = uuid::Uuid::now_v7();
                    let new = format!(r#"{{"typeId":"service","name":"{name}","x":0,"y":0}}"#);
                    let status = client.send("POST", &path, "", &new).await.unwrap().status;
                    assert!((200..300).contains(&status), "{status}");
                    done += 1;
                }
                done
            });
        }
        let done: u32 = tasks.join_all().await.into_iter().sum();
        f64::from(done) / started.elapsed().as_secs_f64()
    }

    async fn json(&self, method: Method, path: &str, body: &Value) -> Value {
        let (here, path) = (self.clone(), path.to_owned());
        // A body that the server does not read would end the connection, perhaps before the end of a long response.
        let body = (!body.is_null()).then(|| body.to_string().into());
        let request = TestRequest { body, ..TestRequest::default() };
        let answer = tokio::task::spawn_blocking(move || here.send(&method, &path, &request)).await.unwrap();
        serde_json::from_slice(answer.body()).unwrap_or_default()
    }

    fn client(&self) -> Client {
        Client::new(&Address::new(&self.url, &self.token))
    }

    /// Sends GET requests from `clients` concurrent clients. Returns requests per second.
    async fn reads(&self, clients: usize, path: &str, headers: &str) -> f64 {
        self.sequences(clients, &[path], headers).await
    }

    /// The same for a sequence of GET requests. Returns sequences per second.
    async fn sequences(&self, clients: usize, paths: &[&str], headers: &str) -> f64 {
        let (started, mut tasks) = (Instant::now(), JoinSet::new());
        for _ in 0..clients {
            let (mut client, headers) = (self.client(), headers.to_owned());
            let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            tasks.spawn(async move {
                let mut done = 0_u32;
                while started.elapsed() < SLICE {
                    for path in &paths {
                        assert!(client.send("GET", path, &headers, "").await.unwrap().status < 400);
                    }
                    done += 1;
                }
                done
            });
        }
        let done: u32 = tasks.join_all().await.into_iter().sum();
        f64::from(done) / started.elapsed().as_secs_f64()
    }
}

/// Runs `work` on `clients` threads. Returns completed calls per second.
async fn rate(clients: usize, work: impl Fn() + Clone + Send + 'static) -> f64 {
    let started = Instant::now();
    let clients: Vec<_> = (0..clients)
        .map(|_| {
            let work = work.clone();
            tokio::task::spawn_blocking(move || {
                let mut done = 0_u32;
                while started.elapsed() < SLICE {
                    work();
                    done += 1;
                }
                done
            })
        })
        .collect();
    let mut done = 0;
    for client in clients {
        done += client.await.unwrap();
    }
    f64::from(done) / started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A model with `components` components and twice as many relationships.
fn model(components: usize) -> Value {
    let properties = json!({ "lifecycle": "live", "language": "Rust", "tags": ["core", "payments"] });
    json!({
        "workspace": { "id": "w", "name": "W" },
        "components": (0..components).map(|i| json!({
            "id": format!("component-{i}"), "typeId": "service", "name": format!("Component {i}"),
            "description": "Takes orders, charges cards and tells everybody who wants to know.",
            "x": (i % 40) * 240, "y": (i / 40) * 160, "properties": properties,
        })).collect::<Vec<_>>(),
        "relationships": (0..components * 2).map(|i| json!({
            "id": format!("relationship-{i}"), "sourceId": format!("component-{}", i % components),
            "targetId": format!("component-{}", (i * 7 + 1) % components), "typeId": "calls", "label": "HTTPS",
        })).collect::<Vec<_>>(),
    })
}

/// Targets 1 and 2: a bundle of 1,000 components and 2,000 relationships, compared with the same bytes as a static
/// response.
async fn bundles() {
    const PATH: &str = "/api/workspaces/w";
    let first = Instance::new(Bytes::new()).await;
    first.json(Method::PUT, "/api/workspaces/w/bulk", &model(1_000)).await;
    let bytes =
        tokio::task::spawn_blocking(move || first.send(&Method::GET, PATH, &TestRequest::default())).await.unwrap();
    let instance = Instance::new(bytes.into_body().into()).await;
    instance.json(Method::PUT, "/api/workspaces/w/bulk", &model(1_000)).await;

    let (mut changed, mut cached, mut gzip, mut unchanged, mut unchanged_health) =
        (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let fixed = instance.reads(2, "/static", "").await;
        let plain = instance.reads(2, PATH, "").await;
        cached.push(plain / fixed);
        gzip.push(instance.reads(2, PATH, "Accept-Encoding: gzip\r\n").await / plain);
        let tag = instance.client().send("GET", PATH, "", "").await.unwrap().entity_tag.unwrap();
        let not_modified = instance.reads(2, PATH, &format!("If-None-Match: {tag}\r\n")).await;
        unchanged.push(not_modified / plain);
        unchanged_health.push(not_modified / instance.reads(2, "/healthz", "").await);
        let alone = instance.reads(1, "/static", "").await;
        changed.push(rate_after_writes(&instance, PATH, 1).await / alone);
    }
    report_rounds("bundle after a small change / static", ">= 0.40", changed);
    report_rounds("bundle in cache / static", ">= 0.80", cached);
    report_rounds("bundle in cache, gzip / the same without gzip", ">= 6", gzip);
    report_rounds("bundle unchanged (304) / bundle in cache", ">= 12", unchanged);
    report_rounds("bundle unchanged (304) / healthz", ">= 0.75", unchanged_health);
}

/// Target 4, the part that is independent of other products: the gain of group commit.
async fn writes() {
    let instance = Instance::new(Bytes::new()).await;
    instance.json(Method::POST, "/api/workspaces", &json!({ "id": "w", "name": "W" })).await;
    let mut gains = Vec::new();
    for _ in 0..ROUNDS {
        let alone = instance.creates(1, "/api/workspaces/w/components").await;
        gains.push(instance.creates(64, "/api/workspaces/w/components").await / alone);
    }
    report_rounds("single creates: 64 clients / 1 client, each synced to disk", ">= 3", gains);
}

/// Target 5: bulk writes scale linearly, and a small change is cheaper than a new model.
async fn bulk() {
    let (mut growth, mut change) = (vec![], vec![]);
    let instance = Instance::new(Bytes::new()).await;
    // Signing in is a write of somebody who is not known yet. While others write, there is a pause between large writes.
    tokio::time::sleep(Duration::from_secs(11)).await;
    for _ in 0..ROUNDS {
        let put = async |model: &Value| {
            let (here, body) = (instance.clone(), Some(model.to_string().into()));
            let request = TestRequest { body, ..TestRequest::default() };
            let started = Instant::now();
            let put = move || here.send(&Method::PUT, "/api/workspaces/w/bulk", &request).status();
            assert_eq!(tokio::task::spawn_blocking(put).await.unwrap(), StatusCode::OK);
            started.elapsed().as_secs_f64()
        };
        let mut large = model(10_000);
        let whole = put(&large).await;
        for i in (0..10_000).step_by(100) {
            large["components"][i]["name"] = "Renamed".into();
        }
        change.push(whole / put(&large).await);
        instance.json(Method::DELETE, "/api/workspaces/w", &Value::Null).await;
        growth.push(whole / put(&model(5_000)).await);
        instance.json(Method::DELETE, "/api/workspaces/w", &Value::Null).await;
    }
    report_rounds("bulk of 10,000 + 20,000 / bulk of half of it", "~ 2", growth);
    report_rounds("bulk of 10,000 + 20,000 / the same with 1 % changed", ">= 3", change);
}

/// Target 6: small reads while 8 clients read bundles, compared with small reads alone.
async fn small_reads_during_bundles() {
    let instance = Instance::new(Bytes::new()).await;
    instance.json(Method::PUT, "/api/workspaces/w/bulk", &model(1_000)).await;
    let mut kept = Vec::new();
    for _ in 0..ROUNDS {
        let quiet = instance.reads(2, "/api/me", "").await;
        let bundle_reads = instance.reads(8, "/api/workspaces/w", "");
        kept.push(tokio::join!(bundle_reads, instance.reads(2, "/api/me", "")).1 / quiet);
    }
    report_rounds("small reads while 8 clients read bundles / alone", ">= 0.15", kept);
}
