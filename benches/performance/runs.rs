//! Runs of a repository with many services, each in several sources: how long a sync and a check take.

use std::time::Instant;

use axum::{body::Bytes, http::Method};
use serde_json::{Value, json};

use super::{Instance, ROUNDS, report_rounds};

/// Number of services.
const SERVICES: usize = 60;
/// Formats of the sources, each with the beginning of its keys.
const SOURCES: [(&str, &str); 5] = [
    ("compose", ""),
    ("kubernetes", "deployment/default/"),
    ("backstage", "component:default/"),
    ("structurizr-dsl", "shop."),
    ("csv", "row "),
];

/// A run of all sources.
fn request() -> Value {
    let sources: Vec<Value> = SOURCES
        .iter()
        .map(|(kind, prefix)| {
            let key = |at: usize| format!("{prefix}service-{at}");
            let origin = |key: String| json!({ "key": key, "file": format!("{kind}.yaml"), "line": 1 });
            let components: Vec<Value> = (0..SERVICES)
                .map(|at| {
                    json!({ "origin": origin(key(at)), "id": format!("service-{at}"), "typeId": "service",
                            "name": format!("Service {at}"), "technology": ["Rust"], "description": format!("Does {at}"),
                            "properties": { "image": format!("acme/service-{at}:1.0"), "tier": at % 3 } })
                })
                .collect();
            let calls: Vec<Value> = (1..SERVICES)
                .flat_map(|at| [(at, at / 2), (at, at - 1)])
                .enumerate()
                .map(|(number, (from, to))| {
                    json!({ "origin": origin(format!("{}->{}#{number}", key(from), key(to))), "id": format!("call-{number}"),
                            "sourceId": format!("service-{from}"), "targetId": format!("service-{to}"), "typeId": "calls" })
                })
                .collect();
            json!({ "source": { "id": format!("shop:{kind}"), "kind": kind },
                    "reading": { "components": components, "relationships": calls } })
        })
        .collect();
    json!({ "repository": { "id": "shop" }, "sources": sources })
}

/// Times the first run into an empty workspace, and a check of it.
pub async fn of_sixty_services() {
    let instance = Instance::new(Bytes::new()).await;
    let run = request();
    let (mut runs, mut checks) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let id = format!("run-{round}");
        instance.json(Method::POST, "/api/workspaces", &json!({ "id": id, "name": id })).await;
        for (path, times) in [("sync", &mut runs), ("sync/preview", &mut checks)] {
            let started = Instant::now();
            instance.json(Method::POST, &format!("/api/workspaces/{id}/{path}"), &run).await;
            times.push(started.elapsed().as_secs_f64());
        }
    }
    report_rounds("a run of 60 services in 5 sources, seconds", "<= 2", runs);
    report_rounds("a check of them, seconds", "<= 1", checks);
}
