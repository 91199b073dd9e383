//! A workspace as it was, and what has changed since.

use serde_json::{Value, json};

use super::{COMPONENTS, full};
use crate::support::{Actor, Stage};

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";

/// A past state without its links, which the bundle of the present does not have.
async fn at(actor: &Actor<'_>, revision: i64) -> Value {
    let mut then = actor.get(&format!("{W}?at={revision}")).await.ok();
    assert!(then.as_object_mut().unwrap().remove("links").unwrap().is_array());
    then
}

async fn difference(actor: &Actor<'_>, query: &str) -> Value {
    actor.get(&format!("{W}/history/difference?{query}")).await.ok()
}

#[tokio::test]
async fn every_state_can_be_read_again_as_it_was() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    ada.post(&format!("{COMPONENTS}/b/stakeholders"), json!({ "personId": "grace", "linkType": "support" }))
        .await
        .created();
    let mut states = vec![ada.bundle("w").await];
    let mut keep = async || states.push(ada.bundle("w").await);
    ada.patch(A, json!({ "name": "Anew", "x": 3, "y": 4 })).await.ok();
    keep().await;
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    keep().await;
    ada.patch(W, json!({ "name": "Renamed", "visibility": "private", "description": "Text" })).await.ok();
    keep().await;
    ada.post(&format!("{W}/members"), json!({ "userId": stage.seed_member("bob", "acme", "org:member") })).await.ok();
    keep().await;
    let component = |id: &str| json!({ "id": id, "typeId": "queue", "name": id });
    let model = json!({ "components": [component("z"), component("b"), component("a")], "relationships": [] });
    ada.put(&format!("{W}/bulk"), model).await.ok();
    keep().await;
    ada.post(&format!("{W}/processes"), json!({ "name": "Later", "mermaid": "sequenceDiagram" })).await.created();
    keep().await;
    for state in states {
        assert_eq!(at(&ada, state["workspace"]["revision"].as_i64().unwrap()).await, state);
    }
}

#[tokio::test]
async fn what_a_revision_was_it_stays_whatever_is_written_later_under_the_same_label() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
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
async fn a_past_state_and_a_version_have_the_links_of_then() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
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
async fn a_past_state_shows_the_people_of_today() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
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
async fn a_past_state_has_a_tag_of_its_own_that_nobody_can_write_over() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let then = ada.revision("w").await;
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    let reply = ada.get(&format!("{W}?at={then}")).await;
    let tag = reply.header("etag").to_owned();
    assert_ne!(tag, ada.tag("w").await);
    let again = ada.header("if-none-match", &tag).get(&format!("{W}?at={then}")).await;
    assert_eq!(again.status.as_u16(), 304);
    ada.header("if-match", &tag).patch(W, json!({ "name": "Over" })).await.refused(412, "has changed");
}

#[tokio::test]
async fn a_workspace_that_came_back_under_another_id_is_read_under_that() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let then = ada.bundle("w").await;
    let rename = ada.header("x-batch-id", "gesture").patch(A, json!({ "name": "Anew" })).await;
    rename.ok();
    ada.delete(W).await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    ada.post("/api/workspaces/restore", json!({ "pk": pk, "id": "v" })).await.ok();
    let revision = then["workspace"]["revision"].as_i64().unwrap();
    let mut was = ada.get(&format!("/api/workspaces/v?at={revision}")).await.ok();
    assert_eq!(was.as_object_mut().unwrap().remove("links").unwrap()[0]["workspaceId"], "v");
    let text = then.to_string().replace(r#""workspaceId":"w""#, r#""workspaceId":"v""#);
    let mut expected: Value = serde_json::from_str(&text).unwrap();
    expected["workspace"]["id"] = "v".into();
    assert_eq!(was, expected);
    // While it was deleted it was what it was.
    let deleted = ada.get(&format!("/api/workspaces/v?at={}", revision + 2)).await.ok();
    assert_eq!(deleted["workspace"]["name"], "w");
    // And what was done before can be undone.
    ada.post("/api/workspaces/v/undo", json!({ "batchId": "gesture" })).await.ok();
    assert_eq!(ada.bundle("v").await["components"][0]["name"], "a");
}

#[tokio::test]
async fn two_revisions_are_compared_by_what_was_added_changed_and_removed() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let (from, b) = (ada.revision("w").await, ada.bundle("w").await["components"][1].clone());
    ada.patch(A, json!({ "name": "Anew", "description": "More" })).await.ok();
    ada.delete(&format!("{COMPONENTS}/b")).await.ok();
    ada.draw("w", &["c"]).await;
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
    // Backwards, it is the other way round.
    let back = difference(&ada, &format!("from={to}&to={from}")).await;
    assert_eq!(
        (&back["components"]["added"], &back["components"]["removed"]),
        (&components["removed"], &components["added"])
    );
    // What moved forth and back has not changed.
    let from = ada.revision("w").await;
    ada.patch(A, json!({ "name": "Forth" })).await.ok();
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    assert_eq!(difference(&ada, &format!("from={from}")).await["components"], none);
}

#[tokio::test]
async fn a_revision_that_cannot_be_read_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let now = ada.revision("w").await;
    for at in ["0", "-1", "-9223372036854775808"] {
        ada.get(&format!("{W}?at={at}")).await.refused(400, "at: must be a revision");
        ada.get(&format!("{W}/history/difference?from={at}")).await.refused(400, "from: must be a revision");
        ada.get(&format!("{W}/history/difference?from=1&to={at}")).await.refused(400, "to: must be a revision");
    }
    for at in ["", "x", "1e99", "1.0", "99999999999999999999", "null", "%00", "1&at=2"] {
        ada.get(&format!("{W}?at={at}")).await.refused(400, "the query is not usable");
        ada.get(&format!("{W}/history/difference?from={}", at.replace("at=", "from=")))
            .await
            .refused(400, "not usable");
    }
    ada.get(&format!("{W}/history/difference")).await.refused(400, "missing field `from`");
    let text = format!("revision {} not found; this workspace can be read as it was at revisions 1 to {now}", now + 1);
    ada.get(&format!("{W}?at={}", now + 1)).await.refused(404, &text);
    ada.get(&format!("{W}/history/difference?from=1&to={}", now + 1)).await.refused(404, &text);
    ada.get(&format!("{W}?at=9223372036854775807")).await.refused(404, "not found");
    ada.get("/api/workspaces/nowhere?at=1").await.refused(404, "workspace not found");
    ada.get("/api/workspaces/nowhere/history/difference?from=1").await.refused(404, "workspace not found");
}
