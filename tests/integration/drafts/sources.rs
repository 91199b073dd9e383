//! Sources that are synced in a draft. A merge copies them to the base, so the review and the approvals cover them.

use serde_json::{Value, json};

use super::{approvals::approve, approvals::protect, approvals::protected, changes, compare, read, start, submit};
use crate::support::{TestClient, TestServer};

/// A request to sync a component from a file.
pub fn request(url: &str, file: &str, name: &str) -> Value {
    let origin = json!({ "key": "k", "file": file, "line": 1 });
    let component = json!({ "origin": origin, "id": "k", "typeId": "service", "name": name });
    let source = json!({ "id": "shop", "kind": "compose", "name": "Shop", "revision": "1111111", "url": url });
    json!({ "source": source, "reading": { "components": [component] }, "policy": { "name": "map" } })
}

pub async fn sync(client: &TestClient<'_>, id: &str, request: &Value) {
    client.post(&format!("/api/workspaces/{id}/sync"), request.clone()).await.ok();
}

pub const URL: &str = "https://git.example.org/shop";

/// Creates a draft of vic with a synced source, and approves it as eve.
async fn approved(eve: &TestClient<'_>, vic: &TestClient<'_>) -> String {
    let id = start(vic, "w", "Sync").await;
    sync(vic, &id, &request(URL, "compose.yaml", "K")).await;
    submit(vic, &id).await;
    assert_eq!(approve(eve, &id).await["state"], "approved");
    id
}

#[tokio::test]
async fn approvals_lapse_when_a_sync_changes_only_its_source() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = approved(&eve, &vic).await;
    let merge = format!("/api/drafts/{id}/merge");
    let same = request(URL, "compose.yaml", "K");
    server.clock.advance(60_000);
    sync(&vic, &id, &same).await;
    assert_eq!(read(&vic, &id).await["approvals"], 1, "a sync of unchanged files keeps approvals");

    let mut revision = same.clone();
    revision["source"]["revision"] = json!("2222222");
    let mut name = same.clone();
    name["source"]["name"] = json!("Other shop");
    let url = request("https://evil.example.org/x", "compose.yaml", "K");
    let file = request("https://evil.example.org/x", "../evil.yaml", "K");
    // The map has changed, too, and wins the conflict, so only the last synced value changes.
    let value = request("https://evil.example.org/x", "../evil.yaml", "Other");
    let path = format!("/api/workspaces/{id}/components/k");
    for (what, changed) in [("revision", revision), ("name", name), ("url", url), ("file", file), ("value", value)] {
        if what == "value" {
            vic.patch(&path, json!({ "name": "Mine" })).await.ok();
            approve(&eve, &id).await;
        }
        let before = vic.bundle(&id).await["components"].clone();
        sync(&vic, &id, &changed).await;
        assert_eq!(vic.bundle(&id).await["components"], before, "{what}: no row changes");
        let draft = read(&vic, &id).await;
        assert_eq!((&draft["state"], &draft["approvals"]), (&json!("open"), &json!(0)), "{what}");
        max.post(&merge, json!({})).await.expect_error(409, "0 of 1 required approvals");
        approve(&eve, &id).await;
    }
    max.post(&merge, json!({})).await.ok();
    let sources = max.get("/api/workspaces/w/sources").await.ok();
    assert_eq!(sources["sources"][0]["url"], "https://evil.example.org/x", "as approved");
}

#[tokio::test]
async fn approvals_lapse_when_an_import_or_a_deletion_changes_the_sources_of_a_draft() {
    let server = TestServer::new().await;
    let [eve, _, vic] = protected(&server).await;
    let id = approved(&eve, &vic).await;
    let mut file = vic.get(&format!("/api/workspaces/{id}/export")).await.ok();
    let import = format!("/api/import?id={id}&replace=true");
    vic.post(&import, file.clone()).await.ok();
    assert_eq!(read(&vic, &id).await["approvals"], 1, "the same sources");
    file["sources"][0]["url"] = json!("https://evil.example.org/x");
    vic.post(&import, file).await.ok();
    assert_eq!(read(&vic, &id).await["approvals"], 0);
    approve(&eve, &id).await;
    vic.delete(&format!("/api/workspaces/{id}/sources/shop")).await.ok();
    assert_eq!(read(&vic, &id).await["approvals"], 0);
}

