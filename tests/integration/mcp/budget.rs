//! Large maps: every result stays within its size budget, and paging omits nothing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Assistant;
use crate::{scheduling::occupy_heavy_reader, support::TestServer};

/// Number of components of the map.
const MANY: usize = 1_000;

/// A map of a thousand components with long descriptions: a chain, a hub that all use, and rings of ten.
async fn large(server: &TestServer) -> Assistant<'_> {
    let ada = server.sign_in("ada").await;
    let id = |n: usize| format!("component-{n:04}");
    let components: Vec<Value> = (0..MANY)
        .map(|n| {
            json!({ "id": id(n), "typeId": "service", "name": format!("Component \"{n}\""),
                         "description": "Does many things.\n".repeat(20) })
        })
        .collect();
    let chain = (1..MANY).map(|n| json!({ "sourceId": id(n - 1), "targetId": id(n), "typeId": "calls" }));
    let hub = (1..MANY).map(|n| json!({ "sourceId": id(n), "targetId": id(0), "typeId": "uses" }));
    let model = json!({ "workspace": { "name": "Large" }, "components": components,
                        "relationships": chain.chain(hub).collect::<Vec<_>>() });
    ada.put("/api/workspaces/large/bulk", model).await.ok();
    server.until_indexed().await;
    Assistant::new(server.script_client("ada").await)
}

/// All pages of a tool; every call checks the budget.
async fn pages(assistant: &Assistant<'_>, tool: &str, mut ask: Value) -> Vec<Value> {
    let mut pages = Vec::new();
    loop {
        let page = assistant.call_ok(tool, ask.clone()).await;
        assert_eq!(page["truncated"], !page["nextCursor"].is_null(), "{tool}");
        ask["cursor"] = page["nextCursor"].clone();
        pages.push(page);
        if ask["cursor"].is_null() {
            return pages;
        }
    }
}

#[tokio::test]
async fn a_large_map_is_read_in_pages_without_gaps() {
    let server = TestServer::new().await;
    let assistant = large(&server).await;
    let overview = pages(&assistant, "get_workspace", json!({ "workspaceId": "large" })).await;
    let of = |kind: &str| -> Vec<String> {
        let tables = overview.iter().flat_map(|page| page["tables"].as_array().unwrap());
        let rows = tables.filter(|table| table["name"] == kind).flat_map(|table| table["rows"].as_array().unwrap());
        rows.map(|row| row[0].as_str().unwrap().to_owned()).collect()
    };
    let components = of("components");
    assert_eq!((components.len(), components.iter().collect::<BTreeSet<_>>().len()), (MANY, MANY));
    assert_eq!(of("relationships").iter().collect::<BTreeSet<_>>().len(), 2 * (MANY - 1));
    assert!(overview.len() > 2);

    let found = pages(&assistant, "search", json!({ "query": "component" })).await;
    let hits: usize = found.iter().map(|page| page["hits"].as_array().unwrap().len()).sum();
    assert_eq!((json!(hits), hits > MANY), (found[0]["total"].clone(), true));

    let ask = json!({ "workspaceId": "large", "componentId": "component-0999" });
    let traced = pages(&assistant, "trace_dependencies", ask).await;
    let reached: usize = traced.iter().map(|page| page["reached"].as_array().unwrap().len()).sum();
    assert_eq!(json!(reached), traced[0]["total"]);
    let last = traced.last().unwrap()["reached"].as_array().unwrap().last().unwrap();
    assert_eq!(json!(last["path"].as_array().unwrap().len() - 1), last["distance"]);

    let ids: Vec<String> = (1..=20).map(|n| format!("component-{n:04}")).collect();
    let read = pages(&assistant, "get_components", json!({ "workspaceId": "large", "componentIds": ids })).await;
    assert_eq!(read.iter().map(|page| page["components"].as_array().unwrap().len()).sum::<usize>(), 20);
}

