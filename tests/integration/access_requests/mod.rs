//! Requests for edit access to a workspace.

mod ending;
mod events;
mod making;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";
const REQUESTS: &str = "/api/workspaces/w/access-requests";
const MEMBERS: &str = "/api/workspaces/w/members";

/// The workspace `w` of ada, and bob, a member of the organization, with his user ID.
async fn map(server: &TestServer) -> (TestClient<'_>, TestClient<'_>, i64) {
    let bob = server.seed_member("bob", "acme", "org:member");
    (server.seed_map().await, server.sign_in("bob").await, bob)
}

/// The same, with a request of bob.
async fn requested(server: &TestServer) -> (TestClient<'_>, TestClient<'_>, i64) {
    let (ada, bob, user) = map(server).await;
    bob.post(REQUESTS, json!({ "message": "Please" })).await.created();
    (ada, bob, user)
}

/// User IDs of the open requests, as an owner sees them. Checks their number in the workspace and in the list of
/// workspaces.
async fn open(owner: &TestClient<'_>) -> Vec<i64> {
    let requests = owner.get(REQUESTS).await.ok()["accessRequests"].clone();
    let users: Vec<i64> = requests.as_array().unwrap().iter().map(|row| row["userId"].as_i64().unwrap()).collect();
    assert_eq!(owner.bundle("w").await["workspace"]["accessRequests"], users.len());
    assert_eq!(owner.get("/api/workspaces").await.ok()["workspaces"][0]["accessRequests"], users.len());
    users
}

/// The reasons in the audit log why requests ended, oldest first.
fn ended(server: &TestServer) -> Vec<String> {
    server.sql(|conn| {
        let sql = "SELECT details ->> '$.why' FROM audit WHERE kind = 'access-request.delete' ORDER BY id";
        let mut rows = conn.prepare(sql).unwrap();
        rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    })
}

/// The workspace as a caller sees it, in the bundle and in the list.
async fn seen(client: &TestClient<'_>) -> Value {
    let bundle = client.bundle("w").await["workspace"].clone();
    let mut listed = client.get("/api/workspaces").await.ok()["workspaces"][0].clone();
    listed.as_object_mut().unwrap().shift_remove("pk");
    assert_eq!(bundle, listed);
    bundle
}
