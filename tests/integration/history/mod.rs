//! History: changes, past states, undo, restore and versions.

mod past_states;
mod reading;
mod reasons;
mod restoring;
mod retention;
mod undoing;
mod versions;

use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

const COMPONENTS: &str = "/api/workspaces/w/components";

/// The map, with a person, a link and a process on `a`.
async fn full(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    ada.post(&format!("{COMPONENTS}/b/links"), json!({ "url": "https://example.org/b" })).await.created();
    ada
}

/// Undoes a change set; the undo is a change set named `name`.
async fn undo(client: &TestClient<'_>, batch: &str, name: &str) -> TestResponse {
    let path = "/api/workspaces/w/undo";
    client.header("x-batch-id", name).post(path, json!({ "batchId": batch })).await
}

/// The content of a workspace without time and author of the last write.
pub fn without_metadata(bundle: &Value) -> Value {
    let mut said = bundle.clone();
    for part in ["components", "relationships", "stakeholders", "processes"] {
        for row in said[part].as_array_mut().unwrap() {
            for stamp in ["revision", "updatedAt", "updatedBy"] {
                row.as_object_mut().unwrap().remove(stamp);
            }
        }
    }
    for stamp in ["revision", "updatedAt", "updatedBy"] {
        said["workspace"].as_object_mut().unwrap().remove(stamp);
    }
    said
}
