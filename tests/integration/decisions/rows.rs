//! Creating, reading, changing and deleting decisions.

use serde_json::{Value, json};

use super::{PATH, plain};
use crate::support::TestServer;

#[tokio::test]
async fn a_decision_gets_the_next_number_and_an_id_from_its_title() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let body = "\n\n## Context\r\n\r\nOrders need #a.  \n\n";
    let first = ada
        .decide(json!({ "title": " Use events ", "status": "accepted", "date": "2024-02-29", "authors": ["Ada"],
                        "componentIds": ["a", "b", "a"], "body": body }))
        .await;
    let expected = json!({
        "id": "use-events", "workspaceId": "w", "number": 1, "title": "Use events", "status": "accepted",
        "date": "2024-02-29", "authors": ["Ada"], "componentIds": ["a", "b"], "supersedes": [],
        "body": "## Context\n\nOrders need #a.",
    });
    assert_eq!(plain(&first), expected);
    assert_eq!(ada.decision("use-events").await, first);
    let second = ada.decide(json!({ "title": "Use events" })).await;
    assert_eq!(
        (&second["id"], &second["number"], &second["status"]),
        (&json!("use-events-2"), &json!(2), &json!("proposed"))
    );
    assert_eq!(second["date"].as_str().unwrap().len(), 10, "today");
    // The list and the bundle have no texts.
    let listed = ada.get(PATH).await.ok()["decisions"].clone();
    let mut summary = first.clone();
    summary.as_object_mut().unwrap().shift_remove("body");
    assert_eq!(listed[0], summary);
    let bundle = ada.get("/api/workspaces/w?include=decisions").await.ok();
    assert_eq!(bundle["decisions"], listed);
    assert_eq!(ada.get("/api/workspaces/w?include=notes,views").await.ok()["decisions"], Value::Null);
}

#[tokio::test]
async fn a_list_is_filtered_by_state_and_component() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One", "status": "accepted", "componentIds": ["a"] })).await;
    ada.decide(json!({ "title": "Two", "componentIds": ["a", "b"] })).await;
    ada.decide(json!({ "title": "Three", "status": "rejected" })).await;
    assert_eq!(ada.decisions("?status=proposed").await, ["2 two proposed"]);
    assert_eq!(ada.decisions("?componentId=a").await, ["1 one accepted", "2 two proposed"]);
    assert_eq!(ada.decisions("?componentId=b&status=accepted").await, Vec::<String>::new());
    ada.get(&format!("{PATH}?status=done")).await.expect_error(400, "status");
}

#[tokio::test]
async fn decisions_do_not_supersede_each_other() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One" })).await;
    ada.decide(json!({ "title": "Two", "supersedes": ["one"] })).await;
    ada.decide(json!({ "title": "Three", "supersedes": ["two"] })).await;
    for (id, by) in [("one", "two"), ("one", "three"), ("two", "three")] {
        let patch = json!({ "supersedes": [by] });
        ada.patch(&format!("{PATH}/{id}"), patch)
            .await
            .expect_error(400, &format!("supersedes[0]: `{by}` supersedes this decision"));
    }
    ada.patch(&format!("{PATH}/two"), json!({ "supersedes": [] })).await.ok();
    ada.patch(&format!("{PATH}/one"), json!({ "supersedes": ["two"] })).await.ok();
    // In files, the first reference by number is taken.
    ada.create_workspace("files").await;
    let files = [
        ("0001-a.md", "# A\n\n## Status\n\nSupersedes [2](0002-b.md)\n"),
        ("0002-b.md", "# B\n\n## Status\n\nSupersedes [3](0003-c.md)\n"),
        ("0003-c.md", "# C\n\n## Status\n\nSupersedes [1](0001-a.md)\n"),
    ];
    let files: Vec<Value> = files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    let imported = ada.post("/api/workspaces/files/decisions/import", json!({ "files": files })).await.ok();
    let told = &imported["diagnostics"][0];
    assert_eq!(
        (&told["file"], imported["diagnostics"].as_array().unwrap().len()),
        (&json!("0003-c.md"), 1),
        "{imported}"
    );
    assert!(told["text"].as_str().unwrap().starts_with("decisions 3 and 1 would supersede each other"), "{told}");
    let rows = ada.get("/api/workspaces/files/decisions").await.ok()["decisions"].clone();
    let supersedes: Vec<&Value> = rows.as_array().unwrap().iter().map(|row| &row["supersedes"]).collect();
    assert_eq!(supersedes, [&json!(["decision-b"]), &json!(["decision-c"]), &json!([])]);
}