#[tokio::test]
async fn an_editor_who_synced_a_source_in_a_draft_cannot_approve_the_draft() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = approved(&eve, &vic).await;
    sync(&eve, &id, &request("https://evil.example.org/x", "compose.yaml", "K")).await;
    assert_eq!(read(&eve, &id).await["canReview"], false);
    let reviews = format!("/api/drafts/{id}/reviews");
    eve.post(&reviews, json!({ "verdict": "approved" })).await.expect_error(403, "you have changed this draft");
    assert_eq!(approve(&max, &id).await["state"], "approved");
}

#[tokio::test]
async fn a_comparison_lists_the_source_changes_of_a_merge() {
    let server = TestServer::new().await;
    let [eve, _, vic] = protected(&server).await;
    let id = approved(&eve, &vic).await;
    let added = compare(&eve, &id).await;
    let row = |id: &str, kind: &str, change: &str| (kind.to_owned(), id.to_owned(), change.to_owned());
    assert_eq!(changes(&added["changes"]), [row("shop", "source", "added"), row("k", "component", "added")]);
    assert_eq!((&added["changes"][0]["name"], &added["counts"]["added"]), (&json!("Shop"), &json!(2)));
    eve.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    let ended = compare(&eve, &id).await;
    assert_eq!((&ended["isFinal"], &ended["changes"]), (&json!(true), &added["changes"]));

    server.clock.advance(60_000);
    let id = start(&vic, "w", "Again").await;
    assert_eq!(compare(&eve, &id).await["changes"], json!([]));
    sync(&vic, &id, &request(URL, "compose.yaml", "K")).await;
    assert_eq!(compare(&eve, &id).await["changes"], json!([]), "the files are unchanged");
    sync(&vic, &id, &request("https://evil.example.org/x", "../evil.yaml", "K")).await;
    let comparison = compare(&eve, &id).await;
    let change = &comparison["changes"][0];
    assert_eq!(changes(&comparison["changes"]), [row("shop", "source", "changed")]);
    let field = |name: &str| {
        let fields = change["fields"].as_array().unwrap();
        let field = fields.iter().find(|field| field["field"] == name).unwrap_or_else(|| panic!("{name} in {change}"));
        (field["base"].clone(), field["draft"].clone())
    };
    assert_eq!(field("url"), (json!(URL), json!("https://evil.example.org/x")));
    assert_eq!(field("files"), (json!(["compose.yaml"]), json!(["../evil.yaml"])));
    assert_eq!(field("lastSynced").1, json!({ "rows": 1, "different": 1 }));
    let text = eve.get(&format!("/api/drafts/{id}/comparison?format=markdown")).await;
    let text = String::from_utf8(text.bytes).unwrap();
    assert!(text.contains("- source **Shop** (`shop`)\n") && text.contains("`https://evil.example.org/x`"), "{text}");
}

#[tokio::test]
async fn a_merge_keeps_a_source_that_was_synced_later_in_the_base() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    sync(&ada, "w", &request(URL, "compose.yaml", "First")).await;
    let id = start(&ada, "w", "Sync").await;
    let at = |revision: &str, name: &str| {
        let mut request = request(URL, "compose.yaml", name);
        request["source"]["revision"] = json!(revision);
        request
    };
    server.clock.advance(1_000);
    sync(&ada, &id, &at("2222222", "Second")).await;
    server.clock.advance(1_000);
    sync(&ada, "w", &at("3333333", "Third")).await;
    let compared = compare(&ada, &id).await;
    assert!(!compared["changes"].to_string().contains("2222222"), "{compared}");
    ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "open" })).await.ok();
    ada.post(&format!("/api/drafts/{id}/merge"), json!({ "otherwise": "base" })).await.ok();
    assert_eq!(ada.get("/api/workspaces/w/sources").await.ok()["sources"][0]["revision"], "3333333");
    let next = ada.post("/api/workspaces/w/sync", at("4444444", "Fourth")).await.ok();
    assert_eq!((&next["counts"]["changed"], &next["counts"]["conflicts"]), (&json!(1), &json!(0)), "{next}");
    assert_eq!(ada.get("/api/workspaces/w/components/k").await.ok()["component"]["name"], "Fourth");
}

