//! Undo and redo, by change set and by label.

use serde_json::{Value, json};

use super::{COMPONENTS, full, undo, without_metadata};
use crate::support::{TestClient, TestServer};

const A: &str = "/api/workspaces/w/components/a";
const RELATIONSHIPS: &str = "/api/workspaces/w/relationships";

/// The rows attached to a component.
async fn details(client: &TestClient<'_>, id: &str) -> Value {
    client.get(&format!("{COMPONENTS}/{id}")).await.ok()
}

#[tokio::test]
async fn every_kind_of_write_can_be_undone_and_redone() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let gesture = ada.header("x-batch-id", "gesture");
    let before = (without_metadata(&ada.bundle("w").await), details(&ada, "b").await);
    let new = json!({ "id": "c", "typeId": "queue", "name": "C" });
    gesture.post(COMPONENTS, new).await.created();
    gesture.patch(A, json!({ "name": "Anew", "x": 500, "y": 1 })).await.ok();
    gesture.patch(COMPONENTS, json!([{ "id": "c", "x": 7, "y": 7 }])).await.ok();
    gesture.post(RELATIONSHIPS, json!({ "sourceId": "c", "targetId": "a", "typeId": "uses" })).await.created();
    gesture.patch(&format!("{RELATIONSHIPS}/r"), json!({ "targetId": "c" })).await.ok();
    gesture.patch("/api/workspaces/w", json!({ "name": "Renamed", "visibility": "private" })).await.ok();
    gesture.delete(&format!("{COMPONENTS}/b")).await.ok();
    let after = without_metadata(&ada.bundle("w").await);

    let undone = undo(&ada, "gesture", "undo").await.ok();
    assert_eq!((&undone["batchId"], &undone["undoOf"]), (&json!("undo"), &json!("gesture")));
    assert_eq!(
        (without_metadata(&ada.bundle("w").await), describe_error(&details(&ada, "b").await)),
        (before.0.clone(), describe_error(&before.1))
    );
    let redone = undo(&ada, "undo", "redo").await.ok();
    assert_eq!(redone["undoOf"], "undo");
    assert_eq!(without_metadata(&ada.bundle("w").await), after);
    undo(&ada, "redo", "undo again").await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), before.0);
}

/// The details of a component without metadata.
fn describe_error(details: &Value) -> Value {
    let mut said = details.clone();
    let rows = said.as_object_mut().unwrap().values_mut();
    for row in rows.flat_map(|part| match part {
        Value::Array(rows) => rows.iter_mut().collect::<Vec<_>>(),
        row => vec![row],
    }) {
        for stamp in ["revision", "updatedAt", "updatedBy"] {
            row.as_object_mut().unwrap().remove(stamp);
        }
    }
    said
}

#[tokio::test]
async fn undo_restores_a_deleted_component_with_dependent_rows_under_the_same_ids() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let before = (details(&ada, "a").await, ada.bundle("w").await);
    assert!(before.0["links"][0]["id"].is_i64() && before.0["stakeholders"][0]["id"].is_i64());
    let deleted = ada.delete(A).await;
    deleted.ok();
    // Without a label, a request is its own change set.
    undo(&ada, deleted.header("x-request-id"), "back").await.ok();
    assert_eq!(describe_error(&details(&ada, "a").await), describe_error(&before.0));
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&before.1), "the order too");
    // New rows do not reuse the IDs.
    let link = ada.post(&format!("{A}/links"), json!({ "url": "https://example.org/2" })).await.created();
    assert!(link["link"]["id"].as_i64() > before.0["links"][0]["id"].as_i64());
}

#[tokio::test]
async fn a_bulk_is_undone_as_one_change_set() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let before = without_metadata(&ada.bundle("w").await);
    let component = |n: usize| json!({ "id": format!("n{n}"), "typeId": "service", "name": "N" });
    let mut components: Vec<Value> = (0..300).map(component).collect();
    components.push(json!({ "id": "b", "typeId": "queue", "name": "Other" }));
    let model = json!({ "workspace": { "name": "Other" }, "components": components, "relationships": [] });
    let reply = ada.put("/api/workspaces/w/bulk", model).await;
    reply.ok();
    undo(&ada, reply.header("x-request-id"), "back").await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), before);
}

