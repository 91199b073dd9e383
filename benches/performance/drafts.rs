//! Starting drafts of a large workspace while another user writes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};
use tokio::task::{JoinHandle, spawn_blocking};

use super::{Instance, ROUNDS, TestRequest, model, report_rounds};

const COMPONENTS: usize = 3_000;
const RELATIONSHIPS: usize = 17_000;

/// The model of the workspace of which drafts are started.
fn base() -> Value {
    let mut base = model(COMPONENTS);
    let relationship = |i: usize| {
        json!({ "id": format!("relationship-{i}"), "sourceId": format!("component-{}", i % COMPONENTS),
                "targetId": format!("component-{}", (i * 7 + 1) % COMPONENTS), "typeId": "calls", "label": "HTTPS" })
    };
    base["relationships"] = (0..RELATIONSHIPS).map(relationship).collect();
    base
}

/// A user who creates one component after the other in a workspace of their own.
pub struct Writer {
    stopping: Arc<AtomicBool>,
    /// Returns the number of writes and the duration of the slowest one in seconds.
    thread: JoinHandle<(u32, f64)>,
}

impl Writer {
    pub fn start(user: &Instance) -> Self {
        let (user, stopping) = (user.clone(), Arc::new(AtomicBool::new(false)));
        let is_stopping = Arc::clone(&stopping);
        let thread = spawn_blocking(move || {
            let (mut done, mut slowest) = (0, 0.0_f64);
            while !is_stopping.load(Ordering::Relaxed) {
                let new = json!({ "typeId": "service", "name": uuid::Uuid::now_v7().to_string(), "x": 0, "y": 0 });
                let request = TestRequest { body: Some(new.to_string().into()), ..TestRequest::default() };
                let started = Instant::now();
                let status = user.send(&Method::POST, "/api/workspaces/own/components", &request).status();
                assert_eq!(status, StatusCode::CREATED);
                slowest = slowest.max(started.elapsed().as_secs_f64());
                done += 1;
            }
            (done, slowest)
        });
        Self { stopping, thread }
    }

    pub async fn stop(self) -> (u32, f64) {
        self.stopping.store(true, Ordering::Relaxed);
        self.thread.await.unwrap()
    }
}

/// A draft of 3,000 components and 17,000 relationships starts within a second, and writes of another user wait at most
/// 100 ms for it.
pub async fn started_during_writes() {
    let ada = Instance::new(Bytes::new()).await;
    let eve = ada.invited("eve").await;
    eve.json(Method::POST, "/api/workspaces", &json!({ "id": "own", "name": "Own" })).await;
    ada.json(Method::PUT, "/api/workspaces/w/bulk", &base()).await;
    let (mut durations, mut waits, mut alone, mut counts) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let writer = Writer::start(&eve);
        tokio::time::sleep(super::SLICE).await;
        alone.push(writer.stop().await.1 * 1_000.0);

        let writer = Writer::start(&eve);
        let started = Instant::now();
        let draft = ada.json(Method::POST, "/api/workspaces/w/drafts", &json!({ "title": "T" })).await;
        durations.push(started.elapsed().as_secs_f64() * 1_000.0);
        let (done, slowest) = writer.stop().await;
        waits.push(slowest * 1_000.0);
        counts.push(f64::from(done));
        let id = draft["draft"]["id"].as_str().unwrap().to_owned();
        let copy = ada.json(Method::GET, &format!("/api/workspaces/{id}"), &Value::Null).await;
        assert_eq!(copy["components"].as_array().unwrap().len(), COMPONENTS);
        assert_eq!(copy["relationships"].as_array().unwrap().len(), RELATIONSHIPS);
    }
    report_rounds("draft of 3,000 + 17,000 rows while another user writes, ms", "<= 1000", durations);
    report_rounds("  writes of the other user in this time", "", counts);
    report_rounds("  the slowest of them, ms", "<= 100", waits);
    report_rounds("  the slowest without the draft, ms", "", alone);
}
