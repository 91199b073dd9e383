//! Properties of every route that updates a row with a revision, and of every route that creates something. The tests
//! iterate over the route table; a new route must be added here.

mod repeated;
mod stale;

use std::collections::BTreeSet;

use axum::http::Method;
use planroom::rest::table;
use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

/// A workspace `w` with one row of every kind, created by `bob`, an organization admin like `ada`.
async fn populated(server: &TestServer) -> (TestClient<'_>, TestClient<'_>) {
    server.seed_member("bob", "acme", "org:admin");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    bob.create_workspace("w").await;
    let mine = json!({ "userId": ada.get("/api/me").await.ok()["id"], "role": "owner" });
    bob.post("/api/workspaces/w/members", mine).await.ok();
    bob.create_components("w", &["a", "b"]).await;
    bob.create_relationship("w", "r", "a", "calls", "b").await;
    bob.post("/api/workspaces/w/components/a/links", json!({ "url": "https://example.org" })).await.created();
    let process = json!({ "id": "order", "name": "Order", "mermaid": "sequenceDiagram\n  A->>B: order" });
    bob.post("/api/workspaces/w/processes", process).await.created();
    bob.post("/api/workspaces/w/notes", json!({ "id": "note", "text": "N", "x": 0, "y": 0 })).await.created();
    bob.post("/api/workspaces/w/views", json!({ "name": "Payments" })).await.created();
    bob.post("/api/workspaces/w/tours", json!({ "name": "First day" })).await.created();
    bob.post("/api/workspaces/w/decisions", json!({ "title": "Use events" })).await.created();
    bob.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    bob.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await.created();
    bob.post("/api/teams/crew/members", json!({ "personId": "grace" })).await.created();
    let role = json!({ "id": "tester", "name": "Tester", "color": "#112233" });
    bob.post("/api/stakeholder-link-types", role).await.created();
    bob.post("/api/kinds", json!({ "id": "worker", "name": "Worker", "baseType": "job" })).await.created();
    let attached = json!({ "personId": "grace", "linkType": "owner" });
    bob.post("/api/workspaces/w/components/a/stakeholders", attached).await.created();
    let thread = json!({ "anchor": { "type": "component", "id": "a" }, "text": "Why?" });
    bob.post("/api/workspaces/w/threads", thread).await.created();
    bob.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created();
    (ada, bob)
}

/// The ID of the only item in the list at `path`.
async fn only_id(client: &TestClient<'_>, path: &str, list: &str) -> Value {
    let rows = client.get(path).await.ok()[list].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1, "{path}");
    rows[0]["id"].clone()
}

/// Expects the routes of these methods to be exactly those that were tested and the `others`.
fn assert_all_covered(methods: &[Method], tried: impl IntoIterator<Item = (Method, String)>, others: &[(&str, &str)]) {
    let name = |method: &Method, path: &str| format!("{method} {path}");
    let routes: BTreeSet<String> = table()
        .iter()
        .filter(|route| methods.contains(&route.method))
        .map(|route| name(&route.method, route.path))
        .collect();
    let mut known: BTreeSet<String> = others.iter().map(|(route, _)| (*route).to_owned()).collect();
    for (method, path) in tried {
        assert!(known.insert(name(&method, &path)), "{method} {path} is there twice");
    }
    assert_eq!(known, routes);
}
