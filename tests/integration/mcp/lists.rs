//! No list in a result is cut without its number of items and a way to the rest.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Assistant;
use crate::support::TestServer;

/// Number of groups, of processes and of owners.
const MANY: usize = 130;

/// A map with a component `hub` that a component in each of many groups uses, in a process and with an owner each.
async fn wide(server: &TestServer) -> Assistant<'_> {
    let ada = server.sign_in("ada").await;
    let id = |kind: &str, n: usize| format!("{kind}-{n:03}");
    let mut components = vec![json!({ "id": "hub", "typeId": "service", "name": "Hub" })];
    let mut relationships = Vec::new();
    for n in 0..MANY {
        components.push(json!({ "id": id("group", n), "typeId": "group", "name": id("Group", n) }));
        components.push(json!({ "id": id("part", n), "typeId": "service", "name": id("Part", n) }));
        relationships.push(json!({ "sourceId": id("group", n), "targetId": id("part", n), "typeId": "contains" }));
        relationships.push(json!({ "sourceId": id("part", n), "targetId": "hub", "typeId": "uses" }));
    }
    let model = json!({ "workspace": { "name": "Wide" }, "components": components, "relationships": relationships });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    for n in 0..MANY {
        ada.post("/api/people", json!({ "id": id("person", n), "name": id("Person", n) })).await.created();
        let owner = json!({ "personId": id("person", n), "linkType": "owner" });
        ada.post(&format!("/api/workspaces/w/components/{}/stakeholders", id("part", n)), owner).await.created();
        let process = json!({ "id": id("process", n), "name": id("Process", n), "participants": { "A": id("part", n), "H": "hub" },
                              "mermaid": "sequenceDiagram\n  A->>H: Hub" });
        ada.post("/api/workspaces/w/processes", process).await.created();
    }
    Assistant::new(server.script_client("ada").await)
}

/// Lists of the result that are shorter than their number of items, and have neither a cursor nor a place in `more`.
fn cut(value: &Value, path: &str, wrong: &mut Vec<String>) {
    let Value::Object(fields) = value else {
        if let Value::Array(items) = value {
            items.iter().enumerate().for_each(|(at, item)| cut(item, &format!("{path}[{at}]"), wrong));
        }
        return;
    };
    for (name, field) in fields {
        let place = format!("{path}.{name}");
        if let Value::Array(items) = field {
            let singular = ["ies", "s"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            let counts = [format!("{name}Count"), format!("{singular}Count"), format!("{singular}yCount")];
            let count = counts.iter().find_map(|count| fields.get(count)).and_then(Value::as_u64);
            let is_cut = count.is_some_and(|count| count > items.len() as u64);
            let has_more =
                fields.get("more").is_some_and(|more| more.as_array().is_some_and(|more| more.contains(&json!(name))));
            // A write that is over has no further pages: the number tells how many there are.
            let is_of_a_write =
                ["orphans", "processesBroken", "overlaps", "components", "relationships"].contains(&name.as_str());
            // The list of all steps says which have a relationship.
            let is_step = name == "stepsWithoutRelationship" && fields.get("more") == Some(&json!(["steps"]));
            if is_cut && !has_more && !is_step && !is_of_a_write {
                wrong.push(place.clone());
            }
        }
        cut(field, &place, wrong);
    }
}

/// All rows of a list of a trace.
async fn listed(assistant: &Assistant<'_>, list: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut ask = json!({ "workspaceId": "w", "componentId": "hub", "list": list });
        if !cursor.is_null() {
            ask["cursor"] = cursor;
        }
        let page = assistant.call_ok("trace_dependencies", ask).await;
        assert_eq!((&page["total"], &page["list"]), (&json!(MANY), &json!(list)));
        rows.extend(page["rows"].as_array().unwrap().clone());
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return rows;
        }
    }
}

#[tokio::test]
async fn what_a_trace_affects_is_read_completely() {
    let server = TestServer::new().await;
    let assistant = wide(&server).await;
    let traced = assistant.call_ok("trace_dependencies", json!({ "workspaceId": "w", "componentId": "hub" })).await;
    assert_eq!(
        (&traced["groupCount"], &traced["processCount"], &traced["ownerCount"]),
        (&json!(MANY), &json!(MANY), &json!(MANY))
    );
    assert_eq!(traced["more"], json!(["groups", "processes", "owners"]));
    for list in ["groups", "processes", "owners"] {
        assert!(traced[list].as_array().unwrap().len() < MANY);
        let rows = listed(&assistant, list).await;
        assert_eq!(rows.iter().map(Value::to_string).collect::<BTreeSet<_>>().len(), MANY, "{list}");
    }
}

