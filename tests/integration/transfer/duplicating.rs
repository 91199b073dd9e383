//! Duplicates of workspaces.

use axum::http::Method;
use serde_json::{Value, json};

use super::{export, full};
use crate::support::{TestClient, TestServer};

const DUPLICATE: &str = "/api/workspaces/full/duplicate";

/// The export of a workspace without its id and name, which differ in a copy.
async fn contents(client: &TestClient<'_>, id: &str) -> Value {
    let mut file: Value = serde_json::from_str(&export(client, id).await).unwrap();
    let own = file["workspace"].as_object_mut().unwrap();
    own.remove("id").unwrap();
    own.remove("name").unwrap();
    file
}

#[tokio::test]
async fn a_copy_has_the_contents_of_the_original() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let sharing = json!({ "visibility": "members", "organizationAccess": "edit" });
    ada.patch("/api/workspaces/full", sharing).await.ok();
    let before = export(&ada, "full").await;
    let copy = ada.post(DUPLICATE, json!({})).await.created()["workspace"].clone();
    assert_eq!((&copy["id"], &copy["name"]), (&json!("copy-of-full"), &json!("Copy of Full")));
    assert_eq!((&copy["visibility"], &copy["organizationAccess"]), (&json!("members"), &json!("edit")));
    assert_eq!(copy["myRole"], "owner");
    assert_eq!(contents(&ada, "copy-of-full").await, contents(&ada, "full").await);
    assert_eq!(export(&ada, "full").await, before);
    assert_eq!(ada.bundle("copy-of-full").await["workspace"], copy);
    // The ids of rows are independent of the original.
    let first = ada.get("/api/workspaces/copy-of-full/components/db/links").await.ok()["links"][0]["id"].clone();
    ada.delete(&format!("/api/workspaces/copy-of-full/components/db/links/{first}")).await.ok();
    ada.delete("/api/workspaces/copy-of-full/components/web%2Fü").await.ok();
    assert_eq!(export(&ada, "full").await, before);
    assert_eq!(ada.post(DUPLICATE, json!({})).await.created()["workspace"]["id"], "copy-of-full-2");
}

#[tokio::test]
async fn a_copy_can_have_its_own_name_and_sharing() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "full", "name": "x".repeat(200) })).await.created();
    let own = json!({ "id": "mine", "name": " Mine ", "visibility": "private", "organizationAccess": "edit" });
    let copy = ada.post(DUPLICATE, own).await.created()["workspace"].clone();
    assert_eq!((&copy["id"], &copy["name"]), (&json!("mine"), &json!("Mine")));
    assert_eq!((&copy["visibility"], &copy["organizationAccess"]), (&json!("private"), &json!("edit")));
    // Private copies stay private.
    let copy = ada.post("/api/workspaces/mine/duplicate", json!({})).await.created()["workspace"].clone();
    assert_eq!(copy["visibility"], "private");
    let copy = ada.post(DUPLICATE, json!({})).await.created()["workspace"].clone();
    assert_eq!(copy["name"], format!("Copy of {}", "x".repeat(192)));
    ada.post(DUPLICATE, json!({ "id": "mine" })).await.expect_error(409, "`mine` exists already");
    assert_eq!(ada.post(DUPLICATE, json!({ "id": "restore" })).await.expect_error(400, "id")["field"], "id");
    ada.post(DUPLICATE, json!({ "name": "" })).await.expect_error(400, "name");
    ada.post(DUPLICATE, json!({ "sample": true })).await.expect_error(400, "sample");
}

#[tokio::test]
async fn members_requests_versions_and_history_are_not_copied() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_member("cyd", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.patch("/api/workspaces/full", json!({ "visibility": "org" })).await.ok();
    server.grant("full", bob, "editor");
    server.sign_in("cyd").await.post("/api/workspaces/full/access-requests", json!({})).await.created();
    ada.post("/api/workspaces/full/versions", json!({ "name": "V" })).await.created();
    // A viewer copies, and owns the copy alone.
    let cyd = server.sign_in("cyd").await;
    let reply = cyd.header("x-batch-id", "copying").post(DUPLICATE, json!({ "id": "copy" })).await;
    let copy = reply.created()["workspace"].clone();
    assert_eq!((&copy["myRole"], &copy["createdBy"]), (&json!("owner"), &copy["ownerUserId"]));
    let members = cyd.get("/api/workspaces/copy/members").await.ok()["members"].clone();
    assert_eq!(members.as_array().unwrap().len(), 1);
    assert_eq!(members[0]["userId"], copy["ownerUserId"]);
    assert_eq!(cyd.get("/api/workspaces/copy/access-requests").await.ok()["accessRequests"], json!([]));
    assert_eq!(cyd.get("/api/workspaces/copy/versions").await.ok()["versions"], json!([]));
    let history = cyd.get("/api/workspaces/copy/history").await.ok();
    let sets: Vec<&Value> = history["changes"].as_array().unwrap().iter().map(|row| &row["batch"]).collect();
    assert!(!sets.is_empty() && sets.iter().all(|label| **label == "copying"), "{history}");
    let audit = ada.get("/api/admin/audit?kind=workspace.duplicate").await.ok()["events"].clone();
    assert_eq!(audit.as_array().unwrap().len(), 1);
    assert_eq!(audit[0]["details"], json!({ "workspaceId": "copy", "from": "full" }));
    assert_eq!(audit[0]["actor"]["id"], copy["ownerUserId"], "{audit}");
}

#[tokio::test]
async fn hidden_workspaces_cannot_be_duplicated() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob, olga) = (server.sign_in("ada").await, server.sign_in("bob").await, server.sign_in("olga").await);
    full(&ada).await;
    for client in [&bob, &olga] {
        client.post(DUPLICATE, json!({})).await.expect_error(404, "workspace");
    }
    ada.patch("/api/workspaces/full", json!({ "visibility": "org" })).await.ok();
    bob.post(DUPLICATE, json!({})).await.created();
    olga.post(DUPLICATE, json!({})).await.expect_error(404, "workspace");
    olga.post("/api/workspaces/none/duplicate", json!({})).await.expect_error(404, "workspace");
    ada.delete("/api/workspaces/full").await.ok();
    ada.post(DUPLICATE, json!({})).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn quotas_apply_to_copies() {
    let server = TestServer::empty(|config| {
        config.quotas.workspaces = 2;
        config.quotas.components = 2;
    });
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.post(DUPLICATE, json!({ "id": "second" })).await.created();
    let rows = server.count("SELECT count(*) FROM change");
    let refused = ada.post(DUPLICATE, json!({ "id": "third" })).await.expect_error(409, "workspaces");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(2)));
    ada.get("/api/workspaces/third").await.expect_error(404, "workspace");
    assert_eq!(server.count("SELECT count(*) FROM change"), rows, "nothing is written");
}

#[tokio::test]
async fn a_repeated_request_creates_one_copy() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let keyed = ada.header("idempotency-key", "once");
    let first = keyed.send(Method::POST, DUPLICATE, Some(json!({}))).await.created();
    assert_eq!(keyed.send(Method::POST, DUPLICATE, Some(json!({}))).await.created(), first);
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"].as_array().unwrap().len(), 2);
}
