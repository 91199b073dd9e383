//! Writes that can be repeated, and that neither lose nor double anything.

use serde_json::{Value, json};

use crate::support::TestServer;

/// The call with the workspace `w`.
fn in_w(mut arguments: Value) -> Value {
    arguments["workspaceId"] = json!("w");
    arguments
}

#[tokio::test]
async fn repeating_a_write_changes_nothing() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let person = json!({ "kind": "person", "id": "grace", "name": "Grace Hopper" });
    let writes = [
        (
            "upsert_components",
            in_w(json!({ "components": [
            { "id": "a", "name": "Renamed", "properties": { "zone": "eu" }, "lifecycle": "live", "tags": ["x"] },
            { "id": "c", "typeId": "service", "name": "C" },
        ] })),
        ),
        (
            "upsert_relationships",
            in_w(json!({ "relationships": [
            { "sourceId": "c", "targetId": "a", "typeId": "writes", "label": "rows" },
            { "sourceId": "c", "targetId": "b", "typeId": "contains" },
        ] })),
        ),
        ("save_person_or_team", person),
        (
            "save_person_or_team",
            json!({ "kind": "team", "id": "t", "name": "T", "members": [{ "personId": "grace" }] }),
        ),
        (
            "set_stakeholders",
            in_w(json!({ "componentIds": ["a", "b"], "mode": "replaceRole",
            "stakeholders": [{ "teamId": "t", "linkType": "owner" }] })),
        ),
        ("add_component_link", in_w(json!({ "componentId": "a", "url": "https://example.org/runbook" }))),
        ("save_process", in_w(json!({ "processId": "pp", "name": "P", "mermaid": "sequenceDiagram\n A->>B: go" }))),
        (
            "save_view",
            in_w(json!({ "viewId": "vv", "name": "V", "definition": { "include": [{ "types": ["service"] }] } })),
        ),
        ("save_decision", in_w(json!({ "decisionId": "dd", "title": "D", "status": "accepted" }))),
        ("update_workspace", in_w(json!({ "name": "W" }))),
    ];
    for (tool, arguments) in &writes {
        assistant.call_ok(tool, arguments.clone()).await;
    }
    let size = server.log_sizes();
    for (tool, arguments) in &writes {
        let again = assistant.call_ok(tool, arguments.clone()).await;
        assert_eq!(server.log_sizes(), size, "{tool}: {again}");
        assert!(again["changeSetId"].is_null(), "{tool}: {again}");
        if tool.starts_with("upsert") {
            assert_eq!((&again["created"], &again["updated"]), (&json!([]), &json!([])), "{again}");
            assert_eq!(again["unchanged"].as_array().unwrap().len(), 2, "{again}");
        }
    }
    let names = [
        (
            "upsert_components",
            in_w(json!({ "components": [{ "typeId": "service", "name": "renamed" }] })),
            "component `a`",
        ),
        ("save_person_or_team", json!({ "kind": "person", "name": "Grace Hopper" }), "person `grace`"),
        ("save_person_or_team", json!({ "kind": "team", "name": "t" }), "team `t`"),
        ("save_process", in_w(json!({ "name": "P", "mermaid": "sequenceDiagram" })), "process `pp`"),
        ("save_view", in_w(json!({ "name": "v" })), "view `vv`"),
        ("create_workspace", json!({ "name": "w" }), "workspace `w`"),
    ];
    for (tool, arguments, text) in names {
        assistant.call_err(tool, arguments, &format!("name: the {text} has this name; ")).await;
    }
    let twice =
        in_w(json!({ "components": [{ "typeId": "job", "name": "Twin" }, { "typeId": "job", "name": "Twin" }] }));
    assistant.call_err("upsert_components", twice, "components[1].name: the component `twin`").await;
    assert_eq!(server.log_sizes(), size);
    // Both remedies.
    let second = in_w(json!({ "components": [{ "id": "second", "typeId": "service", "name": "Renamed" }] }));
    assert_eq!(assistant.call_ok("upsert_components", second).await["created"], json!(["second"]));
    let parallel = json!({ "id": "other", "sourceId": "c", "targetId": "a", "typeId": "writes" });
    let parallel = in_w(json!({ "relationships": [parallel] }));
    assert_eq!(assistant.call_ok("upsert_relationships", parallel).await["created"], json!(["other"]));
    let same = json!({ "sourceId": "c", "targetId": "a", "typeId": "writes", "label": "all rows" });
    let same = assistant.call_ok("upsert_relationships", in_w(json!({ "relationships": [same] }))).await;
    assert_eq!(same["updated"], json!(["c-writes-a"]));
}

