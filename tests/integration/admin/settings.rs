//! Settings: read, changed, locked by the configuration; secrets are never shown.

use planroom::{
    config::{Config, Flags},
    settings::{Fixed, SettingSource, find},
};
use serde_json::{Value, json};

use super::{admin_without_organization, kinds, on_disk};
use crate::support::{PASSWORD, TestClient, TestServer, planroom};

const PATH: &str = "/api/admin/settings";
const SECRET: &str = "s3cret-of-the-wiki";

fn one(reply: &Value, key: &str) -> Value {
    reply["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap().clone()
}

async fn setting(client: &TestClient<'_>, key: &str) -> Value {
    one(&client.get(PATH).await.ok(), key)
}

/// A configuration that sets `instance.name` and the wiki's secret.
fn locked(config: &mut Config) {
    let fixed = |key, value: &str, source, place: &str| Fixed {
        setting: find(key).unwrap(),
        value: value.into(),
        source,
        place: place.into(),
    };
    config.settings = vec![
        fixed("instance.name", "Planroom", SettingSource::File, "planroom.toml:3"),
        fixed("wiki.client_secret", SECRET, SettingSource::Environment, "PLANROOM_WIKI_CLIENT_SECRET_FILE"),
    ];
}

#[tokio::test]
async fn every_setting_has_a_value_and_a_source() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let list = ada.get(PATH).await.ok();
    let keys: Vec<_> = list["settings"].as_array().unwrap().iter().map(|setting| setting["key"].clone()).collect();
    let expected = [
        "audit.days",
        "cli.download",
        "history.days",
        "instance.name",
        "organizations.creation",
        "sharing.max_days",
        "sharing.mode",
        "sharing.password_required",
        "sources.stale_after_days",
        "waitlist.open",
        "webhooks.enabled",
        "wiki.client_id",
        "wiki.client_secret",
    ];
    assert_eq!(keys, expected);
    let mut name = one(&list, "instance.name");
    assert!(name.as_object_mut().unwrap().remove("description").unwrap().as_str().unwrap().len() > 20);
    let expected = json!({
        "key": "instance.name", "name": "Instance name", "value": "Planroom", "default": "Planroom", "source": "default", "locked": false,
        "secret": false, "kind": "text",
    });
    assert_eq!(name, expected);
    assert_eq!(one(&list, "organizations.creation")["choices"], json!(["admins", "everyone"]));

    let changed = ada.patch(PATH, json!({ "instance.name": "Plans of Acme", "waitlist.open": false })).await.ok();
    for (key, value) in [("instance.name", json!("Plans of Acme")), ("waitlist.open", json!(false))] {
        let now = one(&changed, key);
        assert_eq!((&now["value"], &now["source"]), (&value, &json!("database")));
    }
    assert_eq!(ada.get(PATH).await.ok(), changed);
    let server = server.restart();
    let ada = server.sign_in("ada").await;
    assert_eq!(ada.get(PATH).await.ok(), changed, "after a restart too");
    ada.patch(PATH, json!({ "instance.name": null })).await.ok();
    let now = setting(&ada, "instance.name").await;
    assert_eq!((&now["value"], &now["source"]), (&json!("Planroom"), &json!("default")));
    let before = server.log_sizes();
    ada.patch(PATH, json!({ "instance.name": null, "waitlist.open": false })).await.ok();
    assert_eq!(server.log_sizes(), before, "nothing changed, nothing written");
}

