//! What was, and the ways back to it.

mod undoing;

use serde_json::{Value, json};

use crate::support::{Actor, Reply};

/// Takes a gesture back; the undo is a gesture too, named `name`.
async fn undo(actor: &Actor<'_>, batch: &str, name: &str) -> Reply {
    let path = "/api/workspaces/w/undo";
    actor.header("x-batch-id", name).post(path, json!({ "batchId": batch })).await
}

/// What a workspace has, but for when and by whom it was written last.
fn said(bundle: &Value) -> Value {
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
