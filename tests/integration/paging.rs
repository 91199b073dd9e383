//! Pagination: every list takes `limit` and `cursor` and is complete without them.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

/// All pages of a list with one item each, and a cursor of the list.
async fn pages(client: &TestClient<'_>, path: &str, field: &str) -> (Vec<Value>, String) {
    let (mut items, mut cursors) = (Vec::new(), Vec::<String>::new());
    loop {
        let joint = if path.contains('?') { '&' } else { '?' };
        let from = cursors.last().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page = client.get(&format!("{path}{joint}limit=1{from}")).await.ok();
        let found = page[field].as_array().unwrap();
        assert!(found.len() <= 1, "{path}");
        items.extend(found.iter().cloned());
        match page["nextCursor"].as_str() {
            Some(cursor) => cursors.push(cursor.to_owned()),
            None => return (items, cursors.swap_remove(0)),
        }
    }
}

/// Adds at least two items that `ada` can read to every list of the API.
async fn populate(server: &TestServer, ada: &TestClient<'_>, org: &str) {
    let bob = server.seed_member("bob", "acme", "org:member");
    for login in ["cyd", "dan"] {
        server.seed_member(login, "acme", "org:member");
        server.sign_in(login).await.post("/api/workspaces/w/access-requests", json!({})).await.created();
    }
    server.grant("w", bob, "editor");
    server.attach_everything_to("w", "a");
    for source in ["one", "two"] {
        let row = |id: &str| {
            let origin = json!({ "key": id, "file": "compose.yaml", "line": 1 });
            json!({ "origin": origin, "id": id, "typeId": "job", "name": id, "hasOwnId": true })
        };
        let sync = json!({ "source": { "id": source, "kind": "compose" },
                           "reading": { "components": [row("a"), row("b")] } });
        ada.post("/api/workspaces/w/sync", sync).await.ok();
    }
    for name in ["Ann", "Ben"] {
        let id = name.to_lowercase();
        ada.post("/api/people", json!({ "id": id, "name": name })).await.created();
        ada.post("/api/teams", json!({ "id": id, "name": name })).await.created();
        ada.post("/api/kinds", json!({ "name": name, "baseType": "service" })).await.created();
        ada.post("/api/me/tokens", json!({ "name": name })).await.created();
        ada.post("/api/workspaces/w/versions", json!({ "name": name })).await.created();
        ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "role": "org:member" })).await.created();
        ada.post("/api/orgs", json!({ "name": name })).await.created();
        ada.post("/api/workspaces", json!({ "name": name })).await.created();
        let deleted = ada.post("/api/workspaces", json!({ "name": format!("Old {name}") })).await.created();
        ada.delete(&format!("/api/workspaces/{}", deleted["workspace"]["id"].as_str().unwrap())).await.ok();
        let process = json!({ "name": name, "mermaid": "sequenceDiagram\n  A->>A: x", "participants": { "A": "a" } });
        ada.post("/api/workspaces/w/processes", process).await.created();
        ada.post("/api/workspaces/w/notes", json!({ "text": name, "x": 0, "y": 0 })).await.created();
        ada.post("/api/workspaces/w/decisions", json!({ "title": name })).await.created();
        for list in ["views", "views/personal", "tours"] {
            ada.post(&format!("/api/workspaces/w/{list}"), json!({ "name": name })).await.created();
        }
        let holder = json!({ "personId": id, "linkType": "owner" });
        ada.post("/api/workspaces/w/components/a/stakeholders", holder).await.created();
        let link = json!({ "url": format!("https://example.org/{id}") });
        ada.post("/api/workspaces/w/components/a/links", link).await.created();
        ada.post("/api/teams/ann/members", json!({ "personId": id })).await.created();
        server.anonymous().post("/api/waitlist", json!({ "email": format!("{id}@example.org") })).await.created();
        server.sign_in("ada").await;
    }
    server.sql(|conn| {
        conn.execute_batch(
            "INSERT INTO oauth_client (id, name, redirect_uris, created_at)
             VALUES ('app1', 'One', '[]', 1), ('app2', 'Two', '[]', 1);
             INSERT INTO oauth_grant (client_id, user_id, organization_id, scope, created_at)
             SELECT c.id, m.user_id, m.organization_id, 'mcp:read', 1 FROM oauth_client c, organization_member m
             JOIN user u ON u.id = m.user_id WHERE u.login = 'ada';
             INSERT INTO oauth_token (grant_id, kind, token_hash, scope, created_at, expires_at)
             SELECT id, 'access', randomblob(32), scope, 1, 9000000000000 FROM oauth_grant;",
        )
        .unwrap();
    });
}

