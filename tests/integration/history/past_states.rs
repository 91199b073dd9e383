//! Past states of a workspace, and differences between them.

use serde_json::{Value, json};

use super::{COMPONENTS, full};
use crate::support::{TestClient, TestServer};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";

/// A past state without links, which the current bundle does not have.
async fn at(client: &TestClient<'_>, revision: i64) -> Value {
    let mut then = client.get(&format!("{W}?at={revision}")).await.ok();
    assert!(then.as_object_mut().unwrap().remove("links").unwrap().is_array());
    without_notes(&mut then);
    then
}

/// Removes the notes and views, which bundles of the present contain only on request, from the bundle of a past state.
pub(super) fn without_notes(bundle: &mut Value) {
    for part in ["views", "viewPlaces", "viewLines", "tours", "decisions"] {
        assert_eq!(bundle.as_object_mut().unwrap().remove(part), Some(json!([])), "{part}");
    }
    assert_eq!(bundle.as_object_mut().unwrap().remove("notes"), Some(json!([])));
    assert_eq!(bundle["places"].as_object_mut().unwrap().remove("notes"), Some(json!([])));
}

async fn difference(client: &TestClient<'_>, query: &str) -> Value {
    client.get(&format!("{W}/history/difference?{query}")).await.ok()
}

#[tokio::test]
async fn every_past_state_can_be_read() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    ada.post(&format!("{COMPONENTS}/b/stakeholders"), json!({ "personId": "grace", "linkType": "support" }))
        .await
        .created();
    let mut states = vec![ada.bundle("w").await];
    let mut remember = async || states.push(ada.bundle("w").await);
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    remember().await;
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    remember().await;
    ada.patch(W, json!({ "name": "Renamed", "visibility": "private", "description": "Text" })).await.ok();
    remember().await;
    ada.post(&format!("{W}/members"), json!({ "userId": server.seed_member("bob", "acme", "org:member") })).await.ok();
    remember().await;
    let component = |id: &str| json!({ "id": id, "typeId": "queue", "name": id });
    let model = json!({ "components": [component("z"), component("b"), component("a")], "relationships": [] });
    ada.put(&format!("{W}/bulk"), model).await.ok();
    remember().await;
    ada.post(&format!("{W}/processes"), json!({ "name": "Later", "mermaid": "sequenceDiagram" })).await.created();
    remember().await;
    for state in states {
        assert_eq!(at(&ada, state["workspace"]["revision"].as_i64().unwrap()).await, state);
    }
}

#[tokio::test]
async fn a_past_revision_does_not_change_with_later_writes_under_the_same_label() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let labeled = ada.header("x-batch-id", "drag");
    let mut states = Vec::new();
    for x in 1..4 {
        labeled.patch(COMPONENTS, json!([{ "id": "a", "x": x, "y": 0 }])).await.ok();
        states.push(ada.bundle("w").await);
        ada.patch(&format!("{COMPONENTS}/b"), json!({ "name": format!("B{x}") })).await.ok();
        states.push(ada.bundle("w").await);
    }
    for (name, runbook) in [("Evil", "https://evil.example"), ("a", "")] {
        labeled.patch(A, json!({ "name": name, "properties": { "runbook": runbook } })).await.ok();
        states.push(ada.bundle("w").await);
    }
    for state in &states {
        assert_eq!(at(&ada, state["workspace"]["revision"].as_i64().unwrap()).await, *state);
    }
    let changes = ada.get(&format!("{W}/history?limit=2&entity=component&entityId=a")).await.ok()["changes"].clone();
    assert_eq!((&changes[1]["row"]["name"], &changes[0]["before"]["name"]), (&json!("Evil"), &json!("Evil")));
}

#[tokio::test]
async fn past_states_and_versions_include_their_links() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let (then, link) =
        (ada.revision("w").await, ada.get(&format!("{COMPONENTS}/b/links")).await.ok()["links"][0].clone());
    let version = ada.post(&format!("{W}/versions"), json!({ "name": "V" })).await.created()["version"].clone();
    ada.delete(&format!("{COMPONENTS}/b/links/{}", link["id"])).await.ok();
    for path in [format!("{W}?at={then}"), format!("{W}/versions/{}", version["id"])] {
        assert_eq!(ada.get(&path).await.ok()["links"][1], link, "{path}");
    }
    assert_eq!(ada.get(&format!("{W}?at={}", then + 1)).await.ok()["links"].as_array().unwrap().len(), 1);
    assert!(ada.bundle("w").await.get("links").is_none());
}

#[tokio::test]
async fn a_past_state_shows_current_people() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let path = format!("{COMPONENTS}/b/stakeholders");
    let link = ada.post(&path, json!({ "personId": "grace", "linkType": "support" })).await.created();
    let then = ada.revision("w").await;
    ada.delete(&format!("{path}/{}", link["stakeholder"]["id"])).await.ok();
    ada.patch("/api/people/grace", json!({ "name": "Rear Admiral" })).await.ok();
    let shown = |bundle: Value| {
        let links = bundle["stakeholders"].as_array().unwrap().clone();
        links.into_iter().find(|one| one["componentId"] == "b").unwrap()
    };
    assert_eq!(shown(at(&ada, then).await)["person"]["name"], "Rear Admiral");
    ada.delete("/api/people/grace?force=true").await.ok();
    let gone = shown(at(&ada, then).await);
    assert_eq!((&gone["personId"], &gone["person"]), (&json!("grace"), &json!(null)));
}

