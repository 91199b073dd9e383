//! Named versions: kept, read, restored, forgotten.

use serde_json::{Value, json};

use super::{COMPONENTS, full, said, undo};
use crate::support::{Actor, Stage};

const VERSIONS: &str = "/api/workspaces/w/versions";
const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";

/// Keeps a version; answers with its path.
async fn keep(actor: &Actor<'_>, name: &str) -> String {
    let kept = actor.post(VERSIONS, json!({ "name": name })).await.created();
    format!("{VERSIONS}/{}", kept["version"]["id"])
}

async fn restore(actor: &Actor<'_>, version: &str, batch: &str) -> Value {
    actor.header("x-batch-id", batch).send(axum::http::Method::POST, &format!("{version}/restore"), None).await.ok()
}

#[tokio::test]
async fn a_version_stays_what_it_was() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let (then, changes) = (ada.bundle("w").await, stage.changes().len());
    let new = json!({ "name": "As approved", "description": "By the board", "id": 9, "revision": 1, "createdAt": 1 });
    let kept = ada.post(VERSIONS, new).await.created()["version"].clone();
    assert_eq!((&kept["name"], &kept["description"]), (&json!("As approved"), &json!("By the board")));
    assert_eq!((&kept["revision"], &kept["createdBy"]), (&then["workspace"]["revision"], &json!(1)));
    let again = keep(&ada, "As approved").await;
    assert_eq!(stage.changes().len(), changes, "the workspace is as it was");
    assert_eq!(ada.bundle("w").await, then);
    ada.delete(A).await.ok();
    ada.patch(W, json!({ "name": "Renamed" })).await.ok();
    // Whatever the log forgets.
    stage.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    assert_eq!(ada.get(&format!("{VERSIONS}/{}", kept["id"])).await.ok(), then);
    assert_eq!(ada.get(&again).await.ok(), then);
    let list = ada.get(VERSIONS).await.ok();
    assert_eq!((&list["versions"][0], list["versions"].as_array().unwrap().len()), (&kept, 2));
    ada.delete(&again).await.ok();
    ada.get(&again).await.refused(404, "version not found");
    ada.delete(&again).await.refused(404, "version not found");
    assert_eq!(ada.get(VERSIONS).await.ok()["versions"], json!([kept]));
    let noted = |kind: &str| stage.count(&format!("SELECT count(*) FROM audit WHERE kind = 'version.{kind}'"));
    assert_eq!((noted("create"), noted("delete")), (2, 1));
    let another = keep(&ada, "Third").await;
    assert_ne!(another, again, "an id is never used again");
}

#[tokio::test]
async fn a_restored_version_is_what_was_and_restoring_is_undone_as_one() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    ada.post(&format!("{COMPONENTS}/b/stakeholders"), json!({ "personId": "grace", "linkType": "support" }))
        .await
        .created();
    let (then, links) = (ada.bundle("w").await, ada.get(&format!("{COMPONENTS}/b/links")).await.ok());
    let version = keep(&ada, "First").await;
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    ada.draw("w", &["c"]).await;
    ada.relate("w", "ca", "c", "contains", "a").await;
    ada.delete("/api/workspaces/w/processes/order").await.ok();
    ada.patch(W, json!({ "name": "Renamed", "visibility": "private", "properties": { "x": 1 } })).await.ok();
    let after = ada.bundle("w").await;

    let restored = restore(&ada, &version, "back").await;
    assert_eq!((&restored["batchId"], &restored["skipped"]), (&json!("back"), &json!([])));
    assert_eq!(restored["revision"], json!(ada.revision("w").await));
    // a, b, c, both relationships, the stakeholder and the link of b, the process, the workspace itself.
    assert_eq!((restored["rows"].as_i64().unwrap(), stage.gesture("back").len()), (9, 9));
    let mut expected = said(&then);
    expected["workspace"]["visibility"] = "private".into();
    assert_eq!(said(&ada.bundle("w").await), expected);
    let back = ada.get(&format!("{COMPONENTS}/b/links")).await.ok();
    assert_eq!(back["links"][0]["id"], links["links"][0]["id"]);

    undo(&ada, "back", "undone").await.ok();
    assert_eq!(said(&ada.bundle("w").await), said(&after));
    undo(&ada, "undone", "redone").await.ok();
    assert_eq!(said(&ada.bundle("w").await), expected);
    // What is so already is not written.
    let changes = stage.changes().len();
    assert_eq!(restore(&ada, &version, "again").await["rows"], 0);
    assert_eq!(stage.changes().len(), changes);
}

#[tokio::test]
async fn a_version_overwrites_what_others_have_written_since_but_not_who_has_access() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let version = keep(&ada, "First").await;
    let user = stage.seed_member("bob", "acme", "org:member");
    ada.post(&format!("{W}/members"), json!({ "userId": user, "role": "editor" })).await.ok();
    let bob = stage.sign_in("bob").await;
    bob.patch(A, json!({ "name": "His" })).await.ok();
    bob.draw("w", &["his"]).await;
    bob.relate("w", "his-a", "his", "uses", "a").await;
    restore(&ada, &version, "back").await;
    let bundle = ada.bundle("w").await;
    assert_eq!((&bundle["components"][0]["name"], &bundle["components"][2]), (&json!("a"), &json!(null)));
    assert_eq!(ada.get(&format!("{W}/members")).await.ok()["members"].as_array().unwrap().len(), 2);
    let mut follower = bob.follow("w", "").await;
    undo(&ada, "back", "undone").await.ok();
    assert_eq!(follower.hear().await.what(), "update component a");
}

