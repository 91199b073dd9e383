//! Every update of a row with a revision can be conditional.

use axum::http::Method;
use serde_json::{Value, json};

use super::{assert_all_covered, only_id, populated};
use crate::support::{TestServer, segment};

/// Routes that update something else.
const OTHERS: [(&str, &str); 40] = [
    ("DELETE /api/me/tokens/{tokenId}", "a token never changes"),
    ("DELETE /api/me/connectors/{clientId}", "what was let in is let in, or out"),
    ("DELETE /api/me/sessions", "nor does a session"),
    ("DELETE /api/me/sessions/{sessionId}", "nor does a session"),
    ("DELETE /api/admin/tokens/{tokenId}", "a token never changes"),
    ("PUT /api/me/photo", "only its user changes a profile"),
    ("DELETE /api/me/photo", "only its user changes a profile"),
    ("PATCH /api/me/notification-settings", "each setting is a value of its own"),
    ("PUT /api/me/watches/workspaces/{id}", "what is watched is watched, or not"),
    ("DELETE /api/me/watches/workspaces/{id}", "what is watched is watched, or not"),
    ("PUT /api/me/watches/workspaces/{id}/components/{cid}", "what is watched is watched, or not"),
    ("DELETE /api/me/watches/workspaces/{id}/components/{cid}", "what is watched is watched, or not"),
    ("PUT /api/me/watches/workspaces/{id}/threads/{threadId}", "a thread is followed, or not"),
    ("DELETE /api/me/watches/workspaces/{id}/threads/{threadId}", "a thread is followed, or not"),
    ("PUT /api/me/watches/teams/{teamId}", "what is watched is watched, or not"),
    ("DELETE /api/me/watches/teams/{teamId}", "what is watched is watched, or not"),
    ("PATCH /api/auth/me", "only its user changes a profile"),
    ("PATCH /api/admin/users/{userId}", "each of the two switches says what shall be"),
    ("PATCH /api/admin/settings", "each setting is a value of its own"),
    ("DELETE /api/admin/waitlist/{entryId}", "an entry never changes"),
    ("PATCH /api/orgs/{orgId}", "has but a name"),
    ("PATCH /api/orgs/{orgId}/members/{userId}", "has but a role"),
    ("DELETE /api/orgs/{orgId}/members/{userId}", "has but a role"),
    ("DELETE /api/orgs/{orgId}/invitations/{invitationId}", "an invitation never changes"),
    ("DELETE /api/workspaces/{id}/access-requests/{userId}", "an access request never changes"),
    ("DELETE /api/orgs/{orgId}/shares/{shareId}", "a share link has no revision"),
    ("PATCH /api/orgs/{orgId}/webhooks/{webhookId}", "a webhook has no revision"),
    ("DELETE /api/orgs/{orgId}/webhooks/{webhookId}", "a webhook has no revision"),
    ("PATCH /api/sharing-rules", "each rule is a value of its own"),
    ("PATCH /api/workspaces/{id}/comments", "each setting is a value of its own"),
    ("PATCH /api/workspaces/{id}/protection", "each setting is a value of its own"),
    ("PATCH /api/drafts/{id}", "each field is a value of its own"),
    ("PATCH /api/workspaces/{id}/shares/{shareId}", "a share link has no revision"),
    ("DELETE /api/workspaces/{id}/shares/{shareId}", "a share link has no revision"),
    ("PATCH /api/workspaces/{id}/views/personal/{viewId}", "only its user changes it; tested with personal views"),
    ("DELETE /api/workspaces/{id}/views/personal/{viewId}", "only its user changes it; tested with personal views"),
    ("DELETE /api/workspaces/{id}/sources/{sourceId}", "a source has no revision"),
    ("PATCH /api/workspaces/{id}/sources/{sourceId}", "a source has no revision"),
    ("PUT /api/workspaces/{id}/bulk", "see below"),
    ("PATCH /api/workspaces/{id}/components", "see below"),
];

