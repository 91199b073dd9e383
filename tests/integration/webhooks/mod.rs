//! Webhooks: what they send, retries, and who can manage them.

mod drafts;
mod events;
mod failures;
mod limits;
mod managing;
mod privacy;
mod restarts;
mod secrets;

use serde_json::{Value, json};

use crate::support::{
    TestClient, TestServer,
    webhook_sink::{SinkBehavior, WebhookSink},
};

/// Creates a workspace `w` with the components `a` and `b`. Returns a client whose credential does not expire.
async fn seed(server: &TestServer) -> TestClient<'_> {
    server.seed_map().await;
    server.script_client("ada").await
}

/// The path of the webhooks of the caller's organization.
async fn path(client: &TestClient<'_>) -> String {
    let session = client.get("/api/me").await.ok()["session"].clone();
    format!("/api/orgs/{}/webhooks", session["orgId"].as_str().unwrap())
}

/// A webhook that a test has created.
struct Hook {
    path: String,
    secret: String,
}

impl Hook {
    /// Creates a webhook for all events at the path `/hook`, with these other fields.
    async fn create(client: &TestClient<'_>, sink: &WebhookSink, fields: Value) -> Self {
        let mut body = json!({
            "name": "Portal",
            "url": sink.at("hook"),
            "events": ["workspace.changed", "comment.created", "comment.updated", "comment.deleted", "comment.resolved",
                       "comment.reopened", "member.joined", "member.updated", "member.left", "draft.submitted", "draft.approved",
                       "draft.changes-requested", "draft.merged", "draft.closed"],
        });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let path = path(client).await;
        let created = client.post(&path, body).await.created();
        let id = created["webhook"]["id"].as_str().unwrap();
        Self { path: format!("{path}/{id}"), secret: created["secret"].as_str().unwrap().to_owned() }
    }

    async fn read(&self, client: &TestClient<'_>) -> Value {
        client.get(&self.path).await.ok()["webhook"].clone()
    }

    /// The deliveries, newest first.
    async fn deliveries(&self, client: &TestClient<'_>) -> Vec<Value> {
        let list = client.get(&format!("{}/deliveries", self.path)).await.ok();
        list["deliveries"].as_array().unwrap().clone()
    }

    /// The newest delivery.
    async fn newest(&self, client: &TestClient<'_>) -> Value {
        self.deliveries(client).await.remove(0)
    }
}

/// Changes the workspace `w` once, and lets its delivery fail with this status.
async fn fail(server: &TestServer, sink: &WebhookSink, ada: &TestClient<'_>, status: u16) {
    sink.respond_with(SinkBehavior::Status(status));
    ada.create_components("w", &["c"]).await;
    deliver(server).await;
}

/// Queues what has happened, and sends everything that is due. Returns the number of tries.
async fn deliver(server: &TestServer) -> usize {
    server.app.webhooks().send_due().await.unwrap()
}
