//! A request ends with the write that gives its user access, or takes it away.

use serde_json::json;

use super::{MEMBERS, REQUESTS, W, ended, map, open, requested, seen};
use crate::support::{TestClient, TestServer};

/// A server on which `change` ends the only request, that of bob.
async fn ends_by(change: impl AsyncFnOnce(&TestServer, &TestClient<'_>, i64)) {
    let server = TestServer::new().await;
    let (ada, _bob, user) = requested(&server).await;
    assert_eq!(open(&ada).await, [user]);
    change(&server, &ada, user).await;
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    assert_eq!(ended(&server), ["access changed"]);
}

/// The path of bob's membership in the organization.
async fn membership(ada: &TestClient<'_>, user: i64) -> String {
    let acme = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    format!("/api/orgs/{acme}/members/{user}")
}

#[tokio::test]
async fn adding_the_user_as_an_owner_ends_the_request() {
    ends_by(async |_, ada, user| {
        ada.post(MEMBERS, json!({ "userId": user, "role": "owner" })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn adding_the_user_as_a_viewer_does_not_end_the_request_and_a_promotion_does() {
    ends_by(async |server, ada, user| {
        ada.post(MEMBERS, json!({ "userId": user })).await.ok();
        assert_eq!(open(ada).await, [user]);
        assert_eq!(ended(server), Vec::<String>::new());
        ada.patch(&format!("{MEMBERS}/{user}"), json!({ "role": "editor" })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn edit_access_of_the_organization_ends_the_requests_of_its_members() {
    let server = TestServer::new().await;
    let (ada, bob, _) = requested(&server).await;
    server.seed_access_requests("w", 3);
    let answer = ada.patch(W, json!({ "organizationAccess": "edit" })).await.ok();
    assert_eq!(answer["workspace"]["accessRequests"], 0, "the response counts what remains");
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    assert_eq!(ended(&server), ["access changed"; 4]);
    ada.patch(W, json!({ "organizationAccess": "view" })).await.ok();
    assert_eq!(seen(&bob).await.get("accessRequestedAt"), None, "it does not come back");
}

#[tokio::test]
async fn a_visibility_that_hides_the_workspace_ends_the_request() {
    ends_by(async |_, ada, _| {
        let answer = ada.patch(W, json!({ "visibility": "members" })).await.ok();
        assert_eq!(answer["workspace"]["accessRequests"], 0);
    })
    .await;
}

#[tokio::test]
async fn removing_a_viewer_from_a_hidden_workspace_ends_their_request() {
    ends_by(async |_, ada, user| {
        ada.post(MEMBERS, json!({ "userId": user })).await.ok();
        ada.patch(W, json!({ "visibility": "private" })).await.ok();
        assert_eq!(open(ada).await, [user]);
        ada.delete(&format!("{MEMBERS}/{user}")).await.ok();
    })
    .await;
}

#[tokio::test]
async fn an_undo_that_opens_the_workspace_ends_the_request() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    ada.patch(W, json!({ "organizationAccess": "edit" })).await.ok();
    ada.header("x-batch-id", "close").patch(W, json!({ "organizationAccess": "view" })).await.ok();
    bob.post(REQUESTS, json!({})).await.created();
    assert_eq!(open(&ada).await, [user]);
    ada.post(&format!("{W}/undo"), json!({ "batchId": "close" })).await.ok();
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    assert_eq!(seen(&bob).await["myRole"], "editor");
}

#[tokio::test]
async fn a_promotion_to_admin_of_the_organization_ends_the_request() {
    ends_by(async |_, ada, user| {
        ada.patch(&membership(ada, user).await, json!({ "role": "org:admin" })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn removal_from_the_organization_ends_the_request_for_good() {
    ends_by(async |server, ada, user| {
        ada.delete(&membership(ada, user).await).await.ok();
        server.join(user, "acme", "org:member");
    })
    .await;
}

#[tokio::test]
async fn leaving_the_organization_ends_the_request() {
    let server = TestServer::new().await;
    let (ada, bob, user) = requested(&server).await;
    bob.delete(&membership(&ada, user).await).await.ok();
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    assert_eq!(ended(&server), ["access changed"]);
}

#[tokio::test]
async fn a_suspension_ends_the_request() {
    ends_by(async |_, ada, user| {
        ada.patch(&format!("/api/admin/users/{user}"), json!({ "isSuspended": true })).await.ok();
    })
    .await;
}

#[tokio::test]
async fn other_writes_leave_the_request() {
    let server = TestServer::new().await;
    let (ada, bob, user) = requested(&server).await;
    let cy = server.seed_member("cy", "acme", "org:member");
    ada.post(MEMBERS, json!({ "userId": cy, "role": "owner" })).await.ok();
    ada.patch(W, json!({ "name": "Renamed", "description": "D" })).await.ok();
    ada.create_components("w", &["c"]).await;
    ada.patch(&membership(&ada, cy).await, json!({ "role": "org:admin" })).await.ok();
    ada.post("/api/workspaces", json!({ "id": "v", "name": "V", "organizationAccess": "edit" })).await.created();
    ada.patch(&format!("/api/admin/users/{user}"), json!({ "email": "bob@example.org" })).await.ok();
    assert_eq!(open(&ada).await, [user]);
    // A rejected write changes nothing either.
    ada.patch(W, json!({ "visibility": "private", "name": "" })).await.expect_error(400, "name");
    ada.delete(&format!("{MEMBERS}/{cy}")).await.ok();
    assert_eq!(open(&ada).await, [user]);
    assert!(seen(&bob).await["accessRequestedAt"].is_i64());
}

#[tokio::test]
async fn a_deleted_workspace_keeps_its_requests_until_it_is_removed_permanently() {
    let server = TestServer::new().await;
    let (ada, _bob, user) = requested(&server).await;
    ada.delete(W).await.ok();
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(open(&ada).await, [user]);
    ada.delete(W).await.ok();
    server.clock.advance(31 * 24 * 3_600_000);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM workspace"), 0);
    assert_eq!(server.count("SELECT count(*) FROM access_request"), 0);
}

#[tokio::test]
async fn a_user_who_lost_access_while_the_workspace_was_deleted_has_no_request_after_its_restoration() {
    let server = TestServer::new().await;
    let (ada, _bob, user) = requested(&server).await;
    ada.delete(W).await.ok();
    ada.delete(&membership(&ada, user).await).await.ok();
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(open(&ada).await, Vec::<i64>::new());
}