#[tokio::test]
async fn an_editor_who_removed_a_source_in_a_draft_cannot_approve_the_draft() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = approved(&eve, &vic).await;
    max.delete(&format!("/api/workspaces/{id}/sources/shop")).await.ok();
    assert_eq!(read(&max, &id).await["canReview"], false);
    let reviews = format!("/api/drafts/{id}/reviews");
    max.post(&reviews, json!({ "verdict": "approved" })).await.expect_error(403, "you have changed this draft");
    assert_eq!(approve(&eve, &id).await["state"], "approved");
    // Of other drafts, max is still a reviewer.
    let other = approved(&eve, &vic).await;
    assert_eq!(approve(&max, &other).await["approvals"], 2);
}

#[tokio::test]
async fn an_editor_who_changed_a_source_in_a_draft_cannot_approve_it_after_others_synced_or_imported_the_source() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = approved(&max, &vic).await;
    let evil = request("https://evil.example.org/x", "compose.yaml", "K");
    sync(&eve, &id, &evil).await;
    sync(&vic, &id, &evil).await;
    let reviews = format!("/api/drafts/{id}/reviews");
    let approval = json!({ "verdict": "approved" });
    eve.post(&reviews, approval.clone()).await.expect_error(403, "you have changed this draft");
    let import = format!("/api/import?id={id}&replace=true");
    let mut file = vic.get(&format!("/api/workspaces/{id}/export")).await.ok();
    for (client, url) in [(&max, URL), (&vic, "https://evil.example.org/y")] {
        file["sources"][0]["url"] = json!(url);
        client.post(&import, file.clone()).await.ok();
    }
    max.post(&reviews, approval).await.expect_error(403, "you have changed this draft");
    let events = server.count("SELECT count(*) FROM audit WHERE kind = 'draft.source' AND actor_id IS NOT NULL");
    assert_eq!(events, 3, "one for each of vic, eve and max");
}

#[tokio::test]
async fn an_editor_cannot_change_the_sources_of_a_protected_map_without_a_draft() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let ada = server.sign_in("ada").await;
    let same = request(URL, "compose.yaml", "K");
    // Ada is exempt.
    sync(&ada, "w", &same).await;
    ada.patch("/api/workspaces/w/components/k", json!({ "name": "Mine" })).await.ok();
    let state = async || {
        let file = ada.get("/api/workspaces/w/export").await.ok();
        (file["sources"].clone(), ada.get("/api/workspaces/w/drift").await.ok()["counts"].clone())
    };
    let before = state().await;
    assert_eq!(before.1["differs"], 1);
    let changed = |field: &str, value: Value| {
        let mut changed = same.clone();
        changed["source"][field] = value;
        changed
    };
    let mut adopted = changed("id", json!("other"));
    adopted["adopt"] = json!(true);
    for (what, changed) in [
        ("revision", changed("revision", json!("2222222"))),
        ("name", changed("name", json!("Other shop"))),
        ("url", request("https://evil.example.org/x", "compose.yaml", "K")),
        ("file", request(URL, "../evil.yaml", "K")),
        ("value that hides the drift", request(URL, "compose.yaml", "Mine")),
        ("new source", adopted),
    ] {
        let refused = eve.post("/api/workspaces/w/sync", changed.clone()).await;
        assert_eq!(refused.expect_error(403, "start a draft")["code"], "protected", "{what}");
        assert_eq!(state().await, before, "{what}");
        eve.post("/api/workspaces/w/sync/preview", changed).await.ok();
    }
    // A sync that finds no difference is no change.
    sync(&eve, "w", &same).await;
    assert_eq!(state().await, before);

    let id = start(&vic, "w", "New address").await;
    sync(&vic, &id, &request("https://git.example.org/new", "compose.yaml", "K")).await;
    submit(&vic, &id).await;
    approve(&eve, &id).await;
    max.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    assert_eq!(state().await.0[0]["url"], "https://git.example.org/new");
}

