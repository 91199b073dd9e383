//! Operations that conflict with changes by others: all conflicts are listed, and nothing is written.

use serde_json::{Value, json};

use super::{apply, component, relationship, with_grace};
use crate::support::{TestClient, TestServer};

const COMPONENTS: &str = "/api/workspaces/w/components";

async fn bob(server: &TestServer) -> TestClient<'_> {
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    server.sign_in("bob").await
}

/// Index, kind, id and reason of each conflict.
fn listed(refusal: &Value) -> Vec<Value> {
    let one = |conflict: &Value| json!([conflict["index"], conflict["kind"], conflict["id"], conflict["why"]]);
    refusal["conflicts"].as_array().unwrap().iter().map(one).collect()
}

#[tokio::test]
async fn every_stale_row_is_listed_with_its_current_state() {
    let server = TestServer::new().await;
    let (ada, bob) = (server.seed_map().await, bob(&server).await);
    ada.create_components("w", &["c"]).await;
    let rows = ada.bundle("w").await;
    let revision = |index: usize| rows["components"][index]["revision"].clone();
    for id in ["a", "b"] {
        bob.patch(&format!("{COMPONENTS}/{id}"), json!({ "description": "his" })).await.ok();
    }
    let (before, written) = (ada.bundle("w").await, server.log_sizes());
    let operations = json!([
        { "op": "update", "kind": "component", "id": "c", "fields": { "name": "C" }, "revision": revision(2) },
        { "op": "update", "kind": "component", "id": "a", "fields": { "name": "A" }, "revision": revision(0) },
        { "op": "move", "positions": [
            { "id": "c", "x": 1, "y": 1, "revision": revision(2) }, { "id": "b", "x": 2, "y": 2, "revision": revision(1) },
        ] },
    ]);
    let refusal =
        apply(&ada, operations).await.expect_error(412, "operations[1]: component `a` has changed since it was read");
    assert_eq!(refusal["code"], "stale");
    assert_eq!(listed(&refusal), [json!([1, "component", "a", "stale"]), json!([2, "component", "b", "stale"])]);
    let first = &refusal["conflicts"][0];
    assert_eq!((&first["current"], &first["changedBy"]["displayName"]), (&before["components"][0], &json!("bob")));
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (before.clone(), written));
    // Rebased on the current state, the same operations succeed; a row can be written twice.
    let now = &before["components"][0]["revision"];
    let rebased = json!([
        { "op": "update", "kind": "component", "id": "a", "fields": { "name": "A" }, "revision": now },
        { "op": "move", "positions": [{ "id": "a", "x": 2, "y": 2, "revision": now }] },
        component("d"),
        { "op": "update", "kind": "component", "id": "d", "fields": { "name": "D" }, "revision": 1 },
    ]);
    apply(&ada, rebased).await.ok();
}

#[tokio::test]
async fn deleted_existing_and_missing_rows_are_listed_with_stale_ones() {
    let server = TestServer::new().await;
    let (ada, bob) = (with_grace(&server).await, bob(&server).await);
    ada.create_components("w", &["c", "d"]).await;
    let owner = json!({ "personId": "grace", "linkType": "owner" });
    let attached = ada.post(&format!("{COMPONENTS}/a/stakeholders"), owner).await.created()["stakeholder"].clone();
    bob.delete(&format!("{COMPONENTS}/c")).await.ok();
    bob.patch(&format!("{COMPONENTS}/d"), json!({ "name": "D" })).await.ok();
    let (before, written) = (ada.bundle("w").await, server.log_sizes());
    let operations = json!([
        component("new"),
        { "op": "update", "kind": "component", "id": "c", "fields": { "name": "C" } },
        component("a"),
        { "op": "delete", "kind": "component", "id": "d", "revision": 1 },
        relationship("nc", "new", "calls", "c"),
        { "op": "create", "kind": "stakeholder", "row": { "componentId": "a", "personId": "grace", "linkType": "owner" } },
        { "op": "create", "kind": "stakeholder", "row": { "componentId": "a", "teamId": "none", "linkType": "owner" } },
        { "op": "create", "kind": "link", "ref": "x", "row": { "componentId": "c", "url": "https://example.org" } },
        { "op": "delete", "kind": "link", "id": "x" },
        { "op": "delete", "kind": "process", "id": "none" },
        { "op": "move", "positions": [{ "id": "new", "x": 1, "y": 1 }, { "id": "c", "x": 1, "y": 1 }] },
    ]);
    let refusal =
        apply(&ada, operations).await.expect_error(409, "operations[1]: component `c` does not exist; and 8 more");
    assert_eq!(refusal["code"], "conflict");
    let expected = [
        json!([1, "component", "c", "deleted"]),
        json!([2, "component", "a", "taken"]),
        json!([3, "component", "d", "stale"]),
        json!([4, "relationship", "nc", "missing"]),
        json!([5, "stakeholder", null, "taken"]),
        json!([6, "stakeholder", null, "missing"]),
        json!([7, "link", null, "missing"]),
        json!([9, "process", "none", "deleted"]),
        json!([10, "component", "c", "deleted"]),
    ];
    assert_eq!(listed(&refusal), expected);
    let conflicts = &refusal["conflicts"];
    assert_eq!((&conflicts[0]["current"], &conflicts[0]["changedBy"]["displayName"]), (&json!(null), &json!("bob")));
    assert_eq!((&conflicts[1]["current"]["id"], &conflicts[4]["current"]["id"]), (&json!("a"), &attached["id"]));
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (before, written));
}

#[tokio::test]
async fn containment_is_checked_after_all_operations() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    ada.create_relationship("w", "ab", "a", "contains", "b").await;
    // In between, b has two parents and a is part of what it contains.
    let turned = json!([
        relationship("cb", "c", "contains", "b"),
        relationship("ba", "b", "contains", "a"),
        { "op": "delete", "kind": "relationship", "id": "ab" },
    ]);
    apply(&ada, turned).await.ok();
    let written = server.log_sizes();
    let wrong =
        json!([relationship("ac", "a", "contains", "c"), component("d"), relationship("db", "d", "contains", "b"),]);
    let refusal = apply(&ada, wrong).await.expect_error(409, "would be part of itself");
    assert_eq!(
        listed(&refusal),
        [json!([0, "relationship", "ac", "cycle"]), json!([2, "relationship", "db", "has_parent"])]
    );
    assert_eq!(refusal["conflicts"][1]["current"]["id"], "cb");
    assert_eq!(server.log_sizes(), written);
    // A single relationship is rejected as before.
    let again = json!({ "sourceId": "a", "targetId": "c", "typeId": "contains" });
    ada.post("/api/workspaces/w/relationships", again).await.expect_error(400, "targetId: `");
}

#[tokio::test]
async fn the_workspace_is_stale_only_if_its_own_fields_changed() {
    let server = TestServer::new().await;
    let (ada, bob) = (server.seed_map().await, bob(&server).await);
    let read = ada.revision("w").await;
    bob.patch(&format!("{COMPONENTS}/a"), json!({ "name": "A" })).await.ok();
    let rename = |name: &str| json!([component(name), { "op": "update", "kind": "workspace", "fields": { "name": name }, "revision": read }]);
    apply(&ada, rename("Mine")).await.ok();
    let refusal = apply(&bob, rename("His")).await.expect_error(412, "workspace `w` has changed since it was read");
    assert_eq!(listed(&refusal), [json!([1, "workspace", "w", "stale"])]);
    assert_eq!(refusal["conflicts"][0]["current"]["name"], "Mine");
}
