//! A draft is in no list of workspaces, in no search, and in nothing that leaves the server unasked.

use serde_json::json;

use super::start;
use crate::support::{TestServer, planroom};

/// A word that occurs only in the draft.
const SENTINEL: &str = "zyxsentinel";

#[tokio::test]
async fn texts_of_a_draft_are_found_only_by_its_id() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "A title").await;
    let path = |rest: &str| format!("/api/workspaces/{id}{rest}");
    ada.patch(&path(""), json!({ "name": format!("{SENTINEL} workspace"), "description": SENTINEL })).await.ok();
    let component = json!({ "id": "c", "typeId": "service", "name": SENTINEL, "description": SENTINEL, "tags": [SENTINEL],
                            "properties": { "kind": SENTINEL, "note": SENTINEL } });
    ada.post(&path("/components"), component).await.created();
    let relationship = json!({ "id": "s", "sourceId": "c", "targetId": "a", "typeId": "calls", "label": SENTINEL });
    ada.post(&path("/relationships"), relationship).await.created();
    let process = json!({ "name": SENTINEL, "mermaid": format!("sequenceDiagram\n  A->>B: {SENTINEL}") });
    ada.post(&path("/processes"), process).await.created();
    ada.post(&path("/notes"), json!({ "text": SENTINEL, "x": 0, "y": 0 })).await.created();
    ada.post("/api/people", json!({ "id": "linus", "name": "Linus" })).await.created();
    ada.post(&path("/components/c/stakeholders"), json!({ "personId": "linus", "linkType": "owner" })).await.created();
    let link = json!({ "kind": "url", "url": format!("https://example.org/{SENTINEL}") });
    ada.post(&path("/components/c/links"), link).await.created();
    let thread = json!({ "anchor": { "type": "workspace" }, "text": SENTINEL });
    ada.post(&path("/threads"), thread).await.created();
    // A renamed person is indexed with the components of the workspaces, not with those of drafts.
    ada.patch("/api/people/linus", json!({ "name": format!("Linus {SENTINEL}") })).await.ok();

    let admin = server.sign_in("ada").await;
    let lists = [
        "/api/workspaces".to_owned(),
        "/api/workspaces?deleted=true".to_owned(),
        "/api/workspaces/w?include=notes,views".to_owned(),
        "/api/workspaces/w/history".to_owned(),
        "/api/workspaces/w/export".to_owned(),
        "/api/workspaces/w/threads".to_owned(),
        "/api/workspaces/w/comments".to_owned(),
        "/api/workspaces/w/drafts".to_owned(),
        "/api/kinds".to_owned(),
        "/api/orgs".to_owned(),
        "/api/me".to_owned(),
    ];
    for list in &lists {
        let reply = admin.get(list).await;
        reply.ok();
        let text = String::from_utf8_lossy(&reply.bytes).into_owned();
        assert!(!text.contains(SENTINEL), "{list} contains a text of a draft: {text}");
        assert!(list.ends_with("/drafts") || !text.contains(&id), "{list} names a draft: {text}");
    }
    let found = admin.get(&format!("/api/search?q={SENTINEL}")).await.ok();
    let kinds: Vec<&str> =
        found["results"].as_array().unwrap().iter().map(|hit| hit["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, Vec::<&str>::new(), "{found}");
    let indexed = format!("SELECT count(*) FROM search_document WHERE name LIKE '%{SENTINEL}%'");
    assert_eq!(server.count(&indexed), 0);
    admin
        .get(&format!("/api/search?q={SENTINEL}&workspaceId={id}"))
        .await
        .expect_error(400, "search does not find drafts");
    let own = admin.get(&path("")).await;
    assert!(String::from_utf8_lossy(&own.bytes).contains(SENTINEL));

    let dir = server.stop();
    let rebuilt = planroom(&["search", "rebuild"], dir.path());
    assert!(rebuilt.contains("Rebuilt the search index"), "{rebuilt}");
    for arguments in [&["workspace", "list"][..], &["workspace", "list", "--deleted"], &["org", "list"]] {
        let listed = planroom(arguments, dir.path());
        assert!(!listed.contains(SENTINEL) && !listed.contains(&id), "{arguments:?}: {listed}");
    }
    let server = TestServer::on(dir, |_| {});
    assert_eq!(server.count(&indexed), 0, "a filled index does not contain drafts either");
}

#[tokio::test]
async fn drafts_count_in_no_quota_of_workspaces_and_in_no_number_of_uses() {
    let server = TestServer::empty(|config| config.quotas.workspaces = 1);
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    let first = start(&ada, "w", "T").await;
    start(&ada, "w", "U").await;
    ada.post("/api/workspaces", json!({ "id": "x", "name": "X" })).await.expect_error(409, "would have 2 workspaces");
    let kind = json!({ "id": "lambda", "name": "Lambda", "baseType": "service" });
    ada.post("/api/kinds", kind).await.created();
    let of_kind = json!({ "properties": { "kind": "lambda" } });
    ada.patch(&format!("/api/workspaces/{first}/components/a"), of_kind).await.ok();
    ada.delete("/api/kinds/lambda").await.ok();
    let differences = server.sql(|conn| planroom::domain::history::compare_with_log(conn).unwrap());
    assert_eq!(differences, Vec::<String>::new(), "the rows of a draft agree with its log");
}

#[tokio::test]
async fn every_table_of_a_workspace_is_copied_or_left_out_on_purpose() {
    let server = TestServer::new().await;
    let tables: Vec<String> = server.sql(|conn| {
        let sql = "SELECT m.name FROM sqlite_master m WHERE m.type = 'table'
                   AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'workspace_pk') ORDER BY m.name";
        let mut statement = conn.prepare(sql).unwrap();
        let names = statement.query_map([], |row| row.get(0)).unwrap();
        names.map(|name| name.unwrap()).collect()
    });
    let copied = &*planroom::domain::core::MAP_TABLES;
    // What belongs to a workspace, and not to its map; and what a draft has of its own.
    let left_out = [
        "access_request",
        "change",
        "comment_settings",
        "draft",
        "draft_row",
        "draft_update",
        "notification",
        "notification_message",
        "personal_view",
        "placed_component",
        "removed_source",
        "search_document",
        "share_link",
        "thread",
        "thread_follow",
        "thread_mention",
        "thread_message",
        "version",
        "version_image",
        "watch",
        "webhook_delivery",
        "webhook_workspace",
        "workspace_member",
    ];
    let unknown: Vec<&String> =
        tables.iter().filter(|name| !copied.contains(&name.as_str()) && !left_out.contains(&name.as_str())).collect();
    assert_eq!(unknown, Vec::<&String>::new(), "copy them into drafts (drafts/store/copy.rs), or list them here");
}
