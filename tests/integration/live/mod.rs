//! Event streams of a workspace.

mod ending;
mod following;
mod presence;
mod resuming;

use crate::support::{TestClient, TestServer};

/// A member of acme with this access level in `w`.
async fn colleague<'s>(server: &'s TestServer, login: &str, level: &str) -> TestClient<'s> {
    let user = server.seed_member(login, "acme", "org:member");
    server.grant("w", user, level);
    server.sign_in(login).await
}

/// The user ID of a client.
async fn id(client: &TestClient<'_>) -> i64 {
    client.get("/api/me").await.ok()["id"].as_i64().unwrap()
}
