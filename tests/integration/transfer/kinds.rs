//! Kinds of components in files.

use serde_json::{Value, json};

use super::{document, elsewhere, export};
use crate::support::TestServer;

const KINDS: &str = "/api/kinds";

#[tokio::test]
async fn a_file_has_the_kinds_that_components_refer_to_by_id_or_name() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (id, name) in [("worker", "Message worker"), ("ledger", "Ledger"), ("unused", "Unused")] {
        ada.post(KINDS, json!({ "id": id, "name": name, "baseType": "job" })).await.created();
    }
    for (component, kind) in [("a", json!("ledger")), ("b", json!("Message worker"))] {
        ada.patch(&format!("/api/workspaces/w/components/{component}"), json!({ "properties": { "kind": kind } }))
            .await
            .ok();
    }
    let exported: Value = serde_json::from_str(&export(&ada, "w").await).unwrap();
    let ids: Vec<&Value> = exported["kinds"].as_array().unwrap().iter().map(|kind| &kind["id"]).collect();
    assert_eq!(ids, ["ledger", "worker"]);
    assert_eq!(exported["kinds"][0].get("orgId"), None);
}

#[tokio::test]
async fn existing_kinds_are_kept_by_id_and_components_are_renamed_to_one_of_the_same_name() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post(KINDS, json!({ "id": "ledger", "name": "Book", "baseType": "storage" })).await.created();
    let imported = ada.post("/api/import", document()).await.created();
    assert_eq!((&imported["kept"]["kinds"], &imported["created"]["kinds"]), (&json!(["ledger"]), &json!([])));
    assert_eq!(ada.get(KINDS).await.ok()["kinds"][0]["name"], "Book");

    let there = elsewhere().await;
    let eve = there.sign_in("ada").await;
    let same = json!({ "id": "our-ledger", "name": "LEDGER", "baseType": "database" });
    eve.post(KINDS, same).await.created();
    let dry = eve.post("/api/import?dryRun=true", document()).await.ok();
    let imported = eve.post("/api/import", document()).await.created();
    for answer in [dry, imported] {
        assert_eq!((&answer["kept"]["kinds"], &answer["created"]["kinds"]), (&json!(["our-ledger"]), &json!([])));
    }
    let properties = eve.bundle("full").await["components"][1]["properties"].clone();
    assert_eq!(properties.to_string(), r#"{"tier":"2","kind":"our-ledger","z":1}"#, "in the order of the file");
    assert_eq!(eve.get(KINDS).await.ok()["kinds"].as_array().unwrap().len(), 1);
}

/// A file with these kinds, as id and name, and a component for each value of the property `kind`.
fn file(kinds: &[(&str, &str)], values: &[&str]) -> Value {
    let kinds: Vec<Value> =
        kinds.iter().map(|(id, name)| json!({ "id": id, "name": name, "baseType": "job" })).collect();
    let component = |(n, value): (usize, &&str)| json!({ "id": format!("c{n}"), "typeId": "job", "name": "C", "properties": { "kind": value } });
    json!({ "format": "planroom/1", "workspace": { "id": "file", "name": "File" }, "kinds": kinds,
            "components": values.iter().enumerate().map(component).collect::<Vec<_>>(), "relationships": [] })
}

#[tokio::test]
async fn components_that_refer_to_a_kind_by_name_or_former_name_keep_it() {
    // The kinds of the organization and of the file, the values in the file, and the values after the import.
    type Kinds<'k> = &'k [(&'k str, &'k str)];
    let cases: [(Kinds<'_>, Kinds<'_>, &[&str], &[&str]); 6] = [
        (&[("other", "Edge NODE")], &[("edge-node", "Edge node")], &["Edge node", "edge-node"], &["other", "other"]),
        (&[("pay", "Payx")], &[("payment", "Payx")], &["Payment", "Payx", "payment"], &["pay", "Payx", "pay"]),
        // The organization has renamed the kind.
        (&[("worker", "W")], &[("worker", "Job worker")], &["Job worker", "Worker"], &["worker", "Worker"]),
        // Another kind of the organization has the name as its id.
        (&[("queue", "Topic")], &[("queue-2", "queue")], &["queue", "queue-2"], &["queue-2", "queue-2"]),
        // The same kinds: nothing changes.
        (
            &[("worker", "Job worker")],
            &[("worker", "Job worker")],
            &["Job worker", "Worker"],
            &["Job worker", "Worker"],
        ),
        // New kinds, and values that refer to no kind.
        (&[], &[("kind", "漢字"), ("aa", "A")], &["A", "漢字", "", "-", "b"], &["A", "漢字", "", "-", "b"]),
    ];
    for (existing, in_file, before, after) in cases {
        let server = TestServer::new().await;
        let ada = server.sign_in("ada").await;
        for (id, name) in existing {
            ada.post(KINDS, json!({ "id": id, "name": name, "baseType": "job" })).await.created();
        }
        ada.post("/api/import", file(in_file, before)).await.created();
        let components = ada.bundle("file").await["components"].clone();
        let values: Vec<&Value> =
            components.as_array().unwrap().iter().map(|component| &component["properties"]["kind"]).collect();
        assert_eq!(values, after, "{in_file:?} beside {existing:?}");
    }
}

#[tokio::test]
async fn kinds_that_the_user_cannot_create_are_ignored_and_components_keep_the_property() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.seed_member("mia", "acme", "org:member");
    let mia = server.sign_in("mia").await;
    let mut file = document();
    file.as_object_mut().unwrap().shift_remove("roles");
    file["stakeholders"] = json!([]);
    let imported = mia.post("/api/import", file.clone()).await.created();
    assert_eq!((&imported["created"]["kinds"], &imported["ignored"]), (&json!([]), &json!(["kinds.ledger"])));
    assert_eq!(ada.get(KINDS).await.ok()["kinds"], json!([]));
    let component = mia.get("/api/workspaces/full/components/db").await.ok()["component"].clone();
    assert_eq!(component["properties"]["kind"], "ledger");
}

#[tokio::test]
async fn a_file_with_wrong_kinds_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let with = |kinds: Value| {
        let mut file = document();
        file["kinds"] = kinds;
        file
    };
    let kind = |id: &str, name: &str| json!({ "id": id, "name": name, "baseType": "job" });
    for (kinds, message) in [
        (json!([{ "name": "K", "baseType": "job" }]), "kinds[0].id: is required in a file"),
        (json!([kind("aa", "A"), kind("aa", "B")]), "kinds[1].id: the id `aa` is repeated"),
        (json!([kind("aa", "A"), kind("bb", "a")]), "kinds[1].name: the name `a` is repeated"),
        (json!([{ "id": "aa", "name": "A", "baseType": "jop" }]), "kinds[0].baseType: unknown component type"),
        (
            json!([{ "id": "aa", "name": "A", "baseType": "job",
                     "fields": [{ "key": "kind", "name": "K", "type": "text" }] }]),
            "kinds[0].fields[0].key: `kind` has another meaning",
        ),
    ] {
        ada.post("/api/import", with(kinds)).await.expect_error(400, message);
    }
}
