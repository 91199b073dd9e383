//! Who may what: every route against every kind of caller, held against a table written by hand from the API's rules.
//!
//! Nothing here is derived from the code under test. A route without a row fails, and so does a row without a route.

pub mod callers;
mod histories;
mod levels;
mod list;
pub mod matrix;
mod model;
mod organizations;
mod play;
mod routes;
pub mod rows;
pub mod targets;

use serde_json::json;

use crate::support::Stage;

/// Founds, by somebody who plays no other part, the workspace that targets are copies of: `web` calls `api`.
pub async fn found_template(stage: &Stage) {
    stage.seed_member("fay", "acme", "org:member");
    let model = json!({
        "workspace": { "name": "Template" },
        "components": [{ "id": "web", "typeId": "web-app", "name": "Web" }, { "id": "api", "typeId": "api", "name": "A" }],
        "relationships": [{ "id": "web-calls-api", "typeId": "calls", "sourceId": "web", "targetId": "api" }],
    });
    let fay = stage.sign_in("fay").await;
    fay.put("/api/workspaces/template/bulk", model).await.ok();
    let process = json!({ "id": "order", "name": "Order", "mermaid": "sequenceDiagram\n  W->>A: order" });
    fay.post("/api/workspaces/template/processes", process).await.created();
    fay.post("/api/workspaces/template/versions", json!({ "name": "Of the template" })).await.created();
}