#[tokio::test]
async fn no_list_is_cut_without_a_way_to_the_rest() {
    let server = TestServer::new().await;
    let assistant = wide(&server).await;
    let steps: Vec<String> = (0..MANY).map(|n| format!("  A{n}->>B{n}: go")).collect();
    let steps = steps.join("\n");
    let participants: serde_json::Map<String, Value> = (0..MANY)
        .flat_map(|n| {
            [(format!("A{n}"), json!(format!("part-{n:03}"))), (format!("B{n}"), json!(format!("group-{n:03}")))]
        })
        .collect();
    let process = json!({ "workspaceId": "w", "processId": "all", "name": "All", "participants": participants,
                          "mermaid": format!("sequenceDiagram\n{steps}") });
    let saved = assistant.call_ok("save_process", process).await;
    assert_eq!(saved["stepsWithoutRelationshipCount"], MANY, "{saved}");
    let ask = json!({ "workspaceId": "w", "processId": "all", "list": "steps" });
    let all = assistant.call_ok("get_process", ask).await;
    let unrelated = all["rows"].as_array().unwrap().iter().filter(|row| row[5] == false).count();
    assert_eq!((&all["total"], unrelated), (&json!(MANY), MANY));
    let lines: Vec<String> = (0..MANY).map(|n| format!("  ??? {n}")).collect();
    let bad = json!({ "workspaceId": "w", "processId": "bad", "name": "Bad",
                      "mermaid": format!("sequenceDiagram\n{}", lines.join("\n")) });
    for told in [
        assistant.call_ok("save_process", bad).await,
        assistant.call_ok("get_process", json!({ "workspaceId": "w", "processId": "bad" })).await,
    ] {
        assert_eq!((&told["diagnosticCount"], &told["more"]), (&json!(MANY), &json!(["diagnostics"])));
        assert!(told["diagnostics"].as_array().unwrap().len() < MANY);
    }
    let ask = json!({ "workspaceId": "w", "processId": "bad", "list": "diagnostics" });
    let all = assistant.call_ok("get_process", ask).await;
    assert_eq!((&all["total"], all["rows"].as_array().unwrap().len()), (&json!(MANY), MANY));
    assert_eq!(all["rows"][MANY - 1][0], MANY + 1, "the line");
    let parts: Vec<String> = (0..40).map(|n| format!("part-{n:03}")).collect();
    let groups: Vec<String> = (0..50).map(|n| format!("group-{n:03}")).collect();
    let mut wrong = Vec::new();
    for described in super::DESCRIBED.iter() {
        let ask = match &*described.name {
            "get_me" | "get_type_catalogue" | "list_workspaces" | "list_people_and_teams" => json!({}),
            "get_workspace" => {
                json!({ "workspaceId": "w", "include": ["components", "relationships", "processes", "stakeholders"] })
            }
            "search" => json!({ "query": "part" }),
            "get_components" => json!({ "workspaceId": "w", "componentIds": ["hub"] }),
            "trace_dependencies" => json!({ "workspaceId": "w", "componentId": "hub" }),
            "find_paths" => json!({ "workspaceId": "w", "from": "part-001", "to": "hub" }),
            "get_process" => json!({ "workspaceId": "w", "processId": "all" }),
            "query_components" | "list_changes" | "list_views" => json!({ "workspaceId": "w" }),
            "compare" => json!({ "workspaceId": "w", "from": "1" }),
            "upsert_components" => json!({ "workspaceId": "w", "components": [{ "id": "hub", "name": "Center" }] }),
            "arrange_components" => json!({ "workspaceId": "w", "dryRun": true }),
            "delete_components" => json!({ "workspaceId": "w", "componentIds": groups, "dryRun": true }),
            "replace_workspace_model" => {
                json!({ "workspaceId": "w", "components": [], "relationships": [], "dryRun": true })
            }
            // These answer what they were given, or ask another server.
            _ => continue,
        };
        let told = assistant.call_ok(&described.name, ask).await;
        cut(&told, &described.name, &mut wrong);
        match &*described.name {
            "upsert_components" => {
                assert!(told["namedIn"]["hub"].as_array().unwrap().len() < MANY);
                assert_eq!(told["namedInMore"], json!(["hub"]));
            }
            "delete_components" => {
                assert_eq!((&told["orphanCount"], told["orphans"].as_array().unwrap().len()), (&json!(50), 50));
            }
            "replace_workspace_model" => {
                assert_eq!(told["deleted"]["componentCount"], 1 + 2 * MANY);
            }
            _ => {}
        }
    }
    let ask = json!({ "workspaceId": "w", "componentIds": parts, "dryRun": true });
    let told = assistant.call_ok("delete_components", ask).await;
    assert_eq!((&told["processesBrokenCount"], told["processesBroken"].as_array().unwrap().len()), (&json!(41), 41));
    assert_eq!(wrong, [""; 0]);
}
