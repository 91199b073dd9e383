//! What webhooks send about drafts.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Hook, deliver};
use crate::support::{
    TestClient, TestServer,
    webhook_sink::{SinkBehavior, WebhookSink},
};

/// A word that only drafts contain.
const SENTINEL: &str = "zyxsentinel";

/// The workspace `w` with the owner ada, the editor eve, and the viewer vic, who starts a draft. Returns its id.
async fn team(server: &TestServer) -> ([TestClient<'_>; 3], String) {
    server.seed_map().await;
    let ada = server.script_client("ada").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    for (login, level) in [("eve", "editor"), ("vic", "viewer")] {
        let user = server.seed_member(login, "acme", "org:member");
        server.grant("w", user, level);
    }
    let vic = server.script_client("vic").await;
    let draft = start(&vic).await;
    ([ada, server.script_client("eve").await, vic], draft)
}

async fn start(client: &TestClient<'_>) -> String {
    let draft = client.post("/api/workspaces/w/drafts", json!({ "title": "Split checkout" })).await.created();
    draft["draft"]["id"].as_str().unwrap().to_owned()
}

async fn review(client: &TestClient<'_>, draft: &str, verdict: &str) {
    let body = json!({ "verdict": verdict, "text": SENTINEL });
    client.post(&format!("/api/drafts/{draft}/reviews"), body).await.created();
}

async fn set_state(client: &TestClient<'_>, draft: &str, state: &str) {
    client.patch(&format!("/api/drafts/{draft}"), json!({ "state": state })).await.ok();
}

/// The types of what was sent, and the messages.
async fn sent(server: &TestServer, sink: &WebhookSink) -> (Vec<String>, Vec<Value>) {
    deliver(server).await;
    let messages: Vec<Value> = sink.take().iter().map(crate::support::webhook_sink::Received::json).collect();
    (messages.iter().map(|message| message["type"].as_str().unwrap().to_owned()).collect(), messages)
}

#[tokio::test]
async fn a_draft_is_reported_when_it_is_submitted_reviewed_and_merged_but_not_what_it_contains() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ([ada, eve, vic], draft) = team(&server).await;
    Hook::create(&ada, &sink, json!({})).await;
    deliver(&server).await;
    sink.take();

    let map = format!("/api/workspaces/{draft}");
    vic.patch(&format!("{map}/components/a"), json!({ "description": SENTINEL })).await.ok();
    vic.patch(&format!("/api/drafts/{draft}"), json!({ "description": SENTINEL })).await.ok();
    vic.post(&format!("{map}/threads"), json!({ "anchor": { "type": "workspace" }, "text": SENTINEL })).await.created();
    assert_eq!(sent(&server, &sink).await.0, [""; 0], "a draft in progress is not reported");

    set_state(&vic, &draft, "open").await;
    let (types, messages) = sent(&server, &sink).await;
    assert_eq!(types, ["draft.submitted"]);
    let vic_id = server.count("SELECT id FROM user WHERE login = 'vic'");
    let expected = json!({
        "workspace": { "id": "w", "name": "w", "url": "http://planroom.test/o/acme/w/w" },
        "draft": { "id": draft, "number": 1, "title": "Split checkout",
                   "url": format!("http://planroom.test/o/acme/w/w/drafts/{draft}"),
                   "author": { "id": vic_id, "displayName": "vic" } },
        "actor": { "id": vic_id, "displayName": "vic" },
    });
    assert_eq!(messages[0]["data"], expected);

    review(&eve, &draft, "comment").await;
    review(&eve, &draft, "changes-requested").await;
    review(&eve, &draft, "approved").await;
    let (types, messages) = sent(&server, &sink).await;
    assert_eq!(types, ["draft.changes-requested", "draft.approved"]);
    assert_eq!(messages[0]["data"]["actor"]["displayName"], "eve");
    assert!(!serde_json::to_string(&messages).unwrap().contains(SENTINEL));

    let merged = eve.post(&format!("/api/drafts/{draft}/merge"), json!({})).await.ok();
    let (mut types, messages) = sent(&server, &sink).await;
    types.sort();
    assert_eq!(types, ["draft.merged", "workspace.changed"], "the merge is a change of the workspace, too");
    let message = messages.iter().find(|message| message["type"] == "draft.merged").unwrap();
    assert_eq!(message["data"]["changeSetId"], merged["changeSetId"]);

    let other = start(&vic).await;
    vic.send(Method::POST, &format!("/api/drafts/{other}/close"), None).await.ok();
    assert_eq!(sent(&server, &sink).await.0, ["draft.closed"]);
    let at_once = json!({ "title": "T", "submit": true });
    vic.post("/api/workspaces/w/drafts", at_once).await.created();
    assert_eq!(sent(&server, &sink).await.0, ["draft.submitted"]);
}

