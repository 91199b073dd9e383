//! How long the largest writes of one user delay a write of another user.

use std::time::Duration;

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::{Instance, TestRequest, drafts::Writer, report};

/// Number of components of a map, about 14 MB.
const COMPONENTS: usize = 50_000;
/// Maximum number of operations in a request.
const OPERATIONS: usize = 10_000;
/// Maximum number of components in a sync.
const SYNCED: usize = 20_000;

fn components(name: &str) -> Vec<Value> {
    let text = "What this component is for, who wrote it, and why. ".repeat(4);
    let component = |n: usize| {
        json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("{name} {n}"), "description": text,
                "x": n % 200 * 300, "y": n / 200 * 200 })
    };
    (0..COMPONENTS).map(component).collect()
}

/// Sends a large write, and reports the slowest concurrent write of `other` in milliseconds.
async fn delay(name: &str, (user, other): (&Instance, &Instance), method: Method, path: &str, body: &Value) -> Value {
    // After a large write, the scheduler holds back the next write of the same user while others write.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let request = TestRequest { body: Some(body.to_string().into()), ..TestRequest::default() };
    let writer = Writer::start(other);
    let (user, path) = (user.clone(), path.to_owned());
    let response = spawn_blocking(move || user.send(&method, &path, &request)).await.unwrap();
    // Includes the background work after the write, such as indexing.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (_, slowest) = writer.stop().await;
    assert!([StatusCode::OK, StatusCode::CREATED].contains(&response.status()), "{name}: {}", response.status());
    report(&format!("slowest write of another user during the largest {name}, ms"), "<= 500", slowest * 1_000.0);
    serde_json::from_slice(response.body()).unwrap_or_default()
}

/// Reports the delay for each kind of large write.
pub async fn delay_by_large_writes() {
    let ada = Instance::new(Bytes::new()).await;
    let eve = ada.invited("eve").await;
    ada.json(Method::POST, "/api/workspaces", &json!({ "id": "own", "name": "Own" })).await;
    let users = (&eve, &ada);
    let model =
        |name: &str| json!({ "workspace": { "name": "W" }, "components": components(name), "relationships": [] });
    let first = delay("bulk create", users, Method::PUT, "/api/workspaces/w/bulk", &model("First")).await;
    assert_eq!(first["components"].as_array().unwrap().len(), COMPONENTS);
    delay("bulk update", users, Method::PUT, "/api/workspaces/w/bulk", &model("Second")).await;
    let create = |component: Value| json!({ "op": "create", "kind": "component", "row": component });
    let operations: Vec<Value> = components("Operation").into_iter().take(OPERATIONS).map(create).collect();
    eve.json(Method::POST, "/api/workspaces", &json!({ "id": "operations", "name": "Operations" })).await;
    let body = json!({ "operations": operations });
    delay("batch of operations", users, Method::POST, "/api/workspaces/operations/operations", &body).await;
    delay("import", users, Method::POST, "/api/import?id=imported", &model("Imported")).await;
    let part = |component: Value| {
        let origin = json!({ "key": component["id"], "file": "parts.csv", "line": 1 });
        json!({ "origin": origin, "id": component["id"], "typeId": "service", "name": component["name"],
                "description": component["description"] })
    };
    let rows: Vec<Value> = components("Part").into_iter().take(SYNCED).map(part).collect();
    eve.json(Method::POST, "/api/workspaces", &json!({ "id": "synced", "name": "Synced" })).await;
    let sync = json!({ "source": { "id": "parts", "kind": "csv" }, "reading": { "components": rows } });
    delay("sync", users, Method::POST, "/api/workspaces/synced/sync", &sync).await;
    let draft = eve.json(Method::POST, "/api/workspaces/w/drafts", &json!({ "title": "Renamed" })).await;
    let draft = draft["draft"]["id"].as_str().unwrap().to_owned();
    eve.json(Method::PUT, &format!("/api/workspaces/{draft}/bulk"), &model("Third")).await;
    eve.json(Method::PATCH, &format!("/api/drafts/{draft}"), &json!({ "state": "open" })).await;
    delay("merge", users, Method::POST, &format!("/api/drafts/{draft}/merge"), &json!({})).await;
}
