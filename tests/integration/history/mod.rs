//! What was, and the ways back to it.

mod looking_back;
mod reading;
mod restoring;
mod retention;
mod undoing;
mod versions;

use serde_json::{Value, json};

use crate::support::{Actor, Reply, Stage};

const COMPONENTS: &str = "/api/workspaces/w/components";

/// The map, with a person, a link and a process on `a`.
async fn full(stage: &Stage) -> Actor<'_> {
    let ada = stage.map().await;
    stage.hang_on("w", "a");
    ada.post(&format!("{COMPONENTS}/b/links"), json!({ "url": "https://example.org/b" })).await.created();
    ada
}

/// Takes a gesture back; the undo is a gesture too, named `name`.
async fn undo(actor: &Actor<'_>, batch: &str, name: &str) -> Reply {
    let path = "/api/workspaces/w/undo";
    actor.header("x-batch-id", name).post(path, json!({ "batchId": batch })).await
}

/// What a workspace has, but for when and by whom it was written last.
pub fn said(bundle: &Value) -> Value {
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
