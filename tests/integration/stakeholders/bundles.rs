//! Bundles change with the people and teams in them.

use std::io::Read;

use serde_json::{Value, json};

use super::with_directory;
use crate::support::{TestClient, TestServer};

const MAP: &str = "/api/workspaces/w";

/// The names of the stakeholders in the bundle, in each encoding.
async fn names(client: &TestClient<'_>) -> Vec<String> {
    let plain = client.bundle("w").await;
    let packed = client.header("accept-encoding", "gzip").get(MAP).await;
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*packed.bytes).read_to_string(&mut text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), plain);
    let name =
        |row: &Value| row.pointer("/person/name").or(row.pointer("/team/name")).unwrap().as_str().unwrap().into();
    plain["stakeholders"].as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn renaming_a_person_or_team_changes_the_cached_bundle() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    ada.attach("w", "a", "owner").await;
    let team = json!({ "teamId": "t", "linkType": "support" });
    ada.post("/api/workspaces/w/components/a/stakeholders", team).await.created();
    assert_eq!(names(&ada).await, ["Grace", "Team T"]);
    let (first, revision) = (ada.etag("w").await, ada.revision("w").await);

    ada.patch("/api/people/grace", json!({ "name": "Hopper" })).await.ok();
    let second = ada.header("if-none-match", &first).get(MAP).await;
    assert_eq!(second.ok()["stakeholders"][0]["person"]["name"], "Hopper");
    assert_eq!(names(&ada).await, ["Hopper", "Team T"]);
    ada.patch("/api/teams/t", json!({ "name": "Payments" })).await.ok();
    let third = ada.header("if-none-match", second.header("etag")).get(MAP).await;
    assert_eq!(third.ok()["stakeholders"][1]["team"]["name"], "Payments");
    assert_eq!(names(&ada).await, ["Hopper", "Payments"]);
    assert_eq!(ada.revision("w").await, revision, "nothing in the workspace itself has changed");
    // Any tag of the current revision is accepted for writes.
    ada.header("if-match", &first).patch(MAP, json!({ "name": "N" })).await.ok();
}

#[tokio::test]
async fn an_unchanged_bundle_is_identical() {
    let server = TestServer::new().await;
    server.seed_org("other", "otto");
    let (ada, otto) = (with_directory(&server).await, server.sign_in("otto").await);
    ada.attach("w", "a", "owner").await;
    let tag = ada.etag("w").await;
    ada.patch("/api/people/grace", json!({ "name": "Grace" })).await.ok();
    ada.patch("/api/people/none", json!({ "name": "N" })).await.expect_error(404, "person");
    otto.post("/api/people", json!({ "id": "grace", "name": "Another Grace" })).await.created();
    ada.get("/api/people").await.ok();
    assert_eq!(ada.header("if-none-match", &tag).get(MAP).await.status, 304);
    assert_eq!(names(&ada).await, ["Grace"]);
}