#[tokio::test]
async fn properties_are_merged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let steps = [
        (json!({ "properties": { "zone": "eu", "tier": 1 } }), json!({ "zone": "eu", "tier": 1 })),
        (json!({ "lifecycle": "live" }), json!({ "zone": "eu", "tier": 1, "lifecycle": "live" })),
        (
            json!({ "properties": { "tier": null }, "lifecycle": "retired" }),
            json!({ "zone": "eu", "lifecycle": "retired" }),
        ),
        (json!({ "lifecycle": null }), json!({ "zone": "eu" })),
    ];
    for (mut change, expected) in steps {
        change["id"] = json!("a");
        assistant.call_ok("upsert_components", in_w(json!({ "components": [change] }))).await;
        let row = ada.get("/api/workspaces/w/components/a").await.ok();
        assert_eq!(row["component"]["properties"], expected);
    }
    let wrong = in_w(json!({ "components": [{ "id": "a", "lifecycle": "dead" }] }));
    let reply =
        assistant.ask("tools/call", json!({ "name": "upsert_components", "arguments": wrong })).await.to_string();
    assert!(reply.contains("lifecycle: unknown lifecycle state `dead`"), "{reply}");
    let label = |properties: Value| in_w(json!({ "relationships": [{ "id": "r", "properties": properties }] }));
    assistant.call_ok("upsert_relationships", label(json!({ "a": 1, "b": 2 }))).await;
    assistant.call_ok("upsert_relationships", label(json!({ "a": null }))).await;
    assert_eq!(ada.bundle("w").await["relationships"][0]["properties"], json!({ "b": 2 }));
    // REST still replaces them.
    ada.patch("/api/workspaces/w/components/a", json!({ "properties": { "only": true } })).await.ok();
    let row = ada.get("/api/workspaces/w/components/a").await.ok();
    assert_eq!(row["component"]["properties"], json!({ "only": true }));
}

#[tokio::test]
async fn a_write_to_an_old_state_is_refused_with_what_happened_since() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let read = assistant.call_ok("get_components", in_w(json!({ "componentIds": ["a"] }))).await;
    let revision = read["components"][0]["revision"].as_i64().unwrap();
    let of_map = ada.revision("w").await;
    ada.patch("/api/workspaces/w/components/a", json!({ "description": "Hers" })).await.ok();
    let change =
        |expected: i64| in_w(json!({ "components": [{ "id": "a", "name": "Mine", "expectedRevision": expected }] }));
    let told = assistant.call_err("upsert_components", change(revision), "(code: stale)").await;
    let now = ada.revision("w").await;
    assert!(told.contains("components[0]: `a` was changed by ada (rest) 0 s ago: description"), "{told}");
    assert!(told.contains(&format!("(revision {now}, you have {revision}); nothing was written")), "{told}");
    assistant.call_ok("upsert_components", change(now)).await;
    let gone = in_w(json!({ "components": [{ "id": "gone", "name": "X", "expectedRevision": 1 }] }));
    assistant.call_err("upsert_components", gone, "components[0].id: there is no component `gone`").await;
    let process = in_w(json!({ "processId": "pp", "name": "P", "mermaid": "sequenceDiagram" }));
    let saved = assistant.call_ok("save_process", process).await;
    ada.patch("/api/workspaces/w/processes/pp", json!({ "name": "Q" })).await.ok();
    let late = in_w(json!({ "processId": "pp", "name": "R", "expectedRevision": saved["revision"] }));
    assistant.call_err("save_process", late, "`pp` was changed by ada (rest) 0 s ago: name").await;
    // Deletions compare with the revision of the workspace, and only the rows that they affect.
    let delete = |id: &str| in_w(json!({ "componentIds": [id], "expectedRevision": of_map }));
    assistant
        .call_err("delete_components", delete("a"), "component `a` was changed by ada (mcp) 0 s ago: description, name")
        .await;
    assistant.call_ok("delete_components", delete("b")).await;
}

