//! Target 9: how much the heaviest load of one user slows down small requests of another user.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};
use tokio::task::{JoinHandle, JoinSet, spawn_blocking};

use super::{Instance, TestRequest, median, model, report};

/// Concurrent requests of the user who causes the load.
const PARALLEL: usize = 8;
/// Time between two samples. A sample starts on time even if earlier ones are still waiting, so that the samples are
/// spread evenly over the phases of the load.
const SPACING: Duration = Duration::from_millis(100);
/// Number of samples without load, and with load.
const SAMPLES: usize = 60;

/// Durations of small requests, in seconds.
#[derive(Default)]
struct Durations {
    reads: Vec<f64>,
    writes: Vec<f64>,
}

/// Measures small requests, one read and one write every [`SPACING`].
async fn sample(user: &Instance) -> Durations {
    const COMPONENTS: &str = "/api/workspaces/own/components";
    let (mut reads, mut writes) = (JoinSet::new(), JoinSet::new());
    let mut ticks = tokio::time::interval(SPACING);
    for _ in 0..SAMPLES {
        ticks.tick().await;
        let component = json!({ "typeId": "service", "name": uuid::Uuid::now_v7().to_string(), "x": 0, "y": 0 });
        let create = TestRequest { body: Some(component.to_string().into()), ..TestRequest::default() };
        let (first, second) = (user.clone(), user.clone());
        reads.spawn_blocking(move || duration(&first, &Method::GET, "/api/me", &TestRequest::default()));
        writes.spawn_blocking(move || duration(&second, &Method::POST, COMPONENTS, &create));
    }
    Durations { reads: reads.join_all().await, writes: writes.join_all().await }
}

/// The duration of a request, in seconds. Blocks.
fn duration(user: &Instance, method: &Method, path: &str, request: &TestRequest) -> f64 {
    let started = Instant::now();
    let status = user.send(method, path, request).status();
    assert!(status.is_success(), "{status}");
    started.elapsed().as_secs_f64()
}

/// Threads that repeat requests until [`Load::stop`].
struct Load {
    stopping: Arc<AtomicBool>,
    completed: Arc<AtomicU32>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts `PARALLEL` threads, and returns when each of them has received a response and sends further requests.
    async fn start(user: &Instance, requests: &[(Method, String, TestRequest)]) -> Self {
        let (stopping, completed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let (responded, responses) = mpsc::channel();
        let mut threads = Vec::new();
        for (method, path, request) in requests.iter().cycle().take(PARALLEL) {
            let (method, path, request) = (method.clone(), path.clone(), request.clone());
            let (user, responded) = (user.clone(), responded.clone());
            let (stopping, completed) = (Arc::clone(&stopping), Arc::clone(&completed));
            let request = move || {
                let status = user.send(&method, &path, &request).status();
                let is_rejected = [
                    StatusCode::TOO_MANY_REQUESTS,
                    StatusCode::SERVICE_UNAVAILABLE,
                    // The user has reached the maximum number of drafts.
                    StatusCode::CONFLICT,
                ]
                .contains(&status);
                assert!(status.is_success() || is_rejected, "{status}");
                completed.fetch_add(u32::from(status.is_success()), Ordering::Relaxed);
            };
            threads.push(spawn_blocking(move || {
                request();
                responded.send(()).unwrap();
                drop(responded);
                while !stopping.load(Ordering::Relaxed) {
                    request();
                }
            }));
        }
        drop(responded);
        let responses = spawn_blocking(move || responses.iter().count()).await.unwrap();
        assert_eq!(responses, PARALLEL, "a thread of the load failed");
        Self { stopping, completed, threads }
    }

    /// Number of successful requests.
    fn completed(&self) -> u32 {
        self.completed.load(Ordering::Relaxed)
    }

    async fn stop(self) {
        self.stopping.store(true, Ordering::Relaxed);
        for thread in self.threads {
            thread.await.unwrap();
        }
    }
}

/// Reports the slowdown by bulk writes, dry runs, reads of a whole workspace, drafts, comparisons, and imports.
pub async fn slowdown_by_other_users() {
    let ada = Instance::new(Bytes::new()).await;
    let eve = ada.invited("eve").await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "own", "name": "Own" })).await;
    let (mut one, mut other) = (model(10_000), model(10_000));
    one["workspace"]["name"] = "W".into();
    for i in 0..10_000 {
        other["components"][i]["name"] = "Renamed".into();
    }
    eve.json(Method::PUT, "/api/workspaces/w/bulk", &one).await;
    let send = |method: Method, path: &str, body: &Value| {
        (method, path.to_owned(), TestRequest { body: Some(body.to_string().into()), ..TestRequest::default() })
    };
    let put = |path: &str, model: &Value| send(Method::PUT, path, model);
    let get = |path: &str| (Method::GET, path.to_owned(), TestRequest::default());
    let draft = eve.json(Method::POST, "/api/workspaces/w/drafts", &json!({ "title": "Compared" })).await;
    let draft = draft["draft"]["id"].as_str().unwrap().to_owned();
    let mut changed = other.clone();
    changed["workspace"]["id"] = draft.clone().into();
    eve.json(Method::PUT, &format!("/api/workspaces/{draft}/bulk"), &changed).await;
    let rows: Vec<String> = (0..10_000).map(|n| format!("Part {n},service")).collect();
    let rows = rows.join("\n");
    let table = json!({ "files": [{ "name": "parts.csv", "content": format!("name,type\n{rows}") }] });
    let loads = [
        ("bulks", vec![put("/api/workspaces/w/bulk", &one), put("/api/workspaces/w/bulk", &other)]),
        ("dry runs", vec![put("/api/workspaces/w/bulk?dryRun=true", &other)]),
        (
            "exports and differences",
            vec![get("/api/workspaces/w/export"), get("/api/workspaces/w/history/difference?from=1")],
        ),
        ("drafts", vec![send(Method::POST, "/api/workspaces/w/drafts", &json!({ "title": "Started" }))]),
        ("comparisons", vec![get(&format!("/api/drafts/{draft}/comparison"))]),
        (
            "imports",
            vec![
                send(Method::POST, "/api/readings", &table),
                send(Method::POST, "/api/import?replace=true&dryRun=true", &one),
            ],
        ),
    ];
    for (name, requests) in loads {
        let alone = sample(&ada).await;
        let load = Load::start(&eve, &requests).await;
        let before = load.completed();
        let during = sample(&ada).await;
        let completed = load.completed() - before;
        load.stop().await;
        assert!(completed > 0, "no request of the load succeeded while the samples were taken");
        report(&format!("{name} of another user, completed during the samples"), "", f64::from(completed));
        report_ratio(&format!("small read during {PARALLEL} {name} / alone"), alone.reads, during.reads);
        report_ratio(&format!("small write during {PARALLEL} {name} / alone"), alone.writes, during.writes);
    }
}

fn report_ratio(name: &str, alone: Vec<f64>, during: Vec<f64>) {
    let (alone, during) = (median(alone), median(during));
    report(name, "<= 10", during / alone);
}
