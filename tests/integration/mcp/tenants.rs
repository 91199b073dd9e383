//! IDs of another organization in every argument of every tool: nothing is revealed or changed.

use serde_json::{Value, json};

use super::{Assistant, DESCRIBED};
use crate::{support::wiki::content::plain, wiki::registered};

/// Part of every name in the other organization.
const SECRET: &str = "TOPSECRET";

/// A valid call of each tool in the workspace `w`. Its IDs are replaced.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("get_me", json!({})),
        ("get_type_catalogue", json!({})),
        ("list_workspaces", json!({})),
        (
            "get_workspace",
            json!({ "workspaceId": "w", "include": ["components", "relationships", "processes", "stakeholders"] }),
        ),
        ("get_workspace", json!({ "workspaceId": "w", "around": { "componentId": "a" } })),
        ("search", json!({ "query": SECRET, "workspaceId": "w" })),
        ("search", json!({ "query": SECRET })),
        ("query_components", json!({ "workspaceId": "w", "ownerId": "ada", "parentId": "a" })),
        ("query_components", json!({ "sortBy": "dependents", "limit": 200 })),
        ("get_components", json!({ "workspaceId": "w", "componentIds": ["a"] })),
        ("trace_dependencies", json!({ "workspaceId": "w", "componentId": "a", "viewId": "vv" })),
        ("find_paths", json!({ "workspaceId": "w", "from": "a", "to": "b" })),
        ("get_process", json!({ "workspaceId": "w", "processId": "pay" })),
        ("draw_map", json!({ "workspaceId": "w", "viewId": "vv", "format": "svg" })),
        ("draw_map", json!({ "workspaceId": "w", "around": ["a"], "format": "svg" })),
        ("draw_map", json!({ "workspaceId": "w", "components": ["a"], "format": "svg" })),
        ("draw_map", json!({ "workspaceId": "w", "process": "pay", "format": "svg" })),
        ("list_views", json!({ "workspaceId": "w" })),
        ("get_workspace", json!({ "workspaceId": "w", "viewId": "vv" })),
        ("query_components", json!({ "workspaceId": "w", "viewId": "vv" })),
        ("save_view", json!({ "workspaceId": "w", "viewId": "vv", "name": "Changed" })),
        (
            "save_view",
            json!({ "workspaceId": "w", "viewId": "own", "name": "Own",
                    "definition": { "include": [{ "ids": ["a"], "within": ["a"], "owners": ["ada"], "teams": ["t"] }] } }),
        ),
        ("list_decisions", json!({ "workspaceId": "w", "componentId": "a" })),
        ("get_decision", json!({ "workspaceId": "w", "decisionId": "dd" })),
        ("save_decision", json!({ "workspaceId": "w", "decisionId": "dd", "title": "Changed" })),
        ("save_decision", json!({ "workspaceId": "w", "title": "Mine", "componentIds": ["a"], "supersedes": ["dd"] })),
        ("list_people_and_teams", json!({})),
        ("list_wiki_children", json!({ "id": plain(2) })),
        ("list_changes", json!({ "workspaceId": "w", "entityId": "a" })),
        ("compare", json!({ "workspaceId": "w", "from": "2200-01-01", "to": "2200-01-01" })),
        ("list_comments", json!({ "workspaceId": "w", "threadId": "talk" })),
        ("list_comments", json!({ "workspaceId": "w", "anchorType": "component", "anchorId": "a" })),
        ("add_comment", json!({ "workspaceId": "w", "anchorType": "component", "anchorId": "a", "text": "Mine" })),
        ("add_comment", json!({ "workspaceId": "w", "threadId": "talk", "text": "Mine" })),
        ("resolve_comment", json!({ "workspaceId": "w", "threadId": "talk" })),
        (
            "sync_preview",
            json!({ "workspaceId": "w",
                    "files": [{ "name": "compose.yaml", "content": "services:\n  web:\n    image: web\n" }] }),
        ),
        ("drift", json!({ "workspaceId": "w" })),
        ("list_drafts", json!({ "workspaceId": "w" })),
        ("start_draft", json!({ "workspaceId": "w", "title": "T" })),
        ("submit_draft", json!({ "draftId": "draft" })),
        ("compare_draft", json!({ "draftId": "draft" })),
        ("keep_version", json!({ "workspaceId": "w", "name": "V" })),
        ("undo", json!({ "workspaceId": "w", "changeSetIds": ["own"] })),
        ("create_workspace", json!({ "id": "mine", "name": "Mine" })),
        ("update_workspace", json!({ "workspaceId": "w", "name": "Changed" })),
        (
            "upsert_components",
            json!({ "workspaceId": "w", "components": [{ "id": "a", "name": "Changed", "parentId": "b" }] }),
        ),
        (
            "upsert_relationships",
            json!({ "workspaceId": "w", "relationships": [
            { "id": "r", "label": "changed" }, { "sourceId": "a", "targetId": "b", "typeId": "uses" }] }),
        ),
        ("arrange_components", json!({ "workspaceId": "w", "componentIds": ["a", "b"] })),
        (
            "set_stakeholders",
            json!({ "workspaceId": "w", "componentId": "a", "keepOthers": false,
                                     "stakeholders": [{ "personId": "ada", "linkType": "owner" }] }),
        ),
        (
            "set_stakeholders",
            json!({ "workspaceId": "w", "componentId": "a",
                                     "stakeholders": [{ "teamId": "t", "linkType": "owner" }] }),
        ),
        (
            "set_stakeholders",
            json!({ "workspaceId": "w", "componentIds": ["a"],
                                     "stakeholders": [{ "teamId": "t", "linkType": "owner" }] }),
        ),
        ("save_process", json!({ "workspaceId": "w", "processId": "pay", "name": "Changed" })),
        ("save_person_or_team", json!({ "kind": "person", "id": "ada", "title": "Changed" })),
        ("save_person_or_team", json!({ "kind": "team", "id": "t", "members": [{ "personId": "ada" }] })),
        ("add_component_link", json!({ "workspaceId": "w", "componentId": "a", "url": "https://example.org" })),
        ("delete_components", json!({ "workspaceId": "w", "componentIds": ["a"], "expectedRevision": 1 })),
        ("delete_relationships", json!({ "workspaceId": "w", "relationshipIds": ["r"], "expectedRevision": 1 })),
        ("delete_process", json!({ "workspaceId": "w", "processId": "pay", "expectedRevision": 1 })),
        ("replace_workspace_model", json!({ "workspaceId": "w", "planId": "p" })),
        (
            "replace_workspace_model",
            json!({ "workspaceId": "w", "name": "Changed", "relationships": [{ "sourceId": "a", "targetId": "a", "typeId": "uses" }],
                                            "components": [{ "id": "a", "typeId": "service", "name": "A" }] }),
        ),
    ]
}

