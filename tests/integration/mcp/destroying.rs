//! Tools that destroy need the revision of a read, and destroy nothing that was written after it.

use serde_json::{Value, json};

use crate::support::TestServer;

#[tokio::test]
async fn a_tool_that_destroys_needs_the_revision_of_a_read() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let process = json!({ "workspaceId": "w", "processId": "pay", "name": "P", "mermaid": "sequenceDiagram" });
    assistant.call_ok("save_process", process).await;
    let calls = [
        ("delete_relationships", json!({ "relationshipIds": ["r"] })),
        ("delete_process", json!({ "processId": "pay" })),
        ("delete_components", json!({ "componentIds": ["a"] })),
        ("replace_workspace_model", json!({ "components": [], "relationships": [] })),
    ];
    let before = ada.bundle("w").await;
    for (tool, ask) in &calls {
        let mut ask = ask.clone();
        ask["workspaceId"] = json!("w");
        // As the schemas of some tools require the revision, the calls are sent as they are.
        let send = async |ask: &Value| {
            let reply = assistant.ask("tools/call", json!({ "name": tool, "arguments": ask })).await.ok();
            let result = &reply["result"];
            (result["isError"] == true, result["content"][0]["text"].as_str().unwrap().to_owned())
        };
        let (is_error, told) = send(&ask).await;
        assert!(is_error && told.contains("expectedRevision: is required: the `revision` of the workspace"), "{told}");
        ask["expectedRevision"] = json!(9_999_999);
        let (is_error, told) = send(&ask).await;
        assert!(is_error && told.contains("expectedRevision: was not read"), "{told}");
        assert_eq!(ada.bundle("w").await, before, "{tool}");
    }
    for (tool, mut ask) in calls {
        ask["workspaceId"] = json!("w");
        let read = assistant.call_ok("get_workspace", json!({ "workspaceId": "w", "include": [] })).await;
        ask["expectedRevision"] = read["workspace"]["revision"].clone();
        assistant.call_ok(tool, ask).await;
    }
    // Nothing is destroyed in an empty workspace.
    let model = json!({ "workspaceId": "w", "relationships": [], "components": [{ "typeId": "job", "name": "J" }] });
    assistant.call_ok("replace_workspace_model", model).await;
}

#[tokio::test]
async fn what_is_attached_to_a_deleted_component_counts_as_read_or_not() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let read = ada.revision("w").await;
    let delete = |revision: i64| json!({ "workspaceId": "w", "componentIds": ["a"], "expectedRevision": revision });
    ada.patch("/api/workspaces/w/relationships/r", json!({ "label": "pays" })).await.ok();
    let told = assistant.call_err("delete_components", delete(read), "(code: stale)").await;
    assert!(told.contains("relationship `r` was changed by ada (rest) 0 s ago: label"), "{told}");
    let now = ada.revision("w").await;
    assert!(told.contains(&format!("(revision {now}, you have {read}); nothing was written")), "{told}");
    // A row elsewhere does not matter.
    ada.create_components("w", &["c"]).await;
    assistant.call_ok("delete_components", delete(now)).await;
}

#[tokio::test]
async fn every_tool_that_reads_a_workspace_answers_its_revision() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let process = json!({ "id": "pay", "name": "P", "mermaid": "sequenceDiagram" });
    ada.post("/api/workspaces/w/processes", process).await.created();
    ada.post("/api/workspaces/w/decisions", json!({ "title": "Use events" })).await.created();
    ada.create_components("w", &["c"]).await;
    let revision = json!(ada.revision("w").await);
    for described in super::DESCRIBED.iter() {
        let schema = serde_json::to_value(&described.input_schema).unwrap();
        let reads = described.annotations.clone().unwrap().read_only_hint.unwrap();
        if !reads || schema["properties"]["workspaceId"].is_null() {
            continue;
        }
        let more = match &*described.name {
            "get_workspace" | "query_components" | "list_changes" | "list_views" | "list_decisions" | "drift" => {
                json!({})
            }
            "get_decision" => json!({ "decisionId": "use-events" }),
            "search" => json!({ "query": "a" }),
            "get_components" => json!({ "componentIds": ["a"] }),
            "trace_dependencies" => json!({ "componentId": "a" }),
            "find_paths" => json!({ "from": "a", "to": "b" }),
            "get_process" => json!({ "processId": "pay" }),
            "compare" => json!({ "from": "1" }),
            "sync_preview" => {
                json!({ "files": [{ "name": "compose.yaml", "content": "services:\n  a:\n    image: a\n" }] })
            }
            // Drawings, comments, drafts and comparisons list no rows of the map that could be deleted.
            "draw_map" | "list_comments" | "list_drafts" | "compare_draft" => continue,
            name => panic!("say here how {name} is called"),
        };
        let mut ask = more;
        ask["workspaceId"] = json!("w");
        let read = assistant.call_ok(&described.name, ask).await;
        // The revision of a process is its own.
        let told = [&read["workspaceRevision"], &read["workspace"]["revision"], &read["revision"]];
        let told = told.into_iter().find(|told| !told.is_null());
        assert_eq!(told, Some(&revision), "{}", described.name);
    }
}

#[tokio::test]
async fn an_incomplete_list_of_consequences_tells_how_to_get_the_others() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let parts = (0..60).map(|n| format!("part-{n}"));
    let component = |id: String| json!({ "id": id, "typeId": "service", "name": id });
    let components: Vec<_> = std::iter::once("group".to_owned()).chain(parts.clone()).map(component).collect();
    let contains = |id: String| json!({ "sourceId": "group", "targetId": id, "typeId": "contains" });
    let relationships: Vec<_> = parts.map(contains).collect();
    let model =
        json!({ "workspace": { "id": "w", "name": "W" }, "components": components, "relationships": relationships });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    let assistant = server.assistant_of("ada").await;
    let dry_run = |id: &str| json!({ "workspaceId": "w", "componentIds": [id], "dryRun": true });
    let told = assistant.call_ok("delete_components", dry_run("group")).await;
    assert_eq!((&told["orphanCount"], told["orphans"].as_array().unwrap().len()), (&json!(60), 50));
    assert!(told["hint"].as_str().unwrap().contains("query_components with parentId"), "{told}");
    let told = assistant.call_ok("delete_components", dry_run("part-0")).await;
    assert_eq!((&told["orphanCount"], &told["hint"]), (&json!(0), &json!(null)));
    let ask = json!({ "workspaceId": "w", "parentId": "group", "limit": 200 });
    assert_eq!(assistant.call_ok("query_components", ask).await["total"], 60);
}
