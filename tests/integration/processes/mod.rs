//! Processes: fields, parsed texts and participants.

mod mapping;
mod texts;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, ids};

const PATH: &str = "/api/workspaces/w/processes";

const TEXT: &str =
    "sequenceDiagram\n  actor U as \"A user\"\n  participant Web\n  U->>Web: order\n  Web->>Pay: charge\n";

impl TestClient<'_> {
    /// Creates a process with a complete mapping.
    async fn write_down(&self, id: &str, mermaid: &str, participants: Value) -> Value {
        let new = json!({ "id": id, "name": id, "mermaid": mermaid, "participants": participants });
        self.post(PATH, new).await.created()["process"].clone()
    }

    async fn process(&self, id: &str) -> Value {
        self.get(&format!("{PATH}/{id}")).await.ok()["process"].clone()
    }
}

/// A process without parsed content, as in the bundle.
fn plain(process: &Value) -> Value {
    let mut plain = process.clone();
    for part in ["lifelines", "steps", "blocks", "notes", "unresolved", "diagnostics"] {
        assert!(plain.as_object_mut().unwrap().shift_remove(part).is_some(), "{part} is missing");
    }
    plain
}

#[tokio::test]
async fn a_process_is_returned_as_sent_with_its_parsed_diagram() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let new = json!({ "id": "order", "name": "  Order  ", "description": "From click to charge.\n", "mermaid": TEXT,
                      "participants": { "Web": "a", "Pay": "b" } });
    let process = ada.post(PATH, new.clone()).await.created()["process"].clone();
    for field in ["id", "description", "mermaid", "participants"] {
        assert_eq!(process[field], new[field], "{field}");
    }
    assert_eq!((&process["name"], &process["workspaceId"]), (&json!("Order"), &json!("w")));
    assert_eq!(process["revision"], ada.revision("w").await);
    let step = |index, line, source, source_id: Value, target, target_id, text| {
        json!({ "index": index, "line": line, "source": source, "sourceId": source_id, "target": target,
                "targetId": target_id, "arrow": "solid", "text": text })
    };
    let steps =
        [step(0, 4, "U", Value::Null, "Web", "a", "order"), step(1, 5, "Web", json!("a"), "Pay", "b", "charge")];
    assert_eq!(process["steps"], json!(steps));
    assert_eq!((&process["unresolved"], &process["diagnostics"]), (&json!(["U"]), &json!([])));
    let lifeline = |alias, name, figure, line, component: Value| {
        json!({ "alias": alias, "name": name, "figure": figure, "line": line, "created": false, "destroyed": false,
                "componentId": component })
    };
    let lifelines = [
        lifeline("U", "A user", "actor", 2, Value::Null),
        lifeline("Web", "Web", "participant", 3, json!("a")),
        lifeline("Pay", "Pay", "participant", 5, json!("b")),
    ];
    assert_eq!(process["lifelines"], json!(lifelines));
    assert_eq!(ada.process("order").await, process, "and is read as it was written");
    assert_eq!(ada.get(PATH).await.ok()["processes"], json!([process]));
    assert_eq!(ada.bundle("w").await["processes"], json!([plain(&process)]), "the bundle has what was stored");
}

#[tokio::test]
async fn a_process_requires_only_name_and_text() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let new = json!({ "name": "Check out & pay", "mermaid": "sequenceDiagram" });
    let first = ada.post(PATH, new.clone()).await.created()["process"].clone();
    assert_eq!((&first["id"], &first["participants"]), (&json!("check-out-pay"), &json!({})));
    assert!(first.get("description").is_none(), "what was never set is left out");
    assert_eq!((&first["steps"], &first["lifelines"]), (&json!([]), &json!([])));
    for (name, id) in [("Check out & pay", "check-out-pay-2"), ("支払い", "process"), ("X", "process-x")] {
        let new = json!({ "name": name, "mermaid": "sequenceDiagram" });
        assert_eq!(ada.post(PATH, new).await.created()["process"]["id"], id);
    }
    let long = json!({ "name": "a".repeat(200), "mermaid": "sequenceDiagram" });
    for _ in 0..2 {
        let id = ada.post(PATH, long.clone()).await.created()["process"]["id"].clone();
        assert!(id.as_str().unwrap().len() <= 50, "{id}");
    }
    assert_eq!(ids(&ada.get(PATH).await.ok()["processes"]).len(), 6);
}

#[tokio::test]
async fn an_id_is_kebab_case_and_unique_in_its_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let new = |id: &str| json!({ "id": id, "name": "N", "mermaid": "sequenceDiagram" });
    let before = server.log_sizes();
    let long = "a".repeat(51);
    for id in ["", "a", "-a", "a-", "Ab", "a b", "a_b", "a/b", "a+b", "100%", "漢字", "..", "a\n", &long] {
        assert_eq!(ada.post(PATH, new(id)).await.expect_error(400, "2 to 50")["field"], "id", "{id:?}");
    }
    assert_eq!(server.log_sizes(), before);
    for id in ["ab", "0-9", "a--b", &"a".repeat(50)] {
        assert_eq!(ada.post(PATH, new(id)).await.created()["process"]["id"], id);
        ada.post(PATH, new(id)).await.expect_error(409, "a process with the id");
    }
    ada.create_workspace("v").await;
    ada.post("/api/workspaces/v/processes", new("ab")).await.created();
}