#[tokio::test]
async fn everything_wrong_with_a_batch_is_told_at_once() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["mediawiki", "orders-db"]).await;
    let assistant = server.assistant_of("ada").await;
    let before = server.log_sizes();
    let invalid = in_w(json!({ "components": [
        { "id": "x", "typeId": "service", "name": "" },
        { "id": "y", "typeId": "service", "name": "Y" },
        { "id": "z", "typeId": "service", "name": "Z", "colour": "red" },
        { "id": "a", "x": 1e10 },
    ] }));
    let told = assistant.call_err("upsert_components", invalid, "3 of 4 items are wrong; nothing was written:").await;
    for text in ["components[0].name: must have", "components[2].colour: the tool", "components[3].x: must be within"] {
        assert!(told.contains(&format!("\n- {text}")), "{text}: {told}");
    }
    let groups = in_w(json!({ "components": [
        { "id": "a", "parentId": "orders" },
        { "id": "part", "typeId": "service", "name": "Part", "parentId": "group" },
        { "id": "group", "typeId": "service", "name": "Group" },
        { "typeId": "service", "name": "Other", "parentId": "media-wiki" },
    ] }));
    let told = assistant.call_err("upsert_components", groups, "2 of 4 items are wrong").await;
    for text in [
        "components[0].parentId: there is no component `orders`; near: `orders-db`",
        "components[3].parentId: there is no component `media-wiki`; near: `mediawiki`",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    let unknown = in_w(json!({ "relationships": [
        { "sourceId": "MediaWiki", "targetId": "a", "typeId": "uses" },
        { "sourceId": "a", "targetId": "orders", "typeId": "uses" },
        { "sourceId": "a", "targetId": "b", "typeId": "likes" },
        { "sourceId": "a", "targetId": "b", "typeId": "uses" },
    ] }));
    let told = assistant.call_err("upsert_relationships", unknown, "3 of 4 items are wrong").await;
    for text in [
        "relationships[0].sourceId: there is no component `MediaWiki`; near: `mediawiki`",
        "relationships[1].targetId: there is no component `orders`; near: `orders-db`",
        "relationships[2].typeId: unknown relation type `likes`; get_type_catalogue",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert!(told.contains("(code: invalid)"), "{told}");
    let many: Vec<Value> = (0..50).map(|n| json!({ "id": format!("n{n}"), "name": "" })).collect();
    let told = assistant.call_err("upsert_components", in_w(json!({ "components": many })), "50 of 50 items").await;
    assert_eq!(told.matches("\n- components").count(), 20, "{told}");
    assert!(told.contains("\n- … (the first errors are listed)"), "{told}");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn types_and_rules_are_checked_in_one_round() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["orders-db"]).await;
    let assistant = server.assistant_of("ada").await;
    let before = server.log_sizes();
    // As the schemas do not allow these, the calls are sent as they are.
    let send = async |tool: &str, arguments: Value| {
        let reply = assistant.ask("tools/call", json!({ "name": tool, "arguments": in_w(arguments) })).await.ok();
        assert_eq!(reply["result"]["isError"], true, "{reply}");
        reply["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let mixed = json!({ "components": [
        { "id": "n", "typeId": "servise", "name": "N" },
        { "id": "group", "typeId": "service", "name": 7, "colour": "red" },
        { "id": "m", "typeId": "service", "name": "M", "parentId": "orders" },
        "text",
        { "id": "part", "typeId": "service", "name": "Part", "parentId": "group" },
        { "id": "o", "typeId": "service", "name": "" },
        { "id": "p", "name": "P" },
    ] });
    let told = send("upsert_components", mixed).await;
    assert!(told.starts_with("6 of 7 items are wrong; nothing was written:"), "{told}");
    for text in [
        "components[0].typeId: unknown component type `servise`; near: `service`",
        "components[1].name: ",
        "components[1].colour: the tool upsert_components has no such argument",
        "components[2].parentId: there is no component `orders`; near: `orders-db`",
        "components[3]: ",
        "components[5].name: must have 1 to 200 characters, has 0",
        "components[6].typeId: is required",
    ] {
        assert!(told.contains(&format!("\n- {text}")), "{text}: {told}");
    }
    assert!(!told.contains("components[4]"), "its group is wrong, and told: {told}");
    let mixed = json!({ "relationships": [
        { "sourceId": 1, "targetId": "a", "typeId": "uses" },
        { "sourceId": "a", "targetId": "orders", "typeId": "uses" },
        { "sourceId": "a", "targetId": "b", "typeId": "uses" },
    ] });
    let told = send("upsert_relationships", mixed).await;
    assert!(told.starts_with("2 of 3 items are wrong"), "{told}");
    for text in ["relationships[0].sourceId: ", "relationships[1].targetId: there is no component `orders`; near:"] {
        assert!(told.contains(text), "{text}: {told}");
    }
    let all_wrong = send("upsert_components", json!({ "components": [{ "colour": 1 }] })).await;
    assert!(all_wrong.starts_with("components[0].colour: the tool"), "{all_wrong}");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn unambiguous_arguments_are_accepted() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    // As the schemas do not allow these, the calls are sent as they are.
    let send = |tool: &'static str, arguments: Value| {
        let assistant = &assistant;
        async move {
            let reply = assistant.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await.ok();
            assert_eq!(reply["result"]["isError"], false, "{reply}");
            reply["result"]["structuredContent"].clone()
        }
    };
    let one = in_w(json!({ "components": { "id": "c", "typeId": "service", "name": "C", "x": "10", "y": "20" } }));
    assert_eq!(send("upsert_components", one).await["created"], json!(["c"]));
    let text = in_w(json!({ "components": "[{\"id\": \"d\", \"typeId\": \"service\", \"name\": \"D\"}]" }));
    assert_eq!(send("upsert_components", text).await["created"], json!(["d"]));
    let dry = in_w(json!({ "componentIds": "c", "dryRun": "true" }));
    assert_eq!(send("delete_components", dry).await["dryRun"], true);
    let fenced = "```mermaid\nsequenceDiagram\n  A->>B: go\n```";
    let saved = assistant.call_ok("save_process", in_w(json!({ "name": "Go", "mermaid": fenced }))).await;
    assert_eq!((&saved["steps"], &saved["diagnostics"]), (&json!(1), &json!([])));
}

