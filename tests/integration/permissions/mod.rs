//! Permissions: every route with every kind of caller, compared with a matrix written by hand from the API's rules.
//!
//! Nothing is derived from the code under test. A route without a row fails, and so does a row without a route.

mod bodies;
pub mod callers;
mod levels;
mod list;
pub mod matrix;
mod model;
mod organizations;
mod random_histories;
mod requests;
mod routes;
pub mod rows;
pub mod targets;

use serde_json::json;

use crate::{notes::images::png, support::TestServer};

/// Creates the workspace that targets are copied from, with a user who has no other role: `web` calls `api`.
pub async fn found_template(server: &TestServer) {
    server.seed_member("fay", "acme", "org:member");
    let model = json!({
        "workspace": { "name": "Template" },
        "components": [{ "id": "web", "typeId": "web-app", "name": "Web", "x": 0, "y": 0 }, { "id": "api", "typeId": "api", "name": "A", "x": 0, "y": 300 }],
        "relationships": [{ "id": "web-calls-api", "typeId": "calls", "sourceId": "web", "targetId": "api" }],
    });
    let fay = server.sign_in("fay").await;
    fay.put("/api/workspaces/template/bulk", model).await.ok();
    let process = json!({ "id": "order", "name": "Order", "mermaid": "sequenceDiagram\n  W->>A: order" });
    fay.post("/api/workspaces/template/processes", process).await.created();
    let image = fay.upload_image("template", &png(3, 2)).await.created()["id"].clone();
    let note = json!({ "id": "note", "kind": "image", "x": 0, "y": 0, "imageId": image });
    fay.post("/api/workspaces/template/notes", note).await.created();
    fay.post("/api/workspaces/template/views", json!({ "name": "Payments" })).await.created();
    fay.post("/api/workspaces/template/tours", json!({ "name": "First day" })).await.created();
    fay.post("/api/workspaces/template/decisions", json!({ "title": "Use events" })).await.created();
    fay.post("/api/workspaces/template/versions", json!({ "name": "Of the template" })).await.created();
}
