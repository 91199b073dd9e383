//! Settings: read, changed, locked by the configuration, and never a secret shown.

use planroom::{
    config::{Config, Flags},
    settings::{Fixed, SettingSource, find},
};
use serde_json::{Value, json};

use super::{iris, kinds, on_disk};
use crate::support::{Actor, PASSWORD, Stage, planroom};

const PATH: &str = "/api/admin/settings";
const SECRET: &str = "s3cret-of-the-wiki";

fn one(reply: &Value, key: &str) -> Value {
    reply["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap().clone()
}

async fn setting(actor: &Actor<'_>, key: &str) -> Value {
    one(&actor.get(PATH).await.ok(), key)
}

/// A configuration that decides `instance.name` and the wiki's secret.
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
async fn every_setting_says_what_it_holds_and_who_said_so() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let list = ada.get(PATH).await.ok();
    let keys: Vec<_> = list["settings"].as_array().unwrap().iter().map(|setting| setting["key"].clone()).collect();
    let expected = [
        "audit.days",
        "history.days",
        "instance.name",
        "organizations.creation",
        "waitlist.open",
        "wiki.client_id",
        "wiki.client_secret",
    ];
    assert_eq!(keys, expected);
    let mut name = one(&list, "instance.name");
    assert!(name.as_object_mut().unwrap().remove("description").unwrap().as_str().unwrap().len() > 20);
    let expected = json!({
        "key": "instance.name", "value": "Planroom", "default": "Planroom", "source": "default", "locked": false,
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
    let stage = stage.restart();
    let ada = stage.sign_in("ada").await;
    assert_eq!(ada.get(PATH).await.ok(), changed, "after a restart too");
    ada.patch(PATH, json!({ "instance.name": null })).await.ok();
    let now = setting(&ada, "instance.name").await;
    assert_eq!((&now["value"], &now["source"]), (&json!("Planroom"), &json!("default")));
    let before = stage.written();
    ada.patch(PATH, json!({ "instance.name": null, "waitlist.open": false })).await.ok();
    assert_eq!(stage.written(), before, "nothing changed, nothing written");
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_nothing_of_the_request_is_done() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let before = (stage.written(), ada.get(PATH).await.ok());
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
        (json!({ "wiki.client_id": "x".repeat(201) }), "wiki.client_id", "0 to 200"),
        (json!({ "wiki.client_secret": format!("{SECRET}\n") }), "wiki.client_secret", "at most 500"),
        (json!({ "waitlist.open": false, "wiki.client_secret": 1 }), "wiki.client_secret", "at most 500"),
    ];
    for (body, field, text) in cases {
        let reply = ada.patch(PATH, body).await;
        assert!(reply.refused(400, text)["field"].as_str().unwrap().starts_with(field), "{reply}");
        assert!(!reply.to_string().contains(SECRET) && reply.bytes.len() < 1_000, "{reply}");
    }
    let twice = r#"{ "waitlist.open": false, "waitlist.open": true }"#;
    let reply = ada.send_raw(axum::http::Method::PATCH, PATH, Some("application/json"), twice).await;
    assert_eq!(reply.refused(400, "is repeated")["field"], "waitlist.open");
    for body in [json!([]), json!([["waitlist.open", false]]), json!("x"), json!(null)] {
        ada.patch(PATH, body).await.refused(400, "an object of settings");
    }
    assert_eq!((stage.written(), ada.get(PATH).await.ok()), before);
}

#[tokio::test]
async fn what_the_configuration_decides_is_locked_even_at_its_default() {
    let stage = Stage::empty(locked);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.sign_in("ada").await;
    let name = setting(&ada, "instance.name").await;
    assert_eq!(
        (&name["locked"], &name["source"], &name["lockedBy"]),
        (&json!(true), &json!("file"), &json!("planroom.toml:3"))
    );
    let before = stage.written();
    for value in [json!("Mine"), json!("Planroom"), json!(null)] {
        let body = json!({ "waitlist.open": false, "instance.name": value });
        let refusal = ada.patch(PATH, body).await.refused(409, "instance.name is locked: it is set by planroom.toml:3");
        assert_eq!(refusal["code"], Value::Null);
    }
    let body = json!({ "wiki.client_secret": "another" });
    ada.patch(PATH, body).await.refused(409, "it is set by PLANROOM_WIKI_CLIENT_SECRET_FILE");
    assert_eq!(stage.written(), before);
    let secret = setting(&ada, "wiki.client_secret").await;
    assert_eq!(
        (&secret["source"], &secret["isSet"], &secret["value"]),
        (&json!("environment"), &json!(true), &json!(null))
    );
    // What was changed before stays, under what is decided now.
    let dir = stage.stop();
    let stage = Stage::on(dir, |_| {});
    let ada = stage.sign_in("ada").await;
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], false, "the configuration's was not kept");
    ada.patch(PATH, json!({ "instance.name": "Mine" })).await.ok();
    let stage = Stage::on(stage.stop(), locked);
    assert_eq!(setting(&stage.sign_in("ada").await, "instance.name").await["value"], "Planroom");
}

