//! Named versions: create, read, restore, delete.

use serde_json::{Value, json};

use super::{COMPONENTS, full, undo, without_metadata};
use crate::support::{TestClient, TestServer};

const VERSIONS: &str = "/api/workspaces/w/versions";
const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";

/// Creates a version. Returns its path.
async fn create_version(client: &TestClient<'_>, name: &str) -> String {
    let kept = client.post(VERSIONS, json!({ "name": name })).await.created();
    format!("{VERSIONS}/{}", kept["version"]["id"])
}

async fn restore(client: &TestClient<'_>, version: &str, batch: &str) -> Value {
    client.header("x-batch-id", batch).send(axum::http::Method::POST, &format!("{version}/restore"), None).await.ok()
}

#[tokio::test]
async fn a_version_never_changes() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let (then, changes) = (ada.bundle("w").await, server.changes().len());
    let new = json!({ "name": "As approved", "description": "By the board", "id": 9, "revision": 1, "createdAt": 1 });
    let kept = ada.post(VERSIONS, new).await.created()["version"].clone();
    assert_eq!((&kept["name"], &kept["description"]), (&json!("As approved"), &json!("By the board")));
    assert_eq!((&kept["revision"], &kept["createdBy"]), (&then["workspace"]["revision"], &json!(1)));
    let again = create_version(&ada, "As approved").await;
    assert_eq!(server.changes().len(), changes, "the workspace is as it was");
    assert_eq!(ada.bundle("w").await, then);
    ada.delete(A).await.ok();
    ada.patch(W, json!({ "name": "Renamed" })).await.ok();
    // Even after the change log was truncated.
    server.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    for path in [format!("{VERSIONS}/{}", kept["id"]), again.clone()] {
        let mut version = ada.get(&path).await.ok();
        assert_eq!(version.as_object_mut().unwrap().remove("links").unwrap().as_array().unwrap().len(), 2);
        super::past_states::without_notes(&mut version);
        assert_eq!(version, then);
    }
    let list = ada.get(VERSIONS).await.ok();
    assert_eq!((&list["versions"][0], list["versions"].as_array().unwrap().len()), (&kept, 2));
    ada.delete(&again).await.ok();
    ada.get(&again).await.expect_error(404, "version not found");
    ada.delete(&again).await.expect_error(404, "version not found");
    assert_eq!(ada.get(VERSIONS).await.ok()["versions"], json!([kept]));
    let noted = |kind: &str| server.count(&format!("SELECT count(*) FROM audit WHERE kind = 'version.{kind}'"));
    assert_eq!((noted("create"), noted("delete")), (2, 1));
    let another = create_version(&ada, "Third").await;
    assert_ne!(another, again, "an id is never used again");
}

#[tokio::test]
async fn restoring_a_version_is_undone_as_one_change_set() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    ada.post(&format!("{COMPONENTS}/b/stakeholders"), json!({ "personId": "grace", "linkType": "support" }))
        .await
        .created();
    let (then, links) = (ada.bundle("w").await, ada.get(&format!("{COMPONENTS}/b/links")).await.ok());
    let version = create_version(&ada, "First").await;
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    ada.create_components("w", &["c"]).await;
    ada.create_relationship("w", "ca", "c", "contains", "a").await;
    ada.delete("/api/workspaces/w/processes/order").await.ok();
    ada.patch(W, json!({ "name": "Renamed", "visibility": "private", "properties": { "x": 1 } })).await.ok();
    let after = ada.bundle("w").await;

    let restored = restore(&ada, &version, "back").await;
    assert_eq!((&restored["batchId"], &restored["skipped"]), (&json!("back"), &json!([])));
    assert_eq!(restored["revision"], json!(ada.revision("w").await));
    // a, b, c, both relationships, the stakeholder and the link of b, the process, the workspace itself.
    assert_eq!((restored["rows"].as_i64().unwrap(), server.changes_of("back").len()), (9, 9));
    let mut expected = without_metadata(&then);
    expected["workspace"]["visibility"] = "private".into();
    assert_eq!(without_metadata(&ada.bundle("w").await), expected);
    let back = ada.get(&format!("{COMPONENTS}/b/links")).await.ok();
    assert_eq!(back["links"][0]["id"], links["links"][0]["id"]);

    undo(&ada, "back", "undone").await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&after));
    undo(&ada, "undone", "redone").await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), expected);
    // Rows that already match are not written.
    let changes = server.changes().len();
    assert_eq!(restore(&ada, &version, "again").await["rows"], 0);
    assert_eq!(server.changes().len(), changes);
}