#[tokio::test]
async fn an_invalid_value_rejects_the_whole_request() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let before = (server.log_sizes(), ada.get(PATH).await.ok());
    let cases = [
        (json!({ "instance.nam": "X" }), "instance.nam", "did you mean `instance.name`?"),
        (json!({ "instance": { "name": "X" } }), "instance", "GET /api/admin/settings lists them"),
        (json!({ "k".repeat(5_000): 1 }), "kkk", "GET /api/admin/settings lists them"),
        (json!({ "instance.name": "" }), "instance.name", "1 to 100 characters"),
        (json!({ "instance.name": " X" }), "instance.name", "white space"),
        (json!({ "instance.name": "a\nb" }), "instance.name", "one line"),
        (json!({ "instance.name": "x".repeat(101) }), "instance.name", "1 to 100 characters"),
        (json!({ "instance.name": 7 }), "instance.name", "1 to 100 characters"),
        (json!({ "instance.name": ["X"] }), "instance.name", "1 to 100 characters"),
        (json!({ "organizations.creation": "nobody" }), "organizations.creation", r#""admins" or "everyone""#),
        (json!({ "organizations.creation": true }), "organizations.creation", r#""admins" or "everyone""#),
        (json!({ "waitlist.open": "true" }), "waitlist.open", "true or false"),
        (json!({ "waitlist.open": 1 }), "waitlist.open", "true or false"),
        (json!({ "sources.stale_after_days": -1 }), "sources.stale_after_days", "a whole number from 0 to 3650"),
        (json!({ "sources.stale_after_days": "7d" }), "sources.stale_after_days", "a whole number from 0 to 3650"),
        (json!({ "wiki.client_id": "x".repeat(201) }), "wiki.client_id", "0 to 200"),
        (json!({ "wiki.client_secret": format!("{SECRET}\n") }), "wiki.client_secret", "at most 500"),
        (json!({ "waitlist.open": false, "wiki.client_secret": 1 }), "wiki.client_secret", "at most 500"),
    ];
    for (body, field, text) in cases {
        let reply = ada.patch(PATH, body).await;
        assert!(reply.expect_error(400, text)["field"].as_str().unwrap().starts_with(field), "{reply}");
        assert!(!reply.to_string().contains(SECRET) && reply.bytes.len() < 1_000, "{reply}");
    }
    let twice = r#"{ "waitlist.open": false, "waitlist.open": true }"#;
    let reply = ada.send_raw(axum::http::Method::PATCH, PATH, Some("application/json"), twice).await;
    assert_eq!(reply.expect_error(400, "is repeated")["field"], "waitlist.open");
    for body in [json!([]), json!([["waitlist.open", false]]), json!("x"), json!(null)] {
        ada.patch(PATH, body).await.expect_error(400, "an object of settings");
    }
    assert_eq!((server.log_sizes(), ada.get(PATH).await.ok()), before);
}

#[tokio::test]
async fn a_setting_in_the_configuration_file_is_locked_even_at_its_default() {
    let server = TestServer::empty(locked);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    let name = setting(&ada, "instance.name").await;
    assert_eq!(
        (&name["locked"], &name["source"], &name["lockedBy"]),
        (&json!(true), &json!("file"), &json!("planroom.toml:3"))
    );
    let before = server.log_sizes();
    for value in [json!("Mine"), json!("Planroom"), json!(null)] {
        let body = json!({ "waitlist.open": false, "instance.name": value });
        let refusal =
            ada.patch(PATH, body).await.expect_error(409, "instance.name is locked: it is set by planroom.toml:3");
        assert_eq!(refusal["code"], Value::Null);
    }
    let body = json!({ "wiki.client_secret": "another" });
    ada.patch(PATH, body).await.expect_error(409, "it is set by PLANROOM_WIKI_CLIENT_SECRET_FILE");
    assert_eq!(server.log_sizes(), before);
    let secret = setting(&ada, "wiki.client_secret").await;
    assert_eq!(
        (&secret["source"], &secret["isSet"], &secret["value"]),
        (&json!("environment"), &json!(true), &json!(null))
    );
    // The earlier value is kept but overridden by the configuration.
    let dir = server.stop();
    let server = TestServer::on(dir, |_| {});
    let ada = server.sign_in("ada").await;
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], false, "the configuration's was not kept");
    ada.patch(PATH, json!({ "instance.name": "Mine" })).await.ok();
    let server = TestServer::on(server.stop(), locked);
    assert_eq!(setting(&server.sign_in("ada").await, "instance.name").await["value"], "Planroom");
}

