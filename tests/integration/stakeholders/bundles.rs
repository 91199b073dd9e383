//! The bundle notices what becomes of the people and teams in it.

use std::io::Read;

use serde_json::{Value, json};

use super::known;
use crate::support::{Actor, Stage};

const MAP: &str = "/api/workspaces/w";

/// The names of the stakeholders in the bundle, in each form in which it is sent.
async fn names(actor: &Actor<'_>) -> Vec<String> {
    let plain = actor.bundle("w").await;
    let packed = actor.header("accept-encoding", "gzip").get(MAP).await;
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*packed.bytes).read_to_string(&mut text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), plain);
    let name =
        |row: &Value| row.pointer("/person/name").or(row.pointer("/team/name")).unwrap().as_str().unwrap().into();
    plain["stakeholders"].as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn a_person_or_team_that_is_renamed_is_a_new_bundle_also_where_the_old_one_was_kept() {
    let stage = Stage::new().await;
    let ada = known(&stage).await;
    ada.attach("w", "a", "owner").await;
    let team = json!({ "teamId": "t", "linkType": "support" });
    ada.post("/api/workspaces/w/components/a/stakeholders", team).await.created();
    assert_eq!(names(&ada).await, ["Grace", "Team T"]);
    let (first, revision) = (ada.tag("w").await, ada.revision("w").await);

    ada.patch("/api/people/grace", json!({ "name": "Hopper" })).await.ok();
    let second = ada.header("if-none-match", &first).get(MAP).await;
    assert_eq!(second.ok()["stakeholders"][0]["person"]["name"], "Hopper");
    assert_eq!(names(&ada).await, ["Hopper", "Team T"]);
    ada.patch("/api/teams/t", json!({ "name": "Payments" })).await.ok();
    let third = ada.header("if-none-match", second.header("etag")).get(MAP).await;
    assert_eq!(third.ok()["stakeholders"][1]["team"]["name"], "Payments");
    assert_eq!(names(&ada).await, ["Hopper", "Payments"]);
    assert_eq!(ada.revision("w").await, revision, "nothing in the workspace itself has changed");
    // To write over the workspace, one need not have seen it.
    ada.header("if-match", &first).patch(MAP, json!({ "name": "N" })).await.ok();
}

#[tokio::test]
async fn a_bundle_that_nothing_happened_to_stays_the_same() {
    let stage = Stage::new().await;
    stage.seed_org("other", "otto");
    let (ada, otto) = (known(&stage).await, stage.sign_in("otto").await);
    ada.attach("w", "a", "owner").await;
    let tag = ada.tag("w").await;
    ada.patch("/api/people/grace", json!({ "name": "Grace" })).await.ok();
    ada.patch("/api/people/none", json!({ "name": "N" })).await.refused(404, "person");
    otto.post("/api/people", json!({ "id": "grace", "name": "Another Grace" })).await.created();
    ada.get("/api/people").await.ok();
    assert_eq!(ada.header("if-none-match", &tag).get(MAP).await.status, 304);
    assert_eq!(names(&ada).await, ["Grace"]);
}