#[tokio::test]
async fn a_superseded_decision_changes_its_state_in_the_same_change_set() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Old", "status": "accepted" })).await;
    let reply = ada.post(PATH, json!({ "title": "New", "supersedes": ["old"] })).await;
    reply.created();
    assert_eq!(ada.decisions("").await, ["1 old superseded", "2 new proposed"]);
    let change_set = reply.header("x-request-id").to_owned();
    assert_eq!(server.changes_of(&change_set), ["create decision new", "update decision old"]);
    // Only those that are new in the list change their state.
    ada.patch(&format!("{PATH}/old"), json!({ "status": "accepted" })).await.ok();
    ada.patch(&format!("{PATH}/new"), json!({ "supersedes": ["old"], "title": "Newer" })).await.ok();
    assert_eq!(ada.decisions("").await, ["1 old accepted", "2 new proposed"]);
    ada.decide(json!({ "title": "Third" })).await;
    ada.patch(&format!("{PATH}/new"), json!({ "supersedes": ["third", "old"] })).await.ok();
    assert_eq!(ada.decisions("").await, ["1 old accepted", "2 new proposed", "3 third superseded"]);
    assert_eq!(ada.decision("new").await["supersedes"], json!(["third", "old"]));
}

#[tokio::test]
async fn wrong_fields_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Old" })).await;
    for (fields, field, text) in [
        (json!({}), "title", "is required"),
        (json!({ "title": " " }), "title", "must have 1 to 200 characters"),
        (json!({ "title": "T", "status": "done" }), "status", "must be one of"),
        (json!({ "title": "T", "date": "2025-02-29" }), "date", "must be a date, as in `2026-11-25`"),
        (json!({ "title": "T", "date": "25-2-29" }), "date", "must be a date"),
        (json!({ "title": "T", "componentIds": ["a", "gone"] }), "componentIds[1]", "there is no component `gone`"),
        (json!({ "title": "T", "supersedes": ["gone"] }), "supersedes[0]", "there is no decision `gone`"),
        (json!({ "title": "T", "authors": ["Ada", ""] }), "authors[1]", "must have 1 to 200 characters"),
        (json!({ "title": "T", "authors": vec!["A"; 51] }), "authors", "must have at most 50 items"),
        (json!({ "title": "T", "body": "ä".repeat(50_001) }), "body", "must have at most 100000 bytes, has 100002"),
        (json!({ "title": "T", "id": "export" }), "id", "`export` is reserved"),
    ] {
        let refused = ada.post(PATH, fields.clone()).await.expect_error(400, text);
        assert_eq!(refused["field"], field, "{fields}");
    }
    let old = format!("{PATH}/old");
    for (fields, field, text) in [
        (json!({ "supersedes": ["old"] }), "supersedes[0]", "cannot supersede itself"),
        (json!({ "number": 2 }), "number", "cannot be changed"),
        (json!({ "id": "other" }), "id", "old"),
    ] {
        let refused = ada.patch(&old, fields.clone()).await.expect_error(400, text);
        assert_eq!(refused["field"], field, "{fields}");
    }
    ada.post(PATH, json!({ "title": "Old", "id": "old" })).await.expect_error(409, "exists already");
    ada.get(&format!("{PATH}/gone")).await.expect_error(404, "decision not found");
    // Exactly the maximum.
    let body = "ä".repeat(50_000);
    assert_eq!(ada.decide(json!({ "title": "Long", "body": body })).await["body"], body);
    // An id from a title is never a path of the API.
    assert_eq!(ada.decide(json!({ "title": "Export" })).await["id"], "export-2");
}