#[tokio::test]
async fn deletions_and_renames_name_their_consequences() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    server.attach_everything_to("w", "a");
    ada.create_components("w", &["part"]).await;
    let part = json!({ "sourceId": "a", "targetId": "part", "typeId": "contains" });
    assistant.call_ok("upsert_relationships", in_w(json!({ "relationships": [part] }))).await;
    let process = in_w(json!({ "name": "Pay", "mermaid": "sequenceDiagram\n  participant X as Old name\n  X->>Y: go",
                               "participants": { "X": "a" } }));
    assistant.call_ok("save_process", process).await;
    let rename = |name: &str| in_w(json!({ "components": [{ "id": "a", "name": name }] }));
    assert!(assistant.call_ok("upsert_components", rename("Old name")).await["namedIn"].is_null());
    let renamed = assistant.call_ok("upsert_components", rename("New name")).await;
    assert_eq!(renamed["namedIn"], json!({ "a": ["pay"] }));

    let size = server.log_sizes();
    let mut delete = in_w(json!({ "componentIds": ["a"], "dryRun": true }));
    let tried = assistant.call_ok("delete_components", delete.clone()).await;
    assert_eq!((server.log_sizes(), &tried["dryRun"]), (size, &json!(true)));
    assert_eq!(
        (&tried["orphans"], tried["processesBroken"].as_array().unwrap().last()),
        (&json!(["part"]), Some(&json!("pay")))
    );
    let details = ada.get("/api/workspaces/w/components/a").await.ok();
    let count = |list: &str| json!(details[list].as_array().unwrap().len());
    let expected = json!({ "relationships": 2, "stakeholders": count("stakeholders"), "links": count("links") });
    assert_eq!(tried["withThem"], expected);
    assert_eq!(tried["revision"], ada.revision("w").await);
    delete["dryRun"] = json!(false);
    delete["expectedRevision"] = tried["revision"].clone();
    let gone = assistant.call_ok("delete_components", delete).await;
    assert_eq!((&gone["deleted"], &gone["withThem"]), (&json!(["a"]), &expected));
    let again = in_w(json!({ "componentIds": ["a"], "dryRun": true }));
    assistant.call_err("delete_components", again, "componentIds[0]: there is no component `a`").await;
}

#[tokio::test]
async fn a_role_is_replaced_on_many_components() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    for id in ["one", "two"] {
        ada.post("/api/teams", json!({ "id": id, "name": id })).await.created();
    }
    let set = |ids: Value, mode: &str, holders: Value| {
        in_w(json!({ "componentIds": ids, "mode": mode, "stakeholders": holders }))
    };
    let holder = |team: &str, role: &str| json!({ "teamId": team, "linkType": role });
    let both = json!([holder("one", "owner"), holder("one", "support")]);
    let added = assistant.call_ok("set_stakeholders", set(json!(["a", "b"]), "add", both)).await;
    assert_eq!((&added["added"], added["stakeholders"].as_array().unwrap().len()), (&json!(4), 4));
    let replaced = set(json!(["a", "b"]), "replaceRole", json!([holder("two", "owner")]));
    let replaced = assistant.call_ok("set_stakeholders", replaced).await;
    assert_eq!((&replaced["added"], &replaced["removed"]), (&json!(2), &json!(2)));
    let gone = json!({ "componentId": "a", "linkType": "owner", "teamId": "one", "name": "one" });
    assert_eq!(replaced["detached"][0], gone);
    let removed = set(json!(["a"]), "remove", json!([holder("one", "support"), holder("one", "owner")]));
    let removed = assistant.call_ok("set_stakeholders", removed).await;
    assert_eq!((&removed["removed"], removed["stakeholders"].as_array().unwrap().len()), (&json!(1), 1));
    let all = assistant.call_ok("set_stakeholders", set(json!(["b"]), "replaceAll", json!([]))).await;
    assert_eq!(all["removed"], 2);
    let near = set(json!(["a", "nowhere"]), "add", json!([holder("one", "owner")]));
    assistant.call_err("set_stakeholders", near, "componentIds[1]: there is no component `nowhere`").await;
    let mut mixed = set(json!(["a"]), "add", json!([]));
    mixed["componentId"] = json!("a");
    assistant.call_err("set_stakeholders", mixed, "componentId: must be left out").await;
    assistant.call_err("set_stakeholders", in_w(json!({ "stakeholders": [] })), "componentIds: is required").await;
}
