//! Kinds of components that an organization shares.

use serde_json::{Value, json};

use super::KINDS;
use crate::{
    scheduling::occupy_heavy_reader,
    support::{TestServer, ids},
};

const COMPONENT: &str = "/api/workspaces/w/components/a";

fn fields() -> Value {
    json!([
        { "key": "costCenter", "name": "Cost center", "type": "text" },
        { "key": "tier", "name": "Tier", "type": "choice", "choices": ["1", "2"] },
    ])
}

#[tokio::test]
async fn a_kind_has_the_look_of_its_base_type_unless_it_is_given() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let plain = ada.post(KINDS, json!({ "name": "Payment service", "baseType": "service" })).await.created();
    let service = ada.get("/api/schema").await.ok()["componentTypes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|known| known["id"] == "service")
        .unwrap()
        .clone();
    let kind = &plain["kind"];
    assert_eq!((&kind["id"], &kind["baseType"]), (&json!("payment-service"), &json!("service")));
    assert_eq!((&kind["color"], &kind["icon"]), (&service["color"], &service["icon"]));
    assert_eq!((kind.get("logo"), kind.get("description"), &kind["fields"]), (None, None, &json!([])));
    let all = json!({ "id": "ledger", "name": "Ledger", "baseType": "database", "color": "#123abc", "icon": "crown",
                      "logo": "postgresql", "description": "Books", "fields": fields() });
    let created = ada.post(KINDS, all.clone()).await.created();
    for (field, value) in all.as_object().unwrap() {
        assert_eq!(created["kind"][field], *value, "{field}");
    }
    assert_eq!(ids(&ada.get(KINDS).await.ok()["kinds"]), ["payment-service", "ledger"]);
}

#[tokio::test]
async fn a_kind_is_updated_and_every_change_has_a_directory_revision() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let new = json!({ "name": "Ledger", "baseType": "database", "logo": "postgresql", "fields": fields() });
    let first = ada.post(KINDS, new).await.created()["kind"].clone();
    assert_eq!(first["revision"], server.directory_revision("acme"));
    let at = format!("{KINDS}/ledger");
    let change = json!({ "name": "Book", "baseType": "storage", "color": "#000000", "icon": "target", "logo": "",
                         "description": "D", "fields": [] });
    let mut changed = ada.patch(&at, change.clone()).await.ok()["kind"].clone();
    assert_eq!(changed["revision"], first["revision"].as_i64().unwrap() + 1);
    assert_eq!(changed.as_object_mut().unwrap().shift_remove("logo"), None, "an empty logo is none");
    for (field, value) in change.as_object().unwrap() {
        assert!(field == "logo" || changed[field] == *value, "{field}");
    }
    // What was read can be sent back, and changes nothing.
    assert_eq!(ada.patch(&at, changed.clone()).await.ok()["kind"], changed);
    assert_eq!(server.directory_revision("acme"), changed["revision"]);
    ada.patch(&at, json!({ "id": "other" })).await.expect_error(400, "id: cannot change");
    let late = ada.header("if-match", &format!("\"{}\"", first["revision"]));
    assert_eq!(late.patch(&at, json!({ "name": "N" })).await.expect_error(412, "changed since")["current"], changed);
    late.delete(&at).await.expect_error(412, "changed since");
    assert_eq!(ada.delete(&at).await.ok(), json!({ "ok": true }));
    assert_eq!(server.directory_revision("acme"), changed["revision"].as_i64().unwrap() + 1);
    ada.delete(&at).await.expect_error(404, "not found");
    assert_eq!(ada.all(KINDS, "kinds").await, Vec::<Value>::new());
}

#[tokio::test]
async fn ids_and_names_are_unique_in_the_organization() {
    let server = TestServer::new().await;
    server.create_org("other", "otto").await;
    let (ada, otto) = (server.sign_in("ada").await, server.sign_in("otto").await);
    let kind = |id: &str, name: &str| json!({ "id": id, "name": name, "baseType": "service" });
    ada.post(KINDS, kind("worker", "Worker")).await.created();
    otto.post(KINDS, kind("worker", "Worker")).await.created();
    ada.post(KINDS, kind("worker", "Other")).await.expect_error(409, "a kind with the id `worker` exists already");
    let taken = "name: a kind with the name `Worker` exists already; choose another name";
    for name in ["Worker", "WORKER", " worker "] {
        ada.post(KINDS, kind("new", name)).await.expect_error(409, taken);
    }
    ada.post(KINDS, kind("second", "Second")).await.created();
    ada.patch(&format!("{KINDS}/second"), json!({ "name": "worker" })).await.expect_error(409, taken);
    ada.patch(&format!("{KINDS}/worker"), json!({ "name": "WORKER" })).await.ok();
    // A missing id is derived from the name; a name without letters a to z is allowed.
    let numbered = ada.post(KINDS, json!({ "name": "Worker!", "baseType": "job" })).await.created();
    assert_eq!(numbered["kind"]["id"], "worker-2");
    let foreign = ada.post(KINDS, json!({ "name": "漢字", "baseType": "job" })).await.created();
    assert_eq!(foreign["kind"]["id"], "kind");
}

