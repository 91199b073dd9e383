//! Compares the table of row kinds with the API: a kind takes part exactly where the table says so.

use planroom::{
    domain::{
        comments::MAX_THREADS,
        kinds::{KINDS, RowKind, Support},
        map::access_requests::MAX_ACCESS_REQUESTS,
        sharing::links::MAX_SHARE_LINKS,
    },
    rest,
};
use serde_json::{Value, json};

use crate::{
    permissions,
    support::{TestClient, TestServer},
};

/// The name of a list of rows of a kind in responses.
fn plural(name: &str) -> String {
    match name {
        "person" => "people".into(),
        "process" => "processes".into(),
        "team-member" => "teamMembers".into(),
        "access-request" => "accessRequests".into(),
        "share-link" => "shareLinks".into(),
        "view-place" => "viewPlaces".into(),
        "view-line" => "viewLines".into(),
        name => format!("{name}s"),
    }
}

/// Whether a schema of the document has a list of rows of the kind, or the workspace itself.
fn schema_has(document: &Value, schema: &str, kind: &RowKind) -> bool {
    let fields = &document["components"]["schemas"][schema]["properties"];
    assert!(fields.is_object(), "{schema} is in the document");
    fields.get(plural(kind.name)).is_some() || fields.get(kind.name).is_some()
}

#[test]
fn responses_contain_the_kinds_declared_in_the_table() {
    let document = serde_json::to_value(rest::openapi()).unwrap();
    for kind in &KINDS {
        let is = |part: Support| part == Support::Yes;
        assert_eq!(
            schema_has(&document, "WorkspaceDifference", kind),
            is(kind.difference),
            "difference: {}",
            kind.name
        );
        assert_eq!(schema_has(&document, "OperationsResult", kind), is(kind.operations), "operations: {}", kind.name);
        // Past states are bundles with links, which current bundles do not have.
        assert_eq!(schema_has(&document, "Bundle", kind), is(kind.past), "past states: {}", kind.name);
        assert_eq!(is(kind.past), is(kind.versions), "a version is shown as a past state: {}", kind.name);
        if kind.name != "team-member" {
            // Team members are part of their teams.
            assert_eq!(schema_has(&document, "Document", kind), is(kind.document), "document: {}", kind.name);
        }
        let row = &document["components"]["schemas"]["Change"]["properties"]["entity"]["description"];
        let is_named = row.as_str().unwrap().contains(&format!("`{}`", kind.name));
        assert_eq!(is_named, is(kind.events), "events: {}", kind.name);
    }
}

#[test]
fn every_kind_has_routes_in_the_permission_matrix() {
    for kind in &KINDS {
        let segment = match kind.name {
            "workspace" => "POST   /api/workspaces ".into(),
            "member" => "POST   /api/workspaces/{id}/members ".into(),
            "team-member" => "POST   /api/teams/{teamId}/members ".into(),
            "access-request" => "POST   /api/workspaces/{id}/access-requests ".into(),
            "share-link" => "POST   /api/workspaces/{id}/shares ".into(),
            "role" => "POST   /api/stakeholder-link-types ".into(),
            "view-place" | "view-line" => "POST   /api/workspaces/{id}/operations ".into(),
            "person" | "team" => format!("POST   /api/{} ", plural(kind.name)),
            name => format!("/{} ", plural(name)),
        };
        assert!(permissions::matrix::MATRIX.contains(&segment), "{}", kind.name);
        assert_eq!(kind.permissions, Support::Yes, "{}", kind.name);
    }
}

/// A workspace `w` with a row of every kind: the components `a` and `b`, and the team `t`. Answers with a user who is
/// not a member of the workspace.
async fn one_of_each(server: &TestServer) -> i64 {
    let [bob, cy] = ["bob", "cy"].map(|login| server.seed_member(login, "acme", "org:member"));
    let ada = server.seed_map().await;
    ada.create_relationship("w", "s", "b", "calls", "a").await;
    ada.post("/api/workspaces/w/members", json!({ "userId": bob })).await.ok();
    for id in ["grace", "alan"] {
        ada.post("/api/people", json!({ "id": id, "name": id })).await.created();
    }
    ada.post("/api/teams", json!({ "id": "t", "name": "T" })).await.created();
    ada.post("/api/teams/t/members", json!({ "personId": "grace" })).await.created();
    for kind in [
        "stakeholder",
        "link",
        "process",
        "note",
        "view",
        "view-place",
        "view-line",
        "tour",
        "decision",
        "kind",
        "share-link",
        "source",
        "thread",
        "draft",
    ] {
        let (path, row) = creation(kind, cy);
        let reply = ada.post(path, row).await;
        assert!(reply.status.is_success(), "{kind}: {reply}");
    }
    cy
}

