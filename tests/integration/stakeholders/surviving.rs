//! What becomes of stakeholders when their component does.

use serde_json::{Value, json};

use super::{ALL, known};
use crate::support::{Actor, Stage};

/// The components of the map that were `named`, sent as a bulk.
async fn bulk(actor: &Actor<'_>, named: &[&str]) -> Value {
    let components: Vec<Value> =
        named.iter().map(|id| json!({ "id": id, "typeId": "api", "name": format!("New {id}") })).collect();
    let body = json!({ "components": components, "relationships": [] });
    actor.put("/api/workspaces/w/bulk", body).await.ok()
}

#[tokio::test]
async fn a_bulk_keeps_the_stakeholders_of_every_component_that_survives_it_as_they_are() {
    let stage = Stage::new().await;
    let ada = known(&stage).await;
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
async fn a_bulk_that_takes_a_component_logs_that_its_stakeholders_go() {
    let stage = Stage::new().await;
    let ada = known(&stage).await;
    ada.attach("w", "b", "owner").await;
    bulk(&ada.header("x-batch-id", "cut"), &["a"]).await;
    let gesture = stage.gesture("cut");
    let place = |what: &str| gesture.iter().position(|change| change == what).unwrap();
    assert!(place("delete stakeholder 1") < place("delete component b"));
}

#[tokio::test]
async fn with_a_component_go_its_stakeholders_and_nobody_elses() {
    let stage = Stage::new().await;
    let ada = known(&stage).await;
    ada.attach("w", "a", "owner").await;
    let other = ada.attach("w", "b", "owner").await;
    ada.header("x-batch-id", "cut").delete("/api/workspaces/w/components/a").await.ok();
    assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!([other]));
    assert_eq!(stage.gesture("cut"), ["delete relationship r", "delete stakeholder 1", "delete component a"]);
    ada.get("/api/people/grace").await.ok();
}
