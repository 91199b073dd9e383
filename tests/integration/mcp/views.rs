//! Views that assistants list, read and save.

use serde_json::{Value, json};

use super::Assistant;
use crate::support::{TestServer, ids};

/// Ada's assistant and the workspace `w`: `customer` uses `web`, which calls `api` in the group `core`, which reads `db`. The
/// team `crew` owns `web` and `api`.
async fn shop(server: &TestServer) -> Assistant<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await.created();
    let assistant = server.assistant_of("ada").await;
    let component = |id: &str, kind: &str| json!({ "id": id, "typeId": kind, "name": id });
    let mut api = component("api", "service");
    api["parentId"] = json!("core");
    let components = json!([
        component("customer", "person"),
        component("web", "web-app"),
        component("core", "group"),
        api,
        component("db", "database"),
        component("crm", "external-system")
    ]);
    assistant.call_ok("upsert_components", json!({ "workspaceId": "w", "components": components })).await;
    let line = |from: &str, kind: &str, to: &str| json!({ "sourceId": from, "typeId": kind, "targetId": to });
    let relationships = json!([
        line("customer", "uses", "web"),
        line("web", "calls", "api"),
        line("api", "reads", "db"),
        line("api", "calls", "crm")
    ]);
    assistant.call_ok("upsert_relationships", json!({ "workspaceId": "w", "relationships": relationships })).await;
    let owners = json!({ "workspaceId": "w", "componentIds": ["web", "api"], "mode": "replaceRole",
        "stakeholders": [{ "teamId": "crew", "linkType": "owner" }] });
    assistant.call_ok("set_stakeholders", owners).await;
    assistant
}

async fn save(assistant: &Assistant<'_>, id: &str, definition: Value) -> Value {
    let view = json!({ "workspaceId": "w", "viewId": id, "name": id, "definition": definition });
    assistant.call_ok("save_view", view).await
}

/// The ids in the rows of a table.
fn first_column(rows: &Value) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_assistant_makes_a_set_of_views() {
    let server = TestServer::new().await;
    let assistant = shop(&server).await;
    let ask = json!({ "name": "make_views", "arguments": { "workspaceId": "w" } });
    let prompt = assistant.result("prompts/get", ask).await;
    assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains("Readers: none given"));

    let context = json!({ "include": [{ "types": ["person", "external-system", "group", "web-app"] }] });
    let saved = save(&assistant, "context", context).await;
    assert_eq!(
        (&saved["created"], &saved["components"], &saved["relationships"]),
        (&json!(true), &json!(4), &json!(1))
    );
    assert_eq!(saved["url"].as_str().unwrap().rsplit_once('/').unwrap().1, "context");
    let inside = json!({ "include": [{ "within": ["core"] }], "outside": "stubs" });
    assert_eq!(save(&assistant, "core", inside).await["components"], 2);
    let team = json!({ "include": [{ "teams": ["crew"] }], "outside": "stubs" });
    assert_eq!(save(&assistant, "crew", team).await["components"], 2);
    let hot =
        assistant.call_ok("query_components", json!({ "workspaceId": "w", "sortBy": "dependents", "limit": 2 })).await;
    let hot = first_column(&hot["rows"]).join(" ");
    let ids: Vec<&str> = hot.split(' ').collect();
    assert_eq!(save(&assistant, "hot-spots", json!({ "include": [{ "ids": ids }] })).await["components"], 2);

    let listed = assistant.call_ok("list_views", json!({ "workspaceId": "w" })).await;
    assert_eq!(first_column(&listed["rows"]), ["context", "core", "crew", "hot-spots"]);
    assert_eq!((&listed["rows"][2], &listed["truncated"]), (&json!(["crew", "crew", 2, 1, "own", ""]), &json!(false)));

    let resolved = assistant.client.get("/api/workspaces/w/views/context?resolved=true").await.ok();
    let positions = resolved["positions"].as_array().unwrap();
    assert!(positions.iter().all(|at| at["new"] == false), "all of them were arranged: {resolved}");
    let mut places: Vec<String> = positions.iter().map(|at| format!("{} {}", at["x"], at["y"])).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 4);
}