#[tokio::test]
async fn a_past_state_has_its_own_tag_that_does_not_match_writes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let then = ada.revision("w").await;
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let reply = ada.get(&format!("{W}?at={then}")).await;
    let tag = reply.header("etag").to_owned();
    assert_ne!(tag, ada.etag("w").await);
    let again = ada.header("if-none-match", &tag).get(&format!("{W}?at={then}")).await;
    assert_eq!(again.status.as_u16(), 304);
    ada.header("if-match", &tag).patch(W, json!({ "name": "Over" })).await.expect_error(412, "has changed");
}

#[tokio::test]
async fn a_workspace_restored_under_another_id_is_read_under_that_id() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let then = ada.bundle("w").await;
    let rename = ada.header("x-batch-id", "gesture").patch(A, json!({ "name": "Anew" })).await;
    rename.ok();
    ada.delete(W).await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    ada.post("/api/workspaces/restore", json!({ "pk": pk, "id": "v" })).await.ok();
    let revision = then["workspace"]["revision"].as_i64().unwrap();
    let mut was = ada.get(&format!("/api/workspaces/v?at={revision}")).await.ok();
    assert_eq!(was.as_object_mut().unwrap().remove("links").unwrap()[0]["workspaceId"], "v");
    without_notes(&mut was);
    let text = then.to_string().replace(r#""workspaceId":"w""#, r#""workspaceId":"v""#);
    let mut expected: Value = serde_json::from_str(&text).unwrap();
    expected["workspace"]["id"] = "v".into();
    assert_eq!(was, expected);
    // Revisions remain readable while the workspace is deleted.
    let deleted = ada.get(&format!("/api/workspaces/v?at={}", revision + 2)).await.ok();
    assert_eq!(deleted["workspace"]["name"], "w");
    // Earlier changes can be undone.
    ada.post("/api/workspaces/v/undo", json!({ "batchId": "gesture" })).await.ok();
    assert_eq!(ada.bundle("v").await["components"][0]["name"], "a");
}

#[tokio::test]
async fn two_revisions_are_compared_by_added_changed_and_removed_rows() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let (from, b) = (ada.revision("w").await, ada.bundle("w").await["components"][1].clone());
    ada.patch(A, json!({ "name": "Anew", "description": "More" })).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    ada.create_components("w", &["c"]).await;
    ada.patch(W, json!({ "name": "Renamed" })).await.ok();
    let to = ada.revision("w").await;
    let told = difference(&ada, &format!("from={from}")).await;
    assert_eq!((&told["from"], &told["to"]), (&json!(from), &json!(to)));
    assert_eq!(told["workspace"], json!({ "name": { "from": "w", "to": "Renamed" } }));
    let fields = json!({ "description": { "from": null, "to": "More" }, "name": { "from": "a", "to": "Anew" } });
    let components = &told["components"];
    assert_eq!(components["changed"], json!([{ "entityId": "a", "name": "Anew", "fields": fields }]));
    assert_eq!(components["removed"], json!([{ "seq": 2 << 20, "row": b }]));
    assert_eq!((&components["added"][0]["row"]["id"], &components["added"][1]), (&json!("c"), &json!(null)));
    assert_eq!(told["relationships"]["removed"][0]["row"]["id"], "r");
    assert_eq!(told["links"]["removed"][0]["row"]["url"], "https://example.org/b");
    let none = json!({ "added": [], "changed": [], "removed": [] });
    assert_eq!((&told["processes"], &told["stakeholders"]), (&none, &none));
    // Swapping the revisions reverses the result.
    let back = difference(&ada, &format!("from={to}&to={from}")).await;
    assert_eq!(
        (&back["components"]["added"], &back["components"]["removed"]),
        (&components["removed"], &components["added"])
    );
    // A row that moved forth and back is unchanged.
    let from = ada.revision("w").await;
    ada.patch(A, json!({ "name": "Forth" })).await.ok();
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    assert_eq!(difference(&ada, &format!("from={from}")).await["components"], none);
}

#[tokio::test]
async fn an_unreadable_revision_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let now = ada.revision("w").await;
    for at in ["0", "-1", "-9223372036854775808"] {
        ada.get(&format!("{W}?at={at}")).await.expect_error(400, "at: must be a revision");
        ada.get(&format!("{W}/history/difference?from={at}")).await.expect_error(400, "from: must be a revision");
        ada.get(&format!("{W}/history/difference?from=1&to={at}")).await.expect_error(400, "to: must be a revision");
    }
    for at in ["", "x", "1e99", "1.0", "99999999999999999999", "null", "%00", "1&at=2"] {
        ada.get(&format!("{W}?at={at}")).await.expect_error(400, "invalid query");
        ada.get(&format!("{W}/history/difference?from={}", at.replace("at=", "from=")))
            .await
            .expect_error(400, "invalid");
    }
    ada.get(&format!("{W}/history/difference")).await.expect_error(400, "missing field `from`");
    let text = format!("revision {} not found; revisions 1 to {now} of this workspace are available", now + 1);
    ada.get(&format!("{W}?at={}", now + 1)).await.expect_error(404, &text);
    ada.get(&format!("{W}/history/difference?from=1&to={}", now + 1)).await.expect_error(404, &text);
    ada.get(&format!("{W}?at=9223372036854775807")).await.expect_error(404, "not found");
    ada.get("/api/workspaces/nowhere?at=1").await.expect_error(404, "workspace not found");
    ada.get("/api/workspaces/nowhere/history/difference?from=1").await.expect_error(404, "workspace not found");
}
