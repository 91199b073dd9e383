//! Drafts: proposed changes of a workspace, which are compared, reviewed and merged.

mod approvals;
mod directory;
mod exclusion;
mod histories;
mod lifecycle;
mod merging;
mod protection;
mod removed_sources;
mod reviewing;
mod sources;
mod tools;

use serde_json::{Value, json};

use crate::support::TestClient;

/// Starts a draft of a workspace and returns its id.
async fn start(client: &TestClient<'_>, workspace: &str, title: &str) -> String {
    let reply = client.post(&format!("/api/workspaces/{workspace}/drafts"), json!({ "title": title })).await;
    reply.created()["draft"]["id"].as_str().unwrap().to_owned()
}

/// Reads a draft.
async fn read(client: &TestClient<'_>, id: &str) -> Value {
    client.get(&format!("/api/drafts/{id}")).await.ok()["draft"].clone()
}

/// Updates a draft.
async fn patch(client: &TestClient<'_>, id: &str, patch: Value) -> Value {
    client.patch(&format!("/api/drafts/{id}"), patch).await.ok()["draft"].clone()
}

/// Submits a draft.
async fn submit(client: &TestClient<'_>, id: &str) {
    patch(client, id, json!({ "state": "open" })).await;
}

/// Submits and merges a draft without conflicts. Returns the outcome.
async fn merge(client: &TestClient<'_>, id: &str) -> Value {
    submit(client, id).await;
    client.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok()
}

/// Compares a draft with its workspace.
async fn compare(client: &TestClient<'_>, id: &str) -> Value {
    client.get(&format!("/api/drafts/{id}/comparison")).await.ok()
}

/// Kind, id and change of the rows in a list of a comparison.
fn changes(rows: &Value) -> Vec<(String, String, String)> {
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(|row| (text(row, "kind"), text(row, "id"), text(row, "change"))).collect()
}

/// Renames a component.
async fn rename(client: &TestClient<'_>, workspace: &str, component: &str, name: &str) {
    let path = format!("/api/workspaces/{workspace}/components/{component}");
    client.patch(&path, json!({ "name": name })).await.ok();
}

/// The names of the components of a workspace, by id.
async fn names(client: &TestClient<'_>, workspace: &str) -> Vec<(String, String)> {
    let bundle = client.bundle(workspace).await;
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    bundle["components"].as_array().unwrap().iter().map(|row| (text(row, "id"), text(row, "name"))).collect()
}