#[tokio::test]
async fn stakeholders_who_are_gone_are_left_out_and_named() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let team = ada.post("/api/teams", json!({ "id": "crew", "name": "Crew" })).await;
    team.created();
    let path = format!("{COMPONENTS}/b/stakeholders");
    ada.post(&path, json!({ "teamId": "crew", "linkType": "owner" })).await.created();
    let kept =
        ada.post(&path, json!({ "teamId": "crew", "linkType": "support" })).await.created()["stakeholder"].clone();
    let version = keep(&ada, "First").await;
    ada.delete("/api/people/grace?force=true").await.ok();
    // This one is there still, as something else; the role that it had is gone.
    ada.patch(&format!("{path}/{}", kept["id"]), json!({ "linkType": "business-owner" })).await.ok();
    ada.delete("/api/stakeholder-link-types/support").await.ok();
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let restored = restore(&ada, &version, "back").await;
    let why: Vec<_> = restored["skipped"].as_array().unwrap().iter().map(|one| one["why"].clone()).collect();
    assert_eq!(why, ["the person `grace` is not there any more", "the role `support` is not there any more"]);
    assert_eq!(restored["skipped"][0]["name"], "grace of a");
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["components"][0]["name"], "a");
    let roles: Vec<_> = bundle["stakeholders"].as_array().unwrap().iter().map(|one| one["linkType"].clone()).collect();
    assert_eq!(roles, ["owner", "business-owner"]);
    // What cannot be shown of the version is no obstacle to reading it.
    assert_eq!(ada.get(&version).await.ok()["stakeholders"][0]["person"], json!(null));
}

#[tokio::test]
async fn two_stakeholders_who_changed_places_change_back() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let path = format!("{COMPONENTS}/b/stakeholders");
    let mut ids = Vec::new();
    for role in ["owner", "support"] {
        let link = ada.post(&path, json!({ "personId": "grace", "linkType": role })).await.created();
        ids.push(link["stakeholder"]["id"].clone());
    }
    let (then, version) = (ada.bundle("w").await, keep(&ada, "First").await);
    for (id, role) in [(&ids[0], "business-owner"), (&ids[1], "owner"), (&ids[0], "support")] {
        ada.patch(&format!("{path}/{id}"), json!({ "linkType": role })).await.ok();
    }
    let after = ada.bundle("w").await;
    restore(&ada, &version, "back").await;
    assert_eq!(said(&ada.bundle("w").await), said(&then));
    undo(&ada, "back", "undone").await.ok();
    assert_eq!(said(&ada.bundle("w").await), said(&after));
}

#[tokio::test]
async fn what_cannot_be_a_version_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let written = stage.written();
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
        ada.post(VERSIONS, body).await.refused(400, text);
    }
    let twice = r#"{"name":"A","name":"B"}"#;
    let post = axum::http::Method::POST;
    ada.send_raw(post.clone(), VERSIONS, Some("application/json"), twice).await.refused(400, "name: is repeated");
    ada.send_raw(post.clone(), VERSIONS, Some("text/plain"), "{}").await.refused(415, "must be JSON");
    for (id, status) in [("0", 404), ("-1", 404), ("7", 404), ("x", 400), ("1e3", 400), ("%2F", 400), ("漢字", 400)] {
        let path = format!("{VERSIONS}/{}", if id == "%2F" { id.into() } else { crate::support::segment(id) });
        ada.get(&path).await.expect(status);
        ada.delete(&path).await.expect(status);
        ada.send(post.clone(), &format!("{path}/restore"), None).await.expect(status);
    }
    assert_eq!(stage.written(), written);
    // Another workspace's version is none of this one.
    let version = keep(&ada, "First").await;
    ada.found("v").await;
    let elsewhere = version.replace("/w/", "/v/");
    ada.get(&elsewhere).await.refused(404, "version not found");
    ada.delete(&elsewhere).await.refused(404, "version not found");
    ada.send(post, &format!("{elsewhere}/restore"), None).await.refused(404, "version not found");
}

#[tokio::test]
async fn versions_are_limited_kept_once_and_deleted_as_they_were_read() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let once = ada.header("idempotency-key", "k");
    let first = once.post(VERSIONS, json!({ "name": "V" })).await.created();
    assert_eq!(once.post(VERSIONS, json!({ "name": "V" })).await.created(), first);
    let path = format!("{VERSIONS}/{}", first["version"]["id"]);
    ada.header("if-match", "\"999\"").delete(&path).await.refused(412, "has changed");
    let restoring = ada.header("idempotency-key", "r");
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let restored = restore(&restoring, &path, "back").await;
    ada.patch(A, json!({ "name": "Later" })).await.ok();
    assert_eq!(restore(&restoring, &path, "back").await, restored, "it was done before");
    assert_eq!(ada.bundle("w").await["components"][0]["name"], "Later");
    stage.sql(|conn| {
        let more = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                    INSERT INTO version (workspace_pk, name, revision, snapshot, created_at)
                    SELECT workspace_pk, name, revision, snapshot, 1 FROM version, n";
        assert_eq!(conn.execute(more, []).unwrap(), 199);
    });
    ada.post(VERSIONS, json!({ "name": "V" })).await.refused(409, "201 versions, and the limit is 200");
    ada.header("if-match", &format!("\"{}\"", first["version"]["revision"])).delete(&path).await.ok();
    assert_eq!(restore(&restoring, &path, "back").await, restored, "it was done before it was deleted");
    ada.post(VERSIONS, json!({ "name": "V" })).await.created();
    // They go with the workspace.
    ada.delete(W).await.ok();
    stage.sql(|conn| conn.execute("UPDATE workspace SET deleted_at = 1", []).unwrap());
    planroom::jobs::sweep(&stage.app.gate).await.unwrap();
    assert_eq!(stage.count("SELECT count(*) FROM version"), 0);
}
