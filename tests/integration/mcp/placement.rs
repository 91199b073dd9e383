//! Where tools place components: in their groups, without moving what people placed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Assistant, drawn::drawn};
use crate::support::{TestClient, TestServer};

/// The pairs that are drawn over each other although neither contains the other.
async fn overlaps(client: &TestClient<'_>) -> Vec<(String, String)> {
    let (rects, parents) = drawn(client, "w").await;
    let is_in = |part: &String, group: &String| {
        std::iter::successors(parents.get(part), |part| parents.get(*part)).any(|above| above == group)
    };
    let mut found = Vec::new();
    for (one, a) in &rects {
        for (other, b) in rects.range(one.clone()..).skip(1) {
            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
            if !apart && !is_in(one, other) && !is_in(other, one) {
                found.push((one.clone(), other.clone()));
            }
        }
    }
    found
}

async fn positions(client: &TestClient<'_>) -> BTreeMap<String, (f64, f64)> {
    drawn(client, "w").await.0.into_iter().map(|(id, rect)| (id, (rect.0, rect.1))).collect()
}

/// Ada, with an empty workspace `w`, and her assistant.
async fn empty(server: &TestServer) -> (TestClient<'_>, Assistant<'_>) {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    (ada, server.assistant_of("ada").await)
}

fn component(id: &str) -> Value {
    json!({ "id": id, "typeId": "service", "name": format!("Service {id}") })
}

async fn add(assistant: &Assistant<'_>, components: Value) -> Value {
    assistant.call_ok("upsert_components", json!({ "workspaceId": "w", "components": components })).await
}

async fn relate(assistant: &Assistant<'_>, lines: &[(&str, &str, &str)]) -> Value {
    let lines: Vec<Value> = lines
        .iter()
        .map(|(source, kind, target)| json!({ "sourceId": source, "typeId": kind, "targetId": target }))
        .collect();
    assistant.call_ok("upsert_relationships", json!({ "workspaceId": "w", "relationships": lines })).await
}

/// 18 components in 4 groups, one of them within another, and their relationships.
const GROUPS: [(&str, &[&str]); 4] = [
    ("entrances", &["web", "app", "cli", "mcp"]),
    ("core", &["gate", "map", "history", "transfer", "rules"]),
    ("rules", &["types", "limits", "rights"]),
    ("foundation", &["sqlite", "search", "clock", "mail", "wiki", "keys"]),
];
const LINES: [(&str, &str); 24] = [
    ("web", "gate"),
    ("app", "gate"),
    ("cli", "gate"),
    ("mcp", "gate"),
    ("gate", "rights"),
    ("gate", "map"),
    ("map", "types"),
    ("map", "limits"),
    ("map", "sqlite"),
    ("map", "search"),
    ("history", "sqlite"),
    ("history", "clock"),
    ("transfer", "map"),
    ("transfer", "wiki"),
    ("gate", "keys"),
    ("gate", "mail"),
    ("web", "app"),
    ("search", "sqlite"),
    ("wiki", "keys"),
    ("transfer", "history"),
    ("mcp", "history"),
    ("cli", "transfer"),
    ("rights", "sqlite"),
    ("mail", "clock"),
];

#[tokio::test]
async fn a_map_drawn_in_two_calls_has_no_overlaps() {
    for with_parents in [true, false] {
        let server = TestServer::new().await;
        let (ada, assistant) = empty(&server).await;
        let parent = |id: &str| GROUPS.iter().find(|(_, parts)| parts.contains(&id)).map(|(group, _)| *group);
        let ids: BTreeSet<&str> =
            GROUPS.iter().flat_map(|(group, parts)| parts.iter().chain([group])).copied().collect();
        assert_eq!(ids.len(), 21);
        let mut items: Vec<Value> = ids.iter().map(|id| component(id)).collect();
        let mut lines: Vec<(&str, &str, &str)> = LINES.iter().map(|(from, to)| (*from, "calls", *to)).collect();
        for (id, item) in ids.iter().zip(&mut items) {
            match parent(id) {
                Some(group) if with_parents => item["parentId"] = json!(group),
                Some(group) => lines.push((group, "contains", id)),
                None => {}
            }
        }
        let added = add(&assistant, json!(items)).await;
        assert_eq!((added["created"].as_array().unwrap().len(), added.get("overlaps")), (21, None));
        assert_eq!(overlaps(&ada).await, []);
        let before = positions(&ada).await;
        let related = relate(&assistant, &lines).await;
        assert_eq!(related.get("overlaps"), None);
        assert_eq!(overlaps(&ada).await, [], "{:?}", positions(&ada).await);
        let after = positions(&ada).await;
        assert_ne!(before, after, "placed again with regard to the relationships");
        assert!(
            after["web"].0 < after["gate"].0 && after["gate"].0 < after["sqlite"].0,
            "from left to right: {after:?}"
        );

        let change = server.changes().pop().unwrap().batch;
        ada.post("/api/workspaces/w/undo", json!({ "changeSetId": change })).await.ok();
        let undone = positions(&ada).await;
        assert!(!with_parents || undone == before, "one undo takes back the relationships and the positions");
    }
}

