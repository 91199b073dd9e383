//! What webhooks send.

use serde_json::json;

use super::{Hook, deliver, seed};
use crate::support::webhook_sink::WebhookSink;

#[tokio::test]
async fn a_change_set_is_one_signed_message_with_the_rows_as_they_are() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    assert_eq!(deliver(&server).await, 0, "changes from before the webhook are not sent");
    let operations = json!({ "operations": [
        { "op": "create", "kind": "component", "row": { "id": "c", "typeId": "queue", "name": "Orders" } },
        { "op": "delete", "kind": "component", "id": "b" },
    ] });
    ada.header("x-change-reason", "Cleanup").post("/api/workspaces/w/operations", operations).await.ok();
    assert_eq!(deliver(&server).await, 1);
    let message = sink.take_one();
    assert_eq!((message.path.as_str(), message.header("content-type")), ("/hook", "application/json"));
    assert!(message.is_signed_with(&hook.secret));
    assert!(!message.is_signed_with("whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="));
    assert_eq!(message.header("webhook-timestamp"), (server.clock.now() / 1_000).to_string());
    assert!(message.header("webhook-id").starts_with("msg_"));
    let body = message.json();
    assert_eq!(body["type"], "workspace.changed");
    assert!(body["timestamp"].as_str().unwrap().ends_with('Z'));
    let data = &body["data"];
    assert_eq!(data["workspace"], json!({ "id": "w", "name": "w", "url": "http://planroom.test/o/acme/w/w" }));
    let changes: Vec<_> = data["changes"].as_array().unwrap().iter().collect();
    assert_eq!((&data["changeCount"], &data["isComplete"]), (&json!(changes.len()), &json!(true)));
    let of = |entity: &str, id: &str| {
        changes.iter().find(|change| change["entity"] == entity && change["entityId"] == id).unwrap()
    };
    let created = of("component", "c");
    assert_eq!((&created["op"], &created["row"]["name"]), (&json!("create"), &json!("Orders")));
    assert_eq!((&created["reason"], &created["actor"]["displayName"]), (&json!("Cleanup"), &json!("ada")));
    assert_eq!(of("component", "b")["row"], json!(null));
    assert_eq!(of("relationship", "r")["op"], "delete");

    let delivery = hook.newest(&ada).await;
    assert_eq!((&delivery["state"], &delivery["status"]), (&json!("delivered"), &json!(204)));
    assert_eq!((&delivery["workspaceId"], &delivery["tries"]), (&json!("w"), &json!(1)));
    assert_eq!(delivery["messageId"], message.header("webhook-id"));
    assert_eq!(deliver(&server).await, 0, "it is sent once");
}

#[tokio::test]
async fn comments_are_sent_with_their_thread() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    Hook::create(&ada, &sink, json!({})).await;
    let new = json!({ "anchor": { "type": "component", "id": "a" }, "text": "Is this right?", "kind": "question" });
    let thread = ada.post("/api/workspaces/w/threads", new).await.created()["thread"].clone();
    deliver(&server).await;
    let created = sink.take_one().json();
    assert_eq!(created["type"], "comment.created");
    assert_eq!(created["data"]["message"]["text"], "Is this right?");
    assert_eq!(created["data"]["thread"]["anchor"]["name"], "a");
    assert_eq!(created["data"]["actor"]["displayName"], "ada");
    assert_eq!(created["data"]["workspace"]["id"], "w");

    let path = format!("/api/workspaces/w/threads/{}", thread["id"].as_str().unwrap());
    ada.post(&format!("{path}/messages"), json!({ "text": "It is." })).await.created();
    ada.patch(&format!("{path}/messages/2"), json!({ "text": "It is not." })).await.ok();
    ada.send(axum::http::Method::POST, &format!("{path}/resolve"), None).await.ok();
    ada.send(axum::http::Method::POST, &format!("{path}/reopen"), None).await.ok();
    ada.delete(&format!("{path}/messages/2")).await.ok();
    ada.delete(&path).await.ok();
    deliver(&server).await;
    let messages: Vec<_> = sink.take().iter().map(crate::support::webhook_sink::Received::json).collect();
    let types: Vec<&str> = messages.iter().map(|message| message["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["comment.deleted", "comment.deleted"], "the rest of it was deleted before it was sent");
    assert_eq!(messages[0]["data"]["messageId"], 2);
    assert_eq!(messages[1]["data"]["threadId"], thread["id"]);
    assert!(!serde_json::to_string(&messages).unwrap().contains("It is"));
}

#[tokio::test]
async fn members_are_sent_when_they_join_change_and_leave() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    let org = hook.path.split("/webhooks").next().unwrap().to_owned();
    let token = ada.post(&format!("{org}/invitations"), json!({})).await.created()["token"].clone();
    let new = json!({ "login": "dee", "displayName": "Dee", "password": crate::support::PASSWORD });
    let accept = format!("/api/auth/invitations/{}", token.as_str().unwrap());
    let dee = server.anonymous().post(&accept, new).await.ok()["user"]["id"].clone();
    deliver(&server).await;
    let joined = sink.take_one().json();
    assert_eq!(joined["type"], "member.joined");
    assert_eq!((&joined["data"]["user"]["login"], &joined["data"]["role"]), (&json!("dee"), &json!("org:member")));
    let member = format!("{org}/members/{dee}");
    ada.patch(&member, json!({ "role": "org:admin" })).await.ok();
    deliver(&server).await;
    let updated = sink.take_one().json();
    assert_eq!((&updated["type"], &updated["data"]["role"]), (&json!("member.updated"), &json!("org:admin")));
    assert_eq!(updated["data"]["actor"]["displayName"], "ada");
    ada.delete(&member).await.ok();
    deliver(&server).await;
    let left = sink.take_one().json();
    assert_eq!((&left["type"], &left["data"]["userId"]), (&json!("member.left"), &dee));
    assert!(!left.to_string().contains("Dee"));
}

