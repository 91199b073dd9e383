//! Requests that load a whole map wait for memory.

use std::{future::poll_fn, pin::Pin, task::Poll};

use axum::http::Method;
use planroom::domain::core::{Call, Via, WholeMap, access::Public};
use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

/// Number of components of a map that is so large that requests for it must reserve memory.
const COMPONENTS: usize = 220;

fn model(name: &str) -> Value {
    let component = |n: usize| json!({ "id": format!("c{n}"), "typeId": "service", "name": name, "description": "x".repeat(10_000) });
    let components: Vec<Value> = (0..COMPONENTS).map(component).collect();
    json!({ "workspace": { "name": "Large" }, "components": components, "relationships": [] })
}

/// A server with a large map.
pub async fn server() -> TestServer {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.put("/api/workspaces/large/bulk", model("First")).await.ok();
    server
}

/// Reserves all memory for whole maps, like the largest request of another user.
pub async fn reserve_memory(server: &TestServer) -> WholeMap {
    let call = Call::<Public>::new(None, Via::Rest, "test");
    server.app.gate.whole_map(&call, (), |_| Ok(usize::MAX)).await.unwrap()
}

/// Polls the requests until all of them wait for memory.
pub async fn until_waiting<F: Future<Output = TestResponse>>(server: &TestServer, requests: &mut [Pin<Box<F>>]) {
    poll_fn(|context| {
        for request in &mut *requests {
            if let Poll::Ready(reply) = request.as_mut().poll(context) {
                panic!("the request did not wait: {reply}");
            }
        }
        context.waker().wake_by_ref();
        if server.app.gate.waiting_for_memory() == requests.len() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Sends a request while no memory is available, and expects that it waits and then succeeds.
pub async fn expect_wait(
    server: &TestServer,
    client: &TestClient<'_>,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Value {
    let memory = reserve_memory(server).await;
    let mut requests = [Box::pin(client.send(method, path, body))];
    until_waiting(server, &mut requests).await;
    drop(memory);
    let [request] = requests;
    let reply = request.await;
    assert!(reply.status.is_success(), "{reply}");
    // Some export formats are not JSON.
    serde_json::from_slice(&reply.bytes).unwrap_or_default()
}

#[tokio::test]
async fn draft_requests_for_large_maps_wait_for_memory() {
    let server = server().await;
    let ada = server.sign_in("ada").await;
    let expect_wait = |method, path: String, body| {
        let (server, ada) = (&server, &ada);
        async move { expect_wait(server, ada, method, &path, body).await }
    };
    let new = json!({ "title": "Rename" });
    let started = expect_wait(Method::POST, "/api/workspaces/large/drafts".into(), Some(new)).await;
    let draft = started["draft"]["id"].as_str().unwrap().to_owned();
    expect_wait(Method::PUT, format!("/api/workspaces/{draft}/bulk"), Some(model("Second"))).await;
    let compared = expect_wait(Method::GET, format!("/api/drafts/{draft}/comparison"), None).await;
    assert_eq!(compared["counts"]["changed"], COMPONENTS);
    expect_wait(Method::GET, format!("/api/drafts/{draft}/comparison?format=markdown"), None).await;
    expect_wait(Method::POST, format!("/api/drafts/{draft}/update"), Some(json!({}))).await;
    ada.patch(&format!("/api/drafts/{draft}"), json!({ "state": "open" })).await.ok();
    let merged = expect_wait(Method::POST, format!("/api/drafts/{draft}/merge"), Some(json!({}))).await;
    assert_eq!(merged["rows"], COMPONENTS);
    // The comparison of a merged draft is stored.
    let _memory = reserve_memory(&server).await;
    ada.get(&format!("/api/drafts/{draft}/comparison")).await.ok();
}

#[tokio::test]
async fn history_requests_for_large_maps_wait_for_memory() {
    let server = server().await;
    let ada = server.sign_in("ada").await;
    let expect_wait = |method, path: String, body| {
        let (server, ada) = (&server, &ada);
        async move { expect_wait(server, ada, method, &format!("/api/workspaces/large{path}"), body).await }
    };
    let saved = expect_wait(Method::POST, "/versions".into(), Some(json!({ "name": "First" }))).await;
    let version = saved["version"]["id"].as_i64().unwrap();
    let revision = ada.revision("large").await;
    let emptied = json!({ "workspace": { "name": "Large" }, "components": [], "relationships": [] });
    let emptied = expect_wait(Method::PUT, "/bulk".into(), Some(emptied)).await;
    // The current map is small, and its past state is large.
    let then = expect_wait(Method::GET, format!("?at={revision}"), None).await;
    assert_eq!(then["components"].as_array().unwrap().len(), COMPONENTS);
    let difference = expect_wait(Method::GET, format!("/history/difference?from={revision}"), None).await;
    assert_eq!(difference["components"]["removed"].as_array().unwrap().len(), COMPONENTS);
    expect_wait(Method::GET, format!("/versions/{version}"), None).await;
    let undo = json!({ "changeSetId": emptied["changeSetId"] });
    assert_eq!(expect_wait(Method::POST, "/undo".into(), Some(undo)).await["rows"], COMPONENTS);
    expect_wait(Method::POST, format!("/versions/{version}/restore"), None).await;
    expect_wait(Method::POST, "/history/restore".into(), Some(json!({ "revision": revision }))).await;
}

#[tokio::test]
async fn exports_imports_copies_and_syncs_of_large_maps_wait_for_memory() {
    let server = server().await;
    let ada = server.sign_in("ada").await;
    let expect_wait = |method, path: &'static str, body| {
        let (server, ada) = (&server, &ada);
        async move { expect_wait(server, ada, method, path, body).await }
    };
    let file = expect_wait(Method::GET, "/api/workspaces/large/export", None).await;
    for format in ["structurizr-json", "mermaid-c4", "drawio"] {
        let path = format!("/api/workspaces/large/export?format={format}");
        self::expect_wait(&server, &ada, Method::GET, &path, None).await;
    }
    expect_wait(Method::POST, "/api/import?replace=true&dryRun=true", Some(file.clone())).await;
    expect_wait(Method::POST, "/api/import?replace=true", Some(file)).await;
    expect_wait(Method::PUT, "/api/workspaces/large/bulk?dryRun=true", Some(model("Second"))).await;
    expect_wait(Method::POST, "/api/workspaces/large/duplicate", Some(json!({ "id": "copy" }))).await;
    let source = json!({ "id": "repository", "kind": "csv" });
    let origin = json!({ "key": "a", "file": "a.csv", "line": 1 });
    let reading = json!({ "components": [{ "origin": origin, "id": "a", "typeId": "service", "name": "A" }] });
    let sync = json!({ "source": source, "reading": reading });
    expect_wait(Method::POST, "/api/workspaces/large/sync/preview", Some(sync.clone())).await;
    expect_wait(Method::POST, "/api/workspaces/large/sync", Some(sync)).await;
    expect_wait(Method::GET, "/api/workspaces/large/drift", None).await;
}

#[tokio::test]
async fn six_users_queue_for_memory_while_small_requests_succeed() {
    let server = server().await;
    let mut users = Vec::new();
    for login in ["u1", "u2", "u3", "u4", "u5", "u6"] {
        server.seed_member(login, "acme", "org:member");
        users.push(server.sign_in(login).await);
    }
    let ada = server.sign_in("ada").await;
    ada.patch("/api/workspaces/large", json!({ "visibility": "org" })).await.ok();
    let memory = reserve_memory(&server).await;
    let mut requests: Vec<_> = users.iter().map(|user| Box::pin(user.get("/api/workspaces/large/export"))).collect();
    until_waiting(&server, &mut requests).await;
    // An export of a small map, a read, and a write do not wait.
    ada.get("/api/workspaces/w/export").await.ok();
    ada.get("/api/me").await.ok();
    ada.create_components("w", &["meanwhile"]).await;
    // Permissions are checked before the wait.
    server.seed_org("other", "eve");
    server.sign_in("eve").await.get("/api/workspaces/large/export").await.expect_error(404, "workspace");
    until_waiting(&server, &mut requests).await;
    drop(memory);
    for request in requests {
        request.await.ok();
    }
}

#[tokio::test]
async fn a_request_that_waits_too_long_for_memory_gets_a_retry_after_header() {
    let server = server().await;
    let ada = server.sign_in("ada").await;
    let memory = reserve_memory(&server).await;
    let mut requests = [Box::pin(ada.get("/api/workspaces/large/export"))];
    until_waiting(&server, &mut requests).await;
    // Only the timeout can end the wait. Paused time advances to it.
    tokio::time::pause();
    let [request] = requests;
    let reply = request.await;
    reply.expect_error(503, "the server is busy");
    assert_eq!(reply.header("retry-after"), "1");
    tokio::time::resume();
    drop(memory);
    ada.get("/api/workspaces/large/export").await.ok();
}

#[tokio::test]
async fn a_client_that_disconnects_leaves_the_memory_queue() {
    let server = server().await;
    let ada = server.sign_in("ada").await;
    let memory = reserve_memory(&server).await;
    let mut requests = [Box::pin(ada.get("/api/workspaces/large/export"))];
    until_waiting(&server, &mut requests).await;
    drop(requests);
    assert_eq!(server.app.gate.waiting_for_memory(), 0);
    drop(memory);
    ada.get("/api/workspaces/large/export").await.ok();
}
