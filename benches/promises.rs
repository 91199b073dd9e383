//! What is promised about speed, measured side by side in one run: `make bench` prints ratios, which hold on any
//! machine, and not times, which do not. Requests go through the real router with real credentials, roles, audit,
//! change log and `synchronous=FULL`; only the network is left out, which favours nobody.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints, and stops where it cannot go on")]
#![allow(clippy::cast_precision_loss, reason = "ratios of counts")]

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{Method, Request, StatusCode},
    routing::get,
};
use planroom::{
    app::App,
    clock::Clock,
    config::{Flags, load},
    operator::Operation,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

/// How long each side of a comparison runs, and how often; the median counts.
const SLICE: Duration = Duration::from_millis(400);
const ROUNDS: usize = 5;

fn main() {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        println!("{:62} {:>9} {:>9}", "promise", "promised", "measured");
        bundles().await;
        writes().await;
        bulk().await;
        small_reads_beside_bundles().await;
    });
}

fn report(promise: &str, promised: &str, measured: f64) {
    println!("{promise:62} {promised:>9} {measured:>9.2}");
}

/// An instance with one administrator and their token.
#[derive(Clone)]
struct Instance {
    router: Router,
    token: String,
    _app: Arc<App>,
    _dir: Arc<TempDir>,
}

