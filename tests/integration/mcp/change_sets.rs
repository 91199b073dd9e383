//! Each tool call is one change set, and tools write the row kinds declared in the table.

use std::collections::BTreeSet;

use planroom::domain::kinds::{KINDS, Support};
use serde_json::{Value, json};

use super::Assistant;
use crate::support::{TestClient, TestServer};

/// A call of every tool that writes in the workspace `w`, in an order in which all succeed.
fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        (
            "upsert_components",
            json!({ "components": [{ "id": "c", "typeId": "service", "name": "C" }, { "id": "a", "name": "New" },
                                   { "id": "c", "description": "Twice" }] }),
        ),
        (
            "upsert_relationships",
            json!({ "relationships": [{ "sourceId": "c", "targetId": "a", "typeId": "contains" },
                                      { "id": "r", "label": "pays" }] }),
        ),
        ("arrange_components", json!({})),
        (
            "set_stakeholders",
            json!({ "componentId": "a", "keepOthers": false,
                    "stakeholders": [{ "personId": "grace", "linkType": "support" }, { "teamId": "t", "linkType": "owner" }] }),
        ),
        (
            "save_process",
            json!({ "name": "Order", "mermaid": "sequenceDiagram\n  A->>B: order", "participants": { "A": "a" } }),
        ),
        ("save_process", json!({ "processId": "order", "description": "How to order" })),
        ("save_view", json!({ "name": "All of it" })),
        ("save_view", json!({ "viewId": "all-of-it", "definition": { "include": [{ "ids": ["a"] }] } })),
        ("save_decision", json!({ "title": "Use events", "componentIds": ["a"] })),
        ("save_decision", json!({ "title": "Use queues", "supersedes": ["use-events"] })),
        ("save_decision", json!({ "decisionId": "use-events", "status": "rejected", "body": "No" })),
        ("add_component_link", json!({ "componentId": "a", "url": "https://example.org/runbook" })),
        ("update_workspace", json!({ "name": "Renamed", "properties": { "server": "draft" } })),
        ("delete_process", json!({ "processId": "order" })),
        ("delete_relationships", json!({ "relationshipIds": ["r"] })),
        ("delete_components", json!({ "componentIds": ["c", "a"] })),
        (
            "replace_workspace_model",
            json!({ "components": [{ "id": "x", "typeId": "service", "name": "X" }], "relationships": [] }),
        ),
    ];
    for (_, arguments) in &mut calls {
        arguments["workspaceId"] = json!("w");
    }
    calls
}

/// Adds the revision that tools which destroy require.
fn with_revision(tool: &str, arguments: &mut Value, revision: i64) {
    if tool.starts_with("delete_") || tool == "replace_workspace_model" {
        arguments["expectedRevision"] = json!(revision);
    }
}