#[tokio::test]
async fn the_texts_of_a_workspace_have_a_quota() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let server = TestServer::on(server.stop(), |config| config.quotas.decision_mib = 1);
    let ada = server.sign_in("ada").await;
    let body = "x".repeat(100_000);
    for number in 0..10 {
        ada.decide(json!({ "title": format!("D {number}"), "body": body })).await;
    }
    let refused = ada.post(PATH, json!({ "title": "More", "body": body })).await;
    refused.expect_error(409, "the texts of the decisions of this workspace would take");
    ada.patch(&format!("{PATH}/d-1"), json!({ "body": "short" })).await.ok();
    ada.decide(json!({ "title": "More", "body": body })).await;
}

#[tokio::test]
async fn operations_write_decisions_and_followers_receive_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let operate =
        async |operations: Value| ada.post("/api/workspaces/w/operations", json!({ "operations": operations })).await;
    let mut events = ada.follow("w", "").await;
    let written = operate(json!([
        { "op": "create", "kind": "component", "row": { "id": "c", "typeId": "queue", "name": "C" } },
        { "op": "create", "kind": "decision", "row": { "id": "d1", "title": "D", "componentIds": ["c"] } },
        { "op": "create", "kind": "decision", "row": { "id": "d2", "title": "E", "supersedes": ["d1"] } },
        { "op": "update", "kind": "decision", "id": "d2", "fields": { "status": "accepted" } },
    ]))
    .await
    .ok();
    assert_eq!(written["decisions"][0]["status"], "superseded");
    assert_eq!(
        (&written["decisions"][1]["number"], &written["decisions"][1]["status"]),
        (&json!(2), &json!("accepted"))
    );
    let seen = [events.next_event().await, events.next_event().await].map(|event| event.data["entityId"].clone());
    assert_eq!(seen, [json!("c"), json!("d1")]);
    let taken = operate(json!([{ "op": "create", "kind": "decision", "row": { "id": "d1", "title": "D" } }])).await;
    assert_eq!(taken.json()["conflicts"][0]["why"], "taken", "{taken}");
    let gone = operate(json!([{ "op": "update", "kind": "decision", "id": "gone", "fields": { "title": "X" } }])).await;
    assert_eq!(gone.json()["conflicts"][0]["why"], "deleted", "{gone}");
    let deleted = operate(json!([{ "op": "delete", "kind": "decision", "id": "d2" }])).await.ok();
    assert_eq!(deleted["deleted"], json!([{ "kind": "decision", "id": "d2" }]));
}

#[tokio::test]
async fn search_finds_titles_and_texts() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Choose a broker", "body": "RabbitMQ was considered." })).await;
    let found = ada.get("/api/search?q=rabbitmq&kind=decision").await.ok()["results"].clone();
    assert_eq!((&found[0]["kind"], &found[0]["name"]), (&json!("decision"), &json!("Choose a broker")));
    assert_eq!(found[0]["path"], "/o/acme/w/w/decisions/choose-a-broker");
    assert_eq!(found[0]["excerpt"], "RabbitMQ was considered.");
    ada.patch(&format!("{PATH}/choose-a-broker"), json!({ "body": "Kafka" })).await.ok();
    assert_eq!(ada.get("/api/search?q=rabbitmq").await.ok()["results"], json!([]));
    ada.delete(&format!("{PATH}/choose-a-broker")).await.ok();
    assert_eq!(ada.get("/api/search?q=broker").await.ok()["results"], json!([]));
}
