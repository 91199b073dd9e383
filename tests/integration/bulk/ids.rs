//! The ids that a bulk makes for what came without: the same each time.

use serde_json::json;

use super::{PATH, component, map};
use crate::support::{Stage, ids};

#[tokio::test]
async fn repeated_ids_count_also_when_one_was_made_from_a_name() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let body = json!({
        "components": [{ "typeId": "api", "name": "A" }, { "typeId": "api", "name": "a" }, component("a")],
        "relationships": [],
    });
    let first = ada.put(PATH, body.clone()).await.ok();
    assert_eq!(ids(&first["components"]), ["a-2", "a-3", "a"], "given ids come first");
    let again = ada.put(PATH, body).await.ok();
    assert_eq!(again, first, "the same body gives the same ids");
}
