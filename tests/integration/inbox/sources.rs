//! Emails about sources that were not synchronized for a while.

use planroom::clock::{DAY, MINUTE};
use serde_json::json;

use super::{
    emails::{after, confirm},
    setting, titles,
};
use crate::support::{TestServer, mail::MailHost};

/// Synchronizes the workspace `w` with one file, and lets seven days pass.
async fn with_stale_source(server: &TestServer) {
    let ada = server.seed_map().await;
    let files = json!({ "files": [{ "name": "compose.yaml", "content": "services:\n  web:\n    image: acme/web\n" }] });
    let reading = ada.post("/api/readings", files).await.ok()["reading"].clone();
    let request = json!({ "source": { "id": "compose.yaml", "kind": "compose" }, "reading": reading });
    ada.post("/api/workspaces/w/sync", request).await.ok();
    server.clock.advance(7 * DAY);
}

#[tokio::test]
async fn owners_get_stale_sources_with_the_daily_email() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    confirm(&server, "ada");
    with_stale_source(&server).await;
    server.watch_sources().await;
    assert!(after(&server, &host, MINUTE).await.is_empty(), "not at once");
    let mails = after(&server, &host, DAY).await;
    assert_eq!(mails.len(), 1);
    for text in [
        "Subject: A source of w was not synchronized for 7 days",
        "> compose.yaml",
        "http://planroom.test/o/acme/w/w?report=drift",
    ] {
        assert!(mails[0].content.contains(text), "no `{text}` in {}", mails[0].content);
    }
}

#[tokio::test]
async fn owners_can_have_emails_at_once_that_say_what_they_end() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    confirm(&server, "ada");
    let ada = server.sign_in("ada").await;
    ada.patch("/api/me/notification-settings", setting("stale-source", false, "immediate")).await.ok();
    with_stale_source(&server).await;
    server.watch_sources().await;
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.len(), 1);
    let text = "your account sends emails about sources that are not synchronized.";
    assert!(mails[0].content.contains(text), "{}", mails[0].content);
    assert!(titles(&server.sign_in("ada").await).await.is_empty(), "only by email");
}
