//! Every tool that writes: what it is for, and the mistakes that are likely.

use serde_json::json;

use crate::support::Stage;

#[tokio::test]
async fn an_assistant_draws_a_map_from_nothing() {
    let stage = Stage::new().await;
    let assistant = stage.assistant_of("ada").await;
    let made = assistant.does("create_workspace", json!({ "name": "Web shop", "description": "All that sells" })).await;
    assert_eq!((&made["workspace"]["id"], &made["workspace"]["myRole"]), (&json!("web-shop"), &json!("owner")));
    assistant.fails("create_workspace", json!({ "id": "web-shop", "name": "Again" }), "(code: conflict)").await;
    assistant.fails("create_workspace", json!({ "title": "X" }), "name: is required").await;

    let components = json!({ "workspaceId": "web-shop", "components": [
        { "id": "web", "typeId": "web-app", "name": "Web" },
        { "typeId": "database", "name": "Orders database", "properties": { "lifecycle": "live" } },
    ] });
    let written = assistant.does("upsert_components", components).await;
    assert_eq!(written, json!({ "created": ["web", "orders-database"], "updated": [] }));
    let relationships = json!({ "workspaceId": "web-shop", "relationships": [
        { "sourceId": "web", "typeId": "reads", "targetId": "orders-database" },
    ] });
    let written = assistant.does("upsert_relationships", relationships).await;
    assert_eq!(written["created"], json!(["web-reads-orders-database"]));

    let change = json!({ "workspaceId": "web-shop", "components": [{ "id": "web", "description": "Sells" }] });
    assert_eq!(assistant.does("upsert_components", change).await["updated"], json!(["web"]));
    let change =
        json!({ "workspaceId": "web-shop", "relationships": [{ "id": "web-reads-orders-database", "label": "all" }] });
    assert_eq!(assistant.does("upsert_relationships", change).await["updated"], json!(["web-reads-orders-database"]));
    let bundle = assistant.actor.get("/api/workspaces/web-shop").await.ok();
    assert_eq!(
        (&bundle["components"][0]["name"], &bundle["components"][0]["description"]),
        (&json!("Web"), &json!("Sells"))
    );
    assert_eq!(bundle["relationships"][0]["label"], "all");
    assert!(stage.changes().iter().all(|change| change.via == "mcp" && change.credential.starts_with("token:")));

    let gone = json!({ "workspaceId": "web-shop", "relationshipIds": ["web-reads-orders-database"] });
    assert_eq!(assistant.does("delete_relationships", gone.clone()).await["deleted"], gone["relationshipIds"]);
    let again = assistant.fails("delete_relationships", gone, "relationshipIds[0]: there is no relationship").await;
    assert!(again.contains("nothing was deleted"), "{again}");
    let gone = json!({ "workspaceId": "web-shop", "componentIds": ["web", "orders-database"] });
    assistant.does("delete_components", gone).await;
    assert_eq!(assistant.actor.bundle("web-shop").await["components"], json!([]));
}

#[tokio::test]
async fn all_is_written_or_nothing() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let before = ada.bundle("w").await;
    let cases = [
        (
            "components",
            json!([{ "id": "c", "typeId": "service", "name": "C" }, { "id": "d", "name": "D" }]),
            "components[1].typeId: is required: there is no component",
        ),
        (
            "components",
            json!([{ "id": "a", "name": "New" }, { "id": "b", "typeId": "servise" }]),
            "components[1].typeId: unknown component type `servise`; get_type_catalogue",
        ),
        ("components", json!([{ "id": "a", "x": 1, "y": 1e10 }]), "components[0].y: must be within"),
        (
            "components",
            json!([{ "id": "a", "colour": "red" }]),
            "components[0].colour: the tool upsert_components takes no such argument",
        ),
        ("components", json!([]), "components: must have 1 to 50 items"),
        (
            "relationships",
            json!([{ "sourceId": "a", "targetId": "x", "typeId": "uses" }]),
            "relationships[0].targetId: there is no component `x`",
        ),
        (
            "relationships",
            json!([{ "id": "r", "label": "x" }, { "sourceId": "a", "targetId": "b" }]),
            "relationships[1].typeId: is required",
        ),
    ];
    for (kind, items, text) in cases {
        let mut ask = json!({ "workspaceId": "w" });
        ask[kind] = items;
        assistant.fails(&format!("upsert_{kind}"), ask, text).await;
    }
    let many = json!({ "workspaceId": "w", "components": vec![json!({ "typeId": "service", "name": "X" }); 51] });
    assistant.fails("upsert_components", many, "components: must have at most 50 items").await;
    let half = json!({ "workspaceId": "w", "componentIds": ["a", "x"] });
    assistant.fails("delete_components", half, "componentIds[1]: there is no component `x`; nothing was deleted").await;
    assert_eq!(ada.bundle("w").await, before);
}

