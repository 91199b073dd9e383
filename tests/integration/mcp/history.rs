//! The tools for the history: undo, the list of changes, comparison and versions; and the fields of all writes.

use serde_json::{Value, json};

use super::{Assistant, HOST};
use crate::support::TestServer;

/// Renames the component `a` and returns the result.
async fn rename(assistant: &Assistant<'_>, name: &str, change_set: Option<&str>) -> Value {
    let mut arguments = json!({ "workspaceId": "w", "components": [{ "id": "a", "name": name }] });
    if let Some(id) = change_set {
        arguments["changeSetId"] = json!(id);
    }
    assistant.call_ok("upsert_components", arguments).await
}

async fn name_of(assistant: &Assistant<'_>, id: &str) -> Value {
    let path = format!("/api/workspaces/w/components/{id}");
    assistant.client.get(&path).await.ok()["component"]["name"].clone()
}

fn undo_of(ids: &[&Value]) -> Value {
    json!({ "workspaceId": "w", "changeSetIds": ids })
}

#[tokio::test]
async fn every_write_answers_how_to_undo_it_and_where_to_see_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let map = format!("http://{HOST}/o/acme/w/w");
    let done = rename(&assistant, "New", None).await;
    assert_eq!(done["revision"], ada.revision("w").await);
    assert_eq!(
        (done["changeSetId"].as_str().unwrap(), &done["url"]),
        (&*server.changes().last().unwrap().batch, &json!(map))
    );
    let process = json!({ "workspaceId": "w", "name": "Pay", "mermaid": "sequenceDiagram\n A->>B: pay" });
    let saved = assistant.call_ok("save_process", process).await;
    assert_eq!(
        (&saved["url"], &saved["revision"]),
        (&json!(format!("{map}/processes/pay")), &json!(ada.revision("w").await))
    );
    let link = json!({ "workspaceId": "w", "componentId": "a", "url": "https://example.org/" });
    let linked = assistant.call_ok("add_component_link", link).await;
    assert_eq!(
        (&linked["url"], &linked["componentUrl"]),
        (&json!("https://example.org/"), &json!(format!("{map}?c=a")))
    );
    assert_eq!(linked["revision"], ada.revision("w").await);
    let model = json!({ "workspaceId": "m", "name": "M", "components": [], "relationships": [] });
    let replaced = assistant.call_ok("replace_workspace_model", model).await;
    assert_eq!(replaced["url"], format!("http://{HOST}/o/acme/w/m"));
    assert!(replaced["changeSetId"].is_string());
    let tried = json!({ "workspaceId": "m", "dryRun": true, "components": [], "relationships": [] });
    assert!(assistant.call_ok("replace_workspace_model", tried).await["changeSetId"].is_null(), "nothing was written");
    let made = assistant.call_ok("create_workspace", json!({ "name": "Made" })).await;
    assert_eq!(made["url"], format!("http://{HOST}/o/acme/w/made"));

    let me = assistant.call_ok("get_me", json!({})).await;
    assert_eq!((&me["canWrite"], &me["url"]), (&json!(true), &json!(format!("http://{HOST}/o/acme"))));
    let person = ada.get("/api/people").await.ok()["people"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| !one["userId"].is_null())
        .cloned();
    assert_eq!(me["personId"], person.map_or(Value::Null, |person| person["id"].clone()));
}

#[tokio::test]
async fn calls_with_one_change_set_are_undone_and_redone_together() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let first = rename(&assistant, "One", None).await["changeSetId"].clone();
    let id = first.as_str().unwrap();
    let both = json!({ "workspaceId": "w", "changeSetId": id,
                       "components": [{ "id": "c", "typeId": "service", "name": "C" }] });
    assert_eq!(assistant.call_ok("upsert_components", both).await["changeSetId"], first);
    assert_eq!(rename(&assistant, "Two", Some(id)).await["changeSetId"], first);
    let other = rename(&assistant, "Three", None).await["changeSetId"].clone();

    let error = assistant.call_err("undo", undo_of(&[&first]), "component `a` has changed since by ada").await;
    assert!(error.contains(other.as_str().unwrap()) && error.contains("(code: changed_since)"), "{error}");
    let undone = assistant.call_ok("undo", undo_of(&[&other, &first])).await;
    assert_eq!((&undone["rows"], name_of(&assistant, "a").await), (&json!(2), json!("a")));
    assert_eq!(undone["revision"], ada.revision("w").await);
    ada.get("/api/workspaces/w/components/c").await.expect(404);
    assistant.call_ok("undo", undo_of(&[&undone["changeSetId"]])).await;
    assert_eq!((name_of(&assistant, "a").await, name_of(&assistant, "c").await), (json!("Three"), json!("C")));
    // REST undoes them together too, because the history shows them under one id.
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": other })).await.ok();
    let joined = ada.post("/api/workspaces/w/undo", json!({ "batchId": first })).await.ok();
    assert_eq!((&joined["rows"], name_of(&assistant, "a").await), (&json!(2), json!("a")));
    assistant
        .call_err(
            "upsert_components",
            json!({ "workspaceId": "w", "changeSetId": 7, "components": [] }),
            "changeSetId: must be",
        )
        .await;
}

