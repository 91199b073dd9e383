//! Undo, restore, past states and versions of decisions.

use serde_json::json;

use super::PATH;
use crate::support::TestServer;

#[tokio::test]
async fn undoing_a_deletion_of_a_component_brings_its_decisions_back() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "D", "id": "dd", "componentIds": ["a", "b"] })).await;
    let deleted = ada.delete("/api/workspaces/w/components/a").await;
    deleted.ok();
    assert_eq!(ada.decision("dd").await["componentIds"], json!(["b"]));
    assert_eq!(ada.decisions("?componentId=a").await, ["1 dd proposed"]);
    let bundle = ada.get("/api/workspaces/w?include=decisions").await.ok();
    assert_eq!(bundle["decisions"][0]["componentIds"], json!(["b"]));
    // A change of the remaining ones does not remove the reference.
    ada.patch(&format!("{PATH}/dd"), json!({ "componentIds": [], "title": "E" })).await.ok();
    assert_eq!(ada.decision("dd").await["componentIds"], json!([]));
    ada.undo(deleted.header("x-request-id")).await;
    assert_eq!(ada.decision("dd").await["componentIds"], json!(["a"]));
}

#[tokio::test]
async fn undoing_a_deletion_of_a_decision_brings_its_references_back() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let old = ada.decide(json!({ "title": "Old", "body": "Text" })).await;
    ada.decide(json!({ "title": "New", "supersedes": ["old"] })).await;
    let deleted = ada.delete(&format!("{PATH}/old")).await;
    deleted.ok();
    assert_eq!(ada.decision("new").await["supersedes"], json!([]));
    ada.undo(deleted.header("x-request-id")).await;
    assert_eq!(ada.decision("new").await["supersedes"], json!(["old"]));
    let back = ada.decision("old").await;
    assert_eq!((&back["number"], &back["body"], &back["createdAt"]), (&json!(1), &json!("Text"), &old["createdAt"]));
}

#[tokio::test]
async fn undoing_a_decision_gives_the_replaced_ones_their_state_back() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "Old", "status": "accepted" })).await;
    let reply = ada.post(PATH, json!({ "title": "New", "supersedes": ["old"] })).await;
    ada.undo(reply.header("x-request-id")).await;
    assert_eq!(ada.decisions("").await, ["1 old accepted"]);
}

#[tokio::test]
async fn a_number_that_was_given_again_stays_unique_after_an_undo() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One" })).await;
    let deleted = ada.delete(&format!("{PATH}/one")).await;
    ada.decide(json!({ "title": "Two" })).await;
    ada.undo(deleted.header("x-request-id")).await;
    assert_eq!(ada.decisions("").await, ["1 two proposed", "2 one proposed"]);
}

#[tokio::test]
async fn a_number_stays_unique_after_the_undo_of_an_import_that_changed_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One" })).await;
    ada.decide(json!({ "title": "Two" })).await;
    let mut file = ada.get("/api/workspaces/w/export").await.ok();
    for (index, number) in [(0, 5), (1, 1)] {
        file["decisions"][index]["number"] = json!(number);
    }
    let renumbered = ada.post("/api/import?id=w&replace=true", file).await;
    renumbered.ok();
    assert_eq!(ada.decisions("").await, ["1 two proposed", "5 one proposed"]);
    ada.import_decisions(&[("0002-new.md", "# New\n")]).await.ok();
    ada.undo(renumbered.header("x-request-id")).await;
    assert_eq!(ada.decisions("").await, ["1 one proposed", "2 new proposed", "3 two proposed"]);
}

#[tokio::test]
async fn a_merged_draft_gives_way_to_the_numbers_of_the_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "One" })).await;
    for update_first in [false, true] {
        let started = ada.post("/api/workspaces/w/drafts", json!({ "title": "T", "submit": true })).await;
        let draft = started.created()["draft"]["id"].as_str().unwrap().to_owned();
        let suffix = if update_first { "-again" } else { "" };
        let proposed = json!({ "id": format!("proposed{suffix}"), "title": "P" });
        ada.post(&format!("/api/workspaces/{draft}/decisions"), proposed).await.created();
        let before = ada.decisions("").await;
        ada.decide(json!({ "id": format!("decided{suffix}"), "title": "D" })).await;
        let given = before.len() + 1;
        if update_first {
            ada.post(&format!("/api/drafts/{draft}/update"), json!({})).await.ok();
            let listed = ada.get(&format!("/api/workspaces/{draft}/decisions")).await.ok()["decisions"].clone();
            let numbers: Vec<_> = listed.as_array().unwrap().iter().map(|row| row["number"].clone()).collect();
            assert_eq!(numbers, [1, 2, 3, 4, 5]);
            assert_eq!(listed[3]["id"], "decided-again", "the workspace has given this number");
        }
        ada.post(&format!("/api/drafts/{draft}/merge"), json!({})).await.ok();
        let after = ada.decisions("").await;
        assert_eq!(after[given - 1], format!("{given} decided{suffix} proposed"));
        assert_eq!(after[given], format!("{} proposed{suffix} proposed", given + 1));
    }
}

#[tokio::test]
async fn past_states_versions_and_differences_contain_decisions() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.decide(json!({ "title": "D", "id": "dd", "body": "Before", "componentIds": ["a"] })).await;
    let revision = ada.revision("w").await;
    let version = ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created();
    ada.patch(&format!("{PATH}/dd"), json!({ "body": "After", "status": "accepted" })).await.ok();
    ada.decide(json!({ "title": "E" })).await;
    ada.delete("/api/workspaces/w/components/a").await.ok();
    let past = ada.get(&format!("/api/workspaces/w?at={revision}")).await.ok()["decisions"].clone();
    assert_eq!(past.as_array().unwrap().len(), 1);
    assert_eq!((&past[0]["status"], &past[0]["componentIds"]), (&json!("proposed"), &json!(["a"])));
    let difference = ada.get(&format!("/api/workspaces/w/history/difference?from={revision}")).await.ok();
    let decisions = &difference["decisions"];
    assert_eq!(decisions["added"][0]["row"]["id"], "decision-e");
    assert_eq!(decisions["changed"][0]["fields"]["body"], json!({ "from": "Before", "to": "After" }));
    let history = ada.get("/api/workspaces/w/history?entity=decision&entityId=dd").await.ok();
    assert_eq!(history["changes"][0]["fields"], json!(["status", "body"]));
    ada.post("/api/workspaces/w/history/restore", json!({ "revision": revision })).await.ok();
    assert_eq!(ada.decisions("").await, ["1 dd proposed"]);
    assert_eq!(ada.decision("dd").await["body"], "Before");
    ada.patch(&format!("{PATH}/dd"), json!({ "body": "Again" })).await.ok();
    let id = version["version"]["id"].as_i64().unwrap();
    ada.post(&format!("/api/workspaces/w/versions/{id}/restore"), json!({})).await;
    assert_eq!(ada.decision("dd").await["body"], "Before");
}
