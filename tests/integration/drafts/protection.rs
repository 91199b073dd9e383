//! Protected workspaces change only when drafts are merged.

use axum::http::Method;
use serde_json::{Value, json};

use super::{merge, read, rename, start, submit};
use crate::support::{TestClient, TestServer};

const PROTECTION: &str = "/api/workspaces/w/protection";

async fn protect(client: &TestClient<'_>, approvals: i64, owners_exempt: bool) -> Value {
    let body = json!({ "protected": true, "requiredApprovals": approvals, "ownersExempt": owners_exempt });
    client.patch(PROTECTION, body).await.ok()
}

/// Every way to write rows of a map by REST: method, path below the workspace, and a body that is accepted otherwise.
fn writes(undo: &Value, link: i64, stakeholder: i64, version: i64, image: &str) -> Vec<(Method, String, Value)> {
    let component = json!({ "id": "new", "typeId": "service", "name": "New" });
    let link_path = format!("/components/a/links/{link}");
    let stakeholder_path = format!("/components/a/stakeholders/{stakeholder}");
    let operation = json!({ "op": "create", "kind": "component", "row": { "typeId": "service", "name": "Op" } });
    let reading = json!({ "components": [{ "origin": { "key": "k", "file": "f", "line": 1 }, "id": "k", "typeId": "service",
                                           "name": "K" }] });
    let view = json!({ "id": "vv2", "name": "V" });
    let post = |path: &str, body: Value| (Method::POST, path.to_owned(), body);
    let patch = |path: &str, body: Value| (Method::PATCH, path.to_owned(), body);
    let delete = |path: &str| (Method::DELETE, path.to_owned(), Value::Null);
    vec![
        patch("", json!({ "name": "Renamed" })),
        (Method::PUT, "/bulk".into(), json!({ "components": [component], "relationships": [] })),
        post("/operations", json!({ "operations": [operation] })),
        post("/sync", json!({ "source": { "id": "s", "kind": "compose" }, "reading": reading })),
        patch("/sources/old", json!({ "kind": "component", "key": "gone", "accepted": true })),
        post("/history/restore", json!({ "revision": 2 })),
        post("/undo", undo.clone()),
        post(&format!("/versions/{version}/restore"), json!({})),
        post("/components", component.clone()),
        patch("/components", json!([{ "id": "a", "x": 5, "y": 5 }])),
        patch("/components/a", json!({ "name": "Renamed" })),
        delete("/components/a"),
        post("/components/a/links", json!({ "kind": "url", "url": "https://example.org/2" })),
        delete(&link_path),
        post("/components/b/stakeholders", json!({ "personId": "grace", "linkType": "owner" })),
        patch(&stakeholder_path, json!({ "properties": { "since": 2024 } })),
        delete(&stakeholder_path),
        post("/relationships", json!({ "sourceId": "b", "targetId": "a", "typeId": "calls" })),
        patch("/relationships/r", json!({ "label": "calls" })),
        delete("/relationships/r"),
        post("/processes", json!({ "id": "p2", "name": "P", "mermaid": "sequenceDiagram\n  A->>B: hi" })),
        patch("/processes/order", json!({ "name": "Renamed" })),
        delete("/processes/order"),
        post("/notes", json!({ "text": "N", "x": 0, "y": 0 })),
        post("/notes", json!({ "kind": "image", "text": "N", "imageId": image, "x": 0, "y": 0 })),
        patch("/notes/note", json!({ "text": "Changed" })),
        delete("/notes/note"),
        post("/views", view),
        patch("/views/vv", json!({ "name": "Renamed" })),
        post("/views/vv/copy", json!({})),
        delete("/views/vv"),
        post("/tours", json!({ "id": "tt2", "name": "T" })),
        patch("/tours/tt", json!({ "name": "Renamed" })),
        delete("/tours/tt"),
        post("/decisions", json!({ "title": "Use events" })),
        post("/decisions/import", json!({ "files": [{ "name": "0007-use-events.md", "text": "# Use events" }] })),
        patch("/decisions/dd", json!({ "title": "Renamed" })),
        delete("/decisions/dd"),
    ]
}

