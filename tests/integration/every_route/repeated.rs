//! Every creation is idempotent with a key.

use std::cell::RefCell;

use axum::http::Method;
use serde_json::{Value, json};

use super::{assert_all_covered, only_id, populated};
use crate::{
    oauth::OAuthClient,
    sign_in::second_factor::code,
    support::{PASSWORD, TestClient, TestServer},
};

/// Routes without an idempotency key.
const OTHERS: [(&str, &str); 21] = [
    ("POST /api/auth/wiki/start", "each time is another time"),
    ("POST /api/admin/wiki/test", "only asks"),
    ("POST /api/admin/wiki/refresh", "twice is once"),
    ("POST /api/admin/wiki/disconnect", "twice is once"),
    ("POST /api/auth/setup", "nobody is known yet whose key it could be"),
    ("POST /api/auth/login", "nobody is known yet"),
    ("POST /api/auth/login/verify", "nobody is known yet"),
    ("POST /api/auth/oidc/link", "a link is made once"),
    ("POST /api/auth/refresh", "has its own rule for a second use"),
    ("POST /api/auth/logout", "twice is once"),
    ("POST /api/auth/invitations/{token}", "nobody may be known yet, and an invitation is taken once"),
    ("POST /api/auth/email-confirmations/{token}", "no caller is known; the link can be used once"),
    ("POST /api/auth/password-resets", "no caller is known; the rate limit counts each request"),
    ("POST /api/auth/password-resets/{token}", "no caller is known; the link can be used once"),
    ("POST /api/me/email-confirmation", "needs a mail server; see the tests of emails"),
    ("POST /api/me/inbox/read", "twice is once"),
    ("POST /api/waitlist", "nobody is known; the same address is there once"),
    ("POST /api/workspaces/{id}/presence", "twice is once, and nothing is kept"),
    ("POST /api/readings", "only answers"),
    ("POST /api/workspaces/{id}/sync/preview", "only answers"),
    ("POST /api/workspaces/{id}/images", "the body is not JSON; see the tests of images"),
];

/// A sent request and its response.
struct SentRequest {
    path: String,
    body: Option<Value>,
    key: String,
    status: u16,
    answer: Value,
}

impl SentRequest {
    /// Sends the request again: the response is the first one, and nothing is written.
    async fn repeat(&self, server: &TestServer, client: &TestClient<'_>) {
        let written = server.log_sizes();
        let keyed = client.header("idempotency-key", &self.key);
        let reply = keyed.send(Method::POST, &self.path, self.body.clone()).await;
        assert_eq!(reply.status.as_u16(), self.status, "{reply}");
        assert_eq!(reply.json(), self.answer, "{}", self.path);
        assert_eq!(server.log_sizes(), written, "{} was done again", self.path);
    }
}

/// Creates a private workspace that the reader may view.
async fn create_closed(owner: &TestClient<'_>, reader: &TestClient<'_>) {
    let workspace = json!({ "id": "closed", "name": "Closed", "visibility": "private" });
    owner.post("/api/workspaces", workspace).await.created();
    let reader = json!({ "userId": reader.get("/api/me").await.ok()["id"], "role": "viewer" });
    owner.post("/api/workspaces/closed/members", reader).await.ok();
}

/// Creations in a workspace: the end of the route, and the body. `cyn` is not a member of the workspace.
fn in_workspace(cyn: i64) -> Vec<(&'static str, Option<Value>)> {
    vec![
        ("/undo", Some(json!({ "batchId": "gesture" }))),
        ("/history/restore", Some(json!({ "revision": 1 }))),
        ("/versions", Some(json!({ "name": "New" }))),
        ("/versions/{vid}/restore", None),
        (
            "/operations",
            Some(json!({ "operations": [
            { "op": "create", "kind": "component", "row": { "typeId": "queue", "name": "Made" } },
            { "op": "create", "kind": "link", "ref": "l", "row": { "componentId": "made", "url": "https://example.org" } },
        ] })),
        ),
        (
            "/sync",
            Some(json!({
                "source": { "id": "compose", "kind": "compose" },
                "reading": { "components": [{ "origin": { "key": "new", "file": "compose.yaml", "line": 1 }, "id": "synced",
                                              "typeId": "service", "name": "Synced" }] },
            })),
        ),
        ("/duplicate", Some(json!({ "name": "Copy" }))),
        ("/members", Some(json!({ "userId": cyn, "role": "editor" }))),
        ("/components", Some(json!({ "typeId": "service", "name": "New" }))),
        ("/components/{cid}/links", Some(json!({ "url": "https://example.org/new" }))),
        ("/components/{cid}/links/{linkId}/refresh", None),
        ("/components/{cid}/stakeholders", Some(json!({ "teamId": "crew", "linkType": "owner" }))),
        ("/relationships", Some(json!({ "typeId": "reads", "sourceId": "b", "targetId": "a" }))),
        ("/processes", Some(json!({ "name": "New", "mermaid": "sequenceDiagram" }))),
        ("/notes", Some(json!({ "text": "New", "x": 0, "y": 0 }))),
        ("/views", Some(json!({ "name": "New" }))),
        ("/views/{viewId}/copy", Some(json!({}))),
        ("/views/personal", Some(json!({ "name": "New" }))),
        ("/tours", Some(json!({ "name": "New" }))),
        ("/decisions", Some(json!({ "title": "New" }))),
        ("/decisions/import", Some(json!({ "files": [{ "name": "0009-imported.md", "text": "# Imported" }] }))),
    ]
}

