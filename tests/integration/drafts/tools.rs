//! Assistants propose changes.

use serde_json::{Value, json};

use super::{patch, read};
use crate::support::{TestClient, TestServer, ids};

#[tokio::test]
async fn an_assistant_proposes_a_change_that_a_user_merges() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let ask = json!({ "workspaceId": "w", "title": "Add a queue", "description": "Found in the code." });
    let started = assistant.call_ok("start_draft", ask).await;
    let id = started["draftId"].as_str().unwrap().to_owned();
    assert_eq!((&started["state"], &started["workspaceId"]), (&json!("draft"), &json!("w")));
    let components = json!([{ "id": "queue", "typeId": "queue", "name": "Queue" }]);
    assistant.call_ok("upsert_components", json!({ "workspaceId": id, "components": components })).await;
    let relationships = json!([{ "sourceId": "a", "targetId": "queue", "typeId": "calls" }]);
    assistant.call_ok("upsert_relationships", json!({ "workspaceId": id, "relationships": relationships })).await;
    let revision = ada.revision(&id).await;
    let deletion = json!({ "workspaceId": id, "componentIds": ["b"], "expectedRevision": revision });
    assistant.call_ok("delete_components", deletion).await;
    let listed = assistant.call_ok("list_workspaces", json!({})).await.to_string();
    assert!(!listed.contains(&id), "{listed}");
    let search = json!({ "query": "Queue", "workspaceId": id });
    assistant.call_err("search", search, "search does not find drafts").await;
    let compared = assistant.call_ok("compare_draft", json!({ "draftId": id })).await;
    let text = compared["markdown"].as_str().unwrap();
    assert!(text.contains("component **Queue** (`queue`)") && text.contains("### Removed"), "{text}");
    let submitted =
        assistant.call_ok("submit_draft", json!({ "draftId": id, "title": "Add a queue for orders" })).await;
    assert_eq!((&submitted["state"], &submitted["title"]), (&json!("open"), &json!("Add a queue for orders")));
    assert_eq!(read(&ada, &id).await["author"]["login"], "ada");
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["a", "queue"]);
    assistant.call_err("submit_draft", json!({ "draftId": id }), "merged or closed").await;
    assistant.call_err("compare_draft", json!({ "draftId": "none" }), "draft not found").await;
}

/// Logins of the reviewers of a draft.
async fn reviewers(client: &TestClient<'_>, id: &str) -> Vec<String> {
    let draft = read(client, id).await;
    let login = |user: &Value| user["login"].as_str().unwrap().to_owned();
    draft["reviewers"].as_array().unwrap().iter().map(login).collect()
}

#[tokio::test]
async fn an_assistant_asks_reviewers_by_login_or_user_id() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let (eve, vic) = (server.seed_member("eve", "acme", "org:member"), server.seed_member("vic", "acme", "org:member"));
    server.grant("w", eve, "editor");
    server.grant("w", vic, "viewer");
    let out = server.seed_member("out", "acme", "org:member");
    server.create_org("other", "olga").await;
    let assistant = server.assistant_of("vic").await;
    let new = json!({ "workspaceId": "w", "title": "T", "reviewers": ["EVE"] });
    let started = assistant.call_ok("start_draft", new).await;
    assert_eq!(started["reviewers"], json!(["eve"]));
    let id = started["draftId"].as_str().unwrap().to_owned();
    assert_eq!(reviewers(&ada, &id).await, ["eve"]);
    let eve = server.sign_in("eve").await;
    assert_eq!(eve.get("/api/me/inbox").await.ok()["unread"], 0, "not submitted");
    assistant.call_ok("submit_draft", json!({ "draftId": id })).await;
    assert_eq!(reviewers(&ada, &id).await, ["eve"], "absent reviewers stay");
    assert_eq!(eve.get("/api/me/inbox").await.ok()["unread"], 1);
    let ada_id = ada.get("/api/me").await.ok()["id"].clone();
    let submitted =
        assistant.call_ok("submit_draft", json!({ "draftId": id, "reviewers": ["eve", ada_id.to_string()] })).await;
    assert_eq!(submitted["reviewers"], json!(["eve", "ada"]));
    assert_eq!(ada.get("/api/me/inbox").await.ok()["unread"], 1);

    let nothing = json!({ "draftId": id, "reviewers": [true] });
    assistant.call_err("submit_draft", nothing, "expected a login or a user id").await;

    // The error does not reveal whether an account exists.
    for unknown in ["out", "olga", "nobody", &out.to_string(), "99999"] {
        let text = format!("reviewers[1]: no user with the login or id `{unknown}` can view this workspace");
        let ask = json!({ "draftId": id, "reviewers": ["eve", unknown] });
        assistant.call_err("submit_draft", ask, &text).await;
        let ask = json!({ "workspaceId": "w", "title": "T", "reviewers": ["eve", unknown] });
        assistant.call_err("start_draft", ask, &text).await;
    }
    assert_eq!(reviewers(&ada, &id).await, ["eve", "ada"]);
    let many = vec!["eve"; 21];
    assistant.call_err("submit_draft", json!({ "draftId": id, "reviewers": many }), "reviewers").await;
    patch(&ada, &id, json!({ "reviewers": [] })).await;
    let outsider = server.assistant_of("out").await;
    let ask = json!({ "workspaceId": "w", "title": "T", "reviewers": ["eve"] });
    outsider.call_err("start_draft", ask, "workspace not found").await;
}