#[tokio::test]
async fn all_kinds_are_listed_in_pages_with_all_of_their_fields() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let field =
        |n: usize| json!({ "key": format!("field{n}"), "name": "A field", "type": "choice", "choices": ["1", "2"] });
    let new = |n: usize, fields: Vec<Value>| {
        json!({ "id": format!("kind-{n:02}"), "name": format!("Kind {n}"),
        "baseType": "job", "description": "Does many things.\n".repeat(20), "fields": fields })
    };
    // The largest fields that are allowed: their names and keys are short, and quotes take most bytes.
    let choices = |many: usize| (0..many).map(|n| format!("{n:02}{}", "\"".repeat(78))).collect::<Vec<_>>();
    let large = |key: &str, many: usize| json!({ "key": key, "name": "F", "type": "choice", "choices": choices(many) });
    ada.post("/api/kinds", new(0, vec![large("a", 30), large("b", 20)])).await.created();
    for n in 1..50 {
        ada.post("/api/kinds", new(n, (0..8).map(field).collect())).await.created();
    }
    let read = pages(&server.assistant_of("ada").await, "get_type_catalogue", json!({})).await;
    let kinds: Vec<&Value> = read.iter().flat_map(|page| page["kinds"].as_array().unwrap()).collect();
    let ids: Vec<&str> = kinds.iter().map(|kind| kind["id"].as_str().unwrap()).collect();
    assert_eq!(ids, (0..50).map(|n| format!("kind-{n:02}")).collect::<Vec<_>>());
    for kind in &kinds[1..] {
        assert_eq!(kind["fields"].as_array().unwrap().len(), 8, "{}", kind["id"]);
    }
    assert_eq!(
        (&kinds[0]["fields"][0]["choices"], &kinds[0]["fields"][1]["choices"]),
        (&json!(choices(30)), &json!(choices(20)))
    );
    assert!(read.len() > 1);
    // The types are on the first page only.
    for list in ["componentTypes", "relationTypes", "lifecycleStates", "stakeholderLinkTypes"] {
        let sizes: Vec<usize> = read.iter().map(|page| page[list].as_array().unwrap().len()).collect();
        assert!(sizes[0] > 0 && sizes[1..].iter().all(|size| *size == 0), "{list}: {sizes:?}");
    }
}

#[tokio::test]
async fn all_relationships_of_a_hub_are_read_while_others_write() {
    let server = TestServer::new().await;
    let assistant = large(&server).await;
    let hub = json!({ "workspaceId": "large", "componentIds": ["component-0000"] });
    let hub = assistant.call_ok("get_components", hub).await;
    let component = &hub["components"][0];
    assert_eq!((&hub["truncated"], &component["incomingCount"]), (&json!(false), &json!(MANY - 1)));
    assert_eq!(component["incoming"].as_array().unwrap().len(), 50);
    assert_eq!((&component["more"], &component["outgoingCount"]), (&json!(["incoming"]), &json!(1)));

    let mut ask = json!({ "workspaceId": "large", "componentIds": ["component-0000"], "list": "incoming" });
    let first = assistant.call_ok("get_components", ask.clone()).await;
    assert_eq!((&first["total"], &first["columns"][2]), (&json!(MANY - 1), &json!("componentId")));
    // A relationship of the first page disappears, which must not shift the next page.
    let gone = first["rows"][3][0].as_str().unwrap();
    server.sign_in("ada").await.delete(&format!("/api/workspaces/large/relationships/{gone}")).await.ok();
    ask["cursor"] = first["nextCursor"].clone();
    let mut all = vec![first];
    all.extend(pages(&assistant, "get_components", ask).await);
    let rows = all.iter().flat_map(|page| page["rows"].as_array().unwrap());
    let ids: Vec<&str> = rows.map(|row| row[2].as_str().unwrap()).collect();
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (MANY - 1, MANY - 1));
    assert!(all.len() > 1);

    let two = json!({ "workspaceId": "large", "componentIds": ["component-0000", "component-0001"], "list": "links" });
    assistant.call_err("get_components", two, "list: reads one component").await;
    let wrong = json!({ "workspaceId": "large", "componentIds": ["component-0000"], "list": "links", "cursor": "x" });
    assistant.call_err("get_components", wrong, "cursor: must be the `nextCursor`").await;
}