/// Writes in a workspace that change no row of its map, and therefore need no draft.
const OTHERS: &[&str] = &[
    "DELETE /api/workspaces/{id}",
    "POST /api/workspaces/{id}/duplicate",
    "POST /api/workspaces/{id}/presence",
    "POST /api/workspaces/{id}/sync/preview",
    "DELETE /api/workspaces/{id}/sources/{sourceId}",
    "POST /api/workspaces/{id}/versions",
    "DELETE /api/workspaces/{id}/versions/{vid}",
    "POST /api/workspaces/{id}/members",
    "PATCH /api/workspaces/{id}/members/{userId}",
    "DELETE /api/workspaces/{id}/members/{userId}",
    "POST /api/workspaces/{id}/access-requests",
    "DELETE /api/workspaces/{id}/access-requests/{userId}",
    "PATCH /api/workspaces/{id}/comments",
    "POST /api/workspaces/{id}/threads",
    "PATCH /api/workspaces/{id}/threads/{threadId}",
    "DELETE /api/workspaces/{id}/threads/{threadId}",
    "POST /api/workspaces/{id}/threads/{threadId}/resolve",
    "POST /api/workspaces/{id}/threads/{threadId}/reopen",
    "POST /api/workspaces/{id}/threads/{threadId}/messages",
    "PATCH /api/workspaces/{id}/threads/{threadId}/messages/{messageId}",
    "DELETE /api/workspaces/{id}/threads/{threadId}/messages/{messageId}",
    "PUT /api/me/watches/workspaces/{id}",
    "DELETE /api/me/watches/workspaces/{id}",
    "PUT /api/me/watches/workspaces/{id}/components/{cid}",
    "DELETE /api/me/watches/workspaces/{id}/components/{cid}",
    "PUT /api/me/watches/workspaces/{id}/threads/{threadId}",
    "DELETE /api/me/watches/workspaces/{id}/threads/{threadId}",
    "POST /api/workspaces/{id}/drafts",
    "PATCH /api/workspaces/{id}/protection",
    "PATCH /api/drafts/{id}",
    "POST /api/drafts/{id}/update",
    "POST /api/drafts/{id}/reviews",
    "POST /api/drafts/{id}/merge",
    "POST /api/drafts/{id}/close",
    "POST /api/workspaces/{id}/shares",
    "PATCH /api/workspaces/{id}/shares/{shareId}",
    "DELETE /api/workspaces/{id}/shares/{shareId}",
    "POST /api/workspaces/{id}/shares/{shareId}/rotate",
    "POST /api/workspaces/{id}/shares/{shareId}/adopt",
    "POST /api/workspaces/{id}/images",
    "POST /api/workspaces/{id}/views/personal",
    "PATCH /api/workspaces/{id}/views/personal/{viewId}",
    "DELETE /api/workspaces/{id}/views/personal/{viewId}",
    // Calls the wiki, which this test does not have. It writes the link like a PATCH.
    "POST /api/workspaces/{id}/components/{cid}/links/{linkId}/refresh",
];

