//! The inbox: who is notified of what, what readers see of it, and emails about it.

mod access;
mod drafts;
mod emails;
mod limits;
mod reading;
mod settings;
mod sources;
mod streams;
mod unsubscribing;
mod watching;

use planroom::domain::inbox::InboxService;
use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const INBOX: &str = "/api/me/inbox";
const THREADS: &str = "/api/workspaces/w/threads";
const WATCHES: &str = "/api/me/watches";

impl TestServer {
    /// Notifies followers and watchers, and queues the emails that are due, as the job does every second.
    pub async fn notify(&self) {
        InboxService::new(self.app.gate.clone()).work().await.unwrap();
    }
}

/// The titles of the entries in an inbox, newest first.
async fn titles(client: &TestClient<'_>) -> Vec<String> {
    let inbox = client.get(INBOX).await.ok();
    inbox["entries"].as_array().unwrap().iter().map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
}

/// The number of unread entries.
async fn unread(client: &TestClient<'_>) -> i64 {
    client.get(INBOX).await.ok()["unread"].as_i64().unwrap()
}

/// Creates a thread about the component `a`. Returns its path.
async fn ask(client: &TestClient<'_>, text: &str) -> String {
    let new = json!({ "anchor": { "type": "component", "id": "a" }, "text": text });
    let thread = client.post(THREADS, new).await.created()["thread"]["id"].clone();
    format!("{THREADS}/{}", thread.as_str().unwrap())
}

/// Adds a message to a thread. Returns its path.
async fn reply(client: &TestClient<'_>, thread: &str, text: &str) -> String {
    let message = client.post(&format!("{thread}/messages"), json!({ "text": text })).await.created();
    format!("{thread}/messages/{}", message["message"]["id"])
}

/// Renames the component `a`.
async fn rename(client: &TestClient<'_>, name: &str) {
    client.patch("/api/workspaces/w/components/a", json!({ "name": name })).await.ok();
}

/// Lets everyone in the organization edit the workspace `w`, or only its members.
async fn set_visibility(client: &TestClient<'_>, visibility: &str) {
    let change = json!({ "visibility": visibility, "organizationAccess": "edit" });
    client.patch("/api/workspaces/w", change).await.ok();
}

/// Settings of a kind.
fn setting(kind: &str, inbox: bool, email: &str) -> Value {
    json!({ "kinds": [{ "kind": kind, "inbox": inbox, "email": email }] })
}
