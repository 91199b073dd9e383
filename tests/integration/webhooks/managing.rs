//! Creating and updating webhooks, and which URLs they can have.

use axum::http::Method;
use planroom::clock::DAY;
use serde_json::json;

use super::{Hook, deliver, path, seed};
use crate::support::{TestServer, webhook_sink::WebhookSink};

#[tokio::test]
async fn administrators_create_update_and_delete_webhooks() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let webhooks = path(&ada).await;
    let body = json!({ "name": "Portal", "url": "https://93.184.215.14/hook?x=1", "workspaceIds": ["w", "w"],
                       "events": ["comment.created", "workspace.changed", "comment.created"] });
    let created = ada.post(&webhooks, body).await.created();
    let webhook = &created["webhook"];
    assert_eq!(webhook["events"], json!(["comment.created", "workspace.changed"]));
    assert_eq!((&webhook["workspaceIds"], &webhook["enabled"]), (&json!(["w"]), &json!(true)));
    assert_eq!((&webhook["format"], &webhook["url"]), (&json!("standard"), &json!("https://93.184.215.14/hook?x=1")));
    assert_eq!(ada.get(&webhooks).await.ok()["webhooks"], json!([webhook]));
    let one = format!("{webhooks}/{}", webhook["id"].as_str().unwrap());
    let patch = json!({ "name": "Chat", "events": ["member.left"], "enabled": false, "workspaceIds": null });
    let updated = ada.patch(&one, patch).await.ok()["webhook"].clone();
    assert_eq!((&updated["name"], &updated["enabled"]), (&json!("Chat"), &json!(false)));
    assert_eq!(updated["workspaceIds"], json!(null));
    assert_eq!(updated["url"], webhook["url"]);
    // What was read can be sent back.
    ada.send_raw(Method::PATCH, &one, Some("application/json"), updated.to_string()).await.ok();
    assert_eq!(ada.get(&one).await.ok()["webhook"], updated);
    ada.delete(&one).await.ok();
    assert_eq!(ada.get(&webhooks).await.ok()["webhooks"], json!([]));
    for kind in ["webhook.create", "webhook.update", "webhook.delete"] {
        assert!(server.count(&format!("SELECT count(*) FROM audit WHERE kind = '{kind}'")) > 0, "{kind}");
    }
}

#[tokio::test]
async fn invalid_webhooks_are_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let webhooks = path(&ada).await;
    let with = |field: &str, value: serde_json::Value| {
        let mut body = json!({ "name": "N", "url": "https://93.184.215.14/", "events": ["workspace.changed"] });
        body[field] = value;
        body
    };
    for (field, value, error) in [
        ("events", json!([]), "events: must have at least 1 item"),
        ("events", json!(["draft.opened"]), "events[0]"),
        ("events", json!(["ping"]), "events[0]"),
        ("workspaceIds", json!([]), "workspaceIds: must have at least 1 item"),
        ("workspaceIds", json!(["none"]), "workspaceIds[0]: is not a workspace of this organization"),
        ("format", json!("discord"), "format"),
        ("url", json!("ftp://example.org"), "url: must begin with"),
        ("url", json!("https://93.184.215.14/…"), "url: must be the complete URL"),
        ("url", json!("https://ada:pw@93.184.215.14/"), "url: must not contain a user name"),
        ("name", json!(""), "name"),
    ] {
        ada.post(&webhooks, with(field, value)).await.expect_error(400, error);
    }
    assert_eq!(server.count("SELECT count(*) FROM webhook"), 0);
}

#[tokio::test]
async fn addresses_in_private_networks_are_refused_unless_they_are_configured() {
    let sink = WebhookSink::start().await;
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let webhooks = path(&ada).await;
    let new = |url: &str| json!({ "name": "N", "url": url, "events": ["workspace.changed"] });
    for url in [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.1/hook",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://2130706433/",
        "https://0x7f.1/",
    ] {
        ada.post(&webhooks, new(url))
            .await
            .expect_error(400, "url: loopback and private network addresses are blocked");
    }
    for url in ["http://93.184.215.14/".to_owned(), sink.at("hook")] {
        ada.post(&webhooks, new(&url)).await.expect_error(400, "url: the URL must be https");
    }
    let webhook = ada.post(&webhooks, new("https://93.184.215.14/")).await.created()["webhook"].clone();
    let one = format!("{webhooks}/{}", webhook["id"].as_str().unwrap());
    ada.patch(&one, json!({ "url": "https://10.0.0.1/" })).await.expect_error(400, "private network");
    // The address is checked at each delivery too: the configuration or the name has changed since.
    let url =
        server.app.keys().seal(&format!("webhook {} url", webhook["id"].as_str().unwrap()), b"https://localhost/");
    server.sql(|conn| conn.execute("UPDATE webhook SET url = ?", [url.unwrap()]).unwrap());
    ada.create_components("w", &["c"]).await;
    deliver(&server).await;
    let delivery = ada.get(&format!("{one}/deliveries")).await.ok()["deliveries"][0].clone();
    let error = delivery["error"].as_str().unwrap();
    assert!(error.starts_with("loopback and private network addresses are blocked"), "{error}");
}

#[tokio::test]
async fn the_instance_can_turn_webhooks_off() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = server.seed_map().await;
    let hook = Hook::create(&ada, &sink, json!({})).await;
    ada.patch("/api/admin/settings", json!({ "webhooks.enabled": false })).await.ok();
    ada.create_components("w", &["c"]).await;
    let thread = json!({ "anchor": { "type": "workspace" }, "text": "Hello" });
    ada.post("/api/workspaces/w/threads", thread).await.created();
    assert_eq!(deliver(&server).await, 0);
    let body = json!({ "name": "N", "url": sink.at("hook"), "events": ["workspace.changed"] });
    ada.post(&path(&ada).await, body).await.expect_error(403, "webhooks are turned off");
    let test = format!("{}/test", hook.path);
    ada.send(Method::POST, &test, None).await.expect_error(403, "webhooks are turned off");
    assert_eq!(hook.read(&ada).await["pending"], 0);
    ada.patch("/api/admin/settings", json!({ "webhooks.enabled": null })).await.ok();
    assert_eq!(deliver(&server).await, 0, "what happened in the meantime is not sent later");
    ada.create_components("w", &["d"]).await;
    deliver(&server).await;
    assert_eq!(sink.take_one().data()["changes"][0]["entityId"], "d");
}

#[tokio::test]
async fn a_selection_of_workspaces_does_not_become_all_when_they_are_removed() {
    let sink = WebhookSink::start().await;
    let server = sink.planroom().await;
    let ada = seed(&server).await;
    ada.create_workspace("other").await;
    let hook = Hook::create(&ada, &sink, json!({ "workspaceIds": ["w"] })).await;
    ada.delete("/api/workspaces/w").await.ok();
    deliver(&server).await;
    sink.take();
    assert_eq!(hook.read(&ada).await["workspaceIds"], json!([]));
    server.clock.advance(31 * DAY);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM webhook_workspace"), 0);
    ada.create_components("other", &["x"]).await;
    assert_eq!(deliver(&server).await, 0);
}