/// The route that creates a row of a kind, and a row that can be created more than once. `user` is not a member of the
/// workspace.
fn creation(kind: &str, user: i64) -> (&'static str, Value) {
    match kind {
        "workspace" => ("/api/workspaces", json!({ "name": "Another" })),
        "member" => ("/api/workspaces/w/members", json!({ "userId": user })),
        "access-request" => ("/api/workspaces/w/access-requests", json!({ "message": "Please" })),
        "component" => ("/api/workspaces/w/components", json!({ "typeId": "service", "name": "C" })),
        "relationship" => {
            let row = json!({ "sourceId": "b", "targetId": "a", "typeId": "calls" });
            ("/api/workspaces/w/relationships", row)
        }
        "stakeholder" => {
            let row = json!({ "personId": "alan", "linkType": "support" });
            ("/api/workspaces/w/components/a/stakeholders", row)
        }
        "link" => ("/api/workspaces/w/components/a/links", json!({ "url": "https://example.org/runbook" })),
        "process" => {
            let row = json!({ "name": "Order", "mermaid": "sequenceDiagram\n  A->>B: order" });
            ("/api/workspaces/w/processes", row)
        }
        "note" => ("/api/workspaces/w/notes", json!({ "text": "Remember", "x": 10, "y": 20 })),
        "view" => ("/api/workspaces/w/views", json!({ "name": "Payments" })),
        "view-place" => {
            let operation = json!({ "op": "move", "viewId": "payments", "positions": [{ "id": "a", "x": 1, "y": 2 }] });
            ("/api/workspaces/w/operations", json!({ "operations": [operation] }))
        }
        "view-line" => {
            let row = json!({ "viewId": "payments", "relationshipId": "r", "line": { "via": [[1, 2]] } });
            let operation = json!({ "op": "put", "kind": "view-line", "row": row });
            ("/api/workspaces/w/operations", json!({ "operations": [operation] }))
        }
        "source" => {
            // Of a component that is on the map, so that no other row is created.
            let origin = json!({ "key": "a", "file": "compose.yaml", "line": 1 });
            let row = json!({ "origin": origin, "id": "a", "typeId": "service", "name": "a", "hasOwnId": true });
            let source = json!({ "id": "compose", "kind": "compose" });
            ("/api/workspaces/w/sync", json!({ "source": source, "reading": { "components": [row] } }))
        }
        "share-link" => ("/api/workspaces/w/shares", json!({ "name": "Wiki page" })),
        "thread" => {
            let row = json!({ "anchor": { "type": "component", "id": "a" }, "text": "Why?" });
            ("/api/workspaces/w/threads", row)
        }
        "decision" => ("/api/workspaces/w/decisions", json!({ "title": "Use events" })),
        "draft" => ("/api/workspaces/w/drafts", json!({ "title": "Proposal" })),
        "tour" => ("/api/workspaces/w/tours", json!({ "name": "First day" })),
        "person" => ("/api/people", json!({ "name": "Edsger" })),
        "team" => ("/api/teams", json!({ "name": "Another" })),
        "team-member" => ("/api/teams/t/members", json!({ "personId": "alan" })),
        "role" => ("/api/stakeholder-link-types", json!({ "name": "Reviewer", "color": "#336699" })),
        "kind" => ("/api/kinds", json!({ "name": "Worker", "baseType": "job" })),
        kind => panic!("say how a row of the new kind {kind} is created"),
    }
}

/// The same with another name or position, for kinds without duplicate content.
fn another(kind: &str, user: i64) -> (&'static str, Value) {
    let (path, mut row) = creation(kind, user);
    match kind {
        "stakeholder" => row["linkType"] = json!("owner"),
        "source" => row["source"]["id"] = json!("another"),
        "role" | "kind" => row["name"] = json!("Approver"),
        "view-place" => row["operations"][0]["positions"][0]["id"] = json!("b"),
        "view-line" => row["operations"][0]["row"]["relationshipId"] = json!("s"),
        _ => {}
    }
    (path, row)
}

