//! Every tool that writes: its purpose, and likely mistakes.

use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn an_assistant_creates_a_map() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    let made =
        assistant.call_ok("create_workspace", json!({ "name": "Web shop", "description": "All that sells" })).await;
    assert_eq!((&made["workspace"]["id"], &made["workspace"]["myRole"]), (&json!("web-shop"), &json!("owner")));
    assistant.call_err("create_workspace", json!({ "id": "web-shop", "name": "Again" }), "(code: conflict)").await;
    assistant.call_err("create_workspace", json!({ "title": "X" }), "name: is required").await;

    let components = json!({ "workspaceId": "web-shop", "components": [
        { "id": "web", "typeId": "web-app", "name": "Web" },
        { "typeId": "database", "name": "Orders database", "properties": { "lifecycle": "live" } },
    ] });
    let written = assistant.call_ok("upsert_components", components).await;
    assert_eq!((&written["created"], &written["updated"]), (&json!(["web", "orders-database"]), &json!([])));
    assert_eq!(written["url"], "http://planroom.test/o/acme/w/web-shop");
    let relationships = json!({ "workspaceId": "web-shop", "relationships": [
        { "sourceId": "web", "typeId": "reads", "targetId": "orders-database" },
    ] });
    let written = assistant.call_ok("upsert_relationships", relationships).await;
    assert_eq!(written["created"], json!(["web-reads-orders-database"]));

    let change = json!({ "workspaceId": "web-shop", "components": [{ "id": "web", "description": "Sells" }] });
    assert_eq!(assistant.call_ok("upsert_components", change).await["updated"], json!(["web"]));
    let change =
        json!({ "workspaceId": "web-shop", "relationships": [{ "id": "web-reads-orders-database", "label": "all" }] });
    assert_eq!(
        assistant.call_ok("upsert_relationships", change).await["updated"],
        json!(["web-reads-orders-database"])
    );
    let bundle = assistant.client.get("/api/workspaces/web-shop").await.ok();
    assert_eq!(
        (&bundle["components"][0]["name"], &bundle["components"][0]["description"]),
        (&json!("Web"), &json!("Sells"))
    );
    assert_eq!(bundle["relationships"][0]["label"], "all");
    assert!(server.changes().iter().all(|change| change.via == "mcp" && change.credential.starts_with("token:")));

    let mut gone = json!({ "workspaceId": "web-shop", "relationshipIds": ["web-reads-orders-database"] });
    gone["expectedRevision"] = bundle["workspace"]["revision"].clone();
    let done = assistant.call_ok("delete_relationships", gone.clone()).await;
    assert_eq!(done["deleted"], gone["relationshipIds"]);
    let again = assistant.call_err("delete_relationships", gone, "relationshipIds[0]: there is no relationship").await;
    assert!(again.contains("nothing was deleted"), "{again}");
    let gone = json!({ "workspaceId": "web-shop", "componentIds": ["web", "orders-database"],
                       "expectedRevision": done["revision"] });
    assistant.call_ok("delete_components", gone).await;
    assert_eq!(assistant.client.bundle("web-shop").await["components"], json!([]));
}

#[tokio::test]
async fn a_call_writes_everything_or_nothing() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let before = ada.bundle("w").await;
    let cases = [
        (
            "components",
            json!([{ "id": "c", "typeId": "service", "name": "C" }, { "id": "d", "name": "D" }]),
            "components[1].typeId: is required, because no component has this id",
        ),
        (
            "components",
            json!([{ "id": "a", "name": "New" }, { "id": "b", "typeId": "servise" }]),
            "components[1].typeId: unknown component type `servise`; near: `service`; get_type_catalogue",
        ),
        ("components", json!([{ "id": "a", "x": 1, "y": 1e10 }]), "components[0].y: must be within"),
        (
            "components",
            json!([{ "id": "a", "colour": "red" }]),
            "components[0].colour: the tool upsert_components has no such argument",
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
        assistant.call_err(&format!("upsert_{kind}"), ask, text).await;
    }
    let many = json!({ "workspaceId": "w", "components": vec![json!({ "typeId": "service", "name": "X" }); 51] });
    assistant.call_err("upsert_components", many, "components: must have at most 50 items").await;
    let half = json!({ "workspaceId": "w", "componentIds": ["a", "x"] });
    assistant
        .call_err("delete_components", half, "componentIds[1]: there is no component `x`; nothing was deleted")
        .await;
    assert_eq!(ada.bundle("w").await, before);
}