#[tokio::test]
async fn an_invalid_path_finds_no_process() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({})).await;
    let before = server.log_sizes();
    for odd in ["none", "Order", "order%20", "a%2Fb", "a+b", "100%25", "%E6%BC%A2%E5%AD%97", "%00", "%2E%2E"] {
        let path = format!("{PATH}/{odd}");
        ada.get(&path).await.expect_error(404, "process not found");
        ada.patch(&path, json!({ "name": "N" })).await.expect_error(404, "process not found");
        ada.delete(&path).await.expect_error(404, "process not found");
    }
    for bad in ["%", "%ZZ", "%FF"] {
        ada.get(&format!("{PATH}/{bad}")).await.expect_error(400, "path");
    }
    ada.get("/api/workspaces/none/processes").await.expect_error(404, "workspace not found");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn a_patch_updates_the_given_fields() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = ada.write_down("order", TEXT, json!({ "Web": "a" })).await;
    let path = format!("{PATH}/order");
    let named = ada.patch(&path, json!({ "name": "Place an order", "description": "D" })).await.ok()["process"].clone();
    assert_eq!((&named["name"], &named["description"]), (&json!("Place an order"), &json!("D")));
    for field in ["mermaid", "participants", "steps", "lifelines", "createdAt"] {
        assert_eq!(named[field], before[field], "{field}");
    }
    let text = "sequenceDiagram\n  Web-->>Web: think";
    let change = json!({ "mermaid": text, "description": "", "participants": null });
    let rewritten = ada.patch(&path, change).await.ok()["process"].clone();
    assert_eq!((&rewritten["mermaid"], &rewritten["description"]), (&json!(text), &json!("")));
    assert_eq!((&rewritten["name"], &rewritten["participants"]), (&named["name"], &named["participants"]));
    assert_eq!(rewritten["steps"][0]["arrow"], "dotted");
    assert_eq!(rewritten["steps"].as_array().unwrap().len(), 1);
    assert_eq!(ada.process("order").await, rewritten);
    assert_eq!(rewritten["revision"], ada.revision("w").await);
    ada.patch(&path, json!({ "id": "other" })).await.expect_error(400, "id: cannot change; it is `order`");
}

#[tokio::test]
async fn a_process_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let read = ada.write_down("order", TEXT, json!({ "Web": "a" })).await;
    let written = server.log_sizes();
    let path = format!("{PATH}/order");
    for body in [read.clone(), plain(&read), json!({})] {
        assert_eq!(ada.patch(&path, body).await.ok()["process"], read);
    }
    assert_eq!(server.log_sizes(), written);
    let mut copy = read.clone();
    copy["id"] = "copy".into();
    let copy = ada.post(PATH, copy).await.created()["process"].clone();
    assert_eq!((&copy["steps"], &copy["participants"]), (&read["steps"], &read["participants"]));
}

#[tokio::test]
async fn a_deleted_process_is_gone_and_its_id_can_be_reused() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.write_down("order", TEXT, json!({})).await;
    ada.write_down("return", TEXT, json!({})).await;
    let path = format!("{PATH}/order");
    assert_eq!(ada.delete(&path).await.ok(), json!({ "ok": true }));
    ada.get(&path).await.expect_error(404, "process not found");
    ada.delete(&path).await.expect_error(404, "process not found");
    assert_eq!(ids(&ada.bundle("w").await["processes"]), ["return"]);
    ada.write_down("order", TEXT, json!({})).await;
    assert_eq!(ids(&ada.get(PATH).await.ok()["processes"]), ["return", "order"], "in order of creation");
}

#[tokio::test]
async fn every_write_of_a_process_is_logged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let gesture = ada.header("x-batch-id", "story");
    let created = gesture.write_down("order", TEXT, json!({ "Web": "a" })).await;
    let path = format!("{PATH}/order");
    let renamed = gesture.patch(&path, json!({ "name": "N" })).await.ok()["process"].clone();
    gesture.delete(&path).await.ok();
    assert_eq!(server.changes_of("story"), ["create process order", "update process order", "delete process order"]);
    let changes: Vec<_> = server.changes().into_iter().filter(|change| change.batch == "story").collect();
    let image = |process: &Value| {
        let mut image = json!({ "seq": 1 << 20 });
        image.as_object_mut().unwrap().extend(plain(process).as_object().unwrap().clone());
        image
    };
    assert_eq!((&changes[0].before, &changes[0].after), (&Value::Null, &image(&created)));
    assert_eq!((&changes[1].before, &changes[1].after), (&image(&created), &image(&renamed)));
    assert_eq!((&changes[2].before, &changes[2].after), (&image(&renamed), &Value::Null));
}

#[tokio::test]
async fn a_stale_process_is_not_overwritten() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let read = ada.write_down("order", TEXT, json!({})).await;
    ada.create_components("w", &["c"]).await; // the workspace moves on, the process does not
    let path = format!("{PATH}/order");
    let fresh = ada.header("if-match", &format!("\"{}\"", read["revision"]));
    let changed = fresh.patch(&path, json!({ "description": "D" })).await.ok()["process"].clone();
    let written = server.log_sizes();
    for reply in [fresh.patch(&path, json!({ "name": "N" })).await, fresh.delete(&path).await] {
        let refusal = reply.expect_error(412, "changed since you read it");
        assert_eq!((&refusal["code"], &refusal["current"]), (&json!("stale"), &plain(&changed)));
        assert_eq!(refusal["changedBy"]["displayName"], "ada");
    }
    assert_eq!(server.log_sizes(), written);
    ada.header("if-match", &format!("\"{}\"", changed["revision"])).delete(&path).await.ok();
}

#[tokio::test]
async fn a_process_sent_twice_is_created_once() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let again = ada.header("idempotency-key", "k");
    let new = json!({ "name": "Order", "mermaid": TEXT, "participants": { "Web": "a" } });
    let first = again.post(PATH, new.clone()).await.created();
    assert_eq!(again.post(PATH, new).await.created(), first);
    assert_eq!(ids(&ada.get(PATH).await.ok()["processes"]), ["order"]);
}