#[tokio::test]
async fn users_can_only_undo_their_own_changes() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.sign_in("bob").await;
    let changed = ada.header("x-batch-id", "hers").patch(A, json!({ "name": "Anew" })).await;
    changed.ok();
    undo(&bob, "hers", "back").await.expect_error(403, "only your own changes");
    undo(&bob, changed.header("x-request-id"), "back").await.expect_error(403, "only your own changes");
    undo(&ada, "nothing", "back").await.expect_error(404, "change set not found");
    undo(&ada, "hers", "hers").await.expect_error(400, "x-batch-id: must not be the label");
    let path = "/api/workspaces/w/undo";
    ada.post(path, json!({})).await.expect_error(400, "changeSetId: is required, or `batchId` instead");
    ada.post(path, json!({ "changeSetId": "x", "batchId": "x" })).await.expect_error(400, "batchId: must be left out");
    ada.post(path, json!({ "changeSetId": "hers" })).await.expect_error(403, "only your own changes");
    // The same label in another workspace is independent.
    ada.create_workspace("v").await;
    ada.header("x-batch-id", "far").patch("/api/workspaces/v", json!({ "name": "V" })).await.ok();
    undo(&ada, "far", "back").await.expect_error(404, "change set not found");
}

#[tokio::test]
async fn nobody_can_block_an_undo_by_reusing_its_id_or_label() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let user = server.seed_member("eve", "acme", "org:member");
    server.grant("w", user, "editor");
    let eve = server.sign_in("eve").await;
    let before = without_metadata(&ada.bundle("w").await)["components"][0].clone();
    let renamed = ada.header("x-batch-id", "hers").patch(A, json!({ "name": "Anew" })).await;
    renamed.ok();
    let id = renamed.header("x-request-id").to_owned();
    let b = format!("{COMPONENTS}/b");
    for label in [id.as_str(), "hers"] {
        eve.header("x-batch-id", label).patch(&b, json!({ "name": label })).await.ok();
    }
    undo(&ada, &id, "back").await.ok();
    undo(&ada, "back", "again").await.ok();
    undo(&ada, "hers", "all back").await.ok();
    let now = without_metadata(&ada.bundle("w").await)["components"].clone();
    assert_eq!((&now[0], &now[1]["name"]), (&before, &json!("hers")), "and eve's writes stay");
    undo(&eve, "hers", "hers of eve").await.ok();
    assert_eq!(ada.bundle("w").await["components"][1]["name"], id);
}

#[tokio::test]
async fn a_label_selects_all_change_sets_of_the_caller_with_it() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let before = without_metadata(&ada.bundle("w").await);
    let nightly = ada.header("x-batch-id", "nightly");
    nightly.post(COMPONENTS, json!({ "id": "c", "typeId": "queue", "name": "C" })).await.created();
    nightly.patch(A, json!({ "name": "One" })).await.ok();
    ada.create_components("w", &["mine"]).await;
    nightly.patch(A, json!({ "name": "Two" })).await.ok();
    let last = nightly.delete(&format!("{COMPONENTS}/b")).await;
    last.ok();
    // The ID of a request selects only its change set.
    undo(&ada, last.header("x-request-id"), "one").await.ok();
    undo(&ada, "one", "one again").await.ok();
    let revision = ada.revision("w").await;
    let undone = undo(&ada, "nightly", "all").await.ok();
    assert_eq!((&undone["undoOf"], &undone["revision"]), (&json!("nightly"), &json!(revision + 1)), "in one write");
    let mut now = without_metadata(&ada.bundle("w").await);
    let rows = |state: &Value| state["components"].as_array().unwrap().clone();
    assert_eq!(rows(&now).last().unwrap()["id"], "mine");
    now["components"].as_array_mut().unwrap().pop();
    now["places"]["components"].as_array_mut().unwrap().pop();
    assert_eq!(now, before);
}

#[tokio::test]
async fn undo_never_overwrites_later_changes_of_others() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.sign_in("bob").await;
    let labeled = ada.header("x-batch-id", "g1");
    labeled.patch(A, json!({ "name": "Renamed" })).await.ok();
    bob.patch(A, json!({ "description": "an hour of Bob" })).await.ok();
    let moved = labeled.patch(COMPONENTS, json!([{ "id": "a", "x": 900, "y": 900 }])).await;
    moved.ok();
    let (before, written) = (ada.bundle("w").await, server.log_sizes());
    let refused =
        undo(&ada, "g1", "back").await.expect_error(409, "the component `Renamed` was changed in between by bob");
    assert_eq!((&refused["code"], &refused["changed"][0]["id"]), (&json!("changed_since"), &json!("a")));
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (before, written));
    // The last change set can be undone individually.
    undo(&ada, moved.header("x-request-id"), "back").await.ok();
    assert_eq!(ada.bundle("w").await["components"][0]["description"], "an hour of Bob");
}