/// JSON pointers of the IDs in a call, each with the corresponding ID of the other organization.
fn ids(value: &Value, pointer: &str, name: &str, found: &mut Vec<(String, String)>) {
    let theirs = match name {
        "id" if *value == plain(2) => Some(plain(1)),
        // The tool determines the meaning of `id`; the other organization uses one ID for all kinds.
        "workspaceId" | "id" => Some("vault".into()),
        "viewId" => Some("vault-view".into()),
        "componentId" | "componentIds" | "ids" | "within" | "parentId" | "from" | "to" | "sourceId" | "targetId"
        | "entityId" | "anchorId" | "around" | "components" => Some("vault-door".into()),
        "threadId" => Some("vault-talk".into()),
        "decisionId" | "supersedes" => Some("vault-decision".into()),
        "draftId" => Some("vault-draft".into()),
        "changeSetIds" => Some("vault-set".into()),
        "planId" => Some("vault-plan".into()),
        "relationshipIds" => Some("vault-wire".into()),
        "processId" | "process" => Some("vault-plot".into()),
        "personId" | "ownerId" | "owners" => Some("vault-spy".into()),
        "teamId" | "teams" => Some("vault-cell".into()),
        _ => None,
    };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| ids(field, &format!("{pointer}/{name}"), name, found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| ids(item, &format!("{pointer}/{at}"), name, found));
        }
        Value::String(_) => found.extend(theirs.map(|theirs| (pointer.to_owned(), theirs))),
        _ => {}
    }
}

/// The names of a schema's ID arguments, at any depth.
fn id_arguments(schema: &Value, found: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let is_id = name == "id" || name.ends_with("Id") || name.ends_with("Ids") || name == "from" || name == "to";
        // With `changeSetId`, a caller labels their own change sets.
        if is_id && !["typeId", "typeIds", "changeSetId"].contains(&name.as_str()) {
            found.push(name.clone());
        }
        id_arguments(field, found);
        id_arguments(&field["items"], found);
    }
}