#[tokio::test]
async fn a_kind_in_use_is_not_deleted_without_force_and_components_keep_the_property() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["a", "b", "c"]).await;
    ada.post(KINDS, json!({ "id": "worker", "name": "Message worker", "baseType": "service" })).await.created();
    ada.post(KINDS, json!({ "name": "Other", "baseType": "service" })).await.created();
    for (path, kind) in [
        (COMPONENT, json!("worker")),
        ("/api/workspaces/v/components/a", json!("Message worker")),
        ("/api/workspaces/v/components/b", json!("Worker")),
        ("/api/workspaces/v/components/c", json!(7)),
        ("/api/workspaces/w/components/b", json!("no such kind")),
    ] {
        ada.patch(path, json!({ "properties": { "kind": kind } })).await.ok();
    }
    let at = format!("{KINDS}/worker");
    let before = server.log_sizes();
    let refusal = ada.delete(&at).await.expect_error(409, "components are of this kind: 3; give them another kind");
    assert_eq!((&refusal["code"], &refusal["count"]), (&json!("kind_in_use"), &json!(3)));
    ada.delete("/api/workspaces/v").await.ok();
    ada.delete(&at).await.expect_error(409, "3, 2 of them in deleted workspaces");
    ada.delete(&format!("{KINDS}/other")).await.ok();
    assert_ne!(server.log_sizes(), before);
    ada.delete(&format!("{at}?force=true")).await.ok();
    let component = ada.get(COMPONENT).await.ok()["component"].clone();
    assert_eq!((&component["properties"]["kind"], &component["typeId"]), (&json!("worker"), &json!("service")));
}

#[tokio::test]
async fn a_value_without_letters_and_digits_refers_to_no_kind() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    // An id that is derived from a name without letters a to z.
    let kind = ada.post(KINDS, json!({ "name": "漢字", "baseType": "job" })).await.created();
    assert_eq!(kind["kind"]["id"], "kind");
    for value in ["", "  ", "-", "///", "_", ".", " - "] {
        ada.patch(COMPONENT, json!({ "properties": { "kind": value } })).await.ok();
        ada.delete(&format!("{KINDS}/kind")).await.ok();
        ada.post(KINDS, json!({ "name": "漢字", "baseType": "job" })).await.created();
    }
    for value in ["kind", "漢字", "Kind", "kind/"] {
        ada.patch(COMPONENT, json!({ "properties": { "kind": value } })).await.ok();
        ada.delete(&format!("{KINDS}/kind")).await.expect_error(409, "components are of this kind: 1");
    }
}

#[tokio::test]
async fn the_fields_of_a_kind_are_limited_in_size() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    // The first field has a name of this many characters.
    let fields = |length: usize| -> Value {
        let choices: Vec<String> = (0..30).map(|n| format!("{n:02}{}", "x".repeat(61))).collect();
        let name = |n: usize| if n == 0 { "n".repeat(length) } else { "F".into() };
        (0..4)
            .map(|n| json!({ "key": format!("k{n}"), "name": name(n), "type": "choice", "choices": choices }))
            .collect()
    };
    let new = |fields: &Value| json!({ "id": "kk", "name": "K", "baseType": "job", "fields": fields });
    let length = 8_192 - fields(0).to_string().len();
    let (largest, too_large) = (fields(length), fields(length + 1));
    let told = "fields: must have at most 8192 bytes of JSON, has 8193";
    assert_eq!(ada.post(KINDS, new(&too_large)).await.expect_error(400, told)["field"], "fields");
    ada.post(KINDS, new(&largest)).await.created();
    ada.patch(&format!("{KINDS}/kk"), json!({ "fields": too_large })).await.expect_error(400, told);
    let file = json!({ "format": "planroom/1", "workspace": { "name": "F" }, "components": [], "relationships": [],
                       "kinds": [new(&too_large)] });
    ada.post("/api/import", file).await.expect_error(400, "kinds[0].fields: must have at most 8192 bytes of JSON");
}

#[tokio::test]
async fn a_list_of_kinds_is_a_large_read_and_delays_no_others() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post(KINDS, json!({ "name": "Worker", "baseType": "job" })).await.created();
    let gate = server.app.gate.clone();
    let held = [occupy_heavy_reader(gate.clone(), 1_000_000).await, occupy_heavy_reader(gate, 1_000_001).await];
    let mut list = Box::pin(ada.get(KINDS));
    for _ in 0..20 {
        tokio::select! {
            biased;
            _ = &mut list => panic!("the list was read on a thread for point reads"),
            me = ada.get("/api/me") => me.ok(),
        };
    }
    for held in held {
        held.release().await;
    }
    assert_eq!(ids(&list.await.ok()["kinds"]), ["worker"]);
}

