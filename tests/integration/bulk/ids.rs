//! Generated IDs of a bulk are deterministic.

use serde_json::{Value, json};

use super::{PATH, component, map};
use crate::support::{TestServer, ids};

#[tokio::test]
async fn a_repeated_id_is_rejected_even_if_generated_from_a_name() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let body = json!({
        "components": [{ "typeId": "api", "name": "A" }, { "typeId": "api", "name": "a" }, component("a")],
        "relationships": [],
    });
    let first = ada.put(PATH, body.clone()).await.ok();
    assert_eq!(ids(&first["components"]), ["a-2", "a-3", "a"], "given ids come first");
    let again = ada.put(PATH, body).await.ok();
    assert_eq!(again["components"], first["components"], "the same body gives the same ids");
}

#[tokio::test]
async fn the_same_body_always_gets_the_same_generated_ids() {
    const MANY: usize = 120;
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let repeated = |item: Value, taken: Value| {
        let mut items = vec![item; MANY];
        items.push(taken);
        items
    };
    let edge = json!({ "sourceId": "a", "targetId": "a", "typeId": "calls" });
    let mut taken = edge.clone();
    taken["id"] = "a-calls-a-119".into();
    let body = json!({
        "components": repeated(json!({ "typeId": "api", "name": "A" }), component("a-119")),
        "relationships": repeated(edge, taken),
    });
    let tried = ada.put(&format!("{PATH}?dryRun=true"), body.clone()).await.ok();
    let done = ada.put(PATH, body.clone()).await.ok();
    for (kind, base) in [("components", "a"), ("relationships", "a-calls-a")] {
        let made: Vec<String> = std::iter::once(base.to_owned())
            .chain((2..=MANY + 1).filter(|number| *number != 119).map(|number| format!("{base}-{number}")))
            .chain([format!("{base}-119")])
            .collect();
        assert_eq!(ids(&done[kind]), made);
        let created: Vec<&String> = made.iter().filter(|id| *id != "a").collect();
        assert_eq!(tried["created"][kind], json!(created), "a dry run names the ids of the deed");
    }
    let written = server.log_sizes();
    let again = ada.put(PATH, body).await.ok();
    for part in ["workspace", "components", "relationships"] {
        assert_eq!(again[part], done[part]);
    }
    assert_eq!(server.log_sizes(), written, "the same again changes nothing");
}
