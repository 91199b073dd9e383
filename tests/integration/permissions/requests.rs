//! Executes the matrix: every caller sends every request and gets the result of its cell.

use axum::http::Method;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{
    bodies::{
        LINKS, WITHOUT_BODY, comment_body, decision_body, draft_body, link_body, note_body, share_body, sync_body,
        view_body, webhook_body,
    },
    callers::{Caller, callers},
    found_template,
    rows::{Row, rows},
    targets::{Copier, DIRECTORY, OWN_PHOTO, Target, store_image, webhook_id},
};
use crate::notes::images::png;
use crate::support::{
    PASSWORD, TestResponse, TestServer,
    wiki::{CLIENT, FakeWiki},
};

/// Context shared by all requests.
struct Context {
    /// Token of the setup link.
    setup: String,
    /// ID of the organization.
    acme: String,
    /// ID of the image in each workspace.
    image: String,
}

/// The query of a read.
fn query(row: &Row, revision: i64) -> String {
    match (row.path, row.what) {
        (_, "past") => format!("?at={revision}"),
        (_, "deleted") => "?deleted=true".to_owned(),
        (_, "notes") => "?include=notes".to_owned(),
        (_, "views") => "?include=notes,views".to_owned(),
        ("/api/search", _) => "?q=web".to_owned(),
        ("/api/workspaces/{id}/history/difference", _) => format!("?from={revision}"),
        ("/api/workspaces/{id}/impact", _) => "?componentId=web".to_owned(),
        ("/api/workspaces/{id}/views/personal/{viewId}/export", _) => "?format=drawio".to_owned(),
        ("/api/workspaces/{id}/impact/paths", _) => "?from=web&to=api".to_owned(),
        _ => String::new(),
    }
}

/// The path of a route with the IDs of the target.
fn path(row: &Row, caller: &Caller<'_>, target: &Target, context: &Context) -> String {
    let is_own = row.what == "own" || row.path == OWN_PHOTO && row.what == "-";
    let user = caller.user.filter(|_| is_own).unwrap_or(target.colleague);
    let Target { id, token, session, invitation, entry, link, version, stakeholder, .. } = target;
    let is_draft = row.path.starts_with("/api/drafts/") || row.what == "in-draft";
    let id = &if is_draft { format!("draft-{id}") } else { id.clone() };
    row.path
        .replace("{id}", id)
        .replace("{cid}", "web")
        .replace("{linkId}", &link.to_string())
        .replace("{rid}", "web-calls-api")
        .replace("{pid}", "order")
        .replace("{noteId}", "note")
        .replace("{viewId}", "payments")
        .replace("{tourId}", "first-day")
        .replace("{decisionId}", "use-events")
        .replace("{imageId}", &context.image)
        .replace("{orgId}", &context.acme)
        .replace("{userId}", &user.to_string())
        .replace("{entryId}", &entry.to_string())
        .replace("{invitationId}", &invitation.unwrap_or_default().to_string())
        .replace("{token}", id)
        .replace("{tokenId}", &token.to_string())
        .replace("{sessionId}", &session.to_string())
        .replace("{clientId}", id)
        .replace("{vid}", &version.unwrap_or_default().to_string())
        .replace("{shareId}", id)
        .replace("{webhookId}", webhook_id(row, id))
        .replace("{deliveryId}", &target.pk.to_string())
        .replace("{threadId}", id)
        .replace("{messageId}", "1")
        .replace("{sid}", &stakeholder.unwrap_or_default().to_string())
        .replace("{personId}", id)
        .replace("{teamId}", id)
        .replace("{roleId}", id)
        .replace("{kindId}", id)
        .replace("{sourceId}", "compose")
}

/// The body of a request about access to a workspace.
fn access_body(what: &str, caller: &Caller<'_>) -> Value {
    match what {
        "visible" => json!({ "visibility": if caller.visibility == "members" { "private" } else { "members" } }),
        _ => json!({ "organizationAccess": if caller.organization_access == "view" { "edit" } else { "view" } }),
    }
}