#[tokio::test]
async fn one_addition_stays_in_its_group_and_moves_nothing() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let at = |id: &str, x: i32, y: i32| {
        let mut new = component(id);
        (new["x"], new["y"]) = (json!(x), json!(y));
        new
    };
    for new in [at("edge", 0, 0), at("a", 20, 60), at("b", 20, 220), at("reader", -300, 60), at("core", 400, 60)] {
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    ada.create_relationship("w", "r1", "edge", "contains", "a").await;
    ada.create_relationship("w", "r2", "edge", "contains", "b").await;
    let before = positions(&ada).await;
    add(&assistant, json!([component("filter")])).await;
    let related = relate(&assistant, &[("edge", "contains", "filter"), ("filter", "calls", "core")]).await;
    assert_eq!(related.get("overlaps"), None);
    assert_eq!(overlaps(&ada).await, []);
    let mut after = positions(&ada).await;
    let filter = after.remove("filter").unwrap();
    assert_eq!(after, before, "nothing else was moved");
    assert_eq!(Some(filter.0), Some(20.0), "below the others, because `core` is on the right: {filter:?}");

    let crowded = (0..30).map(|n| json!({ "id": format!("n{n}"), "typeId": "service", "name": "N", "x": n % 6 * 200 - 400, "y": 400 + n / 6 * 100 }));
    ada.post("/api/workspaces/w/operations", json!({ "operations": crowded.map(|row| json!({ "op": "create", "kind": "component", "row": row })).collect::<Vec<_>>() })).await.ok();
    let told = add(&assistant, json!([{ "id": "wall", "typeId": "service", "name": "Wall", "x": 30, "y": 70 }])).await;
    assert_eq!(told["overlaps"], json!([["edge", "wall"]]), "of nested components, the outermost is named");
}

#[tokio::test]
async fn what_a_person_placed_is_never_placed_again() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    add(
        &assistant,
        json!([component("g"), component("mine"), component("moved"), component("kept"), component("late")]),
    )
    .await;
    let tool = positions(&ada).await;
    let path = "/api/workspaces/w/components/moved";
    ada.patch(path, json!({ "x": tool["moved"].0, "y": tool["moved"].1 })).await.ok();
    ada.patch("/api/workspaces/w/components", json!([{ "id": "kept", "x": 3000, "y": 2000 }])).await.ok();
    // Positions given by an assistant count as well.
    add(&assistant, json!([{ "id": "late", "x": 5000, "y": 2000 }])).await;
    let before = positions(&ada).await;
    let ends = [("g", "contains", "mine"), ("moved", "calls", "g"), ("kept", "calls", "g"), ("late", "calls", "g")];
    relate(&assistant, &ends).await;
    let bundle = ada.bundle("w").await;
    let now = |id: &str| {
        let row = bundle["components"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        (row["x"].as_f64().unwrap(), row["y"].as_f64().unwrap())
    };
    for id in ["moved", "kept", "late"] {
        assert_eq!(now(id), before[id], "{id}");
    }
    assert_ne!(now("mine"), before["mine"]);
    assert_eq!(overlaps(&ada).await, []);
    assert!(!bundle.to_string().contains("placed"), "the mark is not part of the rows");

    // Undo restores the position, which then counts as set by the user.
    let change = server.changes().pop().unwrap().batch;
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": change })).await.ok();
    assert_eq!(positions(&ada).await["mine"], before["mine"]);
    relate(&assistant, &[("mine", "calls", "kept")]).await;
    assert_eq!(positions(&ada).await["mine"], before["mine"]);
}