#[tokio::test]
async fn ids_of_other_organizations_are_not_found() {
    let (server, wiki) = registered().await;
    server.seed_org("other", "olga");
    server.connect_wiki("other");
    wiki.root(1, SECRET, Value::Null);
    wiki.child_page(3, SECRET, 1);
    let olga = server.sign_in("olga").await;
    olga.post("/api/workspaces", json!({ "id": "vault", "name": SECRET, "description": SECRET })).await.created();
    for id in ["vault-door", "vault-core", "vault"] {
        let new = json!({ "id": id, "typeId": "service", "name": SECRET });
        olga.post("/api/workspaces/vault/components", new).await.created();
    }
    olga.create_relationship("vault", "vault-wire", "vault-door", "calls", "vault-core").await;
    let plot = json!({ "id": "vault-plot", "name": SECRET, "mermaid": format!("sequenceDiagram\n A->>B: {SECRET}") });
    olga.header("x-batch-id", "vault-set").post("/api/workspaces/vault/processes", plot).await.created();
    olga.post("/api/workspaces/vault/views", json!({ "id": "vault-view", "name": SECRET })).await.created();
    let decision = json!({ "id": "vault-decision", "title": SECRET, "body": SECRET, "authors": [SECRET] });
    olga.post("/api/workspaces/vault/decisions", decision).await.created();
    for id in ["vault-spy", "vault"] {
        olga.post("/api/people", json!({ "id": id, "name": SECRET })).await.created();
    }
    for id in ["vault-cell", "vault"] {
        olga.post("/api/teams", json!({ "id": id, "name": SECRET })).await.created();
    }
    let thread = json!({ "anchor": { "type": "component", "id": "vault-door" }, "text": SECRET });
    olga.post("/api/workspaces/vault/threads", thread).await.created();
    server.sql(|conn| {
        conn.execute_batch(
            "PRAGMA foreign_keys = off; UPDATE thread SET id = 'vault-talk';
             UPDATE thread_message SET thread_id = 'vault-talk'; PRAGMA foreign_keys = on;",
        )
        .unwrap();
    });
    olga.post("/api/workspaces/vault/drafts", json!({ "title": SECRET })).await.created();
    server.sql(|conn| conn.execute("UPDATE draft SET id = 'vault-draft'", []).unwrap());
    let their_drafts = olga.get("/api/workspaces/vault/drafts").await.ok();
    let their_threads = olga.get("/api/workspaces/vault/threads").await.ok();
    let theirs = olga.bundle("vault").await;
    let their_people = (olga.get("/api/people").await.ok(), olga.get("/api/teams").await.ok());

    let ada = server.seed_map().await;
    ada.post("/api/workspaces/w/processes", json!({ "id": "pay", "name": "P", "mermaid": "sequenceDiagram" }))
        .await
        .created();
    ada.post("/api/workspaces/w/views", json!({ "id": "vv", "name": "V" })).await.created();
    let decision = json!({ "id": "dd", "title": "D", "componentIds": ["a"] });
    ada.post("/api/workspaces/w/decisions", decision).await.created();
    ada.post("/api/teams", json!({ "id": "t", "name": "T" })).await.created();
    let (pk, user) = (
        server.count("SELECT pk FROM workspace WHERE id = 'w'"),
        server.count("SELECT id FROM user WHERE login = 'ada'"),
    );
    server.seed_thread(pk, "talk", user);
    ada.post("/api/workspaces/w/drafts", json!({ "title": "T" })).await.created();
    server.sql(|conn| conn.execute("UPDATE draft SET id = 'draft' WHERE id <> 'vault-draft'", []).unwrap());
    let assistant: Assistant = server.assistant_of("ada").await;

    let mut tried = 0;
    for tool in DESCRIBED.iter() {
        let mut named = Vec::new();
        id_arguments(&Value::Object((*tool.input_schema).clone()), &mut named);
        let known: Vec<Value> =
            calls().into_iter().filter(|(name, _)| *name == tool.name).map(|(_, call)| call).collect();
        assert!(!known.is_empty(), "say here how {} is called", tool.name);
        for call in known {
            let mut places = Vec::new();
            ids(&call, "", "", &mut places);
            named.retain(|name| !places.iter().any(|(place, _)| place.split('/').any(|part| part == name)));
            for (place, theirs) in places {
                let mut foreign = call.clone();
                *foreign.pointer_mut(&place).unwrap() = json!(theirs);
                let told = assistant.call(&tool.name, foreign.clone()).await;
                let text = format!("{told:?}").replace(&format!("\"{SECRET}\""), "");
                assert!(!text.contains(SECRET), "{} {foreign}: {text}", tool.name);
                if place == "/workspaceId" && tool.name != "create_workspace" {
                    let error = told.expect_err(&tool.name);
                    assert!(
                        error.contains("workspace not found (code: not_found)"),
                        "{} {foreign}: {error}",
                        tool.name
                    );
                }
                tried += 1;
            }
            assert!(
                !format!("{:?}", assistant.call(&tool.name, call).await).contains(&format!("{SECRET}\\\"")),
                "{}",
                tool.name
            );
        }
        assert!(named.is_empty(), "no call of {} has {named:?}", tool.name);
    }
    assert!(tried > 40, "{tried}");
    assert_eq!(wiki.take_requests(), [""; 0], "their wiki was asked");
    assert_eq!(olga.bundle("vault").await, theirs);
    assert_eq!(olga.get("/api/workspaces/vault/threads").await.ok(), their_threads);
    assert_eq!(olga.get("/api/workspaces/vault/drafts").await.ok(), their_drafts);
    assert_eq!((olga.get("/api/people").await.ok(), olga.get("/api/teams").await.ok()), their_people);
}