#[tokio::test]
async fn a_view_limits_what_is_read() {
    let server = TestServer::new().await;
    let assistant = shop(&server).await;
    save(&assistant, "crew", json!({ "include": [{ "teams": ["crew"] }] })).await;
    let read = assistant.call_ok("get_workspace", json!({ "workspaceId": "w", "viewId": "crew" })).await;
    let tables = read["tables"].as_array().unwrap();
    assert_eq!(first_column(&tables[0]["rows"]), ["web", "api"]);
    assert_eq!(tables[1]["rows"].as_array().unwrap().len(), 1, "between them");
    let outline = json!({ "workspaceId": "w", "viewId": "crew", "format": "outline" });
    let text = assistant.call_ok("get_workspace", outline).await["text"].as_str().unwrap().to_owned();
    assert!(text.contains("web") && !text.contains("db"), "{text}");
    let around = json!({ "workspaceId": "w", "viewId": "crew", "around": { "componentId": "customer" } });
    let read = assistant.call_ok("get_workspace", around).await;
    assert_eq!(first_column(&read["tables"][0]["rows"]), ["web"], "what is in both");
    let query = json!({ "workspaceId": "w", "viewId": "crew", "typeIds": ["service", "database"] });
    assert_eq!(first_column(&assistant.call_ok("query_components", query).await["rows"]), ["api"]);
    let unknown = json!({ "workspaceId": "w", "viewId": "none" });
    assistant.call_err("get_workspace", unknown.clone(), "view not found").await;
    assistant.call_err("query_components", unknown, "view not found").await;
    assistant.call_err("query_components", json!({ "viewId": "crew" }), "workspaceId: is required with `viewId`").await;
}

#[tokio::test]
async fn saving_a_view_again_moves_nothing_and_reports_unknown_components() {
    let server = TestServer::new().await;
    let assistant = shop(&server).await;
    save(&assistant, "part", json!({ "include": [{ "ids": ["web", "api"] }] })).await;
    let ada = &assistant.client;
    let move_web =
        json!({ "operations": [{ "op": "move", "viewId": "part", "positions": [{ "id": "web", "x": 7, "y": 9 }] }] });
    ada.post("/api/workspaces/w/operations", move_web).await.ok();
    let definition = json!({ "include": [{ "ids": ["web", "api", "dbb"] }, { "within": ["cor"] }] });
    let saved = save(&assistant, "part", definition).await;
    assert_eq!((&saved["created"], &saved["components"]), (&json!(false), &json!(2)));
    let unknown = saved["unknown"].as_array().unwrap();
    assert_eq!(unknown[0], "there is no component `dbb`; near: `db`");
    assert!(unknown[1].as_str().unwrap().contains("`core`"), "{unknown:?}");
    let resolved = ada.get("/api/workspaces/w/views/part?resolved=true").await.ok();
    let web = resolved["positions"].as_array().unwrap().iter().find(|at| at["componentId"] == "web").unwrap();
    assert_eq!((&web["x"], &web["y"]), (&json!(7.0), &json!(9.0)));
    let wrong = |definition: Value| json!({ "workspaceId": "w", "viewId": "part", "definition": definition });
    let unknown_type = wrong(json!({ "include": [{ "types": ["sevice"] }] }));
    assistant.call_err("save_view", unknown_type, "definition.include[0].types[0]").await;
    assistant.call_err("save_view", wrong(json!({ "includes": [] })), "includes").await;
    assistant.call_err("save_view", json!({ "workspaceId": "w", "viewId": "new-one" }), "name: is required").await;
    assert_eq!(ids(&ada.get("/api/workspaces/w/views").await.ok()["views"]), ["part"]);
}

#[tokio::test]
async fn a_trace_and_a_comparison_know_views() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let model = json!({ "workspaceId": "w", "components": [{ "id": "c", "typeId": "service", "name": "C" }] });
    assistant.call_ok("upsert_components", model).await;
    let uses = json!({ "workspaceId": "w", "relationships": [{ "sourceId": "b", "targetId": "c", "typeId": "uses" }] });
    assistant.call_ok("upsert_relationships", uses).await;
    let from = ada.revision("w").await.to_string();
    let view =
        json!({ "id": "vv", "name": "V", "definition": { "include": [{ "ids": ["a", "c"] }] }, "layout": "own" });
    ada.post("/api/workspaces/w/views", view).await.created();
    let ask = json!({ "workspaceId": "w", "componentId": "c", "viewId": "vv" });
    let traced = assistant.call_ok("trace_dependencies", ask).await;
    assert_eq!((&traced["total"], &traced["outsideView"]), (&json!(1), &json!(1)), "{traced}");
    let whole = assistant.call_ok("trace_dependencies", json!({ "workspaceId": "w", "componentId": "c" })).await;
    assert_eq!((&whole["total"], &whole["outsideView"]), (&json!(2), &Value::Null));
    let unknown = json!({ "workspaceId": "w", "componentId": "c", "viewId": "none" });
    assistant.call_err("trace_dependencies", unknown, "list_views").await;

    let added = ada.revision("w").await.to_string();
    let moves =
        json!({ "operations": [{ "op": "move", "viewId": "vv", "positions": [{ "id": "a", "x": 1, "y": 2 }] }] });
    ada.post("/api/workspaces/w/operations", moves).await.ok();
    ada.patch("/api/workspaces/w/views/vv", json!({ "name": "View" })).await.ok();
    let found = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": from })).await;
    assert_eq!((&found["added"], &found["total"]), (&json!([["view", "vv", "View"]]), &json!(1)), "{found}");
    let found = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": added })).await;
    let expected = json!([["view", "vv", "name", "V", "View"], ["view", "vv", "places", null, "1 changed"]]);
    assert_eq!(found["changed"], expected, "{found}");
}