/// The client that creates a row of a kind: only `cy`, who cannot edit the workspace, requests access to it.
async fn creator<'s>(server: &'s TestServer, kind: &str) -> TestClient<'s> {
    server.sign_in(if kind == "access-request" { "cy" } else { "ada" }).await
}

/// The number of created rows of a kind.
fn created(server: &TestServer, kind: &RowKind) -> i64 {
    match kind.log {
        Support::Yes => logged(server, kind.name, "create", false),
        Support::No(_) => server.count(&format!("SELECT count(*) FROM {}", kind.name.replace('-', "_"))),
    }
}

/// The number of logged writes of a kind with `op`; `undo` counts only those by undo.
fn logged(server: &TestServer, kind: &str, op: &str, undo: bool) -> i64 {
    let undo = if undo { "AND undo_of IS NOT NULL" } else { "" };
    server.count(&format!("SELECT count(*) FROM change WHERE entity = '{kind}' AND op = '{op}' {undo}"))
}

#[tokio::test]
async fn creations_are_idempotent_for_the_kinds_declared_in_the_table() {
    let server = TestServer::new().await;
    let cy = one_of_each(&server).await;
    for kind in &KINDS {
        let (path, row) = another(kind.name, cy);
        let counts = || (created(&server, kind), server.count("SELECT count(*) FROM idempotency"));
        let (rows, keys) = counts();
        let keyed = creator(&server, kind.name).await.header("idempotency-key", &format!("create-{}", kind.name));
        let first = keyed.post(path, row.clone()).await;
        assert!(first.status.is_success(), "{}: {first}", kind.name);
        let repeated = keyed.post(path, row).await;
        let is_same = repeated.status == first.status && repeated.json() == first.json();
        let is_single = counts() == (rows + 1, keys + 1);
        assert_eq!(is_same && is_single, kind.idempotency == Support::Yes, "{}: {repeated}", kind.name);
    }
}

#[tokio::test]
async fn quotas_apply_to_the_kinds_declared_in_the_table() {
    let server = TestServer::new().await;
    let cy = one_of_each(&server).await;
    // The number of access requests is limited by a constant.
    server.seed_access_requests("w", MAX_ACCESS_REQUESTS);
    // So are those of share links and threads.
    server.seed_share_links("w", MAX_SHARE_LINKS - 1);
    server.seed_threads("w", MAX_THREADS - 1);
    // Every kind has a row, so each one is at its limit.
    let server = TestServer::on(server.stop(), |config| {
        let quotas = &mut config.quotas;
        (quotas.components, quotas.relationships, quotas.stakeholders) = (1, 1, 1);
        (quotas.links, quotas.processes, quotas.notes, quotas.workspaces) = (1, 1, 1, 1);
        (quotas.people, quotas.teams, quotas.roles, quotas.versions) = (1, 1, 1, 1);
        (quotas.views, quotas.view_places, quotas.view_lines, quotas.tours) = (1, 1, 1, 1);
        (quotas.kinds, quotas.decisions) = (1, 1);
    });
    for kind in &KINDS {
        let (path, row) = another(kind.name, cy);
        let reply = creator(&server, kind.name).await.post(path, row).await;
        let is_limited = reply.status == 409 && reply.json()["code"] == "limit_reached";
        assert!(is_limited || reply.status.is_success(), "{}: {reply}", kind.name);
        assert_eq!(is_limited, kind.quotas == Support::Yes, "{}: {reply}", kind.name);
    }
}

#[tokio::test]
async fn undo_writes_the_kinds_declared_in_the_table() {
    let server = TestServer::new().await;
    let cy = one_of_each(&server).await;
    let ada = server.sign_in("ada").await;
    for kind in &KINDS {
        // A workspace takes part with its own fields: creating one is undone by deleting it.
        let (reply, op) = match kind.name {
            "workspace" => (ada.patch("/api/workspaces/w", json!({ "description": "Changed" })).await, "update"),
            name => {
                let (path, row) = another(name, cy);
                (creator(&server, name).await.post(path, row).await, "delete")
            }
        };
        assert!(reply.status.is_success(), "{}: {reply}", kind.name);
        let undo = json!({ "changeSetId": reply.header("x-request-id") });
        let undone = ada.post("/api/workspaces/w/undo", undo).await;
        assert_eq!(undone.status.is_success(), kind.undo == Support::Yes, "{}: {undone}", kind.name);
        let rows = logged(&server, kind.name, op, true);
        assert_eq!(rows, i64::from(kind.undo == Support::Yes), "{}: {undone}", kind.name);
    }
}
