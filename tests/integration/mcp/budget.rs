//! Large maps: every answer stays within its budget, and paging leaves nothing out.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Assistant;
use crate::support::Stage;

/// Components of the map.
const MANY: usize = 1_000;

/// A map of a thousand components with long descriptions: a chain, a hub that all use, and rings of ten.
async fn large(stage: &Stage) -> Assistant<'_> {
    let ada = stage.sign_in("ada").await;
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
    Assistant::new(stage.script_of("ada").await)
}

/// All pages of a tool; the budget of each is held where it is called.
async fn pages(assistant: &Assistant<'_>, tool: &str, mut ask: Value) -> Vec<Value> {
    let mut pages = Vec::new();
    loop {
        let page = assistant.does(tool, ask.clone()).await;
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
    let stage = Stage::new().await;
    let assistant = large(&stage).await;
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
async fn what_is_too_large_by_itself_is_cut_and_says_so() {
    let stage = Stage::new().await;
    let assistant = large(&stage).await;
    let hub = json!({ "workspaceId": "large", "componentIds": ["component-0000"] });
    let hub = assistant.does("get_components", hub).await;
    assert_eq!((&hub["truncated"], &hub["components"][0]["id"]), (&json!(true), &json!("component-0000")));
    assert!(hub["components"][0]["incoming"].as_array().unwrap().len() > 50);

    let notes = "\"quoted\" ".repeat(5_000);
    let new =
        json!({ "workspaceId": "large", "components": [{ "id": "component-0001", "properties": { "notes": notes } }] });
    assistant.does("upsert_components", new).await;
    let read = json!({ "workspaceId": "large", "componentIds": ["component-0001"] });
    let read = assistant.does("get_components", read).await;
    assert_eq!((&read["truncated"], &read["components"][0]["id"]), (&json!(true), &json!("component-0001")));

    let empty = json!({ "workspaceId": "large", "components": [], "relationships": [], "dryRun": true });
    let tried = assistant.does("replace_workspace_model", empty).await;
    assert_eq!(tried["deleted"]["componentCount"], MANY);
    assert!(tried["deleted"]["components"].as_array().unwrap().len() > 50);
    let paths = json!({ "workspaceId": "large", "from": "component-0000", "to": "component-0090", "longest": 100, "count": 50 });
    assistant.does("find_paths", paths).await;
}