#[tokio::test]
async fn fields_have_unique_keys_and_choices_only_for_the_type_choice() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let field = |key: &str, kind: &str| json!({ "key": key, "name": "F", "type": kind });
    let choice = |choices: Value| json!({ "key": "k", "name": "F", "type": "choice", "choices": choices });
    let many = |count: usize| Value::from((0..count).map(|n| field(&format!("k{n}"), "text")).collect::<Vec<_>>());
    let choices = |count: usize| Value::from((0..count).map(|n| n.to_string()).collect::<Vec<_>>());
    let body = |fields: Value| json!({ "name": "K", "baseType": "service", "fields": fields });
    let refusals = [
        (json!([field("a", "text"), field("a", "url")]), "fields[1].key", "the key `a` is repeated"),
        (json!([field("kind", "text")]), "fields[0].key", "has another meaning"),
        (json!([field("lifecycle", "text")]), "fields[0].key", "has another meaning"),
        (json!([field("", "text")]), "fields[0].key", "begin with a letter"),
        (json!([field("__proto__", "text")]), "fields[0].key", "begin with a letter"),
        (json!([field("a b", "text")]), "fields[0].key", "letters a to z"),
        (json!([field(&"a".repeat(51), "text")]), "fields[0].key", "1 to 50 characters, has 51"),
        (json!([field("a", "color")]), "fields[0].type", "must be one of"),
        (json!([field("a", "Text")]), "fields[0].type", "must be one of"),
        (json!([field("a", "choice")]), "fields[0].choices", "is required for the type `choice`"),
        (json!([choice(json!([]))]), "fields[0].choices", "is required for the type `choice`"),
        (json!([choice(json!(["x", "y", " x "]))]), "fields[0].choices[2]", "the choice `x` is repeated"),
        (json!([choice(json!(["x", " "]))]), "fields[0].choices[1]", "1 to 80 characters, has 0"),
        (json!([choice(json!(["x".repeat(81)]))]), "fields[0].choices[0]", "1 to 80 characters, has 81"),
        (json!([choice(choices(31))]), "fields[0].choices", "at most 30 items"),
        (
            json!([{ "key": "a", "name": "F", "type": "text", "choices": ["x"] }]),
            "fields[0].choices",
            "is only for the type",
        ),
        (json!([{ "key": "a", "name": "F", "type": "text", "unit": "s" }]), "fields[0].unit", "no such field"),
        (json!([{ "key": "a", "type": "text" }]), "fields[0].name", "required"),
        (many(21), "fields", "at most 20 items"),
    ];
    for (fields, at, message) in refusals {
        let refusal = ada.post(KINDS, body(fields)).await.expect_error(400, message);
        assert_eq!(refusal["field"], at);
    }
    for (field, value, message) in [
        ("baseType", json!("servise"), "unknown component type `servise`"),
        ("icon", json!("no-icon"), "unknown icon `no-icon`"),
        ("icon", json!(""), "unknown icon ``"),
        ("logo", json!("Post gres"), "lower-case letters, digits and dashes"),
        ("color", json!("red"), "six hexadecimal digits"),
        ("name", json!(" "), "1 to 200 characters"),
        ("description", json!("x".repeat(10_001)), "at most 10000 characters"),
    ] {
        let mut wrong = body(json!([]));
        wrong[field] = value;
        assert_eq!(ada.post(KINDS, wrong).await.expect_error(400, message)["field"], field);
    }
    assert_eq!(ada.all(KINDS, "kinds").await, Vec::<Value>::new());
    let mut largest = many(19);
    largest.as_array_mut().unwrap().push(choice(choices(30)));
    let created = ada.post(KINDS, body(largest.clone())).await.created();
    assert_eq!(created["kind"]["fields"], largest);
}

#[tokio::test]
async fn only_admins_can_write_kinds_and_all_members_can_read_them() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let new = json!({ "name": "Worker", "baseType": "job" });
    ada.post(KINDS, new.clone()).await.created();
    assert_eq!(bob.all(KINDS, "kinds").await.len(), 1);
    let at = format!("{KINDS}/worker");
    for refusal in [
        bob.post(KINDS, new).await,
        bob.patch(&at, json!({ "name": "N" })).await,
        bob.delete(&at).await,
        bob.delete(&format!("{KINDS}/none?force=true")).await,
    ] {
        refusal.expect_error(403, "needs an admin of the organization");
    }
}
