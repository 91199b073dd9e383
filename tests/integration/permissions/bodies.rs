//! Bodies of requests, by method and path.

use serde_json::{Value, json};

use crate::support::PASSWORD;

/// The body of a write of a note.
pub(super) fn note_body(method: &str) -> Value {
    match method {
        "POST" => json!({ "text": "New", "x": 1, "y": 2 }),
        _ => json!({ "text": "Changed" }),
    }
}

/// The body of a write of a view or a tour.
pub(super) fn view_body(method: &str, path: &str) -> Value {
    match (method, path.ends_with("/copy")) {
        ("POST", true) => json!({}),
        ("POST", false) => json!({ "name": "New" }),
        _ => json!({ "name": "Changed" }),
    }
}

/// The body of a write of decisions.
pub(super) fn decision_body(method: &str, path: &str) -> Value {
    match (method, path.ends_with("/import")) {
        ("POST", true) => json!({ "files": [{ "name": "0007-new.md", "text": "# New" }] }),
        ("POST", false) => json!({ "title": "New" }),
        _ => json!({ "title": "Changed" }),
    }
}

/// Parts of the paths of routes that use a link or a cookie.
pub(super) const LINKS: [&str; 4] = ["/auth/invitations/", "/auth/refresh", "/email-confirmation", "/password-resets"];

/// The body of a request that uses a link or a cookie.
pub(super) fn link_body(path: &str) -> Value {
    match path {
        "/api/auth/password-resets" => json!({ "email": "eve@example.org" }),
        "/api/auth/password-resets/{token}" => json!({ "password": PASSWORD }),
        _ => json!({}),
    }
}

/// Parts of the paths of actions that take no body.
pub(super) const WITHOUT_BODY: [&str; 8] = [
    "/wiki/",
    "{shareId}",
    "{webhookId}/",
    "{linkId}/refresh",
    "{vid}/restore",
    "{threadId}/resolve",
    "{threadId}/reopen",
    "/api/drafts/{id}/close",
];

/// The body of a request about comments.
pub(super) fn comment_body(method: &str, path: &str) -> Value {
    match (method, path) {
        ("PATCH", "/api/workspaces/{id}/comments") => json!({ "commenters": "editors" }),
        ("PATCH", "/api/workspaces/{id}/threads/{threadId}") => json!({ "kind": "question" }),
        ("POST", "/api/workspaces/{id}/threads") => json!({ "anchor": { "type": "workspace" }, "text": "New" }),
        _ => json!({ "text": "Changed" }),
    }
}

/// The body of a request about drafts.
pub(super) fn draft_body(path: &str) -> Value {
    match path {
        "/api/workspaces/{id}/drafts" => json!({ "title": "New" }),
        "/api/drafts/{id}" => json!({ "title": "Changed" }),
        "/api/drafts/{id}/reviews" => json!({ "verdict": "comment", "text": "Fine" }),
        "/api/workspaces/{id}/protection" => json!({ "protected": true }),
        _ => json!({}),
    }
}

/// The body of a request about share links.
pub(super) fn share_body(path: &str, pk: i64) -> Value {
    match path {
        "/api/sharing-rules" => json!({ "maxDays": 1 + pk % 3_650 }),
        _ => json!({ "name": "Wiki" }),
    }
}

/// The body of a write of a webhook.
pub(super) fn webhook_body(method: &str) -> Value {
    match method {
        "POST" => json!({ "name": "New", "url": "https://93.184.215.14/hook", "events": ["member.joined"] }),
        _ => json!({ "name": "Changed" }),
    }
}

pub(super) fn sync_body(path: &str) -> Value {
    if path == "/api/readings" {
        return json!({ "files": [{ "name": "compose.yaml", "content": "services:\n  web:\n    image: web\n" }] });
    }
    if path.contains("/sources") {
        return json!({ "kind": "component", "key": "gone", "accepted": true });
    }
    let origin = json!({ "key": "checkout", "file": "compose.yaml", "line": 1 });
    let row = json!({ "origin": origin, "id": "checkout", "typeId": "service", "name": "Checkout" });
    json!({ "source": { "id": "new", "kind": "compose" }, "reading": { "components": [row] } })
}
