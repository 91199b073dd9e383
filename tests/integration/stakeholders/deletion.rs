//! Stakeholders of deleted and kept components.

use serde_json::{Value, json};

use super::{ALL, with_directory};
use crate::support::{TestClient, TestServer};

/// A bulk with the components `named`.
async fn bulk(client: &TestClient<'_>, named: &[&str]) -> Value {
    let components: Vec<Value> =
        named.iter().map(|id| json!({ "id": id, "typeId": "api", "name": format!("New {id}") })).collect();
    let body = json!({ "components": components, "relationships": [] });
    client.put("/api/workspaces/w/bulk", body).await.ok()
}

#[tokio::test]
async fn a_bulk_keeps_the_stakeholders_of_remaining_components() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let kept = [ada.attach("w", "a", "owner").await, ada.attach("w", "a", "support").await];
    ada.attach("w", "b", "owner").await;
    bulk(&ada, &["new", "a"]).await;
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!(kept), "of the other one they are gone");
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["stakeholders"], json!(kept));
    let back = ada.put("/api/workspaces/w/bulk", bundle).await.ok();
    assert_eq!(back["ignored"], json!(["stakeholders", "processes"]));
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!(kept));
    bulk(&ada, &[]).await;
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!([]));
    bulk(&ada, &["a"]).await;
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!([]), "one of the same id is another one");
}

#[tokio::test]
async fn a_bulk_that_deletes_a_component_logs_the_deletion_of_its_stakeholders() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    ada.attach("w", "b", "owner").await;
    bulk(&ada.header("x-batch-id", "cut"), &["a"]).await;
    let gesture = server.changes_of("cut");
    let place = |what: &str| gesture.iter().position(|change| change == what).unwrap();
    assert!(place("delete stakeholder 1") < place("delete component b"));
}

#[tokio::test]
async fn deleting_a_component_deletes_only_its_own_stakeholders() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    ada.attach("w", "a", "owner").await;
    let other = ada.attach("w", "b", "owner").await;
    ada.header("x-batch-id", "cut").delete("/api/workspaces/w/components/a").await.ok();
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!([other]));
    assert_eq!(server.changes_of("cut"), ["delete relationship r", "delete stakeholder 1", "delete component a"]);
    ada.get("/api/people/grace").await.ok();
}
