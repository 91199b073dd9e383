//! Reading a part of a workspace, as a text, and by conditions; and suggestions for what is not found.

use serde_json::{Value, json};

use super::reading::shop;
use crate::support::TestServer;

#[tokio::test]
async fn an_assistant_reads_a_workspace_as_a_text_and_in_part() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let lifecycle = json!({ "properties": { "lifecycle": "live", "kind": "worker" } });
    ada.patch("/api/workspaces/shop/components/cart", lifecycle).await.ok();
    let assistant = server.assistant_of("ada").await;
    let outline = assistant.call_ok("get_workspace", json!({ "workspaceId": "shop", "format": "outline" })).await;
    let expected = "web [web-app] Web shop\n  -> checkout calls: orders\n\
                    checkout [service] Checkout \u{b7} owned by grace\n  -> orders-db writes\n  \
                    cart [library/worker] Cart \u{b7} live\n\
                    orders-db [database] Orders";
    assert_eq!((&outline["text"], &outline["truncated"]), (&json!(expected), &json!(false)));
    assert_eq!(outline["counts"]["relationships"], 3);
    let chart = assistant.call_ok("get_workspace", json!({ "workspaceId": "shop", "format": "mermaid" })).await;
    let expected = "flowchart LR\n  web[\"Web shop\"]\n  subgraph checkout [\"Checkout\"]\n    cart[\"Cart\"]\n  end\n  \
                    orders-db[\"Orders\"]\n  web -->|\"orders\"| checkout\n  checkout -->|\"writes\"| orders-db\n";
    assert_eq!((&chart["text"], &chart["listed"]), (&json!(expected), &Value::Null));

    let near = |id: &str, depth: u32| json!({ "workspaceId": "shop", "around": { "componentId": id, "depth": depth } });
    let ids = |answer: &Value| -> Vec<String> {
        let rows = answer["tables"][0]["rows"].as_array().unwrap().iter();
        rows.map(|row| row[0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&assistant.call_ok("get_workspace", near("cart", 1)).await), ["checkout", "cart"]);
    let two = assistant.call_ok("get_workspace", near("web", 2)).await;
    assert_eq!(ids(&two), ["web", "checkout", "cart", "orders-db"]);
    let one = assistant.call_ok("get_workspace", near("web", 1)).await;
    assert_eq!(
        (ids(&one), &one["tables"][1]["rows"]),
        (vec!["web".into(), "checkout".into()], &json!([["r1", "web", "calls", "checkout", "orders"]]))
    );
    let mut outline = near("cart", 1);
    outline["format"] = json!("outline");
    let outline = assistant.call_ok("get_workspace", outline).await;
    assert!(!outline["text"].as_str().unwrap().contains("orders-db"), "{outline}");
    assistant.call_err("get_workspace", near("nothing", 1), "component not found").await;
    assistant.call_err("get_workspace", near("web", 11), "around.depth: must be 1 to 10").await;
    let wrong = json!({ "workspaceId": "shop", "format": "svg" });
    assistant.call_err("get_workspace", wrong, "format: must be one of").await;
}