/// Updates of a row: the route, its body, and the path of the row.
fn row_writes() -> Vec<(Method, &'static str, Option<Value>, &'static str)> {
    let mut writes = Vec::new();
    for (path, body, read) in [
        ("/api/people/{personId}", Some(json!({ "name": "Mine" })), "/api/people"),
        ("/api/teams/{teamId}", Some(json!({ "name": "Mine" })), "/api/teams"),
        ("/api/teams/{teamId}/members/{personId}", Some(json!({ "role": "lead" })), "/api/teams/crew/members"),
        ("/api/stakeholder-link-types/{roleId}", Some(json!({ "name": "Mine" })), "/api/stakeholder-link-types"),
        ("/api/kinds/{kindId}", Some(json!({ "name": "Mine" })), "/api/kinds"),
        ("/api/workspaces/{id}", Some(json!({ "name": "Mine" })), "/api/workspaces/w"),
        ("/api/workspaces/{id}/versions/{vid}", None, "/api/workspaces/w/versions"),
        ("/api/workspaces/{id}/members/{userId}", Some(json!({ "role": "viewer" })), "/api/workspaces/w/members"),
        ("/api/workspaces/{id}/components/{cid}", Some(json!({ "name": "Mine" })), "/api/workspaces/w"),
        ("/api/workspaces/{id}/components/{cid}/links/{linkId}", None, "/api/workspaces/w/components/a/links"),
        (
            "/api/workspaces/{id}/components/{cid}/stakeholders/{sid}",
            Some(json!({ "linkType": "support" })),
            "/api/workspaces/w/stakeholders",
        ),
        ("/api/workspaces/{id}/relationships/{rid}", Some(json!({ "label": "Mine" })), "/api/workspaces/w"),
        ("/api/workspaces/{id}/processes/{pid}", Some(json!({ "name": "Mine" })), "/api/workspaces/w"),
        ("/api/workspaces/{id}/notes/{noteId}", Some(json!({ "text": "Mine" })), "/api/workspaces/w/notes"),
        ("/api/workspaces/{id}/views/{viewId}", Some(json!({ "name": "Mine" })), "/api/workspaces/w/views"),
        (
            "/api/workspaces/{id}/decisions/{decisionId}",
            Some(json!({ "title": "Mine" })),
            "/api/workspaces/w/decisions/use-events",
        ),
        ("/api/workspaces/{id}/tours/{tourId}", Some(json!({ "name": "Mine" })), "/api/workspaces/w/tours"),
        ("/api/workspaces/{id}/threads/{threadId}", Some(json!({ "kind": "question" })), "/api/workspaces/w/threads"),
        (
            "/api/workspaces/{id}/threads/{threadId}/messages/{messageId}",
            Some(json!({ "text": "Mine" })),
            "/api/workspaces/w/threads",
        ),
    ] {
        writes.extend(body.map(|body| (Method::PATCH, path, Some(body), read)));
        writes.push((Method::DELETE, path, None, read));
    }
    writes
}

/// Whether `what` occurs anywhere in `all`.
fn contains(all: &Value, what: &Value) -> bool {
    all == what
        || match all {
            Value::Array(items) => items.iter().any(|item| contains(item, what)),
            Value::Object(fields) => fields.values().any(|field| contains(field, what)),
            _ => false,
        }
}

#[tokio::test]
async fn every_stale_write_is_rejected_with_the_current_state_and_its_author() {
    let server = TestServer::new().await;
    let (ada, bob) = populated(&server).await;
    let by = json!({ "id": bob.get("/api/me").await.ok()["id"], "displayName": "bob" });
    let (cyn, link) = (server.seed_member("cyn", "acme", "org:member"), "/api/workspaces/w/components/a/links");
    bob.post("/api/workspaces/w/members", json!({ "userId": cyn, "role": "editor" })).await.ok();
    let ids = [
        ("{id}", json!("w")),
        ("{cid}", json!("a")),
        ("{rid}", json!("r")),
        ("{pid}", json!("order")),
        ("{noteId}", json!("note")),
        ("{viewId}", json!("payments")),
        ("{tourId}", json!("first-day")),
        ("{decisionId}", json!("use-events")),
        ("{personId}", json!("grace")),
        ("{teamId}", json!("crew")),
        ("{roleId}", json!("tester")),
        ("{kindId}", json!("worker")),
        ("{userId}", json!(cyn)),
        ("{linkId}", only_id(&bob, link, "links").await),
        ("{sid}", only_id(&bob, "/api/workspaces/w/stakeholders", "stakeholders").await),
        ("{threadId}", only_id(&bob, "/api/workspaces/w/threads", "threads").await),
        ("{messageId}", json!(1)),
        ("{vid}", only_id(&bob, "/api/workspaces/w/versions", "versions").await),
    ];
    let written = server.log_sizes();
    for (method, path, body, read) in row_writes() {
        let filled = ids.iter().fold(path.to_owned(), |path, (name, id)| {
            path.replace(name, &segment(id.as_str().map_or(id.to_string(), str::to_owned).as_str()))
        });
        let reply = ada.header("if-match", "\"0\"").send(method, &filled, body).await;
        let refusal = reply.expect_error(412, "changed since you read it");
        assert_eq!((&refusal["code"], &refusal["changedBy"]), (&json!("stale"), &by), "{reply}");
        assert!(refusal["current"]["revision"].is_i64(), "{reply}");
        assert!(contains(&ada.get(read).await.ok(), &refusal["current"]), "{reply}: not as it is read at {read}");
    }
    // Requests that replace many rows depend on the workspace revision.
    let model = json!({ "components": [], "relationships": [] });
    let row = json!({ "origin": { "key": "a", "file": "", "line": 1 }, "id": "x", "typeId": "job", "name": "X" });
    let sync = json!({ "source": { "id": "s", "kind": "compose" }, "reading": { "components": [row] } });
    for (method, path, body) in [
        (Method::POST, "/api/workspaces/w/sync", sync),
        (Method::PUT, "/api/workspaces/w/bulk", model.clone()),
        (Method::PATCH, "/api/workspaces/w/components", json!([{ "id": "a", "x": 1, "y": 1 }])),
        (Method::POST, "/api/import?id=w&replace=true", model),
    ] {
        let refusal =
            ada.header("if-match", "\"0\"").send(method, path, Some(body)).await.expect_error(412, "changed since");
        assert_eq!((&refusal["code"], &refusal["changedBy"]), (&json!("stale"), &by), "{path}");
        assert_eq!(refusal["current"], ada.bundle("w").await["workspace"]);
    }
    assert_eq!(server.log_sizes(), written, "nothing of it was done");
    let tried = row_writes().into_iter().map(|(method, path, ..)| (method, path.to_owned()));
    assert_all_covered(&[Method::PATCH, Method::PUT, Method::DELETE], tried, &OTHERS);
}