#[tokio::test]
async fn every_list_is_paginated() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_share_links("w", 3);
    server.seed_threads("w", 3);
    server.seed_webhooks(3);
    for title in ["One", "Two", "Three"] {
        ada.post("/api/workspaces/w/drafts", json!({ "title": title })).await.created();
    }
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    populate(&server, &ada, &org).await;
    server.seed_inbox("ada", "w", 3);
    for path in ["workspaces/w", "workspaces/w/components/a", "workspaces/w/components/b"] {
        ada.put(&format!("/api/me/watches/{path}"), Value::Null).await.ok();
    }
    let mut of_another_list = None::<String>;
    for (path, field) in [
        ("/api/people", "people"),
        ("/api/teams", "teams"),
        ("/api/stakeholder-link-types", "types"),
        ("/api/kinds", "kinds"),
        ("/api/teams/ann/members", "members"),
        ("/api/workspaces/w/members", "members"),
        ("/api/workspaces/w/members/candidates", "users"),
        ("/api/workspaces/w/access-requests", "accessRequests"),
        ("/api/workspaces/w/shares", "shares"),
        ("/api/workspaces/w/threads", "threads"),
        ("/api/workspaces/w/drafts", "drafts"),
        (&format!("/api/orgs/{org}/shares"), "shares"),
        (&format!("/api/orgs/{org}/webhooks"), "webhooks"),
        (&format!("/api/orgs/{org}/webhooks/seeded-1/deliveries"), "deliveries"),
        ("/api/workspaces/w/sources", "sources"),
        ("/api/workspaces/w/sources/two", "claims"),
        ("/api/workspaces/w/drift", "findings"),
        ("/api/workspaces/w/stakeholders", "stakeholders"),
        ("/api/workspaces/w/components/a/stakeholders", "stakeholders"),
        ("/api/workspaces/w/components/a/links", "links"),
        ("/api/workspaces/w/processes", "processes"),
        ("/api/workspaces/w/notes", "notes"),
        ("/api/workspaces/w/views", "views"),
        ("/api/workspaces/w/views/personal", "views"),
        ("/api/workspaces/w/tours", "tours"),
        ("/api/workspaces/w/decisions", "decisions"),
        ("/api/workspaces/w/versions", "versions"),
        ("/api/workspaces", "workspaces"),
        ("/api/workspaces?deleted=true", "workspaces"),
        ("/api/orgs", "organizations"),
        (&format!("/api/orgs/{org}/members"), "members"),
        (&format!("/api/orgs/{org}/invitations"), "invitations"),
        ("/api/admin/users", "users"),
        ("/api/admin/tokens", "tokens"),
        ("/api/admin/waitlist", "entries"),
        ("/api/me/sessions", "sessions"),
        ("/api/me/tokens", "tokens"),
        ("/api/me/connectors", "connectors"),
        ("/api/me/inbox", "entries"),
        ("/api/me/watches", "watches"),
    ] {
        let whole = ada.get(path).await.ok();
        assert!(whole["nextCursor"].is_null(), "{path}");
        let whole = whole[field].as_array().unwrap().clone();
        assert!(whole.len() > 1, "{path} has {}", whole.len());
        let (paged, cursor) = pages(&ada, path, field).await;
        assert_eq!(paged, whole, "{path}");
        let joint = if path.contains('?') { '&' } else { '?' };
        ada.get(&format!("{path}{joint}limit=0")).await.expect_error(400, "limit: must be 1 to 1000");
        ada.get(&format!("{path}{joint}cursor=x")).await.expect_error(400, "limit: is required with `cursor`");
        for wrong in ["x".into(), of_another_list.replace(cursor).unwrap_or_else(|| "W10".into())] {
            let refused = ada.get(&format!("{path}{joint}limit=1&cursor={wrong}")).await;
            refused.expect_error(400, "cursor: must be the `nextCursor` of the previous page of this list");
        }
    }
}

#[tokio::test]
async fn pages_have_no_gaps_while_others_add_and_delete_items() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for id in ["a", "b", "c", "d"] {
        ada.post("/api/teams", json!({ "id": id, "name": id })).await.created();
    }
    let ids = |page: &Value| -> Vec<String> {
        page["teams"].as_array().unwrap().iter().map(|team| team["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = ada.get("/api/teams?limit=2").await.ok();
    assert_eq!(ids(&first), ["a", "b"]);
    ada.delete("/api/teams/a").await.ok();
    ada.delete("/api/teams/b").await.ok();
    ada.post("/api/teams", json!({ "id": "e", "name": "e" })).await.created();
    let next = format!("/api/teams?limit=2&cursor={}", first["nextCursor"].as_str().unwrap());
    let second = ada.get(&next).await.ok();
    assert_eq!(ids(&second), ["c", "d"]);
    let last = ada.get(&format!("/api/teams?limit=2&cursor={}", second["nextCursor"].as_str().unwrap())).await.ok();
    assert_eq!((ids(&last), last["nextCursor"].is_null()), (vec!["e".to_owned()], true));
}

#[tokio::test]
async fn an_administrator_pages_through_the_people_of_all_organizations() {
    let server = TestServer::empty(|_| {});
    server.seed_admin("ada", "acme").await;
    server.seed_admin("eve", "other").await;
    for login in ["ada", "eve"] {
        server.sign_in(login).await.post("/api/people", json!({ "id": "bob", "name": "Bob" })).await.created();
    }
    server.seed_user("root");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'root'", []).unwrap());
    let root = server.sign_in("root").await;
    let whole = root.get("/api/people").await.ok()["people"].as_array().unwrap().clone();
    assert!(whole.len() >= 4, "{}", whole.len());
    assert_eq!(pages(&root, "/api/people", "people").await.0, whole);
}