/// A request that succeeds for callers with permission: path and body.
fn request(row: &Row, caller: &Caller<'_>, target: &Target, context: &Context) -> (String, Option<Value>) {
    let Target { id, pk, revision, colleague, .. } = target;
    let path = path(row, caller, target, context);
    let body = match (row.method.as_str(), row.path, row.what) {
        ("GET", ..) => return (path + &query(row, *revision), None),
        ("DELETE", ..)
        | ("PUT", "/api/me/photo", _)
        | ("POST", "/api/auth/logout" | "/api/workspaces/{id}/images", _) => return (path, None),
        ("PUT", of, _) if of.starts_with("/api/me/watches/") => return (path, None),
        ("POST", of, _) if WITHOUT_BODY.iter().any(|part| of.contains(part)) => return (path, None),
        // The link is valid, but all callers learn that there are users already.
        ("POST", "/api/auth/setup", _) => json!({
            "token": context.setup, "login": "eve", "displayName": "Eve", "password": PASSWORD, "organization": "Eve",
        }),
        ("POST", "/api/auth/login", _) => json!({ "login": "nomad", "password": PASSWORD }),
        // New users send their account data; others join as themselves.
        ("POST", "/api/auth/invitations/{token}", _) if caller.user.is_none() => {
            json!({ "login": id, "displayName": "New", "password": PASSWORD })
        }
        ("POST", "/api/auth/login/verify", _) => json!({ "challengeId": "none", "method": "totp", "code": "000000" }),
        ("POST", "/api/auth/oidc/link", _) => json!({ "id": "none", "access": "end" }),
        ("POST", path, _) if LINKS.iter().any(|part| path.contains(part)) => link_body(path),
        ("POST", "/api/auth/organization", _) => json!({ "orgId": null }),
        ("POST", "/api/me/connectors", _) => json!({ "request": id, "allow": false }),
        ("POST", "/api/me/connectors/request", _) => json!({ "request": id }),
        ("PATCH", "/api/auth/me", _) => json!({ "displayName": format!("Renamed in {id}") }),
        ("POST", "/api/me/password", _) => json!({ "current": PASSWORD, "next": PASSWORD }),
        ("POST", "/api/me/second-factor/confirm", _) => json!({ "code": "000000" }),
        ("POST", path, _) if path.starts_with("/api/me/second-factor") => json!({ "password": PASSWORD }),
        ("POST", "/api/me/inbox/read", _) => json!({ "ids": [1] }),
        ("PATCH", "/api/me/notification-settings", _) => json!({ "digestHour": 6 }),
        ("PATCH", "/api/admin/settings", _) => json!({ "instance.name": format!("Instance {pk}") }),
        ("POST", "/api/waitlist", _) => json!({ "email": format!("new-{pk}@example.org") }),
        ("POST", "/api/admin/users", _) => json!({ "login": format!("new-{pk}"), "displayName": "New" }),
        ("PATCH", "/api/admin/users/{userId}", "suspend") => json!({ "isSuspended": true }),
        ("PATCH", "/api/admin/users/{userId}", _) => json!({ "isAdmin": true }),
        ("POST", "/api/me/tokens" | "/api/admin/tokens", _) => json!({ "name": "more" }),
        (
            "POST",
            "/api/workspaces" | "/api/orgs" | "/api/people" | "/api/teams" | "/api/workspaces/{id}/versions",
            _,
        ) => json!({ "name": "New" }),
        ("POST", "/api/kinds", _) => json!({ "name": format!("New {pk}"), "baseType": "service" }),
        ("POST", "/api/teams/{teamId}/members", _) => json!({ "personId": format!("{id}-other") }),
        ("PATCH", "/api/teams/{teamId}/members/{personId}", _) => json!({ "role": "lead" }),
        ("PATCH", path, _) if DIRECTORY.iter().any(|of| path.starts_with(of)) => {
            json!({ "name": format!("Renamed {pk}") })
        }
        ("POST", "/api/stakeholder-link-types", _) => json!({ "name": "New", "color": "#112233" }),
        ("PATCH", "/api/orgs/{orgId}", _) => json!({ "name": format!("Acme of {id}") }),
        ("PATCH", "/api/orgs/{orgId}/members/{userId}", _) | (_, "/api/admin/waitlist/{entryId}/invite", "admin") => {
            json!({ "role": "org:admin" })
        }
        (
            "POST",
            "/api/orgs/{orgId}/invitations" | "/api/admin/waitlist/{entryId}/invite" | "/api/workspaces/{id}/duplicate",
            _,
        ) => json!({}),
        ("POST", "/api/workspaces/{id}/members", _) => json!({ "userId": colleague, "role": "editor" }),
        ("POST", "/api/workspaces/{id}/access-requests", _) => json!({ "message": "Please" }),
        ("PATCH", "/api/workspaces/{id}/members/{userId}", _) => json!({ "role": "owner" }),
        ("POST", "/api/workspaces/{id}/history/restore", _) => json!({ "revision": revision }),
        ("POST", "/api/workspaces/{id}/undo", _) => json!({ "batchId": "gesture" }),
        ("POST", "/api/import", what) => {
            let file = json!({ "workspace": { "name": "Imported" }, "components": [], "relationships": [] });
            let free = if what == "replace" { "&replace=true" } else { "-free" };
            return (format!("{path}?id={id}{free}"), Some(file));
        }
        ("POST", "/api/workspaces/{id}/presence", _) => json!({ "client": "tab" }),
        ("POST", "/api/workspaces/restore", _) => json!({ "pk": pk }),
        ("PATCH", "/api/workspaces/{id}", "visible" | "org-access") => access_body(row.what, caller),
        ("PATCH", "/api/workspaces/{id}" | "/api/workspaces/{id}/components/{cid}", _) => json!({ "name": "Renamed" }),
        ("PUT", "/api/workspaces/{id}/bulk", what) => {
            let model = json!({ "workspace": { "name": "Replaced" }, "components": [], "relationships": [] });
            let path = if what == "free-id" { path.replace(id.as_str(), &format!("{id}-free")) } else { path };
            return (path, Some(model));
        }
        (_, path, _) if ["/readings", "/sync", "/sources"].iter().any(|part| path.contains(part)) => sync_body(path),
        ("POST", "/api/workspaces/{id}/operations", _) => {
            let row = json!({ "typeId": "service", "name": "Checkout" });
            json!({ "operations": [{ "op": "create", "kind": "component", "row": row }] })
        }
        ("POST", "/api/workspaces/{id}/components", _) => json!({ "typeId": "service", "name": "Checkout" }),
        ("PATCH", "/api/workspaces/{id}/components", _) => json!([{ "id": "web", "x": 7, "y": 7 }]),
        ("POST", "/api/workspaces/{id}/components/{cid}/links", _) => json!({ "url": "https://example.org/new" }),
        ("POST", path, _) if path.ends_with("/stakeholders") => json!({ "teamId": id, "linkType": "owner" }),
        ("PATCH", path, _) if path.ends_with("{sid}") => json!({ "linkType": "support" }),
        ("POST", "/api/workspaces/{id}/relationships", _) => {
            json!({ "typeId": "reads", "sourceId": "api", "targetId": "web" })
        }
        ("PATCH", "/api/workspaces/{id}/relationships/{rid}", _) => json!({ "label": "asks" }),
        ("POST", "/api/workspaces/{id}/processes", _) => json!({ "name": "Return", "mermaid": "sequenceDiagram" }),
        ("PATCH", "/api/workspaces/{id}/processes/{pid}", _) => json!({ "participants": { "W": "web" } }),
        (_, of, _) if of.contains("/drafts") || of.ends_with("/protection") => draft_body(of),
        (_, of, _) if of.contains("/shar") => share_body(of, *pk),
        (method, of, _) if of.contains("/webhooks") => webhook_body(method),
        (method, of, _) if of.contains("/threads") || of.ends_with("/comments") => comment_body(method, of),
        (method, of, _) if of.contains("/notes") => note_body(method),
        (method, of, _) if of.contains("/decisions") => decision_body(method, of),
        (method, of, _) if of.contains("/views") || of.contains("/tours") => view_body(method, of),
        (method, path, what) => panic!("say context what to send with {method} {path} ({what})"),
    };
    (path, Some(body))
}