#[tokio::test]
async fn restoring_a_version_overwrites_later_changes_but_not_access() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let version = create_version(&ada, "First").await;
    let user = server.seed_member("bob", "acme", "org:member");
    ada.post(&format!("{W}/members"), json!({ "userId": user, "role": "editor" })).await.ok();
    let bob = server.sign_in("bob").await;
    bob.patch(A, json!({ "name": "His" })).await.ok();
    bob.create_components("w", &["his"]).await;
    bob.create_relationship("w", "his-a", "his", "uses", "a").await;
    restore(&ada, &version, "back").await;
    let bundle = ada.bundle("w").await;
    assert_eq!((&bundle["components"][0]["name"], &bundle["components"][2]), (&json!("a"), &json!(null)));
    assert_eq!(ada.get(&format!("{W}/members")).await.ok()["members"].as_array().unwrap().len(), 2);
    let mut follower = bob.follow("w", "").await;
    undo(&ada, "back", "undone").await.ok();
    assert_eq!(follower.next_event().await.what(), "update component a");
}

#[tokio::test]
async fn missing_stakeholders_are_left_out_and_listed() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let team = ada.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await;
    team.created();
    let path = format!("{COMPONENTS}/b/stakeholders");
    ada.post(&path, json!({ "teamId": "crew", "linkType": "owner" })).await.created();
    let kept =
        ada.post(&path, json!({ "teamId": "crew", "linkType": "support" })).await.created()["stakeholder"].clone();
    let version = create_version(&ada, "First").await;
    ada.delete("/api/people/grace?force=true").await.ok();
    // This stakeholder still exists in another role; the earlier role was deleted.
    ada.patch(&format!("{path}/{}", kept["id"]), json!({ "linkType": "business-owner" })).await.ok();
    ada.delete("/api/stakeholder-link-types/support").await.ok();
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let restored = restore(&ada, &version, "back").await;
    let why: Vec<_> = restored["skipped"].as_array().unwrap().iter().map(|one| one["why"].clone()).collect();
    assert_eq!(why, ["the person `grace` no longer exists", "the role `support` no longer exists"]);
    assert_eq!(restored["skipped"][0]["name"], "grace of a");
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["components"][0]["name"], "a");
    let roles: Vec<_> = bundle["stakeholders"].as_array().unwrap().iter().map(|one| one["linkType"].clone()).collect();
    assert_eq!(roles, ["owner", "business-owner"]);
    // Missing stakeholders do not prevent reading the version.
    assert_eq!(ada.get(&version).await.ok()["stakeholders"][0]["person"], json!(null));
}

#[tokio::test]
async fn two_stakeholders_who_swapped_places_are_swapped_back() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let path = format!("{COMPONENTS}/b/stakeholders");
    let mut ids = Vec::new();
    for role in ["owner", "support"] {
        let link = ada.post(&path, json!({ "personId": "grace", "linkType": role })).await.created();
        ids.push(link["stakeholder"]["id"].clone());
    }
    let (then, version) = (ada.bundle("w").await, create_version(&ada, "First").await);
    for (id, role) in [(&ids[0], "business-owner"), (&ids[1], "owner"), (&ids[0], "support")] {
        ada.patch(&format!("{path}/{id}"), json!({ "linkType": role })).await.ok();
    }
    let after = ada.bundle("w").await;
    restore(&ada, &version, "back").await;
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&then));
    undo(&ada, "back", "undone").await.ok();
    assert_eq!(without_metadata(&ada.bundle("w").await), without_metadata(&after));
}