#[tokio::test]
async fn a_conflicting_own_change_is_identified_by_its_change_set() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let first = ada.patch(A, json!({ "name": "One" })).await;
    first.ok();
    let second = ada.patch(A, json!({ "name": "Two" })).await;
    second.ok();
    let (first, second) = (first.header("x-request-id").to_owned(), second.header("x-request-id").to_owned());
    let refused = undo(&ada, &first, "back").await.expect_error(409, "has changed since by ada");
    assert_eq!(refused["changed"][0]["changeSetId"], second);
    undo(&ada, &second, "two").await.ok();
    undo(&ada, &first, "one").await.ok();
    assert_eq!(ada.bundle("w").await["components"][0]["name"], "a");
}

#[tokio::test]
async fn change_sets_older_than_labels_are_undone_by_their_client_id() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.sign_in("bob").await;
    let before = without_metadata(&ada.bundle("w").await);
    ada.header("x-batch-id", "drag").patch(A, json!({ "name": "One" })).await.ok();
    ada.header("x-batch-id", "drag").delete(&format!("{RELATIONSHIPS}/r")).await.ok();
    bob.header("x-batch-id", "drag").patch(&format!("{COMPONENTS}/b"), json!({ "name": "His" })).await.ok();
    // The format of an older version.
    server.sql(|conn| conn.execute("UPDATE change SET batch = label, label = NULL WHERE label = 'drag'", []).unwrap());
    assert_eq!(ada.get("/api/workspaces/w/history?batch=drag").await.ok()["changes"].as_array().unwrap().len(), 3);
    undo(&ada, "drag", "back").await.ok();
    let now = without_metadata(&ada.bundle("w").await);
    assert_eq!((&now["components"][0], &now["relationships"]), (&before["components"][0], &before["relationships"]));
    assert_eq!(now["components"][1]["name"], "His");
}

#[tokio::test]
async fn conflicting_changes_are_listed_and_nothing_is_written() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.sign_in("bob").await;
    let gesture = ada.header("x-batch-id", "gesture");
    gesture.patch(A, json!({ "name": "Anew" })).await.ok();
    gesture.post(COMPONENTS, json!({ "id": "c", "typeId": "queue", "name": "C" })).await.created();
    let his = bob.patch(A, json!({ "description": "mine" })).await.header("x-request-id").to_owned();
    bob.post(RELATIONSHIPS, json!({ "id": "new", "sourceId": "c", "targetId": "b", "typeId": "uses" })).await.created();
    let (before, changes) = (ada.bundle("w").await, server.changes().len());
    let refused =
        undo(&ada, "gesture", "back").await.expect_error(409, "the component `Anew` has changed since by bob");
    assert_eq!(refused["code"], "changed_since");
    let by = json!({ "id": user, "displayName": "bob" });
    let named = json!([{ "entity": "component", "id": "a", "name": "Anew", "why": "has changed since", "changedBy": by,
                 "changeSetId": his }]);
    assert_eq!(refused["changed"], named);
    assert_eq!((ada.bundle("w").await, server.changes().len()), (before, changes));
    // After bob's undo hers is possible, but bob's row on the component conflicts.
    bob.patch(A, json!({ "description": "" })).await.ok();
    undo(&ada, "gesture", "back").await.expect_error(409, "has changed since");
    bob.header("x-batch-id", "his").patch(A, json!({ "description": "more" })).await.ok();
    undo(&bob, "his", "his back").await.ok();
    ada.header("x-batch-id", "second").patch(A, json!({ "name": "Twice" })).await.ok();
    undo(&ada, "second", "second back").await.ok();
    ada.header("x-batch-id", "third")
        .post(COMPONENTS, json!({ "id": "d", "typeId": "queue", "name": "D" }))
        .await
        .created();
    bob.post(RELATIONSHIPS, json!({ "id": "on-d", "sourceId": "d", "targetId": "b", "typeId": "uses" }))
        .await
        .created();
    let refused =
        undo(&ada, "third", "back").await.expect_error(409, "the relationship `d uses b` was added since by bob");
    assert_eq!(refused["changed"][0]["id"], "on-d");
}

