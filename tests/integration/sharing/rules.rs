//! Rules of the instance and of organizations.

use serde_json::json;

use super::{SHARES, allow_embeds, create, path, visit};
use crate::support::TestServer;

const DAY: i64 = 24 * 60 * 60 * 1_000;
const RULES: &str = "/api/sharing-rules";

#[tokio::test]
async fn links_stop_when_they_are_turned_off_and_work_again_after_that() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let set = async |instance: &str, organization: &str| {
        ada.patch("/api/admin/settings", json!({ "sharing.mode": instance })).await.ok();
        ada.patch(RULES, json!({ "mode": organization })).await.ok();
    };
    for (instance, organization) in [("off", "links-and-embeds"), ("links-and-embeds", "off")] {
        set(instance, organization).await;
        assert_eq!(visit(&server, &path(&share)).await.status, 404);
        assert_eq!(ada.get(SHARES).await.ok()["shares"][0]["state"], "blocked");
        ada.post(SHARES, json!({ "name": "More" })).await.expect_error(403, "share links are turned off");
    }
    set("links", "links").await;
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
}

#[tokio::test]
async fn the_strictest_rule_applies_to_new_and_existing_links() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let plain = create(&ada, json!({ "embedOrigins": ["https://wiki.example.org"] })).await;
    let embed = format!("{}/embed", path(&plain));
    assert_eq!(visit(&server, &embed).await.status, 200);
    ada.patch(RULES, json!({ "mode": "links" })).await.ok();
    assert_eq!(
        (visit(&server, &embed).await.status, visit(&server, &path(&plain)).await.status),
        (404.try_into().unwrap(), 200.try_into().unwrap())
    );

    let rules = ada.patch(RULES, json!({ "maxDays": 30 })).await.ok();
    assert_eq!((&rules["organization"]["maxDays"], &rules["instance"]["maxDays"]), (&json!(30), &json!(365)));
    let listed = ada.get(SHARES).await.ok();
    assert_eq!(listed["rules"], json!({ "mode": "links", "maxDays": 30, "passwordRequired": false }));
    assert_eq!(listed["shares"][0]["expiresAt"], server.clock.now() + 30 * DAY);
    assert_eq!(create(&ada, json!({})).await["expiresAt"], server.clock.now() + 30 * DAY);
    server.clock.advance(31 * DAY);
    let ada = server.sign_in("ada").await;
    assert_eq!(visit(&server, &path(&plain)).await.status, 404);
    assert_eq!(ada.get(SHARES).await.ok()["shares"][0]["state"], "expired");

    ada.patch(RULES, json!({ "maxDays": null, "passwordRequired": true })).await.ok();
    assert_eq!(visit(&server, &path(&plain)).await.status, 404);
    ada.post(SHARES, json!({ "name": "More" })).await.expect_error(400, "password: is required");
    assert_eq!(create(&ada, json!({ "password": "correct horse battery" })).await["state"], "active");
    ada.patch(RULES, json!({ "maxDays": 0 })).await.expect_error(400, "maxDays: must be");
}

#[tokio::test]
async fn links_are_valid_forever_only_if_the_instance_allows_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch("/api/admin/settings", json!({ "sharing.max_days": 0 })).await.ok();
    let share = create(&ada, json!({ "expiresAt": null })).await;
    assert_eq!(share["expiresAt"], json!(null));
    server.clock.advance(4_000 * DAY);
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
}

#[tokio::test]
async fn a_link_that_rules_do_not_allow_anymore_can_be_changed_otherwise() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let origins = json!(["https://wiki.example.org"]);
    let share = create(&ada, json!({ "embedOrigins": origins })).await;
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    ada.patch(RULES, json!({ "mode": "links", "passwordRequired": true })).await.ok();
    let renamed = ada.patch(&own, json!({ "name": "new", "theme": "dark" })).await.ok()["share"].clone();
    assert_eq!((&renamed["name"], &renamed["embedOrigins"]), (&json!("new"), &origins));
    ada.patch(&own, json!({ "embedOrigins": origins }))
        .await
        .expect_error(400, "the rules for share links do not allow");
    ada.patch(&own, json!({ "password": null })).await.expect_error(400, "password: is required by the rules");
    let password = "correct horse battery";
    ada.patch(&own, json!({ "password": password }))
        .await
        .expect_error(400, "must be empty for a link with a password");
    let patch = json!({ "password": password, "embedOrigins": [] });
    assert_eq!(ada.patch(&own, patch).await.ok()["share"]["state"], "active");
}

#[tokio::test]
async fn an_owner_cannot_allow_all_sites_of_a_public_suffix_to_embed_a_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    // All names under the last three are suffixes.
    for suffix in ["com", "co.uk", "github.io", "kawasaki.jp", "compute.amazonaws.com", "platformsh.site"] {
        let new =
            json!({ "name": "Wiki", "embedOrigins": ["https://wiki.example.org", format!("https://*.{suffix}")] });
        let error =
            ada.post(SHARES, new).await.expect_error(400, "where anyone can register one; name your own domain");
        assert_eq!(error["path"], json!(["embedOrigins", 1]), "{error}");
    }
    for wrong in ["https://..com", "https://*..com", "https://*..github.io"] {
        let new = json!({ "name": "Wiki", "embedOrigins": [wrong] });
        ada.post(SHARES, new).await.expect_error(400, "embedOrigins[0]: must be an https origin");
    }
    let own = ["https://*.acme.co.uk", "https://acme.github.io", "https://*.wiki.internal"];
    let share = create(&ada, json!({ "embedOrigins": own })).await;
    assert_eq!(share["embedOrigins"], json!(own));
    // Stored origins that are no longer allowed are ignored.
    let stored = json!(["https://*.github.io", "https://*.kawasaki.jp", "https://wiki.example.org"]).to_string();
    server.sql(|conn| conn.execute("UPDATE share_link SET embed_origins = ?", [stored]).unwrap());
    let embed = visit(&server, &format!("{}/embed", path(&share))).await;
    let policy = embed.header("content-security-policy");
    assert!(policy.contains("frame-ancestors https://wiki.example.org") && !policy.contains("*."), "{policy}");
}