#[tokio::test]
async fn an_editor_accepts_in_a_draft_and_an_owner_directly_that_a_protected_map_does_not_have_a_row() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    sync(&ada, "w", &request(URL, "compose.yaml", "K")).await;
    ada.delete("/api/workspaces/w/components/k").await.ok();
    let [eve, max, _] = protect(&server, &ada).await;
    let accept =
        |accepted: bool| json!({ "kind": "component", "key": "k", "accepted": accepted, "reason": "Not ours" });
    let row = |id: &str| format!("/api/workspaces/{id}/sources/shop");
    let lost = async || ada.get("/api/workspaces/w/drift").await.ok()["counts"]["onlyInCode"].clone();
    assert_eq!(eve.patch(&row("w"), accept(true)).await.expect_error(403, "start a draft")["code"], "protected");

    server.clock.advance(1_000);
    let id = start(&eve, "w", "Accept").await;
    eve.patch(&row(&id), accept(true)).await.ok();
    submit(&eve, &id).await;
    let compared = compare(&max, &id).await;
    let fields = compared["changes"][0]["fields"].as_array().unwrap();
    let accepted = fields.iter().find(|field| field["field"] == "accepted").unwrap();
    assert_eq!((&accepted["base"], &accepted["draft"]), (&Value::Null, &json!(["component k: Not ours"])));
    assert_eq!(lost().await, 1, "until the merge");
    approve(&max, &id).await;
    eve.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    assert_eq!(lost().await, 0);

    ada.patch(&row("w"), accept(false)).await.ok();
    assert_eq!(lost().await, 1);
    ada.patch(&row("w"), accept(true)).await.ok();
    assert_eq!(lost().await, 0);
}

#[tokio::test]
async fn decisions_in_a_draft_are_merged_into_sources_that_were_synced_in_the_base_meanwhile() {
    for is_later in [false, true] {
        let server = TestServer::new().await;
        let ada = server.seed_map().await;
        let drawn = json!({ "id": "other", "name": "Other", "typeId": "service" });
        ada.post("/api/workspaces/w/components", drawn).await.created();
        let mut files = request(URL, "compose.yaml", "K");
        let mut other = files["reading"]["components"][0].clone();
        (other["id"], other["origin"]["key"], other["name"]) = (json!("other"), json!("other"), json!("Other"));
        files["reading"]["components"].as_array_mut().unwrap().push(other);
        sync(&ada, "w", &files).await;
        ada.delete("/api/workspaces/w/components/k").await.ok();
        server.clock.advance(1_000);
        let id = start(&ada, "w", "Decide").await;
        let decide = async || {
            let row = format!("/api/workspaces/{id}/sources/shop");
            ada.patch(&row, json!({ "kind": "component", "key": "k", "accepted": true, "reason": "Sold" })).await.ok();
            ada.patch(&row, json!({ "kind": "component", "key": "other", "split": true })).await.ok();
            server.clock.advance(1_000);
        };
        if is_later {
            decide().await;
        }
        files["source"]["revision"] = json!("2222222");
        sync(&ada, "w", &files).await;
        server.clock.advance(1_000);
        if !is_later {
            decide().await;
        }
        let fields = compare(&ada, &id).await["changes"][0]["fields"].clone();
        let shown = |name: &str| fields.as_array().unwrap().iter().find(|field| field["field"] == name).cloned();
        assert_eq!(shown("accepted").unwrap()["draft"], json!(["component k: Sold"]));
        assert_eq!(shown("splitOff").unwrap()["draft"], json!(["other: not other"]));
        assert_eq!(shown("sourceRevision"), None, "the base has a later one");
        ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "open" })).await.ok();
        ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
        assert_eq!(ada.get("/api/workspaces/w/sources").await.ok()["sources"][0]["revision"], "2222222");
        let next = ada.post("/api/workspaces/w/sync", files).await.ok();
        assert!(next["deletedOnMap"][0]["acceptedAt"].is_i64(), "{next}");
        assert_eq!(
            (&next["added"][0]["name"], &next["added"][0]["id"]),
            (&json!("Other"), &json!("other-2")),
            "{next}"
        );
    }
}