#[tokio::test]
async fn an_invalid_version_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    let cases = [
        (json!({}), "name: is required"),
        (json!({ "name": null }), "name"),
        (json!({ "name": "" }), "name: must have 1 to 200"),
        (json!({ "name": 7 }), "name"),
        (json!({ "name": ["x"] }), "name"),
        (json!({ "name": "x".repeat(201) }), "name: must have 1 to 200"),
        (json!({ "name": "V", "description": "x".repeat(10_001) }), "description"),
        (json!({ "name": "V", "description": 1 }), "description"),
        (json!({ "name": "V", "snapshot": "x" }), "snapshot: this resource has no such field"),
        (json!([]), "expected an object"),
    ];
    for (body, text) in cases {
        ada.post(VERSIONS, body).await.expect_error(400, text);
    }
    let twice = r#"{"name":"A","name":"B"}"#;
    let post = axum::http::Method::POST;
    ada.send_raw(post.clone(), VERSIONS, Some("application/json"), twice).await.expect_error(400, "name: is repeated");
    ada.send_raw(post.clone(), VERSIONS, Some("text/plain"), "{}").await.expect_error(415, "must be JSON");
    for (id, status) in [("0", 404), ("-1", 404), ("7", 404), ("x", 400), ("1e3", 400), ("%2F", 400), ("漢字", 400)] {
        let path = format!("{VERSIONS}/{}", if id == "%2F" { id.into() } else { crate::support::segment(id) });
        ada.get(&path).await.expect(status);
        ada.delete(&path).await.expect(status);
        ada.send(post.clone(), &format!("{path}/restore"), None).await.expect(status);
    }
    assert_eq!(server.log_sizes(), written);
    // A version of another workspace is not found.
    let version = create_version(&ada, "First").await;
    ada.create_workspace("v").await;
    let elsewhere = version.replace("/w/", "/v/");
    ada.get(&elsewhere).await.expect_error(404, "version not found");
    ada.delete(&elsewhere).await.expect_error(404, "version not found");
    ada.send(post, &format!("{elsewhere}/restore"), None).await.expect_error(404, "version not found");
}

#[tokio::test]
async fn versions_are_limited_idempotent_and_deleted_conditionally() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let once = ada.header("idempotency-key", "k");
    let first = once.post(VERSIONS, json!({ "name": "V" })).await.created();
    assert_eq!(once.post(VERSIONS, json!({ "name": "V" })).await.created(), first);
    let path = format!("{VERSIONS}/{}", first["version"]["id"]);
    ada.header("if-match", "\"999\"").delete(&path).await.expect_error(412, "has changed");
    let restoring = ada.header("idempotency-key", "r");
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let restored = restore(&restoring, &path, "back").await;
    ada.patch(A, json!({ "name": "Later" })).await.ok();
    assert_eq!(restore(&restoring, &path, "back").await, restored, "it was done before");
    assert_eq!(ada.bundle("w").await["components"][0]["name"], "Later");
    server.sql(|conn| {
        let more = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                    INSERT INTO version (workspace_pk, name, revision, snapshot, created_at)
                    SELECT workspace_pk, name, revision, snapshot, 1 FROM version, n";
        assert_eq!(conn.execute(more, []).unwrap(), 199);
    });
    ada.post(VERSIONS, json!({ "name": "V" })).await.expect_error(409, "201 versions, and the limit is 200");
    ada.header("if-match", &format!("\"{}\"", first["version"]["revision"])).delete(&path).await.ok();
    assert_eq!(restore(&restoring, &path, "back").await, restored, "it was done before it was deleted");
    ada.post(VERSIONS, json!({ "name": "V" })).await.created();
    // Versions are deleted with the workspace.
    ada.delete(W).await.ok();
    server.sql(|conn| conn.execute("UPDATE workspace SET deleted_at = 1", []).unwrap());
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM version"), 0);
}
