//! How much a bulk takes, and that nobody is told about a model who may not write it.

use serde_json::json;

use super::{PATH, component, map};
use crate::support::Stage;

#[tokio::test]
async fn a_bulk_of_too_many_rows_is_refused_with_the_limit() {
    const MOST: usize = 100_000;
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let written = stage.written();
    let body = json!({ "components": vec![json!({ "typeId": "x", "name": "A" }); MOST + 1], "relationships": [] });
    let refusal = ada.put(PATH, body).await.refused(400, "at most 100000");
    assert_eq!(refusal["field"], "components");
    assert_eq!(stage.written(), written);
}

#[tokio::test]
async fn permission_is_asked_for_before_the_model_is_looked_at() {
    let stage = Stage::new().await;
    let vic = stage.seed_member("vic", "acme", "org:member");
    stage.seed_org("other", "xena");
    map(&stage).await;
    stage.grant("w", vic, "viewer");
    let wrong = json!({ "components": [component("a"), component("a")], "relationships": [] });
    stage.sign_in("vic").await.put(PATH, wrong.clone()).await.refused(403, "editor");
    stage.sign_in("xena").await.put(PATH, wrong.clone()).await.refused(404, "workspace");
    stage.sign_in("ada").await.put(PATH, wrong).await.refused(400, "repeated");
}