#[tokio::test]
async fn an_undo_that_is_no_longer_possible_names_what_is_missing() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    ada.header("x-batch-id", "edge").delete(&format!("{RELATIONSHIPS}/r")).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    undo(&ada, "edge", "back").await.expect_error(409, "the component `b` no longer exists by ada");
    ada.create_components("w", &["x", "y"]).await;
    ada.create_relationship("w", "xa", "x", "contains", "a").await;
    ada.header("x-batch-id", "out").delete(&format!("{RELATIONSHIPS}/xa")).await.ok();
    ada.create_relationship("w", "ya", "y", "contains", "a").await;
    undo(&ada, "out", "back").await.expect_error(409, "already part of `y`");
    // An ID that was reused belongs to another row.
    ada.header("x-batch-id", "gone").delete(A).await.ok();
    ada.create_components("w", &["a"]).await;
    undo(&ada, "gone", "back").await.expect_error(409, "the component `a` was added since");
}

#[tokio::test]
async fn undo_requires_the_permission_of_the_original_writes() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    ada.header("x-batch-id", "open").patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    ada.header("x-batch-id", "people")
        .post("/api/workspaces/w/members", json!({ "userId": 1, "role": "owner" }))
        .await
        .ok();
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "owner");
    let bob = server.sign_in("bob").await;
    bob.header("x-batch-id", "his").patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    ada.patch(&format!("/api/workspaces/w/members/{user}"), json!({ "role": "editor" })).await.ok();
    undo(&bob, "his", "back").await.expect_error(403, "needs the access level owner");
    ada.patch(&format!("/api/workspaces/w/members/{user}"), json!({ "role": "viewer" })).await.ok();
    undo(&bob, "his", "back").await.expect_error(403, "needs the access level editor");
    let founded = ada.post("/api/workspaces", json!({ "id": "v", "name": "V" })).await;
    founded.created();
    let batch = founded.header("x-request-id").to_owned();
    ada.post("/api/workspaces/v/undo", json!({ "batchId": batch })).await.expect_error(409, "not undone");
}

#[tokio::test]
async fn moves_under_one_label_are_logged_separately_and_undone_together() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = details(&ada, "a").await;
    let count = server.changes().len();
    let labeled = ada.header("x-batch-id", "drag");
    for x in 0..20 {
        labeled.patch(COMPONENTS, json!([{ "id": "a", "x": x, "y": 5 }])).await.ok();
    }
    assert_eq!(server.changes().len(), count + 20, "no row of the log is replaced");
    undo(&ada, "drag", "back").await.ok();
    assert_eq!(describe_error(&details(&ada, "a").await), describe_error(&before));
    // A later move is not overwritten.
    undo(&ada, "back", "again").await.ok();
    ada.patch(COMPONENTS, json!([{ "id": "a", "x": 100, "y": 5 }])).await.ok();
    labeled.patch(COMPONENTS, json!([{ "id": "a", "x": 200, "y": 5 }])).await.ok();
    undo(&ada, "drag", "no").await.expect_error(409, "was changed in between");
}

#[tokio::test]
async fn followers_receive_an_undo_as_such() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.header("x-batch-id", "gesture").delete(A).await.ok();
    let mut follower = ada.follow("w", "").await;
    undo(&ada, "gesture", "back").await.ok();
    let [component, relationship] = [follower.next_event().await, follower.next_event().await];
    assert_eq!([component.what(), relationship.what()], ["create component a", "create relationship r"]);
    assert_eq!((&component.data["undoOf"], &component.data["batch"]), (&json!("gesture"), &json!("back")));
}

#[tokio::test]
async fn an_undo_and_a_restore_that_change_nothing_have_no_change_set() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let new = json!({ "id": "c", "typeId": "queue", "name": "C" });
    let operations = json!([
        { "op": "create", "kind": "component", "row": new }, { "op": "delete", "kind": "component", "id": "c" },
    ]);
    let written = ada.post("/api/workspaces/w/operations", json!({ "operations": operations })).await.ok();
    let (revision, log) = (ada.revision("w").await, server.log_sizes());
    let undo = json!({ "changeSetId": written["changeSetId"] });
    let undone = ada.post("/api/workspaces/w/undo", undo).await.ok();
    let restored = ada.post("/api/workspaces/w/history/restore", json!({ "revision": revision })).await.ok();
    for answer in [&undone, &restored] {
        assert_eq!(answer.get("changeSetId"), None, "{answer}");
        assert_eq!((&answer["rows"], &answer["revision"]), (&json!(0), &json!(revision)));
    }
    assert_eq!(server.log_sizes().0, log.0, "no change is logged");
}