#[tokio::test]
async fn links_and_stakeholders_of_a_component_are_read_in_pages() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for n in 0..60 {
        let url = format!("https://example.org/{n:03}/{}", "x".repeat(900));
        ada.post("/api/workspaces/w/components/a/links", json!({ "url": url })).await.created();
        ada.post("/api/people", json!({ "id": format!("p{n}"), "name": format!("Person {n}") })).await.created();
        let owner = json!({ "personId": format!("p{n}"), "linkType": "owner" });
        ada.post("/api/workspaces/w/components/a/stakeholders", owner).await.created();
    }
    let assistant = server.assistant_of("ada").await;
    let whole = json!({ "workspaceId": "w", "componentIds": ["a"] });
    let whole = assistant.call_ok("get_components", whole).await;
    let a = &whole["components"][0];
    assert_eq!((&a["linkCount"], &a["stakeholderCount"]), (&json!(60), &json!(60)));
    assert_eq!(a["more"], json!(["stakeholders", "links"]));
    assert!(!a["links"].as_array().unwrap().is_empty());
    for list in ["links", "stakeholders"] {
        let read =
            pages(&assistant, "get_components", json!({ "workspaceId": "w", "componentIds": ["a"], "list": list }));
        let rows: Vec<Value> = read.await.iter().flat_map(|page| page["rows"].as_array().unwrap().clone()).collect();
        let keys: BTreeSet<String> = rows.iter().map(|row| row[1].to_string()).collect();
        assert_eq!((rows.len(), keys.len()), (60, 60), "{list}");
    }
}

#[tokio::test]
async fn a_single_long_value_is_cut_and_marked() {
    let server = TestServer::new().await;
    let assistant = large(&server).await;
    let notes = "\"quoted\" ".repeat(5_000);
    let new =
        json!({ "workspaceId": "large", "components": [{ "id": "component-0001", "properties": { "notes": notes } }] });
    assistant.call_ok("upsert_components", new).await;
    let read = json!({ "workspaceId": "large", "componentIds": ["component-0001"] });
    let read = assistant.call_ok("get_components", read).await;
    assert_eq!((&read["truncated"], &read["components"][0]["id"]), (&json!(true), &json!("component-0001")));
    let properties = &read["components"][0]["properties"];
    assert_eq!(properties, &json!({ "notes": { "$cut": 45_000 } }));
    let back = json!({ "workspaceId": "large", "components": [{ "id": "component-0001", "properties": properties }] });
    let error = "components[0].properties.notes.$cut: stands for a value that did not fit";
    assistant.call_err("upsert_components", back, error).await;

    let empty = json!({ "workspaceId": "large", "components": [], "relationships": [], "dryRun": true });
    let tried = assistant.call_ok("replace_workspace_model", empty).await;
    assert_eq!(tried["deleted"]["componentCount"], MANY);
    let listed = tried["deleted"]["components"].as_array().unwrap().len();
    assert!(listed > 50);
    assert_eq!(tried["deleted"]["listed"]["components"], listed);
    let paths = json!({ "workspaceId": "large", "from": "component-0000", "to": "component-0090", "longest": 100, "count": 50 });
    assistant.call_ok("find_paths", paths).await;
}

#[tokio::test]
async fn a_large_result_is_built_on_the_heavy_threads_without_delaying_others() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let notes = json!({ "properties": { "notes": "\"quoted\" ".repeat(5_000) } });
    ada.patch("/api/workspaces/w/components/a", notes).await.ok();
    let assistant = Assistant::new(server.script_client("ada").await);
    let read = |id: &str| json!({ "workspaceId": "w", "componentIds": [id] });
    let gate = server.app.gate.clone();
    let held = [occupy_heavy_reader(gate.clone(), 1_000_000).await, occupy_heavy_reader(gate, 1_000_001).await];
    let mut large = Box::pin(assistant.call_ok("get_components", read("a")));
    for _ in 0..20 {
        // The large result was read before the small ones and waits for a thread.
        tokio::select! {
            biased;
            _ = &mut large => panic!("the answer was cut to fit on an asynchronous thread"),
            small = assistant.call_ok("get_components", read("b")) => assert_eq!(small["truncated"], false),
        }
    }
    for held in held {
        held.release().await;
    }
    assert_eq!(large.await["truncated"], true);
}