#[tokio::test]
async fn what_is_set_in_the_environment_is_locked() {
    let dir = tempfile::tempdir().unwrap();
    let flags = Flags { data_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let variables = [("PLANROOM_INSTANCE_NAME".to_owned(), "Plans of Acme".to_owned())].into();
    let settings = planroom::config::load(&flags, &variables).unwrap().config.settings;
    let stage = Stage::on(dir, |config| config.settings = settings);
    stage.seed_admin("ada", "acme").await;
    let ada = stage.sign_in("ada").await;
    let name = setting(&ada, "instance.name").await;
    assert_eq!((&name["value"], &name["lockedBy"]), (&json!("Plans of Acme"), &json!("PLANROOM_INSTANCE_NAME")));
    ada.patch(PATH, json!({ "instance.name": "Mine" })).await.refused(409, "PLANROOM_INSTANCE_NAME; change it there");
}

#[tokio::test]
async fn a_secret_is_sealed_and_never_shown() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
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
    assert!(!on_disk(&stage, SECRET));
    assert!(on_disk(&stage, "id-of-the-wiki"), "which shows that we would have found it");
    let before = stage.written();
    ada.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    assert_eq!(stage.written(), before, "the same secret is no change");
    ada.patch(PATH, json!({ "wiki.client_secret": "" })).await.ok();
    assert_eq!(set(&ada.get(PATH).await.ok()), false);
    ada.patch(PATH, json!({ "wiki.client_secret": null })).await.ok();
    assert_eq!(kinds(&stage).iter().filter(|kind| *kind == "setting.update").count(), 4);
}

#[tokio::test]
async fn a_secret_that_was_sealed_with_other_keys_is_none_once_the_loss_is_accepted() {
    let stage = Stage::new().await;
    stage.sign_in("ada").await.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    let dir = stage.stop();
    std::fs::remove_dir_all(dir.path().join("keys")).unwrap();
    planroom(&["keys", "reset", "--yes"], dir.path());
    let stage = Stage::on(dir, |_| {});
    let ada = stage.sign_in("ada").await;
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], false);
    ada.patch(PATH, json!({ "wiki.client_secret": SECRET })).await.ok();
    assert_eq!(setting(&ada, "wiki.client_secret").await["isSet"], true);
}

#[tokio::test]
async fn everyone_founds_organizations_when_the_setting_says_so() {
    let stage = Stage::new().await;
    stage.seed_user("nomad");
    let (iris, nomad) = (iris(&stage).await, stage.sign_in("nomad").await);
    let found = || nomad.post("/api/orgs", json!({ "name": "Nomads" }));
    assert_eq!(nomad.get("/api/me").await.ok()["mayFoundOrganizations"], false);
    assert_eq!(iris.get("/api/me").await.ok()["mayFoundOrganizations"], true);
    found().await.refused(403, "administrators of the instance");
    iris.patch(PATH, json!({ "organizations.creation": "everyone" })).await.ok();
    assert_eq!(nomad.get("/api/me").await.ok()["mayFoundOrganizations"], true);
    assert_eq!(found().await.created()["organization"]["role"], "org:admin");
    iris.patch(PATH, json!({ "organizations.creation": null })).await.ok();
    found().await.refused(403, "administrators of the instance");
    // A token founds none in either case.
    iris.patch(PATH, json!({ "organizations.creation": "everyone" })).await.ok();
    let script = stage.script_of("ada").await;
    assert_eq!(script.get("/api/me").await.ok()["mayFoundOrganizations"], false);
    script.post("/api/orgs", json!({ "name": "Scripts" })).await.refused(403, "session");
    assert!(!on_disk(&stage, PASSWORD));
}
