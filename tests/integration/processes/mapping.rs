//! The component of a participant: validated when it is new, kept afterwards.

use serde_json::{Value, json};

use super::{PATH, TEXT};
use crate::support::TestServer;

#[tokio::test]
async fn a_new_entry_requires_an_existing_alias_and_component() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["far"]).await;
    ada.write_down("order", TEXT, json!({ "Web": "a" })).await;
    let path = format!("{PATH}/order");
    let written = server.log_sizes();
    for (alias, component, message) in [
        ("Stock", json!("a"), "the diagram has no participant of this alias"),
        ("web", json!("a"), "no participant of this alias"),
        ("A user", json!("a"), "no participant of this alias"),
        ("", json!("a"), "no participant of this alias"),
        ("Pay", json!("far"), "there is no component `far` in this workspace"),
        ("Pay", json!(""), "there is no component"),
        ("Pay", json!("A"), "there is no component"),
        ("Pay", json!(3), "must be the id of a component"),
        ("Pay", json!(["a"]), "must be the id of a component"),
        ("Pay", json!(null), "must be the id of a component"),
    ] {
        let body = json!({ "participants": { alias: component } });
        let field = format!("participants.{alias}");
        assert_eq!(ada.patch(&path, body).await.expect_error(400, message)["field"], field);
        let new = json!({ "name": "N", "mermaid": TEXT, "participants": { "Web": "a", alias: component } });
        assert_eq!(ada.post(PATH, new).await.expect_error(400, message)["field"], field);
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn an_alias_is_valid_however_the_diagram_declares_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = "sequenceDiagram\n  participant D as Declared\n  D->>in a message: x\n  Note over noted: y\n  nonsense here\n  \
                create actor late\n  D->>late: z\n  participant odd#59;one";
    let participants = json!({ "D": "a", "in a message": "b", "noted": "a", "late": "b", "odd#59;one": "a" });
    let process = ada.write_down("talk", text, participants.clone()).await;
    assert_eq!((&process["participants"], &process["unresolved"]), (&participants, &json!([])));
}

#[tokio::test]
async fn the_mapping_is_replaced_as_a_whole() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({ "Web": "a", "Pay": "b" })).await;
    let path = format!("{PATH}/order");
    let map_to = |participants: Value| ada.patch(&path, json!({ "participants": participants }));
    let mapped = map_to(json!({ "U": "a" })).await.ok()["process"].clone();
    assert_eq!((&mapped["participants"], &mapped["unresolved"]), (&json!({ "U": "a" }), &json!(["Web", "Pay"])));
    let none = map_to(json!({})).await.ok()["process"].clone();
    assert_eq!(none["participants"], json!({}));
    assert_eq!(none["unresolved"], json!(["U", "Web", "Pay"]));
    assert!(
        none["steps"].as_array().unwrap().iter().all(|step| step["sourceId"].is_null() && step["targetId"].is_null())
    );
    let both = map_to(json!({ "Pay": "a", "Web": "a" })).await.ok()["process"].clone();
    assert_eq!(both["participants"].to_string(), r#"{"Pay":"a","Web":"a"}"#, "in the order in which it was given");
}

#[tokio::test]
async fn deleting_a_component_only_makes_its_alias_unresolved() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = ada.write_down("order", TEXT, json!({ "Web": "a", "Pay": "b" })).await;
    assert_eq!(before["unresolved"], json!(["U"]));
    ada.delete("/api/workspaces/w/components/a").await.ok();
    let after = ada.process("order").await;
    for field in ["mermaid", "participants", "revision", "updatedAt", "blocks"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["unresolved"], json!(["U", "Web"]));
    assert_eq!((&after["steps"][1]["sourceId"], &after["steps"][1]["targetId"]), (&json!(null), &json!("b")));
    assert_eq!(after["lifelines"][1]["componentId"], json!(null));
    ada.create_components("w", &["a"]).await;
    assert_eq!(ada.process("order").await, before, "a component of the same id is the same to the process");
}

