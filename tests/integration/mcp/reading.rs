//! Every tool that reads: its purpose, and likely mistakes.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

/// A shop: `web` calls `checkout`, which writes `orders-db` and contains `cart`; Grace owns `checkout`.
pub async fn shop(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    let model = json!({
        "workspace": { "name": "Shop", "description": "All that sells" },
        "components": [
            { "id": "web", "typeId": "web-app", "name": "Web shop" },
            { "id": "checkout", "typeId": "service", "name": "Checkout", "description": "Takes orders\nand charges cards" },
            { "id": "cart", "typeId": "library", "name": "Cart" },
            { "id": "orders-db", "typeId": "database", "name": "Orders" },
        ],
        "relationships": [
            { "id": "r1", "sourceId": "web", "targetId": "checkout", "typeId": "calls", "label": "orders" },
            { "id": "r2", "sourceId": "checkout", "targetId": "orders-db", "typeId": "writes" },
            { "id": "r3", "sourceId": "checkout", "targetId": "cart", "typeId": "contains" },
        ],
    });
    ada.put("/api/workspaces/shop/bulk", model).await.ok();
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace Hopper" })).await.created();
    let owner = json!({ "personId": "grace", "linkType": "owner" });
    ada.post("/api/workspaces/shop/components/checkout/stakeholders", owner).await.created();
    let link = json!({ "url": "https://example.org/runbook" });
    ada.post("/api/workspaces/shop/components/checkout/links", link).await.created();
    let process = json!({
        "id": "check-out", "name": "Check out",
        "mermaid": "sequenceDiagram\n  Web->>Pay: charge the card", "participants": { "Web": "web" },
    });
    ada.post("/api/workspaces/shop/processes", process).await.created();
    ada
}

#[tokio::test]
async fn an_assistant_learns_its_user_and_the_catalogue() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    let me = assistant.call_ok("get_me", json!({})).await;
    assert_eq!((&me["login"], &me["orgSlug"]), (&json!("ada"), &json!("acme")));
    let types = assistant.call_ok("get_type_catalogue", json!({})).await;
    assert!(types["componentTypes"].as_array().unwrap().contains(&json!({ "id": "service", "name": "Service" })));
    assert!(types["relationTypes"].to_string().contains("related-to"));
    assert_eq!(types["kinds"], json!([]));
    let tier = json!({ "key": "tier", "name": "Tier", "type": "choice", "choices": ["1", "2"] });
    let kind = json!({ "name": "Worker", "baseType": "job", "logo": "redis", "fields": [tier] });
    server.sign_in("ada").await.post("/api/kinds", kind).await.created();
    let types = assistant.call_ok("get_type_catalogue", json!({})).await;
    let tier = json!({ "key": "tier", "type": "choice", "choices": ["1", "2"] });
    let kind = json!({ "id": "worker", "name": "Worker", "baseType": "job", "fields": [tier] });
    assert_eq!(types["kinds"], json!([kind]));
    assistant
        .call_err(
            "get_type_catalogue",
            json!({ "kind": "component" }),
            "kind: the tool get_type_catalogue has no such argument",
        )
        .await;
}