#[tokio::test]
async fn slack_gets_the_title_of_a_draft_and_a_link_to_it() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ([ada, _, vic], draft) = team(&server).await;
    let fields = json!({ "url": sink.at("slack"), "format": "slack", "events": ["draft.submitted"] });
    Hook::create(&ada, &sink, fields).await;
    set_state(&vic, &draft, "open").await;
    deliver(&server).await;
    let message = sink.take_one().json();
    assert_eq!(message["text"], "vic submitted draft 1 of w");
    assert_eq!(message["blocks"][1]["text"]["text"], "Split checkout");
    let link = format!("<http://planroom.test/o/acme/w/w/drafts/{draft}|Open draft>");
    assert_eq!(message["blocks"][2]["text"]["text"], link);
}

#[tokio::test]
async fn drafts_of_private_and_deleted_workspaces_are_not_reported() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ([ada, _, vic], draft) = team(&server).await;
    let hook = Hook::create(&ada, &sink, json!({ "events": ["draft.submitted", "draft.closed"] })).await;
    // Queued, and then the workspace becomes private.
    sink.respond_with(SinkBehavior::Status(503));
    set_state(&vic, &draft, "open").await;
    deliver(&server).await;
    sink.take();
    sink.respond_with(SinkBehavior::Status(204));
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    server.clock.advance(planroom::clock::HOUR);
    assert_eq!(sent(&server, &sink).await.0, [""; 0]);
    assert_eq!(hook.newest(&ada).await["state"], "skipped");
    // Not even queued.
    vic.send(Method::POST, &format!("/api/drafts/{draft}/close"), None).await.ok();
    deliver(&server).await;
    assert_eq!(hook.deliveries(&ada).await.len(), 1);
    // Of a deleted workspace, nothing either.
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    let other = start(&vic).await;
    set_state(&vic, &other, "open").await;
    ada.delete("/api/workspaces/w").await.ok();
    assert_eq!(sent(&server, &sink).await.0, [""; 0]);
    assert_eq!(hook.newest(&ada).await["error"], "what the event is about was deleted");
}

#[tokio::test]
async fn repetitions_by_one_user_do_not_fill_the_queue() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ([ada, _, vic], draft) = team(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    sink.respond_with(SinkBehavior::Status(503));
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Mine" });
    let thread = vic.post("/api/workspaces/w/threads", thread).await.created()["thread"]["id"].clone();
    for _ in 0..20 {
        set_state(&vic, &draft, "open").await;
        set_state(&vic, &draft, "draft").await;
        for action in ["resolve", "reopen"] {
            let path = format!("/api/workspaces/w/threads/{}/{action}", thread.as_str().unwrap());
            vic.send(Method::POST, &path, None).await.ok();
        }
    }
    let waiting = server.count("SELECT count(*) FROM webhook_delivery WHERE event LIKE 'draft.%'");
    assert_eq!(waiting, 2, "one that may be sent at the moment, and one that is sent afterwards");
    assert_eq!(server.count("SELECT count(*) FROM webhook_delivery WHERE event LIKE 'comment.re%'"), 4);
    assert!(hook.read(&ada).await["pending"].as_i64().unwrap() < 10);
}
