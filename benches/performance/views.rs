//! Views with their contents, compared with the bundle of the same workspace.

use axum::{body::Bytes, http::Method};
use serde_json::{Value, json};

use super::{
    Instance, ROUNDS,
    changes::{MANY, rate_after_writes},
    model, report_rounds,
};

const COMPONENTS: usize = 3_000;
const RELATIONSHIPS: usize = 17_000;
const VIEWS: usize = 50;

const BUNDLE: &str = "/api/workspaces/w?include=views";

/// A view of each kind of selector, and the path of its contents.
const MEASURED: [(&str, &str); 4] = [
    ("of everything, with stubs", "/api/workspaces/w/views/view-0?resolved=true"),
    ("by tag and text", "/api/workspaces/w/views/view-1?resolved=true"),
    ("around components", "/api/workspaces/w/views/view-2?resolved=true"),
    ("own layout, half of it new", "/api/workspaces/w/views/view-3?resolved=true"),
];

fn definition(view: usize) -> Value {
    match view % 4 {
        0 => json!({ "outside": "stubs" }),
        1 => json!({ "include": [{ "tags": ["core"] }, { "text": "component charges 7" }, { "owners": [""] }] }),
        2 => json!({ "include": [{ "around": { "of": ["component-1"], "direction": "down", "depth": 10 } }],
            "outside": "stubs" }),
        _ => json!({ "exclude": [{ "text": "component-29" }] }),
    }
}

/// Resolving a view of 3,000 components with 17,000 relationships among 50 views.
pub async fn resolved() {
    let instance = Instance::new(Bytes::new()).await;
    let mut whole = model(COMPONENTS);
    for (at, component) in whole["components"].as_array_mut().unwrap().iter_mut().enumerate() {
        component["tags"] = json!([format!("tag-{}", at % 10)]);
    }
    whole["relationships"] = (0..RELATIONSHIPS)
        .map(|i| {
            json!({
                "id": format!("relationship-{i}"), "sourceId": format!("component-{}", i % COMPONENTS),
                "targetId": format!("component-{}", (i * 7 + 1) % COMPONENTS), "typeId": "calls", "label": "HTTPS",
            })
        })
        .collect();
    instance.json(Method::PUT, "/api/workspaces/w/bulk", &whole).await;
    for view in 0..VIEWS {
        let layout = if view % 4 == 3 { "own" } else { "shared" };
        let new = json!({
            "id": format!("view-{view}"), "name": "View", "definition": definition(view), "layout": layout,
        });
        instance.json(Method::POST, "/api/workspaces/w/views", &new).await;
    }
    let positions: Vec<Value> = (0..COMPONENTS)
        .step_by(2)
        .map(|i| json!({ "id": format!("component-{i}"), "x": (i % 40) * 300, "y": (i / 40) * 200 }))
        .collect();
    let move_all = json!({ "operations": [{ "op": "move", "viewId": "view-3", "positions": positions }] });
    instance.json(Method::POST, "/api/workspaces/w/operations", &move_all).await;

    for (name, path) in MEASURED {
        let (mut cold, mut cached) = (vec![], vec![]);
        for _ in 0..ROUNDS {
            let bundle = rate_after_writes(&instance, BUNDLE, MANY).await;
            cold.push(rate_after_writes(&instance, path, MANY).await / bundle);
            // The first read fills the cache.
            assert_eq!(instance.client().send("GET", path, "", "").await.unwrap().status, 200);
            cached.push(instance.reads(2, path, "").await / instance.reads(2, BUNDLE, "").await);
        }
        report_rounds(&format!("view {name}, not in cache / bundle from all rows"), ">= 2", cold);
        report_rounds(&format!("view {name}, in cache / bundle"), ">= 1", cached);
    }
}