#[tokio::test]
async fn what_another_user_placed_by_a_tool_is_not_placed_again() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.assistant_of("bob").await;
    add(&bob, json!([component("g"), component("a")])).await;
    let before = positions(&ada).await;
    relate(&assistant, &[("g", "calls", "a")]).await;
    assert_eq!(positions(&ada).await, before);
    assert_eq!(server.count("SELECT count(*) FROM placed_component"), 2);
    ada.delete("/api/workspaces/w/components/a").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM placed_component"), 1);
}

#[tokio::test]
async fn a_parent_is_set_replaced_and_removed() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let mut part = component("part");
    part["parentId"] = json!("one");
    add(&assistant, json!([part, component("one"), component("two")])).await;
    let contained = async || {
        let bundle = ada.bundle("w").await;
        let rows = bundle["relationships"].as_array().unwrap().clone();
        rows.iter().map(|row| row["sourceId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(contained().await, ["one"], "also a component that comes later in the call");
    assert_eq!(overlaps(&ada).await, []);
    let log = server.changes().len();
    let same = add(&assistant, json!([{ "id": "part", "parentId": "one" }])).await;
    assert_eq!((&same["updated"], &same["unchanged"]), (&json!([]), &json!(["part"])));
    assert_eq!(server.changes().len(), log, "nothing changed");
    let changed = add(&assistant, json!([{ "id": "part", "parentId": "two" }])).await;
    assert_eq!((&changed["updated"], &changed["unchanged"]), (&json!(["part"]), &json!([])));
    assert_eq!(contained().await, ["two"]);
    assert_eq!(overlaps(&ada).await, []);
    add(&assistant, json!([{ "id": "part", "name": "Renamed" }])).await;
    assert_eq!(contained().await, ["two"], "absent: unchanged");
    add(&assistant, json!([{ "id": "part", "parentId": null }])).await;
    assert_eq!(contained().await, Vec::<String>::new());
    for (items, text) in [
        (json!([{ "id": "part", "parentId": "nowhere" }]), "components[0].parentId: there is no component `nowhere`"),
        (
            json!([{ "id": "one" }, { "id": "part", "parentId": "part" }]),
            "components[1].parentId: `part` would be part of itself",
        ),
        (json!([{ "id": "one", "parentId": "part" }, { "id": "part", "parentId": "one" }]), "would be part of itself"),
    ] {
        assistant.call_err("upsert_components", json!({ "workspaceId": "w", "components": items }), text).await;
    }
    assert_eq!(contained().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_assistant_arranges_a_map() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let names: Vec<String> = (0..12).map(|n| format!("c{n}")).collect();
    let items: Vec<Value> = names
        .iter()
        .map(|id| {
            let mut new = component(id);
            (new["x"], new["y"]) = (json!(10), json!(10));
            new
        })
        .collect();
    let told = add(&assistant, json!(items)).await;
    assert_eq!((told["overlaps"].as_array().unwrap().len(), &told["overlapCount"]), (20, &json!(66)));
    relate(
        &assistant,
        &[("c0", "contains", "c1"), ("c0", "contains", "c2"), ("c1", "calls", "c2"), ("c3", "calls", "c1")],
    )
    .await;
    let before = positions(&ada).await;
    let dry = assistant.call_ok("arrange_components", json!({ "workspaceId": "w", "dryRun": true })).await;
    assert_eq!((&dry["dryRun"], dry.get("changeSetId")), (&json!(true), None));
    assert_eq!(json!(dry["positions"].as_array().unwrap().len()), dry["moved"]);
    assert_eq!(positions(&ada).await, before);
    let arranged = assistant.call_ok("arrange_components", json!({ "workspaceId": "w" })).await;
    assert_eq!((&arranged["moved"], arranged.get("overlaps")), (&dry["moved"], None));
    assert_eq!(overlaps(&ada).await, []);
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": arranged["changeSetId"] })).await.ok();
    assert_eq!(positions(&ada).await, before);

    let some = json!({ "workspaceId": "w", "componentIds": ["c0"] });
    assistant.call_ok("arrange_components", some).await;
    let after = positions(&ada).await;
    assert!(after["c1"].0 < after["c2"].0);
    assert_eq!(after["c5"], before["c5"]);
    let wrong = |ids: Value, text: &'static str| {
        let ask = json!({ "workspaceId": "w", "componentIds": ids });
        assistant.call_err("arrange_components", ask, text)
    };
    wrong(json!(["c1", "x"]), "componentIds[1]: there is no component `x`").await;
    wrong(json!(["c5"]), "at least two components").await;

    let rows = (0..300).map(
        |n| json!({ "op": "create", "kind": "component", "row": { "typeId": "service", "name": format!("N{n}") } }),
    );
    ada.post("/api/workspaces/w/operations", json!({ "operations": rows.collect::<Vec<_>>() })).await.ok();
    assistant
        .call_err("arrange_components", json!({ "workspaceId": "w" }), "at most 300 components are arranged")
        .await;
}

#[tokio::test]
async fn components_are_not_placed_over_notes_and_images() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let note = async |kind: &str, x: i32, layer: i32| {
        let note =
            json!({ "kind": kind, "text": "Ask before", "x": x, "y": 0, "layer": layer, "width": 800, "height": 300 });
        ada.post("/api/workspaces/w/notes", note).await.created();
    };
    note("note", 0, 0).await;
    add(&assistant, json!([component("a"), component("b")])).await;
    ada.post("/api/workspaces/w/components", component("c")).await.created();
    let rects = drawn(&ada, "w").await.0;
    let covers = |rect: &(f64, f64, f64, f64)| rect.0 < 800.0 && rect.2 > 0.0 && rect.1 < 300.0 && rect.3 > 0.0;
    assert!(rects.values().all(|rect| !covers(rect)), "{rects:?}");
    ada.delete("/api/workspaces/w/components/a").await.ok();
    ada.delete("/api/workspaces/w/components/b").await.ok();
    ada.delete("/api/workspaces/w/components/c").await.ok();
    ada.delete("/api/workspaces/w/notes/note").await.ok();

    // Frames are drawn around components, and what is on a lower layer is below them.
    note("frame", 0, 0).await;
    note("note", 0, -1).await;
    add(&assistant, json!([component("d")])).await;
    assert_eq!(positions(&ada).await["d"], (0.0, 0.0));
}

#[tokio::test]
async fn requests_with_several_rows_use_the_same_placement() {
    let server = TestServer::new().await;
    let (ada, assistant) = empty(&server).await;
    let operations = json!({ "operations": [
        { "op": "create", "kind": "component", "row": component("core") },
        { "op": "create", "kind": "component", "row": component("a") },
        { "op": "create", "kind": "component", "row": component("b") },
        { "op": "create", "kind": "component", "row": component("c") },
        { "op": "create", "kind": "relationship", "row": { "sourceId": "core", "typeId": "contains", "targetId": "a" } },
        { "op": "create", "kind": "relationship", "row": { "sourceId": "core", "typeId": "contains", "targetId": "c" } },
        { "op": "create", "kind": "relationship", "row": { "sourceId": "b", "typeId": "calls", "targetId": "a" } },
    ] });
    ada.post("/api/workspaces/w/operations", operations).await.ok();
    assert_eq!(overlaps(&ada).await, []);
    assert!(positions(&ada).await["b"].0 < positions(&ada).await["core"].0);

    let mut bulk = json!({ "components": [], "relationships": [] });
    for (group, parts) in GROUPS {
        for id in parts.iter().chain([&group]) {
            let known = bulk["components"].as_array().unwrap().iter().any(|row| row["id"] == *id);
            if !known {
                bulk["components"].as_array_mut().unwrap().push(component(id));
            }
        }
        for part in parts {
            let row = json!({ "sourceId": group, "typeId": "contains", "targetId": part });
            bulk["relationships"].as_array_mut().unwrap().push(row);
        }
    }
    for (from, to) in LINES {
        let row = json!({ "sourceId": from, "typeId": "calls", "targetId": to });
        bulk["relationships"].as_array_mut().unwrap().push(row);
    }
    ada.put("/api/workspaces/w/bulk", bulk.clone()).await.ok();
    assert_eq!(overlaps(&ada).await, []);
    let before = positions(&ada).await;
    bulk["workspaceId"] = json!("w");
    bulk["expectedRevision"] = json!(ada.revision("w").await);
    let mut covering = component("covering");
    (covering["x"], covering["y"]) = (json!(before["web"].0), json!(before["web"].1));
    bulk["components"].as_array_mut().unwrap().push(covering);
    let replaced = assistant.call_ok("replace_workspace_model", bulk).await;
    assert_eq!(replaced["overlaps"], json!([["entrances", "covering"]]));
    let mut after = positions(&ada).await;
    after.remove("covering");
    assert_eq!(after, before, "components that have a position keep it");
}