#[tokio::test]
async fn a_tool_that_is_refused_to_a_viewer_says_that_the_change_can_be_proposed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let vic = server.seed_member("vic", "acme", "org:member");
    server.grant("w", vic, "viewer");
    server.seed_member("out", "acme", "org:member");
    let revision = ada.revision("w").await;
    let calls = [
        ("upsert_components", json!({ "components": [{ "id": "n", "typeId": "service", "name": "N" }] })),
        ("upsert_relationships", json!({ "relationships": [{ "sourceId": "a", "targetId": "b", "typeId": "calls" }] })),
        ("update_workspace", json!({ "name": "Renamed" })),
        ("save_decision", json!({ "title": "Use events" })),
        ("delete_components", json!({ "componentIds": ["a"], "expectedRevision": revision })),
        ("replace_workspace_model", json!({ "components": [], "relationships": [], "expectedRevision": revision })),
        ("undo", json!({ "changeSetIds": ["none"] })),
    ];
    let (viewer, outsider) = (server.assistant_of("vic").await, server.assistant_of("out").await);
    for (tool, mut arguments) in calls {
        arguments["workspaceId"] = json!("w");
        let refusal = viewer.call_err(tool, arguments.clone(), "needs the access level editor").await;
        let rest = "(code: forbidden). What to do: start_draft, make the change in the draft, then submit_draft.";
        assert!(refusal.contains(rest), "{tool}: {refusal}");
        let hidden = outsider.call_err(tool, arguments, "").await;
        assert!(!hidden.contains("draft") && !hidden.contains("access level"), "{tool}: {hidden}");
    }
    // A version cannot be proposed.
    let keep = json!({ "workspaceId": "w", "name": "One" });
    let refusal = viewer.call_err("keep_version", keep, "needs the access level editor").await;
    assert!(!refusal.contains("draft"), "{refusal}");
}

#[tokio::test]
async fn an_assistant_finds_its_drafts_and_reads_their_reviews() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let eve = server.seed_member("eve", "acme", "org:member");
    server.grant("w", eve, "editor");
    let eve = server.sign_in("eve").await;
    let assistant = server.assistant_of("ada").await;
    let new = json!({ "workspaceId": "w", "title": "Add a queue", "reviewers": ["eve"] });
    let started = assistant.call_ok("start_draft", new).await;
    let id = started["draftId"].as_str().unwrap().to_owned();
    assert_eq!(started["url"], format!("http://planroom.test/o/acme/w/w/drafts/{id}"));
    let of_eve = super::start(&eve, "w", "By eve").await;
    assistant.call_ok("submit_draft", json!({ "draftId": id })).await;
    let reviews = format!("/api/drafts/{id}/reviews");
    let text = "Please use the *old* queue.\n# Why?";
    eve.post(&reviews, json!({ "verdict": "changes-requested", "text": text })).await.created();

    let list = async || assistant.call_ok("list_drafts", json!({ "workspaceId": "w" })).await["rows"].clone();
    let own = json!([id, 1, "Add a queue", "changes-requested", "ada", ["eve"], false]);
    let other = json!([of_eve, 2, "By eve", "draft", "eve", [], false]);
    assert_eq!(list().await, json!([other, own]));

    let compared = assistant.call_ok("compare_draft", json!({ "draftId": id })).await["markdown"].clone();
    let expected =
        "### Reviews\n\n- **eve** requested changes at revision 4\n  > Please use the *old* queue.\n  > # Why?";
    assert!(compared.as_str().unwrap().contains(expected), "{compared}");
    let renamed = json!({ "workspaceId": id, "components": [{ "id": "a", "name": "Queue" }] });
    assistant.call_ok("upsert_components", renamed).await;
    assistant.call_ok("submit_draft", json!({ "draftId": id })).await;
    eve.post(&reviews, json!({ "verdict": "approved" })).await.created();
    let compared = assistant.call_ok("compare_draft", json!({ "draftId": id })).await["markdown"].clone();
    for part in ["requested changes at revision 4 (no longer counts)", "- **eve** approved at revision 5"] {
        assert!(compared.as_str().unwrap().contains(part), "{compared}");
    }
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    let behind = json!([of_eve, 2, "By eve", "draft", "eve", [], true]);
    assert_eq!(list().await, json!([behind]), "merged drafts are not listed");
}