/// A map `w` of ada, with rows of every kind, and the requests that write them.
async fn map_with_everything(server: &TestServer) -> (TestClient<'_>, Vec<(Method, String, Value)>) {
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let base = "/api/workspaces/w";
    ada.post(&format!("{base}/notes"), json!({ "id": "note", "text": "N", "x": 0, "y": 0 })).await.created();
    ada.post(&format!("{base}/views"), json!({ "id": "vv", "name": "V" })).await.created();
    ada.post(&format!("{base}/tours"), json!({ "id": "tt", "name": "T" })).await.created();
    ada.post(&format!("{base}/decisions"), json!({ "id": "dd", "title": "D" })).await.created();
    let version =
        ada.post(&format!("{base}/versions"), json!({ "name": "One" })).await.created()["version"]["id"].clone();
    let image = ada.upload_image("w", &crate::notes::images::png(3, 2)).await.created()["id"].clone();
    let renamed = ada.patch(&format!("{base}/components/b"), json!({ "name": "B" })).await;
    renamed.ok();
    let undo = json!({ "changeSetId": renamed.header("x-request-id") });
    server.sql(|conn| {
        conn.execute_batch(
            "INSERT INTO source (workspace_pk, id, kind, synced_at) SELECT pk, 'old', 'compose', 1 FROM workspace;
             INSERT INTO claim (workspace_pk, source_id, kind, key, row_id, base, file, line, seen_at)
                 SELECT pk, 'old', 'component', 'gone', 'gone', '{}', 'compose.yaml', 1, 1 FROM workspace",
        )
        .unwrap();
    });
    let ids = "SELECT (SELECT id FROM external_link) , (SELECT id FROM stakeholder)";
    let (link, stakeholder) = server.sql(|conn| conn.query_row(ids, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap());
    let writes = writes(&undo, link, stakeholder, version.as_i64().unwrap(), image.as_str().unwrap());
    (ada, writes)
}

/// Writes outside of the map that need an editor and cannot be proposed in a draft.
const BESIDE_MAP: &[(&str, &str)] = &[("POST", "/versions"), ("DELETE", "/versions/1"), ("DELETE", "/sources/s")];

#[tokio::test]
async fn a_viewer_who_changes_the_map_is_told_to_propose_the_change_in_a_draft() {
    let server = TestServer::new().await;
    let (ada, writes) = map_with_everything(&server).await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    for (login, level) in [("vic", "viewer"), ("out", "")] {
        let user = server.seed_member(login, "acme", "org:member");
        if !level.is_empty() {
            server.grant("w", user, level);
        }
    }
    let (vic, out) = (server.sign_in("vic").await, server.sign_in("out").await);
    let started = start(&vic, "w", "T").await;
    for (method, path, body) in &writes {
        let body = if body.is_null() { None } else { Some(body.clone()) };
        let send = async |client: &TestClient<'_>| {
            client.send(method.clone(), &format!("/api/workspaces/w{path}"), body.clone()).await
        };
        let refused = send(&vic).await.expect_error(403, "start a draft with POST /api/workspaces/w/drafts and");
        assert!(refused.get("code").is_none(), "{method} {path}: {refused}");
        assert_eq!(refused["remedy"], json!({ "kind": "startDraft", "workspaceId": "w" }));
        expect_no_draft(&json!({ "error": refused["reason"] }));
        send(&out).await.expect_error(404, "workspace not found");
    }
    for (method, path) in BESIDE_MAP {
        let body = (*method == "POST").then(|| json!({ "name": "Two" }));
        let method: Method = method.parse().unwrap();
        let refused = vic.send(method.clone(), &format!("/api/workspaces/w{path}"), body).await;
        expect_no_draft(&refused.expect_error(403, "needs the access level editor"));
    }
    let member = json!({ "userId": 1, "role": "owner" });
    expect_no_draft(&vic.post("/api/workspaces/w/members", member).await.expect(403));
    expect_no_draft(&vic.post("/api/workspaces/w/shares", json!({ "name": "S" })).await.expect(403));
    expect_no_draft(&vic.delete("/api/workspaces/w").await.expect(403));
    expect_no_draft(&vic.patch(PROTECTION, json!({ "protected": true })).await.expect(403));
    // A draft has no drafts.
    submit(&vic, &started).await;
    vic.post(&format!("/api/drafts/{started}/close"), json!({})).await.ok();
    let ended = format!("/api/workspaces/{started}/components/a");
    expect_no_draft(&vic.patch(&ended, json!({ "name": "X" })).await.expect_error(403, "changing a draft needs"));
}

fn expect_no_draft(error: &Value) {
    let text = error["error"].as_str().unwrap();
    assert!(!text.contains("/drafts"), "{text}");
}