/// The outcome in the notation of the matrix.
fn outcome(reply: &TestResponse, ok: u16) -> char {
    let code = serde_json::from_slice::<Value>(&reply.bytes).unwrap_or_default()["code"].as_str().map(str::to_owned);
    match (reply.status.as_u16(), code.as_deref()) {
        (status, None) if status == ok => '+',
        (400, Some("no_active_org")) => '0',
        (401, None) => '1',
        (403, None) => '3',
        (403, Some("account_suspended")) => 's',
        (404, None) => '4',
        (409, None) => '9',
        _ => '?',
    }
}

/// The number of log and audit rows, which only grows, and the comments, which are in no log.
fn log_size(conn: &Connection) -> (i64, i64) {
    let count = |sql| conn.prepare_cached(sql).unwrap().query_row([], |row| row.get(0)).unwrap();
    let comments = "SELECT (SELECT coalesce(sum(revision), 0) FROM thread) + (SELECT count(*) FROM thread_message)";
    (count("SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM audit)"), count(comments))
}

/// Number of parts of the matrix. Each part is a test with its own server: tests run in parallel, and the lists that
/// requests read grow with every target.
const PARTS: usize = 6;

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_first_part_of_the_matrix() {
    check_part(0).await;
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_second_part_of_the_matrix() {
    check_part(1).await;
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_third_part_of_the_matrix() {
    check_part(2).await;
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_fourth_part_of_the_matrix() {
    check_part(3).await;
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_fifth_part_of_the_matrix() {
    check_part(4).await;
}

#[tokio::test]
async fn every_caller_has_exactly_the_permissions_of_the_sixth_part_of_the_matrix() {
    check_part(5).await;
}

/// Sends the requests of the rows whose number leaves this remainder.
async fn check_part(part: usize) {
    assert!(part < PARTS);
    let wiki = FakeWiki::start().await;
    let server = TestServer::empty(|config| {
        config.outbound.wiki_url = wiki.url();
        config.outbound.wiki_requests_per_second = 1_000;
        config.outbound.allow_private = true;
        // Every caller creates tokens.
        config.quotas.tokens = 0;
        config.quotas.kinds = 0;
    });
    let setup = server.app.offer_setup().await.unwrap().unwrap();
    server.seed_admin("ada", "acme").await;
    let acme = server.sql(|conn| conn.query_row("SELECT id FROM organization", [], |row| row.get(0)).unwrap());
    let client = json!({ "wiki.client_id": CLIENT.0, "wiki.client_secret": CLIENT.1 });
    server.sign_in("ada").await.patch("/api/admin/settings", client).await.ok();
    found_template(&server).await;
    let image = server.sql(|conn| conn.query_row("SELECT id FROM note_image", [], |row| row.get(0)).unwrap());
    let context = Context { setup, acme, image };
    let rows: Vec<Row> = rows().into_iter().skip(part).step_by(PARTS).collect();
    let callers = callers(&server).await;
    let targets: Vec<Vec<Target>> = server.sql(|conn| {
        store_image(conn);
        let copier = Copier::new(conn);
        let id = |row: usize, caller: usize| format!("w-{row}-{caller}");
        let of_row = |(r, row)| {
            callers.iter().enumerate().map(|(c, caller)| copier.target(id(r, c), caller, Some(row))).collect()
        };
        let targets = rows.iter().enumerate().map(of_row).collect();
        copier.finish();
        targets
    });
    let (mut wrong, log) = (Vec::new(), server.connection());
    for (row, targets) in rows.iter().zip(&targets) {
        assert_eq!(row.cells.len(), callers.len(), "a column for each caller");
        for (caller, target) in callers.iter().zip(targets) {
            let (path, body) = request(row, caller, target, &context);
            if row.path.contains("/wiki/") {
                // One of these requests ends the connection.
                for org in ["acme", "other"] {
                    server.connect_wiki(org);
                }
            }
            if row.path == "/api/me/photo" {
                // Several callers are the same user, and the same photo again is no change.
                let sql = "UPDATE user SET avatar_url = 'https://example.org/photo'";
                server.sql(|conn| conn.execute(sql, []).unwrap());
            }
            let before = log_size(&log);
            // Anonymous clients are identified by address.
            let client = match row.path {
                "/api/waitlist" => caller.client.from([192, 0, 2, caller.letter as u8]),
                // Links that do not exist are failed attempts.
                path if path.contains("/email-confirmations/") || path.contains("/password-resets/") => {
                    caller.client.from([10, caller.letter as u8, 0, 1])
                }
                _ => caller.client.clone(),
            };
            let reply = match row.path {
                "/api/workspaces/{id}/images" if row.method == Method::POST => {
                    client.upload_image(&target.id, &png(5, 4)).await
                }
                "/api/me/photo" if row.method == Method::PUT => {
                    client.send_raw(Method::PUT, row.path, Some("image/png"), png(5, 4)).await
                }
                _ => client.send(row.method.clone(), &path, body).await,
            };
            let wrote = log_size(&log) != before;
            let mut must_write = reply.status.is_success() && row.method != Method::GET;
            // Without a cookie there is nothing to refresh.
            must_write &= row.path != "/api/auth/refresh";
            // Presence is sent but not stored.
            must_write &= !row.path.ends_with("/presence");
            // These only answer.
            must_write &= !row.path.ends_with("/preview") && row.path != "/api/readings";
            // These start an authorization that other requests complete.
            must_write &= !["wiki/start", "wiki/test", "wiki/refresh"].iter().any(|path| row.path.ends_with(path));
            // The recorded opening of the request is not visible.
            must_write &= row.path != "/api/me/connectors/request";
            // Only their user learns of personal views, so they are in no log.
            must_write &= !row.path.contains("/views/personal");
            // Only their user learns of these, so they are in no log.
            must_write &= !["/api/me/watches", "/api/me/inbox", "/api/me/notification"]
                .iter()
                .any(|path| row.path.starts_with(path));
            // A plain link is unchanged.
            must_write &= !row.path.ends_with("/links/{linkId}/refresh");
            if row.path == "/api/auth/logout" {
                // The anonymous caller has no session to end. The others are needed again.
                must_write &= caller.user.is_some();
                server.sql(|conn| conn.execute("UPDATE session SET ended_at = NULL", []).unwrap());
            }
            let (expected, told) = (row.cells[&caller.letter], outcome(&reply, row.ok));
            let who = format!("{} {} ({}) as {}", row.method, row.path, row.what, caller.letter);
            let body: String = String::from_utf8_lossy(&reply.bytes).chars().take(120).collect();
            if told != expected {
                wrong.push(format!("{who}: `{expected}` in the matrix, but `{told}`, {} {body}", reply.status));
            } else if wrote != must_write {
                let done = if wrote { "something" } else { "nothing" };
                wrong.push(format!("{who}: wrote {done}, and answered {} {body}", reply.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells differ:\n{}", wrong.len(), wrong.join("\n"));
}