#[tokio::test]
async fn an_assistant_does_not_write_over_what_it_has_not_read() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let read = ada.revision("w").await;
    ada.draw("w", &["c"]).await;
    let late = json!({ "workspaceId": "w", "name": "New", "expectedRevision": read });
    let told = assistant.fails("update_workspace", late, "(code: stale)").await;
    assert!(told.contains("read it again"), "{told}");
    let model = json!({ "workspaceId": "w", "components": [], "relationships": [], "expectedRevision": read });
    assistant.fails("replace_workspace_model", model, "(code: stale)").await;
    let free =
        json!({ "workspaceId": "free", "name": "F", "components": [], "relationships": [], "expectedRevision": 1 });
    assistant.fails("replace_workspace_model", free, "(code: stale)").await;
    let now = json!({ "workspaceId": "w", "name": "New", "expectedRevision": read + 1 });
    assert_eq!(assistant.does("update_workspace", now).await["workspace"]["name"], "New");

    let process = json!({ "workspaceId": "w", "processId": "pay", "name": "P", "mermaid": "sequenceDiagram" });
    let saved = assistant.does("save_process", process).await;
    let late = json!({ "workspaceId": "w", "processId": "pay", "name": "Q", "expectedRevision": 1 });
    assistant.fails("save_process", late, "(code: stale)").await;
    let now = json!({ "workspaceId": "w", "processId": "pay", "name": "Q", "expectedRevision": saved["revision"] });
    assert_eq!(assistant.does("save_process", now).await["created"], false);
}

#[tokio::test]
async fn an_assistant_saves_processes() {
    let stage = Stage::new().await;
    stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let new = json!({ "workspaceId": "w", "name": "Check out", "participants": { "A": "a" },
                      "mermaid": "sequenceDiagram\n  A->>B: go\n  nonsense" });
    let saved = assistant.does("save_process", new).await;
    assert_eq!(
        (&saved["processId"], &saved["created"], &saved["steps"]),
        (&json!("check-out"), &json!(true), &json!(1))
    );
    assert_eq!((&saved["unresolved"], &saved["diagnostics"][0]["line"]), (&json!(["B"]), &json!(3)));
    let wrong = json!({ "workspaceId": "w", "processId": "check-out", "participants": { "A": "x" } });
    assistant.fails("save_process", wrong, "participants.A: there is no component `x`").await;
    let chart = json!({ "workspaceId": "w", "name": "X", "mermaid": "flowchart LR" });
    assistant.fails("save_process", chart, "mermaid: line 1").await;
    assistant.fails("save_process", json!({ "workspaceId": "w", "name": "X" }), "mermaid: is required").await;
    let gone = json!({ "workspaceId": "w", "processId": "check-out" });
    assert_eq!(assistant.does("delete_process", gone.clone()).await["deleted"], json!(["check-out"]));
    assistant.fails("delete_process", gone, "process not found").await;
}

