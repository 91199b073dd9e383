//! Dry runs of whole models that a second call applies.

use serde_json::{Value, json};

use super::Assistant;
use crate::support::{TestClient, TestServer};

/// A model that keeps `a`, removes `b` and adds `c`.
fn model() -> Value {
    json!({ "workspaceId": "w", "relationships": [],
            "components": [{ "id": "a", "typeId": "service", "name": "New" }, { "id": "c", "typeId": "job", "name": "C" }] })
}

/// The dry run of a model.
async fn planned(assistant: &Assistant<'_>, mut model: Value) -> Value {
    model["dryRun"] = json!(true);
    assistant.call_ok("replace_workspace_model", model).await
}

fn apply(plan: &Value) -> Value {
    json!({ "workspaceId": "w", "planId": plan["planId"] })
}

async fn ids(ada: &TestClient<'_>) -> Vec<String> {
    let bundle = ada.bundle("w").await;
    bundle["components"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_dry_run_is_applied_by_its_id() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let plan = planned(&assistant, model()).await;
    assert_eq!(plan["revision"], ada.revision("w").await);
    assert_eq!(ids(&ada).await, ["a", "b"]);
    let mut labeled = apply(&plan);
    (labeled["changeSetId"], labeled["reason"]) = (json!("redraw"), json!("The old map was wrong"));
    let done = assistant.call_ok("replace_workspace_model", labeled).await;
    assert_eq!((&done["components"], &done["changeSetId"]), (&json!(2), &json!("redraw")));
    assert_eq!(ids(&ada).await, ["a", "c"]);
    // A client that did not get the answer repeats the call.
    let again = assistant.call_ok("replace_workspace_model", apply(&plan)).await;
    assert_eq!((&again["revision"], again["changeSetId"].is_null()), (&done["revision"], true));
    let undo = json!({ "workspaceId": "w", "changeSetIds": ["redraw"] });
    assistant.call_ok("undo", undo).await;
    assert_eq!(ids(&ada).await, ["a", "b"]);
}

#[tokio::test]
async fn a_plan_is_refused_if_what_it_affects_has_changed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let refused = |plan: Value, text: &'static str| {
        let assistant = &assistant;
        async move {
            let told = assistant.call_err("replace_workspace_model", apply(&plan), "(code: stale)").await;
            assert!(told.contains(text) && told.contains("nothing was written"), "{text}: {told}");
        }
    };
    // Another change does not matter.
    let plan = planned(&assistant, model()).await;
    let process = json!({ "id": "pay", "name": "P", "mermaid": "sequenceDiagram" });
    ada.post("/api/workspaces/w/processes", process).await.created();
    ada.patch("/api/workspaces/w/components/b", json!({ "description": "Hers" })).await.ok();
    refused(plan, "component `b` was changed by ada (rest) 0 s ago: description").await;
    // A component that did not exist would be deleted unseen.
    let plan = planned(&assistant, model()).await;
    ada.create_components("w", &["d"]).await;
    refused(plan, "component `d` was changed by ada").await;
    // What hangs on a deleted component is deleted too.
    let plan = planned(&assistant, model()).await;
    ada.post("/api/workspaces/w/components/b/links", json!({ "url": "https://example.org/" })).await.created();
    refused(plan, "link `").await;
    // What was deleted since would be created again.
    let plan = planned(&assistant, model()).await;
    ada.delete("/api/workspaces/w/components/a").await.ok();
    refused(plan, "component `a` was changed by ada (rest) 0 s ago: delete").await;
    assert_eq!(ids(&ada).await, ["b", "d"]);
    // A process is no part of the model.
    let plan = planned(&assistant, model()).await;
    ada.patch("/api/workspaces/w/processes/pay", json!({ "name": "Q" })).await.ok();
    assistant.call_ok("replace_workspace_model", apply(&plan)).await;
    assert_eq!(ids(&ada).await, ["a", "c"]);
}

#[tokio::test]
async fn a_plan_is_for_its_user_and_workspace_and_expires() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("v").await;
    let eve_id = server.seed_member("eve", "acme", "org:member");
    let member = json!({ "userId": eve_id, "role": "editor" });
    ada.post("/api/workspaces/w/members", member).await.ok();
    let (assistant, eve) = (server.assistant_of("ada").await, server.assistant_of("eve").await);
    let plan = planned(&assistant, model()).await;
    eve.call_err("replace_workspace_model", apply(&plan), "planId: there is no such plan").await;
    let elsewhere = json!({ "workspaceId": "v", "planId": plan["planId"] });
    assistant.call_err("replace_workspace_model", elsewhere, "planId: there is no such plan").await;
    let with_more = json!({ "workspaceId": "w", "planId": plan["planId"], "components": [] });
    assistant.call_err("replace_workspace_model", with_more, "planId: must be sent with `workspaceId` only").await;
    assistant.call_err("replace_workspace_model", json!({ "workspaceId": "w" }), "components: is required").await;
    // Permissions are those of the time when the plan is applied.
    let hers = planned(&eve, model()).await;
    ada.patch(&format!("/api/workspaces/w/members/{eve_id}"), json!({ "role": "viewer" })).await.ok();
    eve.call_err("replace_workspace_model", apply(&hers), "(code: forbidden)").await;
    let script = server.script_client("ada").await;
    server.clock.advance(31 * 60 * 1_000);
    assistant.call_err("replace_workspace_model", apply(&plan), "A plan is stored for 30 minutes").await;
    assert_eq!(ids(&script).await, ["a", "b"]);
}

#[tokio::test]
async fn a_plan_can_create_a_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let mut new = model();
    (new["workspaceId"], new["name"]) = (json!("new"), json!("New"));
    let plan = planned(&assistant, new).await;
    assert!(plan["revision"].is_null(), "{plan}");
    let apply = json!({ "workspaceId": "new", "planId": plan["planId"] });
    ada.create_workspace("new").await;
    assistant.call_err("replace_workspace_model", apply.clone(), "the workspace was created after the dry run").await;
    ada.delete("/api/workspaces/new").await.ok();
    let mut other = model();
    (other["workspaceId"], other["name"]) = (json!("other"), json!("Other"));
    let plan = planned(&assistant, other).await;
    let apply = json!({ "workspaceId": "other", "planId": plan["planId"] });
    assistant.call_ok("replace_workspace_model", apply.clone()).await;
    assert_eq!(ada.bundle("other").await["components"].as_array().unwrap().len(), 2);
    let again = assistant.call_ok("replace_workspace_model", apply).await;
    assert!(again["changeSetId"].is_null(), "{again}");
}