#[tokio::test]
async fn every_write_of_the_map_is_refused_and_says_how_to_begin_a_draft() {
    let server = TestServer::new().await;
    let (ada, writes) = map_with_everything(&server).await;
    let base = "/api/workspaces/w";

    // The table is complete: every writing route of a workspace is in it, or changes no row of the map.
    let of = |route: &str| route.replace("{id}", "w").split('/').count();
    for route in planroom::rest::table() {
        let name = format!("{} {}", route.method, route.path);
        let is_of_workspace = route.path.contains("workspaces/{id}") || route.path.contains("drafts/{id}");
        if route.method == Method::GET || !is_of_workspace || OTHERS.contains(&name.as_str()) {
            continue;
        }
        let pattern: Vec<&str> = route.path.split('/').collect();
        let is_tested = writes.iter().any(|(method, path, _)| {
            let path = format!("{base}{path}");
            let parts: Vec<&str> = path.split('/').collect();
            *method == route.method
                && parts.len() == of(route.path)
                && parts.iter().zip(&pattern).all(|(part, wanted)| part == wanted || wanted.starts_with('{'))
        });
        assert!(is_tested, "{name}: add it to the table of this test");
    }

    protect(&ada, 1, false).await;
    let before = ada.bundle_with_notes("w").await;
    assert_eq!(before["workspace"]["protected"], true);
    for (method, path, body) in &writes {
        let body = if body.is_null() { None } else { Some(body.clone()) };
        let refused = ada.send(method.clone(), &format!("{base}{path}"), body).await;
        let error = refused.expect_error(403, "POST /api/workspaces/w/drafts");
        assert_eq!(error["code"], "protected", "{method} {path}");
    }
    let document = ada.get(&format!("{base}/export")).await.ok();
    let mut changed = document.clone();
    changed["components"][0]["name"] = json!("Imported");
    let imported = ada.post("/api/import?replace=true", changed).await.expect_error(403, "protected");
    assert_eq!(imported["code"], "protected");
    let after = ada.bundle_with_notes("w").await;
    assert_eq!(after, before, "nothing has changed");

    // Each of them is accepted without the protection, so the test tells why it was refused.
    ada.patch(PROTECTION, json!({ "protected": false })).await.ok();
    for (method, path, body) in writes.iter().filter(|(method, path, _)| *method == Method::PATCH || path == "/notes") {
        let accepted = ada.send(method.clone(), &format!("{base}{path}"), Some(body.clone())).await;
        assert!(accepted.status.is_success(), "{method} {path}: {accepted}");
    }
}

#[tokio::test]
async fn tools_of_assistants_are_refused_too_and_work_in_a_draft() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    protect(&ada, 1, false).await;
    let assistant = server.assistant_of("ada").await;
    let component =
        |at: &str| json!({ "workspaceId": at, "components": [{ "id": "n", "typeId": "service", "name": "N" }] });
    assistant.call_err("upsert_components", component("w"), "start_draft").await;
    let deletion = json!({ "workspaceId": "w", "componentIds": ["a"], "expectedRevision": ada.revision("w").await });
    assistant.call_err("delete_components", deletion, "protected").await;
    let renamed = json!({ "workspaceId": "w", "name": "Renamed" });
    assistant.call_err("update_workspace", renamed, "protected").await;
    let started = assistant.call_ok("start_draft", json!({ "workspaceId": "w", "title": "T" })).await;
    let id = started["draftId"].as_str().unwrap().to_owned();
    assistant.call_ok("upsert_components", component(&id)).await;
    assert_eq!(read(&ada, &id).await["state"], "draft");
}