#[tokio::test]
async fn a_webhook_sends_only_its_events_and_workspaces() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    ada.create_workspace("other").await;
    let fields = json!({ "events": ["workspace.changed"], "workspaceIds": ["w"] });
    let hook = Hook::create(&ada, &sink, fields).await;
    ada.create_components("other", &["x"]).await;
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Hello" });
    ada.post("/api/workspaces/w/threads", thread).await.created();
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().data()["workspace"]["id"], "w");
    // A delivery that waits is checked again when it is sent.
    ada.create_components("w", &["d"]).await;
    server.app.webhooks().send_due().await.unwrap();
    sink.take();
    sink.respond_with(crate::support::webhook_sink::SinkBehavior::Status(500));
    ada.create_components("w", &["e"]).await;
    deliver(&server).await;
    sink.take();
    ada.patch(&hook.path, json!({ "workspaceIds": ["other"] })).await.ok();
    server.clock.advance(planroom::clock::HOUR);
    deliver(&server).await;
    assert!(sink.take().is_empty());
    let skipped = hook.newest(&ada).await;
    assert_eq!(skipped["state"], "skipped");
    ada.patch(&hook.path, json!({ "workspaceIds": null })).await.ok();
    assert_eq!(hook.read(&ada).await["workspaceIds"], json!(null));
}

#[tokio::test]
async fn addresses_contain_ids_with_any_characters_encoded() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    Hook::create(&ada, &sink, json!({})).await;
    ada.post("/api/workspaces", json!({ "id": "../../evil?a#<b|c>", "name": "W" })).await.created();
    deliver(&server).await;
    let url = "http://planroom.test/o/acme/w/..%2F..%2Fevil%3Fa%23%3Cb%7Cc%3E";
    assert_eq!(sink.take_one().data()["workspace"]["url"], url);
}

#[tokio::test]
async fn slack_and_teams_get_messages_for_people() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    for format in ["slack", "teams"] {
        Hook::create(&ada, &sink, json!({ "url": sink.at(format), "format": format })).await;
    }
    ada.create_components("w", &["Checkout"]).await;
    deliver(&server).await;
    let messages = sink.take();
    let of = |path: &str| messages.iter().find(|message| message.path == path).unwrap().json();
    let slack = of("/slack");
    assert_eq!(slack["text"], "ada changed w");
    let lines = slack["blocks"][1]["text"]["text"].as_str().unwrap();
    assert_eq!(lines, "1 component created\nCreated component Checkout");
    let teams = of("/teams");
    let card = &teams["attachments"][0]["content"];
    assert_eq!(card["body"][0]["inlines"][0]["text"], "ada changed w");
    assert_eq!(card["actions"][0]["url"], "http://planroom.test/o/acme/w/w");
}

#[tokio::test]
async fn large_change_sets_are_cut() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    Hook::create(&ada, &sink, json!({})).await;
    let components: Vec<_> =
        (0..300).map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": "N" })).collect();
    let model = json!({ "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    deliver(&server).await;
    let data = sink.take_one().data();
    assert_eq!(data["isComplete"], false);
    assert_eq!(data["changes"].as_array().unwrap().len(), 200);
    assert!(data["changeCount"].as_i64().unwrap() >= 300);
}