#[tokio::test]
async fn an_assistant_queries_components() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let change = json!({ "tags": ["PCI"], "technology": ["Rust"], "properties": { "lifecycle": "deprecated" } });
    ada.patch("/api/workspaces/shop/components/checkout", change).await.ok();
    let stream = json!({ "sourceId": "orders-db", "targetId": "web", "typeId": "streams-to" });
    ada.post("/api/workspaces/shop/relationships", stream).await.created();
    let twice = json!({ "sourceId": "web", "targetId": "checkout", "typeId": "uses" });
    ada.post("/api/workspaces/shop/relationships", twice).await.created();
    let assistant = server.assistant_of("ada").await;
    let ranked = json!({ "workspaceId": "shop", "sortBy": "dependents", "limit": 2 });
    let first = assistant.call_ok("query_components", ranked.clone()).await;
    assert_eq!(
        first["columns"],
        json!(["id", "typeId", "name", "parent", "lifecycle", "owners", "dependents", "dependencies"])
    );
    let rows = json!([
        ["checkout", "service", "Checkout", "", "deprecated", "grace", 1, 1],
        ["orders-db", "database", "Orders", "", "", "", 2, 0],
    ]);
    assert_eq!((&first["rows"][0], &first["rows"][1]), (&rows[1], &rows[0]), "a stream makes its target depend on it");
    assert_eq!((&first["total"], &first["nextCursor"]), (&json!(4), &json!("2")));
    let mut next = ranked;
    next["cursor"] = json!("2");
    let next = assistant.call_ok("query_components", next).await;
    let ids = |found: &Value, column: usize| -> Vec<String> {
        found["rows"].as_array().unwrap().iter().map(|row| row[column].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((ids(&next, 0), &next["truncated"]), (vec!["cart".into(), "web".into()], &json!(false)));
    for (condition, expected) in [
        (json!({ "typeIds": ["database", "library"] }), vec!["cart", "orders-db"]),
        (json!({ "lifecycle": "deprecated" }), vec!["checkout"]),
        (json!({ "ownerId": "grace" }), vec!["checkout"]),
        (json!({ "withoutOwner": true }), vec!["cart", "orders-db", "web"]),
        (json!({ "withoutOwner": false }), vec!["checkout"]),
        (json!({ "parentId": "checkout" }), vec!["cart"]),
        (json!({ "tag": "pci" }), vec!["checkout"]),
        (json!({ "technology": "rust", "lifecycle": "live" }), vec![]),
        (json!({ "unrelated": true }), vec!["cart"]),
        (json!({ "unrelated": false, "sortBy": "dependencies" }), vec!["web", "checkout", "orders-db"]),
    ] {
        let mut ask = condition.clone();
        ask["workspaceId"] = json!("shop");
        assert_eq!(ids(&assistant.call_ok("query_components", ask).await, 0), expected, "{condition}");
        // The same across workspaces.
        assert_eq!(ids(&assistant.call_ok("query_components", condition.clone()).await, 1), expected, "{condition}");
    }
    let latest = assistant.call_ok("query_components", json!({ "sortBy": "updatedAt" })).await;
    assert_eq!((&latest["columns"][9], latest["rows"][0][9].is_i64()), (&json!("updatedAt"), true));
    for (wrong, error) in [
        (json!({ "limit": 0 }), "limit: must be 1 to 200"),
        (json!({ "typeIds": ["service", "x"] }), "typeIds[1]: unknown component type `x`"),
        (json!({ "lifecycle": "dead" }), "lifecycle: unknown lifecycle state `dead`"),
        (json!({ "workspaceId": "nowhere" }), "workspace not found"),
        (json!({ "sortBy": "age" }), "sortBy: must be one of"),
        (json!({ "ownerId": "grce" }), "ownerId: there is no person or team `grce`; list_people_and_teams lists them"),
        (
            json!({ "workspaceId": "shop", "parentId": "chekout" }),
            "parentId: there is no component `chekout`; near: `checkout`",
        ),
        (json!({ "cursor": "x" }), "cursor: must be the `nextCursor`"),
    ] {
        assistant.call_err("query_components", wrong, error).await;
    }
}

#[tokio::test]
async fn ids_that_do_not_exist_are_answered_with_similar_ones() {
    let server = TestServer::new().await;
    shop(&server).await;
    let olga = {
        server.seed_org("other", "olga");
        server.sign_in("olga").await
    };
    olga.post("/api/workspaces", json!({ "id": "shops", "name": "Shops" })).await.created();
    let assistant = server.assistant_of("ada").await;
    for (tool, ask, error) in [
        ("get_workspace", json!({ "workspaceId": "shp" }), "workspace not found; near: `shop` (code: not_found)"),
        (
            "trace_dependencies",
            json!({ "workspaceId": "shop", "componentId": "Orders" }),
            "component not found: `Orders`; near: `orders-db` (code: not_found)",
        ),
        (
            "find_paths",
            json!({ "workspaceId": "shop", "from": "web", "to": "chekout" }),
            "component not found: `chekout`; near: `checkout` (code: not_found)",
        ),
        (
            "get_process",
            json!({ "workspaceId": "shop", "processId": "checkout" }),
            "process not found: `checkout`; near: `check-out` (code: not_found)",
        ),
        (
            "get_workspace",
            json!({ "workspaceId": "shop", "around": { "componentId": "xyz" } }),
            "component not found: `xyz` (code: not_found)",
        ),
    ] {
        assistant.call_err(tool, ask, error).await;
    }
    // Workspaces that the caller cannot read are not suggested.
    let told = assistant.call_err("get_workspace", json!({ "workspaceId": "shopss" }), "near: `shop`").await;
    assert!(!told.contains("shops`"), "{told}");
}

#[tokio::test]
async fn a_search_is_limited_and_suggests_similar_words() {
    let server = TestServer::new().await;
    shop(&server).await;
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "query": "orders", "workspaceId": "shop", "limit": 2 });
    let first = assistant.call_ok("search", ask.clone()).await;
    assert_eq!((first["hits"].as_array().unwrap().len(), &first["total"]), (2, &json!(3)));
    let relationship = first["hits"].as_array().unwrap().iter().find(|hit| hit["kind"] == "relationship").unwrap();
    assert_eq!((&relationship["sourceId"], &relationship["targetId"]), (&json!("web"), &json!("checkout")));
    let mut next = ask;
    next["cursor"] = first["nextCursor"].clone();
    let next = assistant.call_ok("search", next).await;
    assert_eq!((next["hits"].as_array().unwrap().len(), &next["truncated"]), (1, &json!(false)));
    for (query, expected) in
        [("databse", json!(["Database"])), ("Chekout", json!(["Checkout"])), ("nothing like it", Value::Null)]
    {
        let found = assistant.call_ok("search", json!({ "query": query })).await;
        assert_eq!((&found["didYouMean"], &found["hits"]), (&expected, &json!([])), "{query}");
    }
    assistant.call_err("search", json!({ "query": "x", "limit": 101 }), "limit: must be 1 to 100").await;
}

#[tokio::test]
async fn a_search_whose_words_are_not_all_found_answers_what_has_most() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (id, name) in [("wiki-text", "Wiki text store"), ("text-only", "Text cache"), ("other", "Mail")] {
        let new = json!({ "id": id, "typeId": "service", "name": name });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "query": "who keeps wiki text", "workspaceId": "w", "kinds": ["component"] });
    let found = assistant.call_ok("search", ask).await;
    assert_eq!((&found["matched"], &found["total"]), (&json!("some"), &json!(1)));
    assert_eq!(found["hits"][0]["id"], "wiki-text");
    let mut ask = json!({ "query": "nowhere text", "workspaceId": "w", "kinds": ["component"], "limit": 1 });
    let first = assistant.call_ok("search", ask.clone()).await;
    assert_eq!((&first["total"], &first["truncated"]), (&json!(2), &json!(true)));
    ask["cursor"] = first["nextCursor"].clone();
    let second = assistant.call_ok("search", ask.clone()).await;
    assert_eq!(second["truncated"], false);
    assert_ne!(first["hits"][0]["id"], second["hits"][0]["id"]);
    ask["cursor"] = json!("some:x");
    assistant.call_err("search", ask, "cursor: must be the `nextCursor`").await;
    let all = assistant.call_ok("search", json!({ "query": "wiki text", "workspaceId": "w" })).await;
    assert!(all["matched"].is_null(), "{all}");
}