#[tokio::test]
async fn undo_takes_back_only_own_tool_calls() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let (of_ada, of_bob) = (server.assistant_of("ada").await, server.assistant_of("bob").await);
    let by_bob = rename(&of_bob, "By Bob", None).await["changeSetId"].clone();
    of_ada.call_err("undo", undo_of(&[&by_bob]), "only your own changes").await;
    let by_hand = ada.patch("/api/workspaces/w/components/b", json!({ "name": "By hand" })).await;
    let by_hand = json!(by_hand.header("x-request-id"));
    of_ada.call_err("undo", undo_of(&[&by_hand]), "was not changed by a tool").await;
    of_ada.call_err("undo", undo_of(&[&json!("nothing")]), "changeSetIds[0]: no change set").await;
    of_ada.call_err("undo", undo_of(&[]), "changeSetIds: must have 1 to 50 items").await;
    // One of several that is not possible: nothing is undone.
    let own = json!({ "workspaceId": "w", "components": [{ "id": "b", "description": "Mine" }] });
    let own = of_ada.call_ok("upsert_components", own).await["changeSetId"].clone();
    of_ada.call_err("undo", undo_of(&[&own, &by_bob]), "only your own changes").await;
    assert_eq!(ada.get("/api/workspaces/w/components/b").await.ok()["component"]["description"], "Mine");
    of_ada.call_ok("undo", undo_of(&[&own])).await;
    of_ada.call_err("undo", undo_of(&[&own]), "component `b` has changed since by ada").await;
    // Others who wrote since are named.
    let own = rename(&of_ada, "By Ada", None).await["changeSetId"].clone();
    ada.patch("/api/workspaces/w", json!({ "name": "W2" })).await.ok();
    rename(&of_bob, "By Bob again", None).await;
    of_ada.call_err("undo", undo_of(&[&own]), "component `a` has changed since by bob").await;
}

#[tokio::test]
async fn the_list_of_changes_is_filtered_and_paged_without_gaps() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let start = ada.revision("w").await;
    let renamed = rename(&assistant, "New", None).await;
    ada.patch("/api/workspaces/w/components/b", json!({ "x": 5 })).await.ok();
    let listed = assistant.call_ok("list_changes", json!({ "workspaceId": "w", "sinceRevision": start })).await;
    let rows = listed["rows"].as_array().unwrap();
    assert_eq!(
        listed["columns"],
        json!(["time", "who", "via", "entity", "id", "op", "fields", "changeSetId", "reason"])
    );
    let shown: Vec<Value> = rows.iter().map(|row| json!(row.as_array().unwrap()[2..7])).collect();
    assert_eq!(
        shown,
        [json!(["rest", "component", "b", "update", ["x"]]), json!(["mcp", "component", "a", "update", ["name"]])]
    );
    assert_eq!(
        (&rows[1][7], rows[1][0].as_str().unwrap().len()),
        (&renamed["changeSetId"], "2026-11-22T10:00:00Z".len())
    );
    let count = |arguments: Value| async {
        let answer = assistant.call_ok("list_changes", arguments).await;
        answer["rows"].as_array().unwrap().len()
    };
    let w = |field: &str, value: Value| json!({ "workspaceId": "w", field: value });
    let all = count(json!({ "workspaceId": "w" })).await;
    assert!(all > 2);
    assert_eq!(count(w("actor", json!("me"))).await, all);
    assert_eq!(count(w("actor", rows[0][1].clone())).await, all);
    assert_eq!(count(w("actor", json!("999"))).await, 0);
    assert_eq!(count(w("entityId", json!("b"))).await, 2);
    assert_eq!(count(w("since", json!("2000-01-01"))).await, all);
    assert_eq!(count(w("since", json!("2200-01-01T00:00:00Z"))).await, 0);
    assistant.call_err("list_changes", w("actor", json!("Nobody")), "actor: no user of this name").await;
    assistant.call_err("list_changes", w("since", json!("yesterday")), "since: must be a time or date").await;

    let ids: Vec<String> = (0..450).map(|n| format!("component-with-a-long-id-{n:0>60}")).collect();
    ada.create_components("w", &ids.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let mut arguments = json!({ "workspaceId": "w" });
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let page = assistant.call_ok("list_changes", arguments).await;
        seen.extend(page["rows"].as_array().unwrap().iter().map(|row| row[4].clone()));
        (cursor, pages) = (page["nextCursor"].clone(), pages + 1);
        assert_eq!(page["truncated"], cursor.is_string());
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(seen.len(), all + 450);
    assert_eq!((&seen[0], &seen[449]), (&json!(ids[449]), &json!(ids[0])));
    assert!(pages > 2);
}