impl Instance {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
        let config = load(&flags, &BTreeMap::new()).unwrap().config;
        let app = App::open(&config, "http://bench", Clock::default()).unwrap();
        let (login, name, org, password) = ("ada".into(), "Ada".into(), "acme".into(), "correct horse".into());
        Operation::CreateAdmin { login, name, org, password }.perform(&app).await.unwrap();
        let router = app.router();
        let mut instance = Self { router, token: String::new(), _app: Arc::new(app), _dir: Arc::new(dir) };
        let body = json!({ "login": "ada", "password": "correct horse" });
        let session = instance.ask(Method::POST, "/api/auth/login", &[], Some(&body)).await.1;
        instance.token = serde_json::from_slice::<Value>(&session).unwrap()["token"].as_str().unwrap().into();
        let minted = instance.ask(Method::POST, "/api/me/tokens", &[], Some(&json!({ "name": "bench" }))).await.1;
        instance.token = serde_json::from_slice::<Value>(&minted).unwrap()["token"].as_str().unwrap().into();
        instance
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> (StatusCode, Bytes) {
        let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        if !self.token.is_empty() {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.map_or_else(Body::empty, |body| body.to_string().into());
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = response.status();
        assert!(status.is_success() || status == StatusCode::NOT_MODIFIED, "{path}: {status}");
        (status, to_bytes(response.into_body(), usize::MAX).await.unwrap())
    }
}

/// How often `clients` together can do `work` in a second.
async fn rate<F, W>(clients: usize, work: F) -> f64
where
    F: Fn(usize) -> W + Clone + Send + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let done = Arc::new(AtomicUsize::new(0));
    let over = Arc::new(AtomicBool::new(false));
    let started = Instant::now();
    let clients: Vec<_> = (0..clients)
        .map(|client| {
            let (work, done, over) = (work.clone(), Arc::clone(&done), Arc::clone(&over));
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    work(client).await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    tokio::time::sleep(SLICE).await;
    over.store(true, Ordering::Relaxed);
    for client in clients {
        client.await.unwrap();
    }
    done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A model of `components` components and twice as many relationships.
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

/// Promises 1 and 2: a bundle of 1,000 components and 2,000 relationships beside the same bytes served static.
async fn bundles() {
    const PATH: &str = "/api/workspaces/w";
    let mut instance = Instance::new().await;
    instance.ask(Method::PUT, "/api/workspaces/w/bulk", &[], Some(&model(1_000))).await;
    let bytes = instance.ask(Method::GET, PATH, &[], None).await.1;
    let fixed = bytes.clone();
    instance.router = instance.router.route("/static", get(move || std::future::ready(fixed.clone())));
    let response = Request::builder().uri(PATH).header("authorization", format!("Bearer {}", instance.token));
    let response = instance.router.clone().oneshot(response.body(Body::empty()).unwrap()).await.unwrap();
    let tag = response.headers()["etag"].to_str().unwrap().to_owned();

    let (mut cold, mut cached, mut gzip, mut unchanged) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let here = instance.clone();
        let fixed = rate(2, move |_| read(here.clone(), "/static", None)).await;
        let here = instance.clone();
        cached.push(rate(2, move |_| read(here.clone(), PATH, None)).await / fixed);
        let here = instance.clone();
        gzip.push(rate(2, move |_| read(here.clone(), PATH, Some(("accept-encoding", "gzip".into())))).await / fixed);
        let (here, known) = (instance.clone(), tag.clone());
        let condition = move || Some(("if-none-match", known.clone()));
        unchanged.push(rate(2, move |_| read(here.clone(), PATH, condition())).await / fixed);
        cold.push(cold_rate(&instance).await / fixed);
    }
    report("bundle not in cache / static", ">= 0.10", median(cold));
    report("bundle in cache / static", ">= 0.60", median(cached));
    report("bundle in cache, gzip / static", ">= 4", median(gzip));
    report("bundle unchanged (304) / static", ">= 8", median(unchanged));
}

async fn read(instance: Instance, path: &'static str, header: Option<(&'static str, String)>) {
    let headers: Vec<_> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
    instance.ask(Method::GET, path, &headers, None).await;
}

/// Bundles a second when each is read after a write; the writes' own time is taken out.
async fn cold_rate(instance: &Instance) -> f64 {
    let (mut reads, mut spent) = (0, Duration::ZERO);
    while spent < SLICE {
        let nudge = json!({ "x": reads });
        instance.ask(Method::PATCH, "/api/workspaces/w/components/component-0", &[], Some(&nudge)).await;
        let started = Instant::now();
        // Two readers, as on the other side; the second finds what the first has made or makes its own.
        instance.ask(Method::GET, "/api/workspaces/w", &[], None).await;
        spent += started.elapsed();
        reads += 1;
    }
    f64::from(reads) / spent.as_secs_f64()
}

/// Promise 4, its part that needs no peer: what group commit gains.
async fn writes() {
    let instance = Instance::new().await;
    instance.ask(Method::POST, "/api/workspaces", &[], Some(&json!({ "id": "w", "name": "W" }))).await;
    let mut gains = Vec::new();
    for _ in 0..ROUNDS {
        let (here, there) = (instance.clone(), instance.clone());
        let alone = rate(1, move |_| create(here.clone())).await;
        gains.push(rate(64, move |_| create(there.clone())).await / alone);
    }
    report("single creates: 64 clients / 1 client, each synced to disk", ">= 3", median(gains));
}

async fn create(instance: Instance) {
    let new = json!({ "typeId": "service", "name": uuid::Uuid::now_v7().to_string(), "x": 0, "y": 0 });
    instance.ask(Method::POST, "/api/workspaces/w/components", &[], Some(&new)).await;
}

/// Promise 5: bulk is linear in size, and a small change is cheaper than a new model.
async fn bulk() {
    let (mut growth, mut change) = (vec![], vec![]);
    for _ in 0..3 {
        let instance = Instance::new().await;
        let put = async |model: &Value| {
            let started = Instant::now();
            instance.ask(Method::PUT, "/api/workspaces/w/bulk", &[], Some(model)).await;
            started.elapsed().as_secs_f64()
        };
        let mut large = model(10_000);
        let whole = put(&large).await;
        for i in (0..10_000).step_by(100) {
            large["components"][i]["name"] = "Renamed".into();
        }
        change.push(whole / put(&large).await);
        instance.ask(Method::DELETE, "/api/workspaces/w", &[], None).await;
        growth.push(whole / put(&model(5_000)).await);
    }
    report("bulk of 10,000 + 20,000 / bulk of half of it", "~ 2", median(growth));
    report("bulk of 10,000 + 20,000 / the same with 1 % changed", ">= 3", median(change));
}

/// Promise 6: small reads while 8 clients pull bundles, beside small reads alone.
async fn small_reads_beside_bundles() {
    let instance = Instance::new().await;
    instance.ask(Method::PUT, "/api/workspaces/w/bulk", &[], Some(&model(1_000))).await;
    let mut kept = Vec::new();
    for _ in 0..ROUNDS {
        let (alone, beside, pullers) = (instance.clone(), instance.clone(), instance.clone());
        let quiet = rate(2, move |_| read(alone.clone(), "/api/me", None)).await;
        let pulling = rate(8, move |_| read(pullers.clone(), "/api/workspaces/w", None));
        let reading = rate(2, move |_| read(beside.clone(), "/api/me", None));
        kept.push(tokio::join!(pulling, reading).1 / quiet);
    }
    report("small reads while 8 clients pull bundles / alone", ">= 0.15", median(kept));
}