#[tokio::test]
async fn owners_can_be_exempt_and_members_and_settings_stay_theirs() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let eve = server.seed_member("eve", "acme", "org:member");
    server.grant("w", eve, "editor");
    let eve = server.sign_in("eve").await;
    eve.patch(PROTECTION, json!({ "protected": true })).await.expect(403);
    ada.patch(PROTECTION, json!({ "requiredApprovals": 2 })).await.expect_error(400, "must be true");
    ada.patch(PROTECTION, json!({ "protected": true, "requiredApprovals": 11 })).await.expect(400);
    let state = protect(&ada, 1, true).await;
    assert_eq!(state, json!({ "protected": true, "requiredApprovals": 1, "ownersExempt": true, "canBypass": true }));
    assert_eq!(eve.get(PROTECTION).await.ok()["canBypass"], false);
    assert!(ada.bundle("w").await["workspace"].get("protected").is_none());
    let tag = eve.etag("w").await;
    rename(&ada, "w", "a", "By the owner").await;
    eve.patch("/api/workspaces/w/components/a", json!({ "name": "X" })).await.expect_error(403, "protected");
    protect(&ada, 1, false).await;
    assert_ne!(ada.etag("w").await, tag);
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "X" })).await.expect_error(403, "protected");
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    ada.patch("/api/workspaces/w", json!({ "visibility": "org", "name": "X" })).await.expect_error(403, "protected");
    let vic = server.seed_member("vic", "acme", "org:member");
    ada.post("/api/workspaces/w/members", json!({ "userId": vic, "role": "editor" })).await.ok();
    ada.post("/api/workspaces/w/versions", json!({ "name": "One" })).await.created();
    // Undo and restore do not change the protection.
    ada.patch(PROTECTION, json!({ "protected": false })).await.ok();
    rename(&ada, "w", "a", "X").await;
    ada.post("/api/workspaces/w/history/restore", json!({ "revision": 2 })).await.ok();
    assert_eq!(ada.get(PROTECTION).await.ok()["protected"], false);
}

#[tokio::test]
async fn a_protected_workspace_needs_approvals_and_an_update_before_conflicts() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for login in ["eve", "max"] {
        let user = server.seed_member(login, "acme", "org:member");
        server.grant("w", user, "editor");
    }
    let (eve, max) = (server.sign_in("eve").await, server.sign_in("max").await);
    let id = start(&eve, "w", "T").await;
    rename(&eve, &id, "a", "Theirs").await;
    rename(&ada, "w", "a", "Ours").await;
    protect(&ada, 2, false).await;
    submit(&eve, &id).await;
    let path = format!("/api/drafts/{id}/merge");
    let missing = eve.post(&path, json!({ "otherwise": "draft" })).await.expect_error(409, "0 of 2 required approvals");
    assert_eq!((&missing["code"], &missing["limit"]), (&json!("approvals_missing"), &json!(2)));
    let approve = json!({ "verdict": "approved" });
    let reviews = format!("/api/drafts/{id}/reviews");
    eve.post(&reviews, approve.clone()).await.expect_error(403, "another editor");
    ada.post(&reviews, approve.clone()).await.created();
    assert_eq!(read(&eve, &id).await["state"], "open");
    let second = max.post(&reviews, approve.clone()).await.created()["draft"].clone();
    assert_eq!((&second["state"], &second["canMerge"]), (&json!("approved"), &json!(true)));
    eve.post(&path, json!({})).await.expect_error(409, "1 conflict");
    let unseen = eve.post(&path, json!({ "otherwise": "draft" })).await.expect_error(409, "update the draft");
    assert_eq!(unseen["code"], "draft_update_required", "what reviewers have not seen is not merged");
    eve.post(&format!("/api/drafts/{id}/update"), json!({})).await.expect_error(409, "1 conflict");
    eve.post(&format!("/api/drafts/{id}/update"), json!({ "otherwise": "draft" })).await.ok();
    rename(&eve, &id, "b", "More").await;
    let lapsed = read(&eve, &id).await;
    assert_eq!((&lapsed["approvals"], &lapsed["canMerge"]), (&json!(0), &json!(false)));
    for client in [&ada, &max] {
        client.post(&reviews, approve.clone()).await.created();
    }
    let merged = eve.post(&path, json!({})).await.ok();
    assert_eq!(merged["draft"]["state"], "merged");
    let undo = json!({ "changeSetId": merged["changeSetId"] });
    eve.post("/api/workspaces/w/undo", undo).await.expect_error(403, "protected");
    assert_eq!(super::names(&ada, "w").await[0].1, "Theirs");
    protect(&ada, 2, true).await;
    let own = start(&ada, "w", "By the owner").await;
    rename(&ada, &own, "a", "Exempt").await;
    assert_eq!(merge(&ada, &own).await["rows"], 1);
}