#[tokio::test]
async fn an_assistant_lists_workspaces_and_reads_an_overview() {
    let server = TestServer::new().await;
    shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let listed = assistant.call_ok("list_workspaces", json!({})).await;
    assert_eq!((&listed["workspaces"][0]["id"], &listed["workspaces"][0]["myRole"]), (&json!("shop"), &json!("owner")));
    assert_eq!(listed["truncated"], false);
    assistant.call_err("list_workspaces", json!({ "cursor": "next" }), "cursor: must be the `nextCursor`").await;

    let all = json!({ "workspaceId": "shop", "include": ["components", "relationships", "processes", "stakeholders"] });
    let shop = assistant.call_ok("get_workspace", all).await;
    assert_eq!(
        shop["counts"],
        json!({ "components": 4, "relationships": 3, "processes": 1, "stakeholders": 1, "notes": 0 })
    );
    let table = |name: &str| {
        shop["tables"].as_array().unwrap().iter().find(|table| table["name"] == name).unwrap()["rows"].clone()
    };
    assert_eq!(table("components")[0], json!(["web", "web-app", "Web shop", "", "", "", "", ""]));
    assert_eq!(table("components")[2], json!(["cart", "library", "Cart", "checkout", "", "", "", ""]));
    assert_eq!(table("components")[1][5], "grace");
    let relationships =
        json!([["r1", "web", "calls", "checkout", "orders"], ["r2", "checkout", "writes", "orders-db", ""]]);
    assert_eq!(table("relationships"), relationships, "containment is the parent of a component");
    assert_eq!(table("processes")[0], json!(["check-out", "Check out", ""]));
    assert_eq!(table("stakeholders")[0], json!(["checkout", "owner", "grace", null, "Grace Hopper"]));
    let counts = assistant.call_ok("get_workspace", json!({ "workspaceId": "shop", "include": [] })).await;
    assert_eq!((&counts["tables"], &counts["counts"]["components"]), (&json!([]), &json!(4)));
    let wrong = json!({ "workspaceId": "shop", "include": ["people"] });
    assistant.call_err("get_workspace", wrong, "include[0]: must be one of").await;
}

#[tokio::test]
async fn an_assistant_searches_by_name() {
    let server = TestServer::new().await;
    shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let ids = |found: &Value| -> Vec<String> {
        found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    for (query, expected) in [
        ("Checkout", vec!["checkout"]),
        ("checkOUT", vec!["checkout"]),
        ("orders", vec!["orders-db", "r1", "checkout"]),
        ("charges cards", vec!["checkout"]),
        ("charge card", vec!["checkout", "check-out"]),
        ("database", vec!["orders-db"]),
        ("nothing like it", vec![]),
    ] {
        let found = ids(&assistant.call_ok("search", json!({ "query": query, "workspaceId": "shop" })).await);
        assert_eq!(found, expected, "{query}");
    }
    let everywhere = assistant.call_ok("search", json!({ "query": "shop", "kinds": ["workspace"] })).await;
    assert_eq!(
        everywhere["hits"],
        json!([{ "kind": "workspace", "workspaceId": "shop", "id": "shop", "name": "Shop",
                                            "excerpt": "All that sells" }])
    );
    assistant.call_err("search", json!({ "query": "  " }), "query: must have a word").await;
    assistant
        .call_err("search", json!({ "query": "x".repeat(201) }), "query: must have 1 to 200 characters, has 201")
        .await;
    assistant
        .call_err("search", json!({ "query": "x", "workspaceId": "w" }), "workspace not found (code: not_found)")
        .await;
}

#[tokio::test]
async fn an_assistant_reads_components_with_related_rows() {
    let server = TestServer::new().await;
    shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "workspaceId": "shop", "componentIds": ["checkout", "Web"] });
    let read = assistant.call_ok("get_components", ask).await;
    assert_eq!(read["missing"], json!(["Web"]), "ids are case-sensitive");
    let checkout = &read["components"][0];
    assert_eq!(
        checkout["incoming"],
        json!([{ "relationshipId": "r1", "typeId": "calls", "componentId": "web", "label": "orders" }])
    );
    assert_eq!(checkout["outgoing"].as_array().unwrap().len(), 2);
    assert_eq!(checkout["stakeholders"], json!([{ "linkType": "owner", "personId": "grace", "name": "Grace Hopper" }]));
    assert_eq!(checkout["links"][0]["url"], "https://example.org/runbook");
    let none = json!({ "workspaceId": "shop", "componentIds": [] });
    assistant.call_err("get_components", none, "componentIds: must have 1 to 20").await;
    let many = json!({ "workspaceId": "shop", "componentIds": vec!["web"; 21] });
    assistant.call_err("get_components", many, "componentIds: must have at most 20 items").await;
    let wrong = json!({ "workspaceId": "shop", "componentIds": [7] });
    assistant.call_err("get_components", wrong, "componentIds[0]: invalid type: integer `7`, expected a string").await;
}

