//! An assistant takes back what it added: links, team members, people and teams.

use serde_json::{Value, json};

use crate::support::TestServer;

#[tokio::test]
async fn a_link_is_removed_by_its_url() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let link = |remove: bool| json!({ "workspaceId": "w", "componentId": "a", "url": "https://example.org/runbook", "remove": remove });
    assistant.call_ok("add_component_link", link(false)).await;
    let removed = assistant.call_ok("add_component_link", link(true)).await;
    assert_eq!((&removed["removed"], &removed["url"]), (&json!(true), &json!("https://example.org/runbook")));
    let links = ada.get("/api/workspaces/w/components/a/links").await.ok();
    assert_eq!(links["links"], json!([]));
    assistant.call_err("add_component_link", link(true), "url: is not linked").await;
    let undo = json!({ "workspaceId": "w", "changeSetIds": [removed["changeSetId"]] });
    assistant.call_ok("undo", undo).await;
    assert_eq!(ada.get("/api/workspaces/w/components/a/links").await.ok()["links"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn people_and_teams_are_deleted_by_who_created_them_if_nothing_uses_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_member("eve", "acme", "org:member");
    let (assistant, eve) = (server.assistant_of("ada").await, server.assistant_of("eve").await);
    for name in ["Grace", "Alan"] {
        eve.call_ok("save_person_or_team", json!({ "kind": "person", "name": name })).await;
    }
    let team = json!({ "kind": "team", "name": "Core", "members": [{ "personId": "grace" }, { "personId": "alan" }] });
    eve.call_ok("save_person_or_team", team).await;
    let leave = json!({ "kind": "team", "id": "core", "members": [{ "personId": "alan", "remove": true }] });
    eve.call_ok("save_person_or_team", leave.clone()).await;
    let members = ada.get("/api/teams/core/members").await.ok();
    let members: Vec<&Value> = members["members"].as_array().unwrap().iter().map(|one| &one["personId"]).collect();
    assert_eq!(members, [&json!("grace")]);
    eve.call_err("save_person_or_team", leave, "members[0].personId: is not a member of the team").await;

    let delete = |kind: &str, id: &str| json!({ "kind": kind, "id": id, "delete": true });
    let named = json!({ "kind": "person", "id": "alan", "delete": true, "name": "Alan" });
    eve.call_err("save_person_or_team", named, "delete: must be sent with").await;
    assistant.call_err("save_person_or_team", delete("person", "alan"), "(code: forbidden)").await;
    let owner = json!({ "teamId": "core", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", owner).await.created();
    eve.call_err("save_person_or_team", delete("team", "core"), "(code: team_in_use)").await;
    let done = eve.call_ok("save_person_or_team", delete("person", "alan")).await;
    assert_eq!((&done["deleted"], &done["id"]), (&json!(true), &json!("alan")));
    ada.get("/api/people/alan").await.expect_error(404, "person not found");
    let missing = delete("person", "nobody");
    eve.call_err("save_person_or_team", missing, "not found").await;
    // A person with an account is not an entry that an assistant made.
    let own = eve.call_ok("get_me", json!({})).await["personId"].clone();
    if let Some(own) = own.as_str() {
        eve.call_err("save_person_or_team", delete("person", own), "(code: forbidden)").await;
    }
}

#[tokio::test]
async fn one_answer_tells_all_that_is_wrong_with_arguments() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let told = async |tool: &str, arguments: Value| assistant.call(tool, arguments).await.unwrap_err();
    let view = json!({ "viewId": "V v", "name": "", "description": 4, "other": 1 });
    let error = told("save_view", view).await;
    for part in [
        "5 arguments are wrong; nothing was done:",
        "- other: the tool save_view has no such argument",
        "- viewId: must consist of",
        "- name: must have 1 to 200 characters, has 0",
        "- description: ",
        "- workspaceId: is required",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let types = json!({ "workspaceId": "w", "name": "V", "definition": {
        "include": [{ "types": ["servic", "datbase"] }], "exclude": [{ "lifecycle": ["old"] }] } });
    let error = told("save_view", types).await;
    for part in ["definition.include[0].types[0]", "definition.include[0].types[1]", "exclude[0].lifecycle[0]"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    let owner = json!({ "personId": "grace", "linkType": "owner" });
    let wrong = json!({ "workspaceId": "w", "componentIds": ["aa", "a", "a"], "stakeholders": [
        { "personId": "grace" }, { "personId": "nobody", "linkType": "owner" }, owner ] });
    let error = told("set_stakeholders", wrong).await;
    for part in ["componentIds[0]: there is no component", "stakeholders[0].linkType: is required", "stakeholders[1]"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let members = json!({ "kind": "team", "name": "T", "members": [
        { "personId": "nobody" }, { "personId": 5 }, { "personId": "grace" }, { "personId": "none" } ] });
    let error = told("save_person_or_team", members).await;
    for part in ["3 of 4 items are wrong", "members[0]", "members[1]", "members[3]"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let right = json!({ "workspaceId": "w", "componentIds": ["a", "a"], "stakeholders": [owner] });
    assert_eq!(
        assistant.call_ok("set_stakeholders", right).await["added"],
        1,
        "a component that is named twice is one"
    );
}

#[tokio::test]
async fn stakeholders_that_were_not_read_are_not_detached() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    for id in ["grace", "alan"] {
        ada.post("/api/people", json!({ "id": id, "name": id })).await.created();
    }
    let read = ada.revision("w").await;
    let own = |id: &str| json!({ "personId": id, "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", own("alan")).await.created();
    let replace = |revision: i64| {
        json!({ "workspaceId": "w", "componentId": "a", "mode": "replaceRole", "stakeholders": [own("grace")],
                "expectedRevision": revision })
    };
    assistant.call_err("set_stakeholders", replace(read), "nothing was written").await;
    let done = assistant.call_ok("set_stakeholders", replace(ada.revision("w").await)).await;
    assert_eq!((&done["added"], &done["detached"][0]["personId"]), (&json!(1), &json!("alan")));
}

#[tokio::test]
async fn an_insertion_into_a_process_is_made_once() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let text = "sequenceDiagram\n  A->>B: pay";
    let new = json!({ "workspaceId": "w", "processId": "pay", "name": "Pay", "mermaid": text });
    assistant.call_ok("save_process", new).await;
    let edit = json!({ "workspaceId": "w", "processId": "pay",
                       "edits": [{ "oldText": "A->>B: pay", "newText": "A->>B: pay\n  B->>A: paid" }] });
    let first = assistant.call_ok("save_process", edit.clone()).await;
    assert_eq!((&first["steps"], &first["editsMadeBefore"]), (&json!(2), &Value::Null));
    let second = assistant.call_ok("save_process", edit.clone()).await;
    assert_eq!((&second["steps"], &second["editsMadeBefore"]), (&json!(2), &json!([0])));
    assert!(second["changeSetId"].is_null(), "nothing was written");
    let mut read = edit;
    read["expectedRevision"] = second["revision"].clone();
    assert_eq!(assistant.call_ok("save_process", read).await["steps"], 3, "who has read it wants it again");
}
