//! Readings end with their request, and wait for memory.

use std::pin::Pin;

use futures_util::poll;
use serde_json::{Value, json};

use super::COMPOSE;
use crate::support::{TestServer, waiting::eventually_in_tasks};

/// Files whose reading takes many steps: every `*` includes all people in the view.
fn long_files() -> Value {
    let people: Vec<String> = (0..1_000).map(|n| format!("p{n} = person \"P{n}\"\n")).collect();
    let people = people.concat();
    let view = format!("systemLandscape v {{\ninclude{}\n}}\n", " *".repeat(58_000));
    let text = format!("workspace {{\nmodel {{\n{people}}}\nviews {{\n{view}}}\n}}\n");
    json!([{ "name": "a.dsl", "content": text }])
}

fn metric(server: &TestServer, name: &str) -> u64 {
    let metrics = server.app.metrics(None).text().unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().parse().unwrap()
}

fn running(server: &TestServer) -> u64 {
    metric(server, "planroom_pool_running{pool=\"read-heavy\"}")
}

fn stopped(server: &TestServer) -> u64 {
    metric(server, "planroom_pool_stopped_total{pool=\"read-heavy\"}")
}

fn memory(server: &TestServer) -> usize {
    server.app.gate.memory_in_use()
}

/// Waits until files are read, which needs memory, and not only recognized.
async fn wait_until_reading<T>(server: &TestServer, reading: &mut Pin<Box<impl Future<Output = T>>>) {
    while memory(server) == 0 || running(server) == 0 {
        assert!(poll!(reading.as_mut()).is_pending(), "the files were read at once");
        tokio::task::yield_now().await;
    }
}

/// Waits until nothing is read.
async fn wait_until_idle(server: &TestServer) {
    let idle = || if running(server) == 0 { Ok(()) } else { Err("a job runs") };
    eventually_in_tasks(idle).await;
}

#[tokio::test]
async fn a_reading_ends_when_its_client_has_gone() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let mut reading = Box::pin(ada.post("/api/readings", json!({ "files": long_files() })));
    wait_until_reading(&server, &mut reading).await;
    drop(reading);
    wait_until_idle(&server).await;
    assert_eq!((stopped(&server), memory(&server)), (1, 0));
}

#[tokio::test]
async fn a_preview_ends_when_its_assistant_has_gone() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "workspaceId": "w", "files": long_files() });
    let mut preview = Box::pin(assistant.call_ok("sync_preview", ask));
    wait_until_reading(&server, &mut preview).await;
    drop(preview);
    wait_until_idle(&server).await;
    assert_eq!((stopped(&server), memory(&server)), (1, 0));
}

#[tokio::test]
async fn a_reading_ends_at_its_deadline() {
    let server = TestServer::empty(|config| config.limits.request_seconds = 1);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/readings", json!({ "files": long_files() })).await.expect_error(503, "");
    wait_until_idle(&server).await;
    assert_eq!((stopped(&server), memory(&server)), (1, 0));
}

#[tokio::test]
async fn readings_wait_for_memory() {
    let server = TestServer::empty(|config| {
        config.limits.in_flight_mib = 1;
        config.database.heavy_readers = 4;
    });
    server.seed_admin("ada", "acme").await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let mut long = Box::pin(ada.post("/api/readings", json!({ "files": long_files() })));
    wait_until_reading(&server, &mut long).await;
    // The second reading is prepared, and begins when the memory of the first one is free.
    let files = json!([{ "name": "compose.yaml", "content": COMPOSE }]);
    let mut short = Box::pin(bob.post("/api/readings", json!({ "files": files })));
    let first = memory(&server);
    for _ in 0..200 {
        assert!(poll!(short.as_mut()).is_pending(), "the second reading did not wait");
        assert!(poll!(long.as_mut()).is_pending());
        assert_eq!(memory(&server), first);
        tokio::task::yield_now().await;
    }
    drop(long);
    let found = short.await.ok();
    assert_eq!(found["counts"]["components"], 3);
    wait_until_idle(&server).await;
}
