//! Organizations: members, admins, invitations and leaving.

mod authority;
mod creating;
mod inviting;
mod leaving;
mod roles;

use serde_json::json;

use crate::support::{TestClient, TestServer};

/// The path of the client's active organization.
async fn org_path(client: &TestClient<'_>) -> String {
    let me = client.get("/api/me").await.ok();
    format!("/api/orgs/{}", me["session"]["orgId"].as_str().unwrap())
}

/// Creates a private workspace.
async fn create_acme(client: &TestClient<'_>, id: &str, visibility: &str) {
    client.post("/api/workspaces", json!({ "id": id, "name": id, "visibility": visibility })).await.created();
}

/// A server with the organization acme: its admin ada, and the members bob and cy with their IDs.
async fn acme() -> (TestServer, i64, i64) {
    let server = TestServer::new().await;
    let (bob, cy) = (server.seed_member("bob", "acme", "org:member"), server.seed_member("cy", "acme", "org:member"));
    (server, bob, cy)
}