#[tokio::test]
async fn an_assistant_traces_dependencies() {
    let server = TestServer::new().await;
    shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let trace =
        assistant.call_ok("trace_dependencies", json!({ "workspaceId": "shop", "componentId": "orders-db" })).await;
    assert_eq!((&trace["direction"], &trace["total"]), (&json!("dependents"), &json!(2)));
    assert_eq!(trace["reached"][1]["path"], json!(["orders-db", "checkout", "web"]));
    assert_eq!(
        (&trace["owners"], &trace["processes"]),
        (&json!([["person", "grace", "Grace Hopper", 1]]), &json!(["check-out"]))
    );
    let asked = json!({ "workspaceId": "shop", "componentId": "orders-db" });
    let answer = assistant.result("tools/call", json!({ "name": "trace_dependencies", "arguments": asked })).await;
    let text: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text["columns"], json!(["componentId", "name", "distance", "through", "typeId", "label"]));
    let rows = json!([
        ["checkout", "Checkout", 1, "orders-db", "writes", ""],
        ["web", "Web shop", 2, "checkout", "calls", "orders"]
    ]);
    assert_eq!((&text["rows"], &text["total"], &text["reached"]), (&rows, &json!(2), &Value::Null));
    let ask = json!({ "workspaceId": "shop", "componentId": "web", "direction": "dependencies", "depth": 1 });
    assert_eq!(assistant.call_ok("trace_dependencies", ask).await["reached"][0]["path"], json!(["web", "checkout"]));
    let ask =
        json!({ "workspaceId": "shop", "componentId": "web", "direction": "dependencies", "relationTypes": ["calls"] });
    assert_eq!(assistant.call_ok("trace_dependencies", ask).await["total"], 1);
    let up = json!({ "workspaceId": "shop", "componentId": "web", "direction": "up" });
    assistant.call_err("trace_dependencies", up, "must be `dependents` or `dependencies`, not `up`").await;
    let missing = json!({ "workspaceId": "shop", "componentId": "nothing" });
    assistant.call_err("trace_dependencies", missing, "component not found").await;
    let deep = json!({ "workspaceId": "shop", "componentId": "web", "depth": 101 });
    assistant.call_err("trace_dependencies", deep, "depth: must be 1 to 100").await;

    let paths =
        assistant.call_ok("find_paths", json!({ "workspaceId": "shop", "from": "web", "to": "orders-db" })).await;
    let expected = json!([{ "componentIds": ["web", "checkout", "orders-db"], "relationshipIds": ["r1", "r2"],
                            "relationTypeIds": ["calls", "writes"] }]);
    assert_eq!((&paths["paths"], &paths["complete"]), (&expected, &json!(true)));
    let back =
        assistant.call_ok("find_paths", json!({ "workspaceId": "shop", "from": "orders-db", "to": "web" })).await;
    assert_eq!(back["paths"], json!([]));
    let typed = json!({ "workspaceId": "shop", "from": "web", "to": "cart", "relationTypes": ["call"] });
    assistant
        .call_err("find_paths", typed, "unknown relation type `call`; near: `calls`; get_type_catalogue lists them")
        .await;
}

