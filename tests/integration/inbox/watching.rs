//! Watching workspaces, components and teams.

use serde_json::{Value, json};

use super::{INBOX, THREADS, WATCHES, ask, rename, set_visibility, titles};
use crate::support::{TestClient, TestServer};

const WORKSPACE: &str = "/api/me/watches/workspaces/w";
const COMPONENT: &str = "/api/me/watches/workspaces/w/components/a";
const TEAM: &str = "/api/me/watches/teams/crew";

async fn watch(client: &TestClient<'_>, path: &str) {
    client.send(axum::http::Method::PUT, path, None).await.ok();
}

/// A map whose component `a` belongs to the team `crew`, with `bob`, who edits it.
async fn map_of_a_team(server: &TestServer) -> (TestClient<'_>, TestClient<'_>) {
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    set_visibility(&ada, "org").await;
    ada.create_components("w", &["c"]).await;
    ada.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await.created();
    let owner = json!({ "teamId": "crew", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", owner).await.created();
    server.notify().await;
    (ada, server.sign_in("bob").await)
}

#[tokio::test]
async fn watchers_are_notified_of_what_they_watch_and_of_nothing_else() {
    // What bob does, and the titles that watchers of the workspace, the component `a` and the team `crew` get.
    type Case = (&'static str, axum::http::Method, &'static str, Option<Value>, [&'static str; 3]);
    let cases: [Case; 12] = [
        (
            "renames a",
            "PATCH".parse().unwrap(),
            "/components/a",
            Some(json!({ "name": "a2" })),
            ["bob changed a2 in w"; 3],
        ),
        ("moves a", "PATCH".parse().unwrap(), "/components/a", Some(json!({ "x": 900, "y": 900 })), [""; 3]),
        (
            "renames b",
            "PATCH".parse().unwrap(),
            "/components/b",
            Some(json!({ "name": "b2" })),
            ["bob changed b2 in w", "", ""],
        ),
        (
            "connects b with a",
            "POST".parse().unwrap(),
            "/relationships",
            Some(json!({ "sourceId": "b", "typeId": "reads", "targetId": "a" })),
            ["bob changed w", "bob changed a in w", "bob changed a in w"],
        ),
        (
            "moves the end of a relationship away from a",
            "PATCH".parse().unwrap(),
            "/relationships/r",
            Some(json!({ "sourceId": "c" })),
            ["bob changed w", "bob changed a in w", "bob changed a in w"],
        ),
        (
            "decides about a",
            "POST".parse().unwrap(),
            "/decisions",
            Some(json!({ "title": "Use SQLite", "componentIds": ["a"] })),
            ["bob changed Use SQLite in w", "bob changed a in w", "bob changed a in w"],
        ),
        (
            "links a",
            "POST".parse().unwrap(),
            "/components/a/links",
            Some(json!({ "url": "https://example.org" })),
            ["bob changed a in w"; 3],
        ),
        (
            "adds a process",
            "POST".parse().unwrap(),
            "/processes",
            Some(json!({ "name": "Order", "mermaid": "sequenceDiagram" })),
            ["bob changed Order in w", "", ""],
        ),
        (
            "adds a note",
            "POST".parse().unwrap(),
            "/notes",
            Some(json!({ "text": "N", "x": 1, "y": 1 })),
            ["bob changed w", "", ""],
        ),
        (
            "asks about a",
            "POST".parse().unwrap(),
            "/threads",
            Some(json!({ "anchor": { "type": "component", "id": "a" }, "text": "Why?" })),
            ["bob commented on a in w"; 3],
        ),
        (
            "asks about the workspace",
            "POST".parse().unwrap(),
            "/threads",
            Some(json!({ "anchor": { "type": "workspace" }, "text": "Why?" })),
            ["bob commented in w", "", ""],
        ),
        ("deletes a", "DELETE".parse().unwrap(), "/components/a", None, ["bob changed w"; 3]),
    ];
    for (what, method, path, body, expected) in cases {
        let server = TestServer::new().await;
        let (_, bob) = map_of_a_team(&server).await;
        let mut watchers = Vec::new();
        for (login, path) in [("of-workspace", WORKSPACE), ("of-component", COMPONENT), ("of-team", TEAM)] {
            server.seed_member(login, "acme", "org:member");
            let watcher = server.sign_in(login).await;
            watch(&watcher, path).await;
            watchers.push(watcher);
        }
        // The actor watches it, too.
        watch(&bob, WORKSPACE).await;
        let reply = bob.send(method, &format!("/api/workspaces/w{path}"), body).await;
        assert!(reply.status.is_success(), "{reply}");
        server.notify().await;
        for (watcher, expected) in watchers.iter().zip(expected) {
            let expected: Vec<&str> = Some(expected).into_iter().filter(|title| !title.is_empty()).collect();
            let found = titles(watcher).await;
            // A deletion of `a` also deletes its relationships, which changes `b`.
            let found: Vec<String> =
                found.into_iter().map(|title| title.replace("changed b in w", "changed w")).collect();
            assert_eq!(found, expected, "bob {what}");
        }
        assert_eq!(titles(&bob).await.len(), 0, "bob {what}");
    }
}

#[tokio::test]
async fn a_busy_editor_is_one_unread_entry_with_the_names_of_what_changed() {
    let server = TestServer::new().await;
    let (ada, bob) = map_of_a_team(&server).await;
    watch(&ada, WORKSPACE).await;
    for round in 0..3 {
        rename(&bob, &format!("Web {round}")).await;
        bob.patch("/api/workspaces/w/components/b", json!({ "name": format!("API {round}") })).await.ok();
        server.clock.advance(60_000);
        server.notify().await;
    }
    let inbox = ada.get(INBOX).await.ok();
    let entries = inbox["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!((&entries[0]["text"], &entries[0]["count"]), (&json!("Web 2, API 2"), &json!(6)));
    let changed = json!([
        { "kind": "component", "id": "a", "name": "Web 2" },
        { "kind": "component", "id": "b", "name": "API 2" },
    ]);
    assert_eq!(entries[0]["changed"], changed);
    bob.delete("/api/workspaces/w/components/b").await.ok();
    let entry = ada.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!(entry["text"], "Web 2", "what is deleted has no name");
    ada.post("/api/me/inbox/read", json!({ "ids": [entry["id"]] })).await.ok();
    rename(&bob, "Web 4").await;
    server.notify().await;
    assert_eq!(titles(&ada).await.len(), 2, "an entry that was read is not changed anymore");
}

#[tokio::test]
async fn a_change_set_of_many_batches_is_one_change_for_each_of_many_watchers() {
    let server = TestServer::new().await;
    let (ada, bob) = map_of_a_team(&server).await;
    watch(&ada, WORKSPACE).await;
    // More watchers than one transaction notifies.
    server.sql(|conn| {
        conn.execute_batch(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
             INSERT INTO user (login, display_name, created_at) SELECT 'watcher-' || i, 'W', 1 FROM n;
             INSERT INTO organization_member (organization_id, user_id, role, created_at)
             SELECT w.organization_id, u.id, 'org:member', 1 FROM user u, workspace w WHERE u.login LIKE 'watcher-%';
             INSERT INTO watch (user_id, kind, organization_id, workspace_pk, target_id, created_at)
             SELECT u.id, 'workspace', w.organization_id, w.pk, '', 1 FROM user u, workspace w WHERE u.login LIKE 'watcher-%';",
        )
        .unwrap();
    });
    // More changes than are read at once.
    let operations: Vec<Value> = (0..600)
        .map(|n| json!({ "op": "create", "kind": "component", "row": { "id": format!("c{n}"), "typeId": "service", "name": "C" } }))
        .collect();
    for part in operations.chunks(200) {
        bob.header("x-batch-id", "import")
            .post("/api/workspaces/w/operations", json!({ "operations": part }))
            .await
            .ok();
    }
    server.notify().await;
    assert_eq!(server.count("SELECT count(*) FROM notification WHERE kind = 'watched'"), 451);
    assert_eq!(server.count("SELECT count(DISTINCT user_id) FROM notification WHERE kind = 'watched'"), 451);
    assert_eq!(server.count("SELECT min(count) FROM notification WHERE kind = 'watched'"), 3);
    assert_eq!(server.count("SELECT max(count) FROM notification WHERE kind = 'watched'"), 3);
    let changed = ada.get(INBOX).await.ok()["entries"][0]["changed"].as_array().unwrap().len();
    assert_eq!(changed, 20, "the list of names is limited");
    server.notify().await;
    assert_eq!(server.count("SELECT max(count) FROM notification WHERE kind = 'watched'"), 3, "nothing twice");
    ask(&bob, "And now?").await;
    server.notify().await;
    assert_eq!(server.count("SELECT count(*) FROM notification WHERE subject = 'message'"), 451);
}

#[tokio::test]
async fn watchers_without_access_are_not_notified() {
    let server = TestServer::new().await;
    let (ada, bob) = map_of_a_team(&server).await;
    for path in [WORKSPACE, COMPONENT, TEAM] {
        watch(&bob, path).await;
    }
    set_visibility(&ada, "private").await;
    rename(&ada, "Secret").await;
    ask(&ada, "Secret?").await;
    server.notify().await;
    assert_eq!(server.count("SELECT count(*) FROM notification"), 0);
    let watches = bob.get(WATCHES).await.ok()["watches"].clone();
    assert_eq!(watches.as_array().unwrap().len(), 1, "{watches}");
    assert_eq!((&watches[0]["type"], &watches[0]["name"]), (&json!("team"), &json!("Crew")));
    for path in [WORKSPACE, COMPONENT] {
        bob.send(axum::http::Method::PUT, path, None).await.expect_error(404, "workspace");
        bob.delete(path).await.expect_error(404, "workspace");
    }
}

#[tokio::test]
async fn what_is_watched_is_listed_with_current_names() {
    let server = TestServer::new().await;
    let (ada, _) = map_of_a_team(&server).await;
    for path in [WORKSPACE, COMPONENT, TEAM, COMPONENT] {
        watch(&ada, path).await;
    }
    rename(&ada, "Web").await;
    let watches = ada.get(WATCHES).await.ok()["watches"].clone();
    let names: Vec<String> = watches
        .as_array()
        .unwrap()
        .iter()
        .map(|watch| format!("{} {} {}", watch["type"], watch["workspaceId"], watch["name"]).replace('"', ""))
        .collect();
    assert_eq!(names, ["workspace w w", "component w Web", "team null Crew"]);
    ada.delete("/api/workspaces/w/components/a").await.ok();
    assert_eq!(
        ada.get(WATCHES).await.ok()["watches"].as_array().unwrap().len(),
        2,
        "a deleted component is not listed"
    );
    for path in [WORKSPACE, COMPONENT, TEAM, TEAM] {
        ada.delete(path).await.ok();
    }
    assert_eq!(ada.get(WATCHES).await.ok()["watches"], json!([]));
    assert_eq!(server.count("SELECT count(*) FROM watch"), 0);
    ada.send(axum::http::Method::PUT, COMPONENT, None).await.expect_error(404, "component");
    ada.send(axum::http::Method::PUT, "/api/me/watches/teams/none", None).await.expect_error(404, "team");
}

#[tokio::test]
async fn changes_before_a_watch_are_no_news_and_messages_that_mention_a_watcher_are_one_entry() {
    let server = TestServer::new().await;
    let (ada, bob) = map_of_a_team(&server).await;
    rename(&bob, "Before").await;
    server.notify().await;
    watch(&ada, WORKSPACE).await;
    server.notify().await;
    assert_eq!(titles(&ada).await.len(), 0);
    let new = json!({ "anchor": { "type": "workspace" }, "text": "@ada?" });
    bob.post(THREADS, new).await.created();
    server.notify().await;
    assert_eq!(titles(&ada).await, ["bob mentioned you in w"]);
}
