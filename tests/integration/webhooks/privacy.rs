//! Nothing reaches a receiver that may not be reported at that moment.

use planroom::clock::HOUR;
use serde_json::json;

use super::{Hook, deliver, path, seed};
use crate::support::{
    TestServer,
    webhook_sink::{SinkBehavior, WebhookSink},
};

#[tokio::test]
async fn private_workspaces_are_not_reported() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    let private = json!({ "id": "diary", "name": "Diary", "visibility": "private" });
    ada.post("/api/workspaces", private).await.created();
    ada.create_components("diary", &["secret"]).await;
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Secret" });
    ada.post("/api/workspaces/diary/threads", thread).await.created();
    ada.delete("/api/workspaces/diary").await.ok();
    assert_eq!(deliver(&server).await, 0);
    assert!(hook.deliveries(&ada).await.is_empty());
    assert!(sink.take().is_empty());
}

#[tokio::test]
async fn a_workspace_that_becomes_private_before_the_delivery_is_not_reported() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    // Queued but not sent: the receiver fails.
    sink.respond_with(SinkBehavior::Status(503));
    ada.create_components("w", &["c"]).await;
    let thread = json!({ "anchor": { "type": "component", "id": "c" }, "text": "Secret" });
    ada.post("/api/workspaces/w/threads", thread).await.created();
    deliver(&server).await;
    sink.take();
    sink.respond_with(SinkBehavior::Status(204));
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    server.clock.advance(HOUR);
    deliver(&server).await;
    assert!(sink.take().is_empty());
    let deliveries = hook.deliveries(&ada).await;
    assert!(deliveries.len() >= 2);
    for delivery in deliveries {
        assert_eq!((&delivery["state"], &delivery["workspaceId"]), (&json!("skipped"), &json!(null)), "{delivery}");
    }
    // Even the change that made it private is not sent, and it cannot be selected.
    let body = json!({ "workspaceIds": ["w"] });
    let error =
        ada.patch(&hook.path, body).await.expect_error(400, "workspaceIds[0]: is not a workspace of this organization");
    assert_eq!(error["path"], json!(["workspaceIds", 0]), "{error}");
    // Redelivery is no way around it.
    let id = hook.newest(&ada).await["id"].clone();
    let redeliver = format!("{}/deliveries/{id}/redeliver", hook.path);
    ada.send(axum::http::Method::POST, &redeliver, None).await.ok();
    deliver(&server).await;
    assert!(sink.take().is_empty());
}

#[tokio::test]
async fn deleted_content_is_not_sent() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    let component = json!({ "id": "c", "typeId": "service", "name": "Acquisition of Initech" });
    ada.post("/api/workspaces/w/components", component).await.created();
    ada.patch("/api/workspaces/w/components/c", json!({ "name": "Something else" })).await.ok();
    deliver(&server).await;
    let messages = sink.take();
    assert_eq!(messages.len(), 2);
    for message in messages {
        assert_eq!(message.data()["changes"][0]["row"]["name"], "Something else", "the row as it is now");
    }
    let component = json!({ "id": "d", "typeId": "service", "name": "Acquisition of Initech" });
    ada.post("/api/workspaces/w/components", component).await.created();
    ada.delete("/api/workspaces/w/components/d").await.ok();
    deliver(&server).await;
    for message in sink.take() {
        assert_eq!(message.data()["changes"][0]["row"], json!(null));
        assert!(!String::from_utf8(message.body).unwrap().contains("Initech"));
    }
    // Of a deleted workspace, only that it was deleted.
    ada.patch("/api/workspaces/w", json!({ "name": "Project Initech" })).await.ok();
    ada.delete("/api/workspaces/w").await.ok();
    deliver(&server).await;
    let message = sink.take_one();
    assert_eq!(message.data()["workspace"], json!({ "id": "w" }));
    assert_eq!(message.data()["changes"][0]["op"], "delete");
    assert!(!String::from_utf8(message.body).unwrap().contains("Initech"));
    let states: Vec<_> = hook.deliveries(&ada).await.iter().take(2).map(|one| one["state"].clone()).collect();
    assert_eq!(states, ["delivered", "skipped"]);
}

#[tokio::test]
async fn webhooks_of_another_organization_are_not_found_and_get_nothing() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    server.create_org("other", "xena").await;
    let (ada, xena) = (server.seed_map().await, server.sign_in("xena").await);
    let theirs = Hook::create(&xena, &sink, json!({ "url": sink.at("theirs") })).await;
    let own = Hook::create(&ada, &sink, json!({})).await;
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().path, "/hook");
    let delivery = own.newest(&ada).await["id"].clone();
    // By the address of the other organization, and with an own address.
    let id = own.path.rsplit('/').next().unwrap();
    let guessed = format!("{}/{id}", path(&xena).await);
    for path in [own.path.clone(), guessed] {
        xena.get(&path).await.expect_error(404, "not found");
        xena.patch(&path, json!({ "name": "Mine" })).await.expect_error(404, "not found");
        xena.delete(&path).await.expect_error(404, "not found");
        xena.get(&format!("{path}/deliveries")).await.expect_error(404, "not found");
        for action in ["secret".into(), "test".into(), format!("deliveries/{delivery}/redeliver")] {
            let action = format!("{path}/{action}");
            xena.send(axum::http::Method::POST, &action, None).await.expect_error(404, "not found");
        }
    }
    let foreign = format!("{}/deliveries/{delivery}/redeliver", theirs.path);
    xena.send(axum::http::Method::POST, &foreign, None).await.expect_error(404, "delivery not found");
    xena.patch(&theirs.path, json!({ "workspaceIds": ["w"] })).await.expect_error(400, "workspaceIds[0]");
    assert_eq!(own.read(&ada).await["name"], "Portal");
}

#[tokio::test]
async fn members_who_are_no_administrators_do_not_learn_of_webhooks() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let bob = server.sign_in("bob").await;
    bob.get(&path(&bob).await).await.expect_error(403, "admin of the organization");
}