#[tokio::test]
async fn a_table_mentioned_several_times_is_read_once() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = Assistant::new(server.script_client("ada").await);
    let include: Vec<&str> = ["components", "relationships"].into_iter().cycle().take(2_000).collect();
    let found = assistant.call_ok("get_workspace", json!({ "workspaceId": "w", "include": include })).await;
    let tables = found["tables"].as_array().unwrap();
    let sizes: Vec<_> = tables.iter().map(|table| (&table["name"], table["rows"].as_array().unwrap().len())).collect();
    assert_eq!(sizes, [(&json!("components"), 2), (&json!("relationships"), 1)]);
    assert_eq!(found["truncated"], false);
    let counts = assistant.call_ok("get_workspace", json!({ "workspaceId": "w", "include": [] })).await;
    assert_eq!(
        counts["counts"],
        json!({ "components": 2, "relationships": 1, "processes": 0, "stakeholders": 0, "notes": 0 })
    );
    assert_eq!(counts["tables"], json!([]));
}

#[tokio::test]
async fn search_pages_continue_while_others_write() {
    let server = TestServer::new().await;
    let assistant = large(&server).await;
    let ada = server.sign_in("ada").await;
    let ask = json!({ "query": "component", "kinds": ["component"] });
    let first = assistant.call_ok("search", ask.clone()).await;
    let ids = |page: &Value| -> Vec<String> {
        page["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut found = ids(&first);
    assert_eq!(first["total"], MANY);
    // One hit of the first page disappears, and a better one appears.
    ada.delete(&format!("/api/workspaces/large/components/{}", found[0])).await.ok();
    let better = json!({ "id": "component", "typeId": "service", "name": "Component" });
    ada.post("/api/workspaces/large/components", better).await.created();
    let mut next = ask.clone();
    next["cursor"] = first["nextCursor"].clone();
    for page in pages(&assistant, "search", next).await {
        found.extend(ids(&page));
    }
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len(), "none comes twice");
    assert_eq!(found.len(), MANY, "and none is missed");
    let mut wrong = ask;
    wrong["cursor"] = json!("7");
    assistant.call_err("search", wrong, "cursor: must be the `nextCursor`").await;
}

#[tokio::test]
async fn the_most_depended_on_components_of_a_large_map_are_told_briefly() {
    let server = TestServer::new().await;
    let assistant = large(&server).await;
    let ask = json!({ "workspaceId": "large", "sortBy": "dependents", "limit": 10 });
    let answer = assistant.result("tools/call", json!({ "name": "query_components", "arguments": ask })).await;
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.len() <= 1_500, "{} characters", text.len());
    let top = &answer["structuredContent"];
    assert_eq!((&top["total"], top["rows"].as_array().unwrap().len()), (&json!(MANY), 10));
    assert_eq!((&top["rows"][0][0], &top["rows"][0][6]), (&json!("component-0000"), &json!(MANY - 1)));

    let text = pages(&assistant, "get_workspace", json!({ "workspaceId": "large", "format": "outline" })).await;
    let lines: usize = text.iter().map(|page| page["text"].as_str().unwrap().lines().count()).sum();
    assert_eq!(lines, MANY + 2 * (MANY - 1));
    let chart = json!({ "workspaceId": "large", "format": "mermaid" });
    let chart = assistant.call_ok("get_workspace", chart).await;
    assert!(chart["listed"]["components"].as_u64().unwrap() > 200 && chart["truncated"] == true, "{}", chart["listed"]);
    let (diagram, _) = assistant.read("planroom://workspaces/large/diagram").await;
    assert!(diagram.len() <= 41 << 10 && diagram.contains(" of 1000 components"), "{}", diagram.len());
}