#[tokio::test]
async fn an_assistant_cannot_overwrite_rows_it_has_not_read() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let read = ada.revision("w").await;
    ada.create_components("w", &["c"]).await;
    let late = json!({ "workspaceId": "w", "name": "New", "expectedRevision": read });
    let told = assistant.call_err("update_workspace", late, "(code: stale)").await;
    assert!(told.contains("read it again"), "{told}");
    let model = json!({ "workspaceId": "w", "components": [], "relationships": [], "expectedRevision": read });
    assistant.call_err("replace_workspace_model", model, "(code: stale)").await;
    let free =
        json!({ "workspaceId": "free", "name": "F", "components": [], "relationships": [], "expectedRevision": 1 });
    assistant.call_err("replace_workspace_model", free, "(code: stale)").await;
    let now = json!({ "workspaceId": "w", "name": "New", "expectedRevision": read + 1 });
    assert_eq!(assistant.call_ok("update_workspace", now).await["workspace"]["name"], "New");

    let process = json!({ "workspaceId": "w", "processId": "pay", "name": "P", "mermaid": "sequenceDiagram" });
    let saved = assistant.call_ok("save_process", process).await;
    let late = json!({ "workspaceId": "w", "processId": "pay", "name": "Q", "expectedRevision": 1 });
    assistant.call_err("save_process", late, "(code: stale)").await;
    let now = json!({ "workspaceId": "w", "processId": "pay", "name": "Q", "expectedRevision": saved["revision"] });
    assert_eq!(assistant.call_ok("save_process", now).await["created"], false);
}

#[tokio::test]
async fn an_assistant_saves_processes() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let new = json!({ "workspaceId": "w", "name": "Check out", "participants": { "A": "a" },
                      "mermaid": "sequenceDiagram\n  A->>Bank: go\n  nonsense" });
    let saved = assistant.call_ok("save_process", new).await;
    assert_eq!(
        (&saved["processId"], &saved["created"], &saved["steps"]),
        (&json!("check-out"), &json!(true), &json!(1))
    );
    assert_eq!((&saved["unresolved"], &saved["diagnostics"][0]["line"]), (&json!(["Bank"]), &json!(3)));
    let wrong = json!({ "workspaceId": "w", "processId": "check-out", "participants": { "A": "x" } });
    assistant.call_err("save_process", wrong, "participants.A: there is no component `x`").await;
    let chart = json!({ "workspaceId": "w", "name": "X", "mermaid": "flowchart LR" });
    assistant.call_err("save_process", chart, "mermaid: line 1").await;
    assistant.call_err("save_process", json!({ "workspaceId": "w", "name": "X" }), "mermaid: is required").await;
    let gone = json!({ "workspaceId": "w", "processId": "check-out", "expectedRevision": saved["revision"] });
    assert_eq!(assistant.call_ok("delete_process", gone.clone()).await["deleted"], json!(["check-out"]));
    assistant.call_err("delete_process", gone, "process not found").await;
}

#[tokio::test]
async fn an_assistant_sets_stakeholders() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let grace = json!({ "kind": "person", "name": "Grace Hopper", "title": "Admiral", "email": "grace@example.org" });
    assert_eq!(assistant.call_ok("save_person_or_team", grace).await["id"], "grace-hopper");
    let team = json!({ "kind": "team", "id": "pay", "name": "Payments",
                       "members": [{ "personId": "grace-hopper", "role": "lead" }] });
    assert_eq!(
        assistant.call_ok("save_person_or_team", team).await,
        json!({ "kind": "team", "id": "pay", "created": true, "url": "http://planroom.test/o/acme/teams/pay" })
    );
    let again = json!({ "kind": "team", "id": "pay", "members": [{ "personId": "grace-hopper" }] });
    assert_eq!(assistant.call_ok("save_person_or_team", again).await["created"], false);
    let stranger = json!({ "kind": "team", "id": "pay", "members": [{ "personId": "nobody" }] });
    assistant.call_err("save_person_or_team", stranger, "members[0].personId: there is no person `nobody`").await;
    let mixed = json!({ "kind": "team", "name": "X", "email": "x@example.org" });
    assistant.call_err("save_person_or_team", mixed, "email: is for a person").await;
    assistant.call_err("save_person_or_team", json!({ "kind": "person" }), "name: is required").await;

    let set = |stakeholders: serde_json::Value, keep: bool| json!({ "workspaceId": "w", "componentId": "a", "stakeholders": stakeholders, "keepOthers": keep });
    let person = json!({ "personId": "grace-hopper", "linkType": "owner" });
    let team = json!({ "teamId": "pay", "linkType": "support" });
    let now = assistant.call_ok("set_stakeholders", set(json!([person]), true)).await;
    assert_eq!((&now["added"], &now["removed"]), (&json!(1), &json!(0)));
    let now = assistant.call_ok("set_stakeholders", set(json!([person, team]), true)).await;
    assert_eq!((&now["added"], now["stakeholders"].as_array().unwrap().len()), (&json!(1), 2));
    let now = assistant.call_ok("set_stakeholders", set(json!([team]), false)).await;
    assert_eq!(
        (&now["removed"], &now["stakeholders"]),
        (&json!(1), &json!([{ "linkType": "support", "teamId": "pay", "name": "Payments" }]))
    );
    let wrong = set(json!([{ "teamId": "pay", "linkType": "boss" }]), true);
    assistant.call_err("set_stakeholders", wrong, "stakeholders[0].linkType: there is no role `boss`").await;
    let both = set(json!([{ "teamId": "pay", "personId": "grace-hopper", "linkType": "owner" }]), true);
    assistant.call_err("set_stakeholders", both, "stakeholders[0].teamId: must be left out").await;
}