#[tokio::test]
async fn every_creation_is_applied_once_when_repeated_even_after_a_restart() {
    let server = TestServer::new().await;
    let (ada, bob) = populated(&server).await;
    let (all, routes) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let send = async |route: &str, path: &str, body: Option<Value>| {
        let key = format!("key-{}", all.borrow().len());
        let keyed = ada.header("idempotency-key", &key).header("x-batch-id", &format!("batch-of-{key}"));
        let reply = keyed.send(Method::POST, path, body.clone()).await;
        assert!(reply.status.is_success(), "{reply}");
        let (status, answer) = (reply.status.as_u16(), reply.json());
        let sent = SentRequest { path: path.to_owned(), body, key, status, answer: answer.clone() };
        sent.repeat(&server, &ada).await;
        all.borrow_mut().push(sent);
        routes.borrow_mut().push((Method::POST, route.to_owned()));
        answer
    };
    let plain = async |route: &str, body: Value| send(route, route, Some(body)).await;

    let acme = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    server.anonymous().post("/api/waitlist", json!({ "email": "new@example.org" })).await.created();
    let entry = only_id(&ada, "/api/admin/waitlist", "entries").await;
    plain("/api/auth/organization", json!({ "orgId": acme })).await;
    plain("/api/me/tokens", json!({ "name": "ci" })).await;
    let request = json!({ "request": OAuthClient::new(&server).await.request_consent(&[]).await });
    plain("/api/me/connectors/request", request.clone()).await;
    plain("/api/me/connectors", json!({ "request": request["request"], "allow": true, "orgId": acme })).await;
    plain("/api/me/password", json!({ "current": PASSWORD, "next": "battery horse correct" })).await;
    let factor = "/api/me/second-factor";
    let password = json!({ "password": "battery horse correct" });
    let secret = plain(factor, password.clone()).await["secret"].as_str().unwrap().to_owned();
    plain("/api/me/second-factor/confirm", json!({ "code": code(&server, &secret, 0) })).await;
    let with = |code: String| json!({ "password": "battery horse correct", "code": code });
    let later = code(&server, &secret, 1);
    let renewed = plain("/api/me/second-factor/recovery-codes", with(later)).await;
    let recovery = renewed["recoveryCodes"][0].as_str().unwrap().to_owned();
    plain("/api/me/second-factor/disable", with(recovery)).await;
    plain("/api/admin/users", json!({ "login": "new", "displayName": "New" })).await;
    plain("/api/admin/tokens", json!({ "name": "more" })).await;
    let invite = "/api/admin/waitlist/{entryId}/invite";
    send(invite, &invite.replace("{entryId}", &entry.to_string()), Some(json!({}))).await;
    plain("/api/orgs", json!({ "name": "Other" })).await;
    send("/api/orgs/{orgId}/invitations", &format!("/api/orgs/{acme}/invitations"), Some(json!({}))).await;
    let webhooks = format!("/api/orgs/{acme}/webhooks");
    let webhook = json!({ "name": "New", "url": "https://93.184.215.14/hook", "events": ["member.left"] });
    let created = send("/api/orgs/{orgId}/webhooks", &webhooks, Some(webhook)).await["webhook"]["id"].clone();
    for action in ["secret", "test", "deliveries/{deliveryId}/redeliver"] {
        let path = format!("{webhooks}/{}/{}", created.as_str().unwrap(), action.replace("{deliveryId}", "1"));
        send(&format!("/api/orgs/{{orgId}}/webhooks/{{webhookId}}/{action}"), &path, None).await;
        server.sql(|conn| conn.execute("UPDATE webhook_delivery SET state = 'failed'", []).unwrap());
    }
    plain("/api/people", json!({ "name": "New" })).await;
    plain("/api/teams", json!({ "name": "New" })).await;
    let ada_herself = json!({ "personId": "ada" });
    send("/api/teams/{teamId}/members", "/api/teams/crew/members", Some(ada_herself)).await;
    plain("/api/stakeholder-link-types", json!({ "name": "New", "color": "#112233" })).await;
    plain("/api/kinds", json!({ "name": "New", "baseType": "service" })).await;
    plain("/api/workspaces", json!({ "name": "New" })).await;
    plain("/api/import", json!({ "workspace": { "name": "Imported" }, "components": [], "relationships": [] })).await;
    ada.create_workspace("gone").await;
    ada.delete("/api/workspaces/gone").await.ok();
    let gone = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    plain("/api/workspaces/restore", json!({ "pk": gone })).await;

    let version = only_id(&ada, "/api/workspaces/w/versions", "versions").await;
    let link = only_id(&ada, "/api/workspaces/w/components/a/links", "links").await;
    let cyn = server.seed_member("cyn", "acme", "org:member");
    ada.header("x-batch-id", "gesture").patch("/api/workspaces/w/components/a", json!({ "name": "N" })).await.ok();
    for (route, body) in in_workspace(cyn) {
        let filled = route.replace("{vid}", &version.to_string()).replace("{linkId}", &link.to_string());
        let path = format!("/api/workspaces/w{}", filled.replace("{cid}", "a").replace("{viewId}", "payments"));
        send(&format!("/api/workspaces/{{id}}{route}"), &path, body).await;
    }
    let threads = "/api/workspaces/{id}/threads";
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "New" });
    let created = send(threads, "/api/workspaces/w/threads", Some(thread)).await["thread"]["id"].clone();
    for (action, body) in [("messages", Some(json!({ "text": "More" }))), ("resolve", None), ("reopen", None)] {
        let path = format!("/api/workspaces/w/threads/{}/{action}", created.as_str().unwrap());
        send(&format!("{threads}/{{threadId}}/{action}"), &path, body).await;
    }
    let shares = "/api/workspaces/{id}/shares";
    let share = json!({ "name": "Wiki", "password": "correct horse battery" });
    let created = send(shares, "/api/workspaces/w/shares", Some(share)).await["share"]["id"].clone();
    for action in ["rotate", "adopt"] {
        let path = format!("/api/workspaces/w/shares/{}/{action}", created.as_str().unwrap());
        send(&format!("{shares}/{{shareId}}/{action}"), &path, None).await;
    }
    let (drafts, new) = ("/api/workspaces/{id}/drafts", json!({ "title": "New" }));
    let draft = send(drafts, "/api/workspaces/w/drafts", Some(new.clone())).await["draft"]["id"].to_string();
    let draft = draft.trim_matches('"');
    ada.patch(&format!("/api/drafts/{draft}"), json!({ "state": "open" })).await.ok();
    let comment = json!({ "verdict": "comment", "text": "Fine" });
    for (action, body) in [("update", json!({})), ("reviews", comment), ("merge", json!({}))] {
        send(&format!("/api/drafts/{{id}}/{action}"), &format!("/api/drafts/{draft}/{action}"), Some(body)).await;
    }
    let other = ada.post("/api/workspaces/w/drafts", new).await.created()["draft"]["id"].clone();
    send("/api/drafts/{id}/close", &format!("/api/drafts/{}/close", other.as_str().unwrap()), None).await;
    create_closed(&bob, &ada).await;
    let requests = "/api/workspaces/{id}/access-requests";
    send(requests, &requests.replace("{id}", "closed"), Some(json!({ "message": "Please" }))).await;
    assert_all_covered(&[Method::POST], routes.take(), &OTHERS);

    let (credential, all) = (ada.credential().to_owned(), all.take());
    drop((ada, bob));
    repeat_all(&server.restart(), &credential, all).await;
}

async fn repeat_all(server: &TestServer, credential: &str, all: Vec<SentRequest>) {
    let client = server.with(credential);
    for sent in all {
        sent.repeat(server, &client).await;
    }
}