#[tokio::test]
async fn a_bulk_keeps_processes_but_can_make_aliases_unresolved() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = ada.write_down("order", TEXT, json!({ "Web": "a", "Pay": "b" })).await;
    let model = json!({ "components": [{ "id": "b", "typeId": "api", "name": "B" }], "relationships": [] });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    let after = ada.process("order").await;
    assert_eq!((&after["mermaid"], &after["participants"]), (&before["mermaid"], &before["participants"]));
    assert_eq!(after["unresolved"], json!(["U", "Web"]));
}

#[tokio::test]
async fn unchanged_entries_can_be_sent_back_even_if_unresolved() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    ada.write_down("order", TEXT, json!({ "U": "c", "Web": "a", "Pay": "b" })).await;
    let path = format!("{PATH}/order");
    ada.delete("/api/workspaces/w/components/a").await.ok();
    // The text changes: there is no participant Pay any more, and Web is deleted.
    let text = "sequenceDiagram\n  U->>Web: order\n  Web->>Bank: charge";
    let moved = ada.patch(&path, json!({ "mermaid": text })).await.ok()["process"].clone();
    assert_eq!(moved["participants"], json!({ "U": "c", "Web": "a", "Pay": "b" }), "the mapping stays");
    assert_eq!(moved["unresolved"], json!(["Web", "Bank"]));
    let map_to = |participants: Value| ada.patch(&path, json!({ "participants": participants }));
    let more = map_to(json!({ "U": "c", "Web": "a", "Pay": "b", "Bank": "b" })).await.ok()["process"].clone();
    assert_eq!(more["unresolved"], json!(["Web"]));
    assert_eq!(
        map_to(json!({ "Pay": "c" })).await.expect_error(400, "no participant")["field"],
        "participants.Pay",
        "changed"
    );
    assert_eq!(
        map_to(json!({ "Pay": "b", "U": "a" })).await.expect_error(400, "no component")["field"],
        "participants.U"
    );
    map_to(json!({ "Web": "c" })).await.ok();
    map_to(json!({ "Pay": "b" })).await.expect_error(400, "no participant"); // it was given up, and is new again
}

#[tokio::test]
async fn a_mapping_is_validated_against_the_text_of_the_same_request() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({})).await;
    let path = format!("{PATH}/order");
    let text = "sequenceDiagram\n  Shop->>Bank: charge";
    let both = |alias: &str| json!({ "mermaid": text, "participants": { alias: "a" } });
    ada.patch(&path, both("Web")).await.expect_error(400, "participants.Web: the diagram has no participant");
    assert_eq!(ada.patch(&path, both("Shop")).await.ok()["process"]["steps"][0]["sourceId"], "a");
}

#[tokio::test]
async fn an_invalid_mapping_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    let raw = |participants: &str| {
        let body = format!(r#"{{"name":"N","mermaid":"sequenceDiagram\nA->>B: x","participants":{participants}}}"#);
        ada.send_raw(axum::http::Method::POST, PATH, Some("application/json"), body)
    };
    let deep = format!("{}1{}", r#"{"A":"#.repeat(40), "}".repeat(40));
    let large = format!(r#"{{"A":"{}"}}"#, "x".repeat(70_000));
    for (participants, message) in [
        ("[]", "expected an object"),
        (r#""a""#, "expected an object"),
        ("3", "expected an object"),
        (r#"{"A":"a","A":"b"}"#, "key `A` is repeated"),
        (r#"{"A":NaN}"#, "expected value"),
        (&*deep, "32 levels"),
        (&*large, "65536 bytes"),
    ] {
        let refused = raw(participants).await.expect_error(400, message);
        let field = refused["field"].as_str().unwrap_or("participants");
        assert!(field.starts_with("participants"), "{refused}");
    }
    assert_eq!(server.log_sizes(), written);
}