#[tokio::test]
async fn the_reason_of_a_call_is_shown_in_the_history() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let named = |id: &str| json!({ "id": id, "description": "Retired" });
    let both = json!({ "workspaceId": "w", "reason": "Ends in May", "components": [named("a"), named("b")] });
    let done = assistant.call_ok("upsert_components", both).await;
    let undo = json!({ "workspaceId": "w", "changeSetIds": [done["changeSetId"]], "reason": "Extended" });
    assistant.call_ok("undo", undo).await;
    let listed = assistant.call_ok("list_changes", json!({ "workspaceId": "w" })).await;
    let reasons: Vec<&Value> = listed["rows"].as_array().unwrap()[..4].iter().map(|row| &row[8]).collect();
    assert_eq!(reasons, [&json!("Extended"), &Value::Null, &json!("Ends in May"), &Value::Null]);
    let shown = ada.get("/api/workspaces/w/history?limit=1").await.ok();
    assert_eq!(shown["changes"][0]["reason"], "Extended");
    let long = json!({ "workspaceId": "w", "reason": "x".repeat(501), "components": [named("a")] });
    assistant.call_err("upsert_components", long, "reason: must have 1 to 500 characters, has 501").await;
}

#[tokio::test]
async fn a_version_is_kept_once_for_each_state() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let keep = async |name: &str| {
        let kept = assistant.call_ok("keep_version", json!({ "workspaceId": "w", "name": name })).await;
        (kept["versionId"].clone(), kept["unchanged"] == true)
    };
    let (first, is_known) = keep("As approved").await;
    assert!(!is_known);
    assert_eq!(keep("As approved").await, (first.clone(), true));
    assert!(!keep("Before the move").await.1, "another name is another version");
    rename(&assistant, "New", None).await;
    let (second, is_known) = keep("As approved").await;
    assert!(second != first && !is_known, "the state has changed");
    assert_eq!(keep("As approved").await, (second, true));
    let versions = ada.get("/api/workspaces/w/versions").await.ok();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn two_states_are_compared_by_revision_time_or_version() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let kept = assistant.call_ok("keep_version", json!({ "workspaceId": "w", "name": "As approved" })).await;
    assert_eq!((&kept["name"], &kept["revision"]), (&json!("As approved"), &json!(ada.revision("w").await)));
    let change = json!({ "workspaceId": "w", "components": [
        { "id": "a", "name": "New", "properties": { "lifecycle": "live" } },
        { "id": "c", "typeId": "service", "name": "C" },
    ] });
    assistant.call_ok("upsert_components", change).await;
    let gone = json!({ "workspaceId": "w", "relationshipIds": ["r"], "expectedRevision": ada.revision("w").await });
    assistant.call_ok("delete_relationships", gone).await;
    let expected = json!([
        [["component", "c", "C"]],
        [["component", "a", "name", "a", "New"], ["component", "a", "properties.lifecycle", null, "live"]],
        [["relationship", "r", "a calls b"]],
    ]);
    let lists = |found: &Value| json!([found["added"], found["changed"], found["removed"]]);
    for from in [json!("As approved"), json!(kept["revision"].to_string())] {
        let found = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": from })).await;
        assert_eq!((lists(&found), &found["total"]), (expected.clone(), &json!(4)), "{from}");
        assert_eq!((&found["from"], &found["to"]), (&kept["revision"], &json!(ada.revision("w").await)));
    }
    let back = json!({ "workspaceId": "w", "from": ada.revision("w").await.to_string(), "to": "as approved" });
    let back = assistant.call_ok("compare", back).await;
    assert_eq!((&back["added"], &back["removed"]), (&expected[2], &expected[0]));
    let now = json!({ "workspaceId": "w", "from": "2200-01-01" });
    assert_eq!(assistant.call_ok("compare", now).await["total"], 0);
    let early = json!({ "workspaceId": "w", "from": "2000-01-01" });
    assistant.call_err("compare", early, "from: the history of this workspace begins").await;
    let unknown = json!({ "workspaceId": "w", "from": "Approved" });
    assistant.call_err("compare", unknown, "the newest are `As approved`").await;
    assistant.call_err("compare", json!({ "workspaceId": "w", "from": "999" }), "revision 999 not found").await;
}

#[tokio::test]
async fn pages_of_a_comparison_are_of_one_state() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let from = ada.revision("w").await.to_string();
    let ids: Vec<String> = (0..400).map(|n| format!("component-with-a-long-id-{n:0>60}")).collect();
    ada.create_components("w", &ids.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let first = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": from })).await;
    assert_eq!((&first["total"], &first["truncated"]), (&json!(400), &json!(true)));
    rename(&assistant, "Later", None).await;
    let mut seen = first["added"].as_array().unwrap().len();
    let mut cursor = first["nextCursor"].clone();
    while cursor.is_string() {
        let page = assistant.call_ok("compare", json!({ "workspaceId": "w", "from": from, "cursor": cursor })).await;
        assert_eq!((&page["to"], &page["changed"]), (&first["to"], &json!([])));
        seen += page["added"].as_array().unwrap().len();
        cursor = page["nextCursor"].clone();
    }
    assert_eq!(seen, 400);
    assistant.call_err("compare", json!({ "workspaceId": "w", "from": from, "cursor": "x" }), "cursor: must be").await;
}
