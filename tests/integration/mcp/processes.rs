//! Processes that an assistant saves and reads.

use serde_json::{Value, json};

use crate::support::TestServer;

fn in_w(mut arguments: Value) -> Value {
    arguments["workspaceId"] = json!("w");
    arguments
}

#[tokio::test]
async fn parts_of_a_diagram_are_edited() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let diagram = "sequenceDiagram\n  A->>B: one\n  B->>A: two";
    assistant.call_ok("save_process", in_w(json!({ "processId": "pp", "name": "P", "mermaid": diagram }))).await;
    let edit = |old: &str, new: &str| in_w(json!({ "processId": "pp", "edits": [{ "oldText": old, "newText": new }] }));
    let saved = assistant.call_ok("save_process", edit("sequenceDiagram\n", "sequenceDiagram\n  C->>A: zero\n")).await;
    assert_eq!(saved["steps"], 3);
    let text = ada.get("/api/workspaces/w/processes/pp").await.ok()["process"]["mermaid"].clone();
    assert_eq!(text, "sequenceDiagram\n  C->>A: zero\n  A->>B: one\n  B->>A: two");
    assistant.call_err("save_process", edit("nothing", "x"), "edits[0].oldText: is not in the diagram").await;
    assistant.call_err("save_process", edit(">>A", "x"), "edits[0].oldText: occurs more than once").await;
    let both = in_w(json!({ "processId": "pp", "mermaid": diagram, "edits": [] }));
    assistant.call_err("save_process", both, "edits: must be left out").await;
    let unknown = in_w(json!({ "processId": "qq", "edits": [{ "oldText": "a", "newText": "b" }] }));
    assistant.call_err("save_process", unknown, "process not found").await;
}

#[tokio::test]
async fn participants_are_mapped_by_id_and_name_and_merged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    ada.patch("/api/workspaces/w/components/c", json!({ "name": "Cash desk" })).await.ok();
    let assistant = server.assistant_of("ada").await;
    let diagram = "sequenceDiagram\n  participant X as Cash desk\n  a->>b: one\n  X->>Y: two\n  X->>a: three";
    let new = in_w(json!({ "processId": "pp", "name": "P", "mermaid": diagram }));
    let saved = assistant.call_ok("save_process", new).await;
    assert_eq!(saved["unresolved"], json!(["Y"]));
    // `r` connects a and b, nothing connects a and c.
    let unrelated = json!([{ "step": 3, "line": 5, "from": "c", "to": "a" }]);
    assert_eq!(saved["stepsWithoutRelationship"], unrelated);
    let mapping = |participants: Value| in_w(json!({ "processId": "pp", "participants": participants }));
    let saved = assistant.call_ok("save_process", mapping(json!({ "Y": "b" }))).await;
    assert_eq!(saved["unresolved"], json!([]));
    let read = assistant.call_ok("get_process", in_w(json!({ "processId": "pp" }))).await;
    assert_eq!(read["participants"], json!({ "a": "a", "b": "b", "X": "c", "Y": "b" }));
    assert_eq!(read["stepsWithoutRelationship"].as_array().unwrap().len(), 2);
    let saved = assistant.call_ok("save_process", mapping(json!({ "Y": null }))).await;
    assert_eq!(saved["unresolved"], json!(["Y"]));
    assistant.call_err("save_process", mapping(json!({ "Z": "b" })), "participants.Z: the diagram has no").await;
    let shorter = in_w(json!({ "processId": "pp", "mermaid": "sequenceDiagram\n  a->>b: one" }));
    assert!(assistant.call_ok("save_process", shorter).await["stepsWithoutRelationship"].is_null());
    let read = assistant.call_ok("get_process", in_w(json!({ "processId": "pp" }))).await;
    assert_eq!(read["participants"], json!({ "a": "a", "b": "b" }));
}