#[tokio::test]
async fn an_assistant_links_components_to_pages() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let link = |url: &str| json!({ "workspaceId": "w", "componentId": "a", "url": url });
    let added = assistant.call_ok("add_component_link", link("https://example.org/runbook")).await;
    assert_eq!((&added["kind"], &added["url"]), (&json!("url"), &json!("https://example.org/runbook")));
    assistant.call_err("add_component_link", link("javascript:alert(1)"), "url: ").await;
    let nowhere = json!({ "workspaceId": "w", "componentId": "x", "url": "https://example.org" });
    assistant.call_err("add_component_link", nowhere, "component not found").await;
}

#[tokio::test]
async fn a_model_is_validated_by_a_dry_run_before_it_is_replaced() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let before = ada.bundle("w").await;
    let mut model = json!({ "workspaceId": "w", "dryRun": true, "relationships": [],
                            "components": [{ "id": "a", "typeId": "service", "name": "New" }, { "typeId": "job", "name": "C" }] });
    let tried = assistant.call_ok("replace_workspace_model", model.clone()).await;
    assert_eq!((&tried["dryRun"], &tried["revision"]), (&json!(true), &before["workspace"]["revision"]));
    assert_eq!(
        tried["deleted"],
        json!({ "componentCount": 1, "relationshipCount": 1, "components": ["b"], "relationships": ["r"] })
    );
    assert_eq!((&tried["created"]["components"], &tried["updated"]["components"]), (&json!(["c"]), &json!(["a"])));
    assert_eq!(ada.bundle("w").await, before);
    model["dryRun"] = json!(false);
    model["expectedRevision"] = tried["revision"].clone();
    let done = assistant.call_ok("replace_workspace_model", model).await;
    assert!(done["planId"].is_null(), "{done}");
    assert_eq!((&done["components"], &done["relationships"], &done["dryRun"]), (&json!(2), &json!(0), &json!(false)));
    assert_eq!(done["revision"], ada.revision("w").await);
    let wrong = json!({ "workspaceId": "w", "components": [{ "id": "a", "name": "A" }], "relationships": [] });
    assistant.call_err("replace_workspace_model", wrong, "components[0].typeId: is required").await;
    let wrong = json!({ "workspaceId": "w", "dryrun": true, "components": [], "relationships": [] });
    assistant.call_err("replace_workspace_model", wrong, "dryrun: the tool replace_workspace_model has no such").await;
}

#[tokio::test]
async fn an_assistant_writes_where_the_organization_can_edit_until_an_owner_ends_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_member("bob", "acme", "org:member");
    let assistant = server.assistant_of("bob").await;
    let rename = |name: &str| json!({ "workspaceId": "w", "components": [{ "id": "a", "name": name }] });
    assistant.call_err("upsert_components", rename("X"), "(code: forbidden)").await;
    ada.patch("/api/workspaces/w", json!({ "organizationAccess": "edit" })).await.ok();
    let listed = assistant.call_ok("list_workspaces", json!({})).await["workspaces"][0].clone();
    let shown = (&listed["organizationAccess"], &listed["visibility"], &listed["myRole"]);
    assert_eq!(shown, (&json!("edit"), &json!("org"), &json!("editor")));
    assistant.call_ok("upsert_components", rename("By an assistant")).await;
    ada.patch("/api/workspaces/w", json!({ "organizationAccess": "view" })).await.ok();
    assistant.call_err("upsert_components", rename("X"), "(code: forbidden)").await;
    let made = server.assistant_of("ada").await.call_ok("create_workspace", json!({ "name": "New" })).await;
    assert_eq!(made["workspace"]["organizationAccess"], "view");
    let change = json!({ "workspaceId": "w", "organizationAccess": "edit" });
    let no_argument = "organizationAccess: the tool update_workspace has no such argument";
    server.assistant_of("ada").await.call_err("update_workspace", change, no_argument).await;
}