#[tokio::test]
async fn an_assistant_reads_a_process_and_the_directory() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let read = assistant.call_ok("get_process", json!({ "workspaceId": "shop", "processId": "check-out" })).await;
    assert_eq!(
        (&read["unresolved"], &read["participants"], &read["stepCount"]),
        (&json!(["Pay"]), &json!({ "Web": "web" }), &json!(1))
    );
    assert_eq!(read["steps"][0]["from"], "web", "the component");
    assert_eq!(read["steps"][0]["to"], "Pay", "the alias, because there is no component");
    assistant.call_err("get_process", json!({ "workspaceId": "shop", "processId": "pay" }), "process not found").await;

    let long = format!("sequenceDiagram\n{}", "  Web->>Pay: \"ü\"\n".repeat(3_000));
    ada.patch("/api/workspaces/shop/processes/check-out", json!({ "mermaid": long })).await.ok();
    let (mut text, mut cursor) = (String::new(), Value::Null);
    loop {
        let mut ask = json!({ "workspaceId": "shop", "processId": "check-out" });
        if !cursor.is_null() {
            ask["cursor"] = cursor;
        }
        let piece = assistant.call_ok("get_process", ask).await;
        text.push_str(piece["mermaid"].as_str().unwrap());
        assert_eq!(piece["truncated"], !piece["nextCursor"].is_null());
        cursor = piece["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(text, long);

    ada.post("/api/teams", json!({ "id": "payments", "name": "Payments" })).await.created();
    ada.post("/api/teams/payments/members", json!({ "personId": "grace", "role": "lead" })).await.created();
    let directory = assistant.call_ok("list_people_and_teams", json!({})).await;
    assert_eq!(
        directory["teams"],
        json!([{ "id": "payments", "name": "Payments", "leadIds": ["grace"], "memberIds": [] }])
    );
    assert!(directory["roles"].to_string().contains("business-owner"));
    assert!(directory["people"].to_string().contains("Grace Hopper"));
}

#[tokio::test]
async fn notes_are_read_only_on_request() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = format!("The secret of this map.\n{}", "More. ".repeat(200));
    for new in [json!({ "text": text, "x": 0, "y": 0 }), json!({ "kind": "frame", "text": "F", "x": 0, "y": 0 })] {
        ada.post("/api/workspaces/w/notes", new).await.created();
    }
    let assistant = server.assistant_of("ada").await;
    let plain = assistant.call_ok("get_workspace", json!({ "workspaceId": "w" })).await;
    assert_eq!(plain["counts"]["notes"], 2);
    let details = json!({ "workspaceId": "w", "componentIds": ["a", "b"] });
    let details = assistant.call_ok("get_components", details).await;
    let traced = json!({ "workspaceId": "w", "componentId": "a" });
    let traced = assistant.call_ok("trace_dependencies", traced).await;
    for answer in [&plain, &details, &traced] {
        assert!(!answer.to_string().contains("secret of"), "{answer}");
    }
    let asked = assistant.call_ok("get_workspace", json!({ "workspaceId": "w", "include": ["notes"] })).await;
    let expected = json!([{
        "name": "notes", "columns": ["id", "kind", "text"], "rows": [["note", "note", text], ["frame", "frame", "F"]],
    }]);
    assert_eq!(asked["tables"], expected);
}

#[tokio::test]
async fn a_note_that_is_too_long_for_a_page_continues_on_the_next_one() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long: String = "\u{56fe}\u{8868}\"\n".chars().cycle().take(9_999).chain(['x']).collect();
    ada.patch("/api/workspaces/w", json!({ "description": long })).await.ok();
    for (id, text) in [("a", "Short"), ("b", &*long), ("c", &*long), ("d", "Last")] {
        ada.post("/api/workspaces/w/notes", json!({ "id": id, "text": text, "x": 0, "y": 0 })).await.created();
    }
    let assistant = server.assistant_of("ada").await;
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut ask = json!({ "workspaceId": "w", "include": ["notes"] });
    let mut pages = 0;
    loop {
        let page = assistant.call_ok("get_workspace", ask.clone()).await;
        for row in page["tables"][0]["rows"].as_array().into_iter().flatten() {
            let [id, text] = [&row[0], &row[2]].map(|value| value.as_str().unwrap().to_owned());
            match texts.last_mut() {
                Some((last, begin)) if *last == id => {
                    assert_eq!(begin.pop(), Some('\u{2026}'), "a part that continues ends with an ellipsis");
                    begin.push_str(&text);
                }
                _ => texts.push((id, text)),
            }
        }
        pages += 1;
        assert_eq!(page["truncated"], page["nextCursor"].is_string());
        if page["nextCursor"].is_null() {
            break;
        }
        assert!(pages < 9, "{page}");
        ask["cursor"] = page["nextCursor"].clone();
    }
    let expected = [("a", "Short"), ("b", &*long), ("c", &*long), ("d", "Last")];
    assert_eq!(texts, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
    let wrong = json!({ "workspaceId": "w", "include": ["notes"], "cursor": "1:x" });
    assistant.call_err("get_workspace", wrong, "cursor: must be the `nextCursor`").await;
}
