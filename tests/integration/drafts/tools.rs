//! Assistants propose changes.

use serde_json::json;

use super::read;
use crate::support::{TestServer, ids};

#[tokio::test]
async fn an_assistant_proposes_a_change_that_a_user_merges() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "workspaceId": "w", "title": "Add a queue", "description": "Found in the code." });
    let started = assistant.call_ok("start_draft", ask).await;
    let id = started["draftId"].as_str().unwrap().to_owned();
    assert_eq!((&started["state"], &started["workspaceId"]), (&json!("draft"), &json!("w")));
    let components = json!([{ "id": "queue", "typeId": "queue", "name": "Queue" }]);
    assistant.call_ok("upsert_components", json!({ "workspaceId": id, "components": components })).await;
    let relationships = json!([{ "sourceId": "a", "targetId": "queue", "typeId": "calls" }]);
    assistant.call_ok("upsert_relationships", json!({ "workspaceId": id, "relationships": relationships })).await;
    let revision = ada.revision(&id).await;
    let deletion = json!({ "workspaceId": id, "componentIds": ["b"], "expectedRevision": revision });
    assistant.call_ok("delete_components", deletion).await;
    let listed = assistant.call_ok("list_workspaces", json!({})).await.to_string();
    assert!(!listed.contains(&id), "{listed}");
    let search = json!({ "query": "Queue", "workspaceId": id });
    assistant.call_err("search", search, "search does not find drafts").await;
    let compared = assistant.call_ok("compare_draft", json!({ "draftId": id })).await;
    let text = compared["markdown"].as_str().unwrap();
    assert!(text.contains("component **Queue** (`queue`)") && text.contains("### Removed"), "{text}");
    let submitted =
        assistant.call_ok("submit_draft", json!({ "draftId": id, "title": "Add a queue for orders" })).await;
    assert_eq!((&submitted["state"], &submitted["title"]), (&json!("open"), &json!("Add a queue for orders")));
    assert_eq!(read(&ada, &id).await["author"]["login"], "ada");
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["a", "queue"]);
    assistant.call_err("submit_draft", json!({ "draftId": id }), "merged or closed").await;
    assistant.call_err("compare_draft", json!({ "draftId": "none" }), "draft not found").await;
}
