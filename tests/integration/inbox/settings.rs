//! Users choose what is in their inbox and when they receive emails.

use serde_json::json;

use super::{ask, setting, titles};
use crate::support::TestServer;

const SETTINGS: &str = "/api/me/notification-settings";

#[tokio::test]
async fn the_defaults_send_what_concerns_the_user_at_once_and_the_rest_once_a_day() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let settings = ada.get(SETTINGS).await.ok();
    let kind = |kind: &str, email: &str| json!({ "kind": kind, "inbox": true, "email": email });
    let expected = [
        kind("mention", "immediate"),
        kind("reply", "digest"),
        kind("watched", "digest"),
        kind("review-request", "immediate"),
        kind("draft-merged", "digest"),
        kind("invitation", "immediate"),
        kind("stale-source", "digest"),
    ];
    assert_eq!(settings["kinds"], json!(expected));
    assert_eq!((&settings["digestHour"], &settings["emails"]), (&json!(7), &json!(false)));
    let changed = ada.patch(SETTINGS, setting("reply", false, "off")).await.ok();
    assert_eq!(changed["kinds"][1], json!({ "kind": "reply", "inbox": false, "email": "off" }));
    assert_eq!(changed["kinds"][0], expected[0]);
    assert_eq!(ada.patch(SETTINGS, json!({ "digestHour": 23 })).await.ok()["digestHour"], 23);
    let whole = ada.get(SETTINGS).await.ok();
    assert_eq!(ada.patch(SETTINGS, whole.clone()).await.ok(), whole, "what was read can be sent back");
    ada.patch(SETTINGS, json!({ "digestHour": 24 })).await.expect_error(400, "digestHour: must be 0 to 23");
    let twice = json!({ "kinds": [kind("reply", "off"), kind("reply", "digest")] });
    ada.patch(SETTINGS, twice).await.expect_error(400, "kinds[1].kind");
    ada.patch(SETTINGS, setting("nothing", true, "off")).await.expect_error(400, "kind");
}

#[tokio::test]
async fn a_kind_that_is_off_is_not_in_the_inbox() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    bob.patch(SETTINGS, setting("mention", false, "off")).await.ok();
    ask(&ada, "@bob?").await;
    assert_eq!(server.count("SELECT count(*) FROM notification"), 0);
    bob.patch(SETTINGS, setting("mention", true, "off")).await.ok();
    ask(&ada, "@bob!").await;
    assert_eq!(titles(&bob).await.len(), 1);
}