/// Ada's assistant, the workspace `w`, the person `grace`, who owns `a`, and the team `t`.
async fn populated(server: &TestServer) -> Assistant<'_> {
    let ada = server.seed_map().await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada.post("/api/teams", json!({ "id": "t", "name": "T" })).await.created();
    let owner = json!({ "personId": "grace", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", owner).await.created();
    server.assistant_of("ada").await
}

/// The content of the workspace without metadata.
async fn content(ada: &TestClient<'_>) -> Value {
    let mut bundle = ada.get("/api/workspaces/w?include=views,decisions").await.ok();
    // The component can be deleted at this time.
    let links = ada.get("/api/workspaces/w/components/a/links").await;
    bundle["links"] = if links.status.is_success() { links.json()["links"].clone() } else { json!([]) };
    let own = &bundle["workspace"];
    let mut content = json!([own["name"], own["properties"]]);
    for part in
        ["components", "relationships", "stakeholders", "processes", "links", "views", "viewPlaces", "decisions"]
    {
        let mut rows = bundle[part].as_array().unwrap().clone();
        for row in &mut rows {
            let fields = row.as_object_mut().unwrap();
            fields.retain(|name, _| !matches!(name.as_str(), "revision" | "updatedAt" | "updatedBy"));
        }
        content.as_array_mut().unwrap().push(json!(rows));
    }
    content
}

#[tokio::test]
async fn each_tool_call_is_one_change_set_with_one_undo() {
    let server = TestServer::new().await;
    let assistant = populated(&server).await;
    let ada = &assistant.client;
    for (tool, mut arguments) in calls() {
        let (before, logged) = (content(ada).await, server.changes().len());
        with_revision(tool, &mut arguments, ada.revision("w").await);
        assistant.call_ok(tool, arguments).await;
        let after = content(ada).await;
        assert_ne!(before, after, "{tool}");
        let changes = server.changes().split_off(logged);
        let sets: BTreeSet<_> = changes.iter().map(|change| (change.revision, change.batch.clone())).collect();
        assert_eq!(sets.len(), 1, "{tool}: {changes:?}");
        let undone = ada.post("/api/workspaces/w/undo", json!({ "changeSetId": changes[0].batch })).await.ok();
        assert_eq!(content(ada).await, before, "{tool}");
        let redo = json!({ "changeSetId": undone["changeSetId"] });
        ada.post("/api/workspaces/w/undo", redo).await.ok();
        assert_eq!(content(ada).await, after, "{tool}");
    }
}

#[tokio::test]
async fn a_call_that_violates_containment_writes_nothing() {
    let server = TestServer::new().await;
    let assistant = populated(&server).await;
    let before = server.log_sizes().0;
    let cycle = json!({ "workspaceId": "w", "relationships": [
        { "sourceId": "a", "targetId": "b", "typeId": "contains" },
        { "sourceId": "b", "targetId": "a", "typeId": "contains" },
    ] });
    let told = assistant.call_err("upsert_relationships", cycle, "would be part of itself").await;
    assert!(told.contains("relationships[0].targetId") || told.contains("relationships[1].targetId"), "{told}");
    assert_eq!(server.log_sizes().0, before);
}

#[tokio::test]
async fn tools_write_the_row_kinds_declared_in_the_table() {
    let server = TestServer::new().await;
    let assistant = populated(&server).await;
    let mut calls = calls();
    let team = json!({ "kind": "team", "name": "Payments", "members": [{ "personId": "grace", "role": "lead" }] });
    calls.push(("save_person_or_team", json!({ "kind": "person", "name": "Edsger" })));
    calls.push(("save_person_or_team", team));
    calls.push(("create_workspace", json!({ "name": "Another" })));
    calls.push(("keep_version", json!({ "workspaceId": "w", "name": "V" })));
    let (pk, user) =
        (server.count("SELECT pk FROM workspace"), server.count("SELECT id FROM user WHERE login = 'ada'"));
    server.seed_thread(pk, "talk", user);
    calls.push(("add_comment", json!({ "workspaceId": "w", "text": "Why?" })));
    calls.push(("resolve_comment", json!({ "workspaceId": "w", "threadId": "talk" })));
    calls.push(("start_draft", json!({ "workspaceId": "w", "title": "T" })));
    let title = json!({ "title": "T" });
    let draft = assistant.client.post("/api/workspaces/w/drafts", title).await.created()["draft"]["id"].clone();
    calls.push(("submit_draft", json!({ "draftId": draft })));
    calls.insert(1, ("undo", json!({ "workspaceId": "w", "changeSetIds": ["first"] })));
    calls[0].1["changeSetId"] = json!("first");
    calls.insert(2, calls[0].clone());

    let listed = assistant.result("tools/list", json!({})).await;
    let writing = listed["tools"].as_array().unwrap().iter().filter(|tool| tool["annotations"]["readOnlyHint"] != true);
    let writing: BTreeSet<&str> = writing.map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        calls.iter().map(|(tool, _)| *tool).collect::<BTreeSet<_>>(),
        writing,
        "every tool that writes is called"
    );

    for (tool, mut arguments) in calls {
        with_revision(tool, &mut arguments, assistant.client.revision("w").await);
        assistant.call_ok(tool, arguments).await;
    }
    for kind in &KINDS {
        // Every new workspace has its creator as a member.
        let sql = format!(
            "SELECT count(*) FROM change WHERE via = 'mcp' AND entity = '{}'
             AND batch NOT IN (SELECT batch FROM change WHERE entity = 'workspace' AND op = 'create')",
            kind.name
        );
        let sql = match kind.log {
            Support::Yes => sql,
            Support::No(_) => format!("SELECT count(*) FROM {}", kind.name.replace('-', "_")),
        };
        assert_eq!(server.count(&sql) > 0, kind.mcp == Support::Yes, "{}", kind.name);
    }
}