#[tokio::test]
async fn a_setting_in_the_environment_is_locked() {
    let dir = tempfile::tempdir().unwrap();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let variables = [("PLANROOM_INSTANCE_NAME".to_owned(), "Plans of Acme".to_owned())].into();
    let settings = planroom::config::load(&flags, &variables).unwrap().config.settings;
    let server = TestServer::on(dir, |config| config.settings = settings);
    server.seed_admin("ada", "acme").await;
    let ada = server.sign_in("ada").await;
    let name = setting(&ada, "instance.name").await;
    assert_eq!((&name["value"], &name["lockedBy"]), (&json!("Plans of Acme"), &json!("PLANROOM_INSTANCE_NAME")));
    ada.patch(PATH, json!({ "instance.name": "Mine" }))
        .await
        .expect_error(409, "PLANROOM_INSTANCE_NAME; change it there");
}

#[tokio::test]
async fn a_secret_is_encrypted_and_never_returned() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let set = |reply: &Value| one(reply, "wiki.client_secret")["isSet"].clone();
    assert_eq!(set(&ada.get(PATH).await.ok()), false);
    let reply = ada.patch(PATH, json!({ "wiki.client_id": "id-of-the-wiki", "wiki.client_secret": SECRET })).await;
    let secret = one(&reply.ok(), "wiki.client_secret");
    assert_eq!((&secret["value"], &secret["default"], &secret["isSet"]), (&json!(null), &json!(null), &json!(true)));
    let audit = ada.get("/api/admin/audit").await;
    let details = &audit.ok()["events"][0]["details"];
    assert_eq!(*details, json!({ "key": "wiki.client_secret", "secret": true, "isSet": true }));
    for reply in [reply, audit, ada.get(PATH).await] {
        assert!(!reply.to_string().contains(SECRET), "{reply}");
    }
    assert!(!on_disk(&server, SECRET));
    assert!(on_disk(&server, "id-of-the-wiki"), "which shows that we would have found it");
    let before = server.log_sizes();
    ada.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    assert_eq!(server.log_sizes(), before, "the same secret is no change");
    ada.patch(PATH, json!({ "wiki.client_secret": "" })).await.ok();
    assert_eq!(set(&ada.get(PATH).await.ok()), false);
    ada.patch(PATH, json!({ "wiki.client_secret": null })).await.ok();
    assert_eq!(kinds(&server).iter().filter(|kind| *kind == "setting.update").count(), 4);
}

#[tokio::test]
async fn a_secret_encrypted_with_other_keys_is_unset_after_a_key_reset() {
    let server = TestServer::new().await;
    server.sign_in("ada").await.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    let dir = server.stop();
    std::fs::remove_dir_all(dir.path().join("keys")).unwrap();
    planroom(&["keys", "reset", "--yes"], dir.path());
    let server = TestServer::on(dir, |_| {});
    let ada = server.sign_in("ada").await;
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], false);
    ada.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], true);
}

#[tokio::test]
async fn all_users_can_create_organizations_if_the_setting_allows_it() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    let (iris, nomad) = (admin_without_organization(&server).await, server.sign_in("nomad").await);
    let found = || nomad.post("/api/orgs", json!({ "name": "Nomads" }));
    assert_eq!(nomad.get("/api/me").await.ok()["mayFoundOrganizations"], false);
    assert_eq!(iris.get("/api/me").await.ok()["mayFoundOrganizations"], true);
    found().await.expect_error(403, "administrators of the instance");
    iris.patch(PATH, json!({ "organizations.creation": "everyone" })).await.ok();
    assert_eq!(nomad.get("/api/me").await.ok()["mayFoundOrganizations"], true);
    assert_eq!(found().await.created()["organization"]["role"], "org:admin");
    iris.patch(PATH, json!({ "organizations.creation": null })).await.ok();
    found().await.expect_error(403, "administrators of the instance");
    // A token cannot create an organization in either case.
    iris.patch(PATH, json!({ "organizations.creation": "everyone" })).await.ok();
    let script = server.script_client("ada").await;
    assert_eq!(script.get("/api/me").await.ok()["mayFoundOrganizations"], false);
    script.post("/api/orgs", json!({ "name": "Scripts" })).await.expect_error(403, "session");
    assert!(!on_disk(&server, PASSWORD));
}