#[tokio::test]
async fn an_assistant_says_who_answers_for_what() {
    let stage = Stage::new().await;
    stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let grace = json!({ "kind": "person", "name": "Grace Hopper", "title": "Admiral", "email": "grace@example.org" });
    assert_eq!(assistant.does("save_person_or_team", grace).await["id"], "grace-hopper");
    let team = json!({ "kind": "team", "id": "pay", "name": "Payments",
                       "members": [{ "personId": "grace-hopper", "role": "lead" }] });
    assert_eq!(
        assistant.does("save_person_or_team", team).await,
        json!({ "kind": "team", "id": "pay", "created": true })
    );
    let again = json!({ "kind": "team", "id": "pay", "members": [{ "personId": "grace-hopper" }] });
    assert_eq!(assistant.does("save_person_or_team", again).await["created"], false);
    let stranger = json!({ "kind": "team", "id": "pay", "members": [{ "personId": "nobody" }] });
    assistant.fails("save_person_or_team", stranger, "members[0].personId: there is no person `nobody`").await;
    let mixed = json!({ "kind": "team", "name": "X", "email": "x@example.org" });
    assistant.fails("save_person_or_team", mixed, "email: is for a person").await;
    assistant.fails("save_person_or_team", json!({ "kind": "person" }), "name: is required").await;

    let set = |stakeholders: serde_json::Value, keep: bool| json!({ "workspaceId": "w", "componentId": "a", "stakeholders": stakeholders, "keepOthers": keep });
    let person = json!({ "personId": "grace-hopper", "linkType": "owner" });
    let team = json!({ "teamId": "pay", "linkType": "support" });
    let now = assistant.does("set_stakeholders", set(json!([person]), true)).await;
    assert_eq!((&now["added"], &now["removed"]), (&json!(1), &json!(0)));
    let now = assistant.does("set_stakeholders", set(json!([person, team]), true)).await;
    assert_eq!((&now["added"], now["stakeholders"].as_array().unwrap().len()), (&json!(1), 2));
    let now = assistant.does("set_stakeholders", set(json!([team]), false)).await;
    assert_eq!(
        (&now["removed"], &now["stakeholders"]),
        (&json!(1), &json!([{ "linkType": "support", "teamId": "pay", "name": "Payments" }]))
    );
    let wrong = set(json!([{ "teamId": "pay", "linkType": "boss" }]), true);
    assistant.fails("set_stakeholders", wrong, "stakeholders[0].linkType: there is no role `boss`").await;
    let both = set(json!([{ "teamId": "pay", "personId": "grace-hopper", "linkType": "owner" }]), true);
    assistant.fails("set_stakeholders", both, "stakeholders[0].teamId: must be left out").await;
}

#[tokio::test]
async fn an_assistant_links_components_to_pages() {
    let stage = Stage::new().await;
    stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let link = |url: &str| json!({ "workspaceId": "w", "componentId": "a", "url": url });
    let added = assistant.does("add_component_link", link("https://example.org/runbook")).await;
    assert_eq!((&added["kind"], &added["url"]), (&json!("url"), &json!("https://example.org/runbook")));
    assistant.fails("add_component_link", link("javascript:alert(1)"), "url: ").await;
    let nowhere = json!({ "workspaceId": "w", "componentId": "x", "url": "https://example.org" });
    assistant.fails("add_component_link", nowhere, "component not found").await;
}

#[tokio::test]
async fn a_whole_model_is_tried_before_it_is_replaced() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let assistant = stage.assistant_of("ada").await;
    let before = ada.bundle("w").await;
    let mut model = json!({ "workspaceId": "w", "dryRun": true, "relationships": [],
                            "components": [{ "id": "a", "typeId": "service", "name": "New" }, { "typeId": "job", "name": "C" }] });
    let tried = assistant.does("replace_workspace_model", model.clone()).await;
    assert_eq!(tried["dryRun"], true);
    assert_eq!(
        tried["deleted"],
        json!({ "componentCount": 1, "relationshipCount": 1, "components": ["b"], "relationships": ["r"] })
    );
    assert_eq!((&tried["created"]["components"], &tried["updated"]["components"]), (&json!(["c"]), &json!(["a"])));
    assert_eq!(ada.bundle("w").await, before);
    model["dryRun"] = json!(false);
    model["expectedRevision"] = before["workspace"]["revision"].clone();
    let done = assistant.does("replace_workspace_model", model).await;
    assert_eq!((&done["components"], &done["relationships"], &done["dryRun"]), (&json!(2), &json!(0), &json!(false)));
    assert_eq!(done["revision"], ada.revision("w").await);
    let wrong = json!({ "workspaceId": "w", "components": [{ "id": "a", "name": "A" }], "relationships": [] });
    assistant.fails("replace_workspace_model", wrong, "components[0].typeId: is required").await;
    let wrong = json!({ "workspaceId": "w", "dryrun": true, "components": [], "relationships": [] });
    assistant.fails("replace_workspace_model", wrong, "dryrun: the tool replace_workspace_model takes no such").await;
}
