//! Tags, technologies, sizes and lines in tools.

use serde_json::json;

use crate::{
    map_fields::{component_fields, part, relationship_fields},
    support::TestServer,
};

#[tokio::test]
async fn assistants_write_read_and_find_the_fields() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let write = async |tool: &str, kind: &str, id: &str, fields: serde_json::Value| {
        let mut row = fields;
        row["id"] = json!(id);
        assistant.call_ok(tool, json!({ "workspaceId": "w", kind: [row] })).await;
    };
    write("upsert_components", "components", "a", component_fields()).await;
    write("upsert_relationships", "relationships", "r", relationship_fields()).await;
    let mut new = component_fields();
    (new["typeId"], new["name"]) = (json!("group"), json!("C"));
    write("upsert_components", "components", "c", new).await;
    let get = json!({ "workspaceId": "w", "componentIds": ["a", "b", "c"] });
    let found = assistant.call_ok("get_components", get.clone()).await["components"].clone();
    for n in [0, 2] {
        assert_eq!(part(&found[n], &component_fields()), component_fields());
    }
    assert_eq!(part(&found[0]["outgoing"][0], &relationship_fields()), relationship_fields());
    assert_eq!((&found[1]["tags"], found[1].get("width")), (&json!([]), None));

    let search = async |words: &str| {
        let hits = assistant.call_ok("search", json!({ "query": words, "workspaceId": "w" })).await["hits"].clone();
        let ids = hits.as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(search("sqlite").await, ["a", "c"]);
    assert_eq!(search("CORE rust").await, ["a", "c"]);
    assert_eq!(search("grpc").await, ["r"]);
    assert_eq!(search("[").await, Vec::<String>::new(), "the notation is not searched");

    write("upsert_components", "components", "a", json!({ "width": null, "name": "Anew" })).await;
    write("upsert_relationships", "relationships", "r", json!({ "line": null })).await;
    let row = assistant.call_ok("get_components", get).await["components"][0].clone();
    assert_eq!((row.get("width"), &row["height"], &row["tags"]), (None, &json!(300.5), &json!(["core", "web"])));
    assert_eq!((row["outgoing"][0].get("line"), &row["outgoing"][0]["technology"]), (None, &json!(["gRPC"])));
}
